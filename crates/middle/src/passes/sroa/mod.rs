//! Scalar replacement of aggregates: splits an alloca whose address is used at constant offsets
//! into one alloca per independent part, so that mem2reg can promote the parts.
//!
//! **What it splits.** Allocas reached only by loads, stores, `memcpy`/`memmove`/`memset` of
//! constant size and lifetime markers, directly or through `ptradd` with constant offsets
//! ([`slices`]). Overlapping loads and stores are joined into one partition; block operations are
//! cut at partition borders.
//!
//! **What becomes of a partition** ([`rewrite`]).
//! - All accesses cover it with types of its width: a scalar slot; block operations on it become a
//!   load and a store.
//! - Some access covers it as an integer (or something convertible) of at most 8 bytes and others
//!   read or write parts: an integer slot; the parts become shifts and masks. This is what struct
//!   arguments in registers look like.
//! - Some access covers it as a vector of 16 bytes and others read or write lanes (of one width or
//!   several): a slot of that vector; the parts are taken out and put in. If that is done much more
//!   often than the vector is read or written, the lanes are scalar slots.
//! - Some access covers it as a word, and the parts are its halves and floats: two scalar slots;
//!   the whole is put together and taken apart.
//! - Only block operations touch it, each of them all of it, and it is a word or two: scalar slots
//!   (of 16 bytes, too); what was copied to and fro passes through registers.
//! - Otherwise: a smaller memory slot.
//!
//! Aggregate parameters that the caller left in memory are treated likewise where the function
//! changes them ([`byval`]; `--no-byval-mem2reg`).
//!
//! Volatile accesses keep an alloca whole. Linear in accesses times partitions a block operation
//! covers.
//!
//! ```text
//! v1 = alloca 8 align 4                 v1 = alloca 4 align 4
//! store v1, v0 align 4                  v2 = alloca 4 align 4
//! v2 = ptradd v1, i64 4          =>     store v1, v0 align 4
//! store v2, i32 0 align 4               store v2, i32 0 align 4
//! ```

mod byval;
mod rewrite;
mod slices;

use ir::{Function, Inst, Opcode};
use slices::{Form, SliceKind};

use crate::pass::{Changed, Pass, PassContext};

/// The pass.
pub const PASS: Pass = Pass::new("sroa", run);

/// Allocas beyond this size are left alone: parts of large arrays are rarely worth a register.
pub const MAX_SPLIT_BYTES: u64 = 1024;

/// Whether a debugger is to know what an alloca holds that is never read: `mem2reg` removes its
/// parts, then, and records what was stored. The code is the same.
fn is_told_of(func: &Function, alloca: Inst, slices: &[slices::Slice], vectors: bool) -> bool {
    let described = func.debug.as_ref().is_some_and(|debug| debug.in_allocas().any(|place| place.0 == alloca));
    if !described || slices.iter().any(|s| s.kind == SliceKind::Block) {
        return false;
    }
    let stored = slices::partition(func, alloca, slices, vectors);
    !stored.is_empty() && stored.iter().all(|p| matches!(p.form, Form::Scalar(_)))
}

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let vectors = cx.has_sse(func);
    let mut changed = cx.options.promotion.byval && byval::split_parameters(func, cx);
    changed |= cx.options.promotion.byval && byval::copy_arguments(func, cx);
    let mut allocas = func.insts_with(|opcode| opcode == Opcode::Alloca);
    allocas.retain(|&alloca| func.alloca_info(alloca).0 <= MAX_SPLIT_BYTES);
    for alloca in allocas {
        let Some(slices) = slices::collect(func, alloca) else { continue };
        if slices::is_never_read(func, &slices) && !is_told_of(func, alloca, &slices, vectors) {
            rewrite::erase(func, alloca, &slices);
            cx.statistics.add("unread aggregates removed", 1);
            changed = true;
            continue;
        }
        let partitions = slices::partition(func, alloca, &slices, vectors);
        if rewrite::is_worthwhile(func, alloca, &slices, &partitions) {
            rewrite::rewrite(func, alloca, slices, &partitions);
            cx.statistics.add("aggregates split", 1);
            cx.statistics.add("parts of split aggregates", partitions.len() as u64);
            changed = true;
        }
    }
    Changed::code_if(changed)
}
