//! Whether what a function does depends on where its body stands or on which activation runs it:
//! for the inliner and for tail recursion; and which body a symbol certainly stands for.

use crate::{FuncId, Function, Module, Opcode, SymbolDef, SymbolId};

/// The function that a symbol certainly stands for at run time: its body is in this module and
/// cannot be replaced by another.
pub fn exact_definition(module: &Module, symbol: SymbolId, pic: bool) -> Option<FuncId> {
    let data = &module.symbols[symbol];
    let replaceable = match data.linkage {
        crate::Linkage::Local => false,
        crate::Linkage::Weak => true,
        // In a shared library the dynamic linker may bind a default-visibility name elsewhere.
        crate::Linkage::Global => {
            pic && data.visibility == crate::Visibility::Default && !data.attrs.has(crate::FnAttrs::INLINE_HINT)
        }
    };
    match data.def {
        SymbolDef::Function(id) if !replaceable => Some(id),
        _ => None,
    }
}

/// Whether a copy of a body may stand in the place of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copying {
    /// Nothing is in the way.
    Free,
    /// What it computes depends on where it stands; only `always_inline` moves it.
    Forced,
    /// Left as it is, which is not the program's fault.
    Refused,
    /// Never, for a reason to tell those who insist.
    Impossible(&'static str),
}

/// Whether nothing in a function's body depends on where it stands, or on which activation it is.
pub fn is_freely_copied(func: &Function) -> bool {
    copying(func) == Copying::Free
}

/// How far a function's body may be copied to where it is called, or be run again in one
/// activation.
pub fn copying(func: &Function) -> Copying {
    if func.blocks().next().is_none() {
        return Copying::Refused;
    }
    if func.calls_setjmp {
        return Copying::Impossible("it uses setjmp");
    }
    let mut out = if func.labels.is_empty() { Copying::Free } else { Copying::Forced };
    for inst in func.all_insts() {
        match func.insts[inst].opcode {
            Opcode::VaStart => return Copying::Impossible("it uses variable argument lists"),
            Opcode::IndirectBr => return Copying::Impossible("it contains a computed goto"),
            Opcode::BlockAddr => out = Copying::Forced,
            Opcode::Intrinsic => match func.insts[inst].intrinsic() {
                crate::Intrinsic::ArgumentRegisters => {
                    return Copying::Impossible("it passes its arguments on as they came");
                }
                crate::Intrinsic::SetJmp => return Copying::Impossible("it receives a non-local goto"),
                crate::Intrinsic::EhReturn => return Copying::Impossible("it returns to a handler in another frame"),
                crate::Intrinsic::StaticChain | crate::Intrinsic::NonlocalGoto => return Copying::Refused,
                crate::Intrinsic::FrameAddress | crate::Intrinsic::ReturnAddress | crate::Intrinsic::DwarfCfa => {
                    out = Copying::Forced;
                }
                _ => {}
            },
            _ => {}
        }
    }
    out
}
