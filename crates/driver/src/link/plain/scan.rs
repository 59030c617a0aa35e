//! What the relocations need: entries in the global offset table and the procedure linkage table, copies of libraries'
//! variables, relocations that are left to the dynamic linker.

use super::inputs::Inputs;
use super::layout::LARGEST;
use super::object::{Object, Section};
use super::read::{Relocation, relocations};
use super::symbols::{Target, target};
use super::{Declined, Outcome};
use elf_object::elf;
use rustc_hash::FxHashMap;

/// What is done about a relocation (S the symbol's address, A the addend, P the place).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    Nothing,
    /// S + A in 8 or 4 bytes, the latter extended without or with sign.
    Absolute64,
    Absolute32,
    Absolute32Signed,
    /// S + A - P in 4 or 8 bytes.
    Relative32,
    Relative64,
    /// As `Relative32`, of the entry in the procedure linkage table.
    Call,
    /// As `Relative32`, of the entry in the global offset table.
    Table,
    /// As `Table`; the entry has the offset from the thread pointer.
    ThreadTable,
    /// A load of the address from the table becomes `lea`, a call or jump through it a direct one.
    Lea,
    DirectCall,
    DirectJump,
    /// The offset from the thread pointer.
    ThreadOffset,
    /// The offset in the program's block of thread-local storage, for the debugger.
    BlockOffset32,
    BlockOffset64,
    /// S + A, moved with the program.
    Rebased,
    /// S + A by the dynamic linker.
    Symbolic,
}

/// An entry of the global offset table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// The address of a global name, or of an object's local symbol.
    Global(u32),
    Local {
        object: u32,
        symbol: u32,
    },
    /// An offset from the thread pointer, by object and symbol.
    Thread {
        object: u32,
        symbol: u32,
    },
}

/// The copy of a library's variable, at the start of the zeros.
#[derive(Clone, Copy, Debug)]
pub struct Copy {
    pub library: u32,
    /// One of its names: index in the library's table.
    pub symbol: u32,
    /// Its address in the library.
    pub value: u64,
    pub size: u64,
    pub align: u64,
}

/// What was found.
#[derive(Default, Debug)]
pub struct Needs {
    /// The global offset table.
    pub slots: Vec<Slot>,
    pub slot_of: FxHashMap<Slot, u32>,
    /// The procedure linkage table: global names.
    pub calls: Vec<u32>,
    pub copies: Vec<Copy>,
    /// Relocations left to the dynamic linker, without those of `calls`.
    pub dynamic: u64,
}

/// Look at every relocation.
pub fn scan(inputs: &mut Inputs) -> Outcome<Needs> {
    let mut needs = Needs::default();
    for at in 0..inputs.objects.len() {
        for section in 0..inputs.objects[at].sections.len() {
            let this = &inputs.objects[at].sections[section];
            if !this.kept {
                continue;
            }
            for relocation in relocations(this.relocations) {
                one(inputs, &mut needs, at, section, &relocation)?;
            }
        }
    }
    Ok(needs)
}

fn one(inputs: &mut Inputs, needs: &mut Needs, at: usize, section: usize, relocation: &Relocation) -> Outcome<()> {
    let object = &inputs.objects[at];
    let (action, target) = action(inputs, object, &object.sections[section], relocation)?;
    let symbol = object.symbols[relocation.symbol as usize];
    let global = symbol.global;
    match action {
        Action::Nothing | Action::Lea | Action::DirectCall | Action::DirectJump | Action::ThreadOffset => {}
        Action::BlockOffset32 | Action::BlockOffset64 => {}
        _ if !object.sections[section].is_loaded() => {}
        Action::Rebased => needs.dynamic += 1,
        Action::Symbolic => {
            needs.dynamic += 1;
            inputs.globals.list[global as usize].is_dynamic = true;
        }
        Action::Call => call(inputs, needs, global),
        Action::Table | Action::ThreadTable => {
            let slot = slot(inputs, at as u32, relocation.symbol, action);
            if let std::collections::hash_map::Entry::Vacant(entry) = needs.slot_of.entry(slot) {
                entry.insert(needs.slots.len() as u32);
                needs.slots.push(slot);
                match target {
                    Target::Function | Target::Variable | Target::Null => {
                        needs.dynamic += 1;
                        inputs.globals.list[global as usize].is_dynamic = true;
                    }
                    Target::Here if inputs.pie => needs.dynamic += 1,
                    _ => {}
                }
            }
        }
        _ if target == Target::Function => {
            call(inputs, needs, global);
            inputs.globals.list[global as usize].is_canonical = true;
        }
        _ if target == Target::Variable => copy(inputs, needs, global)?,
        _ => {}
    }
    Ok(())
}

/// The entry of the global offset table that a relocation means.
pub fn slot(inputs: &Inputs, object: u32, symbol: u32, action: Action) -> Slot {
    let global = inputs.objects[object as usize].symbols[symbol as usize].global;
    match (action, global) {
        (Action::ThreadTable, _) => Slot::Thread { object, symbol },
        (_, u32::MAX) => Slot::Local { object, symbol },
        (_, global) => Slot::Global(global),
    }
}

fn call(inputs: &mut Inputs, needs: &mut Needs, global: u32) {
    let entry = &mut inputs.globals.list[global as usize];
    entry.is_dynamic = true;
    if entry.call_slot.is_none() {
        entry.call_slot = Some(needs.calls.len() as u32);
        needs.calls.push(global);
    }
}

/// Largest alignment of a copy.
const COPY_ALIGN: u32 = 6;

fn copy(inputs: &mut Inputs, needs: &mut Needs, global: u32) -> Outcome<()> {
    let entry = &mut inputs.globals.list[global as usize];
    let super::symbols::Place::Library { library, symbol } = entry.place else { return Ok(()) };
    entry.is_dynamic = true;
    if entry.copy.is_some() {
        return Ok(());
    }
    let export = inputs.libraries[library as usize].export(symbol)?;
    if export.size == 0 || export.size > LARGEST || export.visibility != elf::STV_DEFAULT {
        return Err(Declined("a variable that cannot be copied"));
    }
    let known = needs.copies.iter().position(|c| c.library == library && c.value == export.value);
    let at = known.unwrap_or(needs.copies.len());
    if known.is_none() {
        let align = 1 << export.value.trailing_zeros().min(COPY_ALIGN);
        needs.copies.push(Copy { library, symbol, value: export.value, size: export.size, align });
        needs.dynamic += 1;
    }
    needs.copies[at].size = needs.copies[at].size.max(export.size);
    entry.copy = Some(at as u32);
    Ok(())
}

/// What a relocation asks for, and what its symbol is.
pub fn action(
    inputs: &Inputs,
    object: &Object,
    section: &Section,
    relocation: &Relocation,
) -> Outcome<(Action, Target)> {
    let symbol = object.symbols.get(relocation.symbol as usize).ok_or(Declined("a damaged file"))?;
    let target = target(object, symbol, inputs)?;
    let action = if section.is_loaded() {
        loaded(inputs.pie, section, relocation, target)?
    } else {
        match (relocation.kind, target) {
            (elf::R_X86_64_NONE, _) => Action::Nothing,
            (elf::R_X86_64_DTPOFF32, Target::ThreadLocal) => Action::BlockOffset32,
            (elf::R_X86_64_DTPOFF64, Target::ThreadLocal) => Action::BlockOffset64,
            (_, Target::ThreadLocal) => return Err(Declined("a kind of relocation")),
            (elf::R_X86_64_64, _) => Action::Absolute64,
            (elf::R_X86_64_32, _) => Action::Absolute32,
            _ => return Err(Declined("a kind of relocation")),
        }
    };
    Ok((action, target))
}

fn loaded(pie: bool, section: &Section, relocation: &Relocation, target: Target) -> Outcome<Action> {
    use Target::{Function, Here, Null, Number, ThreadLocal, Variable};
    let writable = section.flags & u64::from(elf::SHF_WRITE) != 0;
    Ok(match (relocation.kind, target) {
        (elf::R_X86_64_NONE, _) => Action::Nothing,
        (elf::R_X86_64_TPOFF32, ThreadLocal) => Action::ThreadOffset,
        (elf::R_X86_64_GOTTPOFF, ThreadLocal) => Action::ThreadTable,
        (_, ThreadLocal) => return Err(Declined("a model of thread-local storage")),
        (elf::R_X86_64_64, Number) => Action::Absolute64,
        (elf::R_X86_64_64, Here) if pie && writable => Action::Rebased,
        (elf::R_X86_64_64, Function | Variable | Null) if writable => Action::Symbolic,
        (elf::R_X86_64_64, Here | Function | Variable) if !pie => Action::Absolute64,
        (elf::R_X86_64_32, Number) => Action::Absolute32,
        (elf::R_X86_64_32S, Number) => Action::Absolute32Signed,
        (elf::R_X86_64_32, Here | Function | Variable | Null) if !pie => Action::Absolute32,
        (elf::R_X86_64_32S, Here | Function | Variable | Null) if !pie => Action::Absolute32Signed,
        (elf::R_X86_64_PC32 | elf::R_X86_64_PLT32, Null) if !pie => Action::Relative32,
        (elf::R_X86_64_PC32, Here | Function | Variable) => Action::Relative32,
        (elf::R_X86_64_PC64, Here | Function | Variable) => Action::Relative64,
        (elf::R_X86_64_PLT32, Here) => Action::Relative32,
        (elf::R_X86_64_PLT32, Function) => Action::Call,
        (elf::R_X86_64_GOTPCREL, _) => Action::Table,
        (elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX, Here) => relaxed(section, relocation),
        (elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX, _) => Action::Table,
        _ => return Err(Declined("a kind of relocation")),
    })
}

/// What becomes of an instruction that takes the address of something in this program from the table (x86-64 ABI, B.2).
fn relaxed(section: &Section, relocation: &Relocation) -> Action {
    let at = relocation.offset as usize;
    let opcode = at.checked_sub(2).and_then(|start| section.data.get(start..at));
    match opcode {
        Some([0x8b, _]) if relocation.addend == -4 => Action::Lea,
        Some([0xff, 0x15]) if relocation.addend == -4 && relocation.kind == elf::R_X86_64_GOTPCRELX => {
            Action::DirectCall
        }
        Some([0xff, 0x25]) if relocation.addend == -4 && relocation.kind == elf::R_X86_64_GOTPCRELX => {
            Action::DirectJump
        }
        _ => Action::Table,
    }
}
