//! Merging of narrow memory accesses: bytes that are read one by one and joined to a word become
//! one load, neighbouring stores of constants or of the parts of one word become one store; where
//! the order of the bytes is not the machine's, a `bswap` stands beside it.
//!
//! [`loads`] starts from sums, `or`s and `xor`s of shifted narrow loads; [`stores`] walks each
//! block with the stores that could still be joined. Accesses of one block only, with nothing
//! between them that may touch the bytes. (gcc: `-fstore-merging` and its `bswap` pass.)
//!
//! [`narrow`] is for words of which only a part is used; where that is not the low one, after
//! straight-line code has become vectors, whose lanes are words.
//!
//! Runs late: loads of single fields have been forwarded from single stores by then.
//!
//! Cost: linear; trees, groups and distances are bounded by constants.
//!
//! ```text
//! v1: i8 = load p          v2: i8 = load p + 1            v7: i16 = load p
//! v3: i32 = zext v1        v4: i32 = zext v2        =>    v6: i32 = zext v7
//! v5: i32 = shl v4, 8      v6: i32 = or v3, v5
//!
//! store p, i32 1           store p + 4, i32 0       =>    store p, i64 1
//! ```

mod loads;
mod narrow;
mod pairs;
pub(super) mod stores;

use ir::{Block, Function, Inst, Opcode, Type};

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("merge_accesses", run);

/// The same for parts of words that are not the low one.
pub const PARTS: Pass = Pass { run: narrow_parts, ..PASS };

fn narrow_parts(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let shifts = func.insts_with(|opcode| opcode == Opcode::LShr);
    let narrowed = shifts.into_iter().filter(|&shift| narrow::narrow_shifted(func, shift)).count() as u64;
    cx.statistics.add("loads narrowed", narrowed);
    Changed::code_if(narrowed > 0)
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let mut alias = None;
    let (mut merged_loads, mut merged_stores, mut narrowed, mut split) = (0, 0, 0, 0);
    let blocks: Vec<_> = func.blocks().collect();
    for block in blocks {
        let found = candidates(func, block);
        narrowed += found.truncated.iter().filter(|&&load| narrow::narrow(func, load)).count() as u64;
        split += found.pairs.iter().filter(|&&cast| pairs::split(func, cast)).count() as u64;
        if found.roots.is_empty() && found.stores < 2 {
            continue;
        }
        let alias = &*alias.get_or_insert_with(|| cx.analyses.alias(func, cx.module, cx.options));
        merged_loads += loads::merge(func, cx.module, alias, &found.roots);
        if found.stores >= 2 {
            merged_stores += stores::merge(func, cx.module, alias, block);
        }
    }
    cx.statistics.add("loads merged", merged_loads);
    cx.statistics.add("stores merged", merged_stores);
    cx.statistics.add("loads narrowed", narrowed);
    cx.statistics.add("loads split", split);
    Changed::code_if(merged_loads + merged_stores + narrowed + split > 0)
}

/// What may be merged in a block.
struct Candidates {
    /// Joins of values, last first.
    roots: Vec<Inst>,
    /// Number of stores of constants and parts.
    stores: usize,
    /// Loads whose value is truncated, for each truncation.
    truncated: Vec<Inst>,
    /// Loaded `f64` whose bits are asked for.
    pairs: Vec<Inst>,
}

fn candidates(func: &Function, block: Block) -> Candidates {
    let mut found = Candidates { roots: Vec::new(), stores: 0, truncated: Vec::new(), pairs: Vec::new() };
    let mut loads = 0;
    for inst in func.block_insts_rev(block) {
        match func.insts[inst].opcode {
            Opcode::Or | Opcode::Xor | Opcode::Add if loads::may_be_root(func, inst) => found.roots.push(inst),
            Opcode::Store if stores::source(func, inst).is_some() => found.stores += 1,
            Opcode::Trunc => {
                let load = func.def_with(func.operand(inst, 0), Opcode::Load);
                found.truncated.extend(load);
            }
            Opcode::Bitcast if func.insts[inst].ty == Type::I64 => {
                let load = func.def_with(func.operand(inst, 0), Opcode::Load);
                found.pairs.extend(load.filter(|&load| func.insts[load].ty == Type::F64).map(|_| inst));
            }
            Opcode::Load => loads += usize::from(func.insts[inst].ty.bits() < 64),
            _ => {}
        }
    }
    if loads < 2 {
        found.roots.clear();
    }
    found
}
