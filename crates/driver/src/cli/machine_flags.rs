//! The `-m` family, where it has an effect: names without `-m`.

use super::hardening_flags;
use super::spec::{Effect, Form, Spec, equals, flag, refuse, toggle};
use crate::invocation::Invocation;
use platform::options::features::{MathUnit, Named, math_unit};
use platform::options::processors;
use platform::options::{CodeModel, DataAlignment, X86Features as F};

/// The rows.
#[rustfmt::skip]
pub static TABLE: &[Spec] = &[
    Spec { name: "arch=", form: Form::Joined, effect: Effect::EarlyValue(set_arch) },
    equals("cpu=", set_cpu), equals("tune=", set_tune),
    equals("cmodel=", set_code_model),
    equals("align-data=", set_align_data),
    equals("large-data-threshold=", |i, v| { i.options.codegen.large_data_threshold = super::arguments::non_negative("-mlarge-data-threshold=", v)?; Ok(()) }),
    equals("asm=", |i, v| match v {
        "att" => { i.options.codegen.intel_syntax = false; Ok(()) }
        "intel" => { i.options.codegen.intel_syntax = true; Ok(()) }
        _ => Err(format!("unrecognized argument in option {}", super::quote(&format!("-masm={v}")))),
    }),
    toggle("red-zone", |i, on| i.options.codegen.red_zone = on),
    flag("general-regs-only", |i| i.options.codegen.keep_to_general_registers()),
    refuse("long-double-64", "long double is the x87 unit's"), refuse("long-double-128", "long double is the x87 unit's"),
    equals("preferred-stack-boundary=", |i, v| { i.options.codegen.stack_boundary = boundary("preferred", v)?; Ok(()) }),
    equals("abi=", |_, v| if v == "sysv" { Ok(()) } else { Err(format!("{} is not supported: only the System V ABI is", super::quote(&format!("-mabi={v}")))) }),
    equals("incoming-stack-boundary=", |i, v| { i.options.codegen.incoming_boundary = Some(boundary("incoming", v)?); Ok(()) }),
    toggle("stackrealign", |i, on| i.options.codegen.incoming_boundary = on.then_some(3)),
    refuse("stack-arg-probe", "the stack is not probed by calls; see -fstack-clash-protection"),
    toggle("ms-bitfields", |i, on| i.options.language.ms_bitfields = on),

    toggle("80387", |i, on| i.options.codegen.x87 = on), toggle("hard-float", |i, on| i.options.codegen.x87 = on),
    toggle("soft-float", |i, on| i.options.codegen.x87 = !on),
    toggle("fp-ret-in-387", |i, on| i.options.codegen.x87_returns = on), refuse("96bit-long-double", "it changes the ABI"),
    equals("fpmath=", set_math), equals("prefer-vector-width=", set_vector_width), equals("regparm=", hardening_flags::regparm), refuse("rtd", "it is for 32-bit code"),
    refuse("sseregparm", "it is for 32-bit code"), refuse("align-double", "it is for 32-bit code"), refuse("iamcu", "it is for 32-bit code"),
    refuse("address-mode=", "only 64-bit addresses are generated"), refuse("android", "only Linux with glibc or musl is supported"), refuse("bionic", "only Linux with glibc or musl is supported"),
    refuse("uclibc", "only Linux with glibc or musl is supported"), refuse("musl", "the C library is the one that is installed"),
    equals("indirect-branch=", hardening_flags::indirect_branch), equals("function-return=", hardening_flags::function_return),
    toggle("indirect-branch-register", |i, on| i.options.codegen.speculation.register = on),
    toggle("indirect-branch-cs-prefix", |i, on| i.options.codegen.speculation.cs_prefix = on),
    equals("harden-sls=", hardening_flags::harden_sls), refuse("force-indirect-call", "direct calls stay direct"),
    toggle("fentry", |i, on| i.fentry = on),
    toggle("nop-mcount", |i, on| i.options.codegen.entries.nop = on), toggle("record-mcount", |i, on| i.options.codegen.entries.record = on),
    toggle("record-return", |i, on| i.options.codegen.entries.record_return = on),
    equals("instrument-return=", hardening_flags::at_return), equals("fentry-name=", hardening_flags::fentry_name),
    equals("fentry-section=", hardening_flags::fentry_section),
    equals("stack-protector-guard=", hardening_flags::guard), equals("stack-protector-guard-reg=", hardening_flags::guard_register),
    equals("stack-protector-guard-offset=", hardening_flags::guard_offset), equals("stack-protector-guard-symbol=", hardening_flags::guard_symbol),
    toggle("skip-rax-setup", |i, on| i.options.codegen.skip_rax_setup = on),
    toggle("manual-endbr", |i, on| i.options.codegen.manual_endbr = on), toggle("cet-switch", |i, on| i.options.codegen.cet_switch = on),
    refuse("needed", "the note of needed instruction sets is not written"),
    refuse("no-direct-extern-access", "objects of other modules are accessed as always"),
    refuse("pc32", "the x87 unit keeps its precision"), refuse("pc64", "the x87 unit keeps its precision"), Spec { name: "pc80", form: Form::Exact, effect: Effect::Hint },
    refuse("veclibabi=", "there is no vector library"), refuse("tls-dialect=gnu2", "TLS descriptors are not there"),
    toggle("intel-syntax", old_syntax_option),
    equals("align-functions=", |i, _| old_alignment(i, "functions")), equals("align-jumps=", |i, _| old_alignment(i, "jumps")),
    equals("align-loops=", |i, _| old_alignment(i, "loops")),
];

/// The argument of `-mpreferred-stack-boundary=` and its kin: a power of two.
fn boundary(which: &str, v: &str) -> Result<u8, String> {
    match super::arguments::number(v, false) {
        Some(n @ 3..=12) => Ok(n as u8),
        n => {
            let shown = n.map_or(v.to_owned(), |n| n.to_string());
            Err(format!("{} is not between 3 and 12", super::quote(&format!("-m{which}-stack-boundary={shown}"))))
        }
    }
}

/// The row of every `-mavx2` and `-mno-avx2`: its value is what follows `-m`.
static FEATURE: Spec = Spec { name: "-m<feature>", form: Form::Exact, effect: Effect::Value(set_feature) };

/// The row that handles `-m` followed by `text`, if that names an instruction set.
pub fn feature(text: &str) -> Option<&'static Spec> {
    let name = text.strip_prefix("no-").unwrap_or(text);
    F::named(name).map(|_| &FEATURE)
}

fn set_feature(inv: &mut Invocation, text: &str) -> Result<(), String> {
    let (name, on) = match text.strip_prefix("no-") {
        Some(name) => (name, false),
        None => (text, true),
    };
    let features = &mut inv.options.codegen.features;
    match F::named(name) {
        Some(Named::Known { all, .. }) if on => features.insert(all),
        Some(Named::Known { own, .. }) => features.remove(own),
        _ if on => {
            return Err(format!(
                "{} is not supported: this instruction set is not generated",
                super::quote(&format!("-m{text}"))
            ));
        }
        _ => {}
    }
    Ok(())
}

/// `-mintel-syntax` and `-mno-intel-syntax`
fn old_syntax_option(inv: &mut Invocation, on: bool) {
    let quoted = ["-mintel-syntax", "-mno-intel-syntax", "-masm=intel", "-masm=att"].map(super::quote);
    let [old, old_no, new, new_no] = quoted;
    inv.notices.push(format!("{old} and {old_no} are deprecated; use {new} and {new_no} instead"));
    inv.options.codegen.intel_syntax = on;
}

/// `-malign-functions=` and its like, which have no effect any more.
fn old_alignment(inv: &mut Invocation, what: &str) -> Result<(), String> {
    let [old, new] = ["-malign-", "-falign-"].map(|family| super::quote(&format!("{family}{what}")));
    inv.notices.push(format!("{old} is obsolete, use {new}"));
    Ok(())
}

/// `-mfpmath=`
fn set_math(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let Some(unit) = math_unit(v) else {
        return Err(format!("unrecognized argument in option {}", super::quote(&format!("-mfpmath={v}"))));
    };
    inv.options.codegen.mixed_math = unit == MathUnit::Both;
    inv.options.codegen.features.set_math(unit == MathUnit::X87);
    Ok(())
}

/// `-mprefer-vector-width=`
fn set_vector_width(inv: &mut Invocation, v: &str) -> Result<(), String> {
    if inv.options.codegen.features.prefer_width(v) {
        return Ok(());
    }
    Err(format!("unrecognized argument in option {}", super::quote(&format!("-mprefer-vector-width={v}"))))
}

fn set_code_model(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.code_model = match v {
        "small" => CodeModel::Small,
        "kernel" => CodeModel::Kernel,
        "medium" => CodeModel::Medium,
        "large" => CodeModel::Large,
        _ => return Err(format!("unrecognized argument in option {}", super::quote(&format!("-mcmodel={v}")))),
    };
    Ok(())
}

/// `-malign-data=`
fn set_align_data(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.align_data = match v {
        "compat" => DataAlignment::Compat,
        "abi" => DataAlignment::Abi,
        "cacheline" => DataAlignment::Cacheline,
        _ => return Err(format!("unrecognized argument in option {}", super::quote(&format!("-malign-data={v}")))),
    };
    Ok(())
}

/// `-march=`: before every `-mavx` and `-mno-avx`, wherever they stand.
fn set_arch(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let option = super::quote("-march=");
    if processors::is_tuning_alone(v) {
        return Err(format!("{} CPU can be used only for {} switch", super::quote(v), super::quote("-mtune=")));
    }
    let Some(wanted) = F::of_processor(v) else {
        return Err(bad_processor(inv, v, &option, processors::names()));
    };
    inv.options.codegen.features = F(wanted.0 & F::GENERATED.0);
    inv.options.codegen.march = Some(v.into());
    // `native` asks for the best there is.
    if v != "native" && wanted.0 & !F::GENERATED.0 != 0 {
        inv.notices.push(format!("-march={v}: AVX-512 is not generated, and its macros are not defined"));
    }
    Ok(())
}

fn bad_processor(inv: &Invocation, v: &str, option: &str, names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<&str> = names.collect();
    let near = base::spelling::closest(v, names.iter().copied());
    let near = near.map_or(String::new(), |near| format!("; did you mean {}?", super::quote(near)));
    let (value, program, names) = (super::quote(v), &inv.program, names.join(" "));
    format!(
        "bad value {value} for {option} switch\n{program}: note: valid arguments to {option} switch are: {names}{near}"
    )
}

/// `-mtune=`: code is the same for all processors; the macros are not.
fn set_tune(inv: &mut Invocation, v: &str) -> Result<(), String> {
    if !processors::is_tuning(v) {
        let names = processors::names().filter(|n| processors::is_tuning(n)).chain(["generic", "intel"]);
        return Err(bad_processor(inv, v, &super::quote("-mtune="), names));
    }
    if v == "x86-64" {
        let [old, k8, generic] = ["-mtune=x86-64", "-mtune=k8", "-mtune=generic"].map(super::quote);
        inv.notices.push(format!("{old} is deprecated; use {k8} or {generic} instead as appropriate [-Wdeprecated]"));
    }
    inv.options.codegen.mtune = Some(v.into());
    Ok(())
}

/// `-mcpu=`, the old name of `-mtune=`.
fn set_cpu(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let [old, tune, arch] = ["-mcpu=", "-mtune=", "-march="].map(super::quote);
    inv.notices.push(format!("{old} is deprecated; use {tune} or {arch} instead"));
    set_tune(inv, v)
}
