//! A function as gcov's graph: blocks, arcs, and which arcs are counted.
//!
//! A block of the IR becomes several where calls stand in it that may not return: an arc leads from
//! each of them to the end of the function, besides the one to what comes after it. So a line after
//! `exit()` is not taken for executed. Computed jumps leave the function and enter it again, for
//! there is no edge to put a counter on.

use base::Loc;
use ir::{Block, FnAttrs, Function, Inst, InstView, Opcode, SymbolId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Place, checksum};

/// Where an arc's counter goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// Nowhere: the arc is none of the program's.
    None,
    /// Before an instruction.
    Before(Inst),
    /// On an edge between two blocks of the IR.
    Edge(Block, Block),
}

/// An arc of the graph.
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    /// The block that it leads to.
    pub to: usize,
    /// It is part of the spanning tree: its count follows from others.
    pub on_tree: bool,
    /// It stands for what happens outside of the graph.
    pub is_fake: bool,
    /// No jump is needed.
    pub falls_through: bool,
    /// Where it is counted.
    pub site: Site,
    /// How deep in loops it is: such arcs come to the tree first.
    depth: u32,
}

impl Arc {
    fn new(to: usize, site: Site) -> Arc {
        Arc { to, on_tree: false, is_fake: false, falls_through: false, site, depth: 0 }
    }

    fn fake(to: usize) -> Arc {
        Arc { is_fake: true, ..Arc::new(to, Site::None) }
    }

    /// A fake arc that is not on the tree cannot be counted: the graph is without it.
    pub fn is_ignored(&self) -> bool {
        self.is_fake && !self.on_tree
    }

    /// Whether it has a counter.
    pub fn is_counted(&self) -> bool {
        !self.on_tree && !self.is_fake
    }
}

/// A block of the graph.
#[derive(Default, Debug)]
pub struct Node {
    /// Arcs to others, in order.
    pub arcs: Vec<Arc>,
    /// The lines its statements are on, in order.
    pub lines: Vec<(Box<str>, u32)>,
}

/// The graph of a function.
#[derive(Debug)]
pub struct Graph {
    /// Its blocks; the first is where it is entered, the second where it is left.
    pub blocks: Vec<Node>,
}

impl Graph {
    /// The block where the function is entered.
    pub const ENTRY: usize = 0;
    /// The block at the function's end.
    pub const EXIT: usize = 1;

    /// The graph of `func`, which starts at `start`. `fork` is the function of that name:
    /// what comes after a call of it is executed twice.
    pub fn of(func: &Function, fork: Option<SymbolId>, start: &Place, place: &dyn Fn(Loc) -> Option<Place>) -> Graph {
        let order = func.blocks().enumerate().map(|(at, block)| (block, at)).collect();
        let blocks = vec![Node::default(), Node::default()];
        let mut out = Maker { func, fork, place, order, blocks, first: FxHashMap::default() };
        out.number();
        let entry = out.first[&func.entry()];
        let before_entry = func.first_inst(func.entry()).map_or(Site::None, Site::Before);
        out.blocks[Graph::ENTRY].arcs.push(Arc { falls_through: true, ..Arc::new(entry, before_entry) });
        let hidden = hidden_slots(func);
        let first = out.where_it_starts(entry, &hidden);
        out.blocks[first].lines.push((start.file.clone(), start.line));
        for block in func.blocks().filter(|&block| out.forwards_to(block).is_none()).collect::<Vec<_>>() {
            out.block(block, &hidden);
        }
        let mut graph = Graph { blocks: out.blocks };
        graph.weigh(func);
        graph.span();
        graph
    }

    /// Counters needed.
    pub fn counters(&self) -> impl Iterator<Item = Site> + '_ {
        self.blocks.iter().flat_map(|block| &block.arcs).filter(|arc| arc.is_counted()).map(|arc| arc.site)
    }

    /// A number that changes with the graph.
    pub fn checksum(&self) -> u32 {
        let mut sum = self.blocks.len() as u32;
        for (at, block) in self.blocks.iter().enumerate() {
            sum = checksum::byte(sum, at as u8);
            sum = block.arcs.iter().fold(sum, |sum, arc| checksum::byte(sum, arc.to as u8));
        }
        sum
    }

    /// Arcs into inner loops come first to the tree.
    fn weigh(&mut self, func: &Function) {
        let cfg = ir::analysis::Cfg::compute(func);
        let dominators = ir::analysis::DominatorTree::compute(func, &cfg);
        let loops = ir::analysis::LoopTree::compute(func, &cfg, &dominators);
        for arc in self.blocks.iter_mut().flat_map(|block| &mut block.arcs) {
            let block = match arc.site {
                Site::None => None,
                Site::Before(inst) => func.inst_block(inst),
                Site::Edge(from, _) => Some(from),
            };
            arc.depth = block.map_or(0, |block| loops.depth(block));
        }
    }

    /// Chooses the spanning tree: arcs to the end and fake ones, which should have no counter, then
    /// the deepest, then in order.
    fn span(&mut self) {
        let mut parents: Vec<usize> = (0..self.blocks.len()).collect();
        join(&mut parents, Graph::ENTRY, Graph::EXIT);
        let mut order = Vec::new();
        for (from, block) in self.blocks.iter().enumerate() {
            for (index, arc) in block.arcs.iter().enumerate() {
                let first = !(arc.is_fake || arc.to == Graph::EXIT);
                order.push((first, std::cmp::Reverse(arc.depth), from, index));
            }
        }
        order.sort_unstable();
        for (_, _, from, index) in order {
            let arc = &mut self.blocks[from].arcs[index];
            arc.on_tree = join(&mut parents, from, arc.to);
        }
    }
}

/// Joins the sets of two blocks; false if they are one already.
fn join(parents: &mut [usize], a: usize, b: usize) -> bool {
    let (a, b) = (root(parents, a), root(parents, b));
    parents[a] = b;
    a != b
}

fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

struct Maker<'a> {
    func: &'a Function,
    fork: Option<SymbolId>,
    place: &'a dyn Fn(Loc) -> Option<Place>,
    /// The blocks' positions in the code.
    order: FxHashMap<Block, usize>,
    blocks: Vec<Node>,
    /// The first block of the graph for each of the function's.
    first: FxHashMap<Block, usize>,
}

impl Maker<'_> {
    /// Gives the blocks their numbers, in the order of the code. A block that is nothing but a jump
    /// goes by the number of the one it leads to: to gcov it would part what is on one line.
    fn number(&mut self) {
        let func = self.func;
        let mut next = 2;
        let mut jumps = Vec::new();
        for block in func.blocks() {
            if let Some(to) = self.forwards_to(block) {
                jumps.push((block, to));
                continue;
            }
            self.first.insert(block, next);
            next += 1
                + usize::from(self.is_jumped_to(block))
                + func.block_insts(block).filter(|&i| ends(func, i, self.fork)).count();
        }
        self.blocks.resize_with(next, Node::default);
        let leads_to: FxHashMap<Block, Block> = jumps.iter().copied().collect();
        for (block, to) in jumps {
            let mut end = to;
            while let Some(&next) = leads_to.get(&end) {
                end = next;
            }
            let number = self.first[&end];
            self.first.insert(block, number);
        }
    }

    /// Where a block leads that is nothing but a jump that no statement is, to a later block, so
    /// that there are no cycles of them. One at a named label stays, as in gcc (its PR 90574).
    fn forwards_to(&self, block: Block) -> Option<Block> {
        let func = self.func;
        let terminator = func.terminator(block);
        let is_empty = func.first_inst(block) == Some(terminator)
            && func.source_loc(terminator).is_none()
            && block != func.entry()
            && !self.is_jumped_to(block)
            && !func.label_lines.iter().any(|line| line.0 == block && line.2);
        match func.view(terminator) {
            InstView::Br { dest } if is_empty && self.order[&dest] > self.order[&block] => Some(dest),
            _ => None,
        }
    }

    /// The block of the graph that has the line of the function's name: the one that the entry
    /// leads to where nothing happens before it.
    fn where_it_starts(&self, entry: usize, hidden: &FxHashSet<Value>) -> usize {
        let func = self.func;
        let terminator = func.terminator(func.entry());
        let mut before = func.block_insts(func.entry()).filter(|&inst| inst != terminator);
        match func.view(terminator) {
            InstView::Br { dest }
                if func.source_loc(terminator).is_none() && func.next_block(func.entry()) == Some(dest) =>
            {
                let is_empty = before.all(|inst| is_silent(func, inst, hidden));
                let is_labelled = func.label_lines.iter().any(|line| line.0 == func.entry());
                if is_empty && !is_labelled && !self.is_jumped_to(dest) { self.first[&dest] } else { entry }
            }
            _ => entry,
        }
    }

    /// Whether computed jumps lead to a block.
    fn is_jumped_to(&self, block: Block) -> bool {
        self.func.labels.contains(&block)
    }

    fn block(&mut self, block: Block, hidden: &FxHashSet<Value>) {
        let func = self.func;
        let mut at = self.first[&block];
        if self.is_jumped_to(block) {
            self.blocks[Graph::ENTRY].arcs.push(Arc::fake(at));
            let site = func.first_inst(block).map_or(Site::None, Site::Before);
            self.blocks[at].arcs.push(Arc { falls_through: true, ..Arc::new(at + 1, site) });
            at += 1;
        }
        let number = self.first[&block];
        let labels = func.label_lines.iter().filter(|line| self.first.get(&line.0) == Some(&number));
        for &(_, loc, _) in labels.collect::<Vec<_>>() {
            self.line(at, loc);
        }
        for inst in func.block_insts(block) {
            if !is_silent(func, inst, hidden) {
                self.line(at, func.source_loc(inst));
            }
            if !ends(func, inst, self.fork) {
                continue;
            }
            let next = func.next_inst(inst).map_or(Site::None, Site::Before);
            let arcs = [Arc { falls_through: true, ..Arc::new(at + 1, next) }, Arc::fake(Graph::EXIT)];
            self.blocks[at].arcs.extend(arcs);
            at += 1;
        }
        if at > self.first[&block] && self.blocks[at].lines.is_empty() {
            // What comes after a call is part of its line.
            let line = self.blocks[at - 1].lines.last().cloned();
            self.blocks[at].lines.extend(line);
        }
        let terminator = func.terminator(block);
        match func.view(terminator) {
            InstView::Ret { .. } => self.blocks[at].arcs.push(Arc::new(Graph::EXIT, Site::Before(terminator))),
            InstView::IndirectBr { .. } => self.blocks[at].arcs.push(Arc::fake(Graph::EXIT)),
            _ if func.insts[terminator].opcode == Opcode::Unreachable => {
                self.blocks[at].arcs.push(Arc::fake(Graph::EXIT));
            }
            _ => {
                let next = func.next_block(block);
                for target in func.targets(block) {
                    let arc = Arc::new(self.first[&target], Site::Edge(block, target));
                    self.blocks[at].arcs.push(Arc { falls_through: next == Some(target), ..arc });
                }
            }
        }
    }

    /// Notes the line of a statement of the source.
    fn line(&mut self, at: usize, loc: Loc) {
        let Some(place) = (!loc.is_none()).then(|| (self.place)(loc)).flatten() else { return };
        let lines = &mut self.blocks[at].lines;
        if !lines.iter().any(|(file, line)| *line == place.line && *file == place.file) {
            lines.push((place.file, place.line));
        }
    }
}

/// Whether an instruction ends a block of the graph: a call that may not come back, or assembly.
fn ends(func: &Function, inst: Inst, fork: Option<SymbolId>) -> bool {
    let may_stay_away = match func.insts[inst].opcode {
        Opcode::Call => {
            let attrs = func.call_info(inst).attrs;
            let callee = func.const_symbol(func.list(inst)[0]).map(|(symbol, _)| symbol);
            !(attrs.has(FnAttrs::LIBRARY) && attrs.has(FnAttrs::NOTHROW)) || fork.is_some() && callee == fork
        }
        Opcode::Asm => func.asm(inst).volatile,
        _ => false,
    };
    let next = func.next_inst(inst).map(|next| func.insts[next].opcode);
    may_stay_away && next.is_some_and(|next| next != Opcode::Unreachable)
}

/// Local variables that gcc would have in registers: nothing but loads and stores uses their slots.
fn hidden_slots(func: &Function) -> FxHashSet<Value> {
    let mut slots: FxHashSet<Value> =
        func.insts_with(|op| op == Opcode::Alloca).into_iter().map(|inst| func.first_result(inst)).collect();
    for inst in func.all_insts() {
        let opcode = func.insts[inst].opcode;
        if matches!(opcode, Opcode::LifetimeStart | Opcode::LifetimeEnd | Opcode::Keep) {
            continue;
        }
        for (index, value) in func.operands(inst).enumerate() {
            let is_access = index == 0 && matches!(opcode, Opcode::Load | Opcode::Store);
            if !is_access || func.insts[inst].is_volatile() {
                slots.remove(&value);
            }
        }
    }
    slots
}

/// Whether an instruction is no statement of its own for gcc: what only says where things are, the
/// values of variables in registers, parameters that arrive, jumps that no `goto` made.
fn is_silent(func: &Function, inst: Inst, hidden: &FxHashSet<Value>) -> bool {
    match func.view(inst) {
        InstView::Load { addr, .. } => hidden.contains(&addr),
        InstView::Store { addr, value, .. } => {
            let is_result = || {
                let before = func.prev_inst(inst).filter(|&call| func.insts[call].opcode == Opcode::Call);
                before.is_some() && func.def_inst(value) == before
            };
            hidden.contains(&addr) && (func.params().contains(&value) || is_result())
        }
        _ => matches!(
            func.insts[inst].opcode,
            Opcode::Alloca
                | Opcode::LifetimeStart
                | Opcode::LifetimeEnd
                | Opcode::Keep
                | Opcode::StackSave
                | Opcode::StackRestore
                | Opcode::Unreachable
        ),
    }
}
