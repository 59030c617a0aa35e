//! Inline assembly: each operand gets one kind of place, outputs are stored after the statement.

use ir::{AliasTags, AsmData, AsmOperand as IrOperand, AsmPlace, Block, Type, Value};
use platform::options::{SegmentRegister, X86Features};
use platform::registers::{Reg, RegClass, RegSet};
use smallvec::SmallVec;

use super::asm_constraints::{Allowed, parse};
use super::asm_pairs::{self, Half};
use super::function::{Fx, label_block};
use super::place::{Lvalue, Place, Rvalue};
use super::shapes::{Shape, shape};
use super::{expressions, lvalues, scopes, segments};
use crate::tree::*;

/// An output that is stored when the statement is done.
struct Pending {
    lvalue: Lvalue,
    ty: QualType,
    /// Number of the IR result.
    result: u32,
    /// Type of the IR result.
    register: Type,
    /// Number of the IR result with the upper half, for what takes two registers.
    high: Option<u32>,
}

/// An asm statement being put together.
#[derive(Default)]
struct Builder {
    data: AsmData,
    inputs: Vec<Value>,
    results: Vec<Type>,
    pending: Vec<Pending>,
    x87_taken: u8,
    /// Upper halves of operands in two registers.
    halves: Vec<Half>,
    /// Registers that the statement names, or that pairs have.
    named: RegSet,
    /// Numbers of the memory operands in named address spaces.
    segments: Vec<(usize, SegmentRegister)>,
}

impl Builder {
    /// The address of the memory that the next operand is.
    fn memory(&mut self, fx: &mut Fx<'_, '_>, place: Place) -> Value {
        if let Some(segment) = place.segment {
            self.segments.push((self.data.operands.len(), segment));
        }
        fx.pointer(place)
    }
}

/// Lowers an `asm` statement.
pub fn lower(fx: &mut Fx<'_, '_>, asm: &AsmStmt<'_>) {
    fx.loc = asm.loc;
    let mut b = Builder::default();
    b.data.template = String::from_utf8_lossy(asm.template).into();
    b.data.basic = asm.basic;
    b.data.volatile = asm.volatile;
    b.data.clobbers_flags = true;
    clobbers(fx, asm, &mut b);
    reserve_x87(asm, &mut b);
    b.named = named_registers(fx, asm, &b.data);
    let mut in_outs = Vec::new();
    for (index, operand) in asm.outputs.iter().enumerate() {
        let allowed = by_size(fx, asm, operand, parse(operand.constraint));
        if !check(fx, &allowed) {
            return;
        }
        output(fx, &mut b, operand, &allowed, index, &mut in_outs);
    }
    for operand in asm.inputs {
        let allowed = by_size(fx, asm, operand, parse(operand.constraint));
        if !check(fx, &allowed) {
            return;
        }
        input(fx, &mut b, operand, &allowed);
    }
    // The input half of `+` operands is numbered after the explicit inputs.
    for in_out in in_outs {
        in_out_input(fx, &mut b, in_out);
    }
    share_register_variables(fx, asm, &mut b);
    // Not moved over other assignments to a variable of all functions.
    b.data.volatile |= asm.outputs.iter().chain(asm.inputs).any(|o| is_global_register(fx, o.expr));
    if !b.halves.is_empty() && !asm.labels.is_empty() {
        return fx.not_supported("'asm goto' with an operand that needs several registers");
    }
    if !b.segments.is_empty() {
        b.data.template = segments::with_prefixes(fx, &b.data, &b.segments).into();
    }
    asm_pairs::append(&mut b.data, &mut b.inputs, std::mem::take(&mut b.halves));
    if !fx.live || !registers_are_free(fx, asm, &b.data) {
        return;
    }
    emit(fx, asm, b);
}

/// The registers that no pair may have: clobbered ones, and those of other operands.
fn named_registers(fx: &Fx<'_, '_>, asm: &AsmStmt<'_>, data: &AsmData) -> RegSet {
    let mut out: RegSet = data.clobbers.iter().copied().collect();
    out = out.union(fx.state.module.reserved_registers);
    for operand in asm.outputs.iter().chain(asm.inputs) {
        let allowed = parse(operand.constraint);
        let pair = allowed.fixed == asm_pairs::ACCUMULATOR && asm_pairs::takes_two(fx, operand.expr.ty.ty());
        if !pair {
            allowed.fixed.iter().for_each(|&reg| out.insert(reg));
        }
        if let Some(reg) = register_variable(fx, operand.expr) {
            out.insert(reg);
        }
    }
    out
}

/// Several inputs that are one register variable are one input: `"+r" (x)` and `"r" (x)`, say. The
/// others only name its register.
fn share_register_variables(fx: &Fx<'_, '_>, asm: &AsmStmt<'_>, b: &mut Builder) {
    let exprs: Vec<ExprRef<'_>> = asm.outputs.iter().chain(asm.inputs).map(|o| o.expr).collect();
    let variable = |number: usize| {
        let expr = *exprs.get(number)?;
        register_variable(fx, expr).and_then(|reg| Some((operand_decl(expr)?, reg)))
    };
    for number in asm.outputs.len()..exprs.len() {
        let Some((decl, reg)) = variable(number) else { continue };
        if b.data.operands.get(number).is_none_or(|o| o.place != AsmPlace::Fixed(reg)) {
            continue;
        }
        let same =
            |other: usize| b.data.operands[other].place == AsmPlace::Fixed(reg) && variable(other) == Some((decl, reg));
        let read = b.data.operands.iter().enumerate().find_map(|(at, o)| match o.place {
            AsmPlace::Tied(output) if o.input.is_some() && same(output as usize) => Some(output),
            AsmPlace::Fixed(_) if !o.is_output && at < number && same(at) => Some(at as u8),
            _ => None,
        });
        let Some(read) = read else { continue };
        let operand = &mut b.data.operands[number];
        operand.place = AsmPlace::Tied(read);
        let Some(input) = operand.input.take() else { continue };
        b.inputs.remove(input as usize);
        for later in b.data.operands.iter_mut().filter_map(|o| o.input.as_mut()).filter(|later| **later > input) {
            *later -= 1;
        }
    }
}

/// No two operands want one register, and none a clobbered one (gcc's manual, "Local Register
/// Variables" and "Clobbers").
fn registers_are_free(fx: &Fx<'_, '_>, asm: &AsmStmt<'_>, data: &AsmData) -> bool {
    let fixed = |operand: &IrOperand| match operand.place {
        AsmPlace::Fixed(reg) => Some(reg),
        // Only a name for the place of another input.
        AsmPlace::Tied(_) if operand.input.is_none() => None,
        AsmPlace::Tied(number) => match data.operands[number as usize].place {
            AsmPlace::Fixed(reg) => Some(reg),
            _ => None,
        },
        _ => None,
    };
    let error = |message: String| {
        fx.session.error(asm.loc, message).emit();
        false
    };
    for (index, operand) in data.operands.iter().enumerate() {
        let Some(reg) = fixed(operand) else { continue };
        let expr = asm.outputs.iter().chain(asm.inputs).nth(index).map(|o| o.expr);
        let variable = expr.filter(|e| register_variable(fx, e) == Some(reg)).and_then(operand_decl);
        let tied = matches!(operand.place, AsmPlace::Tied(_));
        if fx.state.module.reserved_registers.contains(reg) && variable.is_none() && !tied {
            return error("'asm' operand has impossible constraints".to_string());
        }
        if data.clobbers.contains(&reg) {
            return error(match variable.and_then(|decl| fx.unit.decls[decl].name) {
                Some(name) => {
                    let name = fx.session.str(name);
                    format!("'asm' specifier for variable '{name}' conflicts with 'asm' clobber list")
                }
                None => "'asm' operand has impossible constraints".to_string(),
            });
        }
        for earlier in &data.operands[..index] {
            if fixed(earlier) != Some(reg) {
                continue;
            }
            let message = match (earlier.is_output, operand.is_output) {
                (true, true) => "invalid hard register usage between output operands",
                (true, false) if earlier.early_clobber && !matches!(operand.place, AsmPlace::Tied(_)) => {
                    "invalid hard register usage between earlyclobber operand and input operand"
                }
                (false, false) => "'asm' operand has impossible constraints",
                _ => continue,
            };
            return error(message.to_string());
        }
    }
    true
}

fn check(fx: &Fx<'_, '_>, allowed: &Allowed) -> bool {
    if let Some(letter) = allowed.unknown {
        fx.not_supported(&format!("asm constraint '{letter}'"));
        return false;
    }
    true
}

fn clobbers(fx: &Fx<'_, '_>, asm: &AsmStmt<'_>, b: &mut Builder) {
    for &name in asm.clobbers {
        let text = String::from_utf8_lossy(name);
        let text = text.trim_start_matches('%');
        match text {
            "memory" => b.data.clobbers_memory = true,
            "cc" | "flags" | "eflags" | "rflags" | "fpsr" | "fpcr" | "dirflag" | "redzone" => {}
            _ => match Reg::from_name(text) {
                Some(reg) if !is_accessible(fx, reg) => {
                    let message = format!("the register '{text}' cannot be clobbered in 'asm' for the current target");
                    fx.session.error(asm.loc, message).emit();
                }
                Some(reg) if matches!(reg.class(), RegClass::X87 | RegClass::Mmx) => b.data.clobbers_x87 = true,
                Some(reg) => {
                    if !b.data.clobbers.contains(&reg) {
                        b.data.clobbers.push(reg);
                    }
                }
                None => {
                    fx.session.error(asm.loc, format!("unknown register name '{text}' in 'asm'")).emit();
                }
            },
        }
    }
}

/// Whether the options leave the register to the function's code.
fn is_accessible(fx: &Fx<'_, '_>, reg: Reg) -> bool {
    let code = &fx.options.codegen;
    match reg.class() {
        RegClass::X87 => code.x87,
        RegClass::Mmx => code.features.has(X86Features::MMX),
        _ => !reg.is_xmm() || code.features.has_sse(),
    }
}

/// Stack positions that `t` and `u` name are not given to `f` operands.
fn reserve_x87(asm: &AsmStmt<'_>, b: &mut Builder) {
    for operand in asm.outputs.iter().chain(asm.inputs) {
        if let Some(Some(position)) = parse(operand.constraint).x87 {
            b.x87_taken |= 1 << position;
        }
    }
}

fn name(fx: &Fx<'_, '_>, operand: &AsmOperand<'_>) -> Option<Box<str>> {
    operand.name.map(|n| fx.session.str(n).into())
}

/// The variable that an operand is.
fn operand_decl(mut e: ExprRef<'_>) -> Option<DeclId> {
    while let ExprKind::Cast { operand, .. } = e.kind {
        e = operand;
    }
    e.decl()
}

/// Whether an operand is a global register variable.
fn is_global_register(fx: &Fx<'_, '_>, e: ExprRef<'_>) -> bool {
    operand_decl(e).is_some_and(|decl| super::global_registers::register_of(fx, decl).is_some())
}

/// `register T x asm("reg")` as an operand: the register it must be in.
fn register_variable(fx: &Fx<'_, '_>, e: ExprRef<'_>) -> Option<Reg> {
    let decl = operand_decl(e)?;
    if let Some(reg) = super::global_registers::register_of(fx, decl) {
        return Some(reg);
    }
    let info = &fx.unit.decls[decl];
    if info.duration != StorageDuration::Automatic || info.kind != DeclKind::Variable {
        return None;
    }
    named_register(fx.session.str(info.asm_name?))
}

/// The register that the name in a declaration of a `register` variable means.
pub fn named_register(name: &str) -> Option<Reg> {
    Reg::from_name(name.trim_start_matches(['%', '#']))
}

/// The type an operand has in a register of a class: integers in general registers, floats and
/// vectors in SSE registers.
fn register_type(fx: &Fx<'_, '_>, ty: Ty, xmm: bool, x87: bool) -> Option<Type> {
    let size = fx.types().size_of(ty)?;
    match (shape(fx.types(), ty), xmm) {
        (Shape::Scalar(t), _) if x87 => t.is_float().then_some(t),
        (Shape::Scalar(t), true) if t.is_float() && t != Type::F80 || t.is_vector() => Some(t),
        (Shape::Scalar(t), false) if t.is_ptr() || (t.is_int() && t != Type::I128) => Some(t),
        (_, false) => matches!(size, 1 | 2 | 4 | 8).then(|| Type::int(size as u32 * 8)).flatten(),
        (_, true) => match size {
            4 => Some(Type::F32),
            8 => Some(Type::F64),
            16 => Some(Type::I64.vector(2)),
            32 if fx.types().is_vector(ty) && fx.options.codegen.features.has(X86Features::AVX) => {
                Some(Type::I64.vector(4))
            }
            _ => None,
        },
    }
}

/// The register place of an operand and its value's type there; `None` if the constraint or the
/// type allow no register.
fn register_place(
    fx: &Fx<'_, '_>,
    b: &mut Builder,
    allowed: &Allowed,
    e: ExprRef<'_>,
    output: bool,
) -> Option<(AsmPlace, Type)> {
    let ty = e.ty.ty();
    if let Some(reg) = register_variable(fx, e).filter(|_| allowed.any_register()) {
        return Some((AsmPlace::Fixed(reg), register_type(fx, ty, reg.is_xmm(), false)?));
    }
    let is_float = matches!(shape(fx.types(), ty), Shape::Scalar(t) if t.is_float() || t.is_vector());
    let position = match allowed.x87 {
        Some(Some(position)) => Some(position),
        Some(None) => Some(take_x87(b, output)),
        None => None,
    };
    if let (Some(position), true) = (position, is_float || !allowed.gpr) {
        return Some((AsmPlace::X87(position), register_type(fx, ty, false, true)?));
    }
    if allowed.xmm
        && (is_float || !allowed.gpr)
        && let Some(t) = register_type(fx, ty, true, false)
    {
        return Some((AsmPlace::Xmm, t));
    }
    if allowed.gpr
        && let Some(t) = register_type(fx, ty, false, false)
    {
        return Some((AsmPlace::Gpr, t));
    }
    if allowed.legacy {
        return Some((AsmPlace::GprLegacy, register_type(fx, ty, false, false)?));
    }
    let reg = *allowed.fixed.first()?;
    Some((AsmPlace::Fixed(reg), register_type(fx, ty, reg.is_xmm(), false)?))
}

/// A vector of 64 bytes has no register; where the text has no instruction, memory does as well.
fn by_size(fx: &Fx<'_, '_>, asm: &AsmStmt<'_>, operand: &AsmOperand<'_>, allowed: Allowed) -> Allowed {
    let size = fx.types().size_of(operand.expr.ty).unwrap_or(0);
    let memory = allowed.memory || (allowed.xmm && size > 32 && asm.template.trim_ascii().is_empty());
    Allowed { memory, ..allowed }
}

/// The two registers of an operand of 16 bytes that general registers alone may hold.
fn pair(fx: &Fx<'_, '_>, b: &mut Builder, allowed: &Allowed, e: ExprRef<'_>) -> Option<(Reg, Reg)> {
    if allowed.memory || allowed.xmm || !asm_pairs::takes_two(fx, e.ty.ty()) || register_variable(fx, e).is_some() {
        return None;
    }
    let pair = asm_pairs::choose(allowed, b.named)?;
    b.named = b.named.union(RegSet::of(&[pair.0, pair.1]));
    Some(pair)
}

/// The next x87 position that no `t` or `u` names.
fn take_x87(b: &mut Builder, _: bool) -> u8 {
    let position = (!b.x87_taken).trailing_zeros().min(7) as u8;
    b.x87_taken |= 1 << position;
    position
}

/// The input half of a `+` operand.
enum InOut {
    /// Tied to output `0`, with this value.
    Tied(u8, Value),
    /// The same memory.
    Memory(Value, Type),
}

fn output(
    fx: &mut Fx<'_, '_>,
    b: &mut Builder,
    operand: &AsmOperand<'_>,
    allowed: &Allowed,
    index: usize,
    in_outs: &mut Vec<InOut>,
) {
    let e = operand.expr;
    let lvalue = lvalues::lower(fx, e);
    let mut out = IrOperand {
        is_output: true,
        early_clobber: allowed.early_clobber,
        place: AsmPlace::Memory,
        ty: Type::VOID,
        name: name(fx, operand),
        input: None,
        result: None,
    };
    if let Some(cc) = allowed.flags {
        (out.place, out.ty) = (AsmPlace::Flags(cc), Type::I8);
        out.result = Some(b.results.len() as u32);
        b.pending.push(Pending { lvalue, ty: e.ty, result: b.results.len() as u32, register: Type::I8, high: None });
        b.results.push(Type::I8);
        b.data.operands.push(out);
        return;
    }
    if let Some((place, ty)) = register_place(fx, b, allowed, e, true) {
        (out.place, out.ty) = (place, ty);
        out.result = Some(b.results.len() as u32);
        if allowed.in_out {
            let old = lvalues::read(fx, lvalue, e.ty);
            let old = to_register(fx, old, e.ty.ty(), ty);
            in_outs.push(InOut::Tied(index as u8, old));
        }
        b.pending.push(Pending { lvalue, ty: e.ty, result: b.results.len() as u32, register: ty, high: None });
        b.results.push(ty);
        b.data.operands.push(out);
        return;
    }
    if let Some((low, high)) = pair(fx, b, allowed, e) {
        (out.place, out.ty) = (AsmPlace::Fixed(low), Type::I64);
        let result = b.results.len() as u32;
        out.result = Some(result);
        let of = index as u8;
        b.halves.push(Half::Output { of, reg: high, result: result + 1, early_clobber: allowed.early_clobber });
        if allowed.in_out {
            let old = lvalues::read(fx, lvalue, e.ty);
            let (old, upper) = asm_pairs::halves(fx, old, e.ty.ty());
            in_outs.push(InOut::Tied(of, old));
            b.halves.push(Half::Tied { of, value: upper });
        }
        b.pending.push(Pending { lvalue, ty: e.ty, result, register: Type::I64, high: Some(result + 1) });
        b.results.extend([Type::I64; 2]);
        b.data.operands.push(out);
        return;
    }
    let (Lvalue::Memory(place), true) = (lvalue, allowed.memory) else {
        fx.session.error(e.loc, "not supported: an 'asm' output of this type with this constraint").emit();
        return;
    };
    let address = b.memory(fx, place);
    out.ty = memory_type(fx, e.ty.ty());
    out.input = Some(b.inputs.len() as u32);
    if allowed.in_out {
        in_outs.push(InOut::Memory(address, out.ty));
    }
    b.inputs.push(address);
    b.data.operands.push(out);
}

/// A memory operand's type: only its size matters.
fn memory_type(fx: &Fx<'_, '_>, ty: Ty) -> Type {
    match shape(fx.types(), ty) {
        Shape::Scalar(t) => t,
        _ => Type::VOID,
    }
}

fn input(fx: &mut Fx<'_, '_>, b: &mut Builder, operand: &AsmOperand<'_>, allowed: &Allowed) {
    let e = operand.expr;
    let mut out = IrOperand {
        is_output: false,
        early_clobber: false,
        place: AsmPlace::Memory,
        ty: Type::VOID,
        name: name(fx, operand),
        input: Some(b.inputs.len() as u32),
        result: None,
    };
    if let Some(number) = allowed.tied {
        return tied_input(fx, b, e, number, out);
    }
    let memory_only = allowed.memory && !allowed.any_register() && !allowed.immediate && allowed.ranges.is_empty();
    let value = if memory_only || e.is_lvalue() {
        let place = if e.is_lvalue() {
            lvalues::place(fx, e)
        } else {
            let value = expressions::rvalue(fx, e);
            lvalues::spill(fx, value, e.ty.ty())
        };
        if memory_only {
            out.ty = memory_type(fx, e.ty.ty());
            let address = b.memory(fx, place);
            b.inputs.push(address);
            b.data.operands.push(out);
            return;
        }
        lvalues::load(fx, place, e.ty)
    } else {
        expressions::rvalue(fx, e)
    };
    if allowed.address {
        if let Rvalue::Scalar(address) = value {
            out.ty = Type::I8;
            b.inputs.push(address);
            b.data.operands.push(out);
        }
        return;
    }
    if let Rvalue::Scalar(v) = value
        && is_immediate(fx, allowed, v)
    {
        (out.place, out.ty) = (AsmPlace::Immediate, fx.ty(v));
        b.inputs.push(v);
        b.data.operands.push(out);
        return;
    }
    if let Some((place, ty)) = register_place(fx, b, allowed, e, false) {
        let late = fx.optimizing() && place == AsmPlace::Gpr && allowed.immediate;
        out.place = if late { AsmPlace::GprOrImmediate } else { place };
        out.ty = ty;
        let v = to_register(fx, value, e.ty.ty(), ty);
        b.inputs.push(v);
        b.data.operands.push(out);
        return;
    }
    if let Some((low, high)) = pair(fx, b, allowed, e) {
        let (value, upper) = asm_pairs::halves(fx, value, e.ty.ty());
        (out.place, out.ty) = (AsmPlace::Fixed(low), Type::I64);
        b.halves.push(Half::Input { reg: high, value: upper });
        b.inputs.push(value);
        b.data.operands.push(out);
        return;
    }
    if allowed.memory {
        let place = lvalues::spill(fx, value, e.ty.ty());
        out.ty = memory_type(fx, e.ty.ty());
        b.inputs.push(fx.address(place));
        b.data.operands.push(out);
        return;
    }
    match value {
        // Becomes constant when the function is inlined, or is reported by the back end.
        Rvalue::Scalar(v) if allowed.immediate || !allowed.ranges.is_empty() => {
            (out.place, out.ty) = (AsmPlace::Immediate, fx.ty(v));
            b.inputs.push(v);
            b.data.operands.push(out);
        }
        _ => {
            fx.session.error(e.loc, "impossible constraint in 'asm'").emit();
        }
    }
}

fn is_immediate(fx: &Fx<'_, '_>, allowed: &Allowed, v: Value) -> bool {
    if fx.func.const_symbol(v).is_some() {
        // The address of a symbol fits an immediate field only in non-PIC code; with a register
        // allowed, use that.
        return allowed.immediate && !allowed.any_register() && !allowed.memory;
    }
    if fx.ty(v).is_float() {
        return false;
    }
    match fx.func.const_i64(v) {
        Some(number) => {
            let fits = i32::try_from(number).is_ok() || !(allowed.any_register() || allowed.memory);
            fits && allowed.takes_constant(Some(number))
        }
        None => false,
    }
}

/// An input that shares an output's place.
fn tied_input(fx: &mut Fx<'_, '_>, b: &mut Builder, e: ExprRef<'_>, number: u8, mut out: IrOperand) {
    let Some(target) = b.data.operands.get(number as usize).cloned() else {
        fx.session.error(e.loc, "matching constraint references invalid operand number").emit();
        return;
    };
    let value = if e.is_lvalue() {
        let lvalue = lvalues::lower(fx, e);
        lvalues::read(fx, lvalue, e.ty)
    } else {
        expressions::rvalue(fx, e)
    };
    if target.place == AsmPlace::Memory {
        // The output's memory holds the input too: it is stored there first.
        if let Some(address) = target.input {
            let address = b.inputs[address as usize];
            let align = fx.types().align_of(e.ty);
            lvalues::store(fx, Place::new(address, align), e.ty.unqualified(), value);
            out.ty = target.ty;
            b.inputs.push(address);
            b.data.operands.push(out);
        }
        return;
    }
    let in_two = b.halves.iter().any(|half| matches!(half, Half::Output { of, .. } if *of == number));
    if in_two != asm_pairs::takes_two(fx, e.ty.ty()) && (in_two || target.ty.bits() == 64) {
        return fx.not_supported("an 'asm' operand that matches one of another size");
    }
    (out.place, out.ty) = (AsmPlace::Tied(number), target.ty);
    if in_two {
        let (value, upper) = asm_pairs::halves(fx, value, e.ty.ty());
        b.halves.push(Half::Tied { of: number, value: upper });
        b.inputs.push(value);
        b.data.operands.push(out);
        return;
    }
    let v = to_register(fx, value, e.ty.ty(), target.ty);
    b.inputs.push(v);
    b.data.operands.push(out);
}

fn in_out_input(fx: &mut Fx<'_, '_>, b: &mut Builder, in_out: InOut) {
    let (place, ty, value) = match in_out {
        InOut::Tied(number, value) => (AsmPlace::Tied(number), fx.ty(value), value),
        InOut::Memory(address, ty) => (AsmPlace::Memory, ty, address),
    };
    let input = Some(b.inputs.len() as u32);
    b.inputs.push(value);
    b.data.operands.push(IrOperand {
        is_output: false,
        early_clobber: false,
        place,
        ty,
        name: None,
        input,
        result: None,
    });
}

/// A value as it is in a register of type `to`.
fn to_register(fx: &mut Fx<'_, '_>, value: Rvalue, ty: Ty, to: Type) -> Value {
    match value {
        Rvalue::Scalar(v) => {
            let from = fx.ty(v);
            if from == to {
                v
            } else if from.bits() == to.bits() {
                fx.bitcast(v, to)
            } else if (from.is_int() || from.is_ptr()) && (to.is_int() || to.is_ptr()) {
                let signed = fx.types().is_signed(ty);
                let wide = if to.is_ptr() { Type::I64 } else { to };
                let v = fx.int_cast(v, wide, signed);
                fx.bitcast(v, to)
            } else if from.is_float() && to.is_float() {
                fx.float_cast(v, to)
            } else {
                fx.not_supported("an 'asm' operand that matches one of another kind");
                fx.zero(to)
            }
        }
        _ => {
            let place = lvalues::spill(fx, value, ty);
            fx.load(to, place, AliasTags::any())
        }
    }
}

/// Stores an output.
fn store_output(fx: &mut Fx<'_, '_>, pending: &Pending, results: &[Value]) {
    let (ty, result) = (pending.ty.ty(), results[pending.result as usize]);
    if let Some(high) = pending.high {
        let temp = fx.temp(16, 16);
        fx.store(result, temp, AliasTags::any());
        fx.store(results[high as usize], temp.offset(8), AliasTags::any());
        let value = lvalues::load(fx, Place { any_alias: true, ..temp }, ty.into());
        lvalues::write(fx, pending.lvalue, pending.ty, value);
        return;
    }
    let value = match shape(fx.types(), ty) {
        Shape::Scalar(scalar) if scalar == pending.register => Rvalue::Scalar(result),
        Shape::Scalar(scalar) if scalar.bits() == pending.register.bits() => Rvalue::Scalar(fx.bitcast(result, scalar)),
        Shape::Scalar(scalar) if scalar.is_int() => Rvalue::Scalar(fx.int_cast(result, scalar, false)),
        _ => {
            let layout = fx.types().layout(ty.into()).unwrap_or(platform::data_layout::LONG);
            let temp = fx.temp(layout.size, layout.align);
            fx.store(result, temp, AliasTags::any());
            Rvalue::Memory(Place { any_alias: true, ..temp })
        }
    };
    lvalues::write(fx, pending.lvalue, pending.ty, value);
}

fn emit(fx: &mut Fx<'_, '_>, asm: &AsmStmt<'_>, mut b: Builder) {
    // Operands were at places of their own.
    fx.loc = asm.loc;
    b.data.clobbers_x87 |= b.data.operands.iter().any(|o| matches!(o.place, AsmPlace::X87(_)));
    if asm.labels.is_empty() {
        let inst = fx.b().asm(b.data, &b.inputs, &b.results);
        let results: SmallVec<[Value; 4]> = fx.func.results(inst).collect();
        for pending in &b.pending {
            store_output(fx, pending, &results);
        }
        return;
    }
    let go_on = fx.new_block();
    b.data.fallthrough = Some(go_on);
    // Outputs are valid at the labels too, and scopes may have to be left: each edge has a block of
    // its own.
    let mut edges: Vec<(Block, LabelId)> = Vec::new();
    for label in asm.labels {
        let edge = fx.new_block();
        edges.push((edge, label.label));
        b.data.labels.push(edge);
        b.data.label_names.push(fx.session.str(label.name).into());
    }
    fx.mark_targets(edges.iter().map(|e| e.0).chain([go_on]).collect::<Vec<_>>());
    let inst = fx.b().asm(b.data, &b.inputs, &b.results);
    fx.live = false;
    let results: SmallVec<[Value; 4]> = fx.func.results(inst).collect();
    for (edge, label) in edges {
        fx.start(edge);
        for pending in &b.pending {
            store_output(fx, pending, &results);
        }
        let outer = fx.def.labels[cranelift_entity::EntityRef::index(label)].cleanup;
        let to = scopes::common_cleanup(fx, fx.cleanup, outer);
        scopes::run_cleanups(fx, to);
        let target = label_block(fx, label);
        fx.br(target);
    }
    fx.start(go_on);
    for pending in &b.pending {
        store_output(fx, pending, &results);
    }
}
