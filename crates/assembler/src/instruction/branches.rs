//! Direct branches: to labels, near, and to a segment and an offset, far.
//!
//! Jumps become items of the layout, which chooses their form; calls, loops and far
//! branches have one form.

use object::Cond;

use super::{
    ALWAYS, Syntax, aliases,
    operand::{Operand, Parsed, Prefix},
};
use crate::mode::Mode;
use crate::state::{FieldKind, GotRelax, ItemKind, JumpMode, State};

/// Short-only branches: opcode, and the size in bytes of the counter that is named (0: the usual).
fn loop_opcode(mnemonic: &str) -> Option<(u8, u32)> {
    Some(match mnemonic {
        "jcxz" => (0xe3, 2),
        "jecxz" => (0xe3, 4),
        "jrcxz" => (0xe3, 8),
        _ => {
            let (stem, size) = match mnemonic.as_bytes().last()? {
                b'w' => (&mnemonic[..mnemonic.len() - 1], 2),
                b'l' => (&mnemonic[..mnemonic.len() - 1], 4),
                b'q' => (&mnemonic[..mnemonic.len() - 1], 8),
                _ => (mnemonic, 0),
            };
            match stem {
                "loopne" | "loopnz" => (0xe0, size),
                "loope" | "loopz" => (0xe1, size),
                "loop" => (0xe2, size),
                _ => return None,
            }
        }
    })
}

/// What a direct branch is.
enum DirectBranch {
    Jump(u8),
    Call,
    XBegin,
}

/// The branch of that name, and its operand size in bytes (0: the usual).
fn direct_branch(mnemonic: &str) -> Option<(DirectBranch, u32)> {
    let plain = |name: &str| {
        Some(match name {
            "call" => DirectBranch::Call,
            "jmp" => DirectBranch::Jump(ALWAYS),
            "xbegin" => DirectBranch::XBegin,
            _ => DirectBranch::Jump(Cond::from_suffix(name.strip_prefix('j')?)? as u8),
        })
    };
    if let Some(found) = plain(mnemonic) {
        return Some((found, 0));
    }
    let (stem, letter) = mnemonic.split_at_checked(mnemonic.len().checked_sub(1)?)?;
    let size = aliases::suffix_size(letter.as_bytes()[0]).filter(|&size| size > 1)?;
    let found = plain(stem)?;
    // Conditional jumps have no suffix for 16 and 32 bits.
    (size == 8 || !matches!(found, DirectBranch::Jump(condition) if condition != ALWAYS)).then_some((found, size))
}

/// Emits a direct branch, if it is one.
pub(super) fn branch(state: &mut State, mnemonic: &str, parsed: &Parsed, syntax: Syntax) -> Result<bool, String> {
    let [operand] = &parsed.operands[..] else { return Ok(false) };
    let target = match operand {
        Operand::Memory(memory) if memory.is_bare() && !parsed.indirect => match &memory.displacement {
            Some(target) => target.clone(),
            None => return Ok(false),
        },
        // Intel syntax cannot tell a number from an address.
        Operand::Immediate(target) if syntax != Syntax::Att => target.clone(),
        _ => return Ok(false),
    };
    let mode = state.mode;
    let prefixes: Vec<u8> = parsed.prefixes.iter().map(|p| p.byte()).collect();
    if let Some((opcode, size)) = loop_opcode(mnemonic) {
        let address = mode.address_size(false);
        if size != 0 && size != address {
            if size != mode.address_size(true) {
                return Err(format!("'{mnemonic}' is not possible in {}-bit code", mode.bits()));
            }
            state.emit(&[0x67]);
        }
        state.emit(&prefixes);
        state.emit(&[opcode]);
        state.emit_field(1, FieldKind::Branch, target);
        return Ok(true);
    }
    let Some((kind, size)) = direct_branch(mnemonic) else { return Ok(false) };
    let given = parsed.prefixes.contains(&Prefix::Data16);
    let (jump_mode, prefixed) = displacement_mode(mode, &kind, size, given)
        .ok_or_else(|| format!("invalid instruction suffix for '{mnemonic}'"))?;
    if prefixed && !given {
        state.emit(&[0x66]);
    }
    state.emit(&prefixes);
    let opcode: &[u8] = match kind {
        DirectBranch::Jump(condition) => {
            let force_long = parsed.encoding.disp32;
            state.emit_item(ItemKind::Branch { condition, target, force_long, mode: jump_mode });
            return Ok(true);
        }
        DirectBranch::Call => &[0xe8],
        DirectBranch::XBegin => &[0xc7, 0xf8],
    };
    state.emit(opcode);
    match jump_mode {
        JumpMode::Code64 => state.emit_field(4, FieldKind::Branch, target),
        JumpMode::Code32 => {
            state.emit_field(4, FieldKind::Relative { to_end: 4, relax: GotRelax::No }, target);
        }
        JumpMode::Code16 => {
            state.emit_field(2, FieldKind::Relative { to_end: 2, relax: GotRelax::No }, target);
        }
    }
    Ok(true)
}

/// The displacement of a direct branch with that suffix, and whether it needs an operand-size
/// prefix. `None` if there is no such branch in the code size.
fn displacement_mode(mode: Mode, kind: &DirectBranch, size: u32, given: bool) -> Option<(JumpMode, bool)> {
    if mode.is_64() {
        return match size {
            // The processors do not agree on what the prefix means here; `as` follows AMD's.
            2 => Some((JumpMode::Code16, true)),
            0 if given => Some((JumpMode::Code16, true)),
            0 | 8 => Some((JumpMode::Code64, given)),
            _ => None,
        };
    }
    let size = match size {
        8 => return None,
        0 if given => mode.prefixed_operand_size(),
        0 if mode == Mode::Code16Gcc && matches!(kind, DirectBranch::Call) => 4,
        0 => mode.operand_size(),
        _ => size,
    };
    let form = if size == 2 { JumpMode::Code16 } else { JumpMode::Code32 };
    Some((form, size != mode.operand_size()))
}

/// `ljmp $segment, $offset` and `lcall`, of 16- and 32-bit code, also without the `l`.
pub(super) fn far_branch(state: &mut State, mnemonic: &str, parsed: &Parsed, syntax: Syntax) -> Result<bool, String> {
    let [first, second] = &parsed.operands[..] else { return Ok(false) };
    // Segment and offset are written in this order in both syntaxes.
    let (offset, segment) = if syntax == Syntax::Att { (first, second) } else { (second, first) };
    let target = |operand: &Operand| match operand {
        Operand::Immediate(expr) => Some(expr.clone()),
        Operand::Memory(memory) if memory.is_bare() && syntax != Syntax::Att => memory.displacement.clone(),
        _ => None,
    };
    let (Some(offset), Some(segment)) = (target(offset), target(segment)) else { return Ok(false) };
    let mode = state.mode;
    let stem = ["ljmp", "lcall", "jmp", "call"].into_iter().find(|stem| mnemonic.starts_with(stem));
    let Some(stem) = stem else { return Ok(false) };
    let (opcode, suffix) = (if stem.ends_with("jmp") { 0xea } else { 0x9a }, &mnemonic[stem.len()..]);
    if mode.is_64() {
        return Err(format!("operand type mismatch for '{mnemonic}'"));
    }
    let given = parsed.prefixes.contains(&Prefix::Data16);
    let size = match suffix {
        "" if given => mode.prefixed_operand_size(),
        "" if mode == Mode::Code16Gcc && opcode == 0x9a => 4,
        "" => mode.operand_size(),
        "w" => 2,
        "l" => 4,
        _ => return Err(format!("invalid instruction suffix for '{mnemonic}'")),
    };
    if size != mode.operand_size() && !given {
        state.emit(&[0x66]);
    }
    let prefixes: Vec<u8> = parsed.prefixes.iter().map(|p| p.byte()).collect();
    state.emit(&prefixes);
    state.emit(&[opcode]);
    state.emit_field(size as u8, FieldKind::Plain, offset);
    state.emit_field(2, FieldKind::Plain, segment);
    Ok(true)
}
