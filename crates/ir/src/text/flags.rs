//! Instruction suffixes: the flag bits of each opcode by name.

use crate::instructions::{BranchHint, FloatCc, IntCc, Opcode, Ordering, flags};

const INT_WRAP: &[(u8, &str)] = &[(flags::NSW, "nsw"), (flags::NUW, "nuw")];
const INT_EXACT: &[(u8, &str)] = &[(flags::EXACT, "exact")];
const ADDRESS: &[(u8, &str)] = &[(flags::INBOUNDS, "inbounds")];
const BITS: &[(u8, &str)] = &[(flags::ZERO_UNDEF, "zero_undef")];
const MEMORY: &[(u8, &str)] = &[(flags::VOLATILE, "volatile"), (flags::NONTEMPORAL, "nontemporal")];
const LOAD: &[(u8, &str)] = &[
    (flags::VOLATILE, "volatile"),
    (flags::NONTEMPORAL, "nontemporal"),
    (flags::WITH_PREVIOUS, "with_previous"),
    (flags::WITH_NEXT, "with_next"),
];
const BLOCK: &[(u8, &str)] = &[(flags::VOLATILE, "volatile")];
const FLOAT: &[(u8, &str)] = &[
    (flags::CONTRACT, "contract"),
    (flags::REASSOC, "reassoc"),
    (flags::FINITE, "finite"),
    (flags::NO_SIGNED_ZERO, "nsz"),
];
const CALL: &[(u8, &str)] = &[(flags::TAIL, "tail"), (flags::MUST_TAIL, "musttail")];
const FCMP: &[(u8, &str)] = &[(flags::SIGNALING, "signaling")];
const CMPXCHG: &[(u8, &str)] = &[(flags::WEAK, "weak")];

/// The single-bit flags of an opcode.
fn bit_names(opcode: Opcode) -> &'static [(u8, &'static str)] {
    use Opcode::*;
    match opcode {
        Add | Sub | Mul | Shl => INT_WRAP,
        SDiv | UDiv | LShr | AShr => INT_EXACT,
        PtrAdd => ADDRESS,
        Ctlz | Cttz => BITS,
        Load => LOAD,
        Store => MEMORY,
        MemCpy | MemMove | MemSet | Asm | AsmBr => BLOCK,
        FAdd | FSub | FMul | FDiv | FNeg | FAbs | Sqrt | FMin | FMax | CopySign | Fma | FpTrunc | FpExt => FLOAT,
        Call => CALL,
        FCmp => FCMP,
        CmpXchg => CMPXCHG,
        _ => &[],
    }
}

/// Appends `.suffix` for everything the flags of an instruction say.
pub fn write_suffixes(out: &mut String, opcode: Opcode, bits: u8) {
    let mut push = |name: &str| {
        out.push('.');
        out.push_str(name);
    };
    match opcode {
        Opcode::ICmp => push(IntCc::from_index((bits & 0xf) as u32).name()),
        Opcode::FCmp => push(FloatCc::from_index((bits & 0xf) as u32).name()),
        Opcode::CondBr if bits != 0 => push(&BranchHint::of_flags(bits).name()),
        Opcode::AtomicLoad | Opcode::AtomicStore | Opcode::AtomicRmw | Opcode::Fence => {
            push(Ordering::from_index((bits & 7) as u32).name());
        }
        Opcode::CmpXchg => {
            push(Ordering::from_index((bits & 7) as u32).name());
            push(Ordering::from_index((bits >> 3 & 7) as u32).name());
        }
        _ => {}
    }
    for &(mask, name) in bit_names(opcode) {
        if bits & mask != 0 {
            push(name);
        }
    }
    if matches!(opcode, Opcode::AtomicLoad | Opcode::AtomicStore | Opcode::AtomicRmw) && bits & flags::VOLATILE != 0 {
        push("volatile");
    }
}

/// The flags that these suffixes spell.
pub fn parse_suffixes(opcode: Opcode, suffixes: &[&str]) -> Result<u8, String> {
    let mut bits = 0;
    for (index, &name) in suffixes.iter().enumerate() {
        let ordering = || Ordering::from_name(name).map(|o| o as u8);
        let enumerated = match opcode {
            Opcode::ICmp if index == 0 => IntCc::from_name(name).map(|c| c as u8),
            Opcode::FCmp if index == 0 => FloatCc::from_name(name).map(|c| c as u8),
            Opcode::CondBr => BranchHint::from_name(name).map(BranchHint::flags),
            Opcode::AtomicLoad | Opcode::AtomicStore | Opcode::AtomicRmw if name == "volatile" => Some(flags::VOLATILE),
            Opcode::AtomicLoad | Opcode::AtomicStore | Opcode::AtomicRmw | Opcode::Fence => ordering(),
            Opcode::CmpXchg if index == 0 => ordering(),
            Opcode::CmpXchg if index == 1 => ordering().map(|o| o << 3),
            _ => None,
        };
        let bit = || bit_names(opcode).iter().find(|(_, n)| *n == name).map(|(mask, _)| *mask);
        match enumerated.or_else(bit) {
            Some(mask) => bits |= mask,
            None => return Err(format!("'{name}' is no suffix of '{}'", opcode.name())),
        }
    }
    Ok(bits)
}
