//! `-Wnull-dereference`: accesses through pointers that are null, always or on one of the ways that
//! lead to them.
//!
//! A copy of the function is brought into SSA form, calls left as they are. There a pointer is
//! *known* to be null where it is the constant, or after an edge that only equality with null
//! takes. It is *potentially* null in the block in which a null constant flows together with other
//! values: farther away, conditions in between may have told them apart. That is gcc's rule (its
//! pass `isolate-paths`), with the difference that gcc sees inlined calls, too.
//!
//! **Cost.** Nothing unless the warning is on; then a copy of each function and its promotion.

use base::Loc;
use ir::analysis::{Cfg, DominatorTree};
use ir::{Block, Function, Inst, IntCc, Module, Opcode, Value};
use platform::options::Options;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use middle::library::Library;
use middle::pass::PassContext;
use middle::passes::{mem2reg, simplify_cfg, sroa};

/// An access through a null pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NullDereference {
    /// Where.
    pub loc: Loc,
    /// Whether the pointer is null whenever control comes here.
    pub certain: bool,
}

/// Bytes from null on that count as reached through a null pointer: the members of structures.
const FIRST_PAGE: i64 = 4096;

/// The accesses of `func`, in alloca form, through pointers that are null, in the order of their
/// places.
pub fn check(module: &Module, func: &Function, options: &Options) -> Vec<NullDereference> {
    let mut found = Vec::new();
    let accesses = |inst: Inst| matches!(func.insts[inst].opcode, Opcode::Load | Opcode::Store);
    if func.calls_setjmp || !func.blocks().any(|b| func.block_insts(b).any(accesses)) {
        return found;
    }
    let mut copy = func.clone();
    copy.build_uses();
    let library = Library::default();
    let mut cx = PassContext::new(module, options, &library);
    for pass in [simplify_cfg::PASS, sroa::PASS, mem2reg::PASS, simplify_cfg::PASS] {
        (pass.run)(&mut copy, &mut cx);
    }
    let pointers = Pointers::new(&copy);
    for &block in pointers.dominators.preorder() {
        for inst in copy.block_insts(block) {
            if let Some(certain) = pointers.accessed(block, inst) {
                found.push(NullDereference { loc: copy.source_loc(inst), certain });
            }
        }
    }
    found.sort_by_key(|f| (f.loc, !f.certain));
    found.dedup_by_key(|f| f.loc);
    found
}

struct Pointers<'f> {
    func: &'f Function,
    dominators: DominatorTree,
    /// The blocks that only a value's being null leads to.
    null_behind: FxHashMap<Value, SmallVec<[Block; 2]>>,
}

impl<'f> Pointers<'f> {
    fn new(func: &'f Function) -> Pointers<'f> {
        let cfg = Cfg::compute(func);
        let dominators = DominatorTree::compute(func, &cfg);
        let mut null_behind: FxHashMap<Value, SmallVec<[Block; 2]>> = FxHashMap::default();
        for block in func.blocks().filter(|&block| cfg.is_reachable(block)) {
            let branch = func.insts[func.terminator(block)];
            let Some((then, otherwise)) = branch.two_dests() else { continue };
            let Some((pointer, if_null)) = null_test(func, func.operand(func.terminator(block), 0)) else { continue };
            let target = if if_null { then } else { otherwise };
            if cfg.preds(target) == [block] {
                null_behind.entry(pointer).or_default().push(target);
            }
        }
        Pointers { func, dominators, null_behind }
    }

    /// Whether an instruction goes through a null pointer, and if so, whether always.
    fn accessed(&self, block: Block, inst: Inst) -> Option<bool> {
        if !matches!(self.func.insts[inst].opcode, Opcode::Load | Opcode::Store) {
            return None;
        }
        let pointer = self.base(self.func.operand(inst, 0));
        if self.is_null(pointer) {
            return Some(true);
        }
        let behind = self.null_behind.get(&pointer);
        if behind.is_some_and(|targets| targets.iter().any(|&target| self.dominators.dominates(target, block))) {
            return Some(true);
        }
        let phi = self.func.def_inst(pointer)?;
        match self.func.insts[phi].opcode {
            Opcode::Phi if self.func.inst_block(phi) == Some(block) => {
                self.func.phi_entries(phi).any(|(value, _)| self.is_null(value)).then_some(false)
            }
            Opcode::Select => (1..3).any(|arm| self.is_null(self.func.operand(phi, arm))).then_some(false),
            _ => None,
        }
    }

    /// A pointer without the offset of a member.
    fn base(&self, mut value: Value) -> Value {
        let mut offset = 0i64;
        while let Some(inst) = self.func.def_inst(value)
            && self.func.insts[inst].opcode == Opcode::PtrAdd
            && let Some(by) = self.func.const_i64(self.func.operand(inst, 1))
        {
            offset = offset.saturating_add(by);
            if !(0..FIRST_PAGE).contains(&offset) {
                break;
            }
            value = self.func.operand(inst, 0);
        }
        value
    }

    fn is_null(&self, value: Value) -> bool {
        self.func.value_type(value).is_ptr() && self.func.const_bits(value) == Some(0)
    }
}

/// The pointer of which a condition says whether it is null, and what the condition is then.
fn null_test(func: &Function, condition: Value) -> Option<(Value, bool)> {
    let test = func.def_inst(condition)?;
    let data = func.insts[test];
    let pointer = func.operands(test).next()?;
    if data.opcode != Opcode::ICmp
        || !func.value_type(pointer).is_ptr()
        || func.const_bits(func.operand(test, 1)) != Some(0)
    {
        return None;
    }
    match data.int_cc() {
        IntCc::Eq => Some((pointer, true)),
        IntCc::Ne => Some((pointer, false)),
        _ => None,
    }
}
