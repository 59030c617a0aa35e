//! Global value numbering: one computation for equal expressions, loads included.
//!
//! **Expressions.** A walk over the dominator tree with a scoped table: an instruction that
//! computes what a dominating one has computed is replaced by it (Briggs, Cooper and Simpson,
//! "Value Numbering", 1997, dominator-based). Commutative operands are sorted. The survivor keeps
//! only the flags that both had, since a violated flag is undefined behaviour where it stands.
//! Equal phis of a block are one; so are minima and maxima, wherever they are.
//! Pointers are replaced only by the same computation, never by equal addresses of other
//! provenance. Calls of `const` functions are expressions, too.
//!
//! **Memory.** A load is replaced by the value that an earlier load gave or a store put there, if
//! nothing in between may have written it. "In between" is decided by memory states: every block
//! has a state at entry, equal to a predecessor's state at exit if all predecessors agree (loop
//! headers: if the loop writes nothing), otherwise a new one; a block inherits the known contents
//! of its dominator if the states agree, and else those that no write on the ways between the two
//! may alias, if these ways are short ([`Numbering::inherit`]). Within a block a write drops the
//! contents it may alias. A store of what was stored there before is removed.
//!
//! **Branches.** Below the true edge of `cond_br c` the value `c` is 1, below the false edge 0;
//! after `x == constant`, x is the constant.
//!
//! **Cost.** Linear in instructions times [`limits::CONTENTS`]; explicit worklist.
//!
//! ```text
//! v1 = add v0, i32 1                 v1 = add v0, i32 1
//! store v9, v1                =>     store v9, v1
//! v2 = load v9                       ret v1
//! v3 = add i32 1, v0
//! ```

mod branch_facts;

use std::rc::Rc;

use ir::analysis::{Cfg, DominatorTree};
use ir::ssa::simplify_phi_webs;
use ir::{AliasTags, Block, Builder, Function, Inst, InstKey, InstView, Opcode, Position, Type, Value};
use rustc_hash::FxHashMap;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::alias::{AliasAnalysis, locate, place_of};
use ir::analysis::facts::Facts;
use ir::analysis::memory::{Content, Contents, MemoryStates, each_write, key_of, limits};
use ir::effects::{CallDependence, access_of, call_dependence, is_pure, may_write_memory, register_variable};

/// The pass.
pub const PASS: Pass = Pass::new("gvn", run);

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let cfg = cx.analyses.cfg(func);
    let dominators = cx.analyses.dominators(func);
    let loops = cx.analyses.loops(func);
    let webs = simplify_phi_webs(func, &dominators);
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let states = MemoryStates::compute(func, cx.module, &cfg, &loops);
    let mut numbering = Numbering {
        table: FxHashMap::default(),
        undo: Vec::new(),
        contents: Contents::default(),
        branch: Facts::new(cx.module, cx.options),
        alias,
        states,
        replaced: 0,
        loads: 0,
        stores: 0,
    };
    numbering.walk(func, cx, &cfg, &dominators);
    cx.statistics.add("common expressions eliminated", numbering.replaced);
    cx.statistics.add("redundant loads eliminated", numbering.loads);
    cx.statistics.add("stores of what is there eliminated", numbering.stores);
    cx.statistics.add("phis simplified", webs);
    Changed::code_if(numbering.replaced + numbering.loads + numbering.stores + webs > 0)
}

struct Numbering<'a> {
    table: FxHashMap<InstKey, Inst>,
    undo: Vec<(InstKey, Option<Inst>)>,
    contents: Contents<Held>,
    /// What the branch into a block says, while the block is entered.
    branch: Facts<'a>,
    alias: Rc<AliasAnalysis>,
    states: MemoryStates,
    replaced: u64,
    loads: u64,
    stores: u64,
}

/// What a place holds.
#[derive(Copy, Clone)]
struct Held {
    value: Value,
    /// A store put it there; otherwise a load found it.
    stored: bool,
}

enum Step {
    Enter(Block, u32),
    Leave(usize),
}

impl Numbering<'_> {
    fn walk(&mut self, func: &mut Function, cx: &PassContext<'_>, cfg: &Cfg, dominators: &DominatorTree) {
        // Contents known at the exit of blocks that have children in the tree, by depth of the
        // walk.
        let mut saved: Vec<Contents<Held>> = vec![Contents::default()];
        let mut work = vec![Step::Enter(func.entry(), 0)];
        while let Some(step) = work.pop() {
            match step {
                Step::Leave(mark) => {
                    while self.undo.len() > mark {
                        let (key, old) = self.undo.pop().expect("not empty");
                        match old {
                            Some(inst) => self.table.insert(key, inst),
                            None => self.table.remove(&key),
                        };
                    }
                }
                Step::Enter(block, depth) => {
                    saved.truncate(depth as usize + 1);
                    self.contents.clear();
                    if let Some(dominator) = dominators.idom(block) {
                        self.inherit(func, cx, cfg, (dominator, block), &saved[depth as usize]);
                    }
                    work.push(Step::Leave(self.undo.len()));
                    self.use_branch_fact(func, cfg, dominators, block);
                    self.number_block(func, cx, (cfg, dominators), block);
                    saved.push(std::mem::take(&mut self.contents));
                    let start = work.len();
                    work.extend(dominators.children(block).map(|c| Step::Enter(c, depth + 1)));
                    work[start..].reverse(); // both sides of a branch before where they meet
                }
            }
        }
    }

    /// Takes over the contents known at the end of a block's dominator that hold at its start. A
    /// iteration of a loop is on a way from the dominator of the loop's header to the header, and
    /// so are both sides of a branch on the ways to where they meet.
    fn inherit(
        &mut self,
        func: &Function,
        cx: &PassContext<'_>,
        cfg: &Cfg,
        (dominator, block): (Block, Block),
        known: &Contents<Held>,
    ) {
        if known.is_empty() {
            return;
        }
        let unchanged = self.states.at_exit[dominator] == self.states.at_entry[block];
        let writes = if unchanged { Some(Vec::new()) } else { self.states.between(cfg, dominator, block) };
        let Some(writes) = writes else { return };
        self.contents.clone_from(known);
        for write in writes {
            self.clobber(func, cx, write);
        }
    }

    fn number_block(
        &mut self,
        func: &mut Function,
        cx: &PassContext<'_>,
        (cfg, dominators): (&Cfg, &DominatorTree),
        block: Block,
    ) {
        let mut next = func.first_inst(block);
        while let Some(inst) = next {
            next = func.next_inst(inst);
            let opcode = func.insts[inst].opcode;
            match opcode {
                Opcode::Load => self.number_load(func, cx, inst),
                Opcode::Store => self.number_store(func, cx, inst),
                Opcode::Phi => self.number_phi(func, (cfg, dominators), block, inst),
                Opcode::Select if self.choose_by_branch(func, (cfg, dominators), block, inst) => {}
                _ if is_pure(func, inst) => self.number_pure(func, inst),
                Opcode::Call if call_dependence(func, cx.module, inst) == Some(CallDependence::Arguments) => {
                    self.number_pure(func, inst);
                }
                _ => self.clobber(func, cx, inst),
            }
        }
    }

    fn number_pure(&mut self, func: &mut Function, inst: Inst) {
        let Some(key) = key(func, inst) else { return };
        let Some(&leader) = self.table.get(&key) else {
            if self.remainder_of_known_quotient(func, inst, &key) {
                return;
            }
            self.undo.push((key.clone(), None));
            self.table.insert(key, inst);
            return;
        };
        // The flags of comparisons are their conditions, which are equal up to the order of the
        // operands; those of calls are no promises.
        if !matches!(func.insts[leader].opcode, Opcode::ICmp | Opcode::FCmp | Opcode::Call) {
            func.keep_flags(leader, func.insts[inst].flags());
        }
        self.replace(func, inst, leader);
    }

    /// `a % b` after `a / b` is `a - a / b * b`: multiplication is much cheaper than a second
    /// division. Quotient and remainder that stand together are left to selection, which has one
    /// instruction for both.
    fn remainder_of_known_quotient(&mut self, func: &mut Function, inst: Inst, key: &InstKey) -> bool {
        let opcode = match key.opcode {
            Opcode::SRem => Opcode::SDiv,
            Opcode::URem => Opcode::UDiv,
            _ => return false,
        };
        if key.ty.is_vector() || key.ty.bits() > 64 {
            return false;
        }
        let Some(&division) = self.table.get(&key.with_opcode(opcode)) else { return false };
        if stand_together(func, division, inst) {
            // No store in between keeps selection from finding both.
            func.unplace_inst(inst);
            func.insert_after(division, inst);
            return false;
        }
        let (a, b) = (func.operand(inst, 0), func.operand(inst, 1));
        let quotient = func.first_result(division);
        let mut builder = Builder::new(func, Position::Before(inst));
        let product = builder.binary(Opcode::Mul, quotient, b);
        let rest = builder.binary(Opcode::Sub, a, product);
        func.replace_result(inst, rest);
        self.replaced += 1;
        true
    }

    fn replace(&mut self, func: &mut Function, inst: Inst, leader: Inst) {
        for (old, new) in func.results(inst).zip(func.results(leader)) {
            func.replace_all_uses(old, new);
        }
        func.remove_inst(inst);
        self.replaced += 1;
    }

    fn number_phi(&mut self, func: &mut Function, (cfg, dominators): (&Cfg, &DominatorTree), block: Block, inst: Inst) {
        if func.insts[inst].ty.is_int() && self.use_edge_facts(func, block, inst) {
            return;
        }
        if let Some(key) = choice(func, cfg, dominators, block, inst) {
            if let Some(&leader) = self.table.get(&key) {
                return self.replace(func, inst, leader);
            }
            self.undo.push((key.clone(), None));
            self.table.insert(key, inst);
        }
        let first = func.first_inst(block).expect("block holds the phi");
        let mut other = Some(first);
        // Few phis per block are equal; compare with those before, up to a limit.
        for _ in 0..16 {
            let Some(leader) = other.filter(|&o| o != inst && func.insts[o].opcode == Opcode::Phi) else { return };
            let same = func.insts[leader].ty == func.insts[inst].ty
                && func.phi_entries(inst).all(|(value, pred)| func.phi_value(leader, pred) == Some(value));
            if same {
                self.replace(func, inst, leader);
                return;
            }
            other = func.next_inst(leader);
        }
    }

    fn number_load(&mut self, func: &mut Function, cx: &PassContext<'_>, inst: Inst) {
        let data = func.insts[inst];
        if may_write_memory(func, cx.module, inst) {
            self.clobber(func, cx, inst);
            return;
        }
        let known = self.contents.get(key_of(func, inst)).filter(|c| c.serves(cx.module, data.mem_info().tag));
        if let Some(&Content { value: Held { value, .. }, .. }) = known {
            func.replace_result(inst, value);
            self.loads += 1;
            return;
        }
        let value = Held { value: func.first_result(inst), stored: false };
        self.contents.remember(locate(func, access_of(func, inst)), data.ty, value, limits::CONTENTS);
    }

    fn number_store(&mut self, func: &mut Function, cx: &PassContext<'_>, inst: Inst) {
        let stored = func.operand(inst, 1);
        let ty = func.value_type(stored);
        if self.is_there(func, cx, inst, stored) && !cx.options.optimize_debug {
            func.remove_inst(inst);
            self.stores += 1;
            return;
        }
        self.clobber(func, cx, inst);
        if !func.insts[inst].is_volatile() || register_variable(func, cx.module, inst).is_some() {
            let held = Held { value: stored, stored: true };
            self.contents.remember(locate(func, access_of(func, inst)), ty, held, limits::CONTENTS);
        }
    }

    /// Whether memory holds what is stored, and got it by a store of the same class: who reads it
    /// as that reads what was written before. What a load found there may have been stored as
    /// another class, and this store lets others read it (C17 6.5p6). (The class that may be
    /// anything would let objects of different classes take turns; characters do not.)
    fn is_there(&self, func: &Function, cx: &PassContext<'_>, store: Inst, stored: Value) -> bool {
        let data = func.insts[store];
        let ty = func.value_type(stored);
        let tag = data.mem_info().tag;
        let key = (place_of(func, func.operand(store, 0)), ty.bits_repr());
        let any = tag == AliasTags::any();
        let same = |c: &Content<Held>| {
            let typed = c.value.stored || any || !cx.options.codegen.strict_aliasing;
            c.value.value == stored && typed && !c.by_types && c.at.tag == tag
        };
        !data.is_volatile() && (!any || ty == Type::I8) && self.contents.get(key).is_some_and(same)
    }

    /// Drops what an instruction may overwrite.
    fn clobber(&mut self, func: &Function, cx: &PassContext<'_>, inst: Inst) {
        if !self.contents.is_empty() {
            each_write(func, cx.module, inst, |write| self.contents.forget(func, cx.module, &self.alias, &write));
        }
    }
}

/// The key of a phi that chooses by a comparison one of what is compared, as minima and maxima do:
/// that of `select`.
fn choice(func: &Function, cfg: &Cfg, dominators: &DominatorTree, block: Block, phi: Inst) -> Option<InstKey> {
    let above = dominators.idom(block).filter(|_| cfg.preds(block).len() == 2)?;
    let InstView::CondBr { cond, then_dest, else_dest, .. } = func.view(func.terminator(above)) else { return None };
    let InstView::ICmp { a, b, .. } = func.view(func.def_inst(cond)?) else { return None };
    if then_dest == else_dest || !func.operands(phi).any(|value| value == a || value == b) {
        return None;
    }
    let (mut then, mut otherwise) = (None, None);
    for (value, pred) in func.phi_entries(phi) {
        let first = if pred == above { block } else { pred };
        if pred != above && cfg.preds(pred) != [above] {
            return None;
        }
        *(if first == then_dest { &mut then } else { &mut otherwise }) = Some(value);
    }
    InstKey::of_list(Opcode::Select, func.insts[phi].ty, &[cond, then?, otherwise?])
}

/// Whether nothing but pure instructions lies between two of one block.
fn stand_together(func: &Function, first: Inst, second: Inst) -> bool {
    /// How far is looked.
    const WINDOW: usize = 32;
    let mut at = func.prev_inst(second);
    for _ in 0..WINDOW {
        let Some(inst) = at else { return false };
        if inst == first {
            return true;
        }
        if !matches!(func.insts[inst].opcode, Opcode::Load | Opcode::Store) && !is_pure(func, inst) {
            return false;
        }
        at = func.prev_inst(inst);
    }
    false
}

/// The key of a pure instruction; `None` for those that are never equal to another.
fn key(func: &Function, inst: Inst) -> Option<InstKey> {
    match func.insts[inst].opcode {
        Opcode::Intrinsic | Opcode::Shuffle | Opcode::Undef | Opcode::Phi => None,
        // Callee and up to two arguments.
        Opcode::Call => InstKey::of_list(Opcode::Call, func.insts[inst].ty, func.list(inst)),
        _ => Some(func.insts[inst].key()),
    }
}
