//! Where arguments and results travel: System V x86-64 psABI, sections 3.2.3 (parameter passing),
//! 3.5.7 (variable arguments).
//!
//! The front end has classified C types already ([`Signature`] is a list of scalars, vectors
//! and memory copies); what is left here is counting registers. Offsets into the stack argument
//! area are bytes from its start: from `rsp` right before the `call`, from `rbp + 16` in a callee
//! with a frame pointer.

#[cfg(test)]
mod tests;

use platform::registers::{
    INTEGER_ARGUMENTS, KEPT_BY_INTERRUPTS, MS_CALLEE_SAVED, MS_INTEGER_ARGUMENTS, R10, RAX, RDI, RDX, RSI, Reg, RegSet,
    SSE_ARGUMENTS, ST0, ST1, XMM0, XMM1,
};
use smallvec::SmallVec;

use crate::{ParamKind, Signature, Type};

/// Where one parameter travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamPlace {
    /// In a general or SSE register (a 32-byte vector in the `ymm` register).
    Reg(Reg),
    /// The value is in the stack argument area.
    Stack {
        /// Byte offset in the area.
        offset: u64,
    },
    /// A copy of the object lies in the stack argument area; the parameter value is its address.
    ByVal {
        /// Byte offset in the area.
        offset: u64,
        /// Bytes copied.
        size: u64,
        /// Alignment in bytes.
        align: u32,
    },
}

/// A signature with every place filled in.
#[derive(Clone, Debug, Default)]
pub struct CallLayout {
    /// One place per parameter.
    pub params: SmallVec<[ParamPlace; 6]>,
    /// The register of each result. `st0`, `st1` are the x87 stack from its top.
    pub returns: SmallVec<[Reg; 2]>,
    /// Bytes of the stack argument area that are used, a multiple of 8 (not padded to the call's
    /// alignment). For a variadic callee this is where the first unnamed memory argument lies,
    /// before its own alignment.
    pub stack_size: u64,
    /// Alignment that the memory arguments ask of the area's start, at least 8. Calls as such ask
    /// for what the code generator says.
    pub stack_align: u32,
    /// General registers taken by arguments, 0..=6 (the static chain not counted).
    pub gprs: u8,
    /// SSE registers taken by arguments, 0..=8; a caller of a variadic function passes it in `al`.
    pub xmms: u8,
    /// Whether the callee takes variable arguments.
    pub variadic: bool,
}

/// Alignment of the stack at calls that the ABI asks for.
pub const STACK_ALIGN: u32 = 16;

/// Bytes from the start of the register save area to the SSE registers (six general registers of 8
/// bytes).
pub const SAVE_AREA_FP_OFFSET: u32 = 48;
/// Bytes of the whole register save area (then eight SSE registers of 16 bytes).
pub const SAVE_AREA_SIZE: u32 = 176;

/// Size and alignment of a variadic function's save area: without SSE only the part of the general
/// registers.
pub fn save_area(has_sse: bool) -> (u64, u32) {
    if has_sse { (u64::from(SAVE_AREA_SIZE), 16) } else { (u64::from(SAVE_AREA_FP_OFFSET), 8) }
}

/// Offsets of the fields of `va_list`'s element (psABI figure 3.34).
pub mod va_list {
    /// `unsigned gp_offset`
    pub const GP_OFFSET: i32 = 0;
    /// `unsigned fp_offset`
    pub const FP_OFFSET: i32 = 4;
    /// `void *overflow_arg_area`
    pub const OVERFLOW_ARG_AREA: i32 = 8;
    /// `void *reg_save_area`
    pub const REG_SAVE_AREA: i32 = 16;
    /// Bytes of the whole.
    pub const SIZE: u64 = 24;
}

/// Whether values of this type live in SSE registers when passed (all floats but x87's, all
/// vectors).
pub fn is_sse(ty: Type) -> bool {
    ty.is_vector() || matches!(ty, Type::F16 | Type::F32 | Type::F64 | Type::F128)
}

/// Whether values of this type live in a general register.
pub fn is_gpr(ty: Type) -> bool {
    ty.is_ptr() || (ty.is_int() && ty != Type::I128)
}

/// Whether an argument of this type can be in a register at all. `wide_vectors`: the target has
/// `ymm` registers (AVX).
fn fits_register(ty: Type, wide_vectors: bool) -> bool {
    match ty.bits() {
        0..=64 => true,
        128 => ty != Type::I128,
        256 => wide_vectors && ty.is_vector(),
        _ => false,
    }
}

/// Counts out the registers and stack bytes of a signature. `wide_vectors`: whether AVX is enabled,
/// so that 32-byte vectors travel in `ymm` registers.
pub fn layout(sig: &Signature, wide_vectors: bool) -> CallLayout {
    if sig.ms_abi {
        return ms_layout(sig);
    }
    let mut out = CallLayout { stack_align: 8, variadic: sig.variadic, ..CallLayout::default() };
    for param in &sig.params {
        let place = match param.kind {
            ParamKind::StaticChain => ParamPlace::Reg(R10),
            ParamKind::Direct | ParamKind::StructReturn => direct(&mut out, param.ty, wide_vectors),
            ParamKind::ByVal { size, align } => {
                let align = align.max(8);
                let offset = stack_bytes(&mut out, size, align);
                ParamPlace::ByVal { offset, size, align }
            }
        };
        out.params.push(place);
    }
    out.returns = return_registers(&sig.returns);
    out
}

/// The Microsoft x64 convention: every argument has a position, which is its register's number and
/// its place on the stack.
fn ms_layout(sig: &Signature) -> CallLayout {
    let mut out = CallLayout { stack_align: 8, ..CallLayout::default() };
    let mut position = 0;
    for param in &sig.params {
        if param.kind == ParamKind::StaticChain {
            out.params.push(ParamPlace::Reg(R10));
            continue;
        }
        out.params.push(match (MS_INTEGER_ARGUMENTS.get(position), is_sse(param.ty)) {
            (Some(_), true) => ParamPlace::Reg(SSE_ARGUMENTS[position]),
            (Some(&reg), false) => ParamPlace::Reg(reg),
            (None, _) => ParamPlace::Stack { offset: 8 * position as u64 },
        });
        position += 1;
    }
    out.stack_size = 8 * position.max(MS_INTEGER_ARGUMENTS.len()) as u64;
    out.returns = return_registers(&sig.returns);
    out
}

/// The registers that a call of this signature leaves as they were although the System V ABI would
/// not. `wide_vectors`: values may be in the upper halves of SSE registers, which are not kept.
pub fn kept_by_callee(sig: &Signature, wide_vectors: bool) -> RegSet {
    match (sig.ms_abi, wide_vectors) {
        (false, _) => RegSet::EMPTY,
        (true, false) => MS_CALLEE_SAVED,
        (true, true) => MS_CALLEE_SAVED.intersection(RegSet::of(&[RDI, RSI])),
    }
}

/// The general registers that a function of the attribute `no_caller_saved_registers` gives back as
/// they were, besides the frame pointer: all but those of its result.
pub fn kept_registers(sig: &Signature) -> RegSet {
    let returns = return_registers(&sig.returns);
    let mut kept = RegSet::of(&KEPT_BY_INTERRUPTS);
    returns.iter().for_each(|&reg| kept.remove(reg));
    kept
}

fn direct(out: &mut CallLayout, ty: Type, wide_vectors: bool) -> ParamPlace {
    if is_sse(ty) && fits_register(ty, wide_vectors) {
        if let Some(&reg) = SSE_ARGUMENTS.get(out.xmms as usize) {
            out.xmms += 1;
            return ParamPlace::Reg(reg);
        }
    } else if is_gpr(ty)
        && let Some(&reg) = INTEGER_ARGUMENTS.get(out.gprs as usize)
    {
        out.gprs += 1;
        return ParamPlace::Reg(reg);
    }
    let size = u64::from(ty.alloc_size()).max(8);
    let offset = stack_bytes(out, size, ty.align().max(8));
    ParamPlace::Stack { offset }
}

fn stack_bytes(out: &mut CallLayout, size: u64, align: u32) -> u64 {
    let offset = out.stack_size.next_multiple_of(u64::from(align));
    out.stack_size = offset + size.next_multiple_of(8);
    out.stack_align = out.stack_align.max(align);
    offset
}

/// The registers of a list of results: `rax rdx`, `xmm0 xmm1` and `st0 st1`, each in order.
pub fn return_registers(returns: &[Type]) -> SmallVec<[Reg; 2]> {
    let (mut ints, mut floats, mut x87) = ([RAX, RDX].iter(), [XMM0, XMM1].iter(), [ST0, ST1].iter());
    let take = |regs: &mut std::slice::Iter<'_, Reg>, ty: Type| match regs.next() {
        Some(&reg) => reg,
        None => base::bug!("more results of class {ty} than the ABI has registers"),
    };
    returns
        .iter()
        .map(|&ty| match ty {
            Type::F80 => take(&mut x87, ty),
            _ if is_sse(ty) => take(&mut floats, ty),
            _ => take(&mut ints, ty),
        })
        .collect()
}
