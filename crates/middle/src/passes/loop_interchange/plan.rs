//! What runs where: the nest in three parts. The part before the inner loop and the part after it
//! become loops of their own if they do more than to load and store what the inner loop carries;
//! what remains is a nest with nothing between its loops.

use ir::analysis::LoopTree;
use ir::analysis::sums::Linear;
use ir::{Function, Inst, Opcode, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::nest::{INNER, MEMORY, Nest, OUTER};

/// Accesses of a nest.
const MAX_ACCESSES: usize = 24;

/// Why an access is in the inner loop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// It was there.
    Own,
    /// It is the home of what the inner loop carries.
    Home,
    /// It was before the inner loop.
    Sunk,
}

/// A load or a store.
pub struct Access {
    /// The instruction.
    pub inst: Inst,
    /// Its address in the first iteration of the inner loop.
    pub address: Linear,
    /// What a iteration of the inner loop adds.
    pub inner_step: i64,
    /// Bytes.
    pub size: i64,
    /// Whether it is a store.
    pub writes: bool,
    /// Why it is where it is.
    pub role: Role,
}

/// A nest and what becomes of its parts.
pub struct Plan {
    /// The nest.
    pub nest: Nest,
    /// Accesses of the loop before, in order; none if there is no such loop.
    pub before: Vec<Access>,
    /// Accesses of the nest, in order but for the homes, which come last.
    pub inside: Vec<Access>,
    /// Accesses of the loop after, in order; none if there is no such loop.
    pub behind: Vec<Access>,
    /// Whether there is a loop before.
    pub has_before: bool,
    /// Whether there is a loop after.
    pub has_behind: bool,
    /// Instructions before the inner loop that it needs.
    pub needed: FxHashSet<Inst>,
    /// Those of them whose results are loaded from where they were stored.
    pub reloaded: FxHashMap<Inst, Inst>,
}

impl Plan {
    /// Divides the nest. `None` if a value would have to go from part to part that has no place in
    /// memory.
    pub fn of(func: &Function, loops: &LoopTree, nest: Nest) -> Option<Plan> {
        let accesses = |insts: &[Inst]| insts.iter().copied().filter(|&i| is_access(func, i)).collect::<Vec<_>>();
        let loaded = |inst: &Inst| nest.carried.iter().any(|c| c.loaded == Some(*inst));
        let is_store = |inst: &Inst| func.insts[*inst].opcode == Opcode::Store;
        let has_before = nest.before.iter().any(is_store) || nest.carried.iter().any(|c| c.loaded.is_none());
        let kept_in_place =
            |inst: &Inst| nest.carried.iter().any(|c| c.home == *inst && c.next == func.operand(*inst, 1));
        let has_behind = !accesses(&nest.behind).iter().all(kept_in_place)
            || nest.carried.iter().any(|c| func.operand(c.home, 1) != c.next);
        let (needed, reloaded) = needed(func, &nest);
        let access = |inst: Inst, role: Role| Access::of(func, loops, &nest, inst, role);
        let mut before = Vec::new();
        let mut inside = Vec::new();
        for inst in accesses(&nest.before) {
            if loaded(&inst) {
                continue;
            }
            if has_before {
                before.push(access(inst, Role::Own)?);
            }
            if needed.contains(&inst) && !reloaded.contains_key(&inst) && !is_store(&inst) {
                inside.push(access(inst, Role::Sunk)?);
            }
        }
        for &store in reloaded.values() {
            inside.push(Access { writes: false, ..access(store, Role::Sunk)? });
        }
        inside.extend(accesses(&nest.inside).into_iter().map(|i| access(i, Role::Own)).collect::<Option<Vec<_>>>()?);
        inside.extend(nest.carried.iter().map(|c| access(c.home, Role::Home)).collect::<Option<Vec<_>>>()?);
        let behind = if has_behind { accesses(&nest.behind) } else { Vec::new() };
        let behind = behind.into_iter().map(|i| access(i, Role::Own)).collect::<Option<Vec<_>>>()?;
        let few = before.len() + inside.len() + behind.len() <= MAX_ACCESSES;
        let plan = Plan { nest, before, inside, behind, has_before, has_behind, needed, reloaded };
        (few && plan.values_have_places(func)).then_some(plan)
    }

    /// Whether the parts hand on only what each can compute again, or what is in memory.
    fn values_have_places(&self, func: &Function) -> bool {
        let nest = &self.nest;
        let known = |value: Value| nest.depends(value) & MEMORY == 0;
        let is_last = |value: Value| nest.carried.iter().any(|c| c.next == value);
        let from_before = |value: Value| func.def_inst(value).is_some_and(|i| nest.before.contains(&i));
        nest.behind
            .iter()
            .flat_map(|&i| func.operands(i))
            .all(|value| known(value) || is_last(value) || !from_before(value))
    }
}

impl Access {
    fn of(func: &Function, loops: &LoopTree, nest: &Nest, inst: Inst, role: Role) -> Option<Access> {
        let value = func.operand(inst, 0);
        if nest.depends(value) & MEMORY != 0 {
            return None;
        }
        let (address, inner_step) = nest.address(func, loops, value)?;
        let writes = func.insts[inst].opcode == Opcode::Store;
        let data = if writes { func.operand(inst, 1) } else { func.first_result(inst) };
        Some(Access { inst, address, inner_step, size: func.value_type(data).store_size() as i64, writes, role })
    }
}

fn is_access(func: &Function, inst: Inst) -> bool {
    matches!(func.insts[inst].opcode, Opcode::Load | Opcode::Store)
}

/// What the inner loop needs of the instructions before it, and which of them left their results in
/// memory.
fn needed(func: &Function, nest: &Nest) -> (FxHashSet<Inst>, FxHashMap<Inst, Inst>) {
    let mut needed: FxHashSet<Inst> = FxHashSet::default();
    let mut reloaded = FxHashMap::default();
    let inside: FxHashSet<Inst> = nest.inside.iter().copied().collect();
    for &inst in nest.before.iter().rev() {
        let Some(value) = func.result(inst) else { continue };
        let reloads = |user: Inst| inside.contains(&user) || (needed.contains(&user) && !reloaded.contains_key(&user));
        if !func.uses(value).any(|(user, _)| reloads(user)) {
            continue;
        }
        needed.insert(inst);
        let stored = func.uses(value).map(|u| u.0).find(|&user| {
            func.insts[user].opcode == Opcode::Store
                && nest.before.contains(&user)
                && func.operand(user, 1) == value
                && nest.depends(func.operand(user, 0)) & (INNER | MEMORY) == 0
        });
        if nest.depends(value) & MEMORY != 0
            && let Some(store) = stored
        {
            reloaded.insert(inst, store);
        }
    }
    debug_assert!(needed.iter().all(|&i| func.result(i).is_some_and(|v| nest.depends(v) & !(OUTER | MEMORY) == 0)));
    (needed, reloaded)
}
