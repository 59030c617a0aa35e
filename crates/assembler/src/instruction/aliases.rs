//! Names that AT&T syntax (and GNU `as` in general) has for instructions iced knows by Intel's
//! names.

use iced_x86::Register;

use object::Cond;

use crate::mode::Mode;

/// `st(n)`
pub(crate) fn stack_register(n: u8) -> Register {
    [
        Register::ST0,
        Register::ST1,
        Register::ST2,
        Register::ST3,
        Register::ST4,
        Register::ST5,
        Register::ST6,
        Register::ST7,
    ][usize::from(n & 7)]
}

/// AT&T names of whole instructions, and the operand size that the name asks for (0: none).
const NAMES: &[(&str, &str, u32)] = &[
    ("cbtw", "cbw", 0),
    ("cwtl", "cwde", 0),
    ("cltq", "cdqe", 0),
    ("cwtd", "cwd", 0),
    ("cltd", "cdq", 0),
    ("cqto", "cqo", 0),
    ("movsl", "movsd", 0),
    ("cmpsl", "cmpsd", 0),
    ("stosl", "stosd", 0),
    ("lodsl", "lodsd", 0),
    ("scasl", "scasd", 0),
    ("insl", "insd", 0),
    ("outsl", "outsd", 0),
    ("pushfw", "pushf", 0),
    ("popfw", "popf", 0),
    ("pushfl", "pushfd", 0),
    ("popfl", "popfd", 0),
    ("pushaw", "pusha", 0),
    ("popaw", "popa", 0),
    ("pushal", "pushad", 0),
    ("popal", "popad", 0),
    ("iretl", "iretd", 0),
    ("iretw", "iret", 0),
    ("lret", "retf", 0),
    ("lretw", "retf", 2),
    ("lretl", "retf", 4),
    ("lretq", "retfq", 0),
    ("retl", "ret", 4),
    ("sal", "shl", 0),
    ("salb", "shlb", 0),
    ("salw", "shlw", 0),
    ("sall", "shll", 0),
    ("salq", "shlq", 0),
    ("sysretl", "sysret", 0),
    ("sysexitl", "sysexit", 0),
    ("xlat", "xlatb", 0),
    ("fwait", "wait", 0),
    ("repz", "repe", 0),
    ("ud2a", "ud2", 0),
    ("ud2b", "ud1", 0),
    ("icebp", "int1", 0),
    ("loopz", "loope", 0),
    ("loopnz", "loopne", 0),
    ("fcmovnae", "fcmovb", 0),
    ("fcmovna", "fcmovbe", 0),
    ("fcmovae", "fcmovnb", 0),
    ("fcmova", "fcmovnbe", 0),
    ("fxsaveq", "fxsave64", 0),
    ("fxrstorq", "fxrstor64", 0),
    ("xsaveq", "xsave64", 0),
    ("xrstorq", "xrstor64", 0),
    ("fldenvl", "fldenv", 0),
    ("pcmpestriq", "pcmpestri64", 0),
    ("pcmpestrmq", "pcmpestrm64", 0),
    ("vpcmpestriq", "vpcmpestri64", 0),
    ("vpcmpestrmq", "vpcmpestrm64", 0),
    ("pcmpestril", "pcmpestri", 0),
    ("pcmpestrml", "pcmpestrm", 0),
    ("vpcmpestril", "vpcmpestri", 0),
    ("vpcmpestrml", "vpcmpestrm", 0),
    ("sysretd", "sysret", 0),
    ("sysexitd", "sysexit", 0),
    ("xstorerng", "xstore", 0),
];

/// Names that mean the stack operation of the code size: 16 bits, 32, 64.
const STACK_NAMES: &[(&str, [&str; 3])] = &[
    ("pushf", ["pushf", "pushfd", "pushfq"]),
    ("popf", ["popf", "popfd", "popfq"]),
    ("pusha", ["pusha", "pushad", ""]),
    ("popa", ["popa", "popad", ""]),
    // In 64-bit code, too, the default has 32 bits.
    ("iret", ["iret", "iretd", "iretd"]),
];

/// x87 instructions with a wait before: iced knows the form without.
const WAITING: &[(&str, &str)] = &[
    ("finit", "fninit"),
    ("fclex", "fnclex"),
    ("fstcw", "fnstcw"),
    ("fstcww", "fnstcw"),
    ("fstsw", "fnstsw"),
    ("fstsww", "fnstsw"),
    ("fstenv", "fnstenv"),
    ("fstenvl", "fnstenv"),
    ("fsave", "fnsave"),
    ("fsavel", "fnsave"),
    ("feni", "fneni"),
    ("fdisi", "fndisi"),
    ("fsetpm", "fnsetpm"),
];

/// The name iced knows for a whole mnemonic, and the operand size in bytes that comes with it.
pub(crate) fn rename(mnemonic: &str, mode: Mode) -> Option<(&'static str, u32)> {
    if let Some((_, names)) = STACK_NAMES.iter().find(|(name, _)| *name == mnemonic) {
        let index = match mode {
            // Returns from interrupts have 16 bits here, too.
            Mode::Code16Gcc if mnemonic == "iret" => 0,
            Mode::Code16 => 0,
            Mode::Code16Gcc | Mode::Code32 => 1,
            Mode::Code64 => 2,
        };
        return Some((names[index], 0));
    }
    NAMES.iter().find(|(name, ..)| *name == mnemonic).map(|(_, iced, size)| (*iced, *size))
}

/// The form without `wait` of an x87 instruction that begins with one.
pub(crate) fn waiting(mnemonic: &str) -> Option<&'static str> {
    WAITING.iter().find(|(name, _)| *name == mnemonic).map(|(_, iced)| *iced)
}

/// Width of an AT&T suffix letter in bytes.
pub(crate) fn suffix_size(letter: u8) -> Option<u32> {
    Some(match letter {
        b'b' => 1,
        b'w' => 2,
        b'l' => 4,
        b'q' => 8,
        _ => return None,
    })
}

/// `movzbl`, `movsbq`, `movswl`, `movslq`, `movzxb` ...: iced's name, source size, destination size
/// (0: any).
pub(crate) fn extension(mnemonic: &str) -> Option<(&'static str, u32, u32)> {
    let rest = mnemonic.strip_prefix("mov")?;
    let (signed, sizes) = match rest.as_bytes() {
        [b's', sizes @ ..] => (true, sizes),
        [b'z', sizes @ ..] => (false, sizes),
        _ => return None,
    };
    let (from, to) = match *sizes {
        [from, to] => (suffix_size(from)?, suffix_size(to)?),
        [from] if !signed => (suffix_size(from)?, 0),
        _ => return None,
    };
    if to != 0 && to <= from {
        return None;
    }
    let name = match (signed, from) {
        (true, 4) => "movsxd",
        (true, _) => "movsx",
        (false, 1 | 2) => "movzx",
        _ => return None,
    };
    Some((name, from, to))
}

/// `cmovz`, `setnae`, `jnbe` ... in iced's spelling, if the name is another one for it.
pub(crate) fn condition_alias(mnemonic: &str) -> Option<String> {
    ["cmov", "set"].iter().find_map(|prefix| {
        let suffix = mnemonic.strip_prefix(prefix)?;
        let canonical = |text: &str| Cond::from_suffix(text).map(Cond::suffix).filter(|c| *c != text);
        if let Some(cond) = canonical(suffix) {
            return Some(format!("{prefix}{cond}"));
        }
        // With an operand size: `cmovzl`.
        let (stem, letter) = suffix.split_at_checked(suffix.len().checked_sub(1)?)?;
        suffix_size(letter.as_bytes()[0])?;
        canonical(stem).map(|cond| format!("{prefix}{cond}{letter}"))
    })
}

/// Predicates of `cmpps` and friends; AVX has all 32.
const PREDICATES: [&str; 32] = [
    "eq", "lt", "le", "unord", "neq", "nlt", "nle", "ord", "eq_uq", "nge", "ngt", "false", "neq_oq", "ge", "gt",
    "true", "eq_os", "lt_oq", "le_oq", "unord_s", "neq_us", "nlt_uq", "nle_uq", "ord_s", "eq_us", "nge_uq", "ngt_uq",
    "false_os", "neq_os", "ge_oq", "gt_oq", "true_us",
];
/// Further names of predicates.
const PREDICATE_ALIASES: [(&str, u8); 16] = [
    ("eq_oq", 0),
    ("lt_os", 1),
    ("le_os", 2),
    ("unord_q", 3),
    ("neq_uq", 4),
    ("nlt_us", 5),
    ("nle_us", 6),
    ("ord_q", 7),
    ("nge_us", 9),
    ("ngt_us", 10),
    ("false_oq", 11),
    ("ge_os", 13),
    ("gt_os", 14),
    ("true_uq", 15),
    ("eq_uq", 8),
    ("neq_oq", 12),
];
/// Predicates of `vpcmp`, `vpcmpu`.
const INTEGER_PREDICATES: [(&str, u8); 6] = [("eq", 0), ("lt", 1), ("le", 2), ("neq", 4), ("nlt", 5), ("nle", 6)];
/// Predicates of XOP's `vpcom`.
const XOP_PREDICATES: [(&str, u8); 8] =
    [("lt", 0), ("le", 1), ("gt", 2), ("ge", 3), ("eq", 4), ("neq", 5), ("false", 6), ("true", 7)];

/// `cmpeqps`, `vcmplt_oqsd`, `vpcmpequb`, `pclmullqhqdq`, ...: the instruction and its immediate.
pub(crate) fn with_predicate(mnemonic: &str) -> Option<(String, u8)> {
    if let Some(found) = carryless_multiplication(mnemonic) {
        return Some(found);
    }
    if let Some(rest) = mnemonic.strip_prefix("vpcom") {
        return integer_predicate("vpcom", rest, &XOP_PREDICATES);
    }
    if let Some(rest) = mnemonic.strip_prefix("vpcmp") {
        return integer_predicate("vpcmp", rest, &INTEGER_PREDICATES);
    }
    let (stem, vex) = match mnemonic.strip_prefix("vcmp") {
        Some(rest) => (rest, true),
        None => (mnemonic.strip_prefix("cmp")?, false),
    };
    let (predicate, kind) = stem.split_at_checked(stem.len().checked_sub(2)?)?;
    if !matches!(kind, "ps" | "pd" | "ss" | "sd" | "ph" | "sh") || predicate.is_empty() {
        return None;
    }
    let limit = if vex { 32 } else { 8 };
    let number = PREDICATES
        .iter()
        .position(|p| *p == predicate)
        .map(|n| n as u8)
        .or_else(|| PREDICATE_ALIASES.iter().find(|(name, _)| vex && *name == predicate).map(|(_, n)| *n))
        .filter(|&n| n < limit)?;
    Some((format!("{}cmp{kind}", if vex { "v" } else { "" }), number))
}

fn integer_predicate(base: &str, rest: &str, table: &[(&str, u8)]) -> Option<(String, u8)> {
    // The longest predicate first: `neq` before `n...`.
    let (name, number) = table.iter().filter(|(name, _)| rest.starts_with(name)).max_by_key(|(name, _)| name.len())?;
    let kind = &rest[name.len()..];
    matches!(kind, "b" | "w" | "d" | "q" | "ub" | "uw" | "ud" | "uq").then(|| (format!("{base}{kind}"), *number))
}

fn carryless_multiplication(mnemonic: &str) -> Option<(String, u8)> {
    let (prefix, rest) = match mnemonic.strip_prefix("vpclmul") {
        Some(rest) => ("vpclmulqdq", rest),
        None => ("pclmulqdq", mnemonic.strip_prefix("pclmul")?),
    };
    let number = match rest {
        "lqlqdq" => 0x00,
        "hqlqdq" => 0x01,
        "lqhqdq" => 0x10,
        "hqhqdq" => 0x11,
        _ => return None,
    };
    Some((prefix.to_string(), number))
}

/// In AT&T syntax, `fsub %st, %st(i)` and the like have the names of the opposite operation.
pub(crate) fn reversed_x87(mnemonic: &str) -> Option<&'static str> {
    Some(match mnemonic {
        "fsub" => "fsubr",
        "fsubr" => "fsub",
        "fdiv" => "fdivr",
        "fdivr" => "fdiv",
        "fsubp" => "fsubrp",
        "fsubrp" => "fsubp",
        "fdivp" => "fdivrp",
        "fdivrp" => "fdivp",
        _ => return None,
    })
}

/// x87 memory instructions: stem and suffix to iced's name and the operand's size in bytes.
pub(crate) fn x87_memory(mnemonic: &str) -> Option<(&str, u32)> {
    const FLOAT: [&str; 11] = ["fld", "fst", "fstp", "fadd", "fsub", "fsubr", "fmul", "fdiv", "fdivr", "fcom", "fcomp"];
    const INTEGER: [&str; 12] =
        ["fild", "fist", "fistp", "fisttp", "fiadd", "fisub", "fisubr", "fimul", "fidiv", "fidivr", "ficom", "ficomp"];
    if let Some(stem) = mnemonic.strip_suffix("ll").filter(|s| INTEGER.contains(s)) {
        return Some((stem, 8));
    }
    let (stem, letter) = mnemonic.split_at_checked(mnemonic.len().checked_sub(1)?)?;
    let size = match (FLOAT.contains(&stem), INTEGER.contains(&stem), letter) {
        (true, _, "s") => 4,
        (true, _, "l") => 8,
        (true, _, "t") => 10,
        (_, true, "s") => 2,
        (_, true, "l") => 4,
        (_, true, "q") => 8,
        _ => {
            // Without a suffix, memory operands are the shortest: 32-bit floats, 16-bit integers.
            return match mnemonic {
                name if FLOAT.contains(&name) => Some((name, 4)),
                name if INTEGER.contains(&name) => Some((name, 2)),
                _ => None,
            };
        }
    };
    Some((stem, size))
}
