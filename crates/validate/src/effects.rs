//! Instructions that read or write memory, or happen.

use ir::effects::{CallDependence, call_attrs, call_dependence, is_removable_if_unused};
use ir::memory_effects::effects_of_call;
use ir::{AsmPlace, FnAttrs, Function, Inst, InstView, Intrinsic, Opcode, ParamKind, Type, Value};

use crate::execute::{Execution, Stop};
use crate::plan::Write;
use crate::provenance::Base;
use crate::term::{BOOL, Lanes, MEMORY, Op, Term, UfKind, Var, lane_width};

/// Block operations of constant length up to this are loads and stores.
const SMALL_BLOCK: u128 = 128;

/// Arguments passed in memory that are looked into, in bytes.
const MAX_ARGUMENT: u64 = 256;

/// Where an access goes.
enum Place {
    /// Memory that others may see.
    Common,
    /// A slot that nobody else knows.
    Private(u32),
    /// One or the other.
    Choice(Term, Term, Term),
}

impl Execution<'_, '_> {
    /// Executes an instruction that is no terminator and no phi.
    pub(crate) fn instruction(&mut self, func: &Function, inst: Inst) -> Result<(), Stop> {
        if let Some(results) = self.pure(func, inst)? {
            for (value, lanes) in func.results(inst).zip(results) {
                self.define(value, lanes);
            }
            return Ok(());
        }
        match func.view(inst) {
            InstView::Alloca { .. } => {
                let Some(key) = self.slots.key(self.is_target, inst) else { return Err(reason("slot")) };
                let address = self.cx.arena.var(Var::Slot(key), 64);
                self.define(func.first_result(inst), [address].into_iter().collect());
                Ok(())
            }
            InstView::Load { addr, mem, .. } => {
                let (ty, tag) = (func.insts[inst].ty, mem.tag.as_u32());
                let address = self.scalar(func, addr)?;
                if func.insts[inst].is_volatile() {
                    return self.volatile_load(func, inst, address);
                }
                self.accessible(address, self.path);
                self.cx.misread.clear();
                let lanes = self.load_lanes(ty, address, tag)?;
                for misread in std::mem::take(&mut self.cx.misread) {
                    // Alias classes after the pass are trusted.
                    if !self.is_target {
                        self.undefined(misread);
                    }
                }
                self.define(func.first_result(inst), lanes);
                Ok(())
            }
            InstView::Store { addr, value, mem, .. } => {
                let (address, lanes) = (self.scalar(func, addr)?, self.lanes(func, value)?);
                if func.insts[inst].is_volatile() {
                    self.exposed(address);
                    let mut args = vec![self.state.trace, address];
                    args.extend(lanes.iter().copied());
                    lanes.iter().for_each(|&lane| self.leak(lane));
                    let name = format!("volatile store {}", func.value_type(value));
                    self.state.trace = self.cx.arena.call(UfKind::Event, &name, &args, 64);
                }
                self.accessible(address, self.path);
                let size = func.value_type(value).lane().store_size();
                for (n, &lane) in lanes.iter().enumerate() {
                    let at = self.offset(address, n as u128 * u128::from(size));
                    self.store(at, lane, mem.tag.as_u32())?;
                }
                Ok(())
            }
            InstView::BlockOp { op, to, from, len, volatile, .. } => {
                let (to, from, len) = (self.scalar(func, to)?, self.scalar(func, from)?, self.scalar(func, len)?);
                if volatile {
                    [to, from].into_iter().for_each(|address| self.leak(address));
                    let args = [self.state.trace, to, from, len];
                    let name = format!("volatile {} {}", op.name(), self.cx.arena.width(from));
                    self.state.trace = self.cx.arena.call(UfKind::Event, &name, &args, 64);
                }
                self.block_operation(op, to, from, len)
            }
            InstView::Call { .. } => self.call(func, inst),
            InstView::Intrinsic { intrinsic, .. } => self.intrinsic(func, inst, intrinsic),
            InstView::Unary { op: Opcode::LifetimeStart, a, .. } => {
                let address = self.scalar(func, a)?;
                if let Place::Private(key) = self.place(address) {
                    let generation = self.generation(key);
                    self.state.slots[key as usize] = self.cx.arena.var(Var::Contents(key, generation), MEMORY);
                }
                Ok(())
            }
            InstView::Unary { op: Opcode::LifetimeEnd | Opcode::Keep | Opcode::StackRestore, .. }
            | InstView::Prefetch { .. } => Ok(()),
            InstView::Nullary { op: Opcode::StackSave } => {
                let unknown = self.cx.arena.call(UfKind::Result, "stack_save", &[], 64);
                self.define(func.first_result(inst), [unknown].into_iter().collect());
                Ok(())
            }
            InstView::AtomicLoad { .. }
            | InstView::AtomicStore { .. }
            | InstView::AtomicRmw { .. }
            | InstView::CmpXchg { .. }
            | InstView::Fence { .. } => self.atomic(func, inst),
            InstView::Asm { op: Opcode::Asm, .. } => self.assembly(func, inst),
            InstView::DynAlloca { .. } => {
                self.stack_block(func, inst);
                Ok(())
            }
            InstView::Unary { op: Opcode::VaStart, a, .. } => {
                let address = self.scalar(func, a)?;
                self.leak(address);
                let args = [self.state.trace, self.identity(), address];
                self.happens("va_start", &args);
                Ok(())
            }
            _ => Err(reason(func.insts[inst].opcode.name())),
        }
    }

    /// Each execution makes a block of its own.
    fn stack_block(&mut self, func: &Function, inst: Inst) {
        let number = self.blocks.entry(inst).or_insert(0);
        *number += 1;
        let name = format!("block {} {number}", inst.as_u32());
        let address = self.cx.arena.call(UfKind::Block, &name, &[], 64);
        self.define(func.first_result(inst), [address].into_iter().collect());
        self.calls.push("dyn_alloca weak".to_string());
    }

    /// The first time that a slot's lifetime begins it holds what it held.
    fn generation(&mut self, key: u32) -> u32 {
        match self.cx.arena.node(self.state.slots[key as usize]).op {
            Op::Var(Var::Contents(_, generation)) => generation,
            _ => 1,
        }
    }

    // ---- addresses

    fn offset(&mut self, address: Term, bytes: u128) -> Term {
        let offset = self.cx.arena.number(bytes, 64);
        self.cx.arena.ptr_add(address, offset)
    }

    /// Notes an access under a condition; it is defined only where an object can be.
    fn accessible(&mut self, address: Term, cond: Term) {
        let bases = self.cx.objects.bases(&self.cx.arena, address);
        if !bases.is_empty() && bases.iter().all(|base| matches!(base, Base::Slot(_) | Base::Symbol(_))) {
            return;
        }
        let path = self.cx.arena.and(self.path, cond);
        self.accesses.push((address, path));
    }

    fn place(&mut self, address: Term) -> Place {
        let bases = self.cx.objects.bases(&self.cx.arena, address);
        let private = |base: &Base| matches!(base, Base::Slot(key) if !self.escaped.contains(key));
        let count = bases.iter().filter(|base| private(base)).count();
        match &bases[..] {
            _ if count == 0 => Place::Common,
            [Base::Slot(key)] => Place::Private(*key),
            _ => match self.cx.arena.split_choice(address) {
                Some((cond, a, b)) => Place::Choice(cond, a, b),
                None => {
                    self.exposed(address);
                    Place::Common
                }
            },
        }
    }

    /// The slots that a value is or has the address of are no longer the function's own.
    fn exposed(&mut self, value: Term) {
        for key in self.cx.objects.slots(&self.cx.arena, value) {
            if !self.escaped.contains(&key) {
                self.escaping.insert(key);
            }
        }
    }

    /// A value goes where code outside can see it.
    pub(crate) fn leak(&mut self, value: Term) {
        self.exposed(value);
        for key in self.cx.objects.slots(&self.cx.arena, value) {
            if let Err(at) = self.state.leaked.binary_search(&key) {
                self.state.leaked.insert(at, key);
            }
        }
    }

    fn load_lanes(&mut self, ty: Type, address: Term, tag: u32) -> Result<Lanes, Stop> {
        let size = ty.lane().store_size();
        let mut lanes = Lanes::new();
        for n in 0..ty.lanes() {
            let at = self.offset(address, u128::from(n * size));
            let bits = self.load(at, size, tag)?;
            lanes.push(if lane_width(ty) == BOOL {
                let one = self.cx.arena.number(1, 8);
                self.cx.arena.eq(bits, one)
            } else {
                self.cx.arena.extract(bits, 0, lane_width(ty))
            });
        }
        Ok(lanes)
    }

    fn load(&mut self, address: Term, bytes: u32, tag: u32) -> Result<Term, Stop> {
        Ok(match self.place(address) {
            Place::Common => self.cx.load(self.state.memory, address, bytes, tag),
            Place::Private(key) => {
                let value = self.cx.load(self.state.slots[key as usize], address, bytes, tag);
                if bytes == 8 && matches!(self.cx.arena.node(value).op, Op::Load | Op::Ite | Op::Concat) {
                    // It may be any address that was stored there.
                    self.leak_contents(self.state.slots[key as usize]);
                }
                value
            }
            Place::Choice(cond, a, b) => {
                let (a, b) = (self.load(a, bytes, tag)?, self.load(b, bytes, tag)?);
                self.cx.arena.ite(cond, a, b)
            }
        })
    }

    fn store(&mut self, address: Term, value: Term, tag: u32) -> Result<(), Stop> {
        let value = match self.cx.arena.width(value) {
            BOOL => self.cx.arena.bits_of(value, 8),
            _ => value,
        };
        match self.place(address) {
            Place::Common => {
                self.leak(value);
                self.writes_to(address, tag);
                self.state.memory = self.cx.store(self.state.memory, address, value, tag);
            }
            Place::Private(key) => {
                let memory = self.state.slots[key as usize];
                self.state.slots[key as usize] = self.cx.store(memory, address, value, tag);
            }
            Place::Choice(cond, a, b) => {
                let before = (self.state.memory, self.state.slots.clone());
                self.store(a, value, tag)?;
                let first = (self.state.memory, std::mem::replace(&mut self.state.slots, before.1));
                self.state.memory = before.0;
                self.store(b, value, tag)?;
                self.state.memory = self.cx.arena.ite(cond, first.0, self.state.memory);
                for (n, &slot) in first.1.iter().enumerate() {
                    self.state.slots[n] = self.cx.arena.ite(cond, slot, self.state.slots[n]);
                }
            }
        }
        Ok(())
    }

    fn block_operation(&mut self, op: Opcode, to: Term, from: Term, len: Term) -> Result<(), Stop> {
        let any = ir::AliasTags::any().as_u32();
        if let Some(length) = self.cx.arena.value(len)
            && length <= SMALL_BLOCK
        {
            let mut parts = Vec::new();
            let mut at = 0;
            while at < length {
                let size = [8, 4, 2, 1].into_iter().find(|&size| at + size <= length).expect("one fits");
                let value = if op == Opcode::MemSet {
                    (1..size).fold(from, |value, _| self.cx.arena.concat(value, from))
                } else {
                    let from = self.offset(from, at);
                    self.accessible(from, self.path);
                    self.load(from, size as u32, any)?
                };
                parts.push((at, value));
                at += size;
            }
            for (at, value) in parts {
                let to = self.offset(to, at);
                self.accessible(to, self.path);
                self.store(to, value, any)?;
            }
            return Ok(());
        }
        let nothing = self.cx.arena.number(0, 64);
        let some = self.cx.arena.differ(len, nothing);
        self.accessible(to, some);
        if op != Opcode::MemSet {
            self.accessible(from, some);
        }
        let mut args = vec![to];
        let op = if op == Opcode::MemSet {
            args.push(from);
            Op::Fill
        } else {
            let source = match self.place(from) {
                Place::Common => self.state.memory,
                Place::Private(key) => self.state.slots[key as usize],
                Place::Choice(..) => return Err(reason("copy from one of several objects")),
            };
            if matches!(self.place(to), Place::Common) {
                self.leak_contents(source);
            }
            args.extend([source, from]);
            Op::Copy
        };
        args.push(len);
        if matches!(self.place(to), Place::Common) {
            self.writes_to(to, any);
        }
        let memory = match self.place(to) {
            Place::Common => &mut self.state.memory,
            Place::Private(key) => &mut self.state.slots[key as usize],
            Place::Choice(..) => return Err(reason("copy to one of several objects")),
        };
        args.insert(0, *memory);
        *memory = self.cx.arena.raw(op, &args, MEMORY);
        Ok(())
    }

    /// Whatever addresses of slots a memory holds may be seen.
    fn leak_contents(&mut self, memory: Term) {
        let mut work = vec![memory];
        let mut done = rustc_hash::FxHashSet::default();
        while let Some(memory) = work.pop() {
            if !done.insert(memory) {
                continue;
            }
            let node = self.cx.arena.node(memory).clone();
            if let Op::Var(Var::Cut(number)) = node.op {
                work.extend(self.cx.plan.contents(number));
            }
            if matches!(node.op, Op::Store(_)) {
                self.leak(node.args[2]);
            }
            work.extend(node.args.iter().copied().filter(|&arg| self.cx.arena.width(arg) == MEMORY));
        }
    }

    /// Notes a write for the loops that are executed now.
    fn writes(&mut self, write: &Write) {
        for index in self.active.iter().filter_map(|active| active.1) {
            let writes = &mut self.cuts[index].writes;
            if !writes.contains(write) {
                writes.push(write.clone());
            }
        }
    }

    fn writes_to(&mut self, address: Term, tag: u32) {
        if !self.active.is_empty() {
            let bases = self.cx.objects.bases(&self.cx.arena, address);
            self.writes(&Write::Store(bases, tag));
        }
    }

    // ---- events

    fn volatile_load(&mut self, func: &Function, inst: Inst, address: Term) -> Result<(), Stop> {
        let ty = func.insts[inst].ty;
        self.exposed(address);
        self.accessible(address, self.path);
        let args = [self.state.trace, address];
        self.state.trace = self.cx.arena.call(UfKind::Event, &format!("volatile load {ty}"), &args, 64);
        self.define_results(func, inst, false);
        Ok(())
    }

    /// The results are what the last event gives.
    fn define_results(&mut self, func: &Function, inst: Inst, is_fresh: bool) {
        let trace = self.state.trace;
        for (number, value) in func.results(inst).enumerate() {
            let ty = func.value_type(value);
            let kind = if is_fresh && ty.is_ptr() { UfKind::Fresh } else { UfKind::Result };
            let lanes = (0..ty.lanes())
                .map(|lane| {
                    let name = format!("result {number} {ty} {lane}{}", if is_fresh { " fresh" } else { "" });
                    self.cx.arena.call(kind, &name, &[trace], lane_width(ty))
                })
                .collect();
            self.define(value, lanes);
        }
    }

    /// Memory as an argument of an event.
    fn identity(&mut self) -> Term {
        let set = self.cx.arena.leak_set(self.state.leaked.clone());
        let node = self.cx.arena.node(self.state.memory).clone();
        if node.op == Op::AfterCall(set) {
            // Nothing was stored since.
            return self.cx.arena.call(UfKind::Result, "memory", &[node.args[1]], 64);
        }
        self.cx.arena.raw(Op::Identity(set), &[self.state.memory], 64)
    }

    fn atomic(&mut self, func: &Function, inst: Inst) -> Result<(), Stop> {
        let mut args = vec![self.state.trace, self.identity()];
        let mut name = format!("{} {:?}", func.insts[inst].opcode.name(), func.insts[inst].flags());
        if let InstView::AtomicRmw { rmw, .. } = func.view(inst) {
            name.push_str(rmw.name());
        }
        for operand in func.operands(inst).collect::<Vec<_>>() {
            let lanes = self.lanes(func, operand)?;
            lanes.iter().for_each(|&lane| self.leak(lane));
            args.extend(lanes);
            name.push_str(&format!(" {}", func.value_type(operand)));
        }
        args[1] = self.identity();
        self.happens(&name, &args);
        self.define_results(func, inst, false);
        Ok(())
    }

    /// Inline assembly: a function of its inputs, or an event.
    fn assembly(&mut self, func: &Function, inst: Inst) -> Result<(), Stop> {
        let asm = func.asm(inst);
        let is_function = !func.insts[inst].is_volatile()
            && !asm.volatile
            && !asm.clobbers_memory
            && asm.operands.iter().all(|operand| operand.place != AsmPlace::Memory);
        let mut name = format!("asm {}", asm.template);
        for operand in &asm.operands {
            name.push_str(&format!(" {:?} {} {:?}", operand.place, operand.ty, operand.input));
        }
        let mut args = if is_function { Vec::new() } else { vec![self.state.trace, self.state.trace] };
        for &operand in func.list(inst) {
            let lanes = self.lanes(func, operand)?;
            lanes.iter().for_each(|&lane| self.leak(lane));
            args.extend(lanes);
            name.push_str(&format!(" {}", func.value_type(operand)));
        }
        let name: String = name.chars().filter(|c| !matches!(c, '|' | '\\')).collect();
        self.calls.push("asm weak".to_string());
        if !is_function {
            args[1] = self.identity();
            self.happens(&name, &args);
            self.define_results(func, inst, false);
            return Ok(());
        }
        for (number, value) in func.results(inst).enumerate() {
            let ty = func.value_type(value);
            let lane = |n: u32| format!("{name} {number} {ty} {n}");
            let lanes =
                (0..ty.lanes()).map(|n| self.cx.arena.call(UfKind::Result, &lane(n), &args, lane_width(ty))).collect();
            self.define(value, lanes);
        }
        Ok(())
    }

    /// An event that may change all memory that others may see.
    fn happens(&mut self, name: &str, args: &[Term]) {
        self.state.trace = self.cx.arena.call(UfKind::Event, name, args, 64);
        let set = self.cx.arena.leak_set(self.state.leaked.clone());
        self.writes(&Write::Call(set));
        self.state.memory = self.cx.arena.raw(Op::AfterCall(set), &[self.state.memory, self.state.trace], MEMORY);
    }

    /// The path ends here unless the last event returns.
    fn may_not_return(&mut self) {
        let returns = self.cx.arena.call(UfKind::Returns, "returns", &[self.state.trace], BOOL);
        let not = self.cx.arena.not(returns);
        self.ended.push((self.cx.arena.and(self.path, not), self.state.trace));
        self.path = self.cx.arena.and(self.path, returns);
    }

    fn ends(&mut self) {
        self.ended.push((self.path, self.state.trace));
        self.path = self.cx.arena.truth(false);
    }

    fn call(&mut self, func: &Function, inst: Inst) -> Result<(), Stop> {
        if func.may_return_again(inst) {
            return Err(reason("a call that returns twice"));
        }
        let operands: Vec<Value> = func.list(inst).to_vec();
        let attrs = call_attrs(func, self.cx.module, inst);
        let sig = &self.cx.module.signatures[func.call_info(inst).sig];
        // A pointer whose value is known names its function as well.
        let callee = self.scalar(func, operands[0])?;
        let mut name = match self.cx.arena.node(callee).op {
            Op::Var(Var::Symbol(symbol)) => self.cx.module.symbols[ir::SymbolId::from_u32(symbol)].name.to_string(),
            _ => "*".to_string(),
        };
        self.calls.push(format!("{name}{}", if attrs.has(FnAttrs::LIBRARY) { " library" } else { "" }));
        let mut args = Vec::new();
        if self.cx.calls_by_address {
            name = "*".to_string();
            args.push(callee);
        }
        for (index, &operand) in operands[1..].iter().enumerate() {
            let kind = sig.params.get(index).map_or(ParamKind::Direct, |param| param.kind);
            match kind {
                ParamKind::ByVal { size, .. } if size <= MAX_ARGUMENT => {
                    let address = self.scalar(func, operand)?;
                    for at in (0..size).step_by(8) {
                        let bytes = (size - at).min(8) as u32;
                        let at = self.offset(address, at.into());
                        args.push(self.load(at, bytes, ir::AliasTags::any().as_u32())?);
                        name.push_str(&format!(" b{bytes}"));
                    }
                }
                _ => {
                    name.push_str(&format!(" {}", func.value_type(operand)));
                    args.extend(self.lanes(func, operand)?);
                }
            }
        }
        args.iter().for_each(|&arg| self.leak(arg));
        let dependence = call_dependence(func, self.cx.module, inst);
        if let Some(dependence) = dependence {
            if dependence == CallDependence::Memory {
                args.push(self.identity());
            }
            for (number, value) in func.results(inst).enumerate() {
                let ty = func.value_type(value);
                let lanes = (0..ty.lanes())
                    .map(|lane| {
                        let name = format!("pure {dependence:?} {name} {number} {ty} {lane}");
                        self.cx.arena.call(UfKind::Result, &name, &args, lane_width(ty))
                    })
                    .collect();
                self.define(value, lanes);
            }
            return Ok(());
        }
        if is_removable_if_unused(func, self.cx.module, inst) && func.results(inst).len() == 0 {
            return Ok(());
        }
        args.insert(0, self.state.trace);
        args.insert(1, self.identity());
        self.happens(&format!("call {name}"), &args);
        if effects_of_call(func, self.cx.module, inst).is_some() {
            // Passes may use that it leaves some memory alone, which the event does not say.
            self.calls.push("a call whose accesses are known weak".to_string());
        }
        if attrs.has(FnAttrs::NORETURN) {
            self.ends();
            return Ok(());
        }
        self.may_not_return();
        self.define_results(func, inst, func.call_info(inst).attrs.has(FnAttrs::MALLOC));
        Ok(())
    }

    fn intrinsic(&mut self, func: &Function, inst: Inst, intrinsic: Intrinsic) -> Result<(), Stop> {
        match intrinsic {
            Intrinsic::Trap => {
                let args = [self.state.trace];
                self.state.trace = self.cx.arena.call(UfKind::Event, "trap", &args, 64);
                self.ends();
                Ok(())
            }
            Intrinsic::ScopeBegin | Intrinsic::ScopeEnd => Ok(()),
            Intrinsic::Pause | Intrinsic::Rdtsc => {
                let args = [self.state.trace];
                self.state.trace = self.cx.arena.call(UfKind::Event, intrinsic.name(), &args, 64);
                self.define_results(func, inst, false);
                Ok(())
            }
            _ => Err(reason(&format!("intrinsic {}", intrinsic.name()))),
        }
    }
}

fn reason(what: &str) -> Stop {
    Stop::Reason(what.to_string())
}
