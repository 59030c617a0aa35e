//! Processors of `-march=` and `-mtune=`: the instruction sets of each, as far as
//! [`X86Features`] has a name for them, and the macros that tell its name (gcc's manual, "x86
//! Options").

use super::features::X86Features as F;

/// A row: processors that differ in their names only.
pub struct Processor {
    /// Names after `-march=`.
    names: &'static str,
    /// Stems of the macros `__STEM`, `__STEM__` and, where tuning is for this processor,
    /// `__tune_STEM__`.
    macros: &'static str,
    /// Instruction sets, those included that no code is generated for.
    pub features: F,
}

/// Names that only `-mtune=` takes; they have no macros.
const TUNINGS: &[&str] = &["generic", "intel", "native"];

const fn all(list: &[F]) -> F {
    let mut bits = 0;
    let mut at = 0;
    while at < list.len() {
        bits |= list[at].0;
        at += 1;
    }
    F(bits)
}

#[rustfmt::skip]
mod sets {
    use super::{F, all};
    pub const K8_SSE3: F = all(&[F::BASELINE, F::SSE3]);
    pub const NOCONA: F = all(&[K8_SSE3, F::CX16]);
    pub const EDEN_X2: F = all(&[K8_SSE3, F::SAHF]);
    pub const NANO: F = all(&[EDEN_X2, F::SSSE3]);
    pub const CORE2: F = all(&[NANO, F::CX16]);
    pub const NANO_3000: F = all(&[NANO, F::SSE4_1]);
    pub const BONNELL: F = all(&[CORE2, F::MOVBE]);
    pub const AMDFAM10: F = all(&[NOCONA, F::SAHF, F::PRFCHW, F::ABM]);
    pub const WESTMERE: F = all(&[F::V2, F::PCLMUL]);
    pub const BTVER1: F = all(&[AMDFAM10, F::SSSE3, F::XSAVE]);
    pub const SANDYBRIDGE: F = all(&[WESTMERE, F::AVX, F::XSAVEOPT]);
    pub const SILVERMONT: F = all(&[WESTMERE, F::MOVBE, F::RDRND, F::PRFCHW]);
    pub const IVYBRIDGE: F = all(&[SANDYBRIDGE, F::F16C, F::RDRND, F::FSGSBASE]);
    pub const BDVER1: F = all(&[WESTMERE, F::AVX, F::AES, F::PRFCHW, F::ABM]);
    pub const BDVER2: F = all(&[BDVER1, F::FMA, F::F16C, F::BMI]);
    pub const BTVER2: F = all(&[BDVER1, F::F16C, F::BMI, F::MOVBE, F::XSAVEOPT]);
    pub const BDVER3: F = all(&[BDVER2, F::FSGSBASE, F::XSAVEOPT]);
    pub const HASWELL: F = all(&[F::V3, F::PCLMUL, F::RDRND, F::FSGSBASE, F::XSAVEOPT]);
    pub const GOLDMONT: F = all(&[SILVERMONT, F::AES, F::SHA, F::RDSEED, F::FSGSBASE, F::CLFLUSHOPT, F::XSAVEOPT, F::XSAVEC, F::XSAVES]);
    pub const GOLDMONT_PLUS: F = all(&[GOLDMONT, F::RDPID, F::PTWRITE]);
    pub const BROADWELL: F = all(&[HASWELL, F::RDSEED, F::ADX, F::PRFCHW]);
    pub const BDVER4: F = all(&[HASWELL, F::AES, F::PRFCHW, F::MWAITX, F::ABM]);
    pub const KNL: F = all(&[BROADWELL, F::AVX512CD]);
    pub const SKYLAKE: F = all(&[BROADWELL, F::AES, F::CLFLUSHOPT, F::XSAVEC, F::XSAVES]);
    pub const TREMONT: F = all(&[GOLDMONT_PLUS, F::CLWB, F::WAITPKG, F::MOVDIRI, F::MOVDIR64B, F::CLDEMOTE]);
    pub const ZNVER1: F = all(&[SKYLAKE, F::SHA, F::CLZERO, F::MWAITX, F::ABM]);
    pub const SKYLAKE_AVX512: F = all(&[SKYLAKE, F::AVX512CD, F::AVX512BW, F::AVX512DQ, F::AVX512VL, F::CLWB, F::PKU]);
    pub const CANNONLAKE: F = all(&[SKYLAKE, F::SHA, F::AVX512CD, F::AVX512BW, F::AVX512DQ, F::AVX512VL, F::PKU]);
    pub const ZNVER2: F = all(&[ZNVER1, F::CLWB, F::RDPID, F::WBNOINVD]);
    pub const ICELAKE_CLIENT: F = all(&[CANNONLAKE, F::RDPID]);
    pub const ZNVER3: F = all(&[ZNVER2, F::PKU]);
    pub const ICELAKE_SERVER: F = all(&[ICELAKE_CLIENT, F::CLWB, F::WBNOINVD, F::PCONFIG]);
    pub const TIGERLAKE: F = all(&[ICELAKE_CLIENT, F::CLWB, F::MOVDIRI, F::MOVDIR64B]);
    pub const ALDERLAKE: F = all(&[SKYLAKE, F::SHA, F::CLWB, F::RDPID, F::WAITPKG, F::SERIALIZE, F::PKU, F::MOVDIRI, F::MOVDIR64B, F::CLDEMOTE, F::PTWRITE, F::HRESET, F::PCONFIG]);
    pub const SAPPHIRERAPIDS: F = all(&[ICELAKE_SERVER, F::UINTR, F::WAITPKG, F::SERIALIZE, F::MOVDIRI, F::MOVDIR64B, F::CLDEMOTE, F::PTWRITE, F::TSXLDTRK, F::ENQCMD]);
    pub const ZNVER4: F = all(&[ZNVER3, F::V4]);
}
use sets::*;

/// The rows, those with fewer instruction sets first.
#[rustfmt::skip]
const PROCESSORS: &[Processor] = &[
    Processor { names: "x86-64", macros: "k8", features: F::BASELINE },
    Processor { names: "k8 opteron athlon64 athlon-fx", macros: "k8", features: F::BASELINE },
    Processor { names: "k8-sse3 opteron-sse3 athlon64-sse3", macros: "k8", features: K8_SSE3 },
    Processor { names: "nocona", macros: "nocona", features: NOCONA },
    Processor { names: "eden-x2", macros: "k8", features: EDEN_X2 },
    Processor { names: "nano nano-1000 nano-2000", macros: "k8", features: NANO },
    Processor { names: "core2", macros: "core2", features: CORE2 },
    Processor { names: "nano-3000 nano-x2 eden-x4 nano-x4", macros: "k8", features: NANO_3000 },
    Processor { names: "bonnell atom", macros: "atom bonnell", features: BONNELL },
    Processor { names: "amdfam10 barcelona", macros: "amdfam10", features: AMDFAM10 },
    Processor { names: "nehalem corei7", macros: "corei7 nehalem", features: F::V2 },
    Processor { names: "x86-64-v2", macros: "k8", features: F::V2 },
    Processor { names: "westmere", macros: "corei7 nehalem", features: WESTMERE },
    Processor { names: "btver1", macros: "btver1", features: BTVER1 },
    Processor { names: "sandybridge corei7-avx", macros: "corei7_avx sandybridge", features: SANDYBRIDGE },
    Processor { names: "silvermont slm", macros: "silvermont slm", features: SILVERMONT },
    Processor { names: "ivybridge core-avx-i", macros: "corei7_avx sandybridge", features: IVYBRIDGE },
    Processor { names: "bdver1", macros: "bdver1", features: BDVER1 },
    Processor { names: "x86-64-v3", macros: "k8", features: F::V3 },
    Processor { names: "bdver2", macros: "bdver2", features: BDVER2 },
    Processor { names: "btver2", macros: "btver2", features: BTVER2 },
    Processor { names: "bdver3", macros: "bdver3", features: BDVER3 },
    Processor { names: "haswell core-avx2", macros: "core_avx2 haswell", features: HASWELL },
    Processor { names: "goldmont", macros: "goldmont", features: GOLDMONT },
    Processor { names: "x86-64-v4", macros: "k8", features: F::V4 },
    Processor { names: "goldmont-plus", macros: "goldmont_plus", features: GOLDMONT_PLUS },
    Processor { names: "broadwell", macros: "core_avx2 haswell", features: BROADWELL },
    Processor { names: "bdver4", macros: "bdver4", features: BDVER4 },
    Processor { names: "knl", macros: "knl", features: KNL },
    Processor { names: "knm", macros: "knm", features: KNL },
    Processor { names: "skylake", macros: "skylake", features: SKYLAKE },
    Processor { names: "tremont", macros: "tremont", features: TREMONT },
    Processor { names: "znver1", macros: "znver1", features: ZNVER1 },
    Processor { names: "skylake-avx512", macros: "skylake_avx512", features: SKYLAKE_AVX512 },
    Processor { names: "cannonlake", macros: "cannonlake", features: CANNONLAKE },
    Processor { names: "cascadelake", macros: "cascadelake", features: SKYLAKE_AVX512 },
    Processor { names: "cooperlake", macros: "cooperlake", features: SKYLAKE_AVX512 },
    Processor { names: "znver2", macros: "znver2", features: ZNVER2 },
    Processor { names: "icelake-client", macros: "icelake_client", features: ICELAKE_CLIENT },
    Processor { names: "rocketlake", macros: "rocketlake", features: ICELAKE_CLIENT },
    Processor { names: "znver3", macros: "znver3", features: ZNVER3 },
    Processor { names: "icelake-server", macros: "icelake_server", features: ICELAKE_SERVER },
    Processor { names: "tigerlake", macros: "tigerlake", features: TIGERLAKE },
    Processor { names: "alderlake", macros: "alderlake", features: ALDERLAKE },
    Processor { names: "sapphirerapids", macros: "sapphirerapids", features: SAPPHIRERAPIDS },
    Processor { names: "znver4", macros: "znver4", features: ZNVER4 },
];

impl Processor {
    /// The processor of this name.
    pub fn named(name: &str) -> Option<&'static Processor> {
        PROCESSORS.iter().find(|p| p.names.split(' ').any(|n| n == name))
    }

    /// Stems of the macros of its name.
    pub fn macros(&self) -> impl Iterator<Item = &'static str> {
        self.macros.split(' ')
    }
}

/// All names that `-march=` takes.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROCESSORS.iter().flat_map(|p| p.names.split(' ')).chain(["native"])
}

/// Whether `-mtune=` takes the name: levels of the psABI other than the first are no processors.
pub fn is_tuning(name: &str) -> bool {
    TUNINGS.contains(&name) || !name.starts_with("x86-64-v") && Processor::named(name).is_some()
}

/// Names that only `-mtune=` takes.
pub fn is_tuning_alone(name: &str) -> bool {
    matches!(name, "generic" | "intel")
}

/// Stems of the macros `__tune_STEM__`. `-march=` of a level of the psABI tunes for no processor.
pub fn tuned_for(march: &str, mtune: Option<&str>) -> impl Iterator<Item = &'static str> {
    let name = mtune.unwrap_or(if march.starts_with("x86-64") { "generic" } else { march });
    Processor::named(name).into_iter().flat_map(Processor::macros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_processors() {
        let haswell = Processor::named("core-avx2").expect("known");
        assert!(haswell.features.has(F::V3) && !haswell.features.has(F::ADX));
        assert_eq!(haswell.macros().collect::<Vec<_>>(), ["core_avx2", "haswell"]);
        assert!(is_tuning("generic") && is_tuning("x86-64") && !is_tuning("x86-64-v3") && !is_tuning("k9"));
        assert_eq!(tuned_for("x86-64-v3", None).count(), 0);
        assert_eq!(tuned_for("skylake", Some("znver1")).collect::<Vec<_>>(), ["znver1"]);
    }
}
