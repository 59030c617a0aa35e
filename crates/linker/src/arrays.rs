//! Arrays of functions that run before and after the program: their order by priority, and the old
//! `.ctors` and `.dtors`, which are run from their end and become parts of `.init_array` and
//! `.fini_array`, as in GNU ld.

use crate::kept;
use crate::object::{Object, Section};
use crate::read::entries;
use crate::{Declined, Outcome};
use elf_object::elf;

const FAMILIES: [(&[u8], &[u8]); 4] = [
    (b".init_array", b".init_array"),
    (b".fini_array", b".fini_array"),
    (b".ctors", b".init_array"),
    (b".dtors", b".fini_array"),
];

/// Parts without a priority come last.
const LAST: u32 = 1 << 16;

/// The array a section is part of, and its place there.
pub fn part(name: &[u8]) -> Outcome<Option<(&'static [u8], u32)>> {
    for (family, output) in FAMILIES {
        let Some(rest) = name.strip_prefix(family) else { continue };
        if rest.is_empty() {
            return Ok(Some((output, LAST)));
        }
        let Some(digits) = rest.strip_prefix(b".") else { continue };
        let number = std::str::from_utf8(digits).ok().and_then(|text| text.parse::<u16>().ok());
        let number = number.ok_or(Declined("a priority that is no number"))?;
        let is_old = family != output;
        return Ok(Some((output, u32::from(if is_old { u16::MAX - number } else { number }))));
    }
    Ok(None)
}

/// Turns the old arrays around.
pub fn turn(objects: &mut [Object]) -> Outcome<()> {
    for section in objects.iter_mut().flat_map(|object| &mut object.sections) {
        let is_old = section.name.starts_with(b".ctors") || section.name.starts_with(b".dtors");
        if is_old && section.is_loaded() && part(section.name)?.is_some() {
            turn_section(section)?;
        }
    }
    Ok(())
}

fn turn_section(section: &mut Section) -> Outcome<()> {
    let size = section.data.len() as u64;
    if !size.is_multiple_of(8) || section.kind != elf::SHT_PROGBITS {
        return Err(Declined("a form of constructors"));
    }
    section.data = kept::keep(section.data.rchunks(8).flatten().copied().collect());
    let mut relocations = Vec::with_capacity(section.relocations.len());
    for entry in entries::<24>(section.relocations) {
        let offset = u64::from_le_bytes(*entry.first_chunk().expect("the entry has 24 bytes"));
        let turned = size.checked_sub(8).and_then(|last| last.checked_sub(offset));
        relocations.extend(turned.ok_or(Declined("a form of constructors"))?.to_le_bytes());
        relocations.extend(&entry[8..]);
    }
    section.relocations = kept::keep(relocations);
    section.kind = if section.name.starts_with(b".ctors") { elf::SHT_INIT_ARRAY } else { elf::SHT_FINI_ARRAY };
    Ok(())
}
