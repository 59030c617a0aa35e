//! Loop-invariant code motion, innermost loops first: into the preheader what computes the same in
//! every iteration, and scalars that live in memory into registers for the duration of the loop.
//!
//! **Hoisting.** Pure instructions whose operands are defined outside; divisions only if they run
//! in every execution of the loop or cannot trap; calls of `const` functions if they run in every
//! execution, of `pure` ones if the loop writes nothing besides; loads if nothing in the loop may
//! write them and they run in every execution or cannot fault. An instruction that did not run in
//! every execution loses its flags (section 2 of docs/ir.md). Cheap ones that do not run in every
//! iteration of a large loop stay.
//!
//! **Promotion** (`promotion`). If all accesses in the loop that may touch an address are loads and
//! stores of one type at just this address, the memory is read once before and written once on each
//! exit. In between the SSA updater carries the value. No store is invented, another thread might
//! see it: if none of the loop's runs in every execution, and none has run just before, the exits
//! store only if there was one, which a second value says.
//!
//! Cost: instructions times the loop's memory writes, of which a few dozen are told apart
//! ([`Writes`]).
//!
//! ```text
//! b1: v1 = mul v0, v0              b0: v1 = mul v0, v0; v2 = load p
//!     v2 = load p             =>   b1: v5 = phi [v2, b0], [v3, b1]
//!     v3 = add v2, v1                  v3 = add v5, v1
//!     store p, v3                  b2: store p, v3
//! ```

mod promotion;

use ir::analysis::sums::induction::is_invariant;
use ir::analysis::{Cfg, DominatorTree, LoopRef};
use ir::{Block, Function, Inst, Opcode, SymbolDef};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::loop_utils::make_preheaders;
use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::alias::{AliasAnalysis, Base, locate};
use ir::analysis::always_executed;
use ir::analysis::memory::Writes;
use ir::effects::{CallDependence, access_of, call_dependence, is_pure, may_trap};

/// The pass.
pub const PASS: Pass = Pass::new("licm", run);

/// In loops of more blocks, cheap operations of those that do not run in every iteration stay where
/// they are.
const MANY_BLOCKS: usize = 12;

/// Blocks before a loop that are looked at.
const MAX_BEFORE: usize = 3;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let loops = cx.analyses.loops(func);
    if loops.is_empty() || func.calls_setjmp {
        return Changed::Nothing;
    }
    let mut control_flow = make_preheaders(func, cx, &loops.loops().collect::<Vec<_>>());
    let cfg = cx.analyses.cfg(func);
    let loops = cx.analyses.loops(func);
    let dominators = cx.analyses.dominators(func);
    let blocks = loops.blocks(&cfg);
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let mut hoisted = 0;
    for l in loops.loops() {
        let Some(motion) = Motion::new(func, cx, &cfg, &dominators, &alias, loops.at(l), &blocks[l]) else { continue };
        hoisted += motion.hoist(func, cx);
    }
    cx.statistics.add("instructions hoisted out of loops", hoisted);
    let promoted = promotion::promote_memory(func, cx);
    control_flow |= promoted;
    cx.analyses.keep();
    if control_flow { Changed::ControlFlow } else { Changed::code_if(hoisted > 0) }
}

/// One loop with what hoisting needs to know.
struct Motion<'a> {
    blocks: &'a [Block],
    l: LoopRef<'a>,
    preheader: Block,
    /// The preheader and the blocks that alone lead to it, the last first.
    before: SmallVec<[Block; MAX_BEFORE]>,
    alias: &'a AliasAnalysis,
    writes: Writes,
    /// Whether the block runs whenever the loop is entered.
    always: FxHashSet<Block>,
}

impl<'a> Motion<'a> {
    #[allow(clippy::too_many_arguments)] // the analyses of one function
    fn new(
        func: &Function,
        cx: &PassContext<'_>,
        cfg: &Cfg,
        dominators: &DominatorTree,
        alias: &'a AliasAnalysis,
        l: LoopRef<'a>,
        blocks: &'a [Block],
    ) -> Option<Motion<'a>> {
        let header = l.header();
        let outside: Vec<Block> = cfg.preds(header).iter().copied().filter(|&p| !l.contains(p)).collect();
        let &[preheader] = &outside[..] else { return None };
        if cfg.succs(preheader).len() != 1 {
            return None;
        }
        let always = always_executed(func, cx.module, cfg, dominators, l, blocks);
        let writes = Writes::of(func, cx.module, blocks);
        let single_pred = |&block: &Block| match *cfg.preds(block) {
            [pred] => Some(pred),
            _ => None,
        };
        let before = std::iter::successors(Some(preheader), single_pred).take(MAX_BEFORE).collect();
        Some(Motion { blocks, l, preheader, before, alias, writes, always })
    }

    fn hoist(&self, func: &mut Function, cx: &PassContext<'_>) -> u64 {
        let mut hoisted = 0;
        for &block in self.blocks {
            let mut next = func.first_inst(block);
            while let Some(inst) = next {
                next = func.next_inst(inst);
                if !self.is_invariant(func, inst) || !self.may_hoist(func, cx, block, inst) {
                    continue;
                }
                let before = func.terminator(self.preheader);
                func.hoist_inst(before, inst);
                if !self.always.contains(&block) {
                    drop_flags(func, inst);
                }
                hoisted += 1;
            }
        }
        hoisted
    }

    fn is_invariant(&self, func: &Function, inst: Inst) -> bool {
        func.operands(inst).all(|value| is_invariant(func, self.l, value))
    }

    fn may_hoist(&self, func: &Function, cx: &PassContext<'_>, block: Block, inst: Inst) -> bool {
        let data = func.insts[inst];
        if data.opcode == Opcode::Load {
            return !data.is_volatile()
                && (self.always.contains(&block) || is_dereferenceable(func, cx, inst))
                && !self.may_be_written(func, cx, inst);
        }
        if data.opcode == Opcode::Call {
            let writes_nothing = self.writes.places().is_some_and(|places| places.is_empty());
            return self.always.contains(&block)
                && match call_dependence(func, cx.module, inst) {
                    Some(CallDependence::Arguments) => true,
                    Some(CallDependence::Memory) => writes_nothing,
                    None => false,
                };
        }
        if cx.options.optimize_size && is_folded(data.opcode) {
            return false;
        }
        // One case of an interpreter: what it would save is less than a register, or a spill, over
        // all of the loop.
        if self.blocks.len() > MANY_BLOCKS && !self.always.contains(&block) && is_cheap(data.opcode) {
            return false;
        }
        // Addresses and casts of symbols cost nothing where they are used; constants never get
        // here.
        is_pure(func, inst) && (self.always.contains(&block) || !may_trap(func, inst))
    }

    fn may_be_written(&self, func: &Function, cx: &PassContext<'_>, load: Inst) -> bool {
        self.writes.may_change(func, cx.module, self.alias, &locate(func, access_of(func, load)))
    }
}

/// What takes about as long as reading a spilled value.
fn is_cheap(opcode: Opcode) -> bool {
    use Opcode::*;
    is_folded(opcode) || matches!(opcode, Add | Sub | And | Or | Xor | Shl | LShr | AShr | Select | PtrToInt | IntToPtr)
}

/// What mostly becomes part of the instructions that use it: in a register of its own it takes more
/// room, and may be spilled.
fn is_folded(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::ICmp | Opcode::ZExt | Opcode::SExt | Opcode::Trunc | Opcode::PtrAdd)
}

/// Whether the load cannot fault wherever it is executed: inside a stack slot or an object of this
/// module.
fn is_dereferenceable(func: &Function, cx: &PassContext<'_>, load: Inst) -> bool {
    let place = locate(func, access_of(func, load));
    let Some(offset) = place.offset else { return false };
    let size = match place.base {
        Base::Alloca(alloca) => func.alloca_info(alloca).0,
        Base::Symbol(symbol) => match cx.module.symbols[symbol].def {
            SymbolDef::Data(id) if cx.module.symbols[symbol].tls.is_none() => cx.module.data[id].size,
            SymbolDef::Common { size, .. } => size,
            _ => return false,
        },
        Base::Value(_) | Base::Visible => return false,
    };
    offset >= 0 && (offset as u64).saturating_add(place.size.unwrap_or(u64::MAX)) <= size
}

fn drop_flags(func: &mut Function, inst: Inst) {
    use Opcode::*;
    if matches!(func.insts[inst].opcode, Add | Sub | Mul | Shl | SDiv | UDiv | LShr | AShr | PtrAdd) {
        func.clear_flags(inst);
    }
}
