//! Directives that put bytes into the current section: data, space, alignment, files.

use object::sections::section_flags;

use super::{expr, file_name, finish, number, optional_number, read_file};
use crate::{
    context::Assembler,
    expression::{Expr, Value},
    state::{FieldKind, ItemKind},
    text::Cursor,
};

/// The largest `.incbin` or `.fill` done at once.
const MAX_BYTES: i64 = 1 << 32;

pub(super) fn data(assembler: &mut Assembler, cursor: &mut Cursor<'_>, width: u8) -> Result<(), String> {
    data_of(assembler, cursor, width, FieldKind::Plain)
}

pub(super) fn data_of(
    assembler: &mut Assembler,
    cursor: &mut Cursor<'_>,
    width: u8,
    kind: FieldKind,
) -> Result<(), String> {
    if cursor.at_end() {
        return Ok(());
    }
    loop {
        // `.byte "ab"` is not as's, but an empty element is a zero.
        if cursor.peek_token() == b',' {
            assembler.state.emit_zeros(u64::from(width));
        } else {
            let value = expr(assembler, cursor)?;
            emit_value(assembler, width, kind, value)?;
        }
        if !cursor.eat(b',') {
            break;
        }
        // `.` moves on with every element.
        assembler.state.statement_start = None;
    }
    finish(cursor)
}

fn emit_value(assembler: &mut Assembler, width: u8, kind: FieldKind, value: Expr) -> Result<(), String> {
    match assembler.state.evaluate(&value) {
        Ok(Value { add: None, sub: None, number, modifier: None }) => {
            // A value too large is truncated; `as` only warns, too.
            assembler.state.emit(&number.to_le_bytes()[..usize::from(width)]);
        }
        _ => assembler.state.emit_field(width, kind, value),
    }
    Ok(())
}

pub(super) fn octa(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    loop {
        let bytes = match expr(assembler, cursor)? {
            Expr::Big(value) => value.to_le_bytes(),
            other => {
                let number = assembler.state.absolute(&other)?;
                // A number written without a sign is not negative, however large.
                let negative = matches!(other, Expr::Number(n) if n < 0) && cursor.text.contains('-');
                if negative { i128::from(number).to_le_bytes() } else { u128::from(number as u64).to_le_bytes() }
            }
        };
        assembler.state.emit(&bytes);
        if !cursor.eat(b',') {
            return finish(cursor);
        }
    }
}

pub(super) fn strings(
    assembler: &mut Assembler,
    cursor: &mut Cursor<'_>,
    width: usize,
    zero: bool,
) -> Result<(), String> {
    if cursor.at_end() {
        return Ok(());
    }
    loop {
        if cursor.peek_token() != b'"' {
            return Err(format!("expected a string before '{}'", cursor.rest()));
        }
        // Strings that follow each other without a comma are one.
        let mut bytes = Vec::new();
        while cursor.peek_token() == b'"' {
            bytes.extend(cursor.string().ok_or("unterminated string")?);
        }
        for byte in bytes.into_iter().chain(zero.then_some(0)) {
            let mut wide = [0; 8];
            wide[0] = byte;
            assembler.state.emit(&wide[..width]);
        }
        if !cursor.eat(b',') {
            return finish(cursor);
        }
    }
}

pub(super) fn leb128(assembler: &mut Assembler, cursor: &mut Cursor<'_>, signed: bool) -> Result<(), String> {
    loop {
        let value = expr(assembler, cursor)?;
        match assembler.state.absolute(&value) {
            Ok(number) => {
                let mut bytes = Vec::new();
                crate::layout::encode_leb(&mut bytes, number, signed);
                assembler.state.emit(&bytes);
            }
            Err(_) => assembler.state.emit_item(ItemKind::Leb { value, signed }),
        }
        if !cursor.eat(b',') {
            return finish(cursor);
        }
    }
}

pub(super) fn space(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let count = expr(assembler, cursor)?;
    let fill = optional_number(assembler, cursor)?.unwrap_or(0) as u8;
    finish(cursor)?;
    emit_space(assembler, count, 1, vec![fill])
}

pub(super) fn fill(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let count = expr(assembler, cursor)?;
    let size = optional_number(assembler, cursor)?.unwrap_or(1);
    let value = optional_number(assembler, cursor)?.unwrap_or(0);
    finish(cursor)?;
    if size <= 0 {
        return Ok(());
    }
    // Only four bytes of the value are used, the rest is zero; sizes above eight count as eight.
    let size = size.min(8) as usize;
    let mut pattern = [0; 8];
    pattern[..4].copy_from_slice(&(value as u32).to_le_bytes());
    emit_space(assembler, count, size as u32, pattern[..size].to_vec())
}

pub(super) fn emit_space(assembler: &mut Assembler, count: Expr, unit: u32, fill: Vec<u8>) -> Result<(), String> {
    let Ok(number) = assembler.state.absolute(&count) else {
        assembler.state.emit_item(ItemKind::Space { count, unit, fill });
        return Ok(());
    };
    let number = number.max(0);
    if number.saturating_mul(i64::from(unit)) > MAX_BYTES {
        return Err(format!("space of {number} units is too large"));
    }
    if fill.iter().all(|&b| b == 0) {
        assembler.state.emit_zeros(number as u64 * u64::from(unit));
    } else {
        assembler.state.emit(&fill.repeat(number as usize));
    }
    Ok(())
}

/// `.dcb.w count, value`
pub(super) fn repeated(assembler: &mut Assembler, cursor: &mut Cursor<'_>, width: usize) -> Result<(), String> {
    let count = expr(assembler, cursor)?;
    let value = optional_number(assembler, cursor)?.unwrap_or(0);
    finish(cursor)?;
    emit_space(assembler, count, width as u32, value.to_le_bytes()[..width].to_vec())
}

/// `.ds.l count`
pub(super) fn storage(assembler: &mut Assembler, cursor: &mut Cursor<'_>, width: usize) -> Result<(), String> {
    let count = expr(assembler, cursor)?;
    let fill = optional_number(assembler, cursor)?.unwrap_or(0) as u8;
    finish(cursor)?;
    emit_space(assembler, count, width as u32, vec![fill; width])
}

pub(super) fn nops(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let count = number(assembler, cursor)?;
    let largest = optional_number(assembler, cursor)?.unwrap_or(0);
    finish(cursor)?;
    if !(0..MAX_BYTES).contains(&count) {
        return Err(format!("bad number of no-op bytes {count}"));
    }
    let mut left = count as usize;
    let limit = if (1..=11).contains(&largest) { largest as usize } else { 11 };
    while left > 0 {
        let len = left.min(limit);
        let mut bytes = vec![0; len];
        object::fill_nops(&mut bytes);
        assembler.state.emit(&bytes);
        left -= len;
    }
    Ok(())
}

pub(super) fn align(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>, power: bool) -> Result<(), String> {
    let amount = if cursor.at_end() { 0 } else { number(assembler, cursor)? };
    let fill = optional_number(assembler, cursor)?;
    let max_skip = optional_number(assembler, cursor)?;
    finish(cursor)?;
    let align = match (power, amount) {
        (true, 0..=31) => 1u32 << amount,
        (false, 0) => 1,
        (false, amount) if amount > 0 && amount < MAX_BYTES && (amount as u64).is_power_of_two() => amount as u32,
        _ => return Err(format!("alignment {amount} is not a power of 2 (or too large)")),
    };
    let unit = match name.as_bytes()[name.len() - 1] {
        b'w' => 2,
        b'l' => 4,
        _ => 1,
    };
    let max_skip = max_skip.filter(|&n| n > 0).map_or(u32::MAX, |n| n as u32);
    // In code the default padding is no-ops; a fill of 0x90 asks for the same, in bytes.
    let no_ops = |value: &i64| unit == 1 && *value as u8 == 0x90;
    let code = assembler.state.current_section().spec.flags & section_flags::EXECINSTR != 0;
    let fill = fill.filter(|value| !code || !no_ops(value));
    let fill = fill.map(|value| value.to_le_bytes()[..unit].to_vec());
    assembler.state.current_section().align = assembler.state.current_section().align.max(align);
    if align == 1 {
        return Ok(());
    }
    if let Some(offset) = assembler.state.absolute_offset() {
        assembler.state.current_chunk().zeros = offset.next_multiple_of(align.into());
        return Ok(());
    }
    assembler.state.emit_item(ItemKind::Align { align, max_skip, fill });
    Ok(())
}

pub(super) fn org(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let target = expr(assembler, cursor)?;
    let fill = optional_number(assembler, cursor)?.unwrap_or(0) as u8;
    finish(cursor)?;
    if assembler.state.absolute_offset().is_some() {
        assembler.state.current_chunk().zeros = assembler.state.absolute(&target)? as u64;
        return Ok(());
    }
    assembler.state.emit_item(ItemKind::Org { target, fill });
    Ok(())
}

pub(super) fn incbin(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = file_name(cursor)?;
    let skip = optional_number(assembler, cursor)?.unwrap_or(0).max(0) as usize;
    let count = optional_number(assembler, cursor)?;
    finish(cursor)?;
    let bytes = read_file(assembler, &name)?;
    let rest = bytes.get(skip..).ok_or_else(|| format!("skip {skip} is beyond the end of '{name}'"))?;
    let count = count.map_or(rest.len(), |n| (n.max(0) as usize).min(rest.len()));
    assembler.state.emit(&rest[..count]);
    Ok(())
}
