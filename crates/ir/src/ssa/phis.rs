//! Simplification of phis to a fixed point, used after everything that makes or breaks them.
//!
//! A phi whose entries are one value (or itself, or undef) is that value: undef entries may be
//! ignored because an undef is an unknown value of our choosing, but only if the value left
//! dominates the phi. Webs of phis that only merge each other and one outside value are found as
//! strongly connected components (Braun et al., "Simple and Efficient Construction of Static Single
//! Assignment Form", 2013, section 3.2). Linear in the phis and their operands per level of nested
//! components.

use rustc_hash::FxHashMap;

use crate::analysis::{DominatorTree, components};
use crate::{Function, Inst, Opcode, Value};

/// Replaces the phis that have one entry. Returns how many were removed.
pub fn simplify_single_phis(func: &mut Function, dominators: &DominatorTree) -> u64 {
    let phis = func.blocks().flat_map(|b| func.phis(b)).filter(|&phi| func.num_operands(phi) == 1).collect();
    simplify_phis(func, dominators, phis)
}

/// Replaces trivial phis among `work` and whatever becomes trivial through it. Returns how many
/// were removed.
pub fn simplify_phis(func: &mut Function, dominators: &DominatorTree, mut work: Vec<Inst>) -> u64 {
    let mut removed = 0;
    work.reverse();
    while let Some(phi) = work.pop() {
        if func.inst_block(phi).is_none() || func.insts[phi].opcode != Opcode::Phi {
            continue;
        }
        let Some(value) = trivial_value(func, dominators, phi) else { continue };
        let result = func.first_result(phi);
        work.extend(
            func.uses(result).map(|u| u.0).filter(|&user| user != phi && func.insts[user].opcode == Opcode::Phi),
        );
        func.replace_result(phi, value);
        removed += 1;
    }
    removed
}

/// The one value that a phi merges, if there is one and it is available there.
fn trivial_value(func: &Function, dominators: &DominatorTree, phi: Inst) -> Option<Value> {
    let result = func.first_result(phi);
    let (mut only, mut undef) = (None, None);
    for value in func.operands(phi) {
        if value == result || Some(value) == only {
            continue;
        }
        if is_undef(func, value) {
            undef = Some(value);
        } else if only.is_some() {
            return None;
        } else {
            only = Some(value);
        }
    }
    let block = func.inst_block(phi).expect("phi is placed");
    match (only, undef) {
        (Some(value), None) => Some(value),
        (Some(value), Some(_)) => dominators.value_dominates_block(func, value, block).then_some(value),
        (None, Some(undef)) => dominators.value_dominates_block(func, undef, block).then_some(undef),
        (None, None) => None,
    }
}

/// Whether a value is the result of an `undef`.
pub fn is_undef(func: &Function, value: Value) -> bool {
    func.def_with(value, Opcode::Undef).is_some()
}

/// Components within components that are looked into, and iterations of looking; programs have two
/// or three.
const MAX_WEB_NESTING: usize = 8;

/// Replaces webs of phis that merge a single outside value. Returns how many phis were removed.
pub fn simplify_phi_webs(func: &mut Function, dominators: &DominatorTree) -> u64 {
    let mut removed = 0;
    for _ in 0..MAX_WEB_NESTING {
        let phis: Vec<Inst> = func.blocks().flat_map(|b| func.phis(b)).collect();
        let webs = simplify_webs_among(func, dominators, &phis, 0);
        removed += webs;
        // A phi of a web and of what the web merged is trivial now, and may close another web by
        // it.
        let trivial = if webs > 0 { simplify_phis(func, dominators, phis) } else { 0 };
        removed += trivial;
        if trivial == 0 {
            break;
        }
    }
    removed
}

/// The same for webs that lie within `phis`, at this level of nesting.
fn simplify_webs_among(func: &mut Function, dominators: &DominatorTree, phis: &[Inst], nesting: usize) -> u64 {
    let mut removed = 0;
    for web in phi_components(func, phis) {
        match simplify_web(func, dominators, &web) {
            Ok(count) => removed += count,
            // What merges only members of a web that merges more may be a web of its own. It goes
            // first: webs after may become one by that.
            Err(inner) if inner.len() > 1 && nesting < MAX_WEB_NESTING => {
                removed += simplify_webs_among(func, dominators, &inner, nesting + 1);
            }
            Err(_) => {}
        }
    }
    removed
}

/// Replaces the phis of a web by the one outside value that they merge, and says how many they
/// were; if there are several such values, the phis that merge none of them.
fn simplify_web(func: &mut Function, dominators: &DominatorTree, web: &[Inst]) -> Result<u64, Vec<Inst>> {
    let members: rustc_hash::FxHashSet<Value> = web.iter().map(|&phi| func.first_result(phi)).collect();
    let mut outside: Option<Value> = None;
    let mut several = false;
    for value in web.iter().flat_map(|&phi| func.operands(phi)).filter(|v| !members.contains(v)) {
        several |= outside.is_some_and(|o| o != value);
        outside = Some(value);
    }
    let Some(value) = outside.filter(|_| !several) else {
        let inner = |&phi: &Inst| func.operands(phi).all(|v| members.contains(&v));
        return Err(web.iter().copied().filter(inner).collect());
    };
    let available =
        |&phi: &Inst| dominators.value_dominates_block(func, value, func.inst_block(phi).expect("phi is placed"));
    if !web.iter().all(available) {
        return Ok(0);
    }
    for &phi in web {
        func.replace_all_uses(func.first_result(phi), value);
    }
    web.iter().for_each(|&phi| func.remove_inst(phi));
    Ok(web.len() as u64)
}

/// Strongly connected components, of two phis or more, among `phis` (edges: phi to phi operand); a
/// component comes after those that it merges values of.
fn phi_components(func: &Function, phis: &[Inst]) -> Vec<Vec<Inst>> {
    if phis.len() < 2 {
        return Vec::new();
    }
    let numbers: FxHashMap<Inst, usize> = phis.iter().enumerate().map(|(number, &phi)| (phi, number)).collect();
    let phi_of = |value: Value| func.def_inst(value).and_then(|inst| numbers.get(&inst).copied());
    let merged =
        |phi: usize, at: usize| (at < func.num_operands(phis[phi])).then(|| phi_of(func.operand(phis[phi], at)));
    let webs = components(phis.len(), merged).into_iter().filter(|component| component.len() > 1);
    webs.map(|component| component.into_iter().map(|number| phis[number]).collect()).collect()
}
