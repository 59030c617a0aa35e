//! Instructions that are functions of their operands: their terms, and when they are undefined.

use ir::{Function, Inst, InstView, IntCc, Intrinsic, Opcode, Type, Value, flags};
use smallvec::SmallVec;

use crate::execute::{Execution, Stop};
use crate::term::{BOOL, Lanes, Op, Term, UfKind, Var, lane_width, mask};

impl Execution<'_, '_> {
    /// An integer comparison.
    pub(crate) fn icmp(&mut self, cc: IntCc, a: Term, b: Term) -> Term {
        let arena = &mut self.cx.arena;
        let (a, b) = if arena.width(a) == BOOL && !matches!(cc, IntCc::Eq | IntCc::Ne) {
            (arena.bits_of(a, 1), arena.bits_of(b, 1))
        } else {
            (a, b)
        };
        match cc {
            IntCc::Eq => arena.eq(a, b),
            IntCc::Ne => arena.differ(a, b),
            IntCc::Slt => arena.slt(a, b),
            IntCc::Sgt => arena.slt(b, a),
            IntCc::Sle => {
                let greater = arena.slt(b, a);
                arena.not(greater)
            }
            IntCc::Sge => {
                let less = arena.slt(a, b);
                arena.not(less)
            }
            IntCc::Ult => arena.ult(a, b),
            IntCc::Ugt => arena.ult(b, a),
            IntCc::Ule => {
                let greater = arena.ult(b, a);
                arena.not(greater)
            }
            IntCc::Uge => {
                let less = arena.ult(a, b);
                arena.not(less)
            }
        }
    }

    /// Whether a sum, difference or product does not fit, as signed or unsigned numbers.
    pub(crate) fn overflows(&mut self, opcode: Opcode, signed: bool, a: Term, b: Term) -> Term {
        let arena = &mut self.cx.arena;
        let width = arena.width(a);
        let negative = |arena: &mut crate::term::Arena, x: Term| {
            let zero = arena.number(0, width);
            arena.slt(x, zero)
        };
        match (opcode, signed) {
            (Opcode::Add, true) => {
                let sum = arena.add(a, b);
                let (x, y) = (arena.binary(Op::Xor, a, sum), arena.binary(Op::Xor, b, sum));
                let both = arena.binary(Op::And, x, y);
                negative(arena, both)
            }
            (Opcode::Sub, true) => {
                let difference = arena.sub(a, b);
                let (x, y) = (arena.binary(Op::Xor, a, b), arena.binary(Op::Xor, a, difference));
                let both = arena.binary(Op::And, x, y);
                negative(arena, both)
            }
            (Opcode::Mul, true) => {
                let (low, high) = (arena.mul(a, b), arena.binary(Op::High(true), a, b));
                let last = arena.number(u128::from(width) - 1, width);
                let sign = arena.binary(Op::AShr, low, last);
                arena.differ(high, sign)
            }
            (Opcode::Add, false) => {
                let sum = arena.add(a, b);
                arena.ult(sum, a)
            }
            (Opcode::Sub, false) => arena.ult(a, b),
            _ => {
                let (high, zero) = (arena.binary(Op::High(false), a, b), arena.number(0, width));
                arena.differ(high, zero)
            }
        }
    }

    /// Notes what is undefined about an integer operation with these flags.
    fn promises(&mut self, opcode: Opcode, bits: u8, a: Term, b: Term) {
        let width = self.cx.arena.width(a);
        match opcode {
            Opcode::Add | Opcode::Sub | Opcode::Mul => {
                for (flag, signed) in [(flags::NSW, true), (flags::NUW, false)] {
                    if bits & flag != 0 {
                        let broken = self.overflows(opcode, signed, a, b);
                        self.undefined(broken);
                    }
                }
            }
            Opcode::Shl => {
                for (flag, back) in [(flags::NSW, Op::AShr), (flags::NUW, Op::LShr)] {
                    if bits & flag != 0 {
                        let arena = &mut self.cx.arena;
                        let limit = arena.number(width.into(), width);
                        let within = arena.ult(b, limit);
                        let shifted = arena.binary(Op::Shl, a, b);
                        let again = arena.binary(back, shifted, b);
                        let lost = arena.differ(again, a);
                        let broken = arena.and(within, lost);
                        self.undefined(broken);
                    }
                }
            }
            Opcode::LShr | Opcode::AShr if bits & flags::EXACT != 0 => {
                let arena = &mut self.cx.arena;
                let limit = arena.number(width.into(), width);
                let within = arena.ult(b, limit);
                let shifted = arena.binary(Op::LShr, a, b);
                let again = arena.binary(Op::Shl, shifted, b);
                let lost = arena.differ(again, a);
                let broken = arena.and(within, lost);
                self.undefined(broken);
            }
            Opcode::SDiv | Opcode::UDiv | Opcode::SRem | Opcode::URem => {
                let arena = &mut self.cx.arena;
                let zero = arena.number(0, width);
                let mut broken = arena.eq(b, zero);
                if matches!(opcode, Opcode::SDiv | Opcode::SRem) {
                    let (least, ones) = (arena.number(1 << (width - 1), width), arena.number(mask(width), width));
                    let (x, y) = (arena.eq(a, least), arena.eq(b, ones));
                    let overflow = arena.and(x, y);
                    broken = arena.or(broken, overflow);
                }
                if bits & flags::EXACT != 0 {
                    let rem = if opcode == Opcode::SDiv { Op::SRem } else { Op::URem };
                    let rest = arena.binary(rem, a, b);
                    let lost = arena.differ(rest, zero);
                    broken = arena.or(broken, lost);
                }
                self.undefined(broken);
            }
            _ => {}
        }
    }

    /// A two-operand operation on one lane.
    fn binary_lane(&mut self, opcode: Opcode, bits: u8, lane: Type, a: Term, b: Term) -> Result<Term, Stop> {
        if lane.is_float() {
            return Ok(self.cx.arena.float_binary(opcode, lane, a, b));
        }
        if self.cx.arena.width(a) == BOOL {
            let arena = &mut self.cx.arena;
            match opcode {
                Opcode::And | Opcode::Mul => return Ok(arena.and(a, b)),
                Opcode::Or => return Ok(arena.or(a, b)),
                Opcode::Xor | Opcode::Add | Opcode::Sub => return Ok(arena.differ(a, b)),
                _ => {}
            }
            let (x, y) = (arena.bits_of(a, 1), arena.bits_of(b, 1));
            let result = self.binary_lane(opcode, bits, lane, x, y)?;
            let one = self.cx.arena.number(1, 1);
            return Ok(self.cx.arena.eq(result, one));
        }
        self.promises(opcode, bits, a, b);
        let arena = &mut self.cx.arena;
        let width = arena.width(a);
        let by = match opcode {
            Opcode::UDiv => Op::UDiv,
            Opcode::URem => Op::URem,
            Opcode::SDiv => Op::SDiv,
            Opcode::SRem => Op::SRem,
            Opcode::And => Op::And,
            Opcode::Or => Op::Or,
            Opcode::Xor => Op::Xor,
            Opcode::SMulHi => Op::High(true),
            Opcode::UMulHi => Op::High(false),
            Opcode::Shl | Opcode::LShr | Opcode::AShr => {
                let op = match opcode {
                    Opcode::Shl => Op::Shl,
                    Opcode::LShr => Op::LShr,
                    _ => Op::AShr,
                };
                let limit = arena.number(width.into(), width);
                let within = arena.ult(b, limit);
                let shifted = arena.binary(op, a, b);
                if arena.is(within, true) {
                    return Ok(shifted);
                }
                let any = arena.opaque(&format!("any_{}_{width}", opcode.name()), &[a, b], width);
                return Ok(arena.ite(within, shifted, any));
            }
            Opcode::Rotl | Opcode::Rotr => {
                let limit = arena.number(width.into(), width);
                let mut amount = arena.binary(Op::URem, b, limit);
                if opcode == Opcode::Rotr {
                    let back = arena.sub(limit, amount);
                    amount = arena.binary(Op::URem, back, limit);
                }
                return Ok(arena.binary(Op::Rotl, a, amount));
            }
            Opcode::Add => return Ok(arena.add(a, b)),
            Opcode::Sub => return Ok(arena.sub(a, b)),
            Opcode::Mul => return Ok(arena.mul(a, b)),
            Opcode::SMin | Opcode::SMax | Opcode::UMin | Opcode::UMax => {
                let (x, y) = if a < b { (a, b) } else { (b, a) };
                let less = match opcode {
                    Opcode::SMin | Opcode::SMax => arena.slt(x, y),
                    _ => arena.ult(x, y),
                };
                let min = matches!(opcode, Opcode::SMin | Opcode::UMin);
                return Ok(if min { arena.ite(less, x, y) } else { arena.ite(less, y, x) });
            }
            _ => return Err(Stop::Reason(format!("operation {}", opcode.name()))),
        };
        Ok(arena.binary(by, a, b))
    }

    fn unary_lane(&mut self, opcode: Opcode, bits: u8, from: Type, to: Type, a: Term) -> Result<Term, Stop> {
        if from.is_float() || to.is_float() {
            return Ok(self.cx.arena.float_unary(opcode, from, to, a));
        }
        let arena = &mut self.cx.arena;
        let width = arena.width(a);
        Ok(match opcode {
            Opcode::Trunc if lane_width(to) == BOOL => {
                let (low, one) = (arena.extract(a, 0, 1), arena.number(1, 1));
                arena.eq(low, one)
            }
            Opcode::Trunc => arena.extract(a, 0, lane_width(to)),
            Opcode::ZExt => arena.zext(a, lane_width(to)),
            Opcode::SExt => arena.sext(a, lane_width(to)),
            Opcode::PtrToInt => {
                // The same number, as a sum.
                let zero = arena.number(0, 64);
                arena.add(a, zero)
            }
            Opcode::IntToPtr => a,
            Opcode::Popcount => arena.raw(Op::Popcount, &[a], width),
            Opcode::Bswap => {
                let mut term = arena.extract(a, width - 8, 8);
                for byte in (0..width / 8 - 1).rev() {
                    let high = arena.extract(a, byte * 8, 8);
                    term = arena.concat(high, term);
                }
                term
            }
            Opcode::Ctlz | Opcode::Cttz => {
                let of = if opcode == Opcode::Ctlz {
                    a
                } else {
                    // The zero bits at the end, as ones.
                    let (ones, one) = (arena.number(mask(width), width), arena.number(1, width));
                    let (inverse, below) = (arena.sub(ones, a), arena.sub(a, one));
                    arena.binary(Op::And, inverse, below)
                };
                let leading = arena.raw(Op::Ctlz, &[of], width);
                let all = arena.number(width.into(), width);
                let count = if opcode == Opcode::Ctlz { leading } else { arena.sub(all, leading) };
                if bits & flags::ZERO_UNDEF == 0 {
                    return Ok(count);
                }
                let zero = arena.number(0, width);
                let is_zero = arena.eq(a, zero);
                let any = arena.opaque(&format!("any_{}_{width}", opcode.name()), &[], width);
                arena.ite(is_zero, any, count)
            }
            _ => return Err(Stop::Reason(format!("operation {}", opcode.name()))),
        })
    }

    /// The lanes of a value as those of another type of the same size.
    fn bitcast(&mut self, to: Type, value: &Lanes) -> Lanes {
        let arena = &mut self.cx.arena;
        let (wide, lanes) = (lane_width(to), to.lanes());
        let from = arena.width(value[0]);
        if from == wide {
            return value.clone();
        }
        if from > wide {
            let parts = from / wide;
            return (0..lanes).map(|n| arena.extract(value[(n / parts) as usize], n % parts * wide, wide)).collect();
        }
        let parts = (wide / from) as usize;
        let join = |chunk: &[Term]| chunk[1..].iter().fold(chunk[0], |low, &high| arena.concat(high, low));
        value.chunks(parts).map(join).collect()
    }

    /// The results of an instruction that is a function of its operands; none if it is not one.
    pub(crate) fn pure(&mut self, func: &Function, inst: Inst) -> Result<Option<Vec<Lanes>>, Stop> {
        let data = func.insts[inst];
        let ty = data.ty;
        let one = |lanes: Lanes| Ok(Some(vec![lanes]));
        match func.view(inst) {
            InstView::Binary { op: Opcode::PtrAdd, a, b, flags: bits } => {
                let (base, offset) = (self.scalar(func, a)?, self.scalar(func, b)?);
                let term = self.cx.arena.ptr_add(base, offset);
                if bits & flags::INBOUNDS != 0 {
                    self.stays_in_object(base, offset, term);
                }
                one([term].into_iter().collect())
            }
            InstView::Binary { op: Opcode::ExtractLane, a, b, .. } => {
                let (lanes, index) = (self.lanes(func, a)?, self.scalar(func, b)?);
                let Some(index) = self.cx.arena.value(index) else { return Err(Stop::Reason("lane".into())) };
                one([lanes[index as usize % lanes.len()]].into_iter().collect())
            }
            InstView::Binary { op, a, b, .. } if overflow_of(op).is_some() => {
                let (opcode, signed) = overflow_of(op).expect("checked");
                let (a, b) = (self.scalar(func, a)?, self.scalar(func, b)?);
                let flag = self.overflows(opcode, signed, a, b);
                let result = self.binary_lane(opcode, 0, ty, a, b)?;
                Ok(Some(vec![[result].into_iter().collect(), [flag].into_iter().collect()]))
            }
            InstView::Binary { op, a, b, flags: bits } => {
                let (x, y) = (self.lanes(func, a)?, self.lanes(func, b)?);
                let lanes = x
                    .iter()
                    .zip(&y)
                    .map(|(&x, &y)| self.binary_lane(op, bits, ty.lane(), x, y))
                    .collect::<Result<_, _>>();
                one(lanes?)
            }
            InstView::Unary { op: Opcode::Splat, a, .. } => {
                let lane = self.scalar(func, a)?;
                one((0..ty.lanes()).map(|_| lane).collect())
            }
            InstView::Unary { op: Opcode::Bitcast, a, .. } => {
                let value = self.lanes(func, a)?;
                one(self.bitcast(ty, &value))
            }
            InstView::Unary { op, a, flags: bits } if op.traits().has(ir::Traits::PURE) => {
                let (from, value) = (func.value_type(a).lane(), self.lanes(func, a)?);
                let lanes =
                    value.iter().map(|&x| self.unary_lane(op, bits, from, ty.lane(), x)).collect::<Result<_, _>>();
                one(lanes?)
            }
            InstView::Ternary { op: Opcode::InsertLane, a, b, c, .. } => {
                let (mut lanes, value, index) = (self.lanes(func, a)?, self.scalar(func, b)?, self.scalar(func, c)?);
                let Some(index) = self.cx.arena.value(index) else { return Err(Stop::Reason("lane".into())) };
                let at = index as usize % lanes.len();
                lanes[at] = value;
                one(lanes)
            }
            InstView::Ternary { op: Opcode::Fma, a, b, c, .. } => {
                let (x, y, z) = (self.lanes(func, a)?, self.lanes(func, b)?, self.lanes(func, c)?);
                let name = format!("fma_{}", ty.lane());
                one((0..x.len()).map(|n| self.cx.arena.opaque(&name, &[x[n], y[n], z[n]], lane_width(ty))).collect())
            }
            InstView::ICmp { cc, a, b } => self.comparison(func, ty, a, b, |e, _, x, y| e.icmp(cc, x, y)),
            InstView::FCmp { cc, a, b, .. } => {
                self.comparison(func, ty, a, b, |e, lane, x, y| e.cx.arena.fcmp(cc, lane, x, y))
            }
            InstView::Select { cond, a, b } => {
                let (cond, x, y) = (self.lanes(func, cond)?, self.lanes(func, a)?, self.lanes(func, b)?);
                let arena = &mut self.cx.arena;
                let choose = |n: usize| {
                    let cond = if cond.len() == 1 { cond[0] } else { cond[n] };
                    let holds = if arena.width(cond) == BOOL {
                        cond
                    } else {
                        let zero = arena.number(0, arena.width(cond));
                        arena.differ(cond, zero)
                    };
                    arena.ite(holds, x[n], y[n])
                };
                one((0..x.len()).map(choose).collect())
            }
            InstView::Shuffle { a, b, .. } => {
                let (mut all, more) = (self.lanes(func, a)?, self.lanes(func, b)?);
                all.extend(more);
                let any = self.cx.arena.number(0, lane_width(ty));
                let lane = |&n: &u32| if n == u32::MAX { any } else { all[n as usize] };
                one(func.shuffle_mask(inst).iter().map(lane).collect())
            }
            InstView::Nullary { op: Opcode::Undef } => one(self.undef(inst, ty)),
            InstView::TlsAddr { symbol } => {
                one([self.cx.arena.var(Var::ThreadLocal(symbol.as_u32()), 64)].into_iter().collect())
            }
            InstView::BlockAddr { label } => one([self.cx.arena.var(Var::Label(label), 64)].into_iter().collect()),
            InstView::Intrinsic { intrinsic, operands } => {
                let operands: SmallVec<[Value; 4]> = func.values(operands).iter().copied().collect();
                self.pure_intrinsic(func, inst, intrinsic, &operands)
            }
            _ => Ok(None),
        }
    }

    /// An unknown value: one of both functions, or of the second alone.
    fn undef(&mut self, inst: Inst, ty: Type) -> Lanes {
        let shared = !self.is_target || self.shared_undefs.contains(&inst.as_u32());
        let lane = |n| Var::Undef(!shared, inst.as_u32(), n);
        (0..ty.lanes()).map(|n| self.cx.arena.var(lane(n), lane_width(ty))).collect()
    }

    fn comparison(
        &mut self,
        func: &Function,
        ty: Type,
        a: Value,
        b: Value,
        compare: impl Fn(&mut Self, Type, Term, Term) -> Term,
    ) -> Result<Option<Vec<Lanes>>, Stop> {
        let (x, y) = (self.lanes(func, a)?, self.lanes(func, b)?);
        let lane = func.value_type(a).lane();
        let mut lanes = Lanes::new();
        for (&x, &y) in x.iter().zip(&y) {
            let holds = compare(self, lane, x, y);
            lanes.push(if ty == Type::I1 { holds } else { self.cx.arena.sext(holds, lane_width(ty)) });
        }
        Ok(Some(vec![lanes]))
    }

    /// An address that stays in its object does not wrap around.
    fn stays_in_object(&mut self, base: Term, offset: Term, sum: Term) {
        let arena = &mut self.cx.arena;
        if arena.value(base) == Some(0) {
            return;
        }
        let zero = arena.number(0, 64);
        let (negative, below, above) = (arena.slt(offset, zero), arena.ult(sum, base), arena.ult(base, sum));
        let wraps = arena.ite(negative, above, below);
        self.undefined(wraps);
    }

    fn pure_intrinsic(
        &mut self,
        func: &Function,
        inst: Inst,
        intrinsic: Intrinsic,
        operands: &[Value],
    ) -> Result<Option<Vec<Lanes>>, Stop> {
        let ty = func.insts[inst].ty;
        match intrinsic {
            Intrinsic::Expect | Intrinsic::KnownBytes => Ok(Some(vec![self.lanes(func, operands[0])?])),
            // True of a constant; of others the compiler decides later.
            Intrinsic::IsConstant => {
                let value = self.lanes(func, operands[0])?;
                let arena = &mut self.cx.arena;
                let is_constant = value.iter().all(|&lane| arena.value(lane).is_some());
                let answer = if is_constant {
                    arena.truth(true)
                } else {
                    arena.opaque(intrinsic.name(), &value, lane_width(ty))
                };
                Ok(Some(vec![[answer].into_iter().collect()]))
            }
            Intrinsic::Assume => {
                let holds = self.scalar(func, operands[0])?;
                let broken = self.cx.arena.not(holds);
                self.undefined(broken);
                Ok(Some(Vec::new()))
            }
            Intrinsic::MoveMask => {
                let value = self.lanes(func, operands[0])?;
                let arena = &mut self.cx.arena;
                let width = arena.width(value[0]);
                let mut bits = arena.extract(value[0], width - 1, 1);
                for &lane in &value[1..] {
                    let sign = arena.extract(lane, width - 1, 1);
                    bits = arena.concat(sign, bits);
                }
                Ok(Some(vec![[arena.zext(bits, 32)].into_iter().collect()]))
            }
            Intrinsic::Rint | Intrinsic::Floor | Intrinsic::Ceil | Intrinsic::TruncF | Intrinsic::X86 => {
                let mut args = Vec::new();
                for &operand in operands {
                    args.extend(self.lanes(func, operand)?);
                }
                let types: Vec<String> = operands.iter().map(|&o| func.value_type(o).to_string()).collect();
                let name = format!("{} {}", intrinsic.name(), types.join(" "));
                let lane = |n: u32| format!("{name} {ty} {n}");
                Ok(Some(vec![(0..ty.lanes()).map(|n| self.cx.arena.opaque(&lane(n), &args, lane_width(ty))).collect()]))
            }
            Intrinsic::FrameAddress
            | Intrinsic::ReturnAddress
            | Intrinsic::DwarfCfa
            | Intrinsic::ThreadPointer
            | Intrinsic::ArgumentRegisters
            | Intrinsic::StaticChain => {
                let mut name = intrinsic.name().to_string();
                for &operand in operands {
                    name.push_str(&format!(" {:?}", func.const_bits(operand)));
                }
                Ok(Some(vec![[self.cx.arena.call(UfKind::Result, &name, &[], 64)].into_iter().collect()]))
            }
            _ => Ok(None),
        }
    }
}

/// The operation whose overflow an opcode tells, and whether of signed numbers.
fn overflow_of(opcode: Opcode) -> Option<(Opcode, bool)> {
    Some(match opcode {
        Opcode::SAddOverflow => (Opcode::Add, true),
        Opcode::UAddOverflow => (Opcode::Add, false),
        Opcode::SSubOverflow => (Opcode::Sub, true),
        Opcode::USubOverflow => (Opcode::Sub, false),
        Opcode::SMulOverflow => (Opcode::Mul, true),
        Opcode::UMulOverflow => (Opcode::Mul, false),
        _ => return None,
    })
}
