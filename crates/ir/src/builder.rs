//! Makes instructions at a cursor: the end of a block, or before an instruction.

use base::Loc;

use crate::asm::AsmData;
use crate::function::{CallInfo, SwitchData};
use crate::instructions::{BranchHint, FloatCc, InstData, IntCc, Intrinsic, MemInfo, Opcode, Ordering, RmwOp};
use crate::{AliasTag, Block, Constant, FnAttrs, Function, Inst, SigId, SymbolId, Type, Value};

/// Where new instructions go.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Position {
    /// At the end of a block.
    End(Block),
    /// Before an instruction.
    Before(Inst),
}

/// Appends instructions to a function at a position, with a current source location.
pub struct Builder<'f> {
    /// The function.
    pub func: &'f mut Function,
    /// Where new instructions go.
    pub position: Position,
    /// The location given to new instructions.
    pub loc: Loc,
}

impl<'f> Builder<'f> {
    /// A builder at `position`.
    pub fn new(func: &'f mut Function, position: Position) -> Builder<'f> {
        Builder { func, position, loc: Loc::NONE }
    }

    /// A builder that inserts before `inst` and takes its location.
    pub fn before(func: &'f mut Function, inst: Inst) -> Builder<'f> {
        let loc = func.inst_locs[inst];
        Builder { func, position: Position::Before(inst), loc }
    }

    /// Makes an instruction of one or no result and places it.
    fn inst(&mut self, opcode: Opcode, flags: u8, ty: Type, a: u32, b: u32, c: u32) -> Inst {
        let data = InstData { opcode, flags, ty, a, b, c };
        match self.position {
            Position::End(block) => self.func.make_appended(block, data, self.loc),
            Position::Before(before) => {
                let inst = self.func.make_inst(data, self.loc);
                self.func.insert_before(before, inst);
                inst
            }
        }
    }

    fn inst_multi(&mut self, opcode: Opcode, flags: u8, types: &[Type], a: u32, b: u32, c: u32) -> Inst {
        let ty = types.first().copied().unwrap_or(Type::VOID);
        let inst = self.func.make_inst_multi(InstData { opcode, flags, ty, a, b, c }, types, self.loc);
        self.place(inst);
        inst
    }

    fn place(&mut self, inst: Inst) {
        match self.position {
            Position::End(block) => self.func.append_inst(block, inst),
            Position::Before(before) => self.func.insert_before(before, inst),
        }
    }

    fn value(&mut self, opcode: Opcode, flags: u8, ty: Type, a: u32, b: u32, c: u32) -> Value {
        let inst = self.inst(opcode, flags, ty, a, b, c);
        self.func.first_result(inst)
    }

    /// An integer constant.
    pub fn iconst(&mut self, ty: Type, value: i64) -> Value {
        self.func.iconst(ty, value)
    }

    /// A fixed-size stack slot. `align` is a power of two in bytes.
    pub fn alloca(&mut self, size: u64, align: u32) -> Value {
        self.value(Opcode::Alloca, 0, Type::PTR, align.trailing_zeros(), size as u32, (size >> 32) as u32)
    }

    /// A dynamic stack block of `size` (i64) bytes.
    pub fn dyn_alloca(&mut self, size: Value, align: u32) -> Value {
        self.func.has_dynamic_alloca = true;
        self.value(Opcode::DynAlloca, 0, Type::PTR, size.as_u32(), align.trailing_zeros(), 0)
    }

    /// A load. `flags`: `VOLATILE`, `NONTEMPORAL`, `WITH_PREVIOUS`, `WITH_NEXT`.
    pub fn load(&mut self, ty: Type, ptr: Value, align: u32, tag: AliasTag, flags: u8) -> Value {
        let mem = MemInfo { align_log2: align.trailing_zeros() as u8, tag };
        self.value(Opcode::Load, flags, ty, ptr.as_u32(), 0, mem.pack())
    }

    /// A store of `value` to `ptr`.
    pub fn store(&mut self, value: Value, ptr: Value, align: u32, tag: AliasTag, flags: u8) -> Inst {
        let mem = MemInfo { align_log2: align.trailing_zeros() as u8, tag };
        self.inst(Opcode::Store, flags, Type::VOID, ptr.as_u32(), value.as_u32(), mem.pack())
    }

    /// `MemCpy`, `MemMove` or `MemSet` with operands in the opcode's order and a common alignment.
    pub fn mem_op(
        &mut self,
        opcode: Opcode,
        dst: Value,
        src_or_byte: Value,
        len: Value,
        align: u32,
        volatile: bool,
    ) -> Inst {
        let flags = align.trailing_zeros() as u8 | if volatile { crate::flags::VOLATILE } else { 0 };
        self.inst(opcode, flags, Type::VOID, dst.as_u32(), src_or_byte.as_u32(), len.as_u32())
    }

    /// An operation without operands.
    pub fn nullary(&mut self, opcode: Opcode, ty: Type) -> Value {
        self.value(opcode, 0, ty, 0, 0, 0)
    }

    /// An operation on one value without a result.
    pub fn effect(&mut self, opcode: Opcode, a: Value) -> Inst {
        self.inst(opcode, 0, Type::VOID, a.as_u32(), 0, 0)
    }

    /// A lane of a vector; `ty` is its type, `index` a constant.
    pub fn extract_lane(&mut self, ty: Type, vector: Value, index: Value) -> Value {
        self.value(Opcode::ExtractLane, 0, ty, vector.as_u32(), index.as_u32(), 0)
    }

    /// A vector of type `ty` with one lane replaced; `index` is a constant.
    pub fn insert_lane(&mut self, ty: Type, vector: Value, lane: Value, index: Value) -> Value {
        self.value(Opcode::InsertLane, 0, ty, vector.as_u32(), lane.as_u32(), index.as_u32())
    }

    /// The address of a thread-local symbol.
    pub fn tls_addr(&mut self, symbol: SymbolId) -> Value {
        self.value(Opcode::TlsAddr, 0, Type::PTR, 0, 0, symbol.as_u32())
    }

    /// The address of the block with this number in [`Function::labels`].
    pub fn block_addr(&mut self, label: u32) -> Value {
        self.value(Opcode::BlockAddr, 0, Type::PTR, 0, 0, label)
    }

    /// A prefetch.
    pub fn prefetch(&mut self, address: Value, write: bool, locality: u32) -> Inst {
        self.inst(Opcode::Prefetch, 0, Type::VOID, address.as_u32(), u32::from(write), locality)
    }

    /// An operation with one value operand and a result of type `ty`.
    pub fn unary(&mut self, opcode: Opcode, ty: Type, a: Value) -> Value {
        self.value(opcode, 0, ty, a.as_u32(), 0, 0)
    }

    /// An operation with one value operand and flags.
    pub fn unary_flags(&mut self, opcode: Opcode, flags: u8, ty: Type, a: Value) -> Value {
        self.value(opcode, flags, ty, a.as_u32(), 0, 0)
    }

    /// A two-operand operation whose result has the type of its first operand.
    pub fn binary(&mut self, opcode: Opcode, a: Value, b: Value) -> Value {
        self.binary_flags(opcode, 0, a, b)
    }

    /// A two-operand operation with flags.
    pub fn binary_flags(&mut self, opcode: Opcode, flags: u8, a: Value, b: Value) -> Value {
        let ty = self.func.value_type(a);
        self.value(opcode, flags, ty, a.as_u32(), b.as_u32(), 0)
    }

    /// An `...Overflow` operation: (value, i1 overflowed).
    pub fn overflow(&mut self, opcode: Opcode, a: Value, b: Value) -> (Value, Value) {
        let ty = self.func.value_type(a);
        let inst = self.inst_multi(opcode, 0, &[ty, Type::I1], a.as_u32(), b.as_u32(), 0);
        self.two_results(inst)
    }

    fn two_results(&self, inst: Inst) -> (Value, Value) {
        let first = self.func.first_result(inst);
        (first, Value::from_u32(first.as_u32() + 1))
    }

    /// `ptr` plus a byte offset (i64 value).
    pub fn ptradd(&mut self, ptr: Value, offset: Value, flags: u8) -> Value {
        self.value(Opcode::PtrAdd, flags, Type::PTR, ptr.as_u32(), offset.as_u32(), 0)
    }

    /// `ptr` plus a constant byte offset; `ptr` itself for 0, folded into symbol constants.
    pub fn ptradd_imm(&mut self, ptr: Value, offset: i64) -> Value {
        if offset == 0 {
            return ptr;
        }
        if let Some((symbol, base)) = self.func.const_symbol(ptr) {
            return self.func.symbol_const(symbol, base.wrapping_add(offset));
        }
        let offset = self.func.iconst(Type::I64, offset);
        self.ptradd(ptr, offset, crate::flags::INBOUNDS)
    }

    /// Integer comparison; i1, or a vector of 0/-1 lanes.
    pub fn icmp(&mut self, cc: IntCc, a: Value, b: Value) -> Value {
        let ty = self.compare_type(a);
        self.value(Opcode::ICmp, cc as u8, ty, a.as_u32(), b.as_u32(), 0)
    }

    /// Floating comparison; `signaling` for the relational operators.
    pub fn fcmp(&mut self, cc: FloatCc, signaling: bool, a: Value, b: Value) -> Value {
        let ty = self.compare_type(a);
        let flags = cc as u8 | if signaling { crate::flags::SIGNALING } else { 0 };
        self.value(Opcode::FCmp, flags, ty, a.as_u32(), b.as_u32(), 0)
    }

    fn compare_type(&self, operand: Value) -> Type {
        let ty = self.func.value_type(operand);
        if ty.is_vector() {
            Type::int(ty.lane_bits()).expect("vector lanes have an integer of their width").vector(ty.lanes())
        } else {
            Type::I1
        }
    }

    /// `cond ? a : b`.
    pub fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        let ty = self.func.value_type(a);
        self.value(Opcode::Select, 0, ty, cond.as_u32(), a.as_u32(), b.as_u32())
    }

    /// A three-operand operation whose result has the type of its first operand.
    pub fn ternary(&mut self, opcode: Opcode, flags: u8, a: Value, b: Value, c: Value) -> Value {
        let ty = self.func.value_type(a);
        self.value(opcode, flags, ty, a.as_u32(), b.as_u32(), c.as_u32())
    }

    /// A fresh undef.
    pub fn undef(&mut self, ty: Type) -> Value {
        self.value(Opcode::Undef, 0, ty, 0, 0, 0)
    }

    /// A phi with the given entries.
    pub fn phi(&mut self, ty: Type, entries: &[(Value, Block)]) -> Inst {
        let values: Vec<Value> = entries.iter().map(|e| e.0).collect();
        let blocks: Vec<Block> = entries.iter().map(|e| e.1).collect();
        let a = self.func.push_list(&values);
        let c = self.func.push_block_list(&blocks);
        self.inst(Opcode::Phi, 0, ty, a, entries.len() as u32, c)
    }

    /// Lanes of `a` and `b` picked by `mask`; the result has `mask.len()` lanes.
    pub fn shuffle(&mut self, a: Value, b: Value, mask: &[u32]) -> Value {
        let ty = self.func.value_type(a).lane().vector(mask.len() as u32);
        let index = self.func.shuffle_masks.len() as u32;
        self.func.shuffle_masks.push(mask.into());
        self.value(Opcode::Shuffle, 0, ty, a.as_u32(), b.as_u32(), index)
    }

    /// A call; `returns` are the signature's results.
    pub fn call(&mut self, sig: SigId, attrs: FnAttrs, returns: &[Type], callee: Value, args: &[Value]) -> Inst {
        let mut list = Vec::with_capacity(args.len() + 1);
        list.push(callee);
        list.extend_from_slice(args);
        let a = self.func.push_list(&list);
        let c = self.func.calls.len() as u32;
        self.func.calls.push(CallInfo { sig, attrs, note: 0 });
        if attrs.has(FnAttrs::RETURNS_TWICE) {
            self.func.calls_setjmp = true;
        }
        self.inst_multi(Opcode::Call, 0, returns, a, list.len() as u32, c)
    }

    /// A direct call of `symbol`.
    pub fn call_symbol(
        &mut self,
        symbol: SymbolId,
        sig: SigId,
        attrs: FnAttrs,
        returns: &[Type],
        args: &[Value],
    ) -> Inst {
        let callee = self.func.make_const(Type::PTR, Constant::Symbol(symbol, 0));
        self.call(sig, attrs, returns, callee, args)
    }

    /// An intrinsic operation; `ty` void if it has no result.
    pub fn intrinsic(&mut self, intrinsic: Intrinsic, ty: Type, args: &[Value]) -> Inst {
        let a = self.func.push_list(args);
        self.func.calls_setjmp |= intrinsic == Intrinsic::SetJmp;
        self.inst(Opcode::Intrinsic, 0, ty, a, args.len() as u32, intrinsic as u32)
    }

    /// Inline assembly; a terminator if it has labels or a fallthrough.
    pub fn asm(&mut self, asm: AsmData, inputs: &[Value], results: &[Type]) -> Inst {
        let opcode = if asm.fallthrough.is_some() { Opcode::AsmBr } else { Opcode::Asm };
        let flags = if asm.volatile { crate::flags::VOLATILE } else { 0 };
        let a = self.func.push_list(inputs);
        let id = self.func.asms.push(asm);
        self.inst_multi(opcode, flags, results, a, inputs.len() as u32, id.as_u32())
    }

    /// Atomic load.
    pub fn atomic_load(&mut self, ty: Type, ptr: Value, order: Ordering) -> Value {
        self.value(Opcode::AtomicLoad, order as u8, ty, ptr.as_u32(), 0, 0)
    }

    /// Atomic store.
    pub fn atomic_store(&mut self, value: Value, ptr: Value, order: Ordering) -> Inst {
        self.inst(Opcode::AtomicStore, order as u8, Type::VOID, ptr.as_u32(), value.as_u32(), 0)
    }

    /// Atomic read-modify-write; the old value.
    pub fn atomic_rmw(&mut self, op: RmwOp, ptr: Value, value: Value, order: Ordering) -> Value {
        let ty = self.func.value_type(value);
        self.value(Opcode::AtomicRmw, order as u8, ty, ptr.as_u32(), value.as_u32(), op as u32)
    }

    /// Atomic compare-exchange: (old value, i1 success).
    pub fn cmpxchg(
        &mut self,
        ptr: Value,
        expected: Value,
        desired: Value,
        success: Ordering,
        failure: Ordering,
    ) -> (Value, Value) {
        let ty = self.func.value_type(expected);
        let flags = success as u8 | (failure as u8) << 3;
        let inst =
            self.inst_multi(Opcode::CmpXchg, flags, &[ty, Type::I1], ptr.as_u32(), expected.as_u32(), desired.as_u32());
        self.two_results(inst)
    }

    /// A fence.
    pub fn fence(&mut self, order: Ordering, signal_only: bool) -> Inst {
        self.inst(Opcode::Fence, order as u8, Type::VOID, 0, 0, signal_only as u32)
    }

    /// A jump.
    pub fn br(&mut self, target: Block) -> Inst {
        self.inst(Opcode::Br, 0, Type::VOID, 0, 0, target.as_u32())
    }

    /// A conditional jump.
    pub fn cond_br(&mut self, cond: Value, then: Block, otherwise: Block, hint: BranchHint) -> Inst {
        self.inst(Opcode::CondBr, hint.flags(), Type::VOID, cond.as_u32(), then.as_u32(), otherwise.as_u32())
    }

    /// A switch. Sorts the cases.
    pub fn switch(&mut self, value: Value, mut cases: Vec<(u64, Block)>, default: Block) -> Inst {
        cases.sort_by_key(|c| c.0);
        let id = self.func.switches.push(SwitchData { cases, default, weights: Vec::new() });
        self.inst(Opcode::Switch, 0, Type::VOID, value.as_u32(), 0, id.as_u32())
    }

    /// A computed goto. `targets` are without duplicates.
    pub fn indirect_br(&mut self, address: Value, targets: Vec<Block>) -> Inst {
        let id = self.func.targets.push(targets);
        self.inst(Opcode::IndirectBr, 0, Type::VOID, address.as_u32(), 0, id.as_u32())
    }

    /// A return of the signature's results.
    pub fn ret(&mut self, values: &[Value]) -> Inst {
        let a = self.func.push_list(values);
        self.inst(Opcode::Ret, 0, Type::VOID, a, values.len() as u32, 0)
    }

    /// The end of a path that is never taken.
    pub fn unreachable(&mut self) -> Inst {
        self.inst(Opcode::Unreachable, 0, Type::VOID, 0, 0, 0)
    }
}
