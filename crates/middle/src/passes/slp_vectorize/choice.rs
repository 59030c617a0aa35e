//! Which stores are worth a vector.

use ir::analysis::LoopTree;
use ir::{Block, Function, Inst, Opcode};
use platform::options::X86Features;
use rustc_hash::FxHashSet;

use super::graph::{Kind, Node};
use super::seeds::Seed;
use ir::costs;

/// The stores to replace, by number: all if that pays, as they may share vectors, else those that
/// pay alone.
pub fn choose(func: &Function, loops: &LoopTree, nodes: &[Node], seeds: &[Seed], roots: &[usize]) -> Vec<usize> {
    let whole = |index: &usize| match &nodes[roots[*index]] {
        // Two words of a copy, which may have been stored just before, are as good alone.
        Node { kind: Kind::Load(..), lanes, .. } => lanes.len() >= 4 || func.value_type(lanes[0]).store_size() < 8,
        node => matches!(node.kind, Kind::Op(..)),
    };
    let all: Vec<usize> = (0..seeds.len()).filter(whole).collect();
    let pays = |chosen: &[usize]| saved(func, loops, nodes, seeds, roots, chosen).is_some_and(|saved| saved >= 2);
    if pays(&all) {
        return all;
    }
    all.into_iter().filter(|&index| pays(&[index])).collect()
}

/// The vectors that these stores need.
pub fn needed(nodes: &[Node], roots: &[usize], chosen: &[usize]) -> Vec<bool> {
    let mut needed = vec![false; nodes.len()];
    chosen.iter().for_each(|&index| needed[roots[index]] = true);
    for (index, node) in nodes.iter().enumerate().rev() {
        if needed[index] {
            node.operands.iter().for_each(|&operand| needed[operand] = true);
        }
    }
    needed
}

/// Half instructions saved if these stores become vectors; `None` where a vector would be loaded
/// that was stored in parts.
fn saved(
    func: &Function,
    loops: &LoopTree,
    nodes: &[Node],
    seeds: &[Seed],
    roots: &[usize],
    chosen: &[usize],
) -> Option<i64> {
    let home = seeds.first()?.last;
    let depth = |inst: Inst| func.inst_block(inst).map_or(0, |block: Block| loops.depth(block));
    let needed = needed(nodes, roots, chosen);
    let used = || nodes.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(node, _)| node);
    let stores: FxHashSet<Inst> = chosen.iter().flat_map(|&i| seeds[i].stores.iter().copied()).collect();
    let mut gone: FxHashSet<Inst> = used().flat_map(|node| node.insts(func)).collect();
    // Scalars that vectors are put together from stay.
    for node in used().filter(|node| matches!(node.kind, Kind::Splat | Kind::Gather)) {
        node.lanes.iter().filter_map(|&lane| func.def_inst(lane)).for_each(|inst| {
            gone.remove(&inst);
        });
    }
    let internal: FxHashSet<Inst> = chosen.iter().flat_map(|&i| seeds[i].joins.iter().copied()).collect();
    // As do those that something else asks for, and what they are computed from.
    loop {
        let stays = |inst: &&Inst| {
            let result = func.first_result(**inst);
            func.uses(result)
                .any(|(user, _)| !gone.contains(&user) && !stores.contains(&user) && !internal.contains(&user))
        };
        let stay: Vec<Inst> = gone.iter().filter(stays).copied().collect();
        if stay.is_empty() {
            break;
        }
        stay.iter().for_each(|inst| {
            gone.remove(inst);
        });
    }
    // What is returned needs no joining of floats, but a copy of the upper half.
    let returned = chosen.iter().filter(|&&index| seeds[index].target.is_none()).count();
    let mut saved = 2 * (stores.len() + 2 * returned) as i64 - 2 * chosen.len() as i64;
    for node in used() {
        let lanes = node.lanes.len() as i64;
        let ty = func.value_type(node.lanes[0]);
        let outside = depth(node.before) < depth(home);
        if let Kind::Load(.., parts) = &node.kind
            && parts.iter().any(|part| !stores.contains(part))
        {
            return None;
        }
        if outside {
            continue;
        }
        let (cost, each) = match &node.kind {
            Kind::Constant => (0, 0),
            Kind::Splat => (if ty.is_int() { 4 } else { 2 }, 0),
            // Integers come from other registers, two at a time.
            Kind::Gather if ty.is_int() => match lanes {
                2 => (6, 0),
                4 => (18, 0),
                _ => return None,
            },
            Kind::Gather => (2 * (lanes - 1), 0),
            // Half of the loads are operands of what reads them.
            Kind::Load(..) => (2, 1),
            Kind::Op(opcode, _) => {
                let vector = match opcode {
                    Opcode::SiToFp | Opcode::FpToSi => 1,
                    _ => costs::operation(*opcode, ty, true, X86Features::default())?,
                };
                (2 * i64::from(vector), 2 * i64::from(costs::scalar(*opcode, ty)))
            }
        };
        let gone = node.insts(func).filter(|inst| gone.contains(inst)).count() as i64;
        saved += each * gone - cost;
    }
    Some(saved)
}
