//! Vector builtins of the target (`__builtin_ia32_*`).
//!
//! What the IR can say becomes IR (shuffles, comparisons of lane 0, masks of signs, fences), so that the optimiser sees
//! it. Everything else is one machine instruction on values: an assembly statement with register operands, which costs
//! nothing but opacity.

use ir::{AliasTags, AsmData, AsmOperand, AsmPlace, FloatCc, Intrinsic, Ordering, Type, Value};
use target::registers::XMM0;

use crate::lower::expressions;
use crate::lower::function::Fx;
use crate::lower::place::{Place, Rvalue};
use crate::lower::vectors;
use crate::tree::*;

/// Lowers a builtin; `operation` is the third column of sema's table.
pub fn lower(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, operation: &str, args: &[ExprRef<'_>]) -> Rvalue {
    let values: Vec<Value> = args.iter().map(|a| expressions::scalar(fx, a)).collect();
    if !fx.live {
        return expressions::dummy(fx, e.ty.ty());
    }
    let (op, rest) = operation.split_once(' ').unwrap_or((operation, ""));
    let to = fx.scalar_type(e.ty.ty());
    let result = match in_ir(fx, op, rest, to, &values) {
        Some(result) => result,
        None => instruction(fx, op, rest, to, &values),
    };
    match result {
        Some(value) => Rvalue::Scalar(value),
        None => Rvalue::Void,
    }
}

/// The operations that are IR. The inner `None` is the result of those without one.
fn in_ir(fx: &mut Fx<'_, '_>, op: &str, rest: &str, to: Type, v: &[Value]) -> Option<Option<Value>> {
    let shuffle = |fx: &mut Fx<'_, '_>, mask: &[u32]| Some(Some(fx.b().shuffle(v[0], v[1], mask)));
    match (op, v.len()) {
        ("movss", 2) => shuffle(fx, &[4, 1, 2, 3]),
        ("movsd" | "movlpd", 2) if rest.is_empty() => shuffle(fx, &[2, 1]),
        ("movhlps", 2) => shuffle(fx, &[6, 7, 2, 3]),
        ("movlhps", 2) => shuffle(fx, &[0, 1, 4, 5]),
        ("unpckhps" | "punpckhdq", 2) => shuffle(fx, &[2, 6, 3, 7]),
        ("unpcklps" | "punpckldq", 2) => shuffle(fx, &[0, 4, 1, 5]),
        ("unpckhpd" | "punpckhqdq", 2) => shuffle(fx, &[1, 3]),
        ("unpcklpd" | "punpcklqdq", 2) => shuffle(fx, &[0, 2]),
        ("shufps", 3) => {
            let m = fx.const_int(v[2])? as u32;
            shuffle(fx, &[m & 3, m >> 2 & 3, 4 + (m >> 4 & 3), 4 + (m >> 6 & 3)])
        }
        ("shufpd", 3) => {
            let m = fx.const_int(v[2])? as u32;
            shuffle(fx, &[m & 1, 2 + (m >> 1 & 1)])
        }
        ("pshufd", 2) => {
            let m = fx.const_int(v[1])? as u32;
            Some(Some(fx.b().shuffle(v[0], v[0], &[m & 3, m >> 2 & 3, m >> 4 & 3, m >> 6 & 3])))
        }
        ("movq", 1) => {
            let zero = fx.iconst(Type::I64, 0);
            Some(Some(vectors::insert(fx, v[0], 1, zero)))
        }
        ("comiss" | "comisd" | "ucomiss" | "ucomisd", 2) => {
            let cc = match rest {
                "eq" => FloatCc::Oeq,
                "lt" => FloatCc::Olt,
                "le" => FloatCc::Ole,
                "gt" => FloatCc::Ogt,
                "ge" => FloatCc::Oge,
                _ => FloatCc::Une,
            };
            let (a, b) = (vectors::extract(fx, v[0], 0), vectors::extract(fx, v[1], 0));
            let bit = fx.fcmp(cc, op.starts_with('c'), a, b);
            Some(Some(fx.int_cast(bit, to, false)))
        }
        ("movmskps" | "movmskpd" | "pmovmskb", 1) => {
            Some(Some(expressions::intrinsic(fx, Intrinsic::MoveMask, Type::I32, &[v[0]])))
        }
        ("lddqu", 1) => Some(Some(fx.load(to, Place::new(v[0], 1), AliasTags::any()))),
        ("mfence", 0) => {
            fx.b().fence(Ordering::SeqCst, false);
            Some(None)
        }
        ("ldmxcsr", 1) => {
            fx.b().intrinsic(Intrinsic::SetMxcsr, Type::VOID, &[v[0]]);
            Some(None)
        }
        ("stmxcsr", 0) => Some(Some(expressions::intrinsic(fx, Intrinsic::GetMxcsr, Type::I32, &[]))),
        _ => None,
    }
}

/// An assembly statement being put together; operands in template order.
#[derive(Default)]
struct Statement {
    data: AsmData,
    inputs: Vec<Value>,
    results: Vec<Type>,
}

impl Statement {
    fn operand(&mut self, is_output: bool, place: AsmPlace, ty: Type, input: Option<Value>) {
        let input = input.map(|value| {
            self.inputs.push(value);
            self.inputs.len() as u32 - 1
        });
        let result = (is_output && place != AsmPlace::Memory).then(|| {
            self.results.push(ty);
            self.results.len() as u32 - 1
        });
        self.data.operands.push(AsmOperand { is_output, early_clobber: false, place, ty, name: None, input, result });
    }

    fn emit(mut self, fx: &mut Fx<'_, '_>, template: String) -> Option<Value> {
        self.data.template = template.into();
        self.data.clobbers_flags = true;
        let inst = fx.b().asm(self.data, &self.inputs, &self.results);
        fx.func.result(inst)
    }
}

/// Where a value of this type is.
fn register(ty: Type) -> AsmPlace {
    if ty.is_vector() || ty.is_float() { AsmPlace::Xmm } else { AsmPlace::Gpr }
}

/// Both dialects of an instruction with operands in Intel order.
fn both(op: &str, intel: &[&str]) -> String {
    let att: Vec<&str> = intel.iter().rev().copied().collect();
    format!("{{{op} {}|{op} {}}}", att.join(", "), intel.join(", "))
}

/// One machine instruction.
fn instruction(fx: &mut Fx<'_, '_>, op: &str, rest: &str, to: Type, v: &[Value]) -> Option<Value> {
    let mut s = Statement::default();
    match (rest, v) {
        ("load", &[a, address]) => {
            s.operand(true, AsmPlace::Xmm, to, None);
            s.operand(false, AsmPlace::Tied(0), to, Some(a));
            s.operand(false, AsmPlace::Memory, Type::I64, Some(address));
            s.emit(fx, both(op, &["%0", "%2"]))
        }
        ("store", &[address, a]) => {
            s.data.volatile = true;
            s.operand(true, AsmPlace::Memory, Type::I64, Some(address));
            s.operand(false, AsmPlace::Xmm, fx.ty(a), Some(a));
            s.emit(fx, both(op, &["%0", "%1"]))
        }
        ("z" | "c", &[a, b]) => {
            let condition = if rest == "z" { 4 } else { 2 };
            s.operand(true, AsmPlace::Flags(condition), Type::I8, None);
            s.operand(false, AsmPlace::Xmm, fx.ty(a), Some(a));
            s.operand(false, AsmPlace::Xmm, fx.ty(b), Some(b));
            let byte = s.emit(fx, both(op, &["%1", "%2"]))?;
            Some(fx.int_cast(byte, to, false))
        }
        ("imm", &[a, count]) => shift_by_count(fx, op, to, a, count),
        ("bits", &[a, b, bits]) => {
            let bytes = fx.int_op_imm(ir::Opcode::UDiv, 0, bits, 8);
            with_immediate(fx, op, to, &[a, b], bytes)
        }
        _ if op.starts_with("cmp") && v.len() == 2 => compare(fx, op, rest, to, v),
        _ => by_shape(fx, op, to, v),
    }
}

/// `cmpps` and its relatives with a predicate.
fn compare(fx: &mut Fx<'_, '_>, op: &str, rest: &str, to: Type, v: &[Value]) -> Option<Value> {
    let (swapped, predicate) = match rest.strip_prefix("swapped ") {
        Some(predicate) => (true, predicate),
        None => (false, rest),
    };
    let (a, b) = if swapped { (v[1], v[0]) } else { (v[0], v[1]) };
    let predicate = fx.iconst(Type::I32, predicate.parse().unwrap_or(0));
    with_immediate(fx, op, to, &[a, b], predicate)
}

/// `op dst, [src,] imm` with `sources` of which the first is the destination if there are two.
fn with_immediate(fx: &mut Fx<'_, '_>, op: &str, to: Type, sources: &[Value], immediate: Value) -> Option<Value> {
    if fx.const_int(immediate).is_none() {
        fx.session.error(fx.loc, format!("the last argument of this builtin ('{op}') must be a constant")).emit();
        return Some(fx.zero(to));
    }
    let mut s = Statement::default();
    s.operand(true, AsmPlace::Xmm, to, None);
    let template = match *sources {
        [a, b] => {
            s.operand(false, AsmPlace::Tied(0), to, Some(a));
            s.operand(false, AsmPlace::Xmm, fx.ty(b), Some(b));
            s.operand(false, AsmPlace::Immediate, Type::I32, Some(immediate));
            both(op, &["%0", "%2", "%3"])
        }
        _ => {
            s.operand(false, AsmPlace::Xmm, fx.ty(sources[0]), Some(sources[0]));
            s.operand(false, AsmPlace::Immediate, Type::I32, Some(immediate));
            both(op, &["%0", "%1", "%2"])
        }
    };
    s.emit(fx, template)
}

/// A shift of all lanes by one count, constant or not.
fn shift_by_count(fx: &mut Fx<'_, '_>, op: &str, to: Type, a: Value, count: Value) -> Option<Value> {
    let mut s = Statement::default();
    s.operand(true, AsmPlace::Xmm, to, None);
    s.operand(false, AsmPlace::Tied(0), to, Some(a));
    if fx.const_int(count).is_some() {
        s.operand(false, AsmPlace::Immediate, Type::I32, Some(count));
        return s.emit(fx, both(op, &["%0", "%2"]));
    }
    let lanes = Type::I64.vector(2);
    let zero = fx.zero(lanes);
    let count = fx.int_cast(count, Type::I64, false);
    let count = vectors::insert(fx, zero, 0, count);
    s.operand(false, AsmPlace::Xmm, lanes, Some(count));
    s.emit(fx, both(op, &["%0", "%2"]))
}

/// Operand order follows from the types of the arguments.
fn by_shape(fx: &mut Fx<'_, '_>, op: &str, to: Type, v: &[Value]) -> Option<Value> {
    let types: Vec<Type> = v.iter().map(|&x| fx.ty(x)).collect();
    let mut s = Statement::default();
    match (v, to.is_void()) {
        (&[], _) => {
            s.data.volatile = true;
            s.data.clobbers_memory = true;
            s.emit(fx, op.to_owned())
        }
        (&[address], true) => {
            s.data.volatile = true;
            s.operand(false, AsmPlace::Memory, Type::I8, Some(address));
            s.emit(fx, format!("{op} %0"))
        }
        (&[address, value], true) => {
            // Non-temporal stores.
            s.data.volatile = true;
            s.operand(true, AsmPlace::Memory, types[1], Some(address));
            s.operand(false, register(types[1]), types[1], Some(value));
            s.emit(fx, both(op, &["%0", "%1"]))
        }
        (&[a, mask, address], true) => {
            // maskmovdqu writes to where rdi points.
            s.data.volatile = true;
            s.data.clobbers_memory = true;
            s.operand(false, AsmPlace::Xmm, types[0], Some(a));
            s.operand(false, AsmPlace::Xmm, types[1], Some(mask));
            s.operand(false, AsmPlace::Fixed(target::registers::RDI), Type::PTR, Some(address));
            s.emit(fx, both(op, &["%0", "%1"]))
        }
        (&[a], false) => {
            s.operand(true, register(to), to, None);
            s.operand(false, register(types[0]), types[0], Some(a));
            s.emit(fx, both(op, &["%0", "%1"]))
        }
        (&[a, count], false) if !types[1].is_vector() && types[0].is_vector() && !op.starts_with("cvtsi2") => {
            // Byte shifts take their count in bits, shuffles and key assists an immediate.
            match op {
                "pslldq" | "psrldq" => {
                    let bytes = fx.int_op_imm(ir::Opcode::UDiv, 0, count, 8);
                    shift_by_count(fx, op, to, a, bytes)
                }
                _ => with_immediate(fx, op, to, &[a], count),
            }
        }
        (&[a, b], false) => {
            s.operand(true, register(to), to, None);
            s.operand(false, AsmPlace::Tied(0), to, Some(a));
            s.operand(false, register(types[1]), types[1], Some(b));
            if op.starts_with("cvtsi2") {
                let suffix = if types[1] == Type::I64 { "q" } else { "l" };
                return s.emit(fx, format!("{{{op}{suffix} %2, %0|{op} %0, %2}}"));
            }
            if let Some(plain) = op.strip_suffix(['b', 'w', 'l', 'q']).filter(|p| *p == "crc32") {
                return s.emit(fx, format!("{{{op} %2, %0|{plain} %0, %2}}"));
            }
            s.emit(fx, both(op, &["%0", "%2"]))
        }
        (&[a, b, mask], false) if types[2].is_vector() => {
            // pblendvb takes its mask in xmm0.
            s.operand(true, AsmPlace::Xmm, to, None);
            s.operand(false, AsmPlace::Tied(0), to, Some(a));
            s.operand(false, AsmPlace::Xmm, types[1], Some(b));
            s.operand(false, AsmPlace::Fixed(XMM0), types[2], Some(mask));
            s.emit(fx, both(op, &["%0", "%2"]))
        }
        (&[a, b, immediate], false) => with_immediate(fx, op, to, &[a, b], immediate),
        _ => {
            fx.not_supported(&format!("vector builtin '{op}'"));
            if to.is_void() { None } else { Some(fx.zero(to)) }
        }
    }
}
