//! Loops that fill or copy memory become `memset` and `memcpy`.
//!
//! A loop without branches whose only memory accesses are one store of an invariant byte pattern,
//! or one load and the store of what it loaded, each at an address that moves by its size per
//! iteration. The trip count follows from the counter's test; the block operation goes into the
//! preheader and the accesses go; what is left of the loop is for `loop_delete`. Copies need a
//! source that cannot overlap the destination.
//!
//! Not in functions that are themselves called `memset`, `memcpy`, `memmove` or `bzero`, and not
//! without a C library (`-ffreestanding`, `-fno-builtin`).
//!
//! Cost: linear.
//!
//! ```text
//! b1: i = phi [i64 0, b0], [n, b1]             b0: k = smax v1, i64 1
//!     q = ptradd p, i                     =>       memset p, i8 0, k
//!     store i8 0, q
//!     n = add.nsw i, i64 1
//!     c = icmp.slt n, v1
//! ```

use ir::analysis::sums::first_round::first_round;
use ir::analysis::sums::induction::{CountedLoop, Counter, counted_loop, counter, is_invariant};
use ir::analysis::sums::linear;
use ir::analysis::sums::trip_count::{TripCount, trip_count};
use ir::analysis::{Cfg, Loop, LoopRef, LoopTree};
use ir::{Block, Builder, Function, Inst, Opcode, Type, Value, flags};
use rustc_hash::FxHashMap;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::alias::AliasAnalysis;
use ir::effects::is_pure;

/// The pass.
pub const PASS: Pass = Pass::new("loop_idiom", run);

/// Loops that run at most so often are better unrolled.
const MIN_TRIPS: u64 = 8;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let loops = cx.analyses.loops(func);
    if loops.is_empty() || !cx.options.language.builtins || is_such_a_function(func, cx) {
        return Changed::Nothing;
    }
    let cfg = cx.analyses.cfg(func);
    let alias = cx.analyses.alias(func, cx.module, cx.options);
    let mut recognised = 0;
    for l in loops.loops() {
        if let Some(idiom) = Idiom::find(func, cx, &cfg, &alias, loops.at(l)) {
            let made = if matches!(idiom.what, What::Copy(_)) { "memcpy" } else { "memset" };
            cx.remark(PASS.name, cx.place(func, loops.at(l)), || format!("loop made {made}"));
            idiom.replace(func, &loops);
            recognised += 1;
        }
    }
    cx.statistics.add("loops made block operations", recognised);
    Changed::code_if(recognised > 0)
}

fn is_such_a_function(func: &Function, cx: &PassContext<'_>) -> bool {
    let symbol = &cx.module.symbols[func.symbol];
    let told = symbol.code.as_ref().is_some_and(|code| code.plain_loops);
    told || ["memset", "memcpy", "memmove", "bzero", "bcopy"].iter().any(|n| symbol.name.contains(n))
}

struct Idiom {
    l: Loop,
    counted: CountedLoop,
    trips: TripCount,
    counters: Vec<Counter>,
    store: Inst,
    size: i64,
    what: What,
}

enum What {
    Fill(u8),
    FillByte(Value),
    Copy(Inst),
}

impl Idiom {
    fn find(func: &Function, cx: &PassContext<'_>, cfg: &Cfg, alias: &AliasAnalysis, l: LoopRef<'_>) -> Option<Idiom> {
        let header = l.header();
        let counted = counted_loop(func, cfg, l)?;
        let trips = trip_count(func, cfg, &counted)?;
        if trips.known().is_some_and(|trips| trips < MIN_TRIPS) {
            return None;
        }
        let (store, load) = only_accesses(func, &straight_line(func, cfg, header, counted.latch)?)?;
        let stored = func.operand(store, 1);
        let ty = func.value_type(stored);
        let size = ty.store_size() as i64;
        let counters: Vec<Counter> =
            func.phis(header).filter_map(|phi| counter(func, phi, counted.preheader, counted.latch)).collect();
        let moves_by_size = |address: Value| linear(func, address).stride(func, l, &counters) == Some(size);
        if !moves_by_size(func.operand(store, 0)) {
            return None;
        }
        let what = match load {
            None => fill(func, stored, ty).filter(|_| is_invariant(func, l, stored))?,
            Some(load) => {
                let copies = func.first_result(load) == stored && func.has_one_use(stored);
                let apart = !alias.may_meet_later(func, cx.module, store, load);
                if !copies || !apart || !moves_by_size(func.operand(load, 0)) {
                    return None;
                }
                What::Copy(load)
            }
        };
        Some(Idiom { l: l.id, counted, trips, counters, store, size, what })
    }

    fn replace(&self, func: &mut Function, loops: &LoopTree) {
        let end = func.terminator(self.counted.preheader);
        let trips = self.trips.emit(func, end);
        let mut b = Builder::before(func, end);
        let bytes = if self.size == 1 {
            trips
        } else {
            let size = b.iconst(Type::I64, self.size);
            b.binary(Opcode::Mul, trips, size)
        };
        let destination = self.first_round(func, loops, self.store, end);
        let align = func.mem_info(self.store).align();
        match self.what {
            What::Fill(byte) => {
                let byte = func.iconst(Type::I8, byte as i64);
                Builder::before(func, end).mem_op(Opcode::MemSet, destination, byte, bytes, align, false);
            }
            What::FillByte(byte) => {
                Builder::before(func, end).mem_op(Opcode::MemSet, destination, byte, bytes, align, false);
            }
            What::Copy(load) => {
                let source = self.first_round(func, loops, load, end);
                let align = align.min(func.mem_info(load).align());
                Builder::before(func, end).mem_op(Opcode::MemCpy, destination, source, bytes, align, false);
            }
        }
        // What begins before the loop begins before what does its work.
        let work = func.prev_inst(end).expect("it was just put there");
        func.move_debug_values(end, work);
        func.remove_inst(self.store);
        if let What::Copy(load) = self.what {
            func.remove_inst(load);
        }
    }

    /// An access's address in the first iteration, computed before the loop.
    fn first_round(&self, func: &mut Function, loops: &LoopTree, access: Inst, end: Inst) -> Value {
        let starts = self.counters.iter().map(|counter| (func.first_result(counter.phi), counter.start));
        let mut known: FxHashMap<Value, Value> = starts.collect();
        let address = func.operand(access, 0);
        first_round(func, loops.at(self.l), &mut known, address, end, usize::MAX).expect("a sum of counters")
    }
}

/// The blocks of a loop without branches, from its header to its latch: rotation leaves the latch a
/// block of its own.
fn straight_line(func: &Function, cfg: &Cfg, header: Block, latch: Block) -> Option<Vec<Block>> {
    let mut blocks = vec![header];
    let mut last = header;
    while last != latch {
        let (Opcode::Br, [next]) = (func.insts[func.terminator(last)].opcode, cfg.succs(last)) else { return None };
        if cfg.preds(*next).len() != 1 {
            return None;
        }
        last = *next;
        blocks.push(last);
    }
    Some(blocks)
}

/// The only store of a straight line and at most one load before it, if it has no other effects.
fn only_accesses(func: &Function, blocks: &[Block]) -> Option<(Inst, Option<Inst>)> {
    let (mut store, mut load) = (None, None);
    for inst in blocks.iter().flat_map(|&b| func.block_insts(b)) {
        let data = func.insts[inst];
        let plain = !data.has(flags::VOLATILE | flags::NONTEMPORAL);
        match data.opcode {
            Opcode::Store if plain && store.is_none() => store = Some(inst),
            Opcode::Load if plain && load.is_none() && store.is_none() => load = Some(inst),
            Opcode::Phi | Opcode::Br | Opcode::CondBr => {}
            _ if is_pure(func, inst) => {}
            _ => return None,
        }
    }
    Some((store?, load))
}

/// The byte that every byte of a value is.
fn fill(func: &Function, stored: Value, ty: Type) -> Option<What> {
    if ty == Type::I8 && func.constant(stored).is_none() {
        return Some(What::FillByte(stored));
    }
    let bits = func.const_bits(stored)?;
    let size = ty.store_size();
    let byte = bits as u8;
    (size <= 16 && (0..size).all(|i| (bits >> (8 * i)) as u8 == byte)).then_some(What::Fill(byte))
}
