//! Dead store elimination: stores, fills and copies whose bytes are certainly overwritten before
//! anything may read them, and those to locals that nobody reads before the function returns.
//!
//! Blocks are walked backwards, in postorder, with the byte ranges that are certainly overwritten
//! on every path from there. A store into such a range is dead. A read removes the ranges it may
//! touch; a call removes those that other code can name. What a block ends with is what all its
//! successors begin with; nothing is known at back edges. A range is forgotten where its address is
//! computed: above that, the name would mean the address of the iteration before.
//!
//! Where the function returns, every private local is as good as overwritten, until it is read
//! ([`Locals`]); where a local's lifetime ends or begins, it is overwritten. Volatile and atomic
//! accesses are never touched, and act as reads of everything.
//!
//! Cost: instructions times [`OVERWRITTEN`].
//!
//! ```text
//! b0: store p, v1                  b0:
//!     cond_br v0, b1, b2               cond_br v0, b1, b2
//! b1: store p, v2           =>     b1: store p, v2
//! b2: store p, v3                  b2: store p, v3
//! ```

use cranelift_entity::SecondaryMap;
use ir::analysis::Cfg;
use ir::effects::{Touched, access_of, block_access};
use ir::{AliasTags, Block, Function, Inst, Module, Opcode, Value, side_table};
use smallvec::SmallVec;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::alias::{Access, AliasAnalysis, Base, Located, locate};
use ir::analysis::memory::each_read;
use ir::analysis::memory::limits::{OVERWRITTEN, READ_LOCALS};

/// The pass.
pub const PASS: Pass = Pass::new("dse", run);

/// Private locals whose content nobody wants on any path from there.
#[derive(Clone, Default)]
enum Locals {
    /// None, or it is not known which.
    #[default]
    Unknown,
    /// All but these.
    DeadBut(SmallVec<[Inst; 4]>),
}

/// Bytes that are certainly overwritten.
#[derive(Copy, Clone)]
struct Overwritten {
    at: Located,
    /// Before that, something is read that only the class of the write tells apart.
    by_types: bool,
}

impl Overwritten {
    /// Whether nothing that is stored at a place is read before.
    fn kills(&self, module: &Module, place: &Located) -> bool {
        covers(&self.at, place) && (!self.by_types || module.alias_tags.meet(self.at.tag, place.tag) == self.at.tag)
    }
}

/// What is known at a place about the successors.
#[derive(Clone, Default)]
struct State {
    overwritten: Vec<Overwritten>,
    locals: Locals,
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    if func.calls_setjmp {
        return Changed::Nothing;
    }
    let cfg = cx.analyses.cfg(func);
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let mut at_start: SecondaryMap<Block, State> = side_table(func.num_blocks());
    let mut removed = 0;
    for &block in cfg.postorder() {
        let mut sweep = Sweep { cx, alias: &alias, state: at_end(cx.module, &cfg, &at_start, block), removed: 0 };
        sweep.block(func, block);
        removed += sweep.removed;
        at_start[block] = sweep.state;
    }
    cx.statistics.add("dead stores removed", removed);
    Changed::code_if(removed > 0)
}

/// What all successors know at their start.
fn at_end(module: &Module, cfg: &Cfg, at_start: &SecondaryMap<Block, State>, block: Block) -> State {
    let succs = cfg.succs(block);
    let number = cfg.rpo_number(block);
    let Some((first, rest)) = succs.split_first() else { return State::default() };
    if succs.iter().any(|&s| cfg.rpo_number(s) <= number) {
        return State::default();
    }
    let mut state = at_start[*first].clone();
    for succ in rest {
        let other = &at_start[*succ];
        let in_both = |of: &[Overwritten], in_these: &[Overwritten]| -> Vec<Overwritten> {
            let there = |a: &Overwritten| {
                let other = in_these.iter().find(|o| o.kills(module, &a.at))?;
                Some(Overwritten { by_types: a.by_types || other.by_types, ..*a })
            };
            of.iter().filter_map(there).collect()
        };
        let mut both = in_both(&state.overwritten, &other.overwritten);
        for place in in_both(&other.overwritten, &state.overwritten) {
            if !both.iter().any(|b| covers(&b.at, &place.at)) {
                both.push(place);
            }
        }
        both.truncate(OVERWRITTEN);
        state.overwritten = both;
        state.locals = match (state.locals, &other.locals) {
            (Locals::DeadBut(mut read), Locals::DeadBut(more)) => {
                read.extend(more.iter().copied());
                read.sort_unstable();
                read.dedup();
                if read.len() <= READ_LOCALS { Locals::DeadBut(read) } else { Locals::Unknown }
            }
            _ => Locals::Unknown,
        };
    }
    state
}

struct Sweep<'a, 'b> {
    cx: &'a PassContext<'b>,
    alias: &'a AliasAnalysis,
    state: State,
    removed: u64,
}

impl Sweep<'_, '_> {
    fn block(&mut self, func: &mut Function, block: Block) {
        let mut next = func.last_inst(block);
        while let Some(inst) = next {
            next = func.prev_inst(inst);
            self.instruction(func, inst);
        }
        self.state.overwritten.retain(|o| func.def_inst(o.at.address).and_then(|i| func.inst_block(i)) != Some(block));
    }

    fn instruction(&mut self, func: &mut Function, inst: Inst) {
        let data = func.insts[inst];
        let volatile = data.is_volatile();
        match data.opcode {
            Opcode::Ret => self.state.locals = Locals::DeadBut(SmallVec::new()),
            Opcode::Store if !volatile => self.write(func, inst, locate(func, access_of(func, inst))),
            Opcode::Load if !volatile => self.read(func, &locate(func, access_of(func, inst))),
            Opcode::MemSet if !volatile => self.write(func, inst, locate(func, block_access(func, inst, 0))),
            Opcode::MemCpy | Opcode::MemMove if !volatile => {
                let [to, from] = [0, 1].map(|operand| locate(func, block_access(func, inst, operand)));
                if self.remove_if_dead(func, inst, &to) {
                    return;
                }
                self.read(func, &from);
                if !self.alias.may_overlap(func, self.cx.module, &to, &from) {
                    self.overwrite(to);
                }
            }
            Opcode::LifetimeStart | Opcode::LifetimeEnd => {
                let mut place = all_of(func, func.operand(inst, 0));
                if let (Base::Alloca(alloca), Some(0)) = (place.base, place.offset) {
                    place.size = Some(func.alloca_info(alloca).0);
                    self.overwrite(place);
                }
            }
            Opcode::Call => {
                // By-value arguments read private locals too.
                let passed = func.operands(inst).map(|address| all_of(func, address));
                let passed: SmallVec<[Located; 4]> = passed.filter(|p| matches!(p.base, Base::Alloca(_))).collect();
                passed.iter().for_each(|place| self.read(func, place));
                self.read_by(func, inst);
            }
            _ => self.read_by(func, inst),
        }
    }

    /// A write of these bytes: removed if nobody wants them.
    fn write(&mut self, func: &mut Function, inst: Inst, place: Located) {
        if !self.remove_if_dead(func, inst, &place) {
            self.overwrite(place);
        }
    }

    fn remove_if_dead(&mut self, func: &mut Function, inst: Inst, place: &Located) -> bool {
        let unread = match (&self.state.locals, place.base) {
            (Locals::DeadBut(read), Base::Alloca(alloca)) => self.alias.is_private(alloca) && !read.contains(&alloca),
            _ => false,
        };
        let dead = unread || self.state.overwritten.iter().any(|o| o.kills(self.cx.module, place));
        if dead {
            func.remove_inst(inst);
            self.removed += 1;
        }
        dead
    }

    fn overwrite(&mut self, place: Located) {
        if place.size.is_some() {
            // What is overwritten far below is forgotten first.
            if self.state.overwritten.len() == OVERWRITTEN {
                self.state.overwritten.remove(0);
            }
            self.state.overwritten.push(Overwritten { at: place, by_types: false });
        }
    }

    /// What an instruction reads that does nothing else of interest here.
    fn read_by(&mut self, func: &Function, inst: Inst) {
        each_read(func, self.cx.module, inst, |touched| match touched {
            Touched::Nothing => {}
            Touched::Bytes(place) => self.read(func, &place),
            Touched::Visible => self.state.overwritten.retain(|o| !self.alias.is_visible_outside(&o.at)),
            Touched::Anything => self.state = State::default(),
        });
    }

    fn read(&mut self, func: &Function, place: &Located) {
        self.state.overwritten.retain_mut(|o| {
            o.by_types |= self.alias.may_overlap(func, self.cx.module, &o.at, place);
            !self.alias.true_dependence(func, self.cx.module, &o.at, place)
        });
        // Private locals are read through their own addresses only; merged addresses are not
        // private.
        if let (Locals::DeadBut(read), Base::Alloca(alloca)) = (&mut self.state.locals, place.base)
            && !read.contains(&alloca)
        {
            read.push(alloca);
            if read.len() > READ_LOCALS {
                self.state.locals = Locals::Unknown;
            }
        }
    }
}

/// The object that an address leads into.
fn all_of(func: &Function, address: Value) -> Located {
    locate(func, Access { address, size: None, tag: AliasTags::any() })
}

/// Whether every byte of `inner` is in `outer`.
fn covers(outer: &Located, inner: &Located) -> bool {
    if outer.address == inner.address {
        return inner.size.is_some() && outer.size >= inner.size;
    }
    match (outer.offset, inner.offset, outer.size, inner.size) {
        (Some(so), Some(si), Some(no), Some(ni)) if outer.base == inner.base => {
            so <= si && si.saturating_add_unsigned(ni) <= so.saturating_add_unsigned(no)
        }
        _ => false,
    }
}
