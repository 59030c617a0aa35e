//! The machine: frames, control flow, memory operations, calls.

mod calls;
mod shadow;
mod start;

use std::fmt::Write as _;

use ir::{Block, Constant, Function, Inst, Intrinsic, Module, Opcode, RmwOp, SymbolId, Type, Value, ValueDef};

use crate::eval::{self, Bits};
use crate::machine::Machine;
use crate::{Trap, libc};

/// What a run left over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Exit status, as a shell sees it.
    pub status: i32,
    /// Everything written to standard output.
    pub stdout: Vec<u8>,
    /// Instructions executed.
    pub executed: u64,
}

/// Deepest call nesting.
const MAX_FRAMES: usize = 20_000;

/// Runs `main` with the given arguments (the program's name included), for at most `fuel`
/// instructions.
///
/// # Errors
/// Undefined behaviour, something not modelled, or the limit.
pub fn run(module: &Module, args: &[&str], fuel: u64) -> Result<Outcome, Trap> {
    let mut machine = Machine::new(module, fuel);
    let status = machine.whole_program(args)?;
    Ok(Outcome { status, stdout: machine.output, executed: fuel - machine.fuel })
}

/// As [`run`], but gives what was written even if the program was stopped, and the exit status.
pub fn run_keeping_output(module: &Module, args: &[&str], fuel: u64) -> (Vec<u8>, Result<i32, Trap>) {
    let mut machine = Machine::new(module, fuel);
    let result = machine.whole_program(args);
    (machine.output, result)
}

/// Calls a function of the module with numbers as arguments, for at most `fuel` instructions; its
/// results.
///
/// # Errors
/// As [`run`].
pub fn call(module: &Module, function: SymbolId, args: &[(Type, Bits)], fuel: u64) -> Result<Vec<Bits>, Trap> {
    let mut machine = Machine::new(module, fuel);
    machine.initialise()?;
    machine.call(function, args, Vec::new())
}

/// Runs a program as lowering made it, with the checks of `-fsanitize=undefined` in it, and looks
/// for what has no defined behaviour: `locate` says where in the source a location is. The output,
/// and the exit status or what stopped it and where.
pub fn check<'m>(
    module: &'m Module,
    args: &[&str],
    fuel: u64,
    locate: Box<crate::memory::Locate<'m>>,
) -> (Vec<u8>, Result<i32, (Trap, Option<String>)>) {
    let mut machine = Machine::new(module, fuel);
    machine.memory.locate = Some(locate);
    machine.checked = true;
    let mut result = machine.whole_program(args).map_err(|trap| (trap, machine.place()));
    libc::finish(&mut machine);
    if result.is_ok()
        && let Some((size, function, loc)) = machine.memory.leaks().into_iter().next()
    {
        let what = format!("{size} bytes that {function} allocated here are never freed [leak]");
        let place = machine.memory.locate.as_ref().and_then(|locate| locate(loc));
        result = Err((Trap::Undefined(what), place));
    }
    (machine.output, result)
}

impl<'m> Machine<'m> {
    fn value(&self, value: Value) -> Result<Bits, Trap> {
        let frame = self.frames.last().expect("a frame is running");
        match frame.func.value_def(value) {
            ValueDef::Const(_) => {
                let ty = frame.func.value_type(value);
                Ok(match frame.func.constant(value).expect("is a constant") {
                    Constant::Bits(bits) => Bits::Scalar(*bits),
                    Constant::Symbol(symbol, offset) => {
                        Bits::Scalar(self.addresses[symbol].wrapping_add_signed(*offset) as u128)
                    }
                    Constant::Vector(bytes) => Bits::Vector(
                        bytes
                            .chunks(ty.lane().store_size() as usize)
                            .map(|c| c.iter().rev().fold(0u128, |bits, &b| bits << 8 | b as u128))
                            .collect(),
                    ),
                })
            }
            _ => frame.values[value]
                .clone()
                .ok_or_else(|| Trap::Undefined(format!("{value} is read before it is computed"))),
        }
    }

    fn scalar(&self, inst: Inst, index: usize) -> Result<u128, Trap> {
        let func = self.frames.last().expect("a frame is running").func;
        Ok(self.value(func.operand(inst, index))?.scalar())
    }

    fn address(&self, inst: Inst, index: usize) -> Result<u64, Trap> {
        Ok(self.scalar(inst, index)? as u64)
    }

    fn set(&mut self, value: Value, bits: Bits) {
        let frame = self.frames.last_mut().expect("a frame is running");
        frame.values[value] = Some(bits);
        if !frame.undefined.is_empty() {
            frame.undefined.remove(&value);
        }
    }

    fn define(&mut self, func: &Function, inst: Inst, bits: Bits) {
        self.set(func.first_result(inst), bits);
    }

    /// Inline assembly without text: an output has the value of the input tied to it, a global
    /// register variable what was last put there.
    fn empty_asm(&mut self, func: &Function, inst: Inst, asm: &ir::AsmData) -> Result<(), Trap> {
        let values = func.list(inst);
        let input = |m: &Self, operand: &ir::AsmOperand| operand.input.map(|i| m.value(values[i as usize])).transpose();
        let mut results = Vec::new();
        for (number, operand) in asm.operands.iter().enumerate().filter(|(_, o)| o.result.is_some()) {
            let tied = asm.operands.iter().find(|o| o.place == ir::AsmPlace::Tied(number as u8) && o.input.is_some());
            let bits = match (tied, operand.place) {
                (Some(tied), _) => input(self, tied)?,
                (None, ir::AsmPlace::Fixed(reg)) if self.module.reserved_registers.contains(reg) => {
                    Some(self.registers.get(&reg.0).cloned().unwrap_or(Bits::Scalar(0)))
                }
                _ => None,
            };
            results.push(bits.ok_or_else(|| Trap::Unsupported("inline assembly".into()))?);
        }
        for operand in asm.operands.iter().filter(|o| !o.is_output) {
            if let (ir::AsmPlace::Fixed(reg), Some(bits)) = (operand.place, input(self, operand)?) {
                self.registers.insert(reg.0, bits);
            }
        }
        for (value, bits) in func.results(inst).zip(results) {
            self.set(value, bits);
        }
        Ok(())
    }

    fn advance(&mut self) {
        let frame = self.frames.last_mut().expect("a frame is running");
        frame.inst = frame.inst.and_then(|i| frame.func.next_inst(i));
    }

    /// Goes to a block: its phis are read all at once, then written.
    fn jump(&mut self, target: Block) -> Result<(), Trap> {
        let frame = self.frames.last().expect("a frame is running");
        let (func, from) = (frame.func, frame.block);
        let mut incoming = Vec::new();
        for phi in func.phis(target) {
            let value =
                func.phi_value(phi, from).ok_or_else(|| Trap::Undefined(format!("{phi} has no entry for {from}")))?;
            let shadow = if self.checked { self.shadow(value) } else { None };
            incoming.push((func.first_result(phi), self.value(value)?, shadow));
        }
        for (result, bits, shadow) in incoming {
            self.set(result, bits);
            self.set_shadow(result, shadow);
        }
        let frame = self.frames.last_mut().expect("a frame is running");
        frame.block = target;
        frame.inst = func.first_non_phi(target);
        Ok(())
    }

    /// Goes where a branch goes.
    fn branch(&mut self, func: &'m Function, inst: Inst) -> Result<(), Trap> {
        use Opcode::*;
        let data = func.insts[inst];
        match data.opcode {
            Br => self.jump(data.dest()),
            CondBr => {
                if self.checked {
                    self.defined_condition(func, inst)?;
                }
                let taken = self.scalar(inst, 0)? != 0;
                self.jump(if taken { data.dests().0 } else { data.dests().1 })
            }
            Switch => {
                self.defined(func.operand(inst, 0), "a switch")?;
                let value = self.scalar(inst, 0)? as u64;
                let switch = func.switch(inst);
                let target =
                    switch.cases.binary_search_by_key(&value, |c| c.0).map_or(switch.default, |i| switch.cases[i].1);
                self.jump(target)
            }
            IndirectBr => {
                let address = self.address(inst, 0)?;
                match self.labels.get(&address) {
                    Some(&(symbol, label)) if symbol == func.symbol => self.jump(func.labels[label as usize]),
                    _ => Err(Trap::Undefined(format!("goto {address:#x}, which is no label of this function"))),
                }
            }
            _ => unreachable!("no branch"),
        }
    }

    fn step(&mut self, func: &'m Function, inst: Inst) -> Result<(), Trap> {
        use Opcode::*;
        let data = func.insts[inst];
        match data.opcode {
            Br | CondBr | Switch | IndirectBr => return self.branch(func, inst),
            Unreachable => return Err(Trap::Undefined("unreachable code is reached [unreachable]".into())),
            Call => return self.call_instruction(func, inst),
            Asm | AsmBr => {
                let asm = &func.asms[data.asm_id()];
                if !asm.template.trim().is_empty() || asm.fallthrough.is_some() {
                    return Err(Trap::Unsupported("inline assembly".into()));
                }
                self.empty_asm(func, inst, asm)?;
            }
            Alloca | LifetimeStart | LifetimeEnd | Keep | Prefetch | Fence => {}
            DynAlloca | StackSave | StackRestore => self.dynamic_stack(func, inst)?,
            Load | AtomicLoad => {
                let address = self.address(inst, 0)?;
                let bits = self.load(data.ty, address)?;
                self.define(func, inst, bits);
                if self.checked {
                    self.loaded(func, inst, address)?;
                }
            }
            Store | AtomicStore => {
                let value = func.operand(inst, 1);
                let bits = self.value(value)?;
                let address = self.address(inst, 0)?;
                self.store(func.value_type(value), address, &bits)?;
                if self.checked {
                    self.stored(func, inst, address)?;
                }
            }
            MemCpy | MemMove => {
                let (to, from, length) = (self.address(inst, 0)?, self.address(inst, 1)?, self.address(inst, 2)?);
                if data.opcode == MemCpy && to != from && to.abs_diff(from) < length {
                    return Err(Trap::Undefined("memcpy of overlapping ranges [library]".into()));
                }
                self.memory.copy(to, from, length)?;
                self.no_subscript(func, inst, 0)?;
                self.no_subscript(func, inst, 1)?;
            }
            MemSet => {
                let (to, byte, length) = (self.address(inst, 0)?, self.scalar(inst, 1)? as u8, self.address(inst, 2)?);
                self.memory.fill(to, byte, length)?;
            }
            AtomicRmw => {
                let address = self.address(inst, 0)?;
                let old = self.load(data.ty, address)?;
                let new = rmw(data.rmw_op(), data.ty, old.scalar(), self.scalar(inst, 1)?);
                self.store(data.ty, address, &Bits::Scalar(new))?;
                self.define(func, inst, old);
            }
            CmpXchg => {
                let address = self.address(inst, 0)?;
                let old = self.load(data.ty, address)?;
                let equal = old.scalar() == self.scalar(inst, 1)?;
                if equal {
                    let new = self.value(func.operand(inst, 2))?;
                    self.store(data.ty, address, &new)?;
                }
                let mut results = func.results(inst);
                let (first, second) = (results.next().expect("two results"), results.next().expect("two results"));
                self.set(first, old);
                self.set(second, Bits::Scalar(equal as u128));
            }
            VaStart => self.va_start(inst)?,
            BlockAddr => {
                let address = self.label_address(func.symbol, data.label());
                self.define(func, inst, Bits::Scalar(address as u128));
            }
            TlsAddr => {
                let address = self.addresses[&data.symbol()];
                self.define(func, inst, Bits::Scalar(address as u128));
            }
            Opcode::Intrinsic if data.intrinsic() == ir::Intrinsic::LongJmp => {
                return self.long_jump(self.address(inst, 0)?, 1);
            }
            Opcode::Intrinsic => self.intrinsic(func, inst)?,
            _ => self.compute(func, inst)?,
        }
        self.advance();
        Ok(())
    }

    /// Variables of a size that is not constant.
    fn dynamic_stack(&mut self, func: &Function, inst: Inst) -> Result<(), Trap> {
        match func.insts[inst].opcode {
            Opcode::DynAlloca => {
                let size = self.address(inst, 0)?;
                if size > crate::memory::MAX_SIZE {
                    return Err(Trap::Undefined(format!(
                        "{size} bytes for an array are more than a stack has [stack]"
                    )));
                }
                let loc = func.source_loc(inst);
                let address = self.memory.make("a dynamic local".into(), size, true, crate::memory::Kind::Stack, loc);
                self.frames.last_mut().expect("running").dynamic.push(address);
                self.define(func, inst, Bits::Scalar(address as u128));
            }
            // The "stack pointer" is how many dynamic blocks there are.
            Opcode::StackSave => {
                let count = self.frames.last().expect("running").dynamic.len();
                self.define(func, inst, Bits::Scalar(count as u128));
            }
            _ => {
                let count = self.scalar(inst, 0)? as usize;
                while self.frames.last().expect("running").dynamic.len() > count {
                    let address = self.frames.last_mut().expect("running").dynamic.pop().expect("not empty");
                    self.memory.free(address)?;
                }
            }
        }
        Ok(())
    }

    /// Operations that only compute, with the undefined bits of their results.
    fn compute(&mut self, func: &Function, inst: Inst) -> Result<(), Trap> {
        let shadow = if self.checked { self.pure_shadow(func, inst)? } else { None };
        for (value, bits) in func.results(inst).zip(self.pure(func, inst)?) {
            self.set(value, bits);
        }
        if self.checked && func.insts[inst].opcode == Opcode::PtrAdd {
            self.summed(func, inst);
        }
        if let Some((bits, from)) = shadow {
            for value in func.results(inst) {
                let all = eval::masked(func.value_type(value), &bits);
                self.set_shadow(value, Some((all, from)));
            }
        }
        Ok(())
    }

    /// Operations that only compute.
    fn pure(&self, func: &Function, inst: Inst) -> Result<Vec<Bits>, Trap> {
        use Opcode::*;
        let data = func.insts[inst];
        let args = func.operands(inst).map(|v| self.value(v)).collect::<Result<Vec<_>, _>>()?;
        let operand_type = |index: usize| func.value_type(func.operand(inst, index));
        Ok(vec![match data.opcode {
            Undef => Bits::from_lanes(data.ty, vec![0; data.ty.lanes() as usize]),
            PtrAdd => Bits::Scalar(args[0].scalar().wrapping_add(args[1].scalar()) & Type::PTR.mask()),
            ICmp | FCmp => eval::compare(data, operand_type(0), data.ty, &args[0], &args[1])?,
            SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow => {
                let result = ir::fold::overflow(data.opcode, data.ty, args[0].scalar(), args[1].scalar());
                let (bits, overflowed) = result.expect("is an overflow operation");
                return Ok(vec![Bits::Scalar(bits), Bits::Scalar(overflowed as u128)]);
            }
            Select => match &args[0] {
                Bits::Scalar(cond) => args[if *cond != 0 { 1 } else { 2 }].clone(),
                Bits::Vector(cond) => {
                    let (a, b) = (args[1].lanes(), args[2].lanes());
                    Bits::Vector(cond.iter().enumerate().map(|(i, &c)| if c != 0 { a[i] } else { b[i] }).collect())
                }
            },
            ExtractLane => Bits::Scalar(args[0].lanes()[args[1].scalar() as usize % operand_type(0).lanes() as usize]),
            InsertLane => {
                let mut lanes = args[0].lanes();
                let at = args[2].scalar() as usize % lanes.len();
                lanes[at] = args[1].scalar();
                Bits::Vector(lanes)
            }
            Splat => Bits::Vector(vec![args[0].scalar(); data.ty.lanes() as usize]),
            Shuffle => {
                let mut all = args[0].lanes();
                all.extend(args[1].lanes());
                let mask = &func.shuffle_masks[data.mask_index()];
                Bits::Vector(mask.iter().map(|&m| if m == u32::MAX { 0 } else { all[m as usize] }).collect())
            }
            Fma if data.ty == Type::F64 => {
                let f = |i: usize| f64::from_bits(args[i].scalar() as u64);
                Bits::Scalar(f(0).mul_add(f(1), f(2)).to_bits() as u128)
            }
            Fma if data.ty == Type::F32 => {
                let f = |i: usize| f32::from_bits(args[i].scalar() as u32);
                Bits::Scalar(f(0).mul_add(f(1), f(2)).to_bits() as u128)
            }
            opcode if args.len() == 1 => eval::unary(opcode, operand_type(0), data.ty, &args[0])?,
            FAdd | FSub | FMul | FDiv if matches!(data.ty, Type::F32 | Type::F64) => {
                let (a, b) = (args[0].scalar(), args[1].scalar());
                Bits::Scalar(self.library.floating.arithmetic(data.opcode, data.ty, a, b)?)
            }
            opcode if args.len() == 2 => eval::binary(opcode, data.flags(), data.ty, &args[0], &args[1])?,
            opcode => return Err(Trap::Unsupported(opcode.name().into())),
        }])
    }

    fn load(&self, ty: Type, address: u64) -> Result<Bits, Trap> {
        let size = ty.lane().store_size() as u64;
        let lanes = (0..ty.lanes() as u64)
            .map(|i| self.memory.load(address.wrapping_add(i * size), size))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Bits::from_lanes(ty, lanes))
    }

    fn store(&mut self, ty: Type, address: u64, bits: &Bits) -> Result<(), Trap> {
        let size = ty.lane().store_size() as u64;
        for (i, lane) in bits.lanes().into_iter().enumerate() {
            self.memory.store(address.wrapping_add(i as u64 * size), size, lane)?;
        }
        Ok(())
    }

    fn intrinsic(&mut self, func: &Function, inst: Inst) -> Result<(), Trap> {
        let data = func.insts[inst];
        let intrinsic = data.intrinsic();
        let float = |bits: u128, f: fn(f64) -> f64, g: fn(f32) -> f32| match data.ty {
            Type::F64 => Ok(f(f64::from_bits(bits as u64)).to_bits() as u128),
            Type::F32 => Ok(g(f32::from_bits(bits as u32)).to_bits() as u128),
            ty => Err(Trap::Unsupported(format!("{} of {ty}", intrinsic.name()))),
        };
        let result = match intrinsic {
            Intrinsic::Trap => return Err(Trap::Undefined("trap instruction".into())),
            Intrinsic::Expect | Intrinsic::KnownBytes => self.scalar(inst, 0)?,
            Intrinsic::IsConstant => func.constant(func.operand(inst, 0)).is_some() as u128,
            Intrinsic::ScopeBegin | Intrinsic::ScopeEnd => {
                let address = self.address(inst, 0)?;
                match intrinsic {
                    Intrinsic::ScopeBegin => self.memory.begin_scope(address),
                    _ => self.memory.end_scope(address),
                }
                return Ok(());
            }
            Intrinsic::Assume => {
                if self.scalar(inst, 0)? == 0 {
                    return Err(Trap::Undefined("a false assumption".into()));
                }
                return Ok(());
            }
            Intrinsic::ClearCache | Intrinsic::UnwindInit | Intrinsic::Pause => return Ok(()),
            Intrinsic::SetJmp => {
                self.set_jump(self.address(inst, 0)?)?;
                0
            }
            Intrinsic::InitTrampoline => {
                let (function, _) = self.callee(self.address(inst, 1)?)?;
                let chain = self.value(func.operand(inst, 2))?;
                self.trampolines.insert(self.address(inst, 0)?, (function, chain));
                return Ok(());
            }
            Intrinsic::ObjectSize => {
                if self.scalar(inst, 1)? & 2 == 0 {
                    u64::MAX as u128
                } else {
                    0
                }
            }
            Intrinsic::Rint if matches!(data.ty, Type::F32 | Type::F64) => {
                self.library.floating.to_integral(data.ty, self.scalar(inst, 0)?)
            }
            Intrinsic::Rint => float(self.scalar(inst, 0)?, f64::round_ties_even, f32::round_ties_even)?,
            Intrinsic::Floor => float(self.scalar(inst, 0)?, f64::floor, f32::floor)?,
            Intrinsic::Ceil => float(self.scalar(inst, 0)?, f64::ceil, f32::ceil)?,
            Intrinsic::TruncF => float(self.scalar(inst, 0)?, f64::trunc, f32::trunc)?,
            Intrinsic::MoveMask => {
                let operand = func.operand(inst, 0);
                let sign = func.value_type(operand).lane_bits() - 1;
                let lanes = self.value(operand)?.lanes();
                lanes.iter().enumerate().fold(0, |bits, (lane, &value)| bits | (value >> sign & 1) << lane)
            }
            Intrinsic::MaskedStore => {
                let (place, ty) = (self.address(inst, 0)?, func.value_type(func.operand(inst, 2)).lane());
                let (mask, value) = (self.value(func.operand(inst, 1))?.lanes(), self.value(func.operand(inst, 2))?);
                for (lane, bits) in
                    value.lanes().into_iter().enumerate().filter(|&(lane, _)| mask[lane] >> (ty.bits() - 1) & 1 == 1)
                {
                    self.store(ty, place.wrapping_add(lane as u64 * u64::from(ty.store_size())), &Bits::Scalar(bits))?;
                }
                return Ok(());
            }
            other => return Err(Trap::Unsupported(format!("intrinsic {}", other.name()))),
        };
        self.define(func, inst, Bits::Scalar(result));
        Ok(())
    }
}

fn rmw(op: RmwOp, ty: Type, old: u128, operand: u128) -> u128 {
    let bits = match op {
        RmwOp::Xchg => operand,
        RmwOp::Add => old.wrapping_add(operand),
        RmwOp::Sub => old.wrapping_sub(operand),
        RmwOp::And => old & operand,
        RmwOp::Nand => !(old & operand),
        RmwOp::Or => old | operand,
        RmwOp::Xor => old ^ operand,
    };
    bits & ty.mask()
}

impl std::fmt::Debug for Machine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("machine in ")?;
        for frame in &self.frames {
            f.write_char('/')?;
            f.write_str(&self.module.symbols[frame.func.symbol].name)?;
        }
        Ok(())
    }
}
