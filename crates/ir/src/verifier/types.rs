//! The types that each opcode takes and gives.

use super::Verifier;
use crate::instructions::{Format, Opcode};
use crate::{Inst, SwitchId, Type};

impl Verifier<'_> {
    /// Checks operand and result types.
    pub(super) fn types(&self, inst: Inst) -> Result<(), String> {
        use Opcode::*;
        let func = self.func;
        let data = func.insts[inst];
        let ty = data.ty;
        let operand = |index: usize| func.value_type(func.operand(inst, index));
        let int_like = |t: Type| t.lane().is_int();
        match data.opcode {
            Alloca | StackSave | TlsAddr | BlockAddr => demand(ty.is_ptr(), "gives ptr"),
            Keep => demand(!operand(0).is_void(), "takes a value"),
            DynAlloca => demand(ty.is_ptr() && operand(0) == Type::I64, "takes an i64 and gives ptr"),
            StackRestore | LifetimeStart | LifetimeEnd | Prefetch | VaStart | IndirectBr => {
                demand(operand(0).is_ptr(), "takes a ptr")
            }
            Load | AtomicLoad => {
                demand(operand(0).is_ptr() && !ty.is_void() && ty != Type::I1, "loads a memory type from a ptr")
            }
            Store | AtomicStore => {
                demand(operand(0).is_ptr() && operand(1) != Type::I1, "stores a memory type to a ptr")
            }
            MemCpy | MemMove => {
                demand(operand(0).is_ptr() && operand(1).is_ptr() && operand(2) == Type::I64, "takes ptr, ptr, i64")
            }
            MemSet => {
                demand(operand(0).is_ptr() && operand(1) == Type::I8 && operand(2) == Type::I64, "takes ptr, i8, i64")
            }
            AtomicRmw => demand(operand(0).is_ptr() && operand(1) == ty, "takes ptr and the type it gives"),
            CmpXchg => demand(
                operand(0).is_ptr() && operand(1) == ty && operand(2) == ty,
                "takes ptr and twice the type it gives",
            ),
            PtrAdd => {
                demand(ty.is_ptr() && operand(0).is_ptr() && operand(1) == Type::I64, "takes ptr, i64 and gives ptr")
            }
            Add | Sub | Mul | SMulHi | UMulHi | SDiv | UDiv | SRem | URem | And | Or | Xor | Shl | LShr | AShr
            | Rotl | Rotr | SMin | SMax | UMin | UMax | SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow
            | SMulOverflow | UMulOverflow => {
                demand(int_like(ty) && operand(0) == ty && operand(1) == ty, "takes and gives one integer type")
            }
            Ctlz | Cttz | Popcount | Bswap => {
                demand(int_like(ty) && operand(0) == ty, "takes and gives one integer type")
            }
            FAdd | FSub | FMul | FDiv | FMin | FMax | CopySign => demand(
                ty.lane().is_float() && operand(0) == ty && operand(1) == ty,
                "takes and gives one floating type",
            ),
            FNeg | FAbs | Sqrt => demand(ty.lane().is_float() && operand(0) == ty, "takes and gives one floating type"),
            Fma => {
                demand(ty.lane().is_float() && (0..3).all(|i| operand(i) == ty), "takes and gives one floating type")
            }
            ICmp => demand(
                compares(operand(0), operand(1), ty) && (int_like(operand(0)) || operand(0).lane().is_ptr()),
                "compares one integer or pointer type",
            ),
            FCmp => demand(
                compares(operand(0), operand(1), ty) && operand(0).lane().is_float(),
                "compares one floating type",
            ),
            Trunc | ZExt | SExt | FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp | PtrToInt | IntToPtr
            | Bitcast => conversion_types(data.opcode, operand(0), ty),
            Select => {
                let of_lanes = ty.is_vector() && operand(0) == compare_type(ty);
                demand(
                    (operand(0) == Type::I1 || of_lanes) && operand(1) == ty && operand(2) == ty,
                    "picks one of two values of its type",
                )
            }
            Undef => demand(!ty.is_void(), "has a type"),
            Phi => demand((0..data.b as usize).all(|i| operand(i) == ty) && data.b > 0, "merges values of its type"),
            ExtractLane => demand(operand(0).is_vector() && ty == operand(0).lane(), "gives a lane"),
            InsertLane => demand(ty.is_vector() && operand(0) == ty && operand(1) == ty.lane(), "replaces a lane"),
            Splat => demand(ty.is_vector() && operand(0) == ty.lane(), "repeats a lane"),
            Shuffle => self.shuffle_types(inst),
            Call => self.call_types(inst),
            CondBr => demand(operand(0) == Type::I1, "branches on i1"),
            Switch => self.switch_cases(inst),
            Ret => self.return_types(inst),
            Fence | Intrinsic | Asm | AsmBr | Br | Unreachable => Ok(()),
        }?;
        if data.opcode.format() != Format::Nullary
            && data.ty.is_void()
            && func.result(inst).is_some()
            && data.opcode != Asm
        {
            return Err("has a result of type void".into());
        }
        Ok(())
    }

    fn shuffle_types(&self, inst: Inst) -> Result<(), String> {
        let data = self.func.insts[inst];
        let [first, second] = [0, 1].map(|index| self.func.value_type(self.func.operand(inst, index)));
        let mask = self.func.shuffle_masks.get(data.c as usize).ok_or("unknown mask")?;
        let in_range = mask.iter().all(|&m| m == u32::MAX || m < first.lanes() * 2);
        let fits = mask.len() as u32 == data.ty.lanes() && data.ty.lane() == first.lane();
        demand(in_range && fits && first == second, "picks lanes")
    }

    fn switch_cases(&self, inst: Inst) -> Result<(), String> {
        let switch = &self.func.switches[SwitchId::from_u32(self.func.insts[inst].c)];
        let ty = self.func.value_type(self.func.operand(inst, 0));
        let in_range = switch.cases.iter().all(|c| c.0 as u128 <= ty.mask());
        let ascending = switch.cases.is_sorted_by(|a, b| a.0 < b.0);
        demand(ty.is_int() && in_range && ascending, "cases ascend without duplicates")
    }

    fn return_types(&self, inst: Inst) -> Result<(), String> {
        let returns = &self.module.signatures[self.func.sig].returns;
        let values = self.func.list(inst).iter().map(|&v| self.func.value_type(v));
        demand(values.eq(returns.iter().copied()), "returns what the signature says")
    }

    fn call_types(&self, inst: Inst) -> Result<(), String> {
        let func = self.func;
        let list = func.list(inst);
        let sig = &self.module.signatures[func.call_info(inst).sig];
        if !func.value_type(list[0]).is_ptr() {
            return Err("the callee is a ptr".into());
        }
        if list.len() - 1 != sig.params.len() {
            return Err(format!("{} arguments for {} parameters", list.len() - 1, sig.params.len()));
        }
        for (index, (param, &arg)) in sig.params.iter().zip(&list[1..]).enumerate() {
            if param.ty != func.value_type(arg) {
                return Err(format!("argument {index} is {}, parameter is {}", func.value_type(arg), param.ty));
            }
        }
        let results: Vec<Type> = func.results(inst).map(|r| func.value_type(r)).collect();
        if results[..] != sig.returns[..] {
            return Err("results differ from the signature's".into());
        }
        Ok(())
    }
}

fn demand(ok: bool, what: &str) -> Result<(), String> {
    if ok { Ok(()) } else { Err(what.to_string()) }
}

fn same_int_lanes(a: Type, b: Type) -> bool {
    a.lane().is_int() && b.lane().is_int() && same_lanes(a, b)
}

fn same_lanes(a: Type, b: Type) -> bool {
    a.lanes() == b.lanes()
}

/// Whether `result` is what comparing values of the types `a` and `b` gives.
fn compares(a: Type, b: Type, result: Type) -> bool {
    a == b && result == compare_type(a)
}

/// The result type of comparing two values of type `ty`.
fn compare_type(ty: Type) -> Type {
    if !ty.is_vector() {
        return Type::I1;
    }
    Type::int(ty.lane_bits()).map_or(Type::VOID, |lane| lane.vector(ty.lanes()))
}

/// Whether a conversion takes and gives what it should.
fn conversion_types(opcode: Opcode, from: Type, ty: Type) -> Result<(), String> {
    use Opcode::*;
    match opcode {
        Trunc => demand(same_int_lanes(ty, from) && ty.lane_bits() < from.lane_bits(), "narrows"),
        ZExt | SExt => demand(same_int_lanes(ty, from) && ty.lane_bits() > from.lane_bits(), "widens"),
        FpTrunc => demand(ty.lane().is_float() && from.lane().is_float() && ty.lane() < from.lane(), "narrows a float"),
        FpExt => demand(ty.lane().is_float() && from.lane().is_float() && ty.lane() > from.lane(), "widens a float"),
        FpToSi | FpToUi => {
            demand(ty.lane().is_int() && from.lane().is_float() && same_lanes(ty, from), "float to integer")
        }
        SiToFp | UiToFp => {
            demand(ty.lane().is_float() && from.lane().is_int() && same_lanes(ty, from), "integer to float")
        }
        PtrToInt => demand(ty == Type::I64 && from.is_ptr(), "ptr to i64"),
        IntToPtr => demand(ty.is_ptr() && from == Type::I64, "i64 to ptr"),
        Bitcast => demand(ty.bits() == from.bits(), "keeps the size"),
        _ => Ok(()),
    }
}
