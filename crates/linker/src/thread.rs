//! Thread-local storage: the models of access (x86-64 ABI; Drepper, "ELF Handling For Thread-Local
//! Storage"), and the code of a general model rewritten into a simpler one where the output is a
//! program.

use crate::action::{Action, Change, SlotKind};
use crate::object::{Object, Section};
use crate::options::Options;
use crate::read::Relocation;
use crate::symbols::THREAD_FUNCTION;
use crate::target::Target;
use crate::{Declined, Outcome};
use elf_object::elf;

const MODEL: Declined = Declined("a model of thread-local storage");

/// Relocations that are about a module's block as a whole; any symbol will do.
pub fn is_about_module(kind: u32) -> bool {
    kind == elf::R_X86_64_TLSLD
}

/// What is done about a relocation of thread-local storage.
pub fn action(
    options: &Options,
    object: &Object,
    section: &Section,
    relocation: &Relocation,
    next: Option<&Relocation>,
    target: Target,
) -> Outcome<Action> {
    let is_here = target == Target::ThreadLocal;
    let shared = options.shared;
    Ok(match relocation.kind {
        elf::R_X86_64_NONE => Action::Nothing,
        elf::R_X86_64_TPOFF32 if is_here && !shared => Action::ThreadOffset,
        elf::R_X86_64_TPOFF64 if is_here && !shared => Action::ThreadOffset64,
        elf::R_X86_64_GOTTPOFF if is_here && !shared && is_initial(section, relocation) => {
            Action::Thread(Change::InitialToExec)
        }
        elf::R_X86_64_GOTTPOFF => Action::Table(SlotKind::Thread),
        elf::R_X86_64_TLSGD if shared => Action::Table(SlotKind::General),
        elf::R_X86_64_TLSGD => {
            call_after(
                object,
                section,
                relocation,
                next,
                &[0x66, 0x48, 0x8d, 0x3d],
                &[&[0x66, 0x66, 0x48, 0xe8], &[0x66, 0x48, 0xff, 0x15]],
            )?;
            Action::Thread(if is_here { Change::GeneralToExec } else { Change::GeneralToInitial })
        }
        elf::R_X86_64_TLSLD if shared => Action::Table(SlotKind::Module),
        elf::R_X86_64_TLSLD => {
            let form = call_after(object, section, relocation, next, &[0x48, 0x8d, 0x3d], &[&[0xe8], &[0xff, 0x15]])?;
            Action::Thread(Change::LocalToExec { is_long: form == 1 })
        }
        elf::R_X86_64_DTPOFF32 if is_here => {
            if shared {
                Action::BlockOffset32
            } else {
                Action::ThreadOffset
            }
        }
        elf::R_X86_64_DTPOFF64 if is_here => {
            if shared {
                Action::BlockOffset64
            } else {
                Action::ThreadOffset64
            }
        }
        elf::R_X86_64_GOTPC32_TLSDESC if shared => Action::Table(SlotKind::Descriptor),
        elf::R_X86_64_GOTPC32_TLSDESC if is_descriptor(section, relocation) => {
            Action::Thread(if is_here { Change::DescriptorToExec } else { Change::DescriptorToInitial })
        }
        elf::R_X86_64_TLSDESC_CALL if shared => Action::Nothing,
        elf::R_X86_64_TLSDESC_CALL if before(section, relocation.offset + 2, 2) == Some(&[0xff, 0x10]) => {
            Action::Thread(Change::DescriptorCall)
        }
        _ => return Err(MODEL),
    })
}

/// `length` bytes of code that end at `end`.
fn before(section: &Section, end: u64, length: usize) -> Option<&'static [u8]> {
    let end = usize::try_from(end).ok()?;
    section.data.get(end.checked_sub(length)?..end)
}

/// `mov` or `add` of 64 bits from an address relative to the instruction.
fn is_initial(section: &Section, relocation: &Relocation) -> bool {
    let code = before(section, relocation.offset, 3);
    relocation.addend == -4 && matches!(code, Some([0x48 | 0x4c, 0x8b | 0x03, operand]) if operand & 0xc7 == 5)
}

/// `lea` of 64 bits of an address relative to the instruction.
fn is_descriptor(section: &Section, relocation: &Relocation) -> bool {
    let code = before(section, relocation.offset, 3);
    relocation.addend == -4 && matches!(code, Some([0x48 | 0x4c, 0x8d, operand]) if operand & 0xc7 == 5)
}

/// Checks the code around an argument of `__tls_get_addr`: which of the forms the call has.
fn call_after(
    object: &Object,
    section: &Section,
    relocation: &Relocation,
    next: Option<&Relocation>,
    start: &[u8],
    calls: &[&[u8]],
) -> Outcome<usize> {
    let next = next.ok_or(MODEL)?;
    let callee = object.symbols.get(next.symbol as usize).ok_or(MODEL)?;
    let is_call = matches!(
        next.kind,
        elf::R_X86_64_PLT32
            | elf::R_X86_64_PC32
            | elf::R_X86_64_GOTPCREL
            | elf::R_X86_64_GOTPCRELX
            | elf::R_X86_64_REX_GOTPCRELX
    );
    let is_argument = before(section, relocation.offset, start.len()) == Some(start);
    if !is_call || !is_argument || callee.name != THREAD_FUNCTION || relocation.addend != -4 {
        return Err(MODEL);
    }
    let form = calls.iter().position(|code| {
        next.offset == relocation.offset.saturating_add(4 + code.len() as u64)
            && before(section, next.offset, code.len()) == Some(*code)
    });
    form.ok_or(MODEL)
}

/// The code a change puts in place: bytes before the relocation's field, the code, and where in it
/// the value goes.
pub fn code(change: Change, old: &[u8]) -> (u64, Vec<u8>, Option<usize>) {
    // `mov %fs:0, %rax`
    const POINTER: [u8; 9] = [0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0];
    // The register moves from the first operand field to the second one, its high bit with it.
    let (prefix, register) = (if old[0] == 0x4c { 0x49 } else { 0x48 }, old[2] >> 3 & 7);
    match change {
        Change::GeneralToExec => (4, [&POINTER[..], &[0x48, 0x8d, 0x80, 0, 0, 0, 0]].concat(), Some(12)),
        Change::GeneralToInitial => (4, [&POINTER[..], &[0x48, 0x03, 0x05, 0, 0, 0, 0]].concat(), Some(12)),
        Change::LocalToExec { is_long } => {
            let padding: &[u8] = if is_long { &[0x66; 4] } else { &[0x66; 3] };
            (3, [padding, &POINTER].concat(), None)
        }
        Change::InitialToExec if old[1] == 0x8b => (3, vec![prefix, 0xc7, 0xc0 | register, 0, 0, 0, 0], Some(3)),
        Change::InitialToExec => (3, vec![prefix, 0x81, 0xc0 | register, 0, 0, 0, 0], Some(3)),
        Change::DescriptorToExec => (3, vec![prefix, 0xc7, 0xc0 | register, 0, 0, 0, 0], Some(3)),
        Change::DescriptorToInitial => (3, vec![old[0], 0x8b, old[2], 0, 0, 0, 0], Some(3)),
        Change::DescriptorCall => (0, vec![0x66, 0x90], None),
    }
}
