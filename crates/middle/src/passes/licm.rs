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
//! **Promotion.** If all accesses in the loop that may touch an address are loads and stores of one
//! type at just this address, and one of the stores runs in every execution (no store is invented:
//! another thread might see it), the memory is read once before and written once on each exit. In
//! between the SSA updater carries the value.
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

use ir::analysis::sums::induction::is_invariant;
use ir::analysis::{Cfg, DominatorTree, LoopRef};
use ir::ssa::{Scalar, Updater, simplify_phis};
use ir::{Block, Builder, Function, Inst, MemInfo, Opcode, SymbolDef, Type, Value, flags};
use rustc_hash::FxHashSet;

use crate::analysis::memory::Writes;
use crate::loop_utils::{always_executed, ensure_dedicated_exits, make_preheaders};
use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::alias::{AliasAnalysis, Base, locate};
use ir::effects::{CallDependence, access_of, block_access, call_dependence, is_pure, may_trap};

/// The pass.
pub const PASS: Pass = Pass::new("licm", run);

/// In loops of more blocks, cheap operations of those that do not run in every iteration stay where
/// they are.
const MANY_BLOCKS: usize = 12;

/// Promoted addresses per loop: each takes a register.
const MAX_PROMOTED: usize = 6;

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
    let promoted = promote_memory(func, cx);
    control_flow |= promoted;
    cx.analyses.keep();
    if control_flow { Changed::ControlFlow } else { Changed::code_if(hoisted > 0) }
}

/// One loop with what hoisting needs to know.
struct Motion<'a> {
    blocks: &'a [Block],
    l: LoopRef<'a>,
    preheader: Block,
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
        Some(Motion { blocks, l, preheader, alias, writes, always })
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

/// Promotes memory scalars, outermost loops first, so that one promotion covers the inner loops as
/// well.
///
/// All loops of one depth are done with one set of analyses: the blocks that a promotion puts on
/// the exits lie outside its loop, where nothing that the other loops of this depth ask for
/// changes. Only the loops inside have exits that may have moved.
fn promote_memory(func: &mut Function, cx: &mut PassContext<'_>) -> bool {
    let (mut promoted, mut changed) = (0, false);
    // Promotion takes address uses away and adds none but those of its own slots.
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    for depth in 1.. {
        let cfg = cx.analyses.cfg(func);
        let loops = cx.analyses.loops(func);
        let dominators = cx.analyses.dominators(func);
        let mut level = loops.loops().rev().filter(|&l| loops.loop_depth(l) == depth).peekable();
        if level.peek().is_none() {
            break;
        }
        let blocks = loops.blocks(&cfg);
        let mut split = false;
        let mut promotions = Vec::new();
        for l in level {
            let blocks = &blocks[l];
            let Some(motion) = Motion::new(func, cx, &cfg, &dominators, &alias, loops.at(l), blocks) else { continue };
            let groups = motion.promotable(func, cx);
            if groups.is_empty() {
                continue;
            }
            let exits = ensure_dedicated_exits(func, &cfg, blocks, |b| loops.contains(l, b));
            // Exits before the one that cannot be had may have been split.
            split |= exits.as_ref().is_none_or(|e| e.1);
            let Some((exits, _)) = exits else { continue };
            promotions.push((motion.preheader, exits, groups));
        }
        changed |= split;
        if split {
            cx.analyses.invalidate(Changed::ControlFlow);
        }
        if promotions.is_empty() {
            continue;
        }
        promoted += promotions.iter().map(|p| p.2.len() as u64).sum::<u64>();
        let (cfg, dominators) = (cx.analyses.cfg(func), cx.analyses.dominators(func));
        let mut updater = Updater::new(func, &cfg, &dominators);
        for (preheader, exits, groups) in &promotions {
            groups.iter().for_each(|group| promote_group(func, &mut updater, *preheader, exits, group));
        }
        simplify_phis(func, &dominators, updater.into_phis());
    }
    if promoted > 0 {
        cx.statistics.add("memory scalars promoted in loops", promoted);
    }
    changed || promoted > 0
}

/// The accesses of one promotable address.
struct Group {
    address: Value,
    ty: Type,
    info: MemInfo,
    accesses: Vec<Inst>,
}

impl Motion<'_> {
    fn promotable(&self, func: &Function, cx: &PassContext<'_>) -> Vec<Group> {
        if self.writes.places().is_none_or(|places| places.is_empty()) {
            return Vec::new();
        }
        let mut groups: Vec<Group> = Vec::new();
        let all: Vec<Inst> = self
            .blocks
            .iter()
            .flat_map(|&b| func.block_insts(b))
            .filter(|&i| {
                matches!(
                    func.insts[i].opcode,
                    Opcode::Load | Opcode::Store | Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet
                )
            })
            .collect();
        let calls_read = self.calls_read(func, cx);
        for &inst in all.iter().filter(|&&i| func.insts[i].opcode == Opcode::Store) {
            let block = func.inst_block(inst).expect("placed");
            let address = func.operand(inst, 0);
            let candidate = self.always.contains(&block)
                && !(calls_read && self.alias.is_visible_outside(&locate(func, access_of(func, inst))))
                && !func.insts[inst].has(flags::VOLATILE | flags::NONTEMPORAL)
                && is_invariant(func, self.l, address)
                && !groups.iter().any(|g| g.address == address);
            if !candidate || groups.len() == MAX_PROMOTED {
                continue;
            }
            if let Some(accesses) = self.exclusive(func, cx, inst, &all) {
                let ty = func.value_type(func.operand(inst, 1));
                let info = func.mem_info(inst);
                let tags = accesses.iter().map(|&access| func.mem_info(access).tag);
                let tag = tags.fold(info.tag, |a, b| cx.module.alias_tags.meet(a, b));
                groups.push(Group { address, ty, info: MemInfo { tag, ..info }, accesses });
            }
        }
        groups
    }

    /// Whether a call in the loop may read memory: one of a `pure` function, as others write it.
    fn calls_read(&self, func: &Function, cx: &PassContext<'_>) -> bool {
        let reads = |i: Inst| {
            func.insts[i].opcode == Opcode::Call
                && call_dependence(func, cx.module, i) != Some(CallDependence::Arguments)
        };
        self.blocks.iter().flat_map(|&b| func.block_insts(b)).any(reads)
    }

    /// All accesses of the store's address in the loop, if no other access may touch it.
    fn exclusive(&self, func: &Function, cx: &PassContext<'_>, store: Inst, all: &[Inst]) -> Option<Vec<Inst>> {
        let mut wanted = locate(func, access_of(func, store));
        // A read is apart from all that is stored there if it is from what has the classes of all.
        let accesses = |i: &&Inst| matches!(func.insts[**i].opcode, Opcode::Load | Opcode::Store);
        for &same in all.iter().filter(accesses).filter(|&&i| func.operand(i, 0) == wanted.address) {
            wanted.tag = cx.module.alias_tags.meet(wanted.tag, func.mem_info(same).tag);
        }
        let ty = func.value_type(func.operand(store, 1));
        let mut out = Vec::new();
        for &inst in all {
            let data = func.insts[inst];
            let its_type = match data.opcode {
                Opcode::Load => data.ty,
                Opcode::Store => func.value_type(func.operand(inst, 1)),
                copies => {
                    let count = if copies == Opcode::MemSet { 1 } else { 2 };
                    let mut places = (0..count).map(|operand| locate(func, block_access(func, inst, operand)));
                    if places.any(|place| self.alias.may_overlap(func, cx.module, &wanted, &place)) {
                        return None;
                    }
                    continue;
                }
            };
            let access = access_of(func, inst);
            if access.address == wanted.address {
                if its_type != ty || data.is_volatile() {
                    return None;
                }
                out.push(inst);
            } else if self.alias.must_follow(func, cx.module, &wanted, (inst, &locate(func, access))) {
                return None;
            }
        }
        Some(out)
    }
}

/// Puts the value that is in memory when the loop is entered, and those that are stored, in the
/// place of what is loaded, and stores what is left at the exits.
fn promote_group(func: &mut Function, updater: &mut Updater<'_>, preheader: Block, exits: &[Block], group: &Group) {
    let Group { address, ty, info, .. } = *group;
    let end = func.terminator(preheader);
    let first = Builder::before(func, end).load(ty, address, info.align(), info.tag, 0);
    // Accesses stand in the order of their blocks.
    let scalar = Scalar::new(func, ty, group.accesses.iter().copied());
    let reads = scalar.reading_blocks().chain(exits.iter().copied());
    let placed = updater.place(scalar.defining_blocks().chain([preheader]), reads);
    let values = scalar.values(func).into_iter().chain([(preheader, Some(first))]);
    updater.begin(func, ty, values, &placed);
    for &exit in exits {
        let value = updater.at_start(exit).expect("defined before the loop");
        let first = func.first_non_phi(exit).expect("block is complete");
        Builder::before(func, first).store(value, address, info.align(), info.tag, 0);
    }
    updater.replace_loads(func, &scalar);
    group.accesses.iter().for_each(|&inst| func.remove_inst(inst));
}
