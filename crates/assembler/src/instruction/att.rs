//! Operands in AT&T syntax: `$imm`, `%reg`, `seg:disp(base,index,scale)`, `*target`, AVX-512
//! decorations.

use iced_x86::{Register, RoundingControl};

use super::operand::{Memory, Operand, Parsed, register};
use crate::{expression, state::State, text::Cursor};

/// Parses the operands after the mnemonic; they are reversed into Intel order.
pub(crate) fn parse_operands(state: &mut State, cursor: &mut Cursor<'_>, parsed: &mut Parsed) -> Result<(), String> {
    if cursor.at_end() {
        return Ok(());
    }
    loop {
        parse_operand(state, cursor, parsed)?;
        parse_decorations(cursor, parsed)?;
        if !cursor.eat(b',') {
            break;
        }
    }
    if !cursor.at_end() {
        return Err(format!("junk '{}' after operands", cursor.rest()));
    }
    parsed.operands.reverse();
    Ok(())
}

fn parse_operand(state: &mut State, cursor: &mut Cursor<'_>, parsed: &mut Parsed) -> Result<(), String> {
    match cursor.peek_token() {
        b'$' => {
            cursor.at += 1;
            let value = expression::parse(state, cursor)?;
            parsed.operands.push(Operand::Immediate(value));
        }
        b'*' => {
            cursor.at += 1;
            parsed.indirect = true;
            parse_operand(state, cursor, parsed)?;
        }
        b'{' => {
            // A decoration in an operand's place: `{rn-sae}, %zmm1, ...`.
            return parse_decorations(cursor, parsed);
        }
        _ if is_register_ahead(state, cursor) => {
            let reg = parse_register(state, cursor)?;
            if reg.is_segment_register() && cursor.eat(b':') {
                let mut memory = parse_memory(state, cursor)?;
                memory.segment = reg;
                parsed.operands.push(Operand::Memory(memory));
            } else {
                parsed.operands.push(Operand::Register(reg));
            }
        }
        _ => {
            let memory = parse_memory(state, cursor)?;
            parsed.operands.push(Operand::Memory(memory));
        }
    }
    Ok(())
}

/// `%`, or the name of a register where names alone are registers.
fn is_register_ahead(state: &State, cursor: &mut Cursor<'_>) -> bool {
    let first = cursor.peek_token();
    let named = |mut ahead: Cursor<'_>| ahead.name().is_some_and(|name| register(name).is_some());
    first == b'%'
        || state.naked_att && first.is_ascii_alphabetic() && named(cursor.clone())
        || named_register(state, cursor).is_some()
}

/// A name that was set to a register, and the name's length.
pub(super) fn named_register(state: &State, cursor: &Cursor<'_>) -> Option<(Register, usize)> {
    if state.register_names.is_empty() {
        return None;
    }
    let mut ahead = cursor.clone();
    let name = ahead.name()?;
    state.register_names.get(name).map(|&register| (register, ahead.at - cursor.at))
}

/// `%name`, with `%st(3)`; [`is_register_ahead`] has seen it, or the caller the `%`.
pub(super) fn parse_register(state: &State, cursor: &mut Cursor<'_>) -> Result<Register, String> {
    if let Some((register, len)) = named_register(state, cursor) {
        cursor.at += len;
        return Ok(register);
    }
    cursor.eat(b'%');
    cursor.skip_space();
    let start = cursor.at;
    while cursor.peek().is_ascii_alphanumeric() {
        cursor.at += 1;
    }
    let name = &cursor.text[start..cursor.at];
    if name.eq_ignore_ascii_case("st") && cursor.peek_token() == b'(' {
        let mut ahead = cursor.clone();
        ahead.at += 1;
        let digit = ahead.peek_token();
        if (b'0'..=b'7').contains(&digit) {
            ahead.at += 1;
            if ahead.eat(b')') {
                cursor.at = ahead.at;
                return Ok(super::aliases::stack_register(digit - b'0'));
            }
        }
    }
    register(name).ok_or_else(|| format!("bad register name '%{name}'"))
}

fn parse_memory(state: &mut State, cursor: &mut Cursor<'_>) -> Result<Memory, String> {
    let mut memory = Memory::default();
    if !is_address_start(state, cursor) {
        memory.displacement = Some(expression::parse(state, cursor)?);
    }
    if cursor.peek_token() == b'(' {
        cursor.at += 1;
        parse_address(state, cursor, &mut memory)?;
        // `(%rax)+8` does not exist, but `foo(%rip)@GOT` neither: nothing may follow.
    }
    Ok(memory)
}

/// Whether `(` begins base and index, not a parenthesised displacement.
fn is_address_start(state: &State, cursor: &mut Cursor<'_>) -> bool {
    if cursor.peek_token() != b'(' {
        return false;
    }
    let mut ahead = cursor.clone();
    ahead.at += 1;
    ahead.peek_token() == b',' || is_register_ahead(state, &mut ahead)
}

fn parse_address(state: &mut State, cursor: &mut Cursor<'_>, memory: &mut Memory) -> Result<(), String> {
    if is_register_ahead(state, cursor) {
        memory.base = parse_register(state, cursor)?;
    }
    if cursor.eat(b',') {
        if is_register_ahead(state, cursor) {
            memory.index = parse_register(state, cursor)?;
            if cursor.eat(b',') && cursor.peek_token() != b')' {
                memory.scale = parse_scale(state, cursor)?;
            }
        } else if cursor.peek_token() == b',' {
            cursor.at += 1;
            parse_scale(state, cursor)?;
        } else if cursor.peek_token() != b')' {
            // `(%rax,1)`: a scale without an index.
            parse_scale(state, cursor)?;
        }
    }
    if !cursor.eat(b')') {
        return Err(format!("expected ')' before '{}'", cursor.rest()));
    }
    Ok(())
}

fn parse_scale(state: &mut State, cursor: &mut Cursor<'_>) -> Result<u32, String> {
    let expr = expression::parse(state, cursor)?;
    match state.absolute(&expr)? {
        scale @ (1 | 2 | 4 | 8) => Ok(scale as u32),
        other => Err(format!("scale factor {other} must be 1, 2, 4 or 8")),
    }
}

/// `{%k1}`, `{z}`, `{1to8}`, `{sae}`, `{rn-sae}` after an operand.
pub(crate) fn parse_decorations(cursor: &mut Cursor<'_>, parsed: &mut Parsed) -> Result<(), String> {
    while cursor.peek_token() == b'{' {
        cursor.at += 1;
        let text = cursor.until(b"}").trim();
        let known = match text.trim_start_matches('%') {
            "z" => {
                parsed.zeroing = true;
                true
            }
            "sae" => {
                parsed.sae = true;
                true
            }
            "rn-sae" => set_rounding(parsed, RoundingControl::RoundToNearest),
            "rd-sae" => set_rounding(parsed, RoundingControl::RoundDown),
            "ru-sae" => set_rounding(parsed, RoundingControl::RoundUp),
            "rz-sae" => set_rounding(parsed, RoundingControl::RoundTowardZero),
            name if name.starts_with("1to") => match name[3..].parse() {
                Ok(count @ (2 | 4 | 8 | 16 | 32)) => {
                    parsed.broadcast = count;
                    true
                }
                _ => false,
            },
            name => match register(name) {
                Some(mask) if mask.is_k() => {
                    parsed.mask = Some(mask);
                    true
                }
                _ => false,
            },
        };
        if !known {
            return Err(format!("unknown operand decoration '{{{text}}}'"));
        }
        if !cursor.eat(b'}') {
            return Err("expected '}'".into());
        }
    }
    Ok(())
}

fn set_rounding(parsed: &mut Parsed, mode: RoundingControl) -> bool {
    parsed.rounding = Some(mode);
    true
}
