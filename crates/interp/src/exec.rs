//! The machine: frames, control flow, memory operations, calls.

use std::fmt::Write as _;

use cranelift_entity::SecondaryMap;
use ir::{
    Block, Constant, FuncId, Function, Inst, Intrinsic, Module, Opcode, ParamKind, RelocTarget, RmwOp, SwitchId,
    SymbolDef, SymbolId, Type, Value, ValueDef,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::eval::{self, Bits};
use crate::memory::Memory;
use crate::{Trap, libc};

/// What a run left behind.
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

/// Runs `main` with the given arguments (the program's name included), for at most `fuel` instructions.
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

/// The state of a run.
pub struct Machine<'m> {
    module: &'m Module,
    /// Simulated memory.
    pub memory: Memory,
    /// Standard output so far.
    pub output: Vec<u8>,
    fuel: u64,
    addresses: FxHashMap<SymbolId, u64>,
    functions: FxHashMap<u64, SymbolId>,
    labels: FxHashMap<u64, (SymbolId, u32)>,
    /// By function: the address of label 0; the others follow it byte by byte, so that their differences are small.
    label_addresses: FxHashMap<SymbolId, u64>,
    trampolines: FxHashMap<u64, (SymbolId, Bits)>,
    frames: Vec<Frame<'m>>,
    /// Frames below belong to an outer [`Machine::run_until`].
    floor: usize,
    frames_made: u64,
    jump_points: Vec<JumpPoint>,
    /// What the library functions keep.
    pub library: libc::State,
}

/// Where a `setjmp` returns again.
struct JumpPoint {
    /// How many frames there were, and which was the last.
    depth: usize,
    frame: u64,
    block: Block,
    call: Inst,
}

struct Frame<'m> {
    func: &'m Function,
    values: SecondaryMap<Value, Option<Bits>>,
    block: Block,
    inst: Option<Inst>,
    allocas: Vec<u64>,
    dynamic: Vec<u64>,
    variadic: Vec<Variadic>,
    /// Counts frames over the whole run.
    number: u64,
}

/// An anonymous argument as it lies in memory, and its alignment.
type Variadic = (Vec<u8>, u64);

impl<'m> Machine<'m> {
    fn new(module: &'m Module, fuel: u64) -> Machine<'m> {
        Machine {
            module,
            memory: Memory::default(),
            output: Vec::new(),
            fuel,
            addresses: FxHashMap::default(),
            functions: FxHashMap::default(),
            labels: FxHashMap::default(),
            label_addresses: FxHashMap::default(),
            trampolines: FxHashMap::default(),
            frames: Vec::new(),
            floor: 0,
            frames_made: 0,
            jump_points: Vec::new(),
            library: libc::State::default(),
        }
    }

    /// Initialises memory and runs `main`; the exit status.
    fn whole_program(&mut self, args: &[&str]) -> Result<i32, Trap> {
        self.initialise()?;
        let status = match self.main(args) {
            Ok(status) => status,
            Err(Trap::Exit(status)) => status,
            Err(trap) => return Err(trap),
        };
        Ok(status & 0xff)
    }

    fn initialise(&mut self) -> Result<(), Trap> {
        let side_by_side = self.lay_out_sections();
        for (symbol, data) in self.module.symbols.iter() {
            if self.addresses.contains_key(&symbol) {
                continue;
            }
            let address = match data.def {
                SymbolDef::Data(id) => self.memory.allocate(&data.name, self.module.data[id].size, true),
                SymbolDef::Common { size, .. } => self.memory.allocate(&data.name, size, true),
                SymbolDef::Alias(_) => continue,
                // Weak and defined nowhere.
                SymbolDef::Undefined if data.linkage == ir::Linkage::Weak => 0,
                SymbolDef::Undefined if !data.is_function => libc::object(self, &data.name),
                _ => {
                    let address = self.memory.allocate(&data.name, 0, false);
                    self.functions.insert(address, symbol);
                    address
                }
            };
            self.addresses.insert(symbol, address);
        }
        for (symbol, data) in self.module.symbols.iter() {
            if let SymbolDef::Alias(of) = data.def {
                let address =
                    self.addresses.get(&of).copied().ok_or_else(|| Trap::Unsupported("alias of an alias".into()))?;
                self.addresses.insert(symbol, address);
            }
        }
        for data in self.module.data.values() {
            if !self.module.symbols[data.symbol].is_defined() {
                continue;
            }
            let address = self.addresses[&data.symbol];
            self.memory.write(address, &data.bytes[..data.bytes.len().min(data.size as usize)])?;
            for reloc in &data.relocs {
                let value = match reloc.target {
                    RelocTarget::Symbol(symbol) => self.addresses[&symbol].wrapping_add_signed(reloc.addend),
                    RelocTarget::Label { function, label } => self.label_address(function, label),
                    RelocTarget::LabelDifference { function, plus, minus } => {
                        self.label_address(function, plus).wrapping_sub(self.label_address(function, minus))
                    }
                };
                self.memory.store(address + reloc.offset, reloc.size as u64, value as u128)?;
            }
            if data.read_only && !side_by_side.contains(&data.symbol) {
                self.memory.protect(address);
            }
        }
        Ok(())
    }

    /// Objects of a section that the program knows the ends of (`__start_name`, `__stop_name`) lie side by side, in order. Returns them.
    fn lay_out_sections(&mut self) -> FxHashSet<SymbolId> {
        let mut all = FxHashSet::default();
        let module = self.module;
        let end_of = |name: &str| name.strip_prefix("__start_").or(name.strip_prefix("__stop_")).map(str::to_string);
        let undefined = module.symbols.values().filter(|s| matches!(s.def, SymbolDef::Undefined) && !s.is_function);
        let mut names: Vec<String> = undefined.filter_map(|s| end_of(&s.name)).collect();
        names.sort();
        names.dedup();
        for name in names {
            let mut size = 0;
            let mut places = Vec::new();
            for (symbol, data) in module.symbols.iter() {
                if let (SymbolDef::Data(id), Some(section)) = (&data.def, &data.section)
                    && **section == *name
                {
                    let object = &module.data[*id];
                    size = u64::next_multiple_of(size, object.align.max(1) as u64);
                    places.push((symbol, size));
                    size += object.size;
                }
            }
            let start = self.memory.allocate(&name, size, true);
            all.extend(places.iter().map(|place| place.0));
            self.addresses.extend(places.into_iter().map(|(symbol, offset)| (symbol, start + offset)));
            for (end, address) in [("__start_", start), ("__stop_", start + size)] {
                if let Some(symbol) = module.find_symbol(&format!("{end}{name}")) {
                    self.addresses.insert(symbol, address);
                }
            }
        }
        all
    }

    fn label_address(&mut self, function: SymbolId, label: u32) -> u64 {
        let first = match self.label_addresses.get(&function) {
            Some(&first) => first,
            None => {
                let first = self.memory.allocate("label", 0, false);
                self.label_addresses.insert(function, first);
                first
            }
        };
        self.labels.insert(first + label as u64, (function, label));
        first + label as u64
    }

    fn main(&mut self, args: &[&str]) -> Result<i32, Trap> {
        let main = self.module.find_symbol("main").ok_or_else(|| Trap::Unsupported("a module without main".into()))?;
        let constructors: Vec<SymbolId> = self.module.init_fini.iter().filter(|f| f.0).map(|f| f.2).collect();
        for symbol in constructors {
            self.call(symbol, &[], Vec::new())?;
        }
        let mut pointers = Vec::new();
        for arg in args {
            let address = self.memory.allocate("argument", arg.len() as u64 + 1, true);
            self.memory.write(address, arg.as_bytes())?;
            pointers.push(address);
        }
        let argv = self.memory.allocate("argv", pointers.len() as u64 * 8 + 8, true);
        for (index, &pointer) in pointers.iter().enumerate() {
            self.memory.store(argv + index as u64 * 8, 8, pointer as u128)?;
        }
        let environment = self.memory.allocate("environment", 8, true);
        let all = [
            (Type::I32, Bits::Scalar(args.len() as u128)),
            (Type::PTR, Bits::Scalar(argv as u128)),
            (Type::PTR, Bits::Scalar(environment as u128)),
        ];
        let SymbolDef::Function(id) = self.module.symbols[main].def else {
            return Err(Trap::Unsupported("a module without main's body".into()));
        };
        let wanted = self.module.functions[id].params().len();
        let status = match self.call(main, &all[..wanted.min(3)], Vec::new()) {
            Ok(results) => results.first().map_or(0, |r| r.scalar() as u32 as i32),
            Err(Trap::Exit(status)) if !self.library.quick_exit => {
                // `exit` from within: what was running is over, what was registered still runs.
                self.frames.clear();
                self.floor = 0;
                status
            }
            Err(trap) => return Err(trap),
        };
        while let Some(function) = self.library.at_exit.pop() {
            self.call_address(function, &[])?;
        }
        let destructors: Vec<SymbolId> = self.module.init_fini.iter().filter(|f| !f.0).map(|f| f.2).collect();
        for symbol in destructors {
            self.call(symbol, &[], Vec::new())?;
        }
        Ok(status)
    }

    /// Calls a symbol; runs its body to the end if it has one.
    fn call(&mut self, symbol: SymbolId, args: &[(Type, Bits)], variadic: Vec<Variadic>) -> Result<Vec<Bits>, Trap> {
        match self.module.symbols[symbol].def {
            SymbolDef::Function(id) if self.module.functions[id].blocks().next().is_some() => {
                let depth = self.frames.len();
                self.enter(id, args, variadic)?;
                self.run_until(depth)
            }
            SymbolDef::Alias(of) => self.call(of, args, variadic),
            SymbolDef::Ifunc(resolver) => {
                let function = self.call(resolver, &[], Vec::new())?.first().map_or(0, Bits::scalar);
                self.call_address(function as u64, args)
            }
            _ => {
                let name = self.module.symbols[symbol].name.to_string();
                let result = libc::call(self, &name, args)?;
                Ok(result.into_iter().map(Bits::Scalar).collect())
            }
        }
    }

    /// Calls a function by address, for `qsort` and the like.
    ///
    /// # Errors
    /// No function there, or what the function traps on.
    pub fn call_address(&mut self, address: u64, args: &[(Type, Bits)]) -> Result<Vec<Bits>, Trap> {
        let (symbol, chain) = self.callee(address)?;
        match chain {
            Some(chain) => self.call(symbol, &self.with_chain(symbol, args.to_vec(), chain), Vec::new()),
            None => self.call(symbol, args, Vec::new()),
        }
    }

    /// The function at an address, and the static chain if it is a nested function's trampoline.
    fn callee(&self, address: u64) -> Result<(SymbolId, Option<Bits>), Trap> {
        if let Some(&symbol) = self.functions.get(&address) {
            return Ok((symbol, None));
        }
        match self.trampolines.get(&address) {
            Some((symbol, chain)) => Ok((*symbol, Some(chain.clone()))),
            None => Err(Trap::Undefined(format!("call of {address:#x}, which is no function"))),
        }
    }

    /// Arguments with the static chain where the callee wants it.
    fn with_chain(&self, symbol: SymbolId, mut args: Vec<(Type, Bits)>, chain: Bits) -> Vec<(Type, Bits)> {
        if let SymbolDef::Function(id) = self.module.symbols[symbol].def {
            let sig = &self.module.signatures[self.module.functions[id].sig];
            if let Some(index) = sig.params.iter().position(|p| p.kind == ParamKind::StaticChain) {
                args.insert(index.min(args.len()), (Type::PTR, chain));
            }
        }
        args
    }

    /// `setjmp`, at the call instruction that runs: the buffer gets the number of the place.
    fn set_jump(&mut self, buffer: u64) -> Result<(), Trap> {
        let frame = self.frames.last().expect("a frame is running");
        let call = frame.inst.expect("the call runs");
        let point = JumpPoint { depth: self.frames.len(), frame: frame.number, block: frame.block, call };
        self.jump_points.push(point);
        self.memory.store(buffer, 8, self.jump_points.len() as u128)
    }

    /// `longjmp`: the frame of the `setjmp` goes on behind it.
    fn long_jump(&mut self, buffer: u64, value: u128) -> Result<(), Trap> {
        let number = self.memory.load(buffer, 8)? as usize;
        let point = number.checked_sub(1).and_then(|n| self.jump_points.get(n));
        let gone = || Trap::Undefined("longjmp to a function that has returned".into());
        let &JumpPoint { depth, frame, block, call } = point.ok_or_else(gone)?;
        if self.frames.get(depth - 1).is_none_or(|f| f.number != frame) {
            return Err(gone());
        }
        if depth <= self.floor {
            return Err(Trap::Unsupported("longjmp out of a library function".into()));
        }
        while self.frames.len() > depth {
            self.leave()?;
        }
        let frame = self.frames.last_mut().expect("the frame lives");
        (frame.block, frame.inst) = (block, Some(call));
        self.finish_call(vec![Bits::Scalar(if value == 0 { 1 } else { value })]);
        Ok(())
    }

    /// Ends the innermost frame and its locals.
    fn leave(&mut self) -> Result<(), Trap> {
        let frame = self.frames.pop().expect("a frame is running");
        frame.allocas.into_iter().chain(frame.dynamic).try_for_each(|address| self.memory.free(address))
    }

    fn enter(&mut self, id: FuncId, args: &[(Type, Bits)], variadic: Vec<Variadic>) -> Result<(), Trap> {
        if self.frames.len() >= MAX_FRAMES {
            return Err(Trap::Unsupported("call nesting beyond the interpreter's limit".into()));
        }
        let func = &self.module.functions[id];
        let sig = &self.module.signatures[func.sig];
        let mut frame = Frame {
            func,
            values: SecondaryMap::new(),
            block: func.entry(),
            inst: func.first_inst(func.entry()),
            allocas: Vec::new(),
            dynamic: Vec::new(),
            variadic,
            number: self.frames_made,
        };
        self.frames_made += 1;
        if args.len() < func.params().len() {
            return Err(Trap::Undefined("too few arguments".into()));
        }
        for ((&param, arg), abi) in func.params().iter().zip(args).zip(&sig.params) {
            let mut value = arg.1.clone();
            if let ParamKind::ByVal { size, .. } = abi.kind {
                let bytes = self.memory.read(value.scalar() as u64, size)?.to_vec();
                let copy = self.memory.allocate("by-value argument", size, true);
                self.memory.write(copy, &bytes)?;
                frame.allocas.push(copy);
                value = Bits::Scalar(copy as u128);
            }
            frame.values[param] = Some(value);
        }
        // Fixed slots live as long as the frame, wherever their alloca stands.
        for inst in func.blocks().flat_map(|b| func.block_insts(b)).filter(|&i| func.insts[i].opcode == Opcode::Alloca)
        {
            let address = self.memory.allocate("local", func.alloca_info(inst).0, true);
            frame.allocas.push(address);
            frame.values[func.first_result(inst)] = Some(Bits::Scalar(address as u128));
        }
        self.frames.push(frame);
        Ok(())
    }

    /// Runs until the frames are `depth` again; the results of the call that ended so.
    fn run_until(&mut self, depth: usize) -> Result<Vec<Bits>, Trap> {
        let outer = std::mem::replace(&mut self.floor, depth);
        let results = self.run_down_to(depth);
        self.floor = outer;
        results
    }

    fn run_down_to(&mut self, depth: usize) -> Result<Vec<Bits>, Trap> {
        loop {
            let frame = self.frames.last().expect("a frame is running");
            let func = frame.func;
            let Some(inst) = frame.inst else { base::bug!("interpreter: ran off the end of {}", frame.block) };
            if self.fuel == 0 {
                return Err(Trap::Fuel);
            }
            self.fuel -= 1;
            if func.insts[inst].opcode == Opcode::Ret {
                let results =
                    func.list(inst).to_vec().into_iter().map(|v| self.value(v)).collect::<Result<Vec<_>, _>>()?;
                self.leave()?;
                if self.frames.len() == depth {
                    return Ok(results);
                }
                self.finish_call(results);
                continue;
            }
            self.step(func, inst)?;
        }
    }

    /// Gives the running call instruction its results and moves on.
    fn finish_call(&mut self, results: Vec<Bits>) {
        let frame = self.frames.last_mut().expect("a caller is waiting");
        let call = frame.inst.expect("the caller waits at its call");
        for (value, result) in frame.func.results(call).zip(results) {
            frame.values[value] = Some(result);
        }
        frame.inst = frame.func.next_inst(call);
    }

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
        self.frames.last_mut().expect("a frame is running").values[value] = Some(bits);
    }

    fn define(&mut self, func: &Function, inst: Inst, bits: Bits) {
        self.set(func.first_result(inst), bits);
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
            incoming.push((func.first_result(phi), self.value(value)?));
        }
        for (result, bits) in incoming {
            self.set(result, bits);
        }
        let frame = self.frames.last_mut().expect("a frame is running");
        frame.block = target;
        frame.inst = func.first_non_phi(target);
        Ok(())
    }

    fn step(&mut self, func: &'m Function, inst: Inst) -> Result<(), Trap> {
        use Opcode::*;
        let data = func.insts[inst];
        match data.opcode {
            Br => return self.jump(Block::from_u32(data.c)),
            CondBr => {
                let taken = self.scalar(inst, 0)? != 0;
                return self.jump(Block::from_u32(if taken { data.b } else { data.c }));
            }
            Switch => {
                let value = self.scalar(inst, 0)? as u64;
                let switch = &func.switches[SwitchId::from_u32(data.c)];
                let target =
                    switch.cases.binary_search_by_key(&value, |c| c.0).map_or(switch.default, |i| switch.cases[i].1);
                return self.jump(target);
            }
            IndirectBr => {
                let address = self.address(inst, 0)?;
                return match self.labels.get(&address) {
                    Some(&(symbol, label)) if symbol == func.symbol => self.jump(func.labels[label as usize]),
                    _ => Err(Trap::Undefined(format!("goto {address:#x}, which is no label of this function"))),
                };
            }
            Unreachable => return Err(Trap::Undefined("unreachable code is reached".into())),
            Call => return self.call_instruction(func, inst),
            Asm | AsmBr => {
                let asm = &func.asms[ir::AsmId::from_u32(data.c)];
                if !asm.template.trim().is_empty() || asm.fallthrough.is_some() || func.results(inst).len() > 0 {
                    return Err(Trap::Unsupported("inline assembly".into()));
                }
            }
            Alloca | LifetimeStart | LifetimeEnd | Prefetch | Fence => {}
            DynAlloca => {
                let size = self.address(inst, 0)?;
                let address = self.memory.allocate("dynamic local", size, true);
                self.frames.last_mut().expect("running").dynamic.push(address);
                self.define(func, inst, Bits::Scalar(address as u128));
            }
            // The "stack pointer" is how many dynamic blocks there are.
            StackSave => {
                let count = self.frames.last().expect("running").dynamic.len();
                self.define(func, inst, Bits::Scalar(count as u128));
            }
            StackRestore => {
                let count = self.scalar(inst, 0)? as usize;
                while self.frames.last().expect("running").dynamic.len() > count {
                    let address = self.frames.last_mut().expect("running").dynamic.pop().expect("not empty");
                    self.memory.free(address)?;
                }
            }
            Load | AtomicLoad => {
                let bits = self.load(data.ty, self.address(inst, 0)?)?;
                self.define(func, inst, bits);
            }
            Store | AtomicStore => {
                let value = func.operand(inst, 1);
                let bits = self.value(value)?;
                self.store(func.value_type(value), self.address(inst, 0)?, &bits)?;
            }
            MemCpy | MemMove => {
                let (to, from, length) = (self.address(inst, 0)?, self.address(inst, 1)?, self.address(inst, 2)?);
                if data.opcode == MemCpy && to != from && to.abs_diff(from) < length {
                    return Err(Trap::Undefined("memcpy of overlapping ranges".into()));
                }
                let bytes = self.memory.read(from, length)?.to_vec();
                self.memory.write(to, &bytes)?;
            }
            MemSet => {
                let (to, byte, length) = (self.address(inst, 0)?, self.scalar(inst, 1)? as u8, self.address(inst, 2)?);
                self.memory.write(to, &vec![byte; length as usize])?;
            }
            AtomicRmw => {
                let address = self.address(inst, 0)?;
                let old = self.load(data.ty, address)?;
                let new = rmw(RmwOp::from_index(data.c), data.ty, old.scalar(), self.scalar(inst, 1)?);
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
                let address = self.label_address(func.symbol, data.c);
                self.define(func, inst, Bits::Scalar(address as u128));
            }
            TlsAddr => {
                let address = self.addresses[&SymbolId::from_u32(data.c)];
                self.define(func, inst, Bits::Scalar(address as u128));
            }
            Opcode::Intrinsic if data.c == ir::Intrinsic::LongJmp as u32 => {
                return self.long_jump(self.address(inst, 0)?, 1);
            }
            Opcode::Intrinsic => self.intrinsic(func, inst)?,
            _ => {
                for (value, bits) in func.results(inst).zip(self.pure(func, inst)?) {
                    self.set(value, bits);
                }
            }
        }
        self.advance();
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
            ICmp | FCmp => eval::compare(data.opcode, data.flags, operand_type(0), data.ty, &args[0], &args[1])?,
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
                let mask = &func.shuffle_masks[data.c as usize];
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
            opcode if args.len() == 2 => eval::binary(opcode, data.flags, data.ty, &args[0], &args[1])?,
            opcode => return Err(Trap::Unsupported(opcode.name().into())),
        }])
    }

    fn load(&self, ty: Type, address: u64) -> Result<Bits, Trap> {
        let size = ty.lane().store_size() as u64;
        let lanes = (0..ty.lanes() as u64)
            .map(|i| self.memory.load(address + i * size, size))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Bits::from_lanes(ty, lanes))
    }

    fn store(&mut self, ty: Type, address: u64, bits: &Bits) -> Result<(), Trap> {
        let size = ty.lane().store_size() as u64;
        for (i, lane) in bits.lanes().into_iter().enumerate() {
            self.memory.store(address + i as u64 * size, size, lane)?;
        }
        Ok(())
    }

    fn call_instruction(&mut self, func: &Function, inst: Inst) -> Result<(), Trap> {
        let list = func.list(inst).to_vec();
        let (symbol, chain) = self.callee(self.value(list[0])?.scalar() as u64)?;
        let mut args =
            list[1..].iter().map(|&v| Ok((func.value_type(v), self.value(v)?))).collect::<Result<Vec<_>, Trap>>()?;
        let passes_chain =
            self.module.signatures[func.call_info(inst).sig].params.iter().any(|p| p.kind == ParamKind::StaticChain);
        if !passes_chain {
            // An outermost function may have a chain as well; nobody passes it and nobody looks at it.
            args = self.with_chain(symbol, args, chain.unwrap_or(Bits::Scalar(0)));
        }
        if let SymbolDef::Function(id) = self.module.symbols[symbol].def
            && self.module.functions[id].blocks().next().is_some()
        {
            let fixed = self.module.functions[id].params().len().min(args.len());
            let kinds = &self.module.signatures[func.call_info(inst).sig].params;
            let variadic = args[fixed..]
                .iter()
                .enumerate()
                .map(|(i, (ty, bits))| self.variadic(*ty, bits, kinds.get(fixed + i).map(|p| p.kind)))
                .collect::<Result<_, Trap>>()?;
            return self.enter(id, &args[..fixed], variadic);
        }
        if func.may_return_again(inst) {
            let buffer = match args.first() {
                Some(buffer) => buffer.1.scalar() as u64,
                None => self.library.fork(&mut self.memory)?,
            };
            self.set_jump(buffer)?;
            self.finish_call(vec![Bits::Scalar(0)]);
            return Ok(());
        }
        if matches!(&*self.module.symbols[symbol].name, "longjmp" | "_longjmp" | "siglongjmp") {
            let arg = |index: usize| args.get(index).map_or(0, |a| a.1.scalar());
            return self.long_jump(arg(0) as u64, arg(1));
        }
        match self.call(symbol, &args, Vec::new()) {
            Ok(results) => self.finish_call(results),
            Err(Trap::Exit(status)) => match self.library.end_of_child(status) {
                // The parent goes on where the child began.
                Some(buffer) => return self.long_jump(buffer, libc::CHILD as u128),
                None => return Err(Trap::Exit(status)),
            },
            Err(trap) => return Err(trap),
        }
        Ok(())
    }

    /// Calls a function as a thread of its own: it has thread-local objects of its own, with their initial contents.
    ///
    /// # Errors
    /// As [`Machine::call_address`].
    pub fn call_as_thread(&mut self, address: u64, args: &[(Type, Bits)]) -> Result<Vec<Bits>, Trap> {
        let mut outer = Vec::new();
        for (symbol, data) in self.module.symbols.iter().filter(|(_, data)| data.tls.is_some()) {
            if let SymbolDef::Data(id) = data.def {
                let object = &self.module.data[id];
                if !object.relocs.is_empty() {
                    return Err(Trap::Unsupported("addresses in thread-local objects".into()));
                }
                let own = self.memory.allocate(&data.name, object.size, true);
                self.memory.write(own, &object.bytes[..object.bytes.len().min(object.size as usize)])?;
                outer.push((symbol, self.addresses.insert(symbol, own)));
            }
        }
        let results = self.call_address(address, args)?;
        for (symbol, address) in outer {
            if let Some(own) = address.and_then(|address| self.addresses.insert(symbol, address)) {
                self.memory.free(own)?;
            }
        }
        Ok(results)
    }

    /// An anonymous argument as it lies in memory.
    fn variadic(&self, ty: Type, bits: &Bits, kind: Option<ParamKind>) -> Result<Variadic, Trap> {
        if let Some(ParamKind::ByVal { size, align }) = kind {
            return Ok((self.memory.read(bits.scalar() as u64, size)?.to_vec(), align.max(8) as u64));
        }
        let size = ty.lane().store_size() as usize;
        let bytes = bits.lanes().iter().flat_map(|lane| lane.to_le_bytes()[..size].to_vec()).collect();
        Ok((bytes, ty.align().max(8) as u64))
    }

    /// All variadic arguments go to the overflow area: the register counters say that the registers are used up (System V ABI, 3.5.7).
    fn va_start(&mut self, inst: Inst) -> Result<(), Trap> {
        let list = self.address(inst, 0)?;
        let variadic = self.frames.last().expect("running").variadic.clone();
        let mut bytes: Vec<u8> = Vec::new();
        for (argument, align) in &variadic {
            bytes.resize(bytes.len().next_multiple_of(*align as usize), 0);
            bytes.extend_from_slice(argument);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        let area = self.memory.allocate("variadic arguments", bytes.len() as u64, true);
        self.memory.write(area, &bytes)?;
        self.frames.last_mut().expect("running").allocas.push(area);
        self.memory.store(list, 4, 48)?;
        self.memory.store(list + 4, 4, 176)?;
        self.memory.store(list + 8, 8, area as u128)?;
        self.memory.store(list + 16, 8, 0)
    }

    fn intrinsic(&mut self, func: &Function, inst: Inst) -> Result<(), Trap> {
        let data = func.insts[inst];
        let intrinsic = Intrinsic::from_index(data.c);
        let float = |bits: u128, f: fn(f64) -> f64, g: fn(f32) -> f32| match data.ty {
            Type::F64 => Ok(f(f64::from_bits(bits as u64)).to_bits() as u128),
            Type::F32 => Ok(g(f32::from_bits(bits as u32)).to_bits() as u128),
            ty => Err(Trap::Unsupported(format!("{} of {ty}", intrinsic.name()))),
        };
        let result = match intrinsic {
            Intrinsic::Trap => return Err(Trap::Undefined("trap instruction".into())),
            Intrinsic::Expect | Intrinsic::KnownBytes => self.scalar(inst, 0)?,
            Intrinsic::IsConstant => func.constant(func.operand(inst, 0)).is_some() as u128,
            Intrinsic::Assume => {
                if self.scalar(inst, 0)? == 0 {
                    return Err(Trap::Undefined("a false assumption".into()));
                }
                return Ok(());
            }
            Intrinsic::ClearCache | Intrinsic::Pause => return Ok(()),
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
            Intrinsic::Rint if data.ty == Type::F64 => self.library.floating.to_integral(self.scalar(inst, 0)?),
            Intrinsic::Rint => float(self.scalar(inst, 0)?, f64::round_ties_even, f32::round_ties_even)?,
            Intrinsic::Floor => float(self.scalar(inst, 0)?, f64::floor, f32::floor)?,
            Intrinsic::Ceil => float(self.scalar(inst, 0)?, f64::ceil, f32::ceil)?,
            Intrinsic::TruncF => float(self.scalar(inst, 0)?, f64::trunc, f32::trunc)?,
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
