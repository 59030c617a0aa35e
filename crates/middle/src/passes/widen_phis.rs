//! Variables that are widened wherever they are used live in registers of the width they are used
//! in: those of 8 and 16 bits, and those of 32 bits that are indices.
//!
//! C computes in `int`: each use of an `unsigned char` or `unsigned short` variable is widened, and
//! what is assigned to it cut off. A register holds the narrow value with anything above it, so
//! each of these extensions is an instruction, in loops on the way from iteration to iteration. It
//! is the same with signed ones, and with an `int` or `unsigned` that no counter is, each time that
//! it becomes part of an address.
//!
//! **Webs.** Phis, selects, minima and maxima of one narrow type that are operands of each other
//! are one web: the variable. What comes in from outside is a constant, a truncation of a value
//! that is zero above (`facts`), a load (which extends for free), an extension of something
//! narrower, or anything else, which takes an extension. The web becomes wide if the extensions of
//! its values, each weighed by the depth of its loop, are more than those that it takes; as wide as
//! an index, if it is one. Other users get a truncation, which is no instruction.
//!
//! What comes in and is extended already (for the test of a loop, say) has one extension for both;
//! what is an extension becomes the truncation of a wider one.
//! Phis of extensions that were made in the blocks before are truncations of the wide one.
//!
//! Late: vectors want narrow lanes. Linear.
//!
//! ```text
//! b1: v1: i16 = phi [i16 0, b0], [v4, b1]           b1: v2: i32 = phi [i32 0, b0], [v3, b1]
//!     v2: i32 = zext v1                      =>         v3: i32 = lshr v2, i32 1
//!     v3: i32 = lshr v2, i32 1
//!     v4: i16 = trunc v3
//! ```

use cranelift_entity::EntitySet;
use ir::analysis::LoopTree;
use ir::{Block, Builder, Function, Inst, Opcode, Position, Type, Value, fold};
use rustc_hash::FxHashMap;

use crate::pass::{Changed, Pass, PassContext};
use ir::analysis::facts::{Range, known, known_phi};

/// The pass.
pub const PASS: Pass = Pass::new("widen_phis", run);

/// Phis, selects, minima and maxima of one web.
const MAX_WEB: usize = 64;

/// Loops around each other that make an instruction count for more.
const MAX_DEPTH: u32 = 4;

/// What one more loop around an instruction multiplies its weight by.
const ROUNDS: i64 = 8;

fn run(func: &mut Function, cx: &mut PassContext<'_>) -> Changed {
    let wide = |func: &Function, phi: Inst| {
        func.insts[phi].ty == Type::I64 && func.operands(phi).any(|v| extended(func, v).is_some())
    };
    let wide: Vec<Inst> = func.blocks().flat_map(|b| func.phis(b)).filter(|&phi| wide(func, phi)).collect();
    let joined = wide.into_iter().map(|phi| join_equal(func, phi)).sum::<u64>();
    let narrow: Vec<Inst> = func.blocks().flat_map(|b| func.phis(b)).filter(|&i| is_narrow(func, i)).collect();
    if narrow.is_empty() {
        return Changed::code_if(joined > 0);
    }
    let loops = cx.analyses.loops(func);
    let mut seen: EntitySet<Inst> = EntitySet::new();
    let mut widened = 0;
    for phi in narrow {
        if seen.contains(phi) {
            continue;
        }
        let Some(web) = web(func, phi, &mut seen) else { continue };
        let fits =
            |by: &Opcode| web.iter().all(|&i| extremes_under(func.insts[i].opcode).is_none_or(|only| only == *by));
        let kinds = [Opcode::SExt, Opcode::ZExt].into_iter().filter(fits).flat_map(|by| wanted(func, &web, by));
        let best = kinds.map(|wide| (gain(func, &loops, &web, wide), wide)).max_by_key(|&(gain, _)| gain);
        if let Some((1.., wide)) = best {
            widen(func, &loops, &web, wide);
            widened += 1;
        }
    }
    cx.statistics.add("narrow variables widened", widened);
    Changed::code_if(joined + widened > 0)
}

fn is_narrow(func: &Function, inst: Inst) -> bool {
    matches!(func.insts[inst].ty, Type::I8 | Type::I16 | Type::I32)
}

/// Phis and the like that have each other's values; `None` if they are too many.
fn web(func: &Function, start: Inst, seen: &mut EntitySet<Inst>) -> Option<Vec<Inst>> {
    let mut web = vec![start];
    seen.insert(start);
    let mut next = 0;
    while next < web.len() {
        let inst = web[next];
        next += 1;
        let users = func.uses(func.first_result(inst)).map(|u| u.0);
        let sources = incoming(func, inst).filter_map(|(v, _)| func.def_inst(v));
        for neighbour in users.chain(sources).collect::<Vec<_>>() {
            if is_member(func, neighbour) && is_narrow(func, neighbour) && seen.insert(neighbour) {
                web.push(neighbour);
            }
        }
    }
    (web.len() <= MAX_WEB).then_some(web)
}

fn is_member(func: &Function, inst: Inst) -> bool {
    match func.insts[inst].opcode {
        Opcode::Phi => true,
        Opcode::Select => func.value_type(func.operand(inst, 0)) == Type::I1,
        opcode => extremes_under(opcode).is_some(),
    }
}

/// The extension that keeps what a minimum or maximum is.
fn extremes_under(opcode: Opcode) -> Option<Opcode> {
    match opcode {
        Opcode::UMin | Opcode::UMax => Some(Opcode::ZExt),
        Opcode::SMin | Opcode::SMax => Some(Opcode::SExt),
        _ => None,
    }
}

/// The values that a member chooses among, each with the index of its operand.
fn incoming(func: &Function, member: Inst) -> impl Iterator<Item = (Value, usize)> {
    let first = usize::from(func.insts[member].opcode == Opcode::Select);
    (first..func.num_operands(member)).map(move |index| (func.operand(member, index), index))
}

/// What the values of a web are widened to, and by which operation.
#[derive(Clone, Copy)]
struct Wide {
    by: Opcode,
    to: Type,
}

/// The types that values of the web are widened to; the last one is best if they are equally good.
fn wanted(func: &Function, web: &[Inst], by: Opcode) -> impl Iterator<Item = Wide> {
    let is_wanted = |to: Type| {
        let mut users = web.iter().flat_map(|&member| extensions(func, func.first_result(member), by));
        users.any(|user| func.insts[user].ty == to)
    };
    let types: Vec<Type> = [Type::I64, Type::I32].into_iter().filter(|&to| is_wanted(to)).collect();
    types.into_iter().map(move |to| Wide { by, to })
}

fn extensions(func: &Function, value: Value, by: Opcode) -> impl Iterator<Item = Inst> {
    func.uses(value).map(|u| u.0).filter(move |&user| func.insts[user].opcode == by)
}

fn weight(loops: &LoopTree, block: Block) -> i64 {
    ROUNDS.pow(loops.depth(block).min(MAX_DEPTH))
}

/// The weight of the extensions that are saved, less that of those that come in. Wider ones than
/// the web will be remain.
fn gain(func: &Function, loops: &LoopTree, web: &[Inst], wide: Wide) -> i64 {
    let mut gain = 0;
    for &member in web {
        let extensions = extensions(func, func.first_result(member), wide.by);
        if extremes_under(func.insts[member].opcode).is_some() {
            // Both operands are extended for it.
            gain += 2 * func.inst_block(member).map_or(0, |block| weight(loops, block));
        }
        let saved = extensions.filter(|&user| func.insts[user].ty.bits() <= wide.to.bits());
        gain += saved.filter_map(|user| func.inst_block(user)).map(|block| weight(loops, block)).sum::<i64>();
        for (value, index) in incoming(func, member) {
            let is_free = func.const_bits(value).is_some()
                || func.def_inst(value).is_some_and(|def| web.contains(&def) || extends_for_free(func, def, wide))
                || extension_beside(func, loops, value, wide.by).is_some();
            if !is_free {
                gain -= weight(loops, extension_block(func, member, index));
            }
        }
    }
    gain
}

/// The place for an extension of a value that is extended in the same way as often as it is
/// computed: all of them become one.
fn extension_beside(func: &Function, loops: &LoopTree, value: Value, by: Opcode) -> Option<Inst> {
    let def = func.def_inst(value).filter(|&def| !is_member(func, def))?;
    let block = func.inst_block(def)?;
    let as_often = |user| func.inst_block(user).is_some_and(|b| loops.depth(b) == loops.depth(block));
    extensions(func, value, by).any(as_often).then(|| func.next_inst(def)).flatten()
}

fn extends_for_free(func: &Function, def: Inst, wide: Wide) -> bool {
    match func.insts[def].opcode {
        Opcode::Load | Opcode::ZExt => true,
        Opcode::Trunc => is_extended(func, def, wide),
        opcode => opcode == wide.by,
    }
}

/// Whether a value of the wide type is what its truncation is extended to.
fn is_extended(func: &Function, trunc: Inst, wide: Wide) -> bool {
    let (whole, narrow) = (func.operand(trunc, 0), func.insts[trunc].ty.mask());
    let kept = if wide.by == Opcode::ZExt { narrow } else { narrow >> 1 };
    func.value_type(whole) == wide.to && known(func, whole).zero | kept == wide.to.mask()
}

/// Where what comes in by an operand is extended.
fn extension_block(func: &Function, member: Inst, index: usize) -> Block {
    match func.insts[member].opcode {
        Opcode::Phi => func.phi_block(member, index),
        _ => func.inst_block(member).expect("placed"),
    }
}

fn widen(func: &mut Function, loops: &LoopTree, web: &[Inst], kind: Wide) {
    let to = kind.to;
    let mut wide: FxHashMap<Value, Value> = FxHashMap::default();
    for &member in web {
        let mut builder = Builder::new(func, Position::Before(member));
        let new = match builder.func.insts[member].opcode {
            Opcode::Phi => {
                let phi = builder.phi(to, &[]);
                builder.func.first_result(phi)
            }
            // The arms and operands follow when all values of the web have their counterparts.
            opcode => {
                let zero = builder.func.bits_const(to, 0);
                match opcode {
                    Opcode::Select => builder.select(builder.func.operand(member, 0), zero, zero),
                    _ => builder.binary(opcode, zero, zero),
                }
            }
        };
        wide.insert(func.first_result(member), new);
    }
    let mut replaced = Vec::new();
    for &member in web {
        let new = func.def_inst(wide[&func.first_result(member)]).expect("just made");
        for (value, index) in incoming(func, member).collect::<Vec<_>>() {
            let value = match wide.get(&value) {
                Some(&known) => known,
                None => match widened_in_place(func, value, kind, web) {
                    Some((whole, dead)) => {
                        wide.insert(value, whole);
                        replaced.extend(dead);
                        whole
                    }
                    None => extend(func, loops, value, (member, new), index, kind),
                },
            };
            match func.insts[member].opcode {
                Opcode::Phi => func.phi_push(new, value, func.phi_block(member, index)),
                _ => func.set_operand(new, index, value),
            }
        }
    }
    let made: Vec<Inst> = web.iter().filter_map(|&m| func.def_inst(wide[&func.first_result(m)])).collect();
    for &member in web {
        replace(func, member, wide[&func.first_result(member)], kind, web);
    }
    for &member in web.iter().chain(&replaced) {
        func.remove_inst(member);
    }
    for new in made {
        join_equal(func, new);
    }
}

/// Replaces phis that are the wide one's truncation, whose extensions were made in the blocks
/// before.
fn join_equal(func: &mut Function, wide: Inst) -> u64 {
    let Some(block) = func.inst_block(wide).filter(|_| func.insts[wide].opcode == Opcode::Phi) else { return 0 };
    let (value, to) = (func.first_result(wide), func.insts[wide].ty);
    let is_equal = |phi: Inst| {
        let ty = func.insts[phi].ty;
        phi != wide
            && ty.is_int()
            && ty.bits() <= to.bits()
            && (0..func.num_operands(phi)).all(|index| {
                let part = func.operand(phi, index);
                let whole = func.phi_value(wide, func.phi_block(phi, index)).expect("one entry per predecessor");
                match (func.const_bits(part), func.const_bits(whole)) {
                    (Some(part), Some(whole)) => part == whole & ty.mask(),
                    _ if ty == to => part == whole,
                    _ if func.def_with(part, Opcode::Trunc).is_some_and(|cut| func.operand(cut, 0) == whole) => true,
                    _ => extended(func, part).is_some_and(|source| extended(func, whole) == Some(source)),
                }
            })
    };
    let equal: Vec<Inst> = func.phis(block).filter(|&phi| is_equal(phi)).collect();
    for &phi in &equal {
        use_wide(func, phi, value);
    }
    equal.len() as u64
}

/// What a value is the extension of, and by which operation.
fn extended(func: &Function, value: Value) -> Option<(Opcode, Value)> {
    let def = func.def_inst(value).filter(|&i| matches!(func.insts[i].opcode, Opcode::SExt | Opcode::ZExt))?;
    Some((func.insts[def].opcode, func.operand(def, 0)))
}

/// The wide form of a value that is an extension already, or a load of 32 bits: the narrow one is
/// what is left of it. The narrow extension, which only the web still uses.
fn widened_in_place(func: &mut Function, value: Value, kind: Wide, web: &[Inst]) -> Option<(Value, Option<Inst>)> {
    let def = func.def_inst(value)?;
    let opcode = func.insts[def].opcode;
    let loaded = opcode == Opcode::Load && func.insts[def].ty == Type::I32;
    let (before, by, source) = match opcode {
        _ if loaded => (func.next_inst(def)?, kind.by, value),
        Opcode::ZExt => (def, opcode, func.operand(def, 0)),
        _ if opcode == kind.by => (def, opcode, func.operand(def, 0)),
        _ => return None,
    };
    let whole = Builder::before(func, before).unary(by, kind.to, source);
    let kept: Vec<Inst> = web.iter().copied().chain(func.def_inst(whole)).collect();
    truncate(func, value, whole, &kept);
    Some((whole, (!loaded).then_some(def)))
}

/// The wide form of a value that comes into the web, by an operand of a member and its wide
/// counterpart.
fn extend(
    func: &mut Function,
    loops: &LoopTree,
    value: Value,
    (member, new): (Inst, Inst),
    index: usize,
    kind: Wide,
) -> Value {
    let Wide { by, to } = kind;
    let constant = func.const_bits(value).and_then(|bits| fold::unary(by, func.value_type(value), to, bits));
    if let Some(bits) = constant {
        return func.bits_const(to, bits);
    }
    let def = func.def_inst(value);
    if let Some(trunc) = def.filter(|&i| func.insts[i].opcode == Opcode::Trunc)
        && is_extended(func, trunc, kind)
    {
        return func.operand(trunc, 0);
    }
    if let Some(position) = extension_beside(func, loops, value, by)
        && def.is_none_or(|def| func.insts[def].opcode != Opcode::Load)
    {
        let equal: Vec<Inst> = extensions(func, value, by).collect();
        let types = equal.iter().map(|&extension| func.insts[extension].ty);
        let widest = types.chain([to]).max_by_key(|ty| ty.bits()).unwrap_or(to);
        let mut b = Builder::before(func, position);
        let wide = b.unary(by, widest, value);
        let result = if widest == to { wide } else { b.unary(Opcode::Trunc, to, wide) };
        equal.into_iter().for_each(|extension| use_wide(func, extension, wide));
        return result;
    }
    // Beside a load the extension is part of it.
    let after_load = def.filter(|&i| func.insts[i].opcode == Opcode::Load).and_then(|load| func.next_inst(load));
    let equal = extensions(func, value, by).find(|&user| func.insts[user].ty == to);
    if let (Some(next), Some(equal)) = (after_load, equal) {
        if equal != next {
            func.hoist_inst(next, equal);
        }
        return func.first_result(equal);
    }
    let position = after_load.unwrap_or_else(|| match func.insts[member].opcode {
        Opcode::Phi => func.terminator(func.phi_block(member, index)),
        _ => new,
    });
    Builder::before(func, position).unary(by, to, value)
}

/// Replaces an extension by a wide enough one, or its truncation.
fn use_wide(func: &mut Function, extension: Inst, wide: Value) {
    let narrow = func.first_result(extension);
    if func.value_type(narrow) == func.value_type(wide) {
        func.replace_all_uses(narrow, wide);
    } else {
        truncate(func, narrow, wide, &[]);
    }
    func.remove_inst(extension);
}

/// Gives each user of a narrow value, but those that are going to be removed, a truncation of its
/// own: no register is kept for it from block to block.
fn truncate(func: &mut Function, narrow: Value, wide: Value, removed: &[Inst]) {
    let (ty, whole, range) = (func.value_type(narrow), func.value_type(wide), known_phi(func, wide));
    let uses: Vec<(Inst, usize)> = func.uses(narrow).filter(|u| !removed.contains(&u.0)).collect();
    for (user, index) in uses {
        let data = func.insts[user];
        let place = match data.opcode {
            opcode @ (Opcode::ZExt | Opcode::SExt) if data.ty == whole && extends_back(ty, opcode, range) => {
                func.replace_result(user, wide);
                continue;
            }
            Opcode::Phi => func.terminator(func.phi_block(user, index)),
            _ => user,
        };
        let part = Builder::before(func, place).unary(Opcode::Trunc, ty, wide);
        func.set_operand(user, index, part);
    }
    func.forward_debug_values(narrow, wide);
}

/// Whether the extension of its low part is a value of this range itself.
fn extends_back(part: Type, by: Opcode, range: Range) -> bool {
    let full = Range::full(part);
    match by {
        Opcode::ZExt => range.umax <= full.umax,
        _ => range.smin >= full.smin && range.smax <= full.smax,
    }
}

/// Gives the users of a member outside the web the wide value, or its truncation.
fn replace(func: &mut Function, member: Inst, wide: Value, Wide { by, to }: Wide, web: &[Inst]) {
    let narrow = func.first_result(member);
    for user in extensions(func, narrow, by).collect::<Vec<_>>() {
        if func.insts[user].ty.bits() > to.bits() {
            func.set_operand(user, 0, wide);
        } else {
            use_wide(func, user, wide);
        }
    }
    truncate(func, narrow, wide, web);
}
