//! Checks what every pass must keep true, and says what is wrong where.
//!
//! Structure: blocks end in their only terminator, phis come first with one entry per predecessor,
//! the entry has no predecessors. SSA: every use is dominated by its definition (in the block
//! before it, or along the edge for phis). Types: as each opcode demands. Side tables: indices in
//! range, switch cases ascending without duplicates. Unreachable blocks are reported only in SSA
//! form ([`Strictness::Ssa`]).

mod types;

use cranelift_entity::{EntityRef, SecondaryMap};

use crate::analysis::{Cfg, DominatorTree};
use crate::debug_linear::Extend;
use crate::effects::register_variable;
use crate::instructions::Opcode;
use crate::{Block, Function, Inst, Module, Value, ValueDef};

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
                if verifier.names_register(inst) {
                    verifier.report(block, inst, "a global register variable is no address");
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
    /// Whether an operand is the symbol of a global register variable, but for loads and stores of
    /// all of it.
    fn names_register(&self, inst: Inst) -> bool {
        let is_register = |value: Value| {
            let symbol = self.func.const_symbol(value);
            symbol.is_some_and(|(symbol, _)| self.module.symbols[symbol].register.is_some())
        };
        let accesses = register_variable(self.func, self.module, inst).is_some();
        self.func.operands(inst).enumerate().any(|(index, value)| is_register(value) && (index > 0 || !accesses))
    }

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

    /// Records of variables. Values need not dominate them: where they do not, the variable is
    /// unknown.
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
                if let (Some((value, linear)), Some(fragment)) = (func.known_debug_value(record), record.fragment)
                    && linear.extend == Extend::Any
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
}
