//! `-fsanitize=` and its relatives: lists of names (gcc's `parse_sanitizer_options`) and the checks
//! on what they add up to (`finish_options`).

use super::quote;
use crate::invocation::Invocation;
use base::spelling;
use platform::options::{AddressChecks, Sanitizers};

/// Checks that are not there.
const MISSING: &[(&str, Sanitizers)] = &[
    ("hwaddress", Sanitizers::HWADDRESS),
    ("kernel-hwaddress", Sanitizers::KERNEL_HWADDRESS),
    ("shadow-call-stack", Sanitizers::SHADOW_CALL_STACK),
];

/// `-fsanitize=`
pub fn enable(inv: &mut Invocation, list: &str) -> Result<(), String> {
    let mut set = Sanitizers::NONE;
    for name in list.split(',').filter(|name| !name.is_empty()) {
        match Sanitizers::named(name) {
            Some(Sanitizers::ALL) => return Err(format!("{} option is not valid", quote("-fsanitize=all"))),
            Some(checks) => set = set.with(checks),
            None => return Err(unrecognized("-fsanitize=", name, false)),
        }
    }
    inv.options.sanitize.enabled = inv.options.sanitize.enabled.with(set);
    if set.any(Sanitizers::OF_NULL_POINTERS) {
        inv.options.codegen.delete_null_pointer_checks = false;
    }
    Ok(())
}

/// `-fno-sanitize=`
pub fn disable(inv: &mut Invocation, list: &str) -> Result<(), String> {
    for name in list.split(',').filter(|name| !name.is_empty()) {
        let checks = Sanitizers::named(name).ok_or_else(|| unrecognized("-fno-sanitize=", name, true))?;
        inv.options.sanitize.enabled = inv.options.sanitize.enabled.without(checks);
    }
    Ok(())
}

/// `-fsanitize-recover=`, `-fno-sanitize-recover=`
fn recover(inv: &mut Invocation, list: &str, on: bool) -> Result<(), String> {
    let option = if on { "-fsanitize-recover=" } else { "-fno-sanitize-recover=" };
    let beyond_recovery = Sanitizers::THREAD.with(Sanitizers::LEAK).with(Sanitizers::SHADOW_CALL_STACK);
    for name in list.split(',').filter(|name| !name.is_empty()) {
        let checks = match Sanitizers::named(name).ok_or_else(|| unrecognized(option, name, true))? {
            Sanitizers::ALL if on => Sanitizers::ALL.without(Sanitizers::FATAL).without(beyond_recovery),
            Sanitizers::UNDEFINED if on => Sanitizers::UNDEFINED.without(Sanitizers::FATAL),
            checks => checks,
        };
        let set = &mut inv.options.sanitize.recover;
        *set = if on { set.with(checks) } else { set.without(checks) };
    }
    Ok(())
}

/// `-fsanitize-recover=`
pub fn recover_from(inv: &mut Invocation, list: &str) -> Result<(), String> {
    recover(inv, list, true)
}

/// `-fno-sanitize-recover=`
pub fn stop_at(inv: &mut Invocation, list: &str) -> Result<(), String> {
    recover(inv, list, false)
}

/// `-fsanitize-recover`, `-fno-sanitize-recover`: of undefined behaviour.
pub fn recover_from_undefined(inv: &mut Invocation, on: bool) {
    let checks = Sanitizers::OF_UBSAN.without(Sanitizers::FATAL);
    let set = &mut inv.options.sanitize.recover;
    *set = if on { set.with(checks) } else { set.without(checks) };
}

fn unrecognized(option: &str, name: &str, all: bool) -> String {
    let known = Sanitizers::NAMES.iter().map(|row| row.0).filter(|&known| all || known != "all");
    let hint = spelling::closest(name, known).map_or(String::new(), |near| format!("; did you mean {}?", quote(near)));
    format!("unrecognized argument to {} option: {}{hint}", quote(option), quote(name))
}

/// `-fsanitize-coverage=`
pub fn trace(inv: &mut Invocation, list: &str) -> Result<(), String> {
    set_traces(inv, "-fsanitize-coverage=", list, true)
}

/// `-fno-sanitize-coverage=`
pub fn trace_less(inv: &mut Invocation, list: &str) -> Result<(), String> {
    set_traces(inv, "-fno-sanitize-coverage=", list, false)
}

fn set_traces(inv: &mut Invocation, option: &str, list: &str, on: bool) -> Result<(), String> {
    let coverage = &mut inv.options.sanitize.coverage;
    for name in list.split(',').filter(|name| !name.is_empty()) {
        match name {
            "trace-pc" => coverage.places = on,
            "trace-cmp" => coverage.comparisons = on,
            "trace-pc-guard" => coverage.guards = on,
            _ => return Err(format!("unrecognized argument to {} option: {}", quote(option), quote(name))),
        }
    }
    Ok(())
}

/// `-fasan-shadow-offset=`
pub fn shadow_start(inv: &mut Invocation, text: &str) -> Result<(), String> {
    let digits = |text: &str, radix| u64::from_str_radix(text, radix).ok();
    let number = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(rest) => digits(rest, 16),
        None if text.starts_with('0') && text.len() > 1 => digits(&text[1..], 8),
        None => digits(text, 10),
    };
    let number = number.ok_or_else(|| format!("unrecognized shadow offset {}", quote(text)))?;
    inv.shadow_start = Some(number);
    Ok(())
}

/// What the address sanitizer does: the defaults of programs or kernels, then `--param asan-...`.
pub fn choose_address_checks(inv: &mut Invocation) {
    let kernel = inv.options.sanitize.checks(Sanitizers::KERNEL_ADDRESS);
    let mut checks = if kernel { AddressChecks::of_kernels() } else { AddressChecks::default() };
    for (name, number) in &inv.address_params {
        let on = *number == 1;
        match name.as_str() {
            "asan-stack" => checks.stack = on,
            "asan-globals" => checks.globals = on,
            "asan-instrument-allocas" => checks.allocas = on,
            "asan-instrument-reads" => checks.reads = on,
            "asan-instrument-writes" => checks.writes = on,
            "asan-use-after-return" => checks.use_after_return = on,
            "asan-instrumentation-with-call-threshold" => checks.call_threshold = *number as u32,
            _ => {} // `asan-memintrin`: calls of the library are always checked.
        }
    }
    checks.shadow_start = inv.shadow_start.unwrap_or(checks.shadow_start);
    inv.options.sanitize.address = checks;
}

/// Contradictions, in gcc's words, and what is not there.
pub fn check(inv: &Invocation, errors: &mut Vec<String>) {
    let (on, recover) = (inv.options.sanitize.enabled, inv.options.sanitize.recover);
    for &(name, checks) in MISSING {
        if on.any(checks) {
            errors.push(format!("{} is not supported", quote(&format!("-fsanitize={name}"))));
        }
    }
    for &(name, checks, can_recover) in Sanitizers::NAMES {
        if !can_recover && recover.any(checks) {
            errors.push(format!("{} is not supported", quote(&format!("-fsanitize-recover={name}"))));
        }
    }
    if inv.shadow_start.is_some() && !on.any(Sanitizers::KERNEL_ADDRESS) {
        let (option, kernel) = (quote("-fasan-shadow-offset"), quote("-fsanitize=kernel-address"));
        errors.push(format!("{option} should only be used with {kernel}"));
    }
    for (name, checks) in
        [("pointer-compare", Sanitizers::POINTER_COMPARE), ("pointer-subtract", Sanitizers::POINTER_SUBTRACT)]
    {
        if on.any(checks) && !on.any(Sanitizers::ANY_ADDRESS) {
            let (option, first, second) =
                (format!("-fsanitize={name}"), "-fsanitize=address", "-fsanitize=kernel-address");
            let (option, first, second) = (quote(&option), quote(first), quote(second));
            errors.push(format!("{option} must be combined with {first} or {second}"));
        }
    }
    let pairs = [
        (Sanitizers::ADDRESS, Sanitizers::KERNEL_ADDRESS, "address", "kernel-address"),
        (Sanitizers::THREAD, Sanitizers::ANY_ADDRESS, "thread", "address"),
        (Sanitizers::THREAD, Sanitizers::LEAK, "thread", "leak"),
    ];
    for (a, b, first, second) in pairs {
        if on.any(a) && on.any(b) {
            let (first, second) = (format!("-fsanitize={first}"), format!("-fsanitize={second}"));
            errors.push(format!("{} is incompatible with {}", quote(&first), quote(&second)));
        }
    }
}
