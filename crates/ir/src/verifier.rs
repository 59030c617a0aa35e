//! Checks what every pass must keep true, and says what is wrong where.
//!
//! Structure: blocks end in their only terminator, phis come first with one entry per predecessor, the entry has no
//! predecessors. SSA: every use is dominated by its definition (in the block before it, or along the edge for phis). Types: as
//! each opcode demands. Side tables: indices in range, switch cases ascending without duplicates. Unreachable blocks are
//! reported only in SSA form ([`Strictness::Ssa`]).

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::analysis::{Cfg, DominatorTree};
use crate::instructions::{Format, Opcode};
use crate::{Block, Function, Inst, Module, SwitchId, Type, Value, ValueDef};

/// How much is demanded.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// As lowering gives it: unreachable blocks are allowed.
    Alloca,
    /// As passes leave it: every block is reachable.
    Ssa,
}

/// Checks a function.
///
/// # Errors
/// One line per violation, each naming the block and instruction.
pub fn verify_function(module: &Module, func: &Function, strictness: Strictness) -> Result<(), Vec<String>> {
    let mut verifier = Verifier { module, func, errors: Vec::new() };
    verifier.structure();
    if verifier.errors.is_empty() {
        let cfg = Cfg::compute(func);
        let dominators = DominatorTree::compute(func, &cfg);
        verifier.flow(&cfg, strictness);
        verifier.dominance(&cfg, &dominators);
        verifier.debug_values();
        for block in func.blocks() {
            for inst in func.block_insts(block) {
                if let Err(message) = verifier.types(inst) {
                    verifier.report(block, inst, message);
                }
            }
        }
    }
    if verifier.errors.is_empty() { Ok(()) } else { Err(verifier.errors) }
}

struct Verifier<'a> {
    module: &'a Module,
    func: &'a Function,
    errors: Vec<String>,
}

impl Verifier<'_> {
    fn report(&mut self, block: Block, inst: Inst, message: impl Into<String>) {
        let opcode = self.func.insts[inst].opcode.name();
        self.errors.push(format!("{block}: {inst} ({opcode}): {}", message.into()));
    }

    fn structure(&mut self) {
        let func = self.func;
        if func.blocks().next().is_none() {
            self.errors.push("function has no block".into());
            return;
        }
        for block in func.blocks() {
            let Some(last) = func.last_inst(block) else {
                self.errors.push(format!("{block}: empty block"));
                continue;
            };
            let mut phis_over = false;
            for inst in func.block_insts(block) {
                let opcode = func.insts[inst].opcode;
                if opcode.is_terminator() != (inst == last) {
                    self.report(block, inst, "terminators stand at the end of a block, and only there");
                }
                if opcode == Opcode::Phi && phis_over {
                    self.report(block, inst, "phi after another instruction");
                }
                phis_over |= opcode != Opcode::Phi;
                if func.inst_block(inst) != Some(block) {
                    self.report(block, inst, "instruction does not know its block");
                }
            }
            let mut outside = None;
            if func.insts[last].opcode.is_terminator() {
                func.for_each_target(last, |target| {
                    if !func.block_in_layout(target) {
                        outside = Some(target);
                    }
                });
            }
            if let Some(target) = outside {
                self.report(block, last, format!("branches to {target}, which is not in the layout"));
            }
        }
    }

    /// Records of variables. Values need not dominate them: where they do not, the variable is unknown.
    fn debug_values(&mut self) {
        let func = self.func;
        let Some(debug) = &func.debug else { return };
        for inst in debug.values.positions() {
            let Some(block) = func.inst_block(inst) else {
                self.errors.push(format!("{inst}: a debug record in front of an instruction that is in no block"));
                continue;
            };
            for record in func.debug_values(inst) {
                if record.variable as usize >= debug.variables.len() {
                    self.report(
                        block,
                        inst,
                        format!("debug record of variable {}, which is not there", record.variable),
                    );
                }
                let too_small = |value: Value, size: u32| func.value_type(value).store_size() < size;
                if let (Some(value), Some(fragment)) = (func.known_debug_value(record), record.fragment)
                    && too_small(value, fragment.size)
                {
                    self.report(block, inst, format!("{value} has fewer than the {} bytes recorded", fragment.size));
                }
            }
        }
    }

    fn flow(&mut self, cfg: &Cfg, strictness: Strictness) {
        let func = self.func;
        let entry = func.entry();
        if !cfg.preds(entry).is_empty() {
            self.errors.push(format!("{entry}: the entry block has predecessors"));
        }
        for block in func.blocks() {
            if strictness == Strictness::Ssa && !cfg.is_reachable(block) {
                self.errors.push(format!("{block}: unreachable block"));
            }
            for phi in func.phis(block) {
                let mut entries: Vec<Block> = func.phi_entries(phi).map(|(_, b)| b).collect();
                entries.sort();
                if entries != cfg.preds(block) {
                    self.report(
                        block,
                        phi,
                        format!("entries for {entries:?}, predecessors are {:?}", cfg.preds(block)),
                    );
                }
            }
        }
    }

    fn dominance(&mut self, cfg: &Cfg, dominators: &DominatorTree) {
        let func = self.func;
        let mut position: SecondaryMap<Inst, u32> = SecondaryMap::new();
        for block in func.blocks() {
            for (index, inst) in func.block_insts(block).enumerate() {
                position[inst] = index as u32 + 1;
            }
        }
        let available = |value: Value, block: Block, before: u32| match func.value_def(value) {
            ValueDef::Result(def, _) => match func.inst_block(def) {
                Some(home) if home == block => position[def] < before,
                Some(home) => dominators.dominates(home, block),
                None => false,
            },
            _ => true,
        };
        for block in func.blocks().filter(|&b| cfg.is_reachable(b)) {
            for inst in func.block_insts(block) {
                let is_phi = func.insts[inst].opcode == Opcode::Phi;
                for (index, value) in func.operands(inst).enumerate() {
                    if value.index() >= func.num_values() {
                        self.report(block, inst, format!("operand {index} is no value"));
                        continue;
                    }
                    let ok = if is_phi {
                        let pred = func.phi_block(inst, index);
                        !cfg.is_reachable(pred) || available(value, pred, u32::MAX)
                    } else {
                        available(value, block, position[inst])
                    };
                    if !ok {
                        self.report(
                            block,
                            inst,
                            format!("operand {index} ({value}) is not defined on every path to here"),
                        );
                    }
                }
            }
        }
    }

    /// Checks operand and result types.
    fn types(&self, inst: Inst) -> Result<(), String> {
        use Opcode::*;
        let func = self.func;
        let data = func.insts[inst];
        let ty = data.ty;
        let operand = |index: usize| func.value_type(func.operand(inst, index));
        let demand = |ok: bool, what: &str| if ok { Ok(()) } else { Err(what.to_string()) };
        let int_like = |t: Type| t.lane().is_int();
        match data.opcode {
            Alloca | StackSave | TlsAddr | BlockAddr => demand(ty.is_ptr(), "gives ptr"),
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
            ICmp => {
                let t = operand(0);
                demand(
                    t == operand(1) && (int_like(t) || t.lane().is_ptr()) && ty == compare_type(t),
                    "compares one integer or pointer type",
                )
            }
            FCmp => {
                let t = operand(0);
                demand(t == operand(1) && t.lane().is_float() && ty == compare_type(t), "compares one floating type")
            }
            Trunc => demand(
                int_like(ty)
                    && int_like(operand(0))
                    && same_lanes(ty, operand(0))
                    && ty.lane_bits() < operand(0).lane_bits(),
                "narrows",
            ),
            ZExt | SExt => demand(
                int_like(ty)
                    && int_like(operand(0))
                    && same_lanes(ty, operand(0))
                    && ty.lane_bits() > operand(0).lane_bits(),
                "widens",
            ),
            FpTrunc => demand(
                ty.lane().is_float() && operand(0).lane().is_float() && ty.lane() < operand(0).lane(),
                "narrows a float",
            ),
            FpExt => demand(
                ty.lane().is_float() && operand(0).lane().is_float() && ty.lane() > operand(0).lane(),
                "widens a float",
            ),
            FpToSi | FpToUi => {
                demand(int_like(ty) && operand(0).lane().is_float() && same_lanes(ty, operand(0)), "float to integer")
            }
            SiToFp | UiToFp => {
                demand(ty.lane().is_float() && int_like(operand(0)) && same_lanes(ty, operand(0)), "integer to float")
            }
            PtrToInt => demand(ty == Type::I64 && operand(0).is_ptr(), "ptr to i64"),
            IntToPtr => demand(ty.is_ptr() && operand(0) == Type::I64, "i64 to ptr"),
            Bitcast => demand(ty.bits() == operand(0).bits(), "keeps the size"),
            Select => {
                let cond = operand(0);
                let cond_ok = cond == Type::I1 || (ty.is_vector() && cond == compare_type(ty));
                demand(cond_ok && operand(1) == ty && operand(2) == ty, "picks one of two values of its type")
            }
            Undef => demand(!ty.is_void(), "has a type"),
            Phi => demand((0..data.b as usize).all(|i| operand(i) == ty) && data.b > 0, "merges values of its type"),
            ExtractLane => demand(operand(0).is_vector() && ty == operand(0).lane(), "gives a lane"),
            InsertLane => demand(ty.is_vector() && operand(0) == ty && operand(1) == ty.lane(), "replaces a lane"),
            Splat => demand(ty.is_vector() && operand(0) == ty.lane(), "repeats a lane"),
            Shuffle => {
                let mask = func.shuffle_masks.get(data.c as usize).ok_or("unknown mask")?;
                let lanes = operand(0).lanes() * 2;
                let in_range = mask.iter().all(|&m| m == u32::MAX || m < lanes);
                demand(
                    in_range
                        && mask.len() as u32 == ty.lanes()
                        && operand(0) == operand(1)
                        && ty.lane() == operand(0).lane(),
                    "picks lanes",
                )
            }
            Call => self.call_types(inst),
            CondBr => demand(operand(0) == Type::I1, "branches on i1"),
            Switch => {
                let switch = &func.switches[SwitchId::from_u32(data.c)];
                let mask = operand(0).mask();
                let in_range = switch.cases.iter().all(|c| c.0 as u128 <= mask);
                demand(
                    operand(0).is_int() && in_range && switch.cases.is_sorted_by(|a, b| a.0 < b.0),
                    "cases ascend without duplicates",
                )
            }
            Ret => {
                let returns = &self.module.signatures[func.sig].returns;
                let values = func.list(inst);
                let matches =
                    returns.len() == values.len() && returns.iter().zip(values).all(|(&t, &v)| t == func.value_type(v));
                demand(matches, "returns what the signature says")
            }
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

fn same_lanes(a: Type, b: Type) -> bool {
    a.lanes() == b.lanes()
}

/// The result type of comparing two values of type `ty`.
fn compare_type(ty: Type) -> Type {
    if !ty.is_vector() {
        return Type::I1;
    }
    Type::int(ty.lane_bits()).map_or(Type::VOID, |lane| lane.vector(ty.lanes()))
}
