//! `.eh_frame` and the table that finds its entries, `.eh_frame_hdr` (LSB, exception frames).

use super::object::Object;
use super::read::u32_at;
use super::{Declined, Outcome};

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
    // Two alignment factors, the register of the return address, the length of what follows: three of them in the variable
    // form, whose last byte is below 128.
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

/// How many functions all the records describe. Terminators are cut off: the records of all objects become one row.
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
