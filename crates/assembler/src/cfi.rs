//! `.cfi_*` directives: rules of unwind table entries as the text gives them.

use object::function_code::CfiOp;
use platform::registers::Reg;

use crate::{
    context::{Assembler, number},
    expression,
    state::CfiFrame,
    text::Cursor,
};

/// `DW_EH_PE_omit`
const PE_OMIT: u8 = 0xff;

/// `.cfi_sections .eh_frame, .debug_frame`: where the frames that follow are described.
fn sections(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let (mut eh, mut debug) = (false, false);
    while !cursor.at_end() {
        match cursor.until(b",") {
            ".eh_frame" => eh = true,
            ".debug_frame" => debug = true,
            other => return Err(format!("not supported: .cfi_sections {other}")),
        }
        cursor.eat(b',');
    }
    assembler.state.cfi_sections = (eh, debug);
    Ok(())
}

/// Handles a `.cfi_` directive.
pub(crate) fn handle(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
    match name {
        ".cfi_sections" => return sections(assembler, cursor),
        ".cfi_startproc" => return start(assembler, cursor),
        _ => {}
    }
    let Some(frame) = assembler.state.open_frame else {
        return Err(format!("{name} used without previous .cfi_startproc"));
    };
    let at = assembler.state.position();
    if name == ".cfi_endproc" {
        assembler.state.frames[frame].end = Some(at);
        assembler.state.open_frame = None;
        return Ok(());
    }
    if attribute(assembler, frame, name, cursor)? {
        return Ok(());
    }
    let ops = rule(assembler, frame, name, cursor)?;
    if !cursor.at_end() {
        return Err(format!("junk at end of line: '{}'", cursor.rest()));
    }
    assembler.state.frames[frame].rules.extend(ops.into_iter().map(|op| (at, op)));
    Ok(())
}

fn start(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    if assembler.state.open_frame.is_some() {
        return Err("previous CFI entry not closed (missing .cfi_endproc)".into());
    }
    let simple = cursor.name() == Some("simple");
    let start = assembler.state.position();
    assembler.state.open_frame = Some(assembler.state.frames.len());
    let sections = assembler.state.cfi_sections;
    assembler.state.frames.push(CfiFrame { simple, sections, ..CfiFrame::new(start) });
    Ok(())
}

/// Directives that describe the frame as a whole; returns whether it was one.
fn attribute(assembler: &mut Assembler, frame: usize, name: &str, cursor: &mut Cursor<'_>) -> Result<bool, String> {
    match name {
        ".cfi_signal_frame" => assembler.state.frames[frame].signal = true,
        ".cfi_return_column" => {
            let column = register(assembler, cursor)?;
            assembler.state.frames[frame].return_column = column;
        }
        ".cfi_personality" | ".cfi_lsda" => {
            let encoding = number(assembler, cursor)? as u8;
            if encoding == PE_OMIT {
                return Ok(true);
            }
            if !cursor.eat(b',') {
                return Err(format!("{name} requires encoding and symbol arguments"));
            }
            if name == ".cfi_lsda" {
                let value = expression::parse(&mut assembler.state, cursor)?;
                assembler.state.frames[frame].lsda = Some((encoding, value));
            } else {
                let symbol = cursor.name().ok_or("expected a symbol name")?;
                let symbol = assembler.state.symbol_of(symbol);
                assembler.state.frames[frame].personality = Some((encoding, symbol));
            }
        }
        ".cfi_label" => {
            let label = cursor.name().ok_or("expected a label")?.to_string();
            assembler.state.define_label(&label);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn comma(cursor: &mut Cursor<'_>) -> Result<(), String> {
    if cursor.eat(b',') { Ok(()) } else { Err("missing separator".into()) }
}

fn rule(assembler: &mut Assembler, frame: usize, name: &str, cursor: &mut Cursor<'_>) -> Result<Vec<CfiOp>, String> {
    let op = match name {
        ".cfi_def_cfa" => {
            let reg = register(assembler, cursor)?;
            comma(cursor)?;
            let offset = number(assembler, cursor)?;
            let data = &mut assembler.state.frames[frame];
            (data.cfa_register, data.cfa_offset) = (reg, offset);
            CfiOp::DefCfa(reg, offset as i32)
        }
        ".cfi_def_cfa_register" => {
            let reg = register(assembler, cursor)?;
            assembler.state.frames[frame].cfa_register = reg;
            CfiOp::DefCfaRegister(reg)
        }
        ".cfi_def_cfa_offset" | ".cfi_adjust_cfa_offset" => {
            let amount = number(assembler, cursor)?;
            let data = &mut assembler.state.frames[frame];
            data.cfa_offset = if name == ".cfi_def_cfa_offset" { amount } else { data.cfa_offset + amount };
            CfiOp::DefCfaOffset(data.cfa_offset as i32)
        }
        ".cfi_offset" | ".cfi_rel_offset" | ".cfi_val_offset" => {
            let reg = register(assembler, cursor)?;
            comma(cursor)?;
            let offset = number(assembler, cursor)?;
            let cfa = assembler.state.frames[frame].cfa_offset;
            match name {
                ".cfi_val_offset" => CfiOp::ValOffset(reg, offset as i32),
                ".cfi_rel_offset" => CfiOp::Offset(reg, (offset - cfa) as i32),
                _ => CfiOp::Offset(reg, offset as i32),
            }
        }
        ".cfi_register" => {
            let reg = register(assembler, cursor)?;
            comma(cursor)?;
            CfiOp::Register(reg, register(assembler, cursor)?)
        }
        ".cfi_restore" | ".cfi_undefined" | ".cfi_same_value" => {
            let mut ops = Vec::new();
            loop {
                let reg = register(assembler, cursor)?;
                ops.push(match name {
                    ".cfi_restore" => CfiOp::Restore(reg),
                    ".cfi_undefined" => CfiOp::Undefined(reg),
                    _ => CfiOp::SameValue(reg),
                });
                if !cursor.eat(b',') {
                    return Ok(ops);
                }
            }
        }
        ".cfi_remember_state" => {
            let data = &mut assembler.state.frames[frame];
            data.remembered.push((data.cfa_register, data.cfa_offset));
            CfiOp::RememberState
        }
        ".cfi_restore_state" => {
            let data = &mut assembler.state.frames[frame];
            (data.cfa_register, data.cfa_offset) =
                data.remembered.pop().ok_or("CFI state restore without previous remember")?;
            CfiOp::RestoreState
        }
        ".cfi_gnu_args_size" => CfiOp::ArgsSize(number(assembler, cursor)? as u32),
        ".cfi_escape" => {
            let mut bytes = Vec::new();
            loop {
                bytes.push(number(assembler, cursor)? as u8);
                if !cursor.eat(b',') {
                    return Ok(vec![CfiOp::Escape(bytes.into())]);
                }
            }
        }
        ".cfi_window_save" => return Err("not supported: .cfi_window_save".into()),
        ".cfi_val_encoded_addr" => return Err("not supported: .cfi_val_encoded_addr".into()),
        _ => return Err(format!("unknown pseudo-op: '{name}'")),
    };
    Ok(vec![op])
}

/// A register by name (with or without `%`) or DWARF number.
fn register(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<u16, String> {
    let mut ahead = cursor.clone();
    ahead.eat(b'%');
    ahead.skip_space();
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'.';
    let mut len = ahead.rest().bytes().take_while(part).count();
    let name = &ahead.rest()[..len];
    let mut found = special_register(name).or_else(|| Reg::from_name(name).filter(|_| len > 0).map(Reg::dwarf));
    // `st(3)`
    if name == "st"
        && let [b'(', digit @ b'0'..=b'7', b')', ..] = ahead.rest().as_bytes()[len..]
    {
        (found, len) = (Some(33 + u16::from(digit - b'0')), len + 3);
    }
    if let Some(found) = found {
        cursor.at = ahead.at + len;
        return Ok(found);
    }
    let number = number(assembler, cursor)?;
    u16::try_from(number).map_err(|_| format!("bad register number {number}"))
}

/// Registers besides the general and the first SSE registers (psABI, figure 3.36).
fn special_register(name: &str) -> Option<u16> {
    Some(match name {
        "rip" => 16,
        "st" => 33,
        "rflags" | "eflags" => 49,
        "es" => 50,
        "cs" => 51,
        "ss" => 52,
        "ds" => 53,
        "fs" => 54,
        "gs" => 55,
        "fs.base" => 58,
        "gs.base" => 59,
        "tr" => 62,
        "ldtr" => 63,
        "mxcsr" => 64,
        "fcw" => 65,
        "fsw" => 66,
        _ => {
            let digits = name.len() - name.bytes().rev().take_while(u8::is_ascii_digit).count();
            let number: u16 = name[digits..].parse().ok()?;
            match (&name[..digits], number) {
                ("mm", 0..8) => 41 + number,
                ("xmm", 16..32) => 67 + number - 16,
                ("k", 0..8) => 118 + number,
                _ => return None,
            }
        }
    })
}
