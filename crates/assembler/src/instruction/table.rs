//! Mnemonic to candidate encodings, from the tables of iced-x86.
//!
//! Built once, on the first instruction that needs it. A candidate is one iced
//! `Code` with the kinds of its operands; whether given operands fit a kind, and
//! which size an operand has for AT&T suffixes, is decided here.

use std::sync::LazyLock;

use iced_x86::{Code, CpuidFeature, EncodingKind, Mnemonic, OpCodeOperandKind as Kind, Register};
use rustc_hash::FxHashMap;

use super::operand::Operand;
use crate::mode::Mode;

/// One encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub code: Code,
    pub kinds: [Kind; 5],
    pub count: usize,
    /// Lower is preferred whatever the length: 0 for legacy and VEX, 1 for EVEX.
    pub rank: u8,
    pub encoding: EncodingKind,
}

type Table = FxHashMap<&'static str, Vec<Candidate>>;

/// The encodings of a mnemonic in iced's (Intel's) spelling, lower case.
pub(crate) fn candidates(mnemonic: &str, mode: Mode) -> &'static [Candidate] {
    static TABLE_16: LazyLock<Table> = LazyLock::new(|| build(Mode::Code16));
    static TABLE_32: LazyLock<Table> = LazyLock::new(|| build(Mode::Code32));
    static TABLE_64: LazyLock<Table> = LazyLock::new(|| build(Mode::Code64));
    let table = match mode.bits() {
        16 => &TABLE_16,
        32 => &TABLE_32,
        _ => &TABLE_64,
    };
    table.get(mnemonic).map_or(&[], |list| &list[..])
}

fn build(mode: Mode) -> Table {
    let mut names: FxHashMap<Mnemonic, &'static str> = FxHashMap::default();
    let mut table: FxHashMap<&'static str, Vec<Candidate>> = FxHashMap::default();
    for code in Code::values() {
        let info = code.op_code();
        let exists = match mode.bits() {
            16 => info.mode16(),
            32 => info.mode32(),
            _ => info.mode64(),
        };
        if !info.is_instruction() || !exists || info.encoding() == EncodingKind::MVEX || info.fwait() {
            continue;
        }
        // Old encodings that no processor of this architecture runs any more.
        if info.is_reserved_nop() || is_obsolete(code) {
            continue;
        }
        let name = *names
            .entry(code.mnemonic())
            .or_insert_with(|| Box::leak(format!("{:?}", code.mnemonic()).to_ascii_lowercase().into_boxed_str()));
        let mut kinds = [Kind::None; 5];
        let count = info.op_count() as usize;
        for (i, kind) in kinds.iter_mut().enumerate().take(count) {
            *kind = info.op_kind(i as u32);
        }
        let rank = match info.encoding() {
            EncodingKind::EVEX => 1,
            // The VEX forms of instructions that had EVEX forms first need {vex}.
            EncodingKind::VEX if code.cpuid_features().iter().any(|f| is_late_vex(*f)) => 2,
            _ => 0,
        };
        table.entry(name).or_default().push(Candidate { code, kinds, count, rank, encoding: info.encoding() });
    }
    table
}

fn is_late_vex(feature: CpuidFeature) -> bool {
    matches!(feature, CpuidFeature::AVX_VNNI | CpuidFeature::AVX_IFMA | CpuidFeature::AVX_NE_CONVERT)
}

/// Encodings that share a mnemonic with the one meant today.
fn is_obsolete(code: Code) -> bool {
    code.cpuid_features().iter().any(|feature| {
        matches!(
            feature,
            CpuidFeature::CYRIX_FPU
                | CpuidFeature::CYRIX_SMM
                | CpuidFeature::CYRIX_EMMI
                | CpuidFeature::CYRIX_SMINT
                | CpuidFeature::CYRIX_SMINT_0F7E
                | CpuidFeature::CYRIX_SHR
                | CpuidFeature::CYRIX_DDI
                | CpuidFeature::KNC
                | CpuidFeature::INTEL386_A0_ONLY
                | CpuidFeature::INTEL486_A_ONLY
                | CpuidFeature::CL1INVMB
                | CpuidFeature::MOV_TR
        )
    })
}

/// Size in bytes of the general register (or accumulator) that a kind stands for, 0 for others.
pub(crate) fn gpr_size(kind: Kind) -> u32 {
    use Kind::*;
    match kind {
        r8_or_mem | r8_reg | r8_opcode | al => 1,
        r16_or_mem | r16_reg | r16_reg_mem | r16_rm | r16_opcode | ax => 2,
        r32_or_mem | r32_or_mem_mpx | r32_reg | r32_reg_mem | r32_rm | r32_opcode | r32_vvvv | eax => 4,
        r64_or_mem | r64_or_mem_mpx | r64_reg | r64_reg_mem | r64_rm | r64_opcode | r64_vvvv | rax => 8,
        _ => 0,
    }
}

/// Whether the kind may be a memory operand.
pub(crate) fn takes_memory(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        mem | mem_mpx
            | mem_mib
            | mem_vsib32x
            | mem_vsib64x
            | mem_vsib32y
            | mem_vsib64y
            | mem_vsib32z
            | mem_vsib64z
            | r8_or_mem
            | r16_or_mem
            | r32_or_mem
            | r32_or_mem_mpx
            | r64_or_mem
            | r64_or_mem_mpx
            | mm_or_mem
            | xmm_or_mem
            | ymm_or_mem
            | zmm_or_mem
            | bnd_or_mem_mpx
            | k_or_mem
            | sibmem
            | mem_offs
    )
}

/// Whether the kind is an operand that text may leave out.
pub(crate) fn is_implied(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, es_rDI | seg_rSI | seg_rDI | seg_rBX_al | st0 | imm8_const_1)
}

/// Whether the kind is the accumulator or port of a string instruction.
pub(crate) fn is_string_register(kind: Kind) -> bool {
    use Kind::*;
    matches!(kind, al | ax | eax | rax | dx)
}

/// Whether an operand can be what the kind describes. `value` is the number of an immediate, if
/// known.
pub(crate) fn fits(kind: Kind, operand: &Operand, value: Option<i64>) -> bool {
    match operand {
        Operand::Register(register) => register_fits(kind, *register),
        Operand::Immediate(_) => immediate_fits(kind, value),
        Operand::Memory(memory) => match kind {
            Kind::mem_offs => memory.base == Register::None && memory.index == Register::None,
            Kind::mem_vsib32x | Kind::mem_vsib64x => memory.index.is_xmm(),
            Kind::mem_vsib32y | Kind::mem_vsib64y => memory.index.is_ymm(),
            Kind::mem_vsib32z | Kind::mem_vsib64z => memory.index.is_zmm(),
            Kind::es_rDI | Kind::seg_rDI => memory.base.full_register() == Register::RDI,
            Kind::seg_rSI => memory.base.full_register() == Register::RSI,
            Kind::seg_rBX_al => memory.base.full_register() == Register::RBX,
            // `(%dx)` as a port.
            Kind::dx => memory.base == Register::DX,
            _ => takes_memory(kind) && !memory.index.is_vector_register(),
        },
    }
}

fn register_fits(kind: Kind, register: Register) -> bool {
    use Kind::*;
    match kind {
        al => register == Register::AL,
        cl => register == Register::CL,
        ax => register == Register::AX,
        dx => register == Register::DX,
        eax => register == Register::EAX,
        rax => register == Register::RAX,
        st0 => register == Register::ST0,
        es => register == Register::ES,
        cs => register == Register::CS,
        ss => register == Register::SS,
        ds => register == Register::DS,
        fs => register == Register::FS,
        gs => register == Register::GS,
        sti_opcode => register.is_st(),
        seg_reg => register.is_segment_register(),
        k_reg | kp1_reg | k_rm | k_vvvv | k_or_mem => register.is_k(),
        mm_reg | mm_rm | mm_or_mem => register.is_mm(),
        xmm_reg | xmm_rm | xmm_vvvv | xmmp3_vvvv | xmm_is4 | xmm_is5 | xmm_or_mem => register.is_xmm(),
        ymm_reg | ymm_rm | ymm_vvvv | ymm_is4 | ymm_is5 | ymm_or_mem => register.is_ymm(),
        zmm_reg | zmm_rm | zmm_vvvv | zmmp3_vvvv | zmm_or_mem => register.is_zmm(),
        cr_reg => register.is_cr(),
        dr_reg => register.is_dr(),
        tr_reg => register.is_tr(),
        bnd_reg | bnd_or_mem_mpx => register.is_bnd(),
        tmm_reg | tmm_rm | tmm_vvvv => register.is_tmm(),
        _ => match gpr_size(kind) {
            1 => register.is_gpr8(),
            2 => register.is_gpr16(),
            4 => register.is_gpr32(),
            8 => register.is_gpr64(),
            _ => false,
        },
    }
}

fn immediate_fits(kind: Kind, value: Option<i64>) -> bool {
    use Kind::*;
    let Some(n) = value else {
        // A symbol's address, or something known later.
        return matches!(kind, imm8 | imm16 | imm32 | imm32sex64 | imm64);
    };
    let byte = i8::try_from(n).is_ok();
    // A number stands for its low bits, as long as those above are equal (GNU as: `~0x8000`).
    let low_16 = (-0xffff..0x1_0000).contains(&n);
    let low_32 = (-0xffff_ffff..0x1_0000_0000).contains(&n);
    match kind {
        imm4_m2z => (0..4).contains(&n),
        imm8 => (-128..256).contains(&n),
        imm8_const_1 => n == 1,
        imm8sex16 => byte || (0xff80..=0xffff).contains(&n),
        imm8sex32 => byte || (0xffff_ff80..=0xffff_ffff).contains(&n),
        imm8sex64 => byte,
        imm16 => low_16,
        imm32 => low_32,
        imm32sex64 => i32::try_from(n).is_ok(),
        imm64 => true,
        _ => false,
    }
}

/// Whether the kind is a sign-extended byte.
pub(crate) fn is_short_immediate(kind: Kind) -> bool {
    matches!(kind, Kind::imm8sex16 | Kind::imm8sex32 | Kind::imm8sex64)
}
