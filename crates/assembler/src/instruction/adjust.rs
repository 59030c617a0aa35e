//! Spellings of one instruction brought to the form that the tables have.

use iced_x86::Register;

use super::{
    Syntax,
    operand::{Memory, Operand, Parsed, Prefix},
};
use crate::expression::Expr;
use crate::mode::Mode;

/// The instruction's name in the tables where the operands decide it.
pub(super) fn mnemonic<'a>(mnemonic: &'a str, operands: &[Operand]) -> &'a str {
    // x87 arithmetic without operands pops.
    match mnemonic {
        "fadd" if operands.is_empty() => "faddp",
        "fmul" if operands.is_empty() => "fmulp",
        "fsub" if operands.is_empty() => "fsubp",
        "fsubr" if operands.is_empty() => "fsubrp",
        "fdiv" if operands.is_empty() => "fdivp",
        "fdivr" if operands.is_empty() => "fdivrp",
        // The register says how much is moved.
        "movd" if operands.iter().any(is_gpr64) => "movq",
        "vmovd" if operands.iter().any(is_gpr64) => "vmovq",
        // Of a segment register there is one size.
        "movw" | "movl" | "movq"
            if operands.iter().any(|o| matches!(o, Operand::Register(r) if r.is_segment_register())) =>
        {
            "mov"
        }
        "lldtw" => "lldt",
        "ltrw" => "ltr",
        "lmsww" => "lmsw",
        "verrw" => "verr",
        "verww" => "verw",
        "fldl" | "fstl" | "fstpl" | "fcoml" | "fcompl" if matches!(operands, [Operand::Register(r)] if r.is_st()) => {
            match mnemonic {
                "fldl" => "fld",
                "fstl" => "fst",
                "fstpl" => "fstp",
                "fcoml" => "fcom",
                _ => "fcomp",
            }
        }
        "int" if operands == [Operand::Immediate(Expr::Number(3))] => "int3",
        other => other,
    }
}

/// Operands that texts write in more ways than the tables have.
pub(super) fn operands(mnemonic: &str, parsed: &mut Parsed, syntax: Syntax, mode: Mode) {
    address_registers(mnemonic, parsed, mode);
    let operands = &mut parsed.operands;
    if mnemonic == "int3" {
        operands.clear();
    }
    narrow_operands(mnemonic, operands, mode);
    add_accumulator(mnemonic, operands);
    for operand in &mut *operands {
        if let Operand::Memory(memory) = operand {
            drop_default_segment(memory);
        }
    }
    let xmm0 = Operand::Register(Register::XMM0);
    let implicit_xmm0 = ["blendvps", "blendvpd", "pblendvb", "sha256rnds2"].contains(&mnemonic);
    if implicit_xmm0 && operands.len() == 3 && operands[2] == xmm0 {
        operands.pop();
    }
    if mnemonic.starts_with("imul") && operands.len() == 2 && matches!(operands[1], Operand::Immediate(_)) {
        let register = operands[0].clone();
        operands.insert(0, register);
    }
    if mnemonic.starts_with("xchg") || mnemonic.starts_with("test") {
        // Symmetrical: memory comes first in the tables.
        if operands.len() == 2 && matches!(operands[1], Operand::Memory(_)) {
            operands.swap(0, 1);
        }
        // The accumulator comes second in the short forms.
        if mnemonic.starts_with("xchg")
            && operands.len() == 2
            && is_accumulator(&operands[0])
            && !is_accumulator(&operands[1])
        {
            operands.swap(0, 1);
        }
    }
    if (mnemonic.starts_with("enter") || mnemonic.starts_with("bound")) && syntax == Syntax::Att {
        // Two immediates stay in Intel's order, and so does this register.
        operands.reverse();
    }
    if matches!(mnemonic, "aam" | "aad") && operands.is_empty() {
        operands.push(Operand::Immediate(Expr::Number(10)));
    }
    if mnemonic == "fnstsw" && operands.is_empty() {
        operands.push(Operand::Register(Register::AX));
    }
    let stack_pair = [
        "fadd", "faddp", "fmul", "fmulp", "fsub", "fsubp", "fsubr", "fsubrp", "fdiv", "fdivp", "fdivr", "fdivrp",
        "fxch", "fucom", "fucomp", "fcom", "fcomp", "fcomi", "fcomip", "fucomi", "fucomip",
    ];
    if operands.is_empty() && stack_pair.contains(&mnemonic) {
        operands.push(Operand::Register(Register::ST1));
    }
}

/// Whether registers that an instruction wants different are different: `Err` where it is an error
/// that they are not, a text where it is a warning.
pub(super) fn distinct_registers(mnemonic: &str, operands: &[Operand]) -> Result<Option<&'static str>, &'static str> {
    let register = |operand: &Operand| match operand {
        Operand::Register(register) => Some(*register),
        _ => None,
    };
    let number = |operand: &Operand| register(operand).map(|r| r.number());
    let complex = ["vfmulc", "vfcmulc", "vfmaddc", "vfcmaddc"].iter().any(|stem| mnemonic.starts_with(stem));
    match operands {
        [to, a, b] if [to, a, b].iter().all(|o| register(o).is_some_and(|r| r.is_tmm())) => {
            let same = to == a || to == b || a == b;
            if same { Err("all tmm registers must be distinct") } else { Ok(None) }
        }
        [to, sources @ ..] if complex => {
            let same = sources.iter().any(|source| number(source).is_some() && number(source) == number(to));
            if same { Err("destination and source registers must be distinct") } else { Ok(None) }
        }
        [to, Operand::Memory(memory), rest @ ..] if memory.index.is_vector_register() => {
            let index = Some(memory.index.number());
            let masks = rest.iter().any(|mask| number(mask).is_some_and(|n| Some(n) == number(to) || Some(n) == index));
            let same = number(to) == index || masks;
            let what = match rest {
                [] => "index and destination registers should be distinct",
                _ => "mask, index, and destination registers should be distinct",
            };
            Ok(same.then_some(what))
        }
        _ => Ok(None),
    }
}

fn is_accumulator(operand: &Operand) -> bool {
    matches!(operand, Operand::Register(Register::AX | Register::EAX | Register::RAX))
}

fn is_gpr64(operand: &Operand) -> bool {
    matches!(operand, Operand::Register(register) if register.is_gpr64())
}

/// Instructions that give or take no more than 32 bits of a general register: with a 64-bit one the
/// form without REX.W does the same, and GNU `as` takes it.
fn uses_low_half(mnemonic: &str) -> bool {
    let plain = mnemonic.strip_prefix('v').unwrap_or(mnemonic);
    matches!(
        plain,
        "pmovmskb" | "movmskps" | "movmskpd" | "pextrb" | "pextrw" | "extractps" | "pinsrb" | "pinsrw" | "sldt" | "str"
    )
}

/// Registers that instructions have anyway may be written. Where the first is an address, its width
/// is the address size.
fn address_registers(mnemonic: &str, parsed: &mut Parsed, mode: Mode) {
    let has_address =
        matches!(mnemonic, "monitor" | "monitorx" | "clzero" | "invlpga" | "vmload" | "vmsave" | "vmrun" | "pvalidate");
    let waits = matches!(mnemonic, "umwait" | "tpause") && parsed.operands.len() == 3;
    if waits {
        parsed.operands.retain(
            |o| !matches!(o, Operand::Register(r) if matches!(r.full_register(), Register::RAX | Register::RDX)),
        );
    }
    let implied = has_address
        || matches!(mnemonic, "mwait" | "mwaitx" | "skinit" | "rmpadjust" | "rmpupdate" | "psmash" | "rdpru");
    let registers = parsed.operands.iter().all(|o| matches!(o, Operand::Register(r) if r.is_gpr()));
    if !implied || !registers || parsed.operands.is_empty() {
        return;
    }
    let address = match (syntax_first(parsed), mode.bits()) {
        (Some(register), _) if !has_address || register.size() as u32 == mode.address_size(false) => None,
        (Some(register), _) if register.size() as u32 == mode.address_size(true) => Some(Prefix::Addr32),
        _ => None,
    };
    parsed.prefixes.extend(address);
    parsed.operands.clear();
}

/// The register that holds the address: the accumulator.
fn syntax_first(parsed: &Parsed) -> Option<Register> {
    parsed.operands.iter().find_map(|operand| match operand {
        Operand::Register(register) if register.full_register() == Register::RAX => Some(*register),
        _ => None,
    })
}

/// The accumulator of `in`, `out`, `div` and `idiv` is left out or written.
fn add_accumulator(mnemonic: &str, operands: &mut Vec<Operand>) {
    let accumulator = match mnemonic.as_bytes().last() {
        Some(b'b') => Register::AL,
        Some(b'w') => Register::AX,
        _ => Register::EAX,
    };
    match (mnemonic, operands.len()) {
        ("inb" | "inw" | "inl", 1) => operands.insert(0, Operand::Register(accumulator)),
        ("outb" | "outw" | "outl", 1) => operands.push(Operand::Register(accumulator)),
        ("faddp" | "fmulp", 2) if operands[0] == Operand::Register(Register::ST0) => operands.swap(0, 1),
        ("div" | "idiv" | "divb" | "divw" | "divl" | "divq" | "idivb" | "idivw" | "idivl" | "idivq", 2)
            if is_accumulator(&operands[0]) || operands[0] == Operand::Register(Register::AL) =>
        {
            operands.remove(0);
        }
        _ => {}
    }
}

/// Segment and descriptor registers have 16 bits in memory whatever the operand size is, and the
/// upper half of a 64-bit register is zero anyway: the form without prefixes does it.
fn narrow_operands(mnemonic: &str, operands: &mut [Operand], mode: Mode) {
    let usual = |register: Register| match mode.is_16() {
        true => narrow_register(register),
        false => register.full_register32(),
    };
    let is_segment = |o: &Operand| matches!(o, Operand::Register(r) if r.is_segment_register());
    let segment = operands.iter().any(is_segment) && mnemonic == "mov";
    let descriptor =
        matches!(mnemonic, "sldt" | "str" | "smsw" | "lldt" | "ltr" | "lmsw" | "lsl" | "lar" | "verr" | "verw");
    // Only 16 bits are read: no size needs a prefix.
    let reads_word =
        segment && is_segment(&operands[0]) || matches!(mnemonic, "lldt" | "ltr" | "lmsw" | "verr" | "verw" | "arpl");
    if reads_word {
        for operand in operands.iter_mut() {
            if let Operand::Register(register) = operand
                && register.is_gpr()
            {
                *register = usual(*register);
            }
        }
    }
    if matches!(mnemonic, "lar" | "lsl")
        && let [Operand::Register(to), Operand::Register(from)] = operands
    {
        // The tables have operands of one width; the selector is the low half of either.
        match () {
            () if to.is_gpr64() => *from = from.full_register(),
            () if to.is_gpr32() => *from = from.full_register32(),
            () => {}
        }
    }
    for operand in operands {
        match operand {
            Operand::Memory(memory) if memory.size == 2 && (segment || descriptor) => memory.size = 0,
            Operand::Register(register) if register.is_gpr64() && (segment || uses_low_half(mnemonic)) => {
                *register = register.full_register32();
            }
            _ => {}
        }
    }
}

/// The 16-bit part of a general register.
fn narrow_register(register: Register) -> Register {
    Register::try_from(Register::AX as usize + register.full_register32().number()).unwrap_or(register)
}

/// Naming the segment that an address has anyway changes nothing.
fn drop_default_segment(memory: &mut Memory) {
    let stack = matches!(memory.base, Register::RSP | Register::ESP | Register::RBP | Register::EBP);
    if memory.segment == if stack { Register::SS } else { Register::DS } {
        memory.segment = Register::None;
    }
}
