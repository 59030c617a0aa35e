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
const PROCESSORS: &[(&str, i64, u32)] = &[
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
    ("btver1", TYPE, 8),
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
    let Some(test) = literal(name).and_then(feature) else { return unknown(fx) };
    let word = word(fx, test);
    let bit = fx.iconst(Type::I32, i64::from(test.value as i32));
    Rvalue::Scalar(fx.b().binary(ir::Opcode::And, word, bit))
}

/// `__builtin_cpu_is("haswell")`: 1 or 0.
pub fn is(fx: &mut Fx<'_, '_>, name: ExprRef<'_>) -> Rvalue {
    let Some(test) = literal(name).and_then(processor) else { return unknown(fx) };
    let word = word(fx, test);
    let value = fx.iconst(Type::I32, i64::from(test.value));
    let bit = fx.b().icmp(ir::IntCc::Eq, word, value);
    Rvalue::Scalar(fx.int_cast(bit, Type::I32, false))
}

/// One question about the processor.
#[derive(Clone, Copy)]
pub struct Test {
    /// The object that has the answer.
    pub object: &'static str,
    /// Where the 32-bit word is in it.
    pub offset: i64,
    /// What the word is compared with, or a bit of it.
    pub value: u32,
    /// A bit is asked for.
    pub is_bit: bool,
}

/// What a version for these `target_clones` needs; `None` for the default one.
pub fn test_of(version: &str) -> Option<Test> {
    match version.strip_prefix("arch=") {
        Some("core-avx-i") => processor("ivybridge"),
        Some("corei7-avx") => processor("sandybridge"),
        Some("core-avx2") => processor("haswell"),
        Some("amdfam10") => processor("amdfam10h"),
        Some(name) => processor(name).or_else(|| feature(name)),
        None => feature(version),
    }
}

fn feature(name: &str) -> Option<Test> {
    let number = FEATURES.split_ascii_whitespace().position(|f| f == name)?;
    let (object, offset) = match number {
        0..32 => ("__cpu_model", FIRST_FEATURES),
        _ => ("__cpu_features2", (number as i64 / 32 - 1) * 4),
    };
    Some(Test { object, offset, value: 1 << (number % 32), is_bit: true })
}

fn processor(name: &str) -> Option<Test> {
    let &(_, offset, value) = PROCESSORS.iter().find(|row| row.0 == name)?;
    Some(Test { object: "__cpu_model", offset, value, is_bit: false })
}

/// The text of a string literal.
fn literal<'t>(expression: ExprRef<'t>) -> Option<&'t str> {
    let mut literal = expression;
    while let ExprKind::Cast { operand, .. } | ExprKind::AddrOf(operand) = literal.kind {
        literal = operand;
    }
    let ExprKind::String(string) = literal.kind else { return None };
    std::str::from_utf8(string.bytes.strip_suffix(b"\0").unwrap_or(string.bytes)).ok()
}

fn unknown(fx: &mut Fx<'_, '_>) -> Rvalue {
    fx.session.error(fx.loc, "parameter to builtin not valid").emit();
    Rvalue::Scalar(fx.iconst(Type::I32, 0))
}

fn word(fx: &mut Fx<'_, '_>, test: Test) -> Value {
    let symbol: SymbolId = fx.state.module.external_object(test.object);
    fx.state.module.symbols[symbol].referenced = true;
    let address = fx.func.symbol_const(symbol, test.offset);
    fx.load(Type::I32, Place::new(address, 4), AliasTags::any())
}
