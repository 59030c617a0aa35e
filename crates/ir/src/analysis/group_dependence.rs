//! Whether memory accesses of a loop may run in groups of consecutive iterations.
//!
//! In vector form each access runs for `lanes` iterations before the next access in program order
//! runs at all. That is wrong exactly if an access touches a byte that an access after it in
//! program order has touched in an earlier iteration of the group, and one of them writes. Two
//! addresses with a constant distance and the same change per iteration are tried for every such
//! pair of iterations; others must be told apart by alias analysis, or by a check at run time: of
//! their distance, if they change alike (an array that is updated in place passes that), or of the
//! ranges that they run through.

use smallvec::SmallVec;

use super::sums::{Linear, Term};
use crate::{Function, Inst, Linkage, Module, Opcode, SymbolDef};

/// Iterations between a store and a load of part of what it stored, in multiples of the group, for
/// which the processor's store buffer has probably been emptied.
const FORWARDING_GROUPS: i64 = 8;

/// Checks before a loop; gcc's limit is the same.
pub const MAX_CHECKS: usize = 10;

/// A load or store of the loop.
#[derive(Clone, Debug)]
pub struct MemoryAccess {
    /// The instruction.
    pub inst: Inst,
    /// Its address.
    pub address: Linear,
    /// Bytes per iteration.
    pub size: i64,
    /// Whether it is a store.
    pub writes: bool,
    /// Whether every iteration runs it.
    pub unconditional: bool,
}

/// Accesses whose distances are constant: one range of bytes at run time.
#[derive(Clone, Debug)]
pub struct Group {
    /// The access the others are measured from.
    pub access: MemoryAccess,
    /// Distance of the lowest.
    pub low: i64,
    /// Distance of the end of the highest.
    pub high: i64,
}

/// Two groups that must not be in each other's way.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Indices into the groups.
    pub groups: (usize, usize),
    /// If all their addresses change alike: how far the second one's may not lie after the first
    /// one's, exclusive bounds. Else their ranges must not overlap.
    pub harmful: Option<(i64, i64)>,
}

/// What must be checked before the loop.
#[derive(Clone, Default, Debug)]
pub struct Checks {
    /// Ranges.
    pub groups: Vec<Group>,
    /// Pairs.
    pub pairs: Vec<Pair>,
}

/// Decides for groups of `lanes` iterations. `None`: they are wrong, or need more checks than a
/// loop may have. `may_meet` tells whether it matters which of two accesses at an unknown distance,
/// the first of which is earlier in an iteration, runs first.
pub fn checks_needed(may_meet: impl Fn(Inst, Inst) -> bool, accesses: &[MemoryAccess], lanes: i64) -> Option<Checks> {
    let mut checks = Checks::default();
    let mut group_of: SmallVec<[Option<usize>; 16]> = SmallVec::from_elem(None, accesses.len());
    for (late, second) in accesses.iter().enumerate() {
        for (early, first) in accesses[..late].iter().enumerate() {
            if !first.writes && !second.writes {
                continue;
            }
            match first.address.distance_to(&second.address) {
                Some(distance) if !is_safe(first, second, distance, lanes) => return None,
                Some(_) => {}
                None if may_meet(first.inst, second.inst) => {
                    let pair = (
                        group(&mut checks.groups, &mut group_of, accesses, early),
                        group(&mut checks.groups, &mut group_of, accesses, late),
                    );
                    if pair.0 == pair.1 || checks.pairs.len() > MAX_CHECKS {
                        return None;
                    }
                    checks.add(pair, first, second, lanes);
                }
                None => {}
            }
        }
    }
    (checks.pairs.len() <= MAX_CHECKS).then_some(checks)
}

impl Checks {
    /// Adds what must hold for an access of one group and one of another after it in program order.
    fn add(&mut self, groups: (usize, usize), first: &MemoryAccess, second: &MemoryAccess, lanes: i64) {
        let offset =
            |group: usize, access: &MemoryAccess| self.groups[group].access.address.distance_to(&access.address);
        let apart = offset(groups.1, second).zip(offset(groups.0, first)).map(|(s, f)| s.wrapping_sub(f));
        // Of the two accesses, and then of their groups.
        let harmful =
            harmful_distances(first, second, lanes).zip(apart).map(|((low, high), apart)| (low - apart, high - apart));
        let same = |p: &&mut Pair| p.groups == groups;
        let turned = |p: &&mut Pair| p.groups == (groups.1, groups.0);
        if let Some(known) = self.pairs.iter_mut().find(same) {
            known.harmful = hull(known.harmful, harmful);
        } else if let Some(known) = self.pairs.iter_mut().find(turned) {
            known.harmful = hull(known.harmful, harmful.map(|(low, high)| (-high, -low)));
        } else {
            self.pairs.push(Pair { groups, harmful });
        }
    }
}

fn hull(a: Option<(i64, i64)>, b: Option<(i64, i64)>) -> Option<(i64, i64)> {
    a.zip(b).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)))
}

/// Between which distances `second` may not lie after `first`, both exclusive, if that can be said:
/// both move up by the same number of bytes, at least their sizes. In groups of iterations, `first`
/// would touch too early what `second` touches, if that is ahead of it by less than a group;
/// further ahead, or not at all, nothing changes its order.
fn harmful_distances(first: &MemoryAccess, second: &MemoryAccess, lanes: i64) -> Option<(i64, i64)> {
    let step = first.address.step;
    let alike = step == second.address.step && step >= first.size.max(second.size) && step < 1 << 20;
    alike.then_some((0, step * lanes))
}

/// Whether `first` may run for a whole group of iterations before `second` does.
fn is_safe(first: &MemoryAccess, second: &MemoryAccess, distance: i64, lanes: i64) -> bool {
    let step = first.address.step;
    // `first` in iteration j + k touches what `second` touches in iteration j.
    let meet = |k: i64| {
        let apart = distance.wrapping_sub(step.wrapping_mul(k));
        apart < first.size && -second.size < apart
    };
    if step.unsigned_abs() > 1 << 30 {
        return false;
    }
    if distance.unsigned_abs() > 1 << 40 {
        return true;
    }
    if (1..lanes).any(meet) {
        return false;
    }
    // A load that gets its lanes from two recent stores waits for both, as long as about eight
    // iterations with one lane take: fewer of narrow elements, whose operations take longer.
    let splits = first.writes != second.writes && first.address.step != 0;
    let nearest = if lanes <= 2 * first.size.max(2) { 1 } else { lanes };
    !splits || (nearest..lanes * FORWARDING_GROUPS).all(|k| k % lanes == 0 || !meet(if first.writes { -k } else { k }))
}

/// The group of an access, made if there is none.
fn group(groups: &mut Vec<Group>, of: &mut [Option<usize>], accesses: &[MemoryAccess], index: usize) -> usize {
    if let Some(found) = of[index] {
        return found;
    }
    let access = &accesses[index];
    for (at, group) in groups.iter_mut().enumerate() {
        if let Some(distance) = group.access.address.distance_to(&access.address) {
            group.low = group.low.min(distance);
            group.high = group.high.max(distance + access.size);
            of[index] = Some(at);
            return at;
        }
    }
    groups.push(Group { access: access.clone(), low: 0, high: access.size });
    of[index] = Some(groups.len() - 1);
    groups.len() - 1
}

/// Whether a load that some iterations do not run may run in all of them: a load or store of the
/// same bytes runs in each, or the object is known and large enough for all iterations.
pub fn may_load_always(
    func: &Function,
    module: &Module,
    accesses: &[MemoryAccess],
    load: &MemoryAccess,
    trips: Option<u64>,
) -> bool {
    let same =
        |a: &&MemoryAccess| a.unconditional && a.size >= load.size && a.address.distance_to(&load.address) == Some(0);
    if accesses.iter().any(|a| same(&a)) {
        return true;
    }
    let Some(trips) = trips.and_then(|t| i64::try_from(t).ok()) else { return false };
    let [(term, 1)] = load.address.terms[..] else { return false };
    let Some(size) = object_bytes(func, module, term) else { return false };
    let first = load.address.constant;
    let last = load.address.step.checked_mul(trips - 1).and_then(|way| first.checked_add(way));
    last.is_some_and(|last| first.min(last) >= 0 && first.max(last).saturating_add(load.size) as u64 <= size)
}

fn object_bytes(func: &Function, module: &Module, term: Term) -> Option<u64> {
    match term {
        Term::Symbol(symbol) => match module.symbols[symbol].def {
            SymbolDef::Data(id) if module.symbols[symbol].linkage != Linkage::Weak => Some(module.data[id].size),
            _ => None,
        },
        Term::Value(value) => {
            let inst = func.def_inst(value)?;
            (func.insts[inst].opcode == Opcode::Alloca).then(|| func.alloca_info(inst).0)
        }
        Term::Signed(_) | Term::Unsigned(_) => None,
    }
}
