//! Vector builtins of the target (`__builtin_ia32_*`).
//!
//! What the IR can say becomes IR (shuffles, comparisons of lane 0, masks of signs, memory
//! accesses, fences), so that the optimiser sees it. Everything else is one machine instruction on
//! values ([`ir::x86`]).

use ir::{AliasTags, AsmData, AsmOperand, AsmPlace, FloatCc, Intrinsic, Opcode, Ordering, Type, Value};
use platform::options::X86Features;
use platform::registers::{RAX, RCX, RDI, RDX};

use crate::lower::expressions;
use crate::lower::function::Fx;
use crate::lower::place::{Place, Rvalue};
use crate::lower::vectors;
use crate::tree::*;

/// Lowers a builtin by its row of sema's table.
pub fn lower(fx: &mut Fx<'_, '_>, e: ExprRef<'_>, row: usize, args: &[ExprRef<'_>]) -> Rvalue {
    let (name, _, operation) = crate::sema::builtins::x86::TABLE[row];
    let values: Vec<Value> = args.iter().map(|a| argument(fx, a)).collect();
    if !fx.live {
        return expressions::dummy(fx, e.ty.ty());
    }
    let (op, rest) = operation.split_once(' ').unwrap_or((operation, ""));
    let to = wide_type(fx, e.ty.ty()).unwrap_or_else(|| fx.scalar_type(e.ty.ty()));
    let wide = to.store_size() == 32 || values.iter().any(|&v| fx.ty(v).store_size() == 32);
    let vectors = to.is_vector() || fx.types().is_vector(e.ty.ty()) || values.iter().any(|&v| fx.ty(v).is_vector());
    if !is_available(fx, name, operation, wide, vectors) {
        return expressions::dummy(fx, e.ty.ty());
    }
    let simple = if wide { None } else { in_ir(fx, op, rest, to, &values) };
    let result = match simple {
        Some(result) => result,
        None => opaque(fx, op, to, &values).unwrap_or_else(|| instruction(fx, operation, to, &values)),
    };
    match result {
        // Vectors of 32 bytes are in memory but where an instruction works on them.
        Some(value) if to.store_size() == 32 => {
            let place = fx.temp(32, 32);
            fx.store(value, place, AliasTags::any());
            Rvalue::Memory(place)
        }
        Some(value) => Rvalue::Scalar(value),
        None => Rvalue::Void,
    }
}

/// The IR type of a 32-byte vector.
fn wide_type(fx: &Fx<'_, '_>, ty: Ty) -> Option<Type> {
    let (elem, lanes) = vectors::lanes(fx, ty);
    let is_vector = matches!(fx.types().kind(ty), TypeKind::Vector { .. });
    (is_vector && fx.types().size_of(ty) == Some(32)).then(|| fx.scalar_type(elem).vector(lanes))
}

fn argument(fx: &mut Fx<'_, '_>, e: ExprRef<'_>) -> Value {
    let Some(ty) = wide_type(fx, e.ty.ty()) else { return expressions::scalar(fx, e) };
    match expressions::rvalue(fx, e) {
        Rvalue::Memory(place) if fx.live => fx.load(ty, place, AliasTags::any()),
        _ => fx.zero(ty),
    }
}

/// Whether the function may use the instruction; says so if not, in gcc's words.
fn is_available(fx: &mut Fx<'_, '_>, name: &str, operation: &str, wide: bool, vectors: bool) -> bool {
    if vectors && !fx.options.codegen.features.has_sse() {
        fx.session.error(fx.loc, format!("'__builtin_ia32_{name}' needs isa option -msse")).emit();
        return false;
    }
    let Some(number) = ir::x86::find(operation) else { return true };
    let Some(needed) = ir::x86::needs(number, wide) else {
        fx.not_supported(&format!("builtin '__builtin_ia32_{name}'"));
        return false;
    };
    let missing = X86Features(needed.0 & !fx.options.codegen.features.0 & !X86Features::BASELINE.0);
    if missing.0 == 0 {
        return true;
    }
    let flag = X86Features::TABLE.iter().find(|row| row.3 == needed).map_or("", |row| row.0);
    let message = format!("'__builtin_ia32_{name}' needs isa option -m{flag}");
    fx.session.error(fx.loc, message).emit();
    false
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
        ("pshuflw" | "pshufhw", 2) => {
            let m = fx.const_int(v[1])? as u32;
            let (moved, kept) = if op == "pshuflw" { (0, 4) } else { (4, 0) };
            let mut mask = [0, 1, 2, 3, 4, 5, 6, 7];
            for lane in 0..4 {
                mask[moved + lane] = moved as u32 + (m >> (2 * lane) & 3);
                mask[kept + lane] = (kept + lane) as u32;
            }
            Some(Some(fx.b().shuffle(v[0], v[0], &mask)))
        }
        ("psllw" | "pslld" | "psllq" | "psrlw" | "psrld" | "psrlq" | "psraw" | "psrad", 2) if rest == "imm" => {
            Some(Some(shift(fx, op, v[0], fx.const_int(v[1])? as u32)))
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
        (_, 2) if rest == "load" || rest == "store" => half(fx, op, rest, v),
        ("movntdq" | "movntps" | "movntpd" | "movnti", 2) => {
            let align = if op == "movnti" { 1 } else { 16 };
            fx.store_flags(v[1], Place::new(v[0], align), AliasTags::any(), ir::flags::NONTEMPORAL);
            Some(None)
        }
        ("storeu", 2) => {
            fx.store(v[1], Place::new(v[0], 1), AliasTags::any());
            Some(None)
        }
        ("lddqu" | "movntdqa" | "loadu", 1) => Some(Some(fx.load(to, Place::new(v[0], 1), AliasTags::any()))),
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

/// A shift of all lanes by a constant, which may be greater than a lane is wide.
fn shift(fx: &mut Fx<'_, '_>, op: &str, vector: Value, count: u32) -> Value {
    let ty = fx.ty(vector);
    let bits = ty.lane_bits();
    let opcode = match &op[..4] {
        "psll" => Opcode::Shl,
        "psrl" => Opcode::LShr,
        _ => Opcode::AShr,
    };
    let count = match opcode {
        _ if count == 0 => return vector,
        Opcode::AShr => count.min(bits - 1),
        _ if count >= bits => return fx.zero(ty),
        _ => count,
    };
    let lane = count.to_le_bytes();
    let bytes = (0..ty.store_size()).map(|i| lane.get((i % (bits / 8)) as usize).copied().unwrap_or(0));
    let counts = fx.func.make_const(ty, ir::Constant::Vector(bytes.collect()));
    fx.int_op(opcode, 0, vector, counts)
}

/// Half a register from or to memory: the low or the high eight bytes.
fn half(fx: &mut Fx<'_, '_>, op: &str, rest: &str, v: &[Value]) -> Option<Option<Value>> {
    let lane = match op {
        "movhps" | "movhpd" => 1,
        "movlps" | "movlpd" => 0,
        _ => return None,
    };
    let pair = Type::F64.vector(2);
    if rest == "load" {
        let ty = fx.ty(v[0]);
        let half = fx.load(Type::F64, Place::new(v[1], 1), AliasTags::any());
        let whole = fx.bitcast(v[0], pair);
        let whole = vectors::insert(fx, whole, lane, half);
        return Some(Some(fx.bitcast(whole, ty)));
    }
    let whole = fx.bitcast(v[1], pair);
    let half = vectors::extract(fx, whole, lane);
    fx.store(half, Place::new(v[0], 1), AliasTags::any());
    Some(None)
}

/// Operations on memory or the machine's state that only instructions can say: assembly statements
/// that stay in order. The inner `None` is the result of those without one.
fn opaque(fx: &mut Fx<'_, '_>, op: &str, to: Type, v: &[Value]) -> Option<Option<Value>> {
    let places: &[AsmPlace] = match op {
        "lfence" | "sfence" => &[],
        "clflush" | "fxsave" | "fxsave64" | "fxrstor" | "fxrstor64" => &[AsmPlace::Memory],
        "maskmovdqu" => &[AsmPlace::Xmm, AsmPlace::Xmm, AsmPlace::Fixed(RDI)],
        "monitor" => &[AsmPlace::Fixed(RAX), AsmPlace::Fixed(RCX), AsmPlace::Fixed(RDX)],
        "mwait" => &[AsmPlace::Fixed(RCX), AsmPlace::Fixed(RAX)],
        "popf" => &[AsmPlace::Gpr],
        "pushf" => &[],
        _ => return None,
    };
    let mut data = AsmData { volatile: true, clobbers_memory: true, clobbers_flags: true, ..AsmData::default() };
    let operand = |place: AsmPlace, ty: Type, input: Option<u32>| AsmOperand {
        is_output: input.is_none(),
        early_clobber: false,
        place,
        ty,
        name: None,
        input,
        result: input.is_none().then_some(0),
    };
    if !to.is_void() {
        data.operands.push(operand(AsmPlace::Gpr, to, None));
    }
    for (index, (&place, &value)) in places.iter().zip(v).enumerate() {
        let ty = if place == AsmPlace::Memory { Type::VOID } else { fx.ty(value) };
        data.operands.push(operand(place, ty, Some(index as u32)));
    }
    data.template = match op {
        "maskmovdqu" => "{maskmovdqu %1, %0|maskmovdqu %0, %1}".into(),
        // The stack is moved below the red zone before it is used.
        "pushf" | "popf" => {
            let words = if op == "pushf" { "pushfq; pop{q} %0" } else { "push{q} %0; popfq" };
            let (down, up) = (
                "{leaq -128(%%rsp), %%rsp|lea %%rsp, [%%rsp - 128]}",
                "{leaq 128(%%rsp), %%rsp|lea %%rsp, [%%rsp + 128]}",
            );
            format!("{down}; {words}; {up}").into()
        }
        _ if places == [AsmPlace::Memory] => format!("{op} %0").into(),
        _ => op.into(),
    };
    let results = if to.is_void() { &[][..] } else { &[to] };
    let statement = fx.b().asm(data, v, results);
    Some(fx.func.result(statement))
}

/// One instruction on values.
fn instruction(fx: &mut Fx<'_, '_>, operation: &str, to: Type, v: &[Value]) -> Option<Value> {
    let Some(number) = ir::x86::find(operation) else {
        fx.not_supported(&format!("vector builtin '{operation}'"));
        return (!to.is_void()).then(|| fx.zero(to));
    };
    let mut list = vec![fx.iconst(Type::I32, number as i64)];
    list.extend_from_slice(v);
    let inst = fx.b().intrinsic(Intrinsic::X86, to, &list);
    fx.func.result(inst)
}
