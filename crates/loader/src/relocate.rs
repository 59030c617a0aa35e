//! What relocations say, written into the image.

use crate::inputs::{Inputs, Symbol};
use crate::layout::{Layout, SLOT, Slot, Target};
use crate::memory::Mapping;
use crate::thread::Module;
use crate::{Outcome, builtin, error};
use elf_object::LittleEndian as Le;
use elf_object::elf;
use rustc_hash::FxHashMap;

/// What relocating leaves to be known.
pub struct Done {
    /// Addresses of the slots of global functions with stubs, by name.
    pub slots: FxHashMap<Vec<u8>, usize>,
    /// Slots that get what a resolver says, and the resolvers.
    indirect: Vec<(usize, usize)>,
    /// Thread-local variables of the process that code refers to.
    // In boxes: relocated code holds their addresses.
    #[allow(clippy::vec_box)]
    pub external: Vec<Box<Module>>,
}

struct Context<'c, 'a> {
    inputs: &'c Inputs<'a>,
    layout: &'c Layout,
    /// Addresses of names that are not defined here.
    found: FxHashMap<Vec<u8>, usize>,
}

pub fn relocate(
    inputs: &Inputs<'_>,
    layout: &Layout,
    mapping: &mut Mapping,
    thread: Option<&Module>,
    resolve: &mut dyn FnMut(&str) -> Option<usize>,
) -> Outcome<Done> {
    let found = externals(inputs, layout, resolve)?;
    let cx = Context { inputs, layout, found };
    let mut done = Done { slots: FxHashMap::default(), indirect: Vec::new(), external: Vec::new() };
    let handle = layout.base + layout.handle;
    mapping.bytes(layout.handle, SLOT).copy_from_slice(&handle.to_le_bytes());
    fill_slots(&cx, mapping, thread, &mut done)?;
    for (target, at) in &layout.stubs {
        let slot = layout.slots[&(target.clone(), Slot::Address)];
        // jmp *slot(%rip); int3; int3
        let mut code = [0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc];
        code[2..6].copy_from_slice(&((slot as i64 - (at + 6) as i64) as i32).to_le_bytes());
        mapping.bytes(*at, code.len()).copy_from_slice(&code);
        if let Target::Global(name) = target {
            done.slots.insert(name.clone(), layout.base + slot);
        }
    }
    for index in 0..inputs.objects.len() {
        sections(&cx, mapping, index)?;
    }
    Ok(done)
}

/// Calls the resolvers of indirect functions.
///
/// # Safety
/// The code of the image is complete and executable.
pub unsafe fn indirect(done: &Done, layout: &Layout, mapping: &mut Mapping) {
    for (slot, resolver) in &done.indirect {
        // SAFETY: a symbol of this kind is a function that gives an address.
        let address = unsafe { std::mem::transmute::<usize, extern "C" fn() -> usize>(*resolver)() };
        mapping.bytes(slot - layout.base, 8).copy_from_slice(&address.to_le_bytes());
    }
}

/// Addresses of all names that are undefined.
fn externals(
    inputs: &Inputs<'_>,
    layout: &Layout,
    resolve: &mut dyn FnMut(&str) -> Option<usize>,
) -> Outcome<FxHashMap<Vec<u8>, usize>> {
    let mut found = FxHashMap::default();
    let mut missing = Vec::new();
    for symbol in inputs.objects.iter().flat_map(|object| &object.symbols) {
        let is_undefined = symbol.section == 0 && symbol.binding != elf::STB_LOCAL && !symbol.name.is_empty();
        let is_thread = symbol.kind == elf::STT_TLS;
        if !is_undefined || is_thread || inputs.globals.contains_key(symbol.name) || found.contains_key(symbol.name) {
            continue;
        }
        let text = String::from_utf8_lossy(symbol.name);
        let address = builtin(symbol.name, layout).or_else(|| resolve(&text));
        match address {
            Some(address) => drop(found.insert(symbol.name.to_vec(), address)),
            None if symbol.binding == elf::STB_WEAK => drop(found.insert(symbol.name.to_vec(), 0)),
            None => missing.push(text.into_owned()),
        }
    }
    missing.sort();
    missing.dedup();
    match &missing[..] {
        [] => Ok(found),
        names => {
            let quoted: Vec<String> = names.iter().map(|name| format!("undefined symbol '{name}'")).collect();
            error(quoted.join("\n"))
        }
    }
}

fn fill_slots(cx: &Context<'_, '_>, mapping: &mut Mapping, thread: Option<&Module>, done: &mut Done) -> Outcome<()> {
    for ((target, slot), at) in &cx.layout.slots {
        let symbol = match target {
            Target::Local(object, index) => Some((*object, &cx.inputs.objects[*object].symbols[*index])),
            Target::Global(name) => cx
                .inputs
                .globals
                .get(&name[..])
                .map(|(object, index)| (*object, &cx.inputs.objects[*object].symbols[*index])),
        };
        let mut put = |at: usize, word: usize| mapping.bytes(at, 8).copy_from_slice(&word.to_le_bytes());
        match slot {
            Slot::Address => {
                let address = match symbol {
                    Some((object, symbol)) => cx.address(object, symbol),
                    None => cx.external(target),
                };
                if symbol.is_some_and(|(_, symbol)| symbol.kind == elf::STT_GNU_IFUNC) {
                    done.indirect.push((cx.layout.base + at, address));
                }
                put(*at, address);
            }
            Slot::Thread => {
                let own = thread.map_or(std::ptr::null(), |module| module as *const Module);
                let (module, offset) = match (symbol, target) {
                    (Some((object, symbol)), _) => {
                        let place = cx.layout.thread_place((object, symbol.section as usize)).unwrap_or(0);
                        (own, place + symbol.value as usize)
                    }
                    (None, Target::Global(name)) if name.is_empty() => (own, 0),
                    (None, Target::Global(name)) => {
                        let Ok(name) = std::ffi::CString::new(name.clone()) else { return error("a damaged name") };
                        done.external.push(Box::new(Module::External(name)));
                        (&raw const **done.external.last().expect("was just pushed"), 0)
                    }
                    (None, Target::Local(..)) => return error("a damaged object: a symbol"),
                };
                put(*at, module as usize);
                put(at + 8, offset);
            }
        }
    }
    Ok(())
}

impl<'a> Context<'_, 'a> {
    /// Address of a symbol that is defined in an object.
    fn address(&self, object: usize, symbol: &Symbol<'_>) -> usize {
        match symbol.section {
            section if section == u32::from(elf::SHN_ABS) => symbol.value as usize,
            section if section == u32::from(elf::SHN_COMMON) => {
                self.layout.base + self.layout.commons.get(symbol.name).copied().unwrap_or(0)
            }
            section => self.layout.address((object, section as usize)).wrapping_add(symbol.value as usize),
        }
    }

    fn external(&self, target: &Target) -> usize {
        match target {
            Target::Global(name) => self.found.get(name).copied().unwrap_or(0),
            Target::Local(..) => 0,
        }
    }

    /// The object that defines what a symbol of `object` refers to, and the definition.
    fn definition<'s>(&'s self, object: usize, symbol: &'s Symbol<'a>) -> Option<(usize, &'s Symbol<'a>)> {
        match symbol.binding {
            elf::STB_LOCAL => Some((object, symbol)),
            _ => {
                let (object, index) = self.inputs.globals.get(symbol.name)?;
                Some((*object, &self.inputs.objects[*object].symbols[*index]))
            }
        }
    }
}

fn sections(cx: &Context<'_, '_>, mapping: &mut Mapping, index: usize) -> Outcome<()> {
    let object = &cx.inputs.objects[index];
    for (number, section) in object.sections.iter().enumerate() {
        let place = (index, number);
        if !cx.layout.is_placed(place) {
            let is_thread = cx.layout.thread_place(place).is_some();
            if is_thread && !section.relocations.is_empty() {
                return error("a thread-local variable initialised with an address");
            }
            continue;
        }
        for relocation in section.relocations {
            let number = relocation.r_sym(Le, false) as usize;
            let Some(symbol) = object.symbols.get(number) else { return error("a damaged object: a relocation") };
            let kind = relocation.r_type(Le, false);
            let offset = relocation.r_offset.get(Le);
            let width = width(kind)?;
            if offset.checked_add(width).is_none_or(|end| end > section.size) {
                return error("a damaged object: the place of a relocation");
            }
            let at = cx.layout.address(place) + offset as usize;
            let addend = relocation.r_addend.get(Le);
            let reference = Reference { object: index, number, symbol };
            let value = value(cx, &reference, kind, at, addend)?;
            write(mapping, cx.layout, at, kind, value, symbol)?;
        }
    }
    Ok(())
}

struct Reference<'r, 'a> {
    object: usize,
    number: usize,
    symbol: &'r Symbol<'a>,
}

/// Bytes that a relocation changes.
fn width(kind: u32) -> Outcome<u64> {
    Ok(match kind {
        elf::R_X86_64_NONE => 0,
        elf::R_X86_64_8 | elf::R_X86_64_PC8 => 1,
        elf::R_X86_64_16 | elf::R_X86_64_PC16 => 2,
        elf::R_X86_64_64
        | elf::R_X86_64_PC64
        | elf::R_X86_64_GOTOFF64
        | elf::R_X86_64_DTPOFF64
        | elf::R_X86_64_SIZE64 => 8,
        elf::R_X86_64_32
        | elf::R_X86_64_32S
        | elf::R_X86_64_PC32
        | elf::R_X86_64_PLT32
        | elf::R_X86_64_GOTPCREL
        | elf::R_X86_64_GOTPCRELX
        | elf::R_X86_64_REX_GOTPCRELX
        | elf::R_X86_64_GOTPC32
        | elf::R_X86_64_TLSGD
        | elf::R_X86_64_TLSLD
        | elf::R_X86_64_DTPOFF32
        | elf::R_X86_64_SIZE32 => 4,
        elf::R_X86_64_GOTTPOFF | elf::R_X86_64_TPOFF32 | elf::R_X86_64_TPOFF64 | elf::R_X86_64_GOTPC32_TLSDESC => {
            return error("a thread-local variable without the general model: compile with -fPIC");
        }
        _ => return error(format!("relocation {kind} is not known here")),
    })
}

/// The number that a relocation gives (S the symbol's address, A the addend, P the place).
fn value(cx: &Context<'_, '_>, reference: &Reference<'_, '_>, kind: u32, at: usize, addend: i64) -> Outcome<i64> {
    let layout = cx.layout;
    let target = Target::of(reference.object, reference.number, reference.symbol);
    let slot = |slot: Slot, target: &Target| match layout.slots.get(&(target.clone(), slot)) {
        Some(at) => Ok((layout.base + at) as i64),
        None => error("a damaged object: a relocation"),
    };
    let defined = cx.definition(reference.object, reference.symbol);
    let address = || match defined {
        // Everything that takes its address gets the same.
        Some((_, symbol)) if symbol.kind == elf::STT_GNU_IFUNC => {
            layout.stubs.get(&target).map_or(0, |stub| layout.base + stub)
        }
        Some((object, symbol)) => cx.address(object, symbol),
        None => cx.external(&target),
    } as i64;
    let place = at as i64;
    Ok(match kind {
        elf::R_X86_64_NONE => 0,
        elf::R_X86_64_PC32 | elf::R_X86_64_PLT32 => {
            let direct = address().wrapping_add(addend).wrapping_sub(place);
            let stub = layout.stubs.get(&target).map(|stub| (layout.base + stub) as i64);
            let is_replaceable = kind == elf::R_X86_64_PLT32 && defined.is_some();
            let is_function = kind == elf::R_X86_64_PLT32 || reference.symbol.kind == elf::STT_FUNC;
            match stub {
                Some(stub) if is_replaceable || is_function && i32::try_from(direct).is_err() => {
                    stub.wrapping_add(addend).wrapping_sub(place)
                }
                _ => direct,
            }
        }
        elf::R_X86_64_PC64 | elf::R_X86_64_PC8 | elf::R_X86_64_PC16 => {
            address().wrapping_add(addend).wrapping_sub(place)
        }
        elf::R_X86_64_GOTPCREL | elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX => {
            slot(Slot::Address, &target)?.wrapping_add(addend).wrapping_sub(place)
        }
        elf::R_X86_64_GOTPC32 => (layout.base as i64).wrapping_add(addend).wrapping_sub(place),
        elf::R_X86_64_GOTOFF64 => address().wrapping_add(addend).wrapping_sub(layout.base as i64),
        elf::R_X86_64_TLSGD => slot(Slot::Thread, &target)?.wrapping_add(addend).wrapping_sub(place),
        elf::R_X86_64_TLSLD => {
            slot(Slot::Thread, &Target::Global(Vec::new()))?.wrapping_add(addend).wrapping_sub(place)
        }
        elf::R_X86_64_DTPOFF32 | elf::R_X86_64_DTPOFF64 => {
            let Some((object, symbol)) = defined else { return error("a thread-local variable that is not defined") };
            let section = layout.thread_place((object, symbol.section as usize)).unwrap_or(0);
            (section as i64).wrapping_add(symbol.value as i64).wrapping_add(addend)
        }
        elf::R_X86_64_SIZE32 | elf::R_X86_64_SIZE64 => {
            (defined.map_or(0, |(_, symbol)| symbol.size) as i64).wrapping_add(addend)
        }
        _ => address().wrapping_add(addend),
    })
}

fn write(mapping: &mut Mapping, layout: &Layout, at: usize, kind: u32, value: i64, symbol: &Symbol<'_>) -> Outcome<()> {
    let bytes = value.to_le_bytes();
    let (width, fits) = match kind {
        elf::R_X86_64_NONE => return Ok(()),
        elf::R_X86_64_32 => (4, u32::try_from(value).is_ok()),
        elf::R_X86_64_8 => (1, u8::try_from(value).is_ok() || i8::try_from(value).is_ok()),
        elf::R_X86_64_PC8 => (1, i8::try_from(value).is_ok()),
        elf::R_X86_64_16 => (2, u16::try_from(value).is_ok() || i16::try_from(value).is_ok()),
        elf::R_X86_64_PC16 => (2, i16::try_from(value).is_ok()),
        kind if width(kind)? == 8 => (8, true),
        _ => (4, i32::try_from(value).is_ok()),
    };
    if !fits {
        let name = String::from_utf8_lossy(symbol.name);
        return error(format!("'{name}' is too far away for the code that refers to it: compile with -fPIC"));
    }
    mapping.bytes(at - layout.base, width).copy_from_slice(&bytes[..width]);
    Ok(())
}
