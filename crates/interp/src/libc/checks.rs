//! Arguments that library functions may not have, and what the checks of `-fsanitize=undefined`
//! report.

use super::Args;
use crate::Trap;
use crate::machine::Machine;

/// Refuses arguments outside of what the function is defined for.
///
/// # Errors
/// Such arguments, and every report of a check.
pub fn arguments(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Result<(), Trap> {
    if let Some(handler) = name.strip_prefix("__ubsan_handle_") {
        return handle(machine, handler.trim_end_matches("_abort"), args);
    }
    if matches!(name, "pthread_create" | "thrd_create") {
        let what = "threads: the interpreter runs one (-fsanitize=thread looks for races between several)";
        return Err(Trap::Unsupported(what.into()));
    }
    let wrong = |what: &str| Err(Trap::Undefined(format!("{name}: {what} [library]")));
    match name {
        "isupper" | "islower" | "isalpha" | "isdigit" | "isxdigit" | "isspace" | "isprint" | "isgraph" | "isblank"
        | "iscntrl" | "ispunct" | "isalnum" | "toupper" | "tolower"
            if !(-1..256).contains(&args.int(0)) =>
        {
            wrong("the argument is no unsigned char and not EOF")
        }
        "abs" if args.int(0) == i32::MIN => wrong("the result does not fit an int"),
        "labs" | "llabs" if args.address(0) as i64 == i64::MIN => wrong("the result does not fit a long"),
        "strtol" | "strtoul" | "strtoll" | "strtoull" if args.int(2) == 1 || !(0..=36).contains(&args.int(2)) => {
            wrong("the base is neither 0 nor between 2 and 36")
        }
        "memcpy" | "memmove" | "memcmp" | "strncpy" | "strncmp" if args.address(0) == 0 || args.address(1) == 0 => {
            wrong("a null pointer is an argument")
        }
        "memset" if args.address(0) == 0 => wrong("a null pointer is an argument"),
        "fclose" | "fgets" | "fread" | "fwrite" | "fputs" | "fputc" | "fprintf" | "fscanf" | "getc" | "fgetc"
        | "fseek" | "ftell" | "feof" | "rewind"
            if args.0.iter().any(|a| a.0.is_ptr() && a.1.scalar() == 0) =>
        {
            wrong("a null pointer is an argument")
        }
        _ => Ok(()),
    }
}

/// A check has found something.
fn handle(machine: &mut Machine<'_>, handler: &str, args: &Args<'_>) -> Result<(), Trap> {
    let number = |at: usize| args.address(at) as i64;
    let (what, class) = match handler {
        "out_of_bounds" => {
            let name = type_name(machine, args.address(0) + 16).unwrap_or_default();
            machine.subscript = Some(format!("index {} out of bounds for type {name}", number(1)));
            return Ok(());
        }
        "add_overflow" | "sub_overflow" | "mul_overflow" => {
            let name = type_name(machine, args.address(0) + 16).unwrap_or_default();
            (format!("{} of {} and {} overflows {name}", &handler[..3], number(1), number(2)), "signed-overflow")
        }
        "negate_overflow" => (format!("negation of {} overflows", number(1)), "signed-overflow"),
        "divrem_overflow" => (format!("division of {} by {}", number(1), number(2)), "division"),
        "shift_out_of_bounds" => (format!("shift of {} by {}", number(1), number(2)), "shift"),
        "type_mismatch_v1" => {
            let name = type_name(machine, args.address(0) + 16).unwrap_or_default();
            let kind = if args.address(1) == 0 { "null" } else { "misaligned" };
            (format!("access through the {kind} pointer {:#x} to {name}", number(1)), "pointer")
        }
        "pointer_overflow" => (format!("pointer {:#x} wraps to {:#x}", number(1), number(2)), "pointer"),
        "vla_bound_not_positive" => (format!("an array's length is {}", number(1)), "vla-bound"),
        "load_invalid_value" => (format!("load of {}, which is no value of the type", number(1)), "invalid-value"),
        "invalid_builtin" => ("zero for __builtin_clz or __builtin_ctz".into(), "library"),
        "builtin_unreachable" => ("unreachable code is reached".into(), "unreachable"),
        "nonnull_arg" => ("a null pointer is an argument that may not be null".into(), "library"),
        "float_cast_overflow" => ("a floating-point number does not fit the integer type".into(), "conversion"),
        other => (other.replace('_', " "), "undefined"),
    };
    Err(Trap::Undefined(format!("{what} [{class}]")))
}

/// The name in the type description that the data of a check points to.
fn type_name(machine: &Machine<'_>, at: u64) -> Option<String> {
    let description = machine.memory.load(at, 8).ok()? as u64;
    Some(String::from_utf8_lossy(&machine.memory.c_string(description + 4).ok()?).into_owned())
}
