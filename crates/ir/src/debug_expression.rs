//! How a debugger computes values that no instruction computes any more.
//!
//! An instruction that goes, whose result records name, leaves what it did ([`Gone`]), unless the
//! result is a linear function of one operand ([`crate::debug_linear`]). Its operands may go as
//! well. Where a record is turned into a place, [`Function::debug_steps`] composes the steps, down
//! to values that are somewhere. A load counts only where memory is what it was: in front of the
//! instruction that was the next one to write when the load went.

use cranelift_entity::packed_option::PackedOption;
use platform::debug_steps::Step;
use smallvec::SmallVec;

use crate::debug_linear::{Extend, Linear};
use crate::instructions::{InstData, IntCc, Traits, flags};
use crate::{Function, Inst, Opcode, SymbolId, Type, Value};

/// Values that one expression may go through.
const MAX_VALUES: u32 = 24;
/// Instructions that are looked at for the next one that writes memory.
const MAX_WALK: usize = 64;

const AND: u8 = 0x1a;
const DIV: u8 = 0x1b;
const MINUS: u8 = 0x1c;
const MUL: u8 = 0x1e;
const OR: u8 = 0x21;
const PLUS: u8 = 0x22;
const SHL: u8 = 0x24;
const SHR: u8 = 0x25;
const SHRA: u8 = 0x26;
const XOR: u8 = 0x27;
const EQ: u8 = 0x29;
const GE: u8 = 0x2a;
const GT: u8 = 0x2b;
const LE: u8 = 0x2c;
const LT: u8 = 0x2d;
const NE: u8 = 0x2e;
const DUP: u8 = 0x12;
const DROP: u8 = 0x13;
const OVER: u8 = 0x14;
const SWAP: u8 = 0x16;
const ROT: u8 = 0x17;

/// What an instruction computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Gone {
    data: InstData,
    operands: SmallVec<[Value; 2]>,
    /// For a load: the next instruction that wrote memory, or the last one of the block.
    until: PackedOption<Inst>,
    /// For a load: the symbol whose memory it reads, if that is known.
    of: PackedOption<SymbolId>,
}

impl Gone {
    /// What it was computed from.
    pub(crate) fn operands(&self) -> &[Value] {
        &self.operands
    }
}

/// What `steps` need.
#[derive(Default)]
pub struct DebugSteps {
    /// In order.
    pub steps: Vec<Step<Value>>,
    /// For each load, the symbol whose memory it reads, if that is known.
    pub reads: Vec<Option<SymbolId>>,
}

struct Composer<'a, F> {
    func: &'a Function,
    at: Inst,
    is_placed: F,
    out: DebugSteps,
    values: u32,
}

impl Function {
    /// What is needed to compute an instruction's result in a debugger, if that is possible.
    pub(crate) fn gone(&self, inst: Inst) -> Option<Gone> {
        use Opcode::*;
        let data = self.insts[inst];
        let known = match data.opcode {
            Add | PtrAdd | Sub | Mul | And | Or | Xor | Shl | LShr | AShr | SDiv | UDiv | SRem | URem => true,
            ICmp | Select | SMin | SMax | UMin | UMax | Rotl | Rotr | Bswap => true,
            Trunc | ZExt | SExt | Bitcast | PtrToInt | IntToPtr => true,
            Ctlz | Cttz => data.flags & flags::ZERO_UNDEF != 0,
            Load => !data.is_volatile(),
            _ => false,
        };
        let narrow = |ty: Type| !ty.is_vector() && ty.store_size() <= 8 && ty.store_size().is_power_of_two();
        let operands: SmallVec<[Value; 2]> = self.operands(inst).collect();
        let fits = known && narrow(data.ty) && operands.iter().all(|&value| narrow(self.value_type(value)));
        let load = fits && data.opcode == Load;
        let of = if load { self.symbol_around(operands[0]) } else { None };
        let until = if load { self.next_inst(inst).and_then(|next| self.next_write(next, of)) } else { None };
        fits.then_some(Gone { data, operands, until: until.into(), of: of.into() })
    }

    /// The next instruction from one on that may write memory, of a symbol if it is known of which.
    fn next_write(&self, from: Inst, of: Option<SymbolId>) -> Option<Inst> {
        let mut all = std::iter::successors(Some(from), |&inst| self.next_inst(inst)).take(MAX_WALK);
        all.find(|&inst| self.may_write(inst, of))
    }

    /// The symbol in whose memory an address lies, if that is known.
    fn symbol_around(&self, mut address: Value) -> Option<SymbolId> {
        for _ in 0..MAX_VALUES {
            if let Some((symbol, _)) = self.const_symbol(address) {
                return Some(symbol);
            }
            let inst = self.def_inst(address).filter(|&inst| self.insts[inst].opcode == Opcode::PtrAdd)?;
            address = self.operand(inst, 0);
        }
        None
    }

    fn may_write(&self, inst: Inst, of: Option<SymbolId>) -> bool {
        use Opcode::*;
        let opcode = self.insts[inst].opcode;
        match opcode {
            Asm if self.asm(inst).is_idle() => return false,
            Store if of.is_some() => {
                let written = self.symbol_around(self.operand(inst, 0));
                return written.is_none() || written == of;
            }
            _ => {}
        }
        matches!(opcode, Call | Asm | Intrinsic)
            || opcode.traits().has(Traits::WRITES)
            || self.next_inst(inst).is_none()
    }

    /// The values with definitions of which a value is made, itself if it has one; `None` if it
    /// cannot be computed from any, or one on the way does not stay what it was.
    pub(crate) fn debug_sources(&self, value: Value, stays: impl Fn(Value) -> bool) -> Option<SmallVec<[Value; 4]>> {
        let values = &self.debug.as_ref()?.values;
        let mut found = SmallVec::new();
        let mut work: SmallVec<[Value; 8]> = SmallVec::from_slice(&[value]);
        let mut left = MAX_VALUES;
        while let Some(value) = work.pop() {
            left = left.checked_sub(1).filter(|_| stays(value))?;
            match values.replacement(value) {
                Some((next, _)) => work.push(next),
                None if self.is_defined(value) => found.push(value),
                None => work.extend_from_slice(values.gone(value)?.operands()),
            }
        }
        Some(found)
    }

    /// The steps that give what a record before an instruction names, from values of which
    /// `is_placed` says that they are in a place. That is asked of the record's own value as well.
    pub fn debug_steps(
        &self,
        (value, linear): (Value, Linear),
        at: Inst,
        is_placed: impl FnMut(Value) -> bool,
    ) -> Option<DebugSteps> {
        let mut composer = Composer { func: self, at, is_placed, out: DebugSteps::default(), values: 0 };
        composer.value(value, linear)?;
        Some(composer.out)
    }
}

impl<F: FnMut(Value) -> bool> Composer<'_, F> {
    fn number(&mut self, number: i64) {
        self.out.steps.push(Step::Number(number));
    }

    fn apply(&mut self, codes: &[u8]) {
        self.out.steps.extend(codes.iter().map(|&code| Step::Operation(code)));
    }

    fn with(&mut self, number: i64, code: u8) {
        self.number(number);
        self.apply(&[code]);
    }

    fn jump(&mut self, by: i32, conditional: bool) {
        self.out.steps.push(Step::Jump { by, conditional });
    }

    fn extend(&mut self, extend: Extend) {
        match extend {
            Extend::Zero(bits @ 1..=63) => self.with((1 << bits) - 1, AND),
            Extend::Sign(bits @ 1..=63) => {
                self.with(64 - i64::from(bits), SHL);
                self.with(64 - i64::from(bits), SHRA);
            }
            _ => {}
        }
    }

    fn value(&mut self, value: Value, linear: Linear) -> Option<()> {
        self.values += 1;
        if self.values > MAX_VALUES {
            return None;
        }
        let func = self.func;
        let values = &func.debug.as_ref()?.values;
        let defined = func.is_defined(value);
        if let Some((next, step)) = values.replacement(value) {
            self.value(next, step)?;
        } else if let Some(number) = func.const_i64(value) {
            self.number(number);
        } else if defined && (func.constant(value).is_some() || (self.is_placed)(value)) {
            let bytes = func.value_type(value).store_size();
            self.out.steps.push(Step::Place(value, u8::try_from(bytes).ok().filter(|&bytes| bytes <= 8)?));
        } else if let Some(gone) = values.gone(value) {
            self.computed(gone)?;
        } else {
            let inst = func.def_inst(value).filter(|_| defined)?;
            self.computed(&func.gone(inst)?)?;
        }
        let Linear { extend, scale, offset } = linear;
        self.extend(extend);
        if scale != 1 {
            self.with(scale, MUL);
        }
        if offset != 0 {
            self.with(offset, PLUS);
        }
        Some(())
    }

    fn operand(&mut self, value: Value, extend: impl Fn(u8) -> Extend) -> Option<()> {
        self.value(value, Linear::IDENTITY)?;
        self.extend(extend(self.func.value_type(value).bits() as u8));
        Some(())
    }

    fn pair(&mut self, gone: &Gone, extend: impl Fn(u8) -> Extend) -> Option<()> {
        self.operand(gone.operands[0], &extend)?;
        self.operand(gone.operands[1], extend)
    }

    fn computed(&mut self, gone: &Gone) -> Option<()> {
        use Opcode::*;
        let first = *gone.operands.first()?;
        let bits = self.func.value_type(first).bits() as u8;
        let any = |_| Extend::Any;
        match gone.data.opcode {
            Trunc | Bitcast | PtrToInt | IntToPtr => self.operand(first, any)?,
            ZExt => self.operand(first, Extend::Zero)?,
            SExt => self.operand(first, Extend::Sign)?,
            opcode @ (Add | PtrAdd | Sub | Mul | And | Or | Xor) => {
                self.pair(gone, any)?;
                let code = match opcode {
                    Sub => MINUS,
                    Mul => MUL,
                    And => AND,
                    Or => OR,
                    Xor => XOR,
                    _ => PLUS,
                };
                self.apply(&[code]);
            }
            opcode @ (Shl | LShr | AShr) => {
                let (extend, code): (fn(u8) -> Extend, u8) = match opcode {
                    Shl => (any, SHL),
                    LShr => (Extend::Zero, SHR),
                    _ => (Extend::Sign, SHRA),
                };
                self.operand(first, extend)?;
                self.operand(gone.operands[1], Extend::Zero)?;
                self.apply(&[code]);
            }
            opcode @ (SDiv | SRem | UDiv | URem) => {
                // The debugger's division has signs.
                let signed = matches!(opcode, SDiv | SRem);
                self.pair(gone, if signed { Extend::Sign } else { Extend::Zero })?;
                match opcode {
                    _ if !signed && bits > 32 => return None,
                    SDiv | UDiv => self.apply(&[DIV]),
                    _ => self.apply(&[OVER, OVER, DIV, MUL, MINUS]),
                }
            }
            ICmp => self.compared(gone, gone.data.int_cc(), bits)?,
            Select => {
                self.operand(gone.operands[1], any)?;
                self.operand(gone.operands[2], any)?;
                self.operand(first, Extend::Zero)?;
                self.chosen();
            }
            opcode @ (SMin | SMax | UMin | UMax) => {
                let signed = matches!(opcode, SMin | SMax);
                if !signed && bits > 32 {
                    return None;
                }
                self.pair(gone, if signed { Extend::Sign } else { Extend::Zero })?;
                self.apply(&[OVER, OVER, if matches!(opcode, SMin | UMin) { LT } else { GT }]);
                self.chosen();
            }
            opcode @ (Rotl | Rotr) => self.rotated(gone, opcode == Rotl, bits)?,
            Bswap => {
                self.operand(first, any)?;
                self.number(0);
                for byte in 0..i64::from(bits / 8) {
                    self.with(8, SHL);
                    self.apply(&[OVER]);
                    self.with(8 * byte, SHR);
                    self.with(255, AND);
                    self.apply(&[OR]);
                }
                self.apply(&[SWAP, DROP]);
            }
            opcode @ (Ctlz | Cttz) => self.counted(first, opcode == Ctlz, bits)?,
            Load => {
                let until = gone.until.expand()?;
                let of = gone.of.expand();
                if self.func.next_write(self.at, of) != Some(until) {
                    return None;
                }
                self.operand(first, any)?;
                self.out.reads.push(of);
                self.out.steps.push(Step::Load(gone.data.ty.store_size() as u8));
            }
            _ => return None,
        }
        Some(())
    }

    /// Of two numbers, and whether it is the first.
    fn chosen(&mut self) {
        self.jump(1, true);
        self.apply(&[SWAP, DROP]);
    }

    fn compared(&mut self, gone: &Gone, condition: IntCc, bits: u8) -> Option<()> {
        use IntCc::*;
        let signed = matches!(condition, Slt | Sle | Sgt | Sge);
        let extend = if signed { Extend::Sign } else { Extend::Zero };
        for &operand in &gone.operands {
            self.operand(operand, extend)?;
            // The debugger's comparisons have signs.
            if !signed && bits == 64 {
                self.with(i64::MIN, XOR);
            }
        }
        let code = match condition {
            Eq => EQ,
            Ne => NE,
            Slt | Ult => LT,
            Sle | Ule => LE,
            Sgt | Ugt => GT,
            Sge | Uge => GE,
        };
        self.apply(&[code]);
        Some(())
    }

    fn rotated(&mut self, gone: &Gone, left: bool, bits: u8) -> Option<()> {
        let mask = i64::from(bits) - 1;
        self.operand(gone.operands[0], Extend::Zero)?;
        self.operand(gone.operands[1], |_| Extend::Any)?;
        self.with(mask, AND);
        let (there, back) = if left { (SHL, SHR) } else { (SHR, SHL) };
        self.apply(&[OVER, OVER, there, ROT]);
        self.number(i64::from(bits));
        self.apply(&[SWAP, MINUS]);
        self.with(mask, AND);
        self.apply(&[back, OR]);
        Some(())
    }

    /// Zero bits below or above the ones; some number for zero, so that it ends.
    fn counted(&mut self, value: Value, leading: bool, bits: u8) -> Option<()> {
        self.operand(value, Extend::Zero)?;
        self.apply(&[DUP]);
        self.with(0, EQ);
        self.apply(&[OR]);
        self.number(0);
        self.apply(&[OVER]);
        self.with(if leading { 1i64.wrapping_shl(u32::from(bits) - 1) } else { 1 }, AND);
        self.jump(7, true);
        self.with(1, PLUS);
        self.apply(&[SWAP]);
        self.with(1, if leading { SHL } else { SHR });
        self.apply(&[SWAP]);
        self.jump(-11, false);
        self.apply(&[SWAP, DROP]);
        Some(())
    }
}
