//! Operands as the allocator sees them, and whole-function live ranges with holes.
//!
//! Operands whose constraint can be met by a move in the gap before (or after) their instruction do
//! not restrict their vreg at all. They become *gap* roles: a use fixed to a register, tied to a
//! definition, or read by a copy reads its vreg in the gap, wherever it is; a definition in a fixed
//! register writes its vreg in the gap after. The fixed register itself is reserved for the moment,
//! so that nobody else is there. A vreg that happens to be allocated to that very register needs no
//! move, and hints make that happen.
//!
//! Liveness is sparse: per vreg its occurrences in order (a counting sort), then a backward walk
//! over predecessors from blocks that read it before writing it, with stamps instead of sets. The
//! cost is the size of the result. Most vregs never leave their block and need no walk.

use cranelift_entity::EntityRef;

use super::points::Points;
use super::problem::*;
use base::range_set::{Range, Span};

/// What an operand does to its vreg, and when. `p` is the position of its instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Reads at point `2p`.
    UseEarly,
    /// Reads at points `2p` and `2p + 1`.
    UseLate,
    /// Writes at point `2p + 1`.
    Def,
    /// Writes at point `2p`.
    DefEarly,
    /// Reads and writes in one place.
    Mod,
    /// A definition that shares the register of a tied use: written (with the use's value) in the
    /// gap of `p`.
    DefTied,
    /// A definition by a copy: written in the gap of `p`.
    DefCopy,
    /// A definition in a fixed register: the vreg is written in the gap of `p + 1`.
    DefFixed,
    /// A use in a fixed register at point `2p`: read in the gap of `p`.
    GapFixed,
    /// The same, needed at `2p + 1` too.
    GapFixedLate,
    /// A use tied to a definition: read in the gap of `p`.
    GapTied,
    /// The source of a copy: read in the gap of `p`.
    GapCopy,
    /// Read and written in a fixed register: read in the gap of `p`, written in the gap of `p + 1`.
    ModFixed,
}

impl Role {
    /// Whether the vreg gets a new value.
    pub fn writes(self) -> bool {
        use Role::*;
        matches!(self, Def | DefEarly | Mod | DefTied | DefCopy | DefFixed | ModFixed)
    }

    /// Whether the vreg's value is read in the gap before the instruction, wherever it is.
    pub fn reads_in_gap(self) -> bool {
        use Role::*;
        matches!(self, GapFixed | GapFixedLate | GapTied | GapCopy | ModFixed)
    }

    /// The end of the live range that a read needs.
    fn read_end(self, pos: u32) -> Option<u32> {
        use Role::*;
        match self {
            UseEarly => Some(2 * pos + 1),
            UseLate | Mod => Some(2 * pos + 2),
            GapFixed | GapFixedLate | GapTied | GapCopy | ModFixed => Some(2 * pos),
            Def | DefEarly | DefTied | DefCopy | DefFixed => None,
        }
    }

    /// The first point at which a write's result is there, and the least end of its live range.
    pub fn written(self, pos: u32) -> Option<(u32, u32)> {
        use Role::*;
        match self {
            Def => Some((2 * pos + 1, 2 * pos + 2)),
            DefEarly | DefTied | Mod => Some((2 * pos, 2 * pos + 2)),
            DefCopy => Some((2 * pos, 2 * pos + 1)),
            DefFixed | ModFixed => Some((2 * pos + 2, 2 * pos + 2)),
            UseEarly | UseLate | GapFixed | GapFixedLate | GapTied | GapCopy => None,
        }
    }

    /// The points over which the operand itself occupies its place (empty for gap roles).
    pub fn occupies(self, pos: u32) -> (u32, u32) {
        use Role::*;
        match self {
            UseEarly => (2 * pos, 2 * pos + 1),
            UseLate | Mod | DefEarly | DefTied => (2 * pos, 2 * pos + 2),
            Def => (2 * pos + 1, 2 * pos + 2),
            DefCopy => (2 * pos, 2 * pos + 1),
            GapFixed | GapFixedLate | GapTied | GapCopy => (2 * pos, 2 * pos),
            DefFixed | ModFixed => (2 * pos + 2, 2 * pos + 2),
        }
    }

    /// The position that decides which piece of a split range the operand belongs to.
    pub fn home(self, pos: u32) -> u32 {
        use Role::*;
        match self {
            GapFixed | GapFixedLate | GapTied | GapCopy => pos - 1,
            DefFixed | ModFixed => pos + 1,
            _ => pos,
        }
    }
}

/// What kind of place an operand needs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// A register.
    Reg,
    /// A register or the slot.
    Any,
    /// The slot.
    Stack,
}

/// No register, no partner.
pub(super) const NONE: u32 = u32::MAX;

/// An operand of the problem, or one of a copy that the allocator added (those follow the
/// problem's).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Op {
    /// Its virtual register.
    pub vreg: u32,
    /// The other side of a copy or tie: an operand number, or `NONE`.
    pub partner: u32,
    /// What it does.
    pub role: Role,
    /// Where it may be (register or slot; fixed registers are in `reg`).
    pub need: Need,
    /// The fixed register of fixed roles.
    pub reg: u8,
}

/// Operand `op` at position `pos`, with what is asked most often about it: occurrences are read in
/// order, operands all over the place.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct Occurrence {
    /// Position of its instruction.
    pub pos: u32,
    /// Operand number.
    pub op: u32,
    /// The operand's vreg.
    pub vreg: u32,
    /// Frequency of its block.
    pub frequency: f32,
    /// The operand's role.
    pub role: Role,
    /// The operand's need.
    pub need: Need,
    /// The operand's fixed register.
    pub reg: u8,
}

impl Occurrence {
    fn new(ops: &[Op], op: u32, pos: u32, frequency: f32) -> Occurrence {
        let Op { vreg, role, need, reg, .. } = ops[op as usize];
        Occurrence { pos, op, vreg, frequency, role, need, reg }
    }
}

/// A copy of one operand's vreg to another's in the gap of a position: a tie, a pair of a `MOVE`,
/// or one added.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Copy {
    /// The position.
    pub pos: u32,
    /// The operand read.
    pub src: u32,
    /// The operand written.
    pub dst: u32,
}

/// Registers that are taken at a point, whoever lives there.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Reservation {
    /// The point.
    pub point: u32,
    /// Bit per register.
    pub mask: u32,
}

/// Operands, occurrences and live ranges of all vregs.
#[derive(Clone, Debug, Default)]
pub(super) struct LiveRanges {
    /// The problem's operands, then those of added copies.
    pub ops: Vec<Op>,
    /// The problem's vregs, then those of added copies.
    pub vregs: Vec<VRegData>,
    /// Occurrences by vreg, each vreg's in order of position.
    pub occurrences: Vec<Occurrence>,
    /// Each vreg's part of `occurrences`.
    pub occurrence_spans: Vec<Span>,
    /// Arena of ranges; first those of the vregs, tagged with them.
    pub ranges: Vec<Range>,
    /// Each vreg's ranges: ascending, disjoint, not touching unless the vreg is redefined between.
    pub range_spans: Vec<Span>,
    /// Copies and ties.
    pub copies: Vec<Copy>,
    /// Fixed operands: (position, operand).
    pub fixed: Vec<Occurrence>,
    /// Registers taken by fixed operands and clobbers.
    pub reservations: Vec<Reservation>,
    /// Vregs that some path from the entry reads before any definition.
    pub undefined: Vec<u32>,
}

impl LiveRanges {
    /// Bytes of a vreg that are moved.
    pub fn move_bytes(&self, vreg: u32) -> u8 {
        self.vregs[vreg as usize].move_bytes
    }

    /// The range of a vreg that covers a point.
    pub fn range_at(&self, vreg: u32, point: u32) -> Option<Range> {
        let ranges = self.range_spans[vreg as usize].of(&self.ranges);
        let at = ranges.partition_point(|r| r.to <= point);
        ranges.get(at).copied().filter(|r| r.from <= point)
    }

    /// A vreg's occurrences.
    pub fn occurrences_of(&self, vreg: u32) -> &[Occurrence] {
        self.occurrence_spans[vreg as usize].of(&self.occurrences)
    }

    /// Whether some operand at or before point `point` writes the vreg so that the new value begins
    /// exactly there.
    pub fn defined_at(&self, vreg: u32, point: u32) -> bool {
        let occurrences = self.occurrences_of(vreg);
        let pos = point / 2;
        let first = occurrences.partition_point(|o| o.pos + 1 < pos);
        occurrences[first..].iter().take_while(|o| o.pos <= pos).any(|o| {
            let role = o.role;
            role != Role::Mod && role.written(o.pos).is_some_and(|(start, _)| start == point)
        })
    }
}

/// Reads the problem once and computes everything.
pub(super) fn compute(problem: &Problem, points: &Points) -> LiveRanges {
    let mut live = LiveRanges { vregs: problem.vregs.clone(), ..LiveRanges::default() };
    let mut raw = Vec::with_capacity(problem.operands.len());
    lower_operands(problem, &mut live, &mut raw);
    group_by_vreg(&mut live, &raw);
    drop(raw);
    build_ranges(problem, points, &mut live);
    exchange_commutative(problem, points, &mut live);
    live
}

/// Gives each operand its role; finds copies, ties and reservations.
fn lower_operands(problem: &Problem, live: &mut LiveRanges, raw: &mut Vec<Occurrence>) {
    live.ops.reserve(problem.operands.len());
    // (vreg, temporary) of added copies; the operands of copy number `n` follow the problem's at
    // `2n`.
    let mut added: Vec<(u32, u32)> = Vec::new();
    for (block, data) in problem.blocks.iter().enumerate() {
        for inst in data.first..data.end {
            let pos = Points::position(inst, block as u32);
            let range = problem.operand_range(InstIndex::new(inst as usize));
            let facts = &problem.insts[inst as usize];
            if facts.clobbers != 0 {
                live.reservations.push(Reservation { point: 2 * pos + 1, mask: facts.clobbers });
            }
            let (start, first_added) = (range.start as u32, added.len());
            if facts.flags.contains(InstFlags::MOVE) {
                lower_move(problem, range, pos, live);
            } else {
                for at in range {
                    lower_operand(problem.operands[at], start, pos, data.frequency, live);
                }
                resolve_ties(facts.flags, start, pos, live, &mut added);
            }
            for op in start..live.ops.len() as u32 {
                raw.push(Occurrence::new(&live.ops, op, pos, data.frequency));
            }
            for (number, &(vreg, temp)) in added.iter().enumerate().skip(first_added) {
                let op = (problem.operands.len() + 2 * number) as u32;
                let (frequency, need) = (data.frequency, Need::Any);
                raw.push(Occurrence { pos, op, vreg, frequency, role: Role::GapCopy, need, reg: 0 });
                raw.push(Occurrence { pos, op: op + 1, vreg: temp, frequency, role: Role::DefCopy, need, reg: 0 });
                live.copies.push(Copy { pos, src: op, dst: op + 1 });
            }
        }
    }
    for (vreg, temp) in added {
        let op = live.ops.len() as u32;
        live.ops.push(Op { vreg, partner: op + 1, role: Role::GapCopy, need: Need::Any, reg: 0 });
        live.ops.push(Op { vreg: temp, partner: op, role: Role::DefCopy, need: Need::Any, reg: 0 });
    }
}

/// The pairs of a parallel copy.
fn lower_move(problem: &Problem, range: std::ops::Range<usize>, pos: u32, live: &mut LiveRanges) {
    if !range.len().is_multiple_of(2) {
        base::bug!("a parallel copy has an odd number of operands");
    }
    for at in range.step_by(2) {
        let (src, dst) = (problem.operands[at], problem.operands[at + 1]);
        if src.kind() != OperandKind::Use || dst.kind() != OperandKind::Def {
            base::bug!("a parallel copy has operands {src:?}, {dst:?}");
        }
        let at = at as u32;
        let op = |o: Operand, partner, role| Op { vreg: o.vreg().as_u32(), partner, role, need: Need::Any, reg: 0 };
        live.ops.push(op(src, at + 1, Role::GapCopy));
        live.ops.push(op(dst, at, Role::DefCopy));
        live.copies.push(Copy { pos, src: at, dst: at + 1 });
    }
}

/// One operand of an ordinary instruction whose first operand has number `start`. Ties are
/// completed by [`resolve_ties`].
fn lower_operand(operand: Operand, start: u32, pos: u32, frequency: f32, live: &mut LiveRanges) {
    use {OperandKind as K, OperandPos as P};
    let number = live.ops.len() as u32;
    let (mut need, mut reg, mut partner) = (Need::Reg, 0, NONE);
    let role = match (operand.constraint(), operand.kind(), operand.pos()) {
        (Constraint::Fixed(fixed), kind, at) => {
            reg = fixed.0;
            let mask = 1u32 << reg;
            live.fixed.push(Occurrence {
                pos,
                op: number,
                vreg: operand.vreg().as_u32(),
                frequency,
                role: fixed_role(operand),
                need,
                reg,
            });
            let early = Reservation { point: 2 * pos, mask };
            let late = Reservation { point: 2 * pos + 1, mask };
            match (kind, at) {
                (K::Use, P::Early) => live.reservations.push(early),
                (K::Def, P::Late) => live.reservations.push(late),
                _ => live.reservations.extend([early, late]),
            }
            fixed_role(operand)
        }
        (Constraint::Reuse(index), K::Def, _) => {
            partner = start + index as u32;
            Role::DefTied
        }
        (constraint, kind, at) => {
            need = match constraint {
                Constraint::Any => Need::Any,
                Constraint::Stack => Need::Stack,
                Constraint::Reuse(_) => base::bug!("a tie on operand {operand:?}"),
                _ => Need::Reg,
            };
            match (kind, at) {
                (K::Use, P::Early) => Role::UseEarly,
                (K::Use, P::Late) => Role::UseLate,
                (K::Def, P::Late) => Role::Def,
                (K::Def, P::Early) => Role::DefEarly,
                (K::UseDef, _) => Role::Mod,
            }
        }
    };
    live.ops.push(Op { vreg: operand.vreg().as_u32(), partner, role, need, reg });
}

/// The role of an operand with a fixed register.
fn fixed_role(operand: Operand) -> Role {
    match (operand.kind(), operand.pos()) {
        (OperandKind::Use, OperandPos::Early) => Role::GapFixed,
        (OperandKind::Use, OperandPos::Late) => Role::GapFixedLate,
        (OperandKind::Def, _) => Role::DefFixed,
        (OperandKind::UseDef, _) => Role::ModFixed,
    }
}

/// Completes the ties of an instruction: the tied use becomes a gap read. From the early moment on
/// the tied register holds the definition, with the use's value; other early uses of the same vreg
/// may read it there. A use of the *defined* vreg by another operand needs its old value elsewhere:
/// it gets a temporary, unless the operands can be exchanged.
fn resolve_ties(flags: InstFlags, start: u32, pos: u32, live: &mut LiveRanges, added: &mut Vec<(u32, u32)>) {
    for def in start..live.ops.len() as u32 {
        if live.ops[def as usize].role != Role::DefTied {
            continue;
        }
        let tied = live.ops[def as usize].partner;
        let (defined, used) = (live.ops[def as usize].vreg, live.ops[tied as usize].vreg);
        let other = tied + 1;
        if defined != used && flags.contains(InstFlags::COMMUTATIVE) && live.ops[other as usize].vreg == defined {
            live.ops[tied as usize].vreg = defined;
            live.ops[other as usize].vreg = used;
        }
        let used = live.ops[tied as usize].vreg;
        live.copies.push(Copy { pos, src: tied, dst: def });
        for at in start..live.ops.len() as u32 {
            let op = &mut live.ops[at as usize];
            if at == tied || (op.vreg == used && op.role == Role::UseEarly && op.need != Need::Stack) {
                op.role = Role::GapTied;
                op.partner = def;
            } else if op.vreg == defined && op.role == Role::UseEarly {
                let temp = live.vregs.len() as u32;
                live.ops[at as usize].vreg = temp;
                live.vregs.push(VRegData { remat: NONE, ..live.vregs[defined as usize] });
                added.push((defined, temp));
            }
        }
    }
}

/// Counting sort of the occurrences by vreg; each vreg's stay in order of position.
fn group_by_vreg(live: &mut LiveRanges, raw: &[Occurrence]) {
    let mut next = vec![0u32; live.vregs.len() + 1];
    for occurrence in raw {
        next[occurrence.vreg as usize + 1] += 1;
    }
    for at in 1..next.len() {
        next[at] += next[at - 1];
    }
    live.occurrence_spans = next.windows(2).map(|w| Span { start: w[0], end: w[1] }).collect();
    live.occurrences = raw.to_vec();
    for occurrence in raw {
        let slot = &mut next[occurrence.vreg as usize];
        live.occurrences[*slot as usize] = *occurrence;
        *slot += 1;
    }
}

/// What the liveness walk knows about a block, for the vreg whose number plus one is marked.
#[derive(Copy, Clone, Default)]
struct BlockMarks {
    live_in: u32,
    live_out: u32,
    defines: u32,
}

/// Scratch of the liveness walk.
#[derive(Default)]
struct Walk {
    marks: Vec<BlockMarks>,
    worklist: Vec<u32>,
    /// Blocks where the vreg occurs or is live, perhaps repeatedly.
    touched: Vec<u32>,
}

impl Walk {
    /// Sorts `touched`. When the blocks lie close together, looking at all between is cheaper.
    fn order_touched(&mut self, stamp: u32) {
        let (mut low, mut high) = (u32::MAX, 0);
        for &block in &self.touched {
            low = low.min(block);
            high = high.max(block);
        }
        if self.touched.len() > 16 && ((high - low) as usize) < self.touched.len() * 8 {
            self.touched.clear();
            let marks = &self.marks;
            self.touched.extend((low..=high).filter(|&b| {
                let m = &marks[b as usize];
                m.live_in == stamp || m.live_out == stamp || m.defines == stamp
            }));
        } else {
            self.touched.sort_unstable();
            self.touched.dedup();
        }
    }
}

/// The live ranges of every vreg.
fn build_ranges(problem: &Problem, points: &Points, live: &mut LiveRanges) {
    let blocks = problem.blocks.len();
    let mut walk = Walk { marks: vec![BlockMarks::default(); blocks], ..Walk::default() };
    live.ranges.reserve(live.vregs.len() * 3 / 2);
    live.range_spans.reserve(live.vregs.len());
    for vreg in 0..live.vregs.len() as u32 {
        let start = live.ranges.len();
        let span = live.occurrence_spans[vreg as usize];
        let occurrences = span.of(&live.occurrences);
        if let (Some(first), Some(last)) = (occurrences.first(), occurrences.last()) {
            if vreg as usize >= problem.vregs.len() {
                // A temporary of an added copy: filled in the gap, read by the instruction.
                live.ranges.push(Range { from: 2 * first.pos, to: 2 * first.pos + 1, tag: vreg });
                live.range_spans.push(Span::new(start, live.ranges.len()));
                continue;
            }
            let block = points.block_of(first.pos);
            let terminator_def = last.pos == points.terminator(points.block_of(last.pos));
            if block == points.block_of(last.pos) && !reads_first(occurrences) && !terminator_def {
                block_ranges(occurrences, None, None, vreg, &mut live.ranges, start);
            } else {
                global_ranges(problem, points, live, vreg, &mut walk);
            }
        }
        live.range_spans.push(Span::new(start, live.ranges.len()));
    }
}

/// Whether the first instruction among occurrences reads the vreg.
fn reads_first(occurrences: &[Occurrence]) -> bool {
    let pos = occurrences[0].pos;
    occurrences.iter().take_while(|o| o.pos == pos).any(|o| o.role.read_end(pos).is_some())
}

/// Walks backward from the blocks that read the vreg before they write it, then builds the ranges
/// block by block.
fn global_ranges(problem: &Problem, points: &Points, live: &mut LiveRanges, vreg: u32, walk: &mut Walk) {
    let start = live.ranges.len();
    let stamp = vreg + 1;
    let occurrences = live.occurrence_spans[vreg as usize].of(&live.occurrences);
    walk.touched.clear();
    walk.worklist.clear();
    for group in occurrences.chunk_by(|a, b| points.block_of(a.pos) == points.block_of(b.pos)) {
        let block = points.block_of(group[0].pos);
        walk.touched.push(block);
        if group.iter().any(|o| o.role.writes()) {
            walk.marks[block as usize].defines = stamp;
        }
        if reads_first(group) {
            walk.marks[block as usize].live_in = stamp;
            walk.worklist.push(block);
        }
    }
    while let Some(block) = walk.worklist.pop() {
        if block == 0 && live.undefined.last() != Some(&vreg) {
            live.undefined.push(vreg);
        }
        for &pred in problem.preds(BlockIndex::new(block as usize)) {
            let marks = &mut walk.marks[pred.index()];
            if marks.live_out == stamp {
                continue;
            }
            marks.live_out = stamp;
            walk.touched.push(pred.as_u32());
            if marks.defines != stamp && marks.live_in != stamp {
                marks.live_in = stamp;
                walk.worklist.push(pred.as_u32());
            }
        }
    }
    walk.order_touched(stamp);
    let mut rest = occurrences;
    for &block in &walk.touched {
        let end = points.block_end(block);
        let count = rest.partition_point(|o| o.pos * 2 < end);
        let (here, later) = rest.split_at(count);
        rest = later;
        let from = (walk.marks[block as usize].live_in == stamp).then(|| points.block_start(block));
        let to = (walk.marks[block as usize].live_out == stamp).then_some(end);
        block_ranges(here, from, to, vreg, &mut live.ranges, start);
    }
}

/// The ranges of a vreg in one block, given where it enters and leaves, appended to `ranges`, whose
/// part from `start` is the vreg's.
fn block_ranges(
    occurrences: &[Occurrence],
    enters: Option<u32>,
    leaves: Option<u32>,
    vreg: u32,
    ranges: &mut Vec<Range>,
    start: usize,
) {
    let mut from = enters;
    let mut to = enters.unwrap_or(0);
    for group in occurrences.chunk_by(|a, b| a.pos == b.pos) {
        let pos = group[0].pos;
        let (mut read, mut written, mut separate): (Option<u32>, Option<(u32, u32)>, bool) = (None, None, false);
        for occurrence in group {
            let role = occurrence.role;
            read = read.max(role.read_end(pos));
            if let Some((begins, least)) = role.written(pos) {
                written = Some(written.map_or((begins, least), |(b, l)| (begins.min(b), least.max(l))));
                separate |= role != Role::Mod;
            }
        }
        if let Some(read) = read {
            from = from.or(Some(read.saturating_sub(1)));
            to = to.max(read);
        }
        if let Some((begins, least)) = written {
            if separate && read.is_some_and(|read| read > begins) {
                base::bug!("an instruction overwrites {} while it still reads it", VReg::new(vreg as usize));
            }
            // The old value ends and the new one begins: two ranges even if they touch, unless the
            // instruction changes it in place.
            if separate || from.is_none() {
                if let Some(from) = from {
                    let range = Range { from, to: to.min(begins.max(from)), tag: vreg };
                    push_range(ranges, start, range, enters == Some(from));
                }
                from = Some(begins);
                to = least;
            } else {
                to = to.max(least);
            }
        }
    }
    if let Some(from) = from {
        let crosses = enters == Some(from);
        push_range(ranges, start, Range { from, to: leaves.unwrap_or(to), tag: vreg }, crosses);
    }
}

/// Appends a range; merges it with the one before if `may_join` and they touch.
fn push_range(ranges: &mut Vec<Range>, start: usize, range: Range, may_join: bool) {
    if range.from >= range.to {
        return;
    }
    let own = ranges.len() > start;
    match ranges.last_mut() {
        Some(last) if own && may_join && last.to == range.from => last.to = range.to,
        _ => ranges.push(range),
    }
}

/// Whether a vreg whose range ends with the instruction is read in the gap after it, or leaves the
/// block there: that is the end of a late use, too.
fn lives_on_in_gap(points: &Points, live: &LiveRanges, vreg: u32, pos: u32) -> bool {
    let own = &live.occurrences[live.occurrence_spans[vreg as usize].indices()];
    let next = &own[own.partition_point(|o| o.pos <= pos)..];
    let leaves = points.block_end(points.block_of(pos)) == 2 * pos + 2;
    leaves || next.iter().take_while(|o| o.pos == pos + 1).any(|o| o.role.reads_in_gap())
}

/// Where a tied use lives on and the other use of a commutative instruction ends there, ties the
/// other one: no copy is needed.
fn exchange_commutative(problem: &Problem, points: &Points, live: &mut LiveRanges) {
    for at in 0..live.copies.len() {
        let Copy { pos, src, dst } = live.copies[at];
        let other = src + 1;
        if live.ops[dst as usize].role != Role::DefTied {
            continue;
        }
        let inst = pos - points.block_of(pos) - 1;
        if !problem.insts[inst as usize].flags.contains(InstFlags::COMMUTATIVE) {
            continue;
        }
        let (kept, dying) = (live.ops[src as usize].vreg, live.ops[other as usize].vreg);
        let role = live.ops[other as usize].role;
        let Some(end) = role.read_end(pos).filter(|_| matches!(role, Role::UseEarly | Role::UseLate)) else { continue };
        if kept == dying
            || live.ops[other as usize].need == Need::Stack
            || live.range_at(kept, 2 * pos).is_none_or(|r| r.to <= 2 * pos + 1)
            || live.range_at(dying, 2 * pos).is_none_or(|r| r.to != end || r.from == 2 * pos)
            || lives_on_in_gap(points, live, dying, pos)
        {
            continue;
        }
        let operands = problem.operand_range(InstIndex::new(inst as usize));
        let alone = |vreg| operands.clone().filter(|&o| live.ops[o].vreg == vreg).count() == 1;
        if !(alone(kept) && alone(dying)) {
            continue;
        }
        live.ops[src as usize].vreg = dying;
        live.ops[other as usize].vreg = kept;
        for (vreg, from, to) in [(kept, src, other), (dying, other, src)] {
            let span = live.occurrence_spans[vreg as usize];
            let own = &mut live.occurrences[span.indices()];
            let first = own.partition_point(|o| o.pos < pos);
            let at = first + own[first..].iter().take_while(|o| o.pos == pos && o.op != from).count();
            own[at] = Occurrence::new(&live.ops, to, pos, own[at].frequency);
        }
        let span = live.range_spans[dying as usize];
        let own = &mut live.ranges[span.indices()];
        let index = own.partition_point(|r| r.to <= 2 * pos);
        own[index].to = 2 * pos;
    }
}
