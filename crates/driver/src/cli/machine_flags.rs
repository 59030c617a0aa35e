//! The `-m` family, where it has an effect: names without `-m`.

use super::spec::{Effect, Form, Spec, equals, flag, refuse, toggle};
use crate::invocation::Invocation;
use target::options::{CodeModel, X86Features as F};

/// The rows.
#[rustfmt::skip]
pub static TABLE: &[Spec] = &[
    equals("arch=", set_arch),
    equals("cpu=", |_, _| Ok(())),
    equals("cmodel=", set_code_model),
    equals("asm=", |i, v| match v {
        "att" => { i.options.codegen.intel_syntax = false; Ok(()) }
        "intel" => { i.options.codegen.intel_syntax = true; Ok(()) }
        _ => Err(format!("unrecognized argument in option {}", super::quote(&format!("-masm={v}")))),
    }),
    toggle("red-zone", |i, on| i.options.codegen.red_zone = on),
    flag("general-regs-only", |i| i.options.codegen.general_regs_only = true),
    refuse("long-double-64", "long double is the x87 unit's"), refuse("long-double-128", "long double is the x87 unit's"),
    equals("preferred-stack-boundary=", |i, v| match v.parse() {
        Ok(n @ 3..=12) => { i.options.codegen.stack_boundary = n; Ok(()) }
        _ => Err(format!("{} is not between 3 and 12", super::quote(&format!("-mpreferred-stack-boundary={v}")))),
    }),
    equals("abi=", |_, v| if v == "sysv" { Ok(()) } else { Err(format!("{} is not supported: only the System V ABI is", super::quote(&format!("-mabi={v}")))) }),
    flag("no-sse4", |i| remove(i, F::SSE4_1)),
    refuse("sse4", NOT_GENERATED),
    flag("stackrealign", |i| i.options.codegen.stack_boundary = i.options.codegen.stack_boundary.max(4)),
    toggle("ms-bitfields", |_, _| {}),

    refuse("no-80387", "long double needs the x87 unit"), refuse("soft-float", "there is no software floating point"),
    refuse("no-fp-ret-in-387", "it changes the ABI"), refuse("96bit-long-double", "it changes the ABI"),
    refuse("fpmath=", "floating point uses SSE"), refuse("regparm=", "it is for 32-bit code"), refuse("rtd", "it is for 32-bit code"),
    refuse("sseregparm", "it is for 32-bit code"), refuse("align-double", "it is for 32-bit code"), refuse("iamcu", "it is for 32-bit code"),
    refuse("address-mode=", "only 64-bit addresses are generated"), refuse("android", "only Linux with glibc or musl is supported"), refuse("bionic", "only Linux with glibc or musl is supported"),
    refuse("uclibc", "only Linux with glibc or musl is supported"), refuse("musl", "the C library is the one that is installed"),
    refuse("indirect-branch=", "there are no thunks"), refuse("function-return=", "there are no thunks"), refuse("indirect-branch-register", "there are no thunks"),
    refuse("indirect-branch-cs-prefix", "there are no thunks"), refuse("harden-sls=", "straight-line speculation is not guarded"), refuse("force-indirect-call", "there are no thunks"),
    refuse("fentry", "there is no profiling"), refuse("nop-mcount", "there is no profiling"), refuse("record-mcount", "there is no profiling"),
    refuse("instrument-return=", "there is no profiling"), refuse("fentry-name=", "there is no profiling"), refuse("fentry-section=", "there is no profiling"),
    refuse("stack-protector-guard=", "the guard is the C library's, at %fs:40"), refuse("stack-protector-guard-reg=", "the guard is the C library's, at %fs:40"),
    refuse("stack-protector-guard-offset=", "the guard is the C library's, at %fs:40"), refuse("stack-protector-guard-symbol=", "the guard is the C library's, at %fs:40"),
    refuse("pc32", "the x87 unit keeps its precision"), refuse("pc64", "the x87 unit keeps its precision"), Spec { name: "pc80", form: Form::Exact, effect: Effect::Hint },
    refuse("veclibabi=", "there is no vector library"), refuse("tls-dialect=gnu2", "TLS descriptors are not there"),
    refuse("intel-syntax", "use -masm=intel"), refuse("manual-endbr", "the cf_check attribute is not there"),
];

/// Instruction sets gcc 12 knows and no code is generated for: their builtins would be missing, so the flag is refused.
const FOREIGN_FEATURES: &str = "
3dnow 3dnowa amx-bf16 amx-int8 amx-tile avx5124fmaps avx5124vnniw avx512bf16 avx512bitalg avx512er avx512fp16 avx512ifma
avx512pf avx512vbmi avx512vbmi2 avx512vnni avx512vp2intersect avx512vpopcntdq avxvnni cldemote clwb clzero crc32 enqcmd fma4
gfni hle hreset kl lwp movdir64b movdiri mpx mwait mwaitx pconfig pku prefetchwt1 ptwrite rdpid rtm serialize sgx shstk
sse2avx sse4a tbm tsxldtrk uintr vaes vpclmulqdq waitpkg wbnoinvd widekl xop xsavec xsaveopt xsaves cet-switch
";

/// Instruction sets the back end uses and the intrinsic headers cover. `-march=` asks for at most these: leaving an
/// instruction out is always right. `-mavx` and the like are refused outside of it, so that a build that asks whether the
/// compiler has them gets the truth.
pub const GENERATED: F = F::BASELINE;

const NOT_GENERATED: &str = "this instruction set is not generated";

/// `-mavx`, `-mno-avx`: hands the row and the direction to `queue`. False when `text` names no feature.
pub fn apply_feature(queue: &mut impl FnMut(&'static Spec, bool), text: &str) -> bool {
    let (name, on) = match text.strip_prefix("no-") {
        Some(name) => (name, false),
        None => (text, true),
    };
    if let Some(spec) = FEATURES.iter().find(|s| s.name == name) {
        let known = F::TABLE.iter().any(|row| row.0 == name && GENERATED.has(row.3));
        queue(if on && !known { &NO_SUCH_FEATURE } else { spec }, on);
        return true;
    }
    if FOREIGN_FEATURES.split_ascii_whitespace().any(|f| f == name) {
        if on {
            queue(&NO_SUCH_FEATURE, true);
        }
        return true;
    }
    false
}

static NO_SUCH_FEATURE: Spec = Spec { name: "-m<feature>", form: Form::Exact, effect: Effect::Refuse(NOT_GENERATED) };

macro_rules! feature_rows {
    ($($name:literal $konst:ident)*) => {
        &[$(toggle($name, |i, on| if on { i.options.codegen.features.insert(F::$konst) } else { remove(i, F::$konst) })),*]
    };
}

#[rustfmt::skip]
static FEATURES: &[Spec] = feature_rows! {
    "fxsr" FXSR "mmx" MMX "sse" SSE "sse2" SSE2 "sse3" SSE3 "ssse3" SSSE3 "sse4.1" SSE4_1 "sse4.2" SSE4_2 "avx" AVX "avx2" AVX2
    "fma" FMA "f16c" F16C "bmi" BMI "bmi2" BMI2 "lzcnt" LZCNT "popcnt" POPCNT "movbe" MOVBE "cx16" CX16 "sahf" SAHF "aes" AES
    "pclmul" PCLMUL "sha" SHA "rdrnd" RDRND "rdseed" RDSEED "adx" ADX "fsgsbase" FSGSBASE "xsave" XSAVE "prfchw" PRFCHW
    "clflushopt" CLFLUSHOPT "avx512f" AVX512F "avx512cd" AVX512CD "avx512bw" AVX512BW "avx512dq" AVX512DQ "avx512vl" AVX512VL
};

fn remove(inv: &mut Invocation, feature: F) {
    // The feature's own bit: what is left of the closure when everything it implies is taken away.
    if let Some((_, _, own, _)) = F::TABLE.iter().find(|row| row.3 == feature) {
        inv.options.codegen.features.remove(*own);
    }
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

/// `-march=`: the features of each processor that this compiler has names for.
fn set_arch(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let plus = |base: F, more: &[F]| more.iter().fold(base, |a, b| F(a.0 | b.0));
    let sandybridge = || plus(F::V2, &[F::AVX, F::PCLMUL, F::XSAVE]);
    let ivybridge = || plus(sandybridge(), &[F::FSGSBASE, F::RDRND, F::F16C]);
    let haswell = || plus(F::V3, &[F::PCLMUL, F::XSAVE, F::FSGSBASE, F::RDRND]);
    let skylake = || plus(haswell(), &[F::AES, F::ADX, F::RDSEED, F::PRFCHW, F::CLFLUSHOPT]);
    let skylake_avx512 = || plus(skylake(), &[F::V4]);
    let zen = || plus(skylake(), &[F::SHA]);
    let wanted = match v {
        "x86-64" | "k8" | "opteron" | "athlon64" | "athlon-fx" | "generic" => F::BASELINE,
        "nocona" | "k8-sse3" | "opteron-sse3" | "athlon64-sse3" => plus(F::BASELINE, &[F::SSE3, F::CX16]),
        "core2" => plus(F::BASELINE, &[F::SSSE3, F::CX16, F::SAHF]),
        "amdfam10" | "barcelona" => plus(F::BASELINE, &[F::SSE3, F::CX16, F::SAHF, F::POPCNT, F::LZCNT, F::PRFCHW]),
        "x86-64-v2" | "nehalem" | "corei7" | "bonnell" => F::V2,
        "westmere" | "silvermont" => plus(F::V2, &[F::PCLMUL]),
        "sandybridge" | "corei7-avx" => sandybridge(),
        "ivybridge" | "core-avx-i" => ivybridge(),
        "x86-64-v3" => F::V3,
        "haswell" | "core-avx2" => haswell(),
        "broadwell" => plus(haswell(), &[F::ADX, F::RDSEED, F::PRFCHW]),
        "skylake" => skylake(),
        "x86-64-v4" => F::V4,
        "skylake-avx512" | "cascadelake" | "cannonlake" | "cooperlake" => skylake_avx512(),
        "icelake-client" | "icelake-server" | "rocketlake" | "tigerlake" | "sapphirerapids" => {
            plus(skylake_avx512(), &[F::SHA])
        }
        "alderlake" => plus(skylake(), &[F::SHA]),
        "znver1" | "znver2" | "znver3" => zen(),
        "znver4" => plus(zen(), &[F::V4]),
        "native" => native(),
        _ => return Err(format!("bad value ({}) for {} switch", super::quote(v), super::quote("-march="))),
    };
    inv.options.codegen.features = F(wanted.0 & GENERATED.0);
    Ok(())
}

/// What the processor this runs on has.
fn native() -> F {
    macro_rules! detect {
        ($($name:tt $konst:ident)*) => {{
            let mut set = F::BASELINE;
            $(if std::arch::is_x86_feature_detected!($name) { set.insert(F::$konst); })*
            set
        }};
    }
    detect! {
        "sse3" SSE3 "ssse3" SSSE3 "sse4.1" SSE4_1 "sse4.2" SSE4_2 "avx" AVX "avx2" AVX2 "fma" FMA "f16c" F16C "bmi1" BMI
        "bmi2" BMI2 "lzcnt" LZCNT "popcnt" POPCNT "movbe" MOVBE "cmpxchg16b" CX16 "aes" AES "pclmulqdq" PCLMUL "sha" SHA
        "rdrand" RDRND "rdseed" RDSEED "adx" ADX "xsave" XSAVE "avx512f" AVX512F "avx512cd" AVX512CD "avx512bw" AVX512BW
        "avx512dq" AVX512DQ "avx512vl" AVX512VL
    }
}
