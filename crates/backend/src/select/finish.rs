//! The end of selection: everything turned around, machine blocks formed and numbered in layout
//! order, liveness of the flags marked.

use cranelift_entity::EntityRef;
use ir::Block;
use smallvec::SmallVec;

use super::{Plan, context::Ctx, debug_values::Records};
use crate::machine::flags::{reads_flags, writes_flags};
use crate::machine::{MBlock, MachineFunction, Op, bits};

/// Forms the machine function.
pub fn finish(cx: Ctx<'_>, plan: &Plan<'_>) -> MachineFunction {
    let mut builder =
        Builder { numbers: vec![u32::MAX; cx.func.num_blocks() + cx.extra_blocks as usize], ids: Vec::new() };
    let mut cx = cx;
    let mut out = std::mem::take(&mut cx.out);
    out.insts.reserve(cx.rev.len());
    out.locs.reserve(cx.rev.len());
    let mut segment_of = vec![(0u32, 0u32); cx.func.num_blocks()];
    for &(block, start, end) in &cx.segments {
        segment_of[block as usize] = (start, end);
    }
    let marks = std::mem::take(&mut cx.debug_marks);
    let mut records = Records::new(cx.func);
    out.described = cx.func.debug.is_some();
    out.arrivals = records.arrivals(&cx);
    let mut started = vec![false; cx.loops.len()];
    for &block in plan.order {
        let (start, end) = segment_of[block.index()];
        let mut marked = marks.partition_point(|m| m.0 <= end);
        let template = MBlock {
            frequency: plan.frequency[block.index()],
            loop_depth: cx.loops.depth(block).min(u32::from(u16::MAX)) as u16,
            loop_header: starts_loop(&cx, &mut started, block),
            ir_block: Some(block),
            ..MBlock::default()
        };
        builder.begin(&mut out, block.as_u32(), template.clone());
        for at in (start..end).rev() {
            let inst = cx.rev[at as usize];
            while let Some(&(_, before)) = marked.checked_sub(1).map(|i| &marks[i]).filter(|m| m.0 == at + 1) {
                marked -= 1;
                records.add(&cx, before, &mut out);
            }
            if inst.op == Op::BlockStart {
                builder.end(&mut out);
                let extra = MBlock { ir_block: None, loop_header: false, ..template.clone() };
                builder.begin(&mut out, inst.target(), extra);
                continue;
            }
            out.insts.push(inst);
            out.locs.push(cx.rev_locs[at as usize]);
        }
        builder.end(&mut out);
    }
    renumber(&mut out, &builder.numbers);
    out.labels = cx.func.labels.iter().map(|b: &Block| builder.numbers[b.index()]).collect();
    connect(&mut out);
    mark_flags(&mut out);
    out
}

/// Whether `block` is where its innermost loop starts in the order: the first of its blocks, be it
/// the header or what stands before it.
fn starts_loop(cx: &Ctx<'_>, started: &mut [bool], block: Block) -> bool {
    let innermost = cx.loops.innermost(block).filter(|l| !started[l.index()]);
    let mut around = innermost;
    while let Some(l) = around {
        started[l.index()] = true;
        around = cx.loops.parent(l);
    }
    innermost.is_some()
}

struct Builder {
    /// Machine block number of each block id.
    numbers: Vec<u32>,
    ids: Vec<u32>,
}

impl Builder {
    fn begin(&mut self, out: &mut MachineFunction, id: u32, block: MBlock) {
        self.numbers[id as usize] = out.blocks.len() as u32;
        self.ids.push(id);
        let start = out.insts.len() as u32;
        out.blocks.push(MBlock { start, end: start, ..block });
    }

    fn end(&mut self, out: &mut MachineFunction) {
        let end = out.insts.len() as u32;
        let block = out.blocks.last_mut().expect("a block was begun");
        debug_assert!(end > block.start, "empty machine block");
        block.end = end;
    }
}

/// Replaces block ids by machine block numbers.
fn renumber(out: &mut MachineFunction, numbers: &[u32]) {
    let map = |id: u32| numbers[id as usize];
    out.insts.iter_mut().chain(&mut out.remats).for_each(|inst| inst.map_targets(map));
    let lists = out.jump_targets.iter_mut().chain(out.jump_tables.iter_mut().map(|t| &mut t.targets));
    for target in lists.flatten() {
        *target = map(*target);
    }
    for site in &mut out.asms {
        site.labels.iter_mut().chain(&mut site.fallthrough).for_each(|target| *target = map(*target));
    }
}

/// Successor and predecessor lists.
fn connect(out: &mut MachineFunction) {
    let mut seen = vec![u32::MAX; out.blocks.len()];
    for number in 0..out.blocks.len() {
        let mut succs: SmallVec<[u32; 2]> = SmallVec::new();
        out.for_each_successor(number as u32, |target| {
            if seen[target as usize] != number as u32 {
                seen[target as usize] = number as u32;
                succs.push(target);
            }
        });
        for &succ in &succs {
            out.blocks[succ as usize].preds.push(number as u32);
        }
        out.blocks[number].succs = succs;
    }
    for at in 0..out.insts.len() {
        if out.insts[at].op == Op::BlockAddress {
            let target = out.insts[at].target() as usize;
            out.blocks[target].address_taken = true;
        }
    }
    for label in &out.labels {
        if let Some(block) = out.blocks.get_mut(*label as usize) {
            block.address_taken = true;
        }
    }
}

/// Sets [`bits::FLAGS_LIVE`] on the instructions after which the flags are still needed.
fn mark_flags(out: &mut MachineFunction) {
    for block in &out.blocks {
        let mut live = false;
        for inst in out.insts[block.start as usize..block.end as usize].iter_mut().rev() {
            if live {
                inst.bits |= bits::FLAGS_LIVE;
            }
            if writes_flags(inst) {
                live = false;
            }
            live |= reads_flags(inst);
        }
    }
}
