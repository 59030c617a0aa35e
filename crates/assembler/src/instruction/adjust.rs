//! Spellings of one instruction brought to the form that the tables have.

use iced_x86::Register;

use super::{
    Syntax,
    operand::{Memory, Operand, Parsed},
};
use crate::expression::Expr;

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
        "int" if operands == [Operand::Immediate(Expr::Number(3))] => "int3",
        other => other,
    }
}

/// Operands that texts write in more ways than the tables have.
pub(super) fn operands(mnemonic: &str, parsed: &mut Parsed, syntax: Syntax) {
    let operands = &mut parsed.operands;
    if mnemonic == "int3" {
        operands.clear();
    }
    narrow_operands(mnemonic, operands);
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
    let implied_registers =
        ["monitor", "mwait", "monitorx", "mwaitx", "invlpga", "vmload", "vmsave", "vmrun", "skinit"];
    if implied_registers.contains(&mnemonic) && operands.iter().all(|o| matches!(o, Operand::Register(_))) {
        operands.clear();
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
    if mnemonic.starts_with("enter") && syntax == Syntax::Att {
        // Two immediates stay in Intel's order.
        operands.reverse();
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

/// Segment and descriptor registers have 16 bits in memory whatever the operand size is, and the
/// upper half of a 64-bit register is zero anyway: the form without prefixes does it.
fn narrow_operands(mnemonic: &str, operands: &mut [Operand]) {
    let segment = operands.iter().any(|o| matches!(o, Operand::Register(r) if r.is_segment_register()));
    let segment = segment && mnemonic == "mov";
    let descriptor =
        matches!(mnemonic, "sldt" | "str" | "smsw" | "lldt" | "ltr" | "lmsw" | "lsl" | "lar" | "verr" | "verw");
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

/// Naming the segment that an address has anyway changes nothing.
fn drop_default_segment(memory: &mut Memory) {
    let stack = matches!(memory.base, Register::RSP | Register::ESP | Register::RBP | Register::EBP);
    if memory.segment == if stack { Register::SS } else { Register::DS } {
        memory.segment = Register::None;
    }
}
