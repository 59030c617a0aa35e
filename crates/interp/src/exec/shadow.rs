//! Undefined bits and effective types: what makes a run of [`super::check`] stricter than others.
//!
//! A value's undefined bits are kept beside it, as valgrind's memcheck does: loads bring them,
//! copies carry them, arithmetic spreads them to the bits that depend on them. A report is made
//! when a branch, an address or a library function depends on one.

use ir::{Function, Inst, Opcode, ParamKind, SigId, SymbolDef, SymbolId, Value};

use crate::Trap;
use crate::eval::Bits;
use crate::machine::{Machine, Shadow, Slots};

impl<'m> Machine<'m> {
    /// The place of the instruction that runs, or of the call that leads to it.
    pub(super) fn place(&self) -> Option<String> {
        let locate = self.memory.locate.as_ref()?;
        self.frames.iter().rev().find_map(|frame| locate(frame.func.source_loc(frame.inst?)))
    }

    pub(super) fn slots_of(&mut self, func: &'m Function) -> Slots {
        if let Some(slots) = self.slots.get(&func.symbol) {
            return slots.clone();
        }
        let variables = func.debug.as_ref().map_or(&[][..], |debug| &debug.variables);
        let allocas =
            func.blocks().flat_map(|b| func.block_insts(b)).filter(|&i| func.insts[i].opcode == Opcode::Alloca);
        let slots: Slots = allocas
            .map(|inst| {
                let named = variables.iter().find(|v| v.place == ir::debug::VariablePlace::Alloca(inst));
                let name = named.map_or("local".into(), |v| format!("'{}'", v.name).into());
                (func.first_result(inst), func.alloca_info(inst).0, name, named.map_or(base::Loc::NONE, |v| v.loc))
            })
            .collect();
        self.slots.insert(func.symbol, slots.clone());
        slots
    }

    /// Where the program is, for blocks that are allocated or freed there.
    pub(crate) fn loc(&self) -> base::Loc {
        let located = self.frames.last().and_then(|frame| Some(frame.func.source_loc(frame.inst?)));
        located.unwrap_or(base::Loc::NONE)
    }

    /// Memory of `malloc` and its like.
    pub(crate) fn allocate_block(&mut self, function: &str, size: u64) -> u64 {
        if size > crate::memory::MAX_SIZE {
            return 0;
        }
        let loc = self.loc();
        let address = self.memory.make(function.into(), size, true, crate::memory::Kind::Heap, loc);
        if function == "calloc" && self.checked {
            self.memory.define(address);
        }
        address
    }

    /// `free`
    pub(crate) fn free_block(&mut self, address: u64) -> Result<(), Trap> {
        let loc = self.loc();
        self.memory.free_block(address, loc)
    }

    pub(super) fn shadow(&self, value: Value) -> Option<Shadow> {
        let frame = self.frames.last().expect("a frame is running");
        if frame.undefined.is_empty() { None } else { frame.undefined.get(&value).cloned() }
    }

    pub(super) fn shadows(&self, values: &[Value]) -> Vec<Option<Shadow>> {
        match self.frames.last() {
            Some(frame) if !frame.undefined.is_empty() => values.iter().map(|&v| self.shadow(v)).collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn set_shadow(&mut self, value: Value, shadow: Option<Shadow>) {
        if let Some(shadow) = shadow.filter(|s| s.0.lanes().iter().any(|&lane| lane != 0)) {
            self.frames.last_mut().expect("a frame is running").undefined.insert(value, shadow);
        }
    }

    /// Fails if a bit of the value is undefined.
    pub(super) fn defined(&self, value: Value, what: &str) -> Result<(), Trap> {
        match self.shadow(value) {
            None => Ok(()),
            Some((_, 0)) => Err(Trap::Undefined(format!("{what} depends on an uninitialised value [uninitialised]"))),
            Some((_, from)) => {
                let object = self.memory.describe_at(from);
                Err(Trap::Undefined(format!(
                    "{what} depends on an uninitialised value, read from {object} [uninitialised]"
                )))
            }
        }
    }

    /// Fails if the condition of a branch is undefined.
    pub(super) fn defined_condition(&self, func: &Function, inst: Inst) -> Result<(), Trap> {
        let condition = func.operand(inst, 0);
        if self.shadow(condition).is_none() {
            return Ok(());
        }
        // The condition may be that of a check: then it is an operand that is undefined.
        let (yes, no) = func.insts[inst].dests();
        let reports = [yes, no].into_iter().any(|block| {
            func.first_non_phi(block).is_some_and(|first| {
                func.insts[first].opcode == Opcode::Call && {
                    let callee = func.constant(func.list(first)[0]);
                    matches!(callee, Some(ir::Constant::Symbol(symbol, _))
                        if self.module.symbols[*symbol].name.starts_with("__ubsan_"))
                }
            })
        });
        self.defined(condition, if reports { "an operand" } else { "a condition" })
    }

    /// Whether the address that was computed comes from a subscript beyond its array.
    pub(super) fn summed(&mut self, func: &Function, inst: Inst) {
        let reported = self.subscript.take();
        let frame = self.frames.last_mut().expect("a frame is running");
        let of_part = if frame.beyond.is_empty() { None } else { frame.beyond.get(&func.operand(inst, 0)).cloned() };
        let result = func.first_result(inst);
        match reported.or(of_part) {
            Some(what) => drop(frame.beyond.insert(result, what)),
            None if frame.beyond.is_empty() => {}
            None => drop(frame.beyond.remove(&result)),
        }
    }

    /// An access within an object, of an operand that must not come from a subscript beyond its
    /// array.
    pub(super) fn no_subscript(&mut self, func: &Function, inst: Inst, operand: usize) -> Result<(), Trap> {
        let frame = self.frames.last().expect("a frame is running");
        match frame.beyond.get(&func.operand(inst, operand)) {
            Some(what) => Err(Trap::Undefined(format!("{what} [member]"))),
            None => Ok(()),
        }
    }

    fn class(&self, func: &Function, inst: Inst) -> u8 {
        match func.insts[inst].opcode {
            Opcode::Load | Opcode::Store => u8::try_from(func.insts[inst].mem_info().tag.as_u32()).unwrap_or(0),
            _ => 0,
        }
    }

    pub(super) fn loaded(&mut self, func: &Function, inst: Inst, address: u64) -> Result<(), Trap> {
        self.no_subscript(func, inst, 0)?;
        self.defined(func.operand(inst, 0), "an address")?;
        let ty = func.insts[inst].ty;
        let size = ty.lane().store_size() as usize;
        let length = (size * ty.lanes() as usize) as u64;
        if let Some(bits) = self.memory.undefined(address, length) {
            let lane = |c: &[u8]| c.iter().rev().fold(0u128, |bits, &b| bits << 8 | b as u128);
            let bits = Bits::from_lanes(ty, bits.chunks(size).map(lane).collect());
            self.set_shadow(func.first_result(inst), Some((bits, address)));
        }
        let class = self.class(func, inst);
        if class != 0 {
            let tags = &self.module.alias_tags;
            let tag = ir::AliasTag::from_u32;
            let wrong = |&&stored: &&u8| stored != 0 && !tags.may_alias(tag(u32::from(stored)), tag(u32::from(class)));
            if let Some(&stored) = self.memory.types(address, length).iter().find(wrong) {
                let (read, written) = (tags.name(tag(u32::from(class))), tags.name(tag(u32::from(stored))));
                let what = self.memory.describe_at(address);
                return Err(Trap::Undefined(format!(
                    "read as '{read}' of what was stored as '{written}' in {what} [aliasing]"
                )));
            }
        }
        Ok(())
    }

    pub(super) fn stored(&mut self, func: &Function, inst: Inst, address: u64) -> Result<(), Trap> {
        self.no_subscript(func, inst, 0)?;
        self.defined(func.operand(inst, 0), "an address")?;
        let value = func.operand(inst, 1);
        let ty = func.value_type(value);
        let size = ty.lane().store_size() as usize;
        if let Some((bits, _)) = self.shadow(value) {
            let bytes: Vec<u8> = bits.lanes().iter().flat_map(|lane| lane.to_le_bytes()[..size].to_vec()).collect();
            self.memory.set_undefined(address, &bytes);
        }
        let class = self.class(func, inst);
        self.memory.set_type(address, (size * ty.lanes() as usize) as u64, class);
        Ok(())
    }

    /// The undefined bits of the result of an operation that only computes.
    pub(super) fn pure_shadow(&self, func: &Function, inst: Inst) -> Result<Option<Shadow>, Trap> {
        use Opcode::*;
        let data = func.insts[inst];
        if data.opcode == Undef {
            let all = vec![data.ty.lane().mask(); data.ty.lanes() as usize];
            return Ok(self.checked.then(|| (Bits::from_lanes(data.ty, all), 0)));
        }
        if self.frames.last().is_none_or(|frame| frame.undefined.is_empty()) {
            return Ok(None);
        }
        let operands: Vec<Value> = func.operands(inst).collect();
        let shadows: Vec<Option<Shadow>> = operands.iter().map(|&v| self.shadow(v)).collect();
        let Some(&(_, from)) = shadows.iter().flatten().next() else { return Ok(None) };
        let values = operands.iter().map(|&v| self.value(v)).collect::<Result<Vec<_>, _>>()?;
        let scalar = values.iter().all(|v| matches!(v, Bits::Scalar(_)));
        if !scalar || data.ty.is_vector() {
            return Ok(Some((vector_shadow(func, inst, &values, &shadows), from)));
        }
        let bit = |i: usize| shadows.get(i).and_then(Option::as_ref).map_or(0, |s| s.0.scalar());
        let val = |i: usize| values[i].scalar();
        let (ma, mb) = (bit(0), bit(1));
        let ty = func.value_type(operands[0]);
        let result = match data.opcode {
            And => ma & mb | ma & val(1) | mb & val(0),
            Or => ma & mb | ma & !val(1) | mb & !val(0),
            Xor | Sub if operands[0] == operands[1] => 0,
            Xor => ma | mb,
            Trunc | ZExt | Bitcast | PtrToInt | IntToPtr => ma,
            SExt => ir::fold::sign_extend(ty, ma) as u128,
            Shl if mb == 0 => ma.checked_shl(val(1) as u32).unwrap_or(0),
            LShr if mb == 0 => ma.checked_shr(val(1) as u32).unwrap_or(0),
            AShr if mb == 0 => (ir::fold::sign_extend(ty, ma) >> val(1).min(127)) as u128,
            Add | Sub | Mul | PtrAdd => u128::MAX << (ma | mb).trailing_zeros(),
            ICmp if matches!(data.int_cc(), ir::IntCc::Eq | ir::IntCc::Ne) && (val(0) ^ val(1)) & !(ma | mb) != 0 => 0,
            ICmp if operands[0] == operands[1] => 0,
            SDiv | UDiv | SRem | URem if mb != 0 => {
                self.defined(operands[1], "a divisor")?;
                0
            }
            Select if ma == 0 => bit(if val(0) != 0 { 1 } else { 2 }),
            _ => u128::MAX,
        };
        Ok(Some((Bits::Scalar(result), from)))
    }

    /// Whether a call with this signature may call the function.
    pub(super) fn has_type(&self, symbol: SymbolId, sig: SigId) -> bool {
        let SymbolDef::Function(id) = self.module.symbols[symbol].def else { return true };
        let own = &self.module.signatures[self.module.functions[id].sig];
        let call = &self.module.signatures[sig];
        let fixed = |s: &ir::Signature| -> Vec<ir::Type> {
            s.params.iter().filter(|p| p.kind != ParamKind::StaticChain).map(|p| p.ty).collect()
        };
        let (own_params, call_params) = (fixed(own), fixed(call));
        let same = match own.variadic {
            true => call_params.starts_with(&own_params),
            false => call_params == own_params,
        };
        same && (call.returns.is_empty() || call.returns == own.returns)
    }
}

/// The undefined bits of an operation on vectors: lane by lane where lanes do not meet.
fn vector_shadow(func: &Function, inst: Inst, values: &[Bits], shadows: &[Option<Shadow>]) -> Bits {
    use Opcode::*;
    let data = func.insts[inst];
    let count = data.ty.lanes() as usize;
    let lane = |operand: usize, index: usize| match shadows.get(operand).and_then(Option::as_ref) {
        None => 0,
        Some((bits, _)) => {
            let lanes = bits.lanes();
            if lanes.len() == 1 { lanes[0] } else { lanes.get(index).copied().unwrap_or(u128::MAX) }
        }
    };
    let width = |operand: usize| values.get(operand).map_or(1, |v| v.lanes().len());
    let operands: Vec<Value> = func.operands(inst).collect();
    let lanes = match data.opcode {
        InsertLane => {
            let at = values[2].scalar() as usize % count;
            (0..count).map(|i| if i == at { lane(1, 0) } else { lane(0, i) }).collect()
        }
        ExtractLane => vec![lane(0, values[1].scalar() as usize % width(0))],
        Splat => vec![lane(0, 0); count],
        Shuffle => {
            let first = width(0);
            let from = |&m: &u32| match m as usize {
                _ if m == u32::MAX => 0,
                m if m < first => lane(0, m),
                m => lane(1, m - first),
            };
            func.shuffle_masks[data.mask_index()].iter().map(from).collect()
        }
        Xor | Sub if operands[0] == operands[1] => vec![0; count],
        _ if (0..values.len()).all(|operand| width(operand) == count) => {
            let any = |i: usize| (0..values.len()).any(|operand| lane(operand, i) != 0);
            (0..count).map(|i| if any(i) { u128::MAX } else { 0 }).collect()
        }
        _ => vec![u128::MAX; count],
    };
    Bits::from_lanes(data.ty, lanes)
}
