//! Calls, returns, long jumps and variable arguments.

use cranelift_entity::SecondaryMap;
use ir::abi::{SAVE_AREA_FP_OFFSET, SAVE_AREA_SIZE};
use ir::{FuncId, Function, Inst, Opcode, ParamKind, SymbolDef, SymbolId, Type};

use super::MAX_FRAMES;
use crate::eval::Bits;
use crate::machine::{Frame, JumpPoint, Machine, Variadic};
use crate::memory::Kind;
use crate::{Trap, libc};

impl<'m> Machine<'m> {
    /// Calls a symbol; runs its body to the end if it has one.
    pub(super) fn call(
        &mut self,
        symbol: SymbolId,
        args: &[(Type, Bits)],
        variadic: Vec<Variadic>,
    ) -> Result<Vec<Bits>, Trap> {
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
    pub(super) fn callee(&self, address: u64) -> Result<(SymbolId, Option<Bits>), Trap> {
        if let Some(&symbol) = self.functions.get(&address) {
            return Ok((symbol, None));
        }
        match self.trampolines.get(&address) {
            Some((symbol, chain)) => Ok((*symbol, Some(chain.clone()))),
            None => Err(Trap::Undefined(format!("call of {address:#x}, which is no function [pointer]"))),
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
    pub(super) fn set_jump(&mut self, buffer: u64) -> Result<(), Trap> {
        let frame = self.frames.last().expect("a frame is running");
        let call = frame.inst.expect("the call runs");
        let point = JumpPoint { depth: self.frames.len(), frame: frame.number, block: frame.block, call };
        self.jump_points.push(point);
        self.memory.store(buffer, 8, self.jump_points.len() as u128)
    }

    /// `longjmp`: the frame of the `setjmp` goes on after it.
    pub(super) fn long_jump(&mut self, buffer: u64, value: u128) -> Result<(), Trap> {
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
        frame.allocas.into_iter().chain(frame.dynamic).for_each(|address| self.memory.end_variable(address));
        Ok(())
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
            undefined: Default::default(),
            beyond: Default::default(),
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
                let copy = self.memory.allocate("by-value argument", size, true);
                self.memory.copy(copy, value.scalar() as u64, size)?;
                frame.allocas.push(copy);
                value = Bits::Scalar(copy as u128);
            }
            frame.values[param] = Some(value);
        }
        // Fixed slots live as long as the frame, wherever their alloca stands.
        for (slot, size, name, loc) in self.slots_of(func).iter() {
            let address = self.memory.make(name.clone(), *size, true, Kind::Stack, *loc);
            frame.allocas.push(address);
            frame.values[*slot] = Some(Bits::Scalar(address as u128));
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
                let list = func.list(inst);
                let results = list.iter().map(|&v| self.value(v)).collect::<Result<Vec<_>, _>>()?;
                let shadows = self.shadows(list);
                if self.frames.len() == 1 && shadows.iter().any(Option::is_some) {
                    self.defined(list[0], "the exit status")?;
                }
                self.leave()?;
                self.returned = shadows;
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
        let shadows = std::mem::take(&mut self.returned);
        let frame = self.frames.last_mut().expect("a caller is waiting");
        let call = frame.inst.expect("the caller waits at its call");
        for (value, result) in frame.func.results(call).zip(results) {
            frame.values[value] = Some(result);
        }
        if self.checked {
            frame.undefined.retain(|value, _| !frame.func.results(call).any(|r| r == *value));
            let shadowed = frame.func.results(call).zip(shadows);
            frame.undefined.extend(shadowed.filter_map(|(value, shadow)| Some((value, shadow?))));
        }
        frame.inst = frame.func.next_inst(call);
    }

    pub(super) fn call_instruction(&mut self, func: &Function, inst: Inst) -> Result<(), Trap> {
        let list = func.list(inst).to_vec();
        self.defined(list[0], "the function called")?;
        let (symbol, chain) = self.callee(self.value(list[0])?.scalar() as u64)?;
        if self.checked && !self.has_type(symbol, func.call_info(inst).sig) {
            let name = self.module.source_name(symbol);
            return Err(Trap::Undefined(format!("call of '{name}' through a pointer of another type [function-type]")));
        }
        let mut args =
            list[1..].iter().map(|&v| Ok((func.value_type(v), self.value(v)?))).collect::<Result<Vec<_>, Trap>>()?;
        let passes_chain =
            self.module.signatures[func.call_info(inst).sig].params.iter().any(|p| p.kind == ParamKind::StaticChain);
        if !passes_chain {
            // An outermost function may have a chain as well; nobody passes it and nobody looks at
            // it.
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
            let shadows = self.shadows(&list[1..]);
            if let Some(extra) = (fixed..shadows.len()).find(|&i| shadows[i].is_some()) {
                self.defined(list[1 + extra], "a variadic argument")?;
            }
            self.enter(id, &args[..fixed], variadic)?;
            let frame = self.frames.last_mut().expect("it was entered");
            let shadowed = frame.func.params().iter().zip(shadows);
            frame.undefined.extend(shadowed.filter_map(|(&param, shadow)| Some((param, shadow?))));
            return Ok(());
        }
        if self.checked {
            for &argument in &list[1..] {
                self.defined(argument, "an argument of a library function")?;
            }
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

    /// Calls a function as a thread of its own: it has thread-local objects of its own, with their
    /// initial contents.
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

    /// All variadic arguments go to the overflow area: the register counters say that the registers
    /// are used up (System V ABI, 3.5.7).
    pub(super) fn va_start(&mut self, inst: Inst) -> Result<(), Trap> {
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
        self.memory.store(list, 4, SAVE_AREA_FP_OFFSET.into())?;
        self.memory.store(list + 4, 4, SAVE_AREA_SIZE.into())?;
        self.memory.store(list + 8, 8, area as u128)?;
        self.memory.store(list + 16, 8, 0)
    }
}
