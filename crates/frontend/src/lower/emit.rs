//! Instruction emission with trivial folding, and the live/dead bookkeeping of blocks.
//!
//! Folding keeps `-O0` output lean: constants on constants, neutral elements, constant address
//! arithmetic. Anything beyond that is the middle end's.

use ir::{
    AliasTag, Block, BranchHint, Builder, FloatCc, Inst, InstView, IntCc, Opcode, Position, Type, Value, ValueDef,
    flags,
};

use super::function::Fx;
use super::place::Place;

/// Largest access alignment worth recording.
const MAX_ACCESS_ALIGN: u32 = 64;

impl Fx<'_, '_> {
    // ---- blocks
    // --------------------------------------------------------------------------------

    /// A builder at the end of the current block.
    pub fn b(&mut self) -> Builder<'_> {
        if !self.live && self.func.last_inst(self.block).is_some_and(|i| self.func.insts[i].opcode.is_terminator()) {
            // Code after a terminator goes to a block that is never placed.
            self.block = self.func.make_block();
        }
        Builder { func: &mut self.func, position: Position::End(self.block), loc: self.loc }
    }

    /// A block for later.
    pub fn new_block(&mut self) -> Block {
        self.func.make_block()
    }

    /// Continues in `block`, live exactly if some live code branches to it. The current block must
    /// have ended.
    pub fn start(&mut self, block: Block) {
        debug_assert!(!self.live, "the block before has no terminator");
        self.block = block;
        self.live = self.has_pred[block];
        if self.live {
            self.func.append_block(block);
        }
    }

    /// Branches to `block` and continues there.
    pub fn flow_into(&mut self, block: Block) {
        self.br(block);
        self.start(block);
    }

    /// Continues in a block that is kept although nothing branches to it yet.
    pub fn start_suspect(&mut self) {
        let block = self.new_block();
        self.has_pred[block] = true;
        self.sweep = true;
        self.start(block);
    }

    fn target(&mut self, block: Block) {
        if self.live {
            self.has_pred[block] = true;
        }
    }

    /// Jump; the position is dead afterwards.
    pub fn br(&mut self, block: Block) {
        if !self.live {
            return;
        }
        self.target(block);
        let is_counted = self.options.coverage.is_on();
        let mut b = self.b();
        if is_counted {
            b.loc = base::Loc::NONE;
        }
        b.br(block);
        self.live = false;
    }

    /// A label of the source stands where `block` begins, which is not the current one yet:
    /// coverage counts its line. A `case` where a block begins already has no line of its own.
    pub fn label_line(&mut self, block: Block, is_named: bool) {
        let follows = self.live && self.func.first_inst(self.block).is_none() && block != self.block;
        if self.options.coverage.is_on() && (is_named || !follows) {
            self.func.label_lines.push((block, self.loc, is_named));
        }
    }

    /// What makes no code stands here: coverage counts its line all the same.
    pub fn line_without_code(&mut self) {
        if self.options.coverage.is_on() && self.live {
            self.func.label_lines.push((self.block, self.loc, false));
        }
    }

    /// Jump that a statement of its own asks for: coverage counts its line.
    pub fn jump(&mut self, block: Block) {
        if self.live {
            self.target(block);
            self.b().br(block);
            self.live = false;
        }
    }

    /// Conditional jump on an i1.
    pub fn cond_br(&mut self, cond: Value, then: Block, otherwise: Block, hint: BranchHint) {
        if !self.live {
            return;
        }
        if then == otherwise {
            return self.br(then);
        }
        if let Some(bits) = self.func.const_bits(cond) {
            return self.br(if bits != 0 { then } else { otherwise });
        }
        self.target(then);
        self.target(otherwise);
        self.b().cond_br(cond, then, otherwise, hint);
        self.live = false;
    }

    /// Ends the path.
    pub fn unreachable(&mut self) {
        if self.live {
            self.b().unreachable();
            self.live = false;
        }
    }

    /// Return of IR values.
    pub fn ret_values(&mut self, values: &[Value]) {
        if self.live {
            self.b().ret(values);
            self.live = false;
        }
    }

    /// Marks blocks as reached from live code by a terminator other than `br` and `cond_br`, which
    /// the caller appends.
    pub fn mark_targets(&mut self, blocks: impl IntoIterator<Item = Block>) {
        for block in blocks {
            self.target(block);
        }
    }

    // ---- constants
    // --------------------------------------------------------------------------------

    /// An integer or null pointer constant.
    pub fn iconst(&mut self, ty: Type, value: i64) -> Value {
        self.func.iconst(ty, value)
    }

    /// Zero of any type.
    pub fn zero(&mut self, ty: Type) -> Value {
        if ty.is_vector() {
            let bytes = vec![0u8; ty.store_size() as usize].into_boxed_slice();
            return self.func.make_const(ty, ir::Constant::Vector(bytes));
        }
        self.func.bits_const(ty, 0)
    }

    /// The bits of an integer constant.
    pub fn const_int(&self, value: Value) -> Option<u128> {
        let ty = self.func.value_type(value);
        if ty.is_int() { self.func.const_bits(value) } else { None }
    }

    /// The type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.func.value_type(value)
    }

    // ---- memory
    // --------------------------------------------------------------------------------

    /// A slot in the frame; the instruction goes to the start of the entry block.
    pub fn alloca(&mut self, size: u64, align: u32) -> Value {
        let alloca = InstView::Alloca { align_log2: align.max(1).trailing_zeros(), size };
        let inst = self.func.make(alloca, Type::PTR, self.loc);
        match self.last_alloca {
            Some(last) => self.func.insert_after(last, inst),
            None => {
                let entry = self.func.entry();
                self.func.prepend_inst(entry, inst);
            }
        }
        self.last_alloca = Some(inst);
        self.func.first_result(inst)
    }

    /// A slot for one IR value.
    pub fn slot(&mut self, ty: Type) -> Place {
        let align = ty.align();
        Place::new(self.alloca(ty.alloc_size() as u64, align), align)
    }

    /// A temporary for the full expression being lowered.
    pub fn temp(&mut self, size: u64, align: u32) -> Place {
        let found = self.free_temps.iter().position(|t| t.0 == size && t.1 == align);
        let temp = match found {
            Some(index) => self.free_temps.swap_remove(index),
            None => (size, align, self.alloca(size, align)),
        };
        self.used_temps.push(temp);
        Place::new(temp.2, align)
    }

    /// Gives back the temporaries taken since there were `mark` of them. When optimising every
    /// temporary keeps a slot of its own: unrelated values in one slot would hinder promotion.
    pub fn release_temps(&mut self, mark: usize) {
        if self.optimizing() {
            self.used_temps.truncate(mark);
        } else {
            let released = self.used_temps.drain(mark..);
            self.free_temps.extend(released);
        }
    }

    /// The address of a place, for an access or a copy that knows of no segments.
    pub fn address(&mut self, place: Place) -> Value {
        if place.segment.is_some() {
            self.not_supported("this use of an object in a named address space");
        }
        self.pointer(place)
    }

    /// A pointer to a place, whatever its address space.
    pub fn pointer(&mut self, place: Place) -> Value {
        if place.offset == 0 {
            return place.base;
        }
        if let Some(bits) = self.func.const_bits(place.base) {
            return self.func.bits_const(Type::PTR, (bits as u64).wrapping_add(place.offset as u64) as u128);
        }
        if let Some((symbol, base)) = self.func.const_symbol(place.base) {
            return self.func.symbol_const(symbol, base.wrapping_add(place.offset));
        }
        let offset = self.iconst(Type::I64, place.offset);
        let flags = if self.options.codegen.wrapv_pointer { 0 } else { flags::INBOUNDS };
        self.b().ptradd(place.base, offset, flags)
    }

    /// Plain load.
    pub fn load(&mut self, ty: Type, place: Place, tag: AliasTag) -> Value {
        self.load_flags(ty, place, tag, 0)
    }

    /// Load with `VOLATILE` or `NONTEMPORAL`.
    pub fn load_flags(&mut self, ty: Type, place: Place, tag: AliasTag, flags: u8) -> Value {
        let align = place.align().min(MAX_ACCESS_ALIGN);
        if let Some(segment) = place.segment {
            return super::segments::load(self, ty, place, segment);
        }
        let tag = if place.any_alias && place.path.is_none() { ir::AliasTags::any() } else { tag };
        let address = self.address(place);
        self.b().load(ty, address, align, tag, flags)
    }

    /// Plain store.
    pub fn store(&mut self, value: Value, place: Place, tag: AliasTag) {
        self.store_flags(value, place, tag, 0);
    }

    /// Store with `VOLATILE` or `NONTEMPORAL`.
    pub fn store_flags(&mut self, value: Value, place: Place, tag: AliasTag, flags: u8) {
        let align = place.align().min(MAX_ACCESS_ALIGN);
        if let Some(segment) = place.segment {
            return super::segments::store(self, value, place, segment);
        }
        let tag = if place.any_alias && place.path.is_none() { ir::AliasTags::any() } else { tag };
        let address = self.address(place);
        self.b().store(value, address, align, tag, flags);
    }

    /// Copies `size` bytes between places that are the same or do not overlap.
    pub fn copy(&mut self, to: Place, from: Place, size: u64, volatile: bool) {
        if size == 0 || (to == from && !volatile) {
            return;
        }
        if to.segment.or(from.segment).is_some() {
            return super::segments::copy(self, to, from, size);
        }
        let align = to.align().min(from.align());
        let (dst, src) = (self.address(to), self.address(from));
        let len = self.iconst(Type::I64, size as i64);
        self.b().mem_op(Opcode::MemCpy, dst, src, len, align, volatile);
    }

    /// Sets `size` bytes to `byte`.
    pub fn fill(&mut self, to: Place, byte: u8, size: u64, volatile: bool) {
        if size == 0 {
            return;
        }
        let align = to.align();
        let dst = self.address(to);
        let byte = self.iconst(Type::I8, byte as i64);
        let len = self.iconst(Type::I64, size as i64);
        self.b().mem_op(Opcode::MemSet, dst, byte, len, align, volatile);
    }

    /// `ptr` plus an i64 value.
    pub fn ptradd(&mut self, ptr: Value, offset: Value) -> Value {
        if let Some(bits) = self.const_int(offset) {
            return self.address(Place::new(ptr, 1).offset(bits as i64));
        }
        let flags = if self.options.codegen.wrapv_pointer { 0 } else { flags::INBOUNDS };
        self.b().ptradd(ptr, offset, flags)
    }

    // ---- integers
    // --------------------------------------------------------------------------------

    /// A two-operand integer operation (scalar or vector), folded when both operands are constant
    /// or one is neutral.
    pub fn int_op(&mut self, op: Opcode, flags: u8, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        if ty.is_int() {
            if let (Some(x), Some(y)) = (self.const_int(a), self.const_int(b))
                && let Some(bits) = fold_int(op, ty, x, y)
            {
                return self.func.bits_const(ty, bits);
            }
            if let Some(y) = self.const_int(b) {
                let neutral = match op {
                    Opcode::Add
                    | Opcode::Sub
                    | Opcode::Or
                    | Opcode::Xor
                    | Opcode::Shl
                    | Opcode::LShr
                    | Opcode::AShr => y == 0,
                    Opcode::Mul | Opcode::SDiv | Opcode::UDiv => y == 1,
                    Opcode::And => y == ty.mask(),
                    _ => false,
                };
                if neutral {
                    return a;
                }
            }
        }
        self.b().binary_flags(op, flags, a, b)
    }

    /// [`Fx::int_op`] with a constant right operand.
    pub fn int_op_imm(&mut self, op: Opcode, flags: u8, a: Value, b: i64) -> Value {
        let ty = self.ty(a);
        let b = self.iconst(ty, b);
        self.int_op(op, flags, a, b)
    }

    /// `0 - a`.
    pub fn int_neg(&mut self, a: Value, flags: u8) -> Value {
        let ty = self.ty(a);
        let zero = self.zero(ty);
        self.int_op(Opcode::Sub, flags, zero, a)
    }

    /// Integer or pointer comparison, an i1.
    pub fn icmp(&mut self, cc: IntCc, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        if !ty.is_vector()
            && let (Some(x), Some(y)) = (self.func.const_bits(a), self.func.const_bits(b))
        {
            let holds = cc.eval(x, y, ty.lane_bits());
            return self.iconst(Type::I1, holds as i64);
        }
        self.b().icmp(cc, a, b)
    }

    /// Comparison with a constant.
    pub fn icmp_imm(&mut self, cc: IntCc, a: Value, b: i64) -> Value {
        let ty = self.ty(a);
        let b = self.iconst(ty, b);
        self.icmp(cc, a, b)
    }

    /// Floating comparison. Relational ones raise "invalid" for quiet NaNs where traps are visible.
    pub fn fcmp(&mut self, cc: FloatCc, relational: bool, a: Value, b: Value) -> Value {
        let signaling = relational && self.options.codegen.float.trapping_math;
        self.b().fcmp(cc, signaling, a, b)
    }

    /// Truncation or extension to integer type `to`; `signed` is the source's signedness.
    pub fn int_cast(&mut self, value: Value, to: Type, signed: bool) -> Value {
        let from = self.ty(value);
        if from == to {
            return value;
        }
        if from.is_ptr() {
            let int = self.ptr_to_int(value);
            return self.int_cast(int, to, false);
        }
        if let Some(bits) = self.const_int(value) {
            let bits = if signed { sign_extend(bits, from.bits()) } else { bits };
            return self.func.bits_const(to, bits);
        }
        let narrowing = to.bits() < from.bits();
        // A truncated or twice extended extension goes back to its source; truth values are widened
        // in one step.
        if let ValueDef::Result(inst, 0) = self.func.value_def(value)
            && let InstView::Unary { op, a: source, .. } = self.func.view(inst)
        {
            match op {
                Opcode::ZExt if !narrowing => return self.b().unary(Opcode::ZExt, to, source),
                Opcode::SExt if !narrowing && signed => return self.b().unary(Opcode::SExt, to, source),
                Opcode::ZExt | Opcode::SExt if narrowing && self.ty(source) == to => return source,
                Opcode::ZExt if narrowing && self.ty(source) == Type::I1 => {
                    return self.b().unary(Opcode::ZExt, to, source);
                }
                _ => {}
            }
        }
        let op = match (narrowing, signed && from != Type::I1) {
            (true, _) => Opcode::Trunc,
            (false, true) => Opcode::SExt,
            (false, false) => Opcode::ZExt,
        };
        self.b().unary(op, to, value)
    }

    /// Address as i64.
    pub fn ptr_to_int(&mut self, value: Value) -> Value {
        if let Some(bits) = self.func.const_bits(value) {
            return self.func.bits_const(Type::I64, bits);
        }
        self.b().unary(Opcode::PtrToInt, Type::I64, value)
    }

    /// i64 as address.
    pub fn int_to_ptr(&mut self, value: Value) -> Value {
        if let Some(bits) = self.func.const_bits(value) {
            return self.func.bits_const(Type::PTR, bits);
        }
        if let ValueDef::Result(inst, 0) = self.func.value_def(value)
            && self.func.insts[inst].opcode == Opcode::PtrToInt
        {
            return self.func.insts[inst].arg(0);
        }
        self.b().unary(Opcode::IntToPtr, Type::PTR, value)
    }

    /// The same bits as another type of the same size.
    pub fn bitcast(&mut self, value: Value, to: Type) -> Value {
        let from = self.ty(value);
        if from == to {
            return value;
        }
        match (from.is_ptr(), to.is_ptr()) {
            (true, false) => {
                let int = self.ptr_to_int(value);
                return self.bitcast(int, to);
            }
            (false, true) => {
                let int = self.bitcast(value, Type::I64);
                return self.int_to_ptr(int);
            }
            _ => {}
        }
        if !from.is_vector()
            && !to.is_vector()
            && let Some(bits) = self.func.const_bits(value)
        {
            return self.func.bits_const(to, bits);
        }
        self.b().unary(Opcode::Bitcast, to, value)
    }

    // ---- floating point
    // --------------------------------------------------------------------------------

    /// The flags that options give to floating arithmetic.
    pub fn float_flags(&self) -> u8 {
        let model = &self.options.codegen.float;
        let mut bits = 0;
        if model.contract == platform::options::FpContract::Fast && !self.def.flags.keeps_roundings {
            bits |= flags::CONTRACT;
        }
        if self.loops.any_order || model.associative && !model.rounding_math {
            bits |= flags::REASSOC;
        }
        if model.finite_only {
            bits |= flags::FINITE;
        }
        if !model.signed_zeros {
            bits |= flags::NO_SIGNED_ZERO;
        }
        bits
    }

    /// Floating arithmetic; binary16 is computed as binary32. Between operators the wider value is
    /// kept, as gcc's excess precision does; where it is stored or converted it is rounded.
    pub fn float_op(&mut self, op: Opcode, a: Value, b: Value) -> Value {
        let flags = self.float_flags();
        if self.ty(a) == Type::F16 {
            let (a, b) = (self.float_cast(a, Type::F32), self.float_cast(b, Type::F32));
            let wide = self.b().binary_flags(op, flags, a, b);
            let rounded = self.float_cast(wide, Type::F16);
            self.excess.insert(rounded, wide);
            return rounded;
        }
        self.b().binary_flags(op, flags, a, b)
    }

    /// Conversion between floating types.
    pub fn float_cast(&mut self, value: Value, to: Type) -> Value {
        let from = self.ty(value);
        if from == to {
            return value;
        }
        if from == Type::F16
            && let Some(&wide) = self.excess.get(&value)
        {
            return self.float_cast(wide, to);
        }
        let op = if to.lane_bits() > from.lane_bits() { Opcode::FpExt } else { Opcode::FpTrunc };
        self.b().unary(op, to, value)
    }

    /// The number of an instruction's single result.
    pub fn result(&self, inst: Inst) -> Value {
        self.func.first_result(inst)
    }
}

/// The low `bits` of `value` as a signed number, in 128 bits.
pub fn sign_extend(value: u128, bits: u32) -> u128 {
    if bits == 0 || bits >= 128 {
        return value;
    }
    (((value << (128 - bits)) as i128) >> (128 - bits)) as u128
}

fn fold_int(op: Opcode, ty: Type, x: u128, y: u128) -> Option<u128> {
    let bits = ty.bits();
    let (sx, sy) = (sign_extend(x, bits) as i128, sign_extend(y, bits) as i128);
    Some(match op {
        Opcode::Add => x.wrapping_add(y),
        Opcode::Sub => x.wrapping_sub(y),
        Opcode::Mul => x.wrapping_mul(y),
        Opcode::And => x & y,
        Opcode::Or => x | y,
        Opcode::Xor => x ^ y,
        Opcode::Shl if y < bits as u128 => x << y,
        Opcode::LShr if y < bits as u128 => x >> y,
        Opcode::AShr if y < bits as u128 => (sx >> y) as u128,
        Opcode::UDiv if y != 0 => x / y,
        Opcode::URem if y != 0 => x % y,
        Opcode::SDiv if y != 0 && !(sy == -1 && sx == sign_extend(1 << (bits - 1), bits) as i128) => {
            sx.wrapping_div(sy) as u128
        }
        Opcode::SRem if y != 0 && sy != -1 => sx.wrapping_rem(sy) as u128,
        _ => return None,
    })
}
