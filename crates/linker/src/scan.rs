//! What the relocations need: entries in the global offset table and the procedure linkage table,
//! copies of libraries' variables, relocations that are left to the dynamic linker.

use crate::action::{Action, SlotKind};
use crate::inputs::Inputs;
use crate::object::{Object, Section};
use crate::options::Options;
use crate::read::{LARGEST, Relocation, relocations};
use crate::symbols::{Place, THREAD_FUNCTION};
use crate::target::{Target, defined_target, target};
use crate::{Declined, Outcome, thread};
use elf_object::elf;
use rustc_hash::FxHashMap;

/// A symbol: a global name (with `u32::MAX` for the object), or an object's local symbol.
pub type Name = (u32, u32);

/// An entry of the global offset table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    pub kind: SlotKind,
    /// An object that has the symbol, and its index there. Global names are the same for all.
    pub name: Name,
}

impl Slot {
    /// Entries of 8 bytes.
    pub fn words(self) -> u64 {
        match self.kind {
            SlotKind::Address | SlotKind::Thread => 1,
            _ => 2,
        }
    }
}

/// What an entry of the procedure linkage table jumps to.
#[derive(Clone, Copy, Debug)]
pub enum Call {
    /// A global name that the dynamic linker finds.
    Import(u32),
    /// What a function of this program chooses.
    Indirect(Name),
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
    /// The global offset table, each entry with its position in words.
    pub slots: Vec<(Slot, u64)>,
    pub slot_of: FxHashMap<Slot, u64>,
    pub words: u64,
    /// The procedure linkage table.
    pub calls: Vec<Call>,
    pub indirect: FxHashMap<Name, u32>,
    pub copies: Vec<Copy>,
    /// Relocations left to the dynamic linker, without those of `calls`.
    pub dynamic: u64,
    /// Whether a library has code that needs its thread-local storage at the start.
    pub static_thread: bool,
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
            let mut rest = relocations(this.relocations).peekable();
            while let Some(relocation) = rest.next() {
                if one(inputs, &mut needs, at, section, &relocation, rest.peek())?.takes_next() {
                    rest.next();
                }
            }
        }
    }
    if !inputs.options.shared {
        // Libraries see the entry that the program itself uses.
        for index in 0..inputs.globals.list.len() as u32 {
            let global = &inputs.globals.list[index as usize];
            if let (true, Place::Object { object, symbol, .. }) = (global.is_exported, global.place) {
                let object = &inputs.objects[object as usize];
                if defined_target(object, &object.symbols[symbol as usize]) == Target::Indirect {
                    indirect(&mut needs, (u32::MAX, index));
                }
            }
        }
    }
    Ok(needs)
}

fn one(
    inputs: &mut Inputs,
    needs: &mut Needs,
    at: usize,
    section: usize,
    relocation: &Relocation,
    next: Option<&Relocation>,
) -> Outcome<Action> {
    let object = &inputs.objects[at];
    let (action, target) = action(inputs, object, &object.sections[section], relocation, next)?;
    let name = name_of(inputs, at as u32, relocation.symbol);
    let global = name.1;
    if !object.sections[section].is_loaded() {
        return Ok(action);
    }
    if target == Target::Indirect {
        indirect(needs, name);
    }
    match action {
        Action::Rebased => needs.dynamic += 1,
        Action::Symbolic => {
            needs.dynamic += 1;
            inputs.globals.list[global as usize].is_dynamic = true;
        }
        Action::Call => call(inputs, needs, global),
        Action::Table(kind) => slot(inputs, needs, kind, name, target),
        Action::Thread(change) if change.needs_slot() => slot(inputs, needs, SlotKind::Thread, name, target),
        Action::Lea | Action::DirectCall | Action::DirectJump | Action::Nothing => {}
        _ if target == Target::Function => {
            call(inputs, needs, global);
            inputs.globals.list[global as usize].is_canonical = true;
        }
        _ if target == Target::Variable => copy(inputs, needs, global)?,
        _ => {}
    }
    Ok(action)
}

/// The name that a symbol of an object is.
pub fn name_of(inputs: &Inputs, object: u32, symbol: u32) -> Name {
    match inputs.objects[object as usize].symbols[symbol as usize].global {
        u32::MAX => (object, symbol),
        global => (u32::MAX, global),
    }
}

/// The entry of the global offset table for a symbol.
pub fn slot_for(kind: SlotKind, name: Name) -> Slot {
    Slot { kind, name: if kind == SlotKind::Module { (u32::MAX, u32::MAX) } else { name } }
}

fn slot(inputs: &mut Inputs, needs: &mut Needs, kind: SlotKind, name: Name, target: Target) {
    let slot = slot_for(kind, name);
    if needs.slot_of.contains_key(&slot) {
        return;
    }
    needs.slot_of.insert(slot, needs.words);
    needs.slots.push((slot, needs.words));
    needs.words += slot.words();
    needs.static_thread |= kind == SlotKind::Thread && inputs.options.shared;
    let left = left_to_loader(&inputs.options, kind, target);
    needs.dynamic += left.iter().flatten().count() as u64;
    let by_name = left.iter().flatten().any(|&(_, by_name)| by_name);
    if by_name {
        inputs.globals.list[name.1 as usize].is_dynamic = true;
    }
}

/// The relocations of an entry's words: the kind, and whether it names the symbol.
pub fn left_to_loader(options: &Options, kind: SlotKind, target: Target) -> [Option<(u32, bool)>; 2] {
    let is_foreign = target == Target::ForeignThread;
    match kind {
        SlotKind::Address => match target {
            Target::Function | Target::Variable | Target::Preemptible => [Some((elf::R_X86_64_GLOB_DAT, true)), None],
            // A library may come to define it.
            Target::Null if !options.fixed && !options.shared => [Some((elf::R_X86_64_GLOB_DAT, true)), None],
            Target::Here | Target::Indirect if options.is_pic() => [Some((elf::R_X86_64_RELATIVE, false)), None],
            _ => [None; 2],
        },
        SlotKind::Thread if is_foreign => [Some((elf::R_X86_64_TPOFF64, true)), None],
        SlotKind::Thread if options.shared && target == Target::ThreadLocal => {
            [Some((elf::R_X86_64_TPOFF64, false)), None]
        }
        SlotKind::Thread => [None; 2],
        SlotKind::General if is_foreign => [Some((elf::R_X86_64_DTPMOD64, true)), Some((elf::R_X86_64_DTPOFF64, true))],
        SlotKind::General | SlotKind::Module => [Some((elf::R_X86_64_DTPMOD64, false)), None],
        SlotKind::Descriptor => [Some((elf::R_X86_64_TLSDESC, is_foreign)), None],
    }
}

fn call(inputs: &mut Inputs, needs: &mut Needs, global: u32) {
    let entry = &mut inputs.globals.list[global as usize];
    entry.is_dynamic = true;
    if entry.call_slot.is_none() {
        entry.call_slot = Some(needs.calls.len() as u32);
        needs.calls.push(Call::Import(global));
    }
}

fn indirect(needs: &mut Needs, name: Name) {
    let next = needs.calls.len() as u32;
    if *needs.indirect.entry(name).or_insert(next) == next {
        needs.calls.push(Call::Indirect(name));
    }
}

/// Largest alignment of a copy.
const COPY_ALIGN: u32 = 6;

fn copy(inputs: &mut Inputs, needs: &mut Needs, global: u32) -> Outcome<()> {
    let entry = &mut inputs.globals.list[global as usize];
    let Place::Library { library, symbol } = entry.place else { return Ok(()) };
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

/// What a relocation asks for, and what its symbol is; `next` is the relocation after it.
pub fn action(
    inputs: &Inputs,
    object: &Object,
    section: &Section,
    relocation: &Relocation,
    next: Option<&Relocation>,
) -> Outcome<(Action, Target)> {
    let symbol = object.symbols.get(relocation.symbol as usize).ok_or(Declined("a damaged file"))?;
    if !section.is_loaded() {
        let target = match defined_target(object, symbol) {
            // Debug information means its own object's definition.
            own if symbol.section != elf::SHN_UNDEF && own != Target::Dropped => own,
            _ => target(object, symbol, inputs)?,
        };
        return Ok((unloaded(section, relocation, target)?, target));
    }
    let target = target(object, symbol, inputs)?;
    let action = match target {
        // Only calls that were rewritten may do without it.
        Target::Null if symbol.name == THREAD_FUNCTION => return Err(Declined("a symbol nobody defines")),
        // A weak reference to nothing: whatever is there is not used.
        Target::Null if relocation.kind == elf::R_X86_64_GOTTPOFF => Action::Table(SlotKind::Thread),
        Target::Dropped if relocation.kind != elf::R_X86_64_NONE => {
            return Err(Declined("a dropped section's symbol"));
        }
        Target::ThreadLocal | Target::ForeignThread => {
            thread::action(&inputs.options, object, section, relocation, next, target)?
        }
        _ if thread::is_about_module(relocation.kind) => {
            thread::action(&inputs.options, object, section, relocation, next, target)?
        }
        _ => loaded(&inputs.options, section, relocation, target)?,
    };
    Ok((action, target))
}

fn unloaded(section: &Section, relocation: &Relocation, target: Target) -> Outcome<Action> {
    let is_wide = matches!(relocation.kind, elf::R_X86_64_64 | elf::R_X86_64_DTPOFF64);
    // Zero ends these lists.
    let gone = u8::from(matches!(section.name, b".debug_ranges" | b".debug_loc"));
    Ok(match (relocation.kind, target) {
        (elf::R_X86_64_NONE, _) => Action::Nothing,
        (_, Target::Dropped) if is_wide => Action::Gone64(gone),
        (elf::R_X86_64_32 | elf::R_X86_64_DTPOFF32, Target::Dropped) => Action::Gone32(gone),
        (elf::R_X86_64_DTPOFF32, Target::ThreadLocal) => Action::BlockOffset32,
        (elf::R_X86_64_DTPOFF64, Target::ThreadLocal) => Action::BlockOffset64,
        // A declaration of what is elsewhere.
        (_, Target::ForeignThread) if is_wide => Action::Gone64(0),
        (_, Target::ThreadLocal | Target::ForeignThread) => return Err(Declined("a kind of relocation")),
        (elf::R_X86_64_64, _) => Action::Absolute64,
        (elf::R_X86_64_32, _) => Action::Absolute32,
        (elf::R_X86_64_PC32, Target::Here) => Action::Relative32,
        _ => return Err(Declined("a kind of relocation")),
    })
}

fn loaded(options: &Options, section: &Section, relocation: &Relocation, target: Target) -> Outcome<Action> {
    use Target::{Function, Here, Indirect, Null, Number, Preemptible, Variable};
    let writable = section.flags & u64::from(elf::SHF_WRITE) != 0;
    let fixed_address = !options.is_pic();
    let is_foreign = matches!(target, Function | Variable | Preemptible);
    // Where nobody can come to define a weak name, it is zero.
    let is_zero = target == Null && (options.fixed || options.shared || fixed_address);
    Ok(match (relocation.kind, target) {
        (elf::R_X86_64_NONE, _) => Action::Nothing,
        (elf::R_X86_64_64, Number) => Action::Absolute64,
        (elf::R_X86_64_64, Null) if options.fixed || options.shared => Action::Absolute64,
        (elf::R_X86_64_64, Here | Indirect) if fixed_address => Action::Absolute64,
        (elf::R_X86_64_64, Here | Indirect) if writable => Action::Rebased,
        (elf::R_X86_64_64, _) if writable && (is_foreign || target == Null) => Action::Symbolic,
        (elf::R_X86_64_64, Function | Variable | Null) if fixed_address => Action::Absolute64,
        (elf::R_X86_64_32, Number) => Action::Absolute32,
        (elf::R_X86_64_32S, Number) => Action::Absolute32Signed,
        (elf::R_X86_64_32, Here | Indirect | Function | Variable | Null) if fixed_address => Action::Absolute32,
        (elf::R_X86_64_32S, Here | Indirect | Function | Variable | Null) if fixed_address => Action::Absolute32Signed,
        (elf::R_X86_64_PC32 | elf::R_X86_64_PLT32, Null) if is_zero => Action::Relative32,
        (elf::R_X86_64_PC32 | elf::R_X86_64_PLT32, Number) if fixed_address => Action::Relative32,
        (elf::R_X86_64_PC32 | elf::R_X86_64_PLT32, Here | Indirect) => Action::Relative32,
        (elf::R_X86_64_PC32, Function | Variable) => Action::Relative32,
        (elf::R_X86_64_PC64, Here | Indirect | Function | Variable) => Action::Relative64,
        (elf::R_X86_64_PLT32, Function | Preemptible | Null) => Action::Call,
        (elf::R_X86_64_GOTPCREL, _) => Action::Table(SlotKind::Address),
        (elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX, Here) => relaxed(section, relocation),
        (elf::R_X86_64_GOTPCRELX | elf::R_X86_64_REX_GOTPCRELX, _) => Action::Table(SlotKind::Address),
        (elf::R_X86_64_GOTPC32, _) => Action::TableStart,
        (elf::R_X86_64_GOTOFF64, Here | Indirect) => Action::TableOffset,
        _ => return Err(Declined("a kind of relocation")),
    })
}

/// What becomes of an instruction that takes the address of something in this program from the
/// table (x86-64 ABI, B.2).
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
        _ => Action::Table(SlotKind::Address),
    }
}
