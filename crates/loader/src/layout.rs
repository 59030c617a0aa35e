//! Places of sections in the one mapping of an image.

use crate::inputs::{Inputs, Section, Symbol};
use crate::memory::{Ends, Mapping, PAGE};
use crate::{Outcome, error};
use elf_object::LittleEndian as Le;
use elf_object::elf;
use rustc_hash::FxHashMap;

/// Bytes of a stub: a jump through the table of addresses.
pub const STUB: usize = 8;
/// Bytes of an entry of the table.
pub const SLOT: usize = 8;
/// Largest image: what 32 bits reach in both directions.
const LARGEST: usize = 1 << 30;

/// Which of the tables of functions is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Array {
    Initializers,
    Finalizers,
}

/// An entry of the table of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// The address of a symbol.
    Address,
    /// Two words for `__tls_get_addr`.
    Thread,
}

/// Where everything is.
#[derive(Default)]
pub struct Layout {
    /// Address of the mapping; all else are offsets in it.
    pub base: usize,
    pub size: usize,
    /// Borders of pages: code, constants, table of addresses; data that can be written follows.
    pub ends: Ends,
    /// The word of `__dso_handle`, which holds its own address, as in shared libraries: the C
    /// library's `atexit` reads it.
    pub handle: usize,
    /// The mapping must be within the first two gigabytes.
    pub low: bool,
    /// `.eh_frame`, ending in a zero word.
    pub frames: Option<usize>,
    /// By object and section.
    places: Vec<Vec<Option<usize>>>,
    /// Stub of each symbol (by object and index; global ones under their definition or first use)
    /// and slot.
    pub stubs: FxHashMap<Target, usize>,
    pub slots: FxHashMap<(Target, Slot), usize>,
    /// Common symbols, by name.
    pub commons: FxHashMap<Vec<u8>, usize>,
    /// The image of thread-local variables: size, alignment, and offset of each section in it.
    pub thread_size: usize,
    pub thread_align: usize,
    thread_places: FxHashMap<(usize, usize), usize>,
}

/// What a relocation refers to: a global name, or a symbol of an object.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    Global(Vec<u8>),
    Local(usize, usize),
}

impl Target {
    pub fn of(object: usize, index: usize, symbol: &Symbol<'_>) -> Target {
        match symbol.binding {
            elf::STB_LOCAL => Target::Local(object, index),
            _ => Target::Global(symbol.name.to_vec()),
        }
    }
}

/// The four parts of an image, by access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Constants,
    Frames,
    Data,
    Zero,
    Thread,
}

fn part(section: &Section<'_>) -> Option<Part> {
    let has = |flag: u32| section.flags & u64::from(flag) != 0;
    match () {
        () if !section.is_loaded() => None,
        () if has(elf::SHF_TLS) => Some(Part::Thread),
        () if section.name == b".eh_frame" => Some(Part::Frames),
        () if has(elf::SHF_EXECINSTR) => Some(Part::Code),
        () if section.kind == elf::SHT_NOBITS => Some(Part::Zero),
        () if has(elf::SHF_WRITE) => Some(Part::Data),
        () => Some(Part::Constants),
    }
}

pub fn layout(inputs: &Inputs<'_>, replaceable: bool) -> Outcome<Layout> {
    let mut layout = Layout { thread_align: 1, ..Layout::default() };
    layout.places = inputs.objects.iter().map(|object| vec![None; object.sections.len()]).collect();
    let mut at = 0;
    place(inputs, &mut layout, Part::Code, &mut at)?;
    reserve(inputs, &mut layout, replaceable);
    at = at.next_multiple_of(STUB);
    for stub in layout.stubs.values_mut() {
        *stub = at;
        at += STUB;
    }
    at = at.next_multiple_of(PAGE);
    layout.ends.code = at;
    place(inputs, &mut layout, Part::Constants, &mut at)?;
    at = at.next_multiple_of(8);
    let frames = at;
    place(inputs, &mut layout, Part::Frames, &mut at)?;
    if at != frames {
        layout.frames = Some(frames);
        at += 8;
    }
    at = at.next_multiple_of(PAGE);
    layout.ends.constants = at;
    layout.handle = at;
    at += SLOT;
    for (key, slot) in &mut layout.slots {
        *slot = at;
        at += if key.1 == Slot::Thread { 2 * SLOT } else { SLOT };
    }
    at = at.next_multiple_of(PAGE);
    layout.ends.table = at;
    place(inputs, &mut layout, Part::Data, &mut at)?;
    place(inputs, &mut layout, Part::Zero, &mut at)?;
    commons(inputs, &mut layout, &mut at);
    layout.size = at;
    let mut thread = 0;
    place(inputs, &mut layout, Part::Thread, &mut thread)?;
    layout.thread_size = thread;
    if at > LARGEST {
        return error("more than a gigabyte of code and data");
    }
    Ok(layout)
}

/// Gives the sections of a part their places, in order.
fn place(inputs: &Inputs<'_>, layout: &mut Layout, wanted: Part, at: &mut usize) -> Outcome<()> {
    for (index, object) in inputs.objects.iter().enumerate() {
        for (number, section) in object.sections.iter().enumerate() {
            if part(section) != Some(wanted) {
                continue;
            }
            // One table of unwind information follows the other without a gap.
            let align = if wanted == Part::Frames { 1 } else { section.align as usize };
            *at = at.next_multiple_of(align);
            if align > PAGE {
                return error("a section aligned to more than a page");
            }
            if wanted == Part::Thread {
                layout.thread_places.insert((index, number), *at);
                layout.thread_align = layout.thread_align.max(align);
            } else {
                layout.places[index][number] = Some(*at);
            }
            *at += section.size as usize;
            if *at > LARGEST {
                return error("more than a gigabyte of code and data");
            }
        }
    }
    Ok(())
}

fn commons(inputs: &Inputs<'_>, layout: &mut Layout, at: &mut usize) {
    let mut names: Vec<_> = inputs.globals.iter().collect();
    names.sort();
    for (name, (object, symbol)) in names {
        let symbol = &inputs.objects[*object].symbols[*symbol];
        if symbol.section == u32::from(elf::SHN_COMMON) {
            *at = at.next_multiple_of((symbol.value as usize).max(1).next_power_of_two());
            layout.commons.insert(name.to_vec(), *at);
            *at += symbol.size as usize;
        }
    }
}

/// Notes which symbols need a stub or a slot; where they are comes later.
fn reserve(inputs: &Inputs<'_>, layout: &mut Layout, replaceable: bool) {
    for (index, object) in inputs.objects.iter().enumerate() {
        for section in object.sections.iter().filter(|s| s.is_loaded()) {
            for relocation in section.relocations {
                let number = relocation.r_sym(Le, false) as usize;
                let Some(symbol) = object.symbols.get(number) else { continue };
                let kind = relocation.r_type(Le, false);
                let is_call = kind == elf::R_X86_64_PLT32 || kind == elf::R_X86_64_PC32;
                let is_global = symbol.binding != elf::STB_LOCAL;
                let is_defined = symbol.section != 0 || inputs.globals.contains_key(symbol.name);
                let is_indirect = definition(inputs, symbol).is_some_and(|s| s.kind == elf::STT_GNU_IFUNC);
                match kind {
                    _ if is_indirect || is_call && is_global && (!is_defined || replaceable) => {
                        let target = Target::of(index, number, symbol);
                        layout.slots.insert((target.clone(), Slot::Address), 0);
                        layout.stubs.insert(target, 0);
                    }
                    elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX => {
                        layout.slots.insert((Target::of(index, number, symbol), Slot::Address), 0);
                    }
                    elf::R_X86_64_TLSGD => {
                        layout.slots.insert((Target::of(index, number, symbol), Slot::Thread), 0);
                    }
                    elf::R_X86_64_TLSLD => {
                        layout.slots.insert((Target::Global(Vec::new()), Slot::Thread), 0);
                    }
                    elf::R_X86_64_32 | elf::R_X86_64_32S => layout.low = true,
                    _ => {}
                }
            }
        }
    }
}

/// The symbol that a reference means, if it is defined here.
pub fn definition<'i, 'a>(inputs: &'i Inputs<'a>, symbol: &'i Symbol<'a>) -> Option<&'i Symbol<'a>> {
    if symbol.binding == elf::STB_LOCAL {
        return Some(symbol);
    }
    let (object, index) = inputs.globals.get(symbol.name)?;
    Some(&inputs.objects[*object].symbols[*index])
}

impl Layout {
    /// Address of a section that is in memory.
    pub fn address(&self, (object, section): (usize, usize)) -> usize {
        self.base + self.places[object][section].unwrap_or(0)
    }

    /// Whether a section has a place in the mapping.
    pub fn is_placed(&self, (object, section): (usize, usize)) -> bool {
        self.places[object][section].is_some()
    }

    /// Offset of a section in the image of thread-local variables.
    pub fn thread_place(&self, section: (usize, usize)) -> Option<usize> {
        self.thread_places.get(&section).copied()
    }

    /// Sections with contents to their places.
    pub fn copy(&self, inputs: &Inputs<'_>, mapping: &mut Mapping) {
        for (object, places) in inputs.objects.iter().zip(&self.places) {
            for (section, place) in object.sections.iter().zip(places) {
                if let Some(at) = place {
                    mapping.bytes(*at, section.data.len()).copy_from_slice(section.data);
                }
            }
        }
    }

    /// The image of thread-local variables.
    pub fn thread_image(&self, inputs: &Inputs<'_>) -> Vec<u8> {
        let mut bytes = vec![0; self.thread_size];
        for ((object, section), at) in &self.thread_places {
            let data = inputs.objects[*object].sections[*section].data;
            bytes[*at..at + data.len()].copy_from_slice(data);
        }
        bytes
    }

    /// Addresses of the entries of `.init_array` or `.fini_array` and their numbered relatives, in
    /// the order in which linkers put them.
    pub fn arrays(&self, inputs: &Inputs<'_>, array: Array) -> Vec<usize> {
        let names: &[&[u8]] = match array {
            Array::Initializers => &[b".preinit_array", b".init_array"],
            Array::Finalizers => &[b".fini_array"],
        };
        let mut sections = Vec::new();
        for (index, object) in inputs.objects.iter().enumerate() {
            for (number, section) in object.sections.iter().enumerate().filter(|(_, s)| s.is_loaded()) {
                let Some(family) = names.iter().position(|name| section.name.starts_with(name)) else { continue };
                let rest = &section.name[names[family].len()..];
                let priority = std::str::from_utf8(rest.strip_prefix(b".").unwrap_or(b"")).ok();
                let priority = priority.and_then(|p| p.parse::<u32>().ok()).unwrap_or(u32::MAX);
                sections.push((family, priority, index, number, section.size as usize / 8));
            }
        }
        sections.sort();
        let entries = sections.into_iter().flat_map(|(_, _, object, section, count)| {
            let start = self.address((object, section));
            (0..count).map(move |entry| start + entry * 8)
        });
        entries.collect()
    }
}
