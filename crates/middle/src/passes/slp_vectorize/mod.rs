//! Straight-line vectorisation: neighbouring stores whose values are computed in the same way
//! become one store of a vector that is computed lane by lane (Larsen and Amarasinghe,
//! "Exploiting Superword Level Parallelism with Multimedia Instruction Sets", 2000).
//!
//! [`seeds`] finds stores that fill a register together, the halves of structures of four floats
//! that are returned, and copies of neighbours that fill a word. [`graph`] follows their values
//! upwards for as long as the lanes are equal operations of one block or loads of neighbours; what
//! is below is gathered from scalars, which is where it costs. [`choice`] decides which stores pay:
//! the operations that nothing else asks for are saved. [`emit`] puts the vector operations before
//! the last of the lanes.
//!
//! A vector that is loaded right after stores of its lanes waits for the cache, so loads count only
//! where no such store is near.
//!
//! ```text
//! store (fadd (load a), s), p            v: <2 x f64> = load a
//! store (fadd (load a+8), t), p+8   =>   store (fadd v, (s, t)), p
//! ```

mod choice;
mod emit;
mod graph;
mod seeds;

use ir::costs::is_lane;
use ir::{Block, Function, Opcode, flags};
use platform::options::Sanitizers;

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass { for_size: false, ..Pass::new("slp_vectorize", run) };

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let codegen = &cx.options.codegen;
    // What a check of an address reports is the access that the program makes.
    let as_written = cx.options.sanitize.checks(Sanitizers::ANY_ADDRESS);
    let wanted = codegen.vectorize.unwrap_or(true) && cx.has_sse(func) && !as_written;
    if !wanted || func.calls_setjmp {
        return Changed::Nothing;
    }
    let blocks: Vec<Block> =
        func.blocks().filter(|&b| stores_numbers(func, b) || seeds::returned(func, b).is_some()).collect();
    if blocks.is_empty() {
        return Changed::Nothing;
    }
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let dominators = cx.analyses.dominators(func);
    let loops = cx.analyses.loops(func);
    let mut vectors = 0;
    for block in blocks {
        let seeds = seeds::find(func, cx.module, &alias, block);
        if seeds.is_empty() {
            continue;
        }
        let mut graph = graph::Graph::new(func, cx.module, &alias, &dominators, &seeds);
        let roots: Vec<usize> = seeds.iter().filter_map(|seed| graph.build(&seed.lanes, 0)).collect();
        if roots.len() < seeds.len() {
            continue;
        }
        let nodes = graph.nodes;
        let chosen = choice::choose(func, &loops, &nodes, &seeds, &roots);
        vectors += chosen.len() as u64;
        if !chosen.is_empty() {
            let (count, place) = (chosen.len(), func.source_loc(seeds[0].last));
            cx.remark(PASS.name, place, || format!("{count} vectors in place of neighbours"));
        }
        emit::replace(func, &nodes, &seeds, &roots, &chosen);
    }
    cx.statistics.add("vectors stored", vectors);
    Changed::code_if(vectors > 0)
}

/// Whether a block stores numbers twice or more.
fn stores_numbers(func: &Function, block: Block) -> bool {
    let is_store = |inst: &ir::Inst| {
        let data = func.insts[*inst];
        data.opcode == Opcode::Store
            && !data.has(flags::VOLATILE | flags::NONTEMPORAL)
            && is_lane(func.value_type(func.operand(*inst, 1)))
    };
    func.block_insts(block).filter(is_store).nth(1).is_some()
}
