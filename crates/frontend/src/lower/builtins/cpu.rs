//! `__builtin_cpu_init`, `__builtin_cpu_supports`, `__builtin_cpu_is`: questions about the
//! processor that runs the program.
//!
//! The answers are in `__cpu_model` (vendor, type, subtype, features 0 to 31) and `__cpu_features2`
//! (the following 96), objects that libgcc and our support archive lay out alike; a constructor of
//! theirs, `__cpu_indicator_init`, fills them.

use ir::{AliasTags, SymbolId, Type, Value};

use crate::lower::calls;
use crate::lower::function::Fx;
use crate::lower::place::{Place, Rvalue};
use crate::tree::*;

/// Features by number, as gcc 12 names them for `__builtin_cpu_supports`.
const FEATURES: &str = "
cmov mmx popcnt sse sse2 sse3 ssse3 sse4.1 sse4.2 avx avx2 sse4a fma4 xop fma avx512f bmi bmi2 aes pclmul avx512vl avx512bw avx512dq
avx512cd avx512er avx512pf avx512vbmi avx512ifma avx5124vnniw avx5124fmaps avx512vpopcntdq avx512vbmi2 gfni vpclmulqdq avx512vnni
avx512bitalg avx512bf16 avx512vp2intersect 3dnow 3dnowp adx abm cldemote clflushopt clwb clzero cmpxchg16b cmpxchg8b enqcmd f16c
fsgsbase fxsave hle ibt lahf_lm lm lwp lzcnt movbe movdir64b movdiri mwaitx osxsave pconfig pku prefetchwt1 prfchw ptwrite rdpid
rdrnd rdseed rtm serialize sgx sha shstk tbm tsxldtrk vaes waitpkg wbnoinvd xsave xsavec xsaveopt xsaves amx-tile amx-int8 amx-bf16
uintr hreset kl aeskle widekl avxvnni avx512fp16 x86-64 x86-64-v2 x86-64-v3 x86-64-v4
";

/// Fields of `__cpu_model`, in bytes.
const VENDOR: i64 = 0;
const TYPE: i64 = 4;
const SUBTYPE: i64 = 8;
const FIRST_FEATURES: i64 = 12;

/// Names for `__builtin_cpu_is`: field and value.
const PROCESSORS: &[(&str, i64, i64)] = &[
    ("intel", VENDOR, 1),
    ("amd", VENDOR, 2),
    ("atom", TYPE, 1),
    ("bonnell", TYPE, 1),
    ("core2", TYPE, 2),
    ("corei7", TYPE, 3),
    ("amdfam10h", TYPE, 4),
    ("amdfam15h", TYPE, 5),
    ("silvermont", TYPE, 6),
    ("slm", TYPE, 6),
    ("knl", TYPE, 7),
    ("btver2", TYPE, 9),
    ("amdfam17h", TYPE, 10),
    ("knm", TYPE, 11),
    ("goldmont", TYPE, 12),
    ("goldmont-plus", TYPE, 13),
    ("tremont", TYPE, 14),
    ("amdfam19h", TYPE, 15),
    ("nehalem", SUBTYPE, 1),
    ("westmere", SUBTYPE, 2),
    ("sandybridge", SUBTYPE, 3),
    ("barcelona", SUBTYPE, 4),
    ("shanghai", SUBTYPE, 5),
    ("istanbul", SUBTYPE, 6),
    ("bdver1", SUBTYPE, 7),
    ("bdver2", SUBTYPE, 8),
    ("bdver3", SUBTYPE, 9),
    ("bdver4", SUBTYPE, 10),
    ("znver1", SUBTYPE, 11),
    ("ivybridge", SUBTYPE, 12),
    ("haswell", SUBTYPE, 13),
    ("broadwell", SUBTYPE, 14),
    ("skylake", SUBTYPE, 15),
    ("skylake-avx512", SUBTYPE, 16),
    ("cannonlake", SUBTYPE, 17),
    ("icelake-client", SUBTYPE, 18),
    ("icelake-server", SUBTYPE, 19),
    ("znver2", SUBTYPE, 20),
    ("cascadelake", SUBTYPE, 21),
    ("tigerlake", SUBTYPE, 22),
    ("cooperlake", SUBTYPE, 23),
    ("sapphirerapids", SUBTYPE, 24),
    ("alderlake", SUBTYPE, 25),
    ("znver3", SUBTYPE, 26),
    ("rocketlake", SUBTYPE, 27),
];

/// `__builtin_cpu_init()`
pub fn init(fx: &mut Fx<'_, '_>) -> Rvalue {
    Rvalue::Scalar(calls::library_value(fx, "__cpu_indicator_init", &[], Type::I32))
}

/// `__builtin_cpu_supports("avx2")`: the feature's bit, or 0.
pub fn supports(fx: &mut Fx<'_, '_>, name: ExprRef<'_>) -> Rvalue {
    let Some(number) = FEATURES.split_ascii_whitespace().position(|f| names(name, f)) else { return unknown(fx) };
    let (object, offset) = match number {
        0..32 => ("__cpu_model", FIRST_FEATURES),
        _ => ("__cpu_features2", (number as i64 / 32 - 1) * 4),
    };
    let word = word(fx, object, offset);
    let bit = fx.iconst(Type::I32, i64::from(1i32 << (number % 32)));
    Rvalue::Scalar(fx.b().binary(ir::Opcode::And, word, bit))
}

/// `__builtin_cpu_is("haswell")`: 1 or 0.
pub fn is(fx: &mut Fx<'_, '_>, name: ExprRef<'_>) -> Rvalue {
    let Some(&(_, field, value)) = PROCESSORS.iter().find(|row| names(name, row.0)) else { return unknown(fx) };
    let word = word(fx, "__cpu_model", field);
    let value = fx.iconst(Type::I32, value);
    let bit = fx.b().icmp(ir::IntCc::Eq, word, value);
    Rvalue::Scalar(fx.int_cast(bit, Type::I32, false))
}

fn names(literal: ExprRef<'_>, wanted: &str) -> bool {
    let mut literal = literal;
    while let ExprKind::Cast { operand, .. } | ExprKind::AddrOf(operand) = literal.kind {
        literal = operand;
    }
    let ExprKind::String(string) = literal.kind else { return false };
    string.bytes.strip_suffix(b"\0").unwrap_or(string.bytes) == wanted.as_bytes()
}

fn unknown(fx: &mut Fx<'_, '_>) -> Rvalue {
    fx.session.error(fx.loc, "parameter to builtin not valid").emit();
    Rvalue::Scalar(fx.iconst(Type::I32, 0))
}

fn word(fx: &mut Fx<'_, '_>, object: &str, offset: i64) -> Value {
    let symbol: SymbolId = fx.state.module.external_object(object);
    fx.state.module.symbols[symbol].referenced = true;
    let address = fx.func.symbol_const(symbol, offset);
    fx.load(Type::I32, Place::new(address, 4), AliasTags::any())
}
