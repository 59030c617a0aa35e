//! Operands in Intel syntax: `eax`, `dword ptr [rbx + rcx*4 + 8]`, `offset symbol`, `symbol[rip]`,
//! `fs:[0x28]`.

use iced_x86::Register;

use super::{
    aliases::stack_register,
    att::{named_register, parse_decorations},
    operand::{ANY_BROADCAST, Memory, Operand, Parsed, register},
};
use crate::{
    expression::{self, Expr, Op},
    state::State,
    text::{Cursor, is_name_part, is_name_start},
};

/// Parses the operands after the mnemonic, already in Intel order.
pub(crate) fn parse_operands(
    state: &mut State,
    cursor: &mut Cursor<'_>,
    parsed: &mut Parsed,
    naked: bool,
) -> Result<(), String> {
    if cursor.at_end() {
        return Ok(());
    }
    loop {
        if cursor.peek_token() == b'{' {
            parse_decorations(cursor, parsed)?;
        } else {
            let operand = parse_operand(state, cursor, parsed, naked)?;
            parsed.operands.push(operand);
            parse_decorations(cursor, parsed)?;
        }
        if !cursor.eat(b',') {
            break;
        }
    }
    if !cursor.at_end() {
        return Err(format!("junk '{}' after operands", cursor.rest()));
    }
    Ok(())
}

/// Bytes meant by a size keyword.
fn keyword_size(word: &str) -> Option<u32> {
    Some(match word {
        "byte" => 1,
        "word" => 2,
        "dword" => 4,
        "fword" => 6,
        "qword" | "mmword" => 8,
        "tbyte" => 10,
        "oword" | "xmmword" => 16,
        "ymmword" => 32,
        "zmmword" => 64,
        _ => return None,
    })
}

fn parse_operand(
    state: &mut State,
    cursor: &mut Cursor<'_>,
    parsed: &mut Parsed,
    naked: bool,
) -> Result<Operand, String> {
    let mut memory = Memory::default();
    let mut is_memory = false;
    let mut offset = false;
    loop {
        let word = peek_word(cursor).to_ascii_lowercase();
        if let Some(size) = keyword_size(&word) {
            cursor.at += word.len();
            memory.size = size;
            is_memory = true;
            let next = peek_word(cursor).to_ascii_lowercase();
            if next == "ptr" || next == "bcst" {
                cursor.at += 3 + usize::from(next == "bcst");
                if next == "bcst" {
                    parsed.broadcast = ANY_BROADCAST;
                }
            }
        } else if word == "far" {
            cursor.at += word.len();
            (memory.size, is_memory) = (6, true);
            if peek_word(cursor).eq_ignore_ascii_case("ptr") {
                cursor.at += 3;
            }
        } else if matches!(&*word, "offset" | "flat") {
            cursor.at += word.len();
            cursor.eat(b':');
            offset = true;
        } else if matches!(&*word, "short" | "near") {
            cursor.at += word.len();
            if peek_word(cursor).eq_ignore_ascii_case("ptr") {
                cursor.at += 3;
            }
        } else {
            break;
        }
    }
    if let Some(reg) = parse_register(state, cursor, naked) {
        if reg.is_segment_register() && cursor.eat(b':') {
            memory.segment = reg;
            is_memory = true;
        } else {
            return Ok(Operand::Register(reg));
        }
    }
    let mut value: Option<Expr> = None;
    loop {
        match cursor.peek_token() {
            b'[' => {
                cursor.at += 1;
                is_memory = true;
                parse_brackets(state, cursor, &mut memory, &mut value, naked)?;
            }
            0 | b',' | b'{' => break,
            // `segment:offset` of a far branch: two operands.
            b':' if !is_memory && value.is_some() => {
                cursor.at += 1;
                parsed.operands.extend(value.take().map(Operand::Immediate));
            }
            b'+' if value.is_some() || is_memory => cursor.at += 1,
            _ => {
                let expr = expression::parse(state, cursor)?;
                value = Some(sum(value, expr));
            }
        }
    }
    let Some(value) = value else {
        return if is_memory { Ok(Operand::Memory(memory)) } else { Err("missing operand".into()) };
    };
    // A bare symbol names its memory; a bare number is an immediate.
    if offset || (!is_memory && !has_symbol(&value)) {
        return Ok(Operand::Immediate(value));
    }
    memory.displacement = Some(value);
    Ok(Operand::Memory(memory))
}

fn peek_word<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    cursor.skip_space();
    if !is_name_start(cursor.peek()) {
        return "";
    }
    let rest = cursor.rest();
    let len = rest.bytes().take_while(|&b| is_name_part(b)).count();
    &rest[..len]
}

/// A register, with `%` or (if `naked`) without.
pub(super) fn parse_register(state: &State, cursor: &mut Cursor<'_>, naked: bool) -> Option<Register> {
    if let Some((register, len)) = named_register(state, cursor) {
        cursor.at += len;
        return Some(register);
    }
    let start = cursor.at;
    let prefixed = cursor.eat(b'%');
    let word = peek_word(cursor);
    let found = if prefixed || naked { register(word) } else { None };
    let Some(found) = found else {
        cursor.at = start;
        return None;
    };
    cursor.at += word.len();
    if word.eq_ignore_ascii_case("st") && cursor.eat(b'(') {
        let digit = cursor.peek_token();
        cursor.at += 1;
        cursor.eat(b')');
        return Some(stack_register(digit.wrapping_sub(b'0')));
    }
    Some(found)
}

/// The sum between `[` and `]`.
fn parse_brackets(
    state: &mut State,
    cursor: &mut Cursor<'_>,
    memory: &mut Memory,
    value: &mut Option<Expr>,
    naked: bool,
) -> Result<(), String> {
    let mut negative = false;
    loop {
        match cursor.peek_token() {
            b']' => {
                cursor.at += 1;
                return Ok(());
            }
            b'+' => cursor.at += 1,
            b'-' => {
                cursor.at += 1;
                negative = !negative;
            }
            0 => return Err("expected ']'".into()),
            _ => {
                parse_term(state, cursor, memory, value, naked, negative)?;
                negative = false;
            }
        }
    }
}

fn parse_term(
    state: &mut State,
    cursor: &mut Cursor<'_>,
    memory: &mut Memory,
    value: &mut Option<Expr>,
    naked: bool,
    negative: bool,
) -> Result<(), String> {
    if let Some(reg) = parse_register(state, cursor, naked) {
        if reg.is_segment_register() && cursor.eat(b':') {
            memory.segment = reg;
            return Ok(());
        }
        let mut scale = None;
        if cursor.eat(b'*') {
            scale = Some(term_number(state, cursor)?);
        }
        return add_register(memory, reg, scale, negative);
    }
    // `4*rcx`
    let text = cursor.rest();
    let end = text.bytes().position(|b| matches!(b, b'+' | b'-' | b']' | b'[')).unwrap_or(text.len());
    if let Some((number, name)) = text[..end].split_once('*') {
        let mut after = Cursor::new(name);
        if let Some(reg) = parse_register(state, &mut after, naked) {
            let scale = term_number(state, &mut Cursor::new(number))?;
            cursor.at += number.len() + 1 + after.at;
            return add_register(memory, reg, Some(scale), negative);
        }
    }
    // One term of the expression grammar: a product, a symbol, a parenthesis.
    let mut term = Cursor::new(&text[..term_length(text)]);
    let expr = expression::parse(state, &mut term)?;
    cursor.at += term.at;
    let expr = if negative { negate(expr) } else { expr };
    *value = Some(sum(value.take(), expr));
    Ok(())
}

/// Length of the text up to the next sum operator or bracket outside parentheses.
fn term_length(text: &str) -> usize {
    let mut depth = 0;
    for (i, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'+' | b'-' | b']' | b'[' if depth == 0 && i > 0 => return i,
            _ => {}
        }
    }
    text.len()
}

fn term_number(state: &mut State, cursor: &mut Cursor<'_>) -> Result<u32, String> {
    let mut term = Cursor::new(&cursor.text[cursor.at..cursor.at + term_length(cursor.rest())]);
    let expr = expression::parse(state, &mut term)?;
    cursor.at += term.at;
    match state.absolute(&expr)? {
        scale @ (1 | 2 | 4 | 8) => Ok(scale as u32),
        other => Err(format!("scale factor {other} must be 1, 2, 4 or 8")),
    }
}

fn add_register(memory: &mut Memory, reg: Register, scale: Option<u32>, negative: bool) -> Result<(), String> {
    if negative {
        return Err("a register cannot be subtracted in an address".into());
    }
    let vector = reg.is_vector_register();
    match scale {
        None if memory.base == Register::None && !vector => memory.base = reg,
        None if memory.index == Register::None => {
            // The stack pointer cannot be an index: it becomes the base.
            if matches!(reg, Register::RSP | Register::ESP) {
                memory.index = std::mem::replace(&mut memory.base, reg);
            } else {
                memory.index = reg;
            }
        }
        Some(scale) if memory.index == Register::None => {
            memory.index = reg;
            memory.scale = scale;
        }
        Some(1) if memory.base == Register::None && !vector => memory.base = reg,
        _ => return Err("too many registers in an address".into()),
    }
    Ok(())
}

fn sum(left: Option<Expr>, right: Expr) -> Expr {
    match (left, right) {
        (None, right) => right,
        (Some(Expr::Number(a)), Expr::Number(b)) => Expr::Number(a.wrapping_add(b)),
        (Some(left), right) => Expr::Binary(Op::Add, Box::new(left), Box::new(right)),
    }
}

fn negate(expr: Expr) -> Expr {
    match expr {
        Expr::Number(n) => Expr::Number(n.wrapping_neg()),
        other => Expr::Negate(Box::new(other)),
    }
}

fn has_symbol(expr: &Expr) -> bool {
    match expr {
        Expr::Number(_) | Expr::Big(_) | Expr::Register(_) => false,
        Expr::Symbol(..) => true,
        Expr::Negate(inner) | Expr::Complement(inner) | Expr::LogicalNot(inner) => has_symbol(inner),
        Expr::Binary(_, a, b) => has_symbol(a) || has_symbol(b),
    }
}
