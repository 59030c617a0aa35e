//! Functions without SSE registers (`-mno-sse`, `-mgeneral-regs-only`): floating values as bits.
//!
//! Runs on the alloca form of one function after it has been lowered. Values of `float`, `double`
//! and binary128 become integers of their size; operations on `float` and `double` become those of
//! the x87 unit, which reads and writes both formats in memory. Afterwards no value of the function
//! needs an `xmm` register, so that no later pass can give it one. Vectors never become values
//! there (see [`super::shapes`]), and the calling convention has the arguments on the stack (see
//! [`super::abi`]).
//!
//! With SSE but without SSE2 (`-mno-sse2`) code is the same; arguments and results in SSE
//! registers, which gcc has there, are errors.
//!
//! What gcc 12 rejects is an error with its words: results in SSE registers, those of library
//! functions included.

use base::{Loc, Session};
use ir::{AliasTags, AsmPlace, Builder, Function, Inst, Intrinsic, Opcode, Type, Value};
use platform::options::{Options, X86Features};
use platform::sysv::Class;
use rustc_hash::FxHashMap;

use super::abi::FnAbi;
use super::function::Fx;
use super::state::State;
use crate::tree::Unit;

/// gcc's error for results of functions and of operations that are calls of libgcc.
const RETURN: &str = "SSE register return with SSE disabled";
/// gcc's error for `va_arg` and here for arguments of functions of other conventions.
pub const ARGUMENT: &str = "SSE register argument with SSE disabled";

/// `-mno-sse2` alone: others have the argument in a register, which this code does without.
const ARGUMENT_ELSEWHERE: &str = "not supported: SSE register argument with SSE2 disabled";

/// Rejects arguments that are in SSE registers by the convention of a target with SSE but without
/// SSE2, which has no code here that uses them.
pub fn check_arguments(state: &mut State, unit: &Unit, session: &Session, options: &Options, abi: &FnAbi, loc: Loc) {
    if !options.codegen.features.has_half_of_sse() {
        return;
    }
    if abi.params.iter().any(|param| unit.types.classify(param.0).classes().contains(&Class::Sse)) {
        state.error_once(session, loc, ARGUMENT_ELSEWHERE);
    }
}

/// The integer type of a floating type that would be in an SSE register.
fn bits_type(ty: Type) -> Option<Type> {
    match ty {
        Type::F32 => Some(Type::I32),
        Type::F64 => Some(Type::I64),
        Type::F128 => Some(Type::I128),
        _ => None,
    }
}

/// Whether values of the type are in SSE registers.
pub fn is_sse(ty: Type) -> bool {
    ty.is_vector() || ty == Type::F16 || bits_type(ty).is_some()
}

struct Rewriter<'f> {
    func: &'f mut Function,
    /// The types that values had.
    types: Vec<Type>,
    /// The x87 unit may be used.
    x87: bool,
    /// Eight bytes through which values move between registers and the x87 unit.
    slot: Option<Value>,
    /// Values that are others now.
    replaced: FxHashMap<Value, Value>,
    /// The stores of results that assembly leaves on the x87 stack.
    popped: Vec<Inst>,
    error: Option<(Loc, &'static str)>,
}

/// Rewrites the function, if its code may not use SSE registers.
pub fn rewrite(fx: &mut Fx<'_, '_>) {
    if fx.options.codegen.features.has_sse() {
        return;
    }
    let uses_floats = fx.func.all_values().any(|v| is_sse(fx.func.value_type(v)));
    if !uses_floats {
        return;
    }
    let mut func = fx.func.clone();
    let types = func.all_values().map(|v| func.value_type(v)).collect();
    let mut rewriter = Rewriter {
        func: &mut func,
        types,
        x87: fx.options.codegen.x87,
        slot: None,
        replaced: FxHashMap::default(),
        popped: Vec::new(),
        error: None,
    };
    let insts: Vec<Inst> = rewriter.func.blocks().flat_map(|block| rewriter.func.block_insts(block)).collect();
    for &inst in &insts {
        rewriter.instruction(inst);
    }
    rewriter.operands();
    match rewriter.error {
        None => fx.func = func,
        Some((loc, message)) => {
            fx.state.error_once(fx.session, loc, message);
            // Code is generated all the same, and not used.
            fx.func.features = Some(X86Features::BASELINE);
        }
    }
}

impl Rewriter<'_> {
    fn reject(&mut self, inst: Inst, message: &'static str) {
        let loc = self.func.inst_locs[inst];
        self.error.get_or_insert((loc, message));
    }

    fn instruction(&mut self, inst: Inst) {
        use Opcode::*;
        let data = self.func.insts[inst];
        match data.opcode {
            Ret => {
                if self.func.operands(inst).any(|v| is_sse(self.type_of(v))) {
                    let loc = self.func.loc;
                    self.error.get_or_insert((loc, RETURN));
                }
            }
            Call => self.call(inst),
            Asm | AsmBr => self.asm(inst),
            Bitcast if is_sse(data.ty) || is_sse(self.operand_type(inst, 0)) => {
                let (result, operand) = (self.func.first_result(inst), self.func.operand(inst, 0));
                self.replaced.insert(result, operand);
            }
            FNeg | FAbs | CopySign if bits_type(data.ty).is_some() => self.sign(inst, data.opcode),
            FAdd | FSub | FMul | FDiv | Sqrt | FMin | FMax | Fma if is_sse(data.ty) => self.arithmetic(inst),
            FpTrunc | FpExt => self.between_floats(inst),
            FpToSi | FpToUi | FCmp if is_sse(self.operand_type(inst, 0)) => self.reads_floats(inst),
            SiToFp | UiToFp if is_sse(data.ty) => self.from_integer(inst),
            Intrinsic if is_sse(data.ty) => self.arithmetic(inst),
            _ => self.retype(inst),
        }
    }

    /// The type that the value had.
    fn type_of(&self, value: Value) -> Type {
        self.types.get(value.as_u32() as usize).copied().unwrap_or_else(|| self.func.value_type(value))
    }

    fn operand_type(&self, inst: Inst, index: usize) -> Type {
        self.type_of(self.func.operand(inst, index))
    }

    /// An instruction that moves values whatever they are.
    fn retype(&mut self, inst: Inst) {
        for result in self.func.results(inst) {
            if let Some(ty) = bits_type(self.func.value_type(result)) {
                self.func.set_value_type(result, ty);
            } else if is_sse(self.func.value_type(result)) {
                self.reject(inst, RETURN);
            }
        }
    }

    fn call(&mut self, inst: Inst) {
        let results = self.func.results(inst).any(|v| is_sse(self.type_of(v)));
        let arguments = self.func.operands(inst).any(|v| is_sse(self.type_of(v)));
        if results {
            self.reject(inst, RETURN);
        } else if arguments {
            self.reject(inst, ARGUMENT);
        }
    }

    /// Operands on the x87 stack are of its own type; general registers hold the bits.
    fn asm(&mut self, inst: Inst) {
        let places: Vec<AsmPlace> = self.func.asm(inst).operands.iter().map(|o| o.place).collect();
        let on_stack = |place: AsmPlace| matches!(place, AsmPlace::X87(_));
        let in_sse = |place: AsmPlace| match place {
            AsmPlace::Xmm => true,
            AsmPlace::Fixed(reg) => reg.is_xmm(),
            _ => false,
        };
        if places.iter().any(|&place| in_sse(place)) {
            self.reject(inst, "impossible constraint in 'asm'");
        }
        if !places.iter().any(|&place| on_stack(place)) {
            return self.retype(inst);
        }
        if !self.x87 {
            return self.reject(inst, "impossible constraint in 'asm'");
        }
        // Values of floating types are on the stack, if anything is: others are integers or
        // addresses.
        for index in 0..self.func.num_operands(inst) {
            let operand = self.func.operand(inst, index);
            if matches!(self.type_of(operand), Type::F32 | Type::F64) {
                let wide = self.widened(inst, operand);
                self.func.set_operand(inst, index, wide);
            }
        }
        let mut after = inst;
        for result in self.func.results(inst) {
            let ty = self.func.value_type(result);
            if !matches!(ty, Type::F32 | Type::F64) {
                continue;
            }
            self.func.set_value_type(result, Type::F80);
            let Some(next) = self.func.next_inst(after) else {
                return self.reject(inst, "impossible constraint in 'asm'");
            };
            let bits = self.narrowed(next, result, ty);
            self.replaced.insert(result, bits);
            after = self.func.def_inst(bits).unwrap_or(inst);
            // The store before the load of the bits has the value itself.
            self.popped.extend(self.func.prev_inst(after));
        }
    }

    /// `-x`, `|x|`, `copysign(x, y)`: operations on the bits.
    fn sign(&mut self, inst: Inst, opcode: Opcode) {
        let ty = bits_type(self.func.insts[inst].ty).unwrap_or(Type::I64);
        let sign = 1u128 << (ty.bits() - 1);
        let (sign, rest) = (self.func.bits_const(ty, sign), self.func.bits_const(ty, sign - 1));
        let operands: Vec<Value> = self.func.operands(inst).collect();
        let mut b = Builder::before(self.func, inst);
        // The operand may not have its integer type yet; the mask has.
        let bits = match opcode {
            Opcode::FNeg => b.binary(Opcode::Xor, sign, operands[0]),
            Opcode::FAbs => b.binary(Opcode::And, rest, operands[0]),
            _ => {
                let magnitude = b.binary(Opcode::And, rest, operands[0]);
                let sign = b.binary(Opcode::And, sign, operands[1]);
                b.binary(Opcode::Or, magnitude, sign)
            }
        };
        self.replaced.insert(self.func.first_result(inst), bits);
    }

    /// An operation whose operands and result are of one type.
    fn arithmetic(&mut self, inst: Inst) {
        let ty = self.func.insts[inst].ty;
        if !self.x87 || !matches!(ty, Type::F32 | Type::F64) {
            return self.reject(inst, RETURN);
        }
        let operands: Vec<Value> = self.func.operands(inst).collect();
        let wide: Vec<Value> = operands.into_iter().map(|v| self.widened(inst, v)).collect();
        let copy = self.copy_before(inst, Type::F80);
        for (index, value) in wide.into_iter().enumerate() {
            self.func.set_operand(copy, index, value);
        }
        let result = self.func.first_result(copy);
        self.becomes(inst, result, ty);
    }

    /// A copy of the instruction before it, with another result type.
    fn copy_before(&mut self, inst: Inst, ty: Type) -> Inst {
        let copy = self.func.copy_inst(inst, |value| value);
        self.func.insert_before(inst, copy);
        self.func.set_value_type(self.func.first_result(copy), ty);
        copy
    }

    fn between_floats(&mut self, inst: Inst) {
        let (from, to) = (self.operand_type(inst, 0), self.func.insts[inst].ty);
        if !is_sse(from) && !is_sse(to) {
            return;
        }
        let known = |ty| matches!(ty, Type::F32 | Type::F64 | Type::F80);
        if !self.x87 || !known(from) || !known(to) {
            return self.reject(inst, RETURN);
        }
        let operand = self.func.operand(inst, 0);
        let wide = if from == Type::F80 { operand } else { self.widened(inst, operand) };
        if to == Type::F80 {
            self.replaced.insert(self.func.first_result(inst), wide);
        } else {
            self.becomes(inst, wide, to);
        }
    }

    /// Comparisons and conversions to integers.
    fn reads_floats(&mut self, inst: Inst) {
        if !self.x87 {
            return self.reject(inst, "not supported: comparing and converting with SSE and x87 disabled");
        }
        for index in 0..self.func.num_operands(inst) {
            let operand = self.func.operand(inst, index);
            if !matches!(self.type_of(operand), Type::F32 | Type::F64) {
                return self.reject(inst, RETURN);
            }
            let wide = self.widened(inst, operand);
            self.func.set_operand(inst, index, wide);
        }
    }

    fn from_integer(&mut self, inst: Inst) {
        let ty = self.func.insts[inst].ty;
        // libgcc converts the widest ones, with a result in an SSE register.
        let wide = self.operand_type(inst, 0) == Type::I128;
        if !self.x87 || wide || !matches!(ty, Type::F32 | Type::F64) {
            return self.reject(inst, RETURN);
        }
        let copy = self.copy_before(inst, Type::F80);
        let result = self.func.first_result(copy);
        self.becomes(inst, result, ty);
    }

    /// The slot, at the start of the function.
    fn slot(&mut self) -> Value {
        if let Some(slot) = self.slot {
            return slot;
        }
        let entry = self.func.entry();
        let first = self.func.first_inst(entry).unwrap_or_else(|| base::bug!("an empty entry block"));
        let slot = Builder::before(self.func, first).alloca(8, 8);
        *self.slot.insert(slot)
    }

    /// The value as `f80`, before `inst`.
    fn widened(&mut self, inst: Inst, value: Value) -> Value {
        // The definition may be bits already; a constant is rewritten with the operands.
        let bytes = if self.type_of(value) == Type::F32 { 4 } else { 8 };
        let slot = self.slot();
        let loc = self.func.inst_locs[inst];
        let mut b = Builder::before(self.func, inst);
        b.loc = loc;
        b.store(value, slot, bytes, AliasTags::any(), 0);
        let bytes = b.iconst(Type::I32, i64::from(bytes));
        let load = b.intrinsic(Intrinsic::X87Load, Type::F80, &[slot, bytes]);
        self.func.first_result(load)
    }

    /// The bits of an `f80` value rounded to `ty`, before `inst`.
    fn narrowed(&mut self, inst: Inst, value: Value, ty: Type) -> Value {
        let slot = self.slot();
        let bytes = ty.store_size();
        let mut b = Builder::before(self.func, inst);
        let size = b.iconst(Type::I32, i64::from(bytes));
        b.intrinsic(Intrinsic::X87Store, Type::VOID, &[slot, value, size]);
        b.load(bits_type(ty).unwrap_or(Type::I64), slot, bytes, AliasTags::any(), 0)
    }

    /// The instruction's result is the `f80` value rounded to `ty`.
    fn becomes(&mut self, inst: Inst, value: Value, ty: Type) {
        let bits = self.narrowed(inst, value, ty);
        self.replaced.insert(self.func.first_result(inst), bits);
    }

    /// Every operand by what it is now; instructions whose result is another value go.
    fn operands(&mut self) {
        let insts: Vec<Inst> = self.func.all_insts().collect();
        for inst in insts.into_iter().filter(|inst| !self.popped.contains(inst)).collect::<Vec<_>>() {
            for index in 0..self.func.num_operands(inst) {
                let operand = self.func.operand(inst, index);
                let now = self.now(operand);
                if now != operand {
                    self.func.set_operand(inst, index, now);
                }
            }
        }
        let gone: Vec<Value> = self.replaced.keys().copied().collect();
        for value in gone {
            let Some(inst) = self.func.def_inst(value) else { continue };
            if !matches!(self.func.insts[inst].opcode, Opcode::Asm | Opcode::AsmBr) {
                self.func.remove_inst(inst);
            }
        }
    }

    fn now(&mut self, mut value: Value) -> Value {
        while let Some(&other) = self.replaced.get(&value) {
            value = other;
        }
        match (bits_type(self.func.value_type(value)), self.func.const_bits(value)) {
            (Some(ty), Some(bits)) => self.func.bits_const(ty, bits),
            _ => value,
        }
    }
}
