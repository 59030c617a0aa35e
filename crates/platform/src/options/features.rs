//! Instruction-set extensions: names, what implies what, processors, the arguments of `target`
//! attributes.
//!
//! The names are those of gcc's `-m` options, the implications those of gcc 12
//! (`gcc/common/config/i386/i386-common.cc` documents them as option masks; here each row lists
//! what its feature needs).

/// Instruction-set extensions in use, as a bit set; each has its gcc `-m` name and `__MACRO__`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct X86Features(pub u64);

macro_rules! features {
    ($($bit:literal $konst:ident $flag:literal $macro_:literal [$($implied:ident)*];)*) => {
        impl X86Features {
            $(
                #[doc = concat!("`-m", $flag, "`.")]
                pub const $konst: X86Features = X86Features(1 << $bit $(| X86Features::$implied.0)*);
            )*
            /// Name after `-m`, macro it defines (empty: none), its bit alone, the set with what it
            /// implies. In bit order.
            pub const TABLE: &'static [(&'static str, &'static str, u64, X86Features)] =
                &[$(($flag, $macro_, 1 << $bit, X86Features::$konst)),*];
        }
    };
}

features! {
    0 FXSR "fxsr" "__FXSR__" [];
    1 MMX "mmx" "__MMX__" [];
    2 SSE "sse" "__SSE__" [];
    3 SSE2 "sse2" "__SSE2__" [SSE];
    4 SSE3 "sse3" "__SSE3__" [SSE2];
    5 SSSE3 "ssse3" "__SSSE3__" [SSE3];
    6 SSE4_1 "sse4.1" "__SSE4_1__" [SSSE3];
    7 SSE4_2 "sse4.2" "__SSE4_2__" [SSE4_1];
    26 XSAVE "xsave" "__XSAVE__" [];
    8 AVX "avx" "__AVX__" [SSE4_2 XSAVE];
    9 AVX2 "avx2" "__AVX2__" [AVX];
    10 FMA "fma" "__FMA__" [AVX];
    11 F16C "f16c" "__F16C__" [AVX];
    12 BMI "bmi" "__BMI__" [];
    13 BMI2 "bmi2" "__BMI2__" [];
    14 LZCNT "lzcnt" "__LZCNT__" [];
    15 POPCNT "popcnt" "__POPCNT__" [];
    16 MOVBE "movbe" "__MOVBE__" [];
    17 CX16 "cx16" "__GCC_HAVE_SYNC_COMPARE_AND_SWAP_16" [];
    18 SAHF "sahf" "__LAHF_SAHF__" [];
    19 AES "aes" "__AES__" [SSE2];
    20 PCLMUL "pclmul" "__PCLMUL__" [SSE2];
    21 SHA "sha" "__SHA__" [SSE2];
    22 RDRND "rdrnd" "__RDRND__" [];
    23 RDSEED "rdseed" "__RDSEED__" [];
    24 ADX "adx" "__ADX__" [];
    25 FSGSBASE "fsgsbase" "__FSGSBASE__" [];
    27 PRFCHW "prfchw" "__PRFCHW__" [];
    28 CLFLUSHOPT "clflushopt" "__CLFLUSHOPT__" [];
    29 AVX512F "avx512f" "__AVX512F__" [AVX2];
    30 AVX512CD "avx512cd" "__AVX512CD__" [AVX512F];
    31 AVX512BW "avx512bw" "__AVX512BW__" [AVX512F];
    32 AVX512DQ "avx512dq" "__AVX512DQ__" [AVX512F];
    33 AVX512VL "avx512vl" "__AVX512VL__" [AVX512F];
    34 CRC32 "crc32" "__CRC32__" [];
    35 XSAVEOPT "xsaveopt" "__XSAVEOPT__" [XSAVE];
    36 XSAVEC "xsavec" "__XSAVEC__" [XSAVE];
    37 XSAVES "xsaves" "__XSAVES__" [XSAVE];
    38 CLWB "clwb" "__CLWB__" [];
    39 RDPID "rdpid" "__RDPID__" [];
    40 UINTR "uintr" "__UINTR__" [];
    41 RTM "rtm" "__RTM__" [];
    42 WAITPKG "waitpkg" "__WAITPKG__" [];
    43 SERIALIZE "serialize" "__SERIALIZE__" [];
    44 PKU "pku" "__PKU__" [];
    45 SHSTK "shstk" "__SHSTK__" [];
    46 MOVDIRI "movdiri" "__MOVDIRI__" [];
    47 MOVDIR64B "movdir64b" "__MOVDIR64B__" [];
    48 CLDEMOTE "cldemote" "__CLDEMOTE__" [];
    49 CLZERO "clzero" "__CLZERO__" [];
    50 PTWRITE "ptwrite" "__PTWRITE__" [];
    51 TSXLDTRK "tsxldtrk" "__TSXLDTRK__" [];
    52 WBNOINVD "wbnoinvd" "__WBNOINVD__" [];
    53 MWAITX "mwaitx" "__MWAITX__" [];
    54 ENQCMD "enqcmd" "__ENQCMD__" [];
    55 HRESET "hreset" "__HRESET__" [];
    56 PCONFIG "pconfig" "__PCONFIG__" [];
    58 ABM "abm" "__ABM__" [LZCNT POPCNT];
}

/// Instruction sets gcc 12 knows and this compiler has neither code nor intrinsics for.
const FOREIGN: &str = "
3dnow 3dnowa amx-bf16 amx-int8 amx-tile avx5124fmaps avx5124vnniw avx512bf16 avx512bitalg avx512er avx512fp16
avx512ifma avx512pf avx512vbmi avx512vbmi2 avx512vnni avx512vp2intersect avx512vpopcntdq avxvnni fma4 gfni hle kl lwp
mpx mwait prefetchwt1 sgx sse2avx sse4a tbm vaes vpclmulqdq widekl xop
";

/// What a name in `-m`, `target("...")` or `#pragma GCC target` stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// Features; turned off, the ones that need any of `own` go.
    Known {
        /// The features' own bits.
        own: u64,
        /// With all they imply.
        all: X86Features,
    },
    /// gcc has it, this compiler does not; what it implies that this compiler has.
    Foreign(X86Features),
}

impl X86Features {
    /// The x86-64 psABI's baseline (level 1).
    pub const BASELINE: X86Features = X86Features(Self::FXSR.0 | Self::MMX.0 | Self::SSE2.0);
    /// x86-64-v2.
    pub const V2: X86Features =
        X86Features(Self::BASELINE.0 | Self::SSE4_2.0 | Self::POPCNT.0 | Self::CRC32.0 | Self::CX16.0 | Self::SAHF.0);
    /// x86-64-v3.
    pub const V3: X86Features = X86Features(
        Self::V2.0
            | Self::AVX2.0
            | Self::FMA.0
            | Self::F16C.0
            | Self::BMI.0
            | Self::BMI2.0
            | Self::LZCNT.0
            | Self::MOVBE.0,
    );
    /// x86-64-v4.
    pub const V4: X86Features =
        X86Features(Self::V3.0 | Self::AVX512CD.0 | Self::AVX512BW.0 | Self::AVX512DQ.0 | Self::AVX512VL.0);

    /// `-mfpmath=387`: arithmetic on `float` and `double` is done with the precision of the x87
    /// unit. No instruction set, but it is asked for where they are, for a unit or for one
    /// function, and code made for it does not go where it was not asked for.
    pub const MATH_387: X86Features = X86Features(1 << 57);

    /// `-mprefer-vector-width=128`: loops are not vectorised in wider registers. As much an
    /// instruction set as [`X86Features::MATH_387`].
    pub const HALF_VECTORS: X86Features = X86Features(1 << 59);

    /// What code is generated for and the intrinsic headers cover: everything with a name but
    /// AVX-512. `-march=` asks for at most these: leaving an instruction out is always right.
    pub const GENERATED: X86Features = X86Features(((1 << 57) - 1) & !(0b11111 << 29) | 1 << 58);

    /// All of `other`'s features are in this set.
    pub fn has(self, other: X86Features) -> bool {
        self.0 & other.0 == other.0
    }

    /// Add features. SSE4.2 brings `popcnt` and `crc32` along, as in gcc; they can be turned off
    /// again.
    pub fn insert(&mut self, other: X86Features) {
        self.0 |= other.0;
        if other.has(Self::SSE4_2) {
            self.0 |= Self::POPCNT.0 | Self::CRC32.0;
        }
    }

    /// Whether code may use the `xmm` registers. What has no SSE passes floating arguments on the
    /// stack and computes with the x87 unit.
    pub fn has_sse(self) -> bool {
        self.has(Self::SSE2)
    }

    /// SSE without SSE2: code does without both, but others have arguments in `xmm` registers.
    pub fn has_half_of_sse(self) -> bool {
        self.has(Self::SSE) && !self.has(Self::SSE2)
    }

    /// Turns [`X86Features::MATH_387`] on or off.
    pub fn set_math(&mut self, x87: bool) {
        self.0 = if x87 { self.0 | Self::MATH_387.0 } else { self.0 & !Self::MATH_387.0 };
    }

    /// The argument of `-mprefer-vector-width=`. Whether it is one.
    pub fn prefer_width(&mut self, width: &str) -> bool {
        match width {
            "128" => self.0 |= Self::HALF_VECTORS.0,
            "256" | "512" | "none" => self.0 &= !Self::HALF_VECTORS.0,
            _ => return false,
        }
        true
    }

    /// Remove the features whose own bits are in `bits`, and every feature that implies one of
    /// them.
    pub fn remove(&mut self, bits: u64) {
        for &(_, _, own, closure) in Self::TABLE {
            if closure.0 & bits != 0 {
                self.0 &= !own;
            }
        }
    }

    /// `-mgeneral-regs-only`: no extension with registers of its own. The x87 unit is no extension:
    /// see `Codegen::x87`.
    pub fn remove_registers(&mut self) {
        self.remove(Self::SSE.0 | Self::MMX.0);
    }

    /// The feature of gcc's name without `-m` and `no-`.
    pub fn named(name: &str) -> Option<Named> {
        let group = |list: &[X86Features]| {
            let all = X86Features(list.iter().fold(0, |bits, f| bits | f.0));
            let own = Self::TABLE.iter().filter(|row| list.contains(&row.3)).fold(0, |bits, row| bits | row.2);
            Some(Named::Known { own, all })
        };
        if name == "sse4" {
            return group(&[Self::SSE4_2]);
        }
        if let Some(&(_, _, own, all)) = Self::TABLE.iter().find(|row| row.0 == name) {
            let generated = Self::GENERATED.has(all);
            // Processors with AVX-512 have these, too, and its intrinsics are made of them.
            let implied = X86Features(all.0 & Self::GENERATED.0 | Self::FMA.0 | Self::F16C.0);
            return Some(if generated { Named::Known { own, all } } else { Named::Foreign(implied) });
        }
        let implied = match name {
            "vpclmulqdq" => X86Features(Self::AVX.0 | Self::PCLMUL.0),
            "vaes" => X86Features(Self::AVX.0 | Self::AES.0),
            _ if name.starts_with("avx512") => X86Features(Self::AVX2.0 | Self::FMA.0 | Self::F16C.0),
            _ if name.starts_with("avx") => Self::AVX2,
            _ => X86Features(0),
        };
        FOREIGN.split_ascii_whitespace().any(|f| f == name).then_some(Named::Foreign(implied))
    }

    /// Names of the instruction sets that code is generated for.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Self::TABLE.iter().filter(|row| Self::GENERATED.has(row.3)).map(|row| row.0)
    }
}

/// What computes `float` and `double`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MathUnit {
    /// SSE.
    Sse,
    /// The x87 unit, in its precision.
    X87,
    /// Either, in any precision.
    Both,
}

/// The argument of `-mfpmath=`.
pub fn math_unit(name: &str) -> Option<MathUnit> {
    Some(match name {
        "sse" => MathUnit::Sse,
        "387" => MathUnit::X87,
        "both" | "sse,387" | "387,sse" | "sse+387" | "387+sse" => MathUnit::Both,
        _ => return None,
    })
}

/// What the processor this runs on has.
pub(super) fn native() -> X86Features {
    use X86Features as F;
    macro_rules! detect {
        ($($name:tt $konst:ident)*) => {{
            let mut set = F::BASELINE;
            $(if std::arch::is_x86_feature_detected!($name) { set.0 |= F::$konst.0; })*
            set
        }};
    }
    detect! {
        "sse3" SSE3 "ssse3" SSSE3 "sse4.1" SSE4_1 "sse4.2" SSE4_2 "sse4.2" CRC32 "avx" AVX "avx2" AVX2 "fma" FMA "f16c" F16C
        "bmi1" BMI "bmi2" BMI2 "lzcnt" LZCNT "popcnt" POPCNT "movbe" MOVBE "cmpxchg16b" CX16 "aes" AES "pclmulqdq" PCLMUL
        "sha" SHA "rdrand" RDRND "rdseed" RDSEED "adx" ADX "xsave" XSAVE "xsaveopt" XSAVEOPT "xsavec" XSAVEC "xsaves" XSAVES
        "avx512f" AVX512F "avx512cd" AVX512CD "avx512bw" AVX512BW "avx512dq" AVX512DQ "avx512vl" AVX512VL
    }
}

impl Default for X86Features {
    fn default() -> Self {
        X86Features::BASELINE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_arguments() {
        let mut set = X86Features::BASELINE;
        set.apply_target("sse4.2,aes").expect("known");
        assert!(set.has(X86Features::SSSE3) && set.has(X86Features::POPCNT) && set.has(X86Features::AES));
        set.apply_target("no-sse4.1").expect("known");
        assert!(!set.has(X86Features::SSE4_2) && set.has(X86Features::AES) && set.has(X86Features::SSSE3));
        set.apply_target("arch=x86-64-v4").expect("known");
        assert!(set.has(X86Features::V2) && set.has(X86Features::BMI2) && !set.has(X86Features::AVX512F));
        let before = set;
        set.apply_target("avx512f,no-avx512vl").expect("known");
        assert_eq!(set, before);
        assert!(set.apply_target("avx3").is_err_and(|m| m.contains("unknown")));
    }
}
