//! What a relocation's symbol stands for in this output.

use crate::inputs::Inputs;
use crate::object::{Object, Symbol};
use crate::options::Options;
use crate::symbols::{Global, Own, Place};
use crate::{Declined, Outcome};
use elf_object::elf;

/// What a relocation's symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A place in this program.
    Here,
    /// A place relative to the start of the program's thread-local storage.
    ThreadLocal,
    /// A number.
    Number,
    /// A function here that another one chooses when the program starts.
    Indirect,
    /// A function or variable of a shared library.
    Function,
    Variable,
    /// A thread-local variable that the dynamic linker finds.
    ForeignThread,
    /// A symbol of a shared library being made whose definition the dynamic linker chooses.
    Preemptible,
    /// A weak reference to nothing.
    Null,
    /// Something in a section that was left out.
    Dropped,
}

/// Classify the symbol of an object.
pub fn target(object: &Object, symbol: &Symbol, inputs: &Inputs) -> Outcome<Target> {
    let Inputs { globals, objects, libraries, options, .. } = inputs;
    if symbol.global == u32::MAX {
        return Ok(defined_target(object, symbol));
    }
    let global = &globals.list[symbol.global as usize];
    let foreign = |kind: u8| if kind == elf::STT_TLS { Target::ForeignThread } else { Target::Preemptible };
    Ok(match global.place {
        Place::Undefined if options.shared && global.visibility == elf::STV_DEFAULT => foreign(symbol.kind()),
        Place::Undefined => Target::Null,
        Place::Object { object, symbol, .. } => {
            let object = &objects[object as usize];
            let symbol = &object.symbols[symbol as usize];
            match defined_target(object, symbol) {
                Target::Dropped => Target::Dropped,
                _ if is_preemptible(options, global, symbol.kind()) => foreign(symbol.kind()),
                own => own,
            }
        }
        Place::Common { .. } if is_preemptible(options, global, elf::STT_OBJECT) => Target::Preemptible,
        Place::Common { .. } => Target::Here,
        Place::Own(Own::Defined(at)) if options.definitions[at as usize].base.is_none() => Target::Number,
        Place::Own(_) => Target::Here,
        Place::Library { library, symbol } => match libraries[library as usize].export(symbol)?.info & 15 {
            elf::STT_TLS => Target::ForeignThread,
            _ if options.shared => Target::Preemptible,
            elf::STT_FUNC | elf::STT_GNU_IFUNC => Target::Function,
            elf::STT_OBJECT => Target::Variable,
            _ => return Err(Declined("a kind of symbol in a library")),
        },
    })
}

/// What a symbol is that its object defines.
pub fn defined_target(object: &Object, symbol: &Symbol) -> Target {
    match symbol.section {
        elf::SHN_UNDEF | elf::SHN_ABS => Target::Number,
        elf::SHN_COMMON => Target::Here,
        section if !object.sections[usize::from(section)].kept => Target::Dropped,
        _ if symbol.kind() == elf::STT_GNU_IFUNC => Target::Indirect,
        section => {
            let flags = object.sections[usize::from(section)].flags;
            let is_thread_local = symbol.kind() == elf::STT_TLS || flags & u64::from(elf::SHF_TLS) != 0;
            if is_thread_local { Target::ThreadLocal } else { Target::Here }
        }
    }
}

/// Whether another module may define the name first.
fn is_preemptible(options: &Options, global: &Global, kind: u8) -> bool {
    let is_function = matches!(kind, elf::STT_FUNC | elf::STT_GNU_IFUNC);
    options.shared
        && global.is_exported
        && global.visibility == elf::STV_DEFAULT
        && !options.symbolic
        && !(options.symbolic_functions && is_function)
}
