//! Gives every load its reaching definition: one walk over the dominator tree with the current
//! value of each variable and an undo log.

use cranelift_entity::SecondaryMap;
use cranelift_entity::packed_option::PackedOption;
use ir::analysis::{Cfg, DominatorTree};
use ir::{Block, Builder, Function, Inst, Opcode, Position, Type, Value, side_table};
use rustc_hash::FxHashMap;

use super::accesses::AllocaAccesses;
use super::{convert_before, debug, replace_load};
use crate::statistics::Statistics;

/// What an access in the walk does, and to which variable.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Role {
    None,
    Load(u32),
    Store(u32),
    Start(u32),
    End,
}

struct Renamer<'a> {
    variables: &'a [AllocaAccesses],
    roles: SecondaryMap<Inst, PackedRole>,
    phi_variable: SecondaryMap<Inst, PackedVariable>,
    current: Vec<PackedOption<Value>>,
    undo: Vec<(u32, PackedOption<Value>)>,
    /// Accesses that the walk has removed.
    removed: usize,
}

/// Role and variable in one word: kind in the low three bits.
#[derive(Copy, Clone, Default)]
struct PackedRole(u32);

impl PackedRole {
    fn new(role: Role) -> PackedRole {
        PackedRole(match role {
            Role::None => 0,
            Role::Load(v) => v << 3 | 1,
            Role::Store(v) => v << 3 | 2,
            Role::Start(v) => v << 3 | 3,
            Role::End => 4,
        })
    }

    fn role(self) -> Role {
        match self.0 & 7 {
            1 => Role::Load(self.0 >> 3),
            2 => Role::Store(self.0 >> 3),
            3 => Role::Start(self.0 >> 3),
            4 => Role::End,
            _ => Role::None,
        }
    }
}

/// Variable number plus one; 0 for phis that are not ours.
#[derive(Copy, Clone, Default)]
struct PackedVariable(u32);

/// Inserts the phis, renames, and removes the accesses and allocas. Returns the phis.
pub fn rename(
    func: &mut Function,
    cfg: &Cfg,
    dominators: &DominatorTree,
    statistics: &mut Statistics,
    variables: &[AllocaAccesses],
    placed: &[Vec<Block>],
) -> Vec<Inst> {
    if variables.is_empty() {
        return Vec::new();
    }
    let mut renamer = Renamer {
        variables,
        roles: side_table(func.num_insts()),
        phi_variable: side_table(func.num_insts()),
        current: vec![None.into(); variables.len()],
        undo: Vec::new(),
        removed: 0,
    };
    let phis = renamer.insert_phis(func, placed);
    renamer.assign_roles(func);
    renamer.record(func, &phis);
    renamer.walk(func, cfg, dominators);
    let count = |list: fn(&AllocaAccesses) -> &[Inst]| variables.iter().map(|v| list(v).len()).sum::<usize>();
    let (loads, stores) = (count(|v| &v.loads), count(|v| &v.stores));
    statistics.add("loads eliminated", loads as u64);
    statistics.add("stores eliminated", stores as u64);
    if renamer.removed < loads + stores + count(|v| &v.markers) {
        remove_unreachable(func, variables);
    }
    variables.iter().for_each(|accesses| func.remove_inst(accesses.alloca));
    phis
}

/// Accesses in blocks that the walk does not reach.
fn remove_unreachable(func: &mut Function, variables: &[AllocaAccesses]) {
    for accesses in variables {
        for &inst in accesses.loads.iter().chain(&accesses.stores).chain(&accesses.markers) {
            if func.inst_block(inst).is_some() {
                replace_unreachable_load(func, inst);
                func.remove_inst(inst);
            }
        }
    }
}

/// Loads in unreachable blocks, which the walk does not see, read undef.
fn replace_unreachable_load(func: &mut Function, inst: Inst) {
    if func.insts[inst].opcode == Opcode::Load && func.has_uses(func.first_result(inst)) {
        let ty = func.insts[inst].ty;
        let undef = Builder::before(func, inst).undef(ty);
        func.replace_all_uses(func.first_result(inst), undef);
    }
}

impl Renamer<'_> {
    fn insert_phis(&mut self, func: &mut Function, placed: &[Vec<Block>]) -> Vec<Inst> {
        let mut phis = Vec::new();
        for (variable, blocks) in placed.iter().enumerate() {
            for &block in blocks {
                let first = func.first_inst(block).expect("block is complete");
                let phi = Builder::new(func, Position::Before(first)).phi(self.variables[variable].ty, &[]);
                self.phi_variable[phi] = PackedVariable(variable as u32 + 1);
                phis.push(phi);
            }
        }
        phis
    }

    /// Records for `-g`, while the stores are there.
    fn record(&self, func: &mut Function, phis: &[Inst]) {
        if self.variables.iter().all(|v| v.described.is_empty()) {
            return;
        }
        let mut phi_of: FxHashMap<(u32, Block), Value> = FxHashMap::default();
        for &phi in phis {
            let PackedVariable(number) = self.phi_variable[phi];
            phi_of.insert((number, func.inst_block(phi).expect("placed")), func.first_result(phi));
        }
        for (index, accesses) in self.variables.iter().enumerate() {
            debug::record_accesses(func, accesses);
            debug::record_merges(func, accesses, |block| phi_of.get(&(index as u32 + 1, block)).copied());
        }
    }

    fn assign_roles(&mut self, func: &Function) {
        for (index, accesses) in self.variables.iter().enumerate() {
            let variable = index as u32;
            accesses.loads.iter().for_each(|&i| self.roles[i] = PackedRole::new(Role::Load(variable)));
            accesses.stores.iter().for_each(|&i| self.roles[i] = PackedRole::new(Role::Store(variable)));
            for &marker in &accesses.markers {
                let starts = func.insts[marker].opcode == Opcode::LifetimeStart;
                self.roles[marker] = PackedRole::new(if starts { Role::Start(variable) } else { Role::End });
            }
        }
    }

    fn walk(&mut self, func: &mut Function, cfg: &Cfg, dominators: &DominatorTree) {
        enum Step {
            Enter(Block),
            Undo(usize),
        }
        let mut work = vec![Step::Enter(func.entry())];
        while let Some(step) = work.pop() {
            match step {
                Step::Undo(mark) => {
                    while self.undo.len() > mark {
                        let (variable, value) = self.undo.pop().expect("not empty");
                        self.current[variable as usize] = value;
                    }
                }
                Step::Enter(block) => {
                    work.push(Step::Undo(self.undo.len()));
                    self.rename_block(func, block);
                    for &succ in cfg.succs(block) {
                        self.fill_phis(func, block, succ);
                    }
                    work.extend(dominators.children(block).map(Step::Enter));
                }
            }
        }
    }

    fn rename_block(&mut self, func: &mut Function, block: Block) {
        let mut next = func.first_inst(block);
        while let Some(inst) = next {
            next = func.next_inst(inst);
            let PackedVariable(number) = self.phi_variable[inst];
            if number != 0 {
                self.define(number - 1, Some(func.first_result(inst)));
                continue;
            }
            match self.roles[inst].role() {
                Role::None => continue,
                Role::Load(variable) => {
                    let value = self.value(func, variable, inst, func.insts[inst].ty);
                    replace_load(func, inst, value);
                }
                Role::Store(variable) => {
                    let value = func.operand(inst, 1);
                    let value = convert_before(func, inst, value, self.variables[variable as usize].ty);
                    self.define(variable, Some(value));
                }
                Role::Start(variable) => self.define(variable, None),
                Role::End => {}
            }
            func.remove_inst(inst);
            self.removed += 1;
        }
    }

    /// The current value, or a fresh undef of type `ty` before `inst`.
    fn value(&self, func: &mut Function, variable: u32, inst: Inst, ty: Type) -> Value {
        match self.current[variable as usize].expand() {
            Some(value) => value,
            None => Builder::before(func, inst).undef(ty),
        }
    }

    fn define(&mut self, variable: u32, value: Option<Value>) {
        self.undo.push((variable, self.current[variable as usize]));
        self.current[variable as usize] = value.into();
    }

    fn fill_phis(&mut self, func: &mut Function, block: Block, succ: Block) {
        let mut next = func.first_inst(succ);
        while let Some(phi) = next {
            next = func.next_inst(phi);
            if func.insts[phi].opcode != Opcode::Phi {
                break;
            }
            let PackedVariable(number) = self.phi_variable[phi];
            if number != 0 {
                let terminator = func.terminator(block);
                let value = self.value(func, number - 1, terminator, func.insts[phi].ty);
                func.phi_push(phi, value, block);
            }
        }
    }
}
