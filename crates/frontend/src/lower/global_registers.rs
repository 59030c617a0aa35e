//! Global register variables (gcc's manual, "Defining Global Register Variables").
//!
//! The register belongs to the variable in the whole unit:
//! [`Module::reserved_registers`](ir::Module) keeps every function's code off it. A read is an asm
//! statement without text whose output is the register, an assignment one whose input it is; both
//! are volatile, so they keep their order with calls, which may change the variable.

use ir::{AsmData, AsmOperand, AsmPlace, Type, Value};
use platform::registers::Reg;

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
    let mut operand = operand(reg, scalar);
    operand.is_output = true;
    operand.result = Some(0);
    let inst = fx.b().asm(statement(operand), &[], &[scalar]);
    let value = fx.func.first_result(inst);
    normalize(fx, value, ty)
}

/// Assigns to the variable.
pub fn write(fx: &mut Fx<'_, '_>, reg: Reg, value: Value) {
    let mut operand = operand(reg, fx.ty(value));
    operand.input = Some(0);
    fx.b().asm(statement(operand), &[value], &[]);
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
