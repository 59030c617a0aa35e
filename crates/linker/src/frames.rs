//! `.eh_frame` and the table that finds its entries, `.eh_frame_hdr` (LSB, exception frames).

use crate::kept;
use crate::object::{Object, Section};
use crate::read::{Relocation, relocations, u32_at};
use crate::{Declined, Outcome};

/// Name of the section.
pub const NAME: &[u8] = b".eh_frame";

/// Addresses relative to their place, in four bytes: the one form of pointer that is understood.
const RELATIVE: u8 = 0x1b;

/// The records of a section: (offset, whether it describes a function).
fn records(data: &[u8]) -> Outcome<Vec<(usize, bool)>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < data.len() {
        let length = u32_at(data, at)? as usize;
        if length == 0 {
            // A terminator may only be the end.
            return if at + 4 == data.len() { Ok(found) } else { Err(Declined("frames behind their end")) };
        }
        if length >= 0xffff_fff0 || !length.is_multiple_of(4) || at + 4 + length > data.len() {
            return Err(Declined("a form of frames"));
        }
        let is_function = u32_at(data, at + 4)? != 0;
        if !is_function && pointer_form(&data[at..at + 4 + length])? != RELATIVE {
            return Err(Declined("a form of frames"));
        }
        found.push((at, is_function));
        at += 4 + length;
    }
    Ok(found)
}

/// How the functions of a common record give their address.
fn pointer_form(record: &[u8]) -> Outcome<u8> {
    const ODD: Declined = Declined("a form of frames");
    let mut bytes = record.get(8..).ok_or(ODD)?.iter().copied();
    let mut next = || bytes.next().ok_or(ODD);
    if next()? != 1 || next()? != b'z' {
        return Err(ODD);
    }
    let mut letters = Vec::new();
    loop {
        match next()? {
            0 => break,
            letter => letters.push(letter),
        }
    }
    // Two alignment factors, the register of the return address, the length of what follows: three
    // of them in the variable form, whose last byte is below 128.
    for skipped in 0..4 {
        while next()? >= 0x80 && skipped != 2 {}
    }
    for letter in letters {
        match letter {
            b'R' => return next(),
            b'S' | b'B' => {}
            b'L' => drop(next()?),
            b'P' => {
                let bytes = match next()? & 15 {
                    0 | 4 | 12 => 8,
                    2 | 10 => 2,
                    3 | 11 => 4,
                    _ => return Err(ODD),
                };
                for _ in 0..bytes {
                    next()?;
                }
            }
            _ => return Err(ODD),
        }
    }
    Err(ODD)
}

/// The relocations of a section, sorted by record: those of the record that starts at `at`.
fn of_record<'a>(sorted: &'a [Relocation], data: &[u8], at: usize) -> Outcome<&'a [Relocation]> {
    let end = at as u64 + 4 + u64::from(u32_at(data, at)?);
    let first = sorted.partition_point(|relocation| relocation.offset < at as u64);
    let last = sorted.partition_point(|relocation| relocation.offset < end);
    Ok(&sorted[first..last])
}

fn sorted(section: &Section) -> Vec<Relocation> {
    let mut sorted: Vec<Relocation> = relocations(section.relocations).collect();
    sorted.sort_by_key(|relocation| relocation.offset);
    sorted
}

/// Where the common record of a function's record starts.
fn common(data: &[u8], at: usize) -> Outcome<usize> {
    let distance = u32_at(data, at + 4)? as usize;
    (at + 4).checked_sub(distance).ok_or(Declined("a form of frames"))
}

/// The section of the function that the record at `at` describes.
fn function(object: &Object, relocations: &[Relocation], at: usize) -> Option<u32> {
    let start = relocations.iter().find(|relocation| relocation.offset == at as u64 + 8)?;
    let section = object.symbols.get(start.symbol as usize)?.section;
    object.sections.get(usize::from(section)).map(|_| u32::from(section))
}

/// What frames keep besides functions: the section of each function, and the symbols that its
/// record and the common one of that name elsewhere.
pub fn references(object: &Object, section: &Section) -> Outcome<Vec<(u32, Vec<u32>)>> {
    let sorted = sorted(section);
    let mut found = Vec::new();
    for (at, is_function) in records(section.data)? {
        if !is_function {
            continue;
        }
        let own = of_record(&sorted, section.data, at)?;
        let Some(function) = function(object, own, at) else { continue };
        let shared = of_record(&sorted, section.data, common(section.data, at)?)?;
        let others = own.iter().filter(|relocation| relocation.offset != at as u64 + 8).chain(shared);
        found.push((function, others.map(|relocation| relocation.symbol).collect()));
    }
    Ok(found)
}

/// Leaves out the records of functions that were left out.
pub fn prune(objects: &mut [Object]) -> Outcome<()> {
    for object in objects {
        if !object.sections.iter().any(|section| section.dropped) {
            continue;
        }
        for at in 0..object.sections.len() {
            if object.sections[at].name == NAME && object.sections[at].is_loaded() {
                prune_section(object, at)?;
            }
        }
    }
    Ok(())
}

fn prune_section(object: &mut Object, at: usize) -> Outcome<()> {
    let section = &object.sections[at];
    let (data, sorted) = (section.data, sorted(section));
    let (mut bytes, mut moved, mut table) = (Vec::with_capacity(data.len()), Vec::new(), Vec::new());
    let records = records(data)?;
    for &(start, is_function) in &records {
        let own = of_record(&sorted, data, start)?;
        let section = function(object, own, start).filter(|_| is_function);
        if section.is_some_and(|section| object.sections[section as usize].dropped) {
            continue;
        }
        let new = bytes.len();
        moved.push((start, new));
        bytes.extend_from_slice(&data[start..start + 4 + u32_at(data, start)? as usize]);
        if is_function {
            // Common records come first and are never left out.
            let common = common(data, start)?;
            let found = moved.binary_search_by_key(&common, |&(old, _)| old);
            let (_, common) = moved[found.map_err(|_| Declined("a form of frames"))?];
            bytes[new + 4..new + 8].copy_from_slice(&((new + 4 - common) as u32).to_le_bytes());
        }
        for relocation in own {
            table.extend((relocation.offset - start as u64 + new as u64).to_le_bytes());
            table.extend((u64::from(relocation.symbol) << 32 | u64::from(relocation.kind)).to_le_bytes());
            table.extend(relocation.addend.to_le_bytes());
        }
    }
    let end = records.last().map_or(Ok(0), |&(at, _)| u32_at(data, at).map(|length| at + 4 + length as usize))?;
    bytes.extend_from_slice(&data[end..]);
    let section = &mut object.sections[at];
    section.size = bytes.len() as u64;
    section.data = kept::keep(bytes);
    section.relocations = kept::keep(table);
    Ok(())
}

/// How many functions all the records describe. Terminators are cut off: the records of all objects
/// become one row.
pub fn count(objects: &mut [Object]) -> Outcome<u64> {
    let mut functions = 0;
    for section in objects.iter_mut().flat_map(|o| &mut o.sections).filter(|s| s.kept && s.name == NAME) {
        let records = records(section.data)?;
        functions += records.iter().filter(|(_, is_function)| *is_function).count() as u64;
        let is_ended = section.data.ends_with(&[0; 4])
            && records.last().is_none_or(|(at, _)| {
                u32_at(section.data, *at).is_ok_and(|length| at + 4 + length as usize + 4 == section.data.len())
            });
        if is_ended {
            section.size -= 4;
            section.data = &section.data[..section.size as usize];
        }
        section.align = 4;
    }
    Ok(functions)
}

/// Fill `.eh_frame_hdr`, of 12 + 8 * functions bytes, from `frames` with its relocations applied.
pub fn table(frames: &[u8], frames_address: u64, address: u64, functions: u64) -> Outcome<Vec<u8>> {
    let mut rows = Vec::with_capacity(functions as usize);
    for (at, is_function) in records(frames)? {
        if is_function {
            let place = frames_address.wrapping_add(at as u64 + 8);
            let start = place.wrapping_add(i64::from(u32_at(frames, at + 8)? as i32) as u64);
            rows.push((start, frames_address + at as u64));
        }
    }
    if rows.len() as u64 != functions {
        return Err(Declined("a form of frames"));
    }
    rows.sort_unstable();
    let mut bytes = vec![1, RELATIVE, 3, 0x3b];
    bytes.extend((frames_address.wrapping_sub(address + 4) as u32).to_le_bytes());
    bytes.extend((functions as u32).to_le_bytes());
    for (start, record) in rows {
        bytes.extend((start.wrapping_sub(address) as u32).to_le_bytes());
        bytes.extend((record.wrapping_sub(address) as u32).to_le_bytes());
    }
    Ok(bytes)
}
