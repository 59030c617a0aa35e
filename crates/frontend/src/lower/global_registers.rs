//! Global register variables (gcc's manual, "Defining Global Register Variables").
//!
//! The register belongs to the variable in the whole unit:
//! [`Module::reserved_registers`](ir::Module) keeps every function's code off it. Reads and
//! assignments are loads and stores of a symbol that stands for the register
//! ([`ir::SymbolData::register`]).
//!
//! Where calls change the register, as they do `rsi` and `rdi`, a read is an asm statement without
//! text whose output is the register, an assignment one whose input it is; both are volatile, so
//! they keep their order with calls.

use ir::{AliasTags, AsmData, AsmOperand, AsmPlace, Constant, SymbolData, Type, Value, flags};
use platform::registers::{CLOBBERED_VARIABLES, Reg};

use super::function::Fx;
use super::lvalues::normalize;
use super::shapes::scalar_type;
use crate::tree::*;

/// The register of a global register variable; the stack pointer is not one.
pub fn register_of(fx: &Fx<'_, '_>, decl: DeclId) -> Option<Reg> {
    let info = &fx.unit.decls[decl];
    if info.kind != DeclKind::Variable || !info.flags.has(DeclFlags::REGISTER) || !info.flags.has(DeclFlags::FILE_SCOPE)
    {
        return None;
    }
    let reg = super::asm::named_register(fx.session.str(info.asm_name?))?;
    fx.unit.reserved_registers.contains(reg).then_some(reg)
}

/// The variable's value.
pub fn read(fx: &mut Fx<'_, '_>, reg: Reg, ty: Ty) -> Value {
    let scalar = scalar_type(fx.types(), ty);
    if let Some(place) = place(fx, reg) {
        let value = fx.b().load(scalar, place, 1, AliasTags::any(), flags::VOLATILE);
        return normalize(fx, value, ty);
    }
    let mut operand = operand(reg, scalar);
    operand.is_output = true;
    operand.result = Some(0);
    let inst = fx.b().asm(statement(operand), &[], &[scalar]);
    let value = fx.func.first_result(inst);
    normalize(fx, value, ty)
}

/// Assigns to the variable.
pub fn write(fx: &mut Fx<'_, '_>, reg: Reg, value: Value) {
    if let Some(place) = place(fx, reg) {
        fx.b().store(value, place, 1, AliasTags::any(), flags::VOLATILE);
        return;
    }
    let mut operand = operand(reg, fx.ty(value));
    operand.input = Some(0);
    fx.b().asm(statement(operand), &[value], &[]);
}

/// The address of the symbol that stands for the register.
fn place(fx: &mut Fx<'_, '_>, reg: Reg) -> Option<Value> {
    if !fx.unit.reserved_registers.contains(reg) || CLOBBERED_VARIABLES.contains(reg) {
        return None;
    }
    let name = format!(".L%{}", reg.name(8));
    let module = &mut fx.state.module;
    let symbol = module.find_symbol(&name).unwrap_or_else(|| {
        module.add_symbol(SymbolData { register: Some(reg), ..SymbolData::undefined(&name, false) })
    });
    Some(fx.func.make_const(Type::PTR, Constant::Symbol(symbol, 0)))
}

fn operand(reg: Reg, ty: Type) -> AsmOperand {
    AsmOperand {
        is_output: false,
        early_clobber: false,
        place: AsmPlace::Fixed(reg),
        ty,
        name: None,
        input: None,
        result: None,
    }
}

fn statement(operand: AsmOperand) -> AsmData {
    AsmData { volatile: true, clobbers_memory: false, operands: vec![operand], ..AsmData::default() }
}
