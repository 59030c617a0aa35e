//! Values of the options that harden code and prepare it for patching: what the rows of `-m` and
//! `-f` call.

use super::quote;
use crate::invocation::Invocation;
use platform::options::{AtReturn, SegmentRegister, Thunk};

fn bad_argument(option: &str, v: &str) -> String {
    format!("unrecognized argument in option {}", quote(&format!("{option}{v}")))
}

fn not_empty(option: &str, v: &str) -> Result<Box<str>, String> {
    if v.is_empty() { Err(format!("missing argument to {}", quote(option))) } else { Ok(v.into()) }
}

/// `-mindirect-branch=`
pub fn indirect_branch(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.speculation.indirect_branch =
        Thunk::named(v).ok_or_else(|| bad_argument("-mindirect-branch=", v))?;
    Ok(())
}

/// `-mfunction-return=`
pub fn function_return(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.speculation.function_return =
        Thunk::named(v).ok_or_else(|| bad_argument("-mfunction-return=", v))?;
    Ok(())
}

/// `-mharden-sls=`
pub fn harden_sls(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let (after_return, after_jump) = match v {
        "none" => (false, false),
        "all" => (true, true),
        "return" => (true, false),
        "indirect-jmp" => (false, true),
        _ => return Err(bad_argument("-mharden-sls=", v)),
    };
    let speculation = &mut inv.options.codegen.speculation;
    (speculation.after_return, speculation.after_jump) = (after_return, after_jump);
    Ok(())
}

/// `-mstack-protector-guard=`
pub fn guard(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.stack_guard.global = match v {
        "tls" => false,
        "global" => true,
        _ => return Err(bad_argument("-mstack-protector-guard=", v)),
    };
    Ok(())
}

/// `-mstack-protector-guard-reg=`
pub fn guard_register(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.stack_guard.segment = match v {
        "fs" => Some(SegmentRegister::Fs),
        "gs" => Some(SegmentRegister::Gs),
        _ => {
            let option = quote("-mstack-protector-guard-reg=");
            return Err(format!("{} is not a valid base register in {option}", quote(v)));
        }
    };
    Ok(())
}

/// `-mstack-protector-guard-offset=`: a number as C writes it, of 32 bits.
pub fn guard_offset(inv: &mut Invocation, v: &str) -> Result<(), String> {
    const OPTION: &str = "-mstack-protector-guard-offset=";
    not_empty(OPTION, v)?;
    let Some(number) = c_number(v) else {
        return Err(format!("{} is not a valid number in {}", quote(v), quote(OPTION)));
    };
    let Ok(offset) = i32::try_from(number) else {
        return Err(format!("{} is not a valid offset in {}", quote(v), quote(OPTION)));
    };
    inv.options.codegen.stack_guard.offset = offset;
    Ok(())
}

/// A number in the bases of `strtol`.
fn c_number(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let magnitude = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        u64::from_str_radix(hex, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(&digits[1..], 8)
    } else {
        digits.parse()
    };
    let magnitude = i128::from(magnitude.ok()?);
    Some(if negative { -magnitude } else { magnitude })
}

/// `-mstack-protector-guard-symbol=`
pub fn guard_symbol(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.stack_guard.symbol = Some(not_empty("-mstack-protector-guard-symbol=", v)?);
    Ok(())
}

/// `-fpatchable-function-entry=N[,M]`
pub fn patchable(inv: &mut Invocation, v: &str) -> Result<(), String> {
    const OPTION: &str = "-fpatchable-function-entry";
    not_empty("-fpatchable-function-entry=", v)?;
    let mut numbers = v.split(',').map(|n| c_number(n).and_then(|n| u16::try_from(n).ok()));
    let wanted = match (numbers.next().flatten(), numbers.next(), numbers.next()) {
        (Some(size), None, None) => (size, 0),
        (Some(size), Some(Some(before)), None) if before <= size => (size, before),
        _ => return Err(format!("invalid arguments for {}", quote(OPTION))),
    };
    inv.options.codegen.entries.patchable = wanted;
    Ok(())
}

/// `-mfentry-name=`
pub fn fentry_name(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.entries.name = Some(not_empty("-mfentry-name=", v)?);
    Ok(())
}

/// `-mfentry-section=`
pub fn fentry_section(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.entries.section = Some(not_empty("-mfentry-section=", v)?);
    Ok(())
}

/// `-minstrument-return=`
pub fn at_return(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.entries.at_return = match v {
        "none" => AtReturn::None,
        "call" => AtReturn::Call,
        "nop5" => AtReturn::Nop5,
        _ => return Err(bad_argument("-minstrument-return=", v)),
    };
    Ok(())
}

/// `-mregparm=`: it is for 32-bit code.
pub fn regparm(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.notices.push(format!("{} is ignored in 64-bit mode", quote("-mregparm")));
    match v.parse() {
        Ok(0..=6) => Ok(()),
        Ok(n @ 7..=u32::MAX) => Err(format!("{} is not between 0 and 6", quote(&format!("-mregparm={n}")))),
        Err(_) => Err(format!("argument to {} should be a non-negative integer", quote("-mregparm="))),
    }
}
