//! `-Wuninitialized` and `-Wmaybe-uninitialized`: variables that are read before anything was
//! stored to them.
//!
//! The function is looked at as it was lowered, every variable an alloca, and is not changed. A
//! read is *certain* to be of no value when no store reaches it and its block lies on every way
//! through the function (gcc's rule at all levels). Where stores reach it on some ways only, a way
//! without one is looked for that the program can take ([`search`]): along it every condition is
//! evaluated, or noted, and the way is given up when two conditions contradict each other or merely
//! speak of the same values. So `if (n) x = 1; ... if (n) use(x);` is silent, and what cannot be
//! decided is, too.
//!
//! As in gcc, a variable whose stores all hold one constant or parameter is passed over (undefined
//! values are free to be that), variables whose address has been given away count as set from there
//! on, are passed over where only some ways lead by there, and each variable is reported once.
//!
//! **Cost.** Nothing unless one of the warnings is on. Linear in the code, and in the blocks in
//! which a variable is wanted but not set ([`MAX_BLOCK_STEPS`]); the search is limited by
//! [`search::MAX_STEPS`]. Past a limit the check says nothing.

mod facts;
mod search;

use cranelift_entity::{EntitySet, SecondaryMap};
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Opcode, Type, Value};

use base::Loc;

/// Blocks visited for all variables of a function: enough for every variable of the largest
/// functions in practice; generated code with thousands of variables that live through thousands of
/// blocks must not make compilation quadratic.
const MAX_BLOCK_STEPS: usize = 4_000_000;

/// A variable that is read without a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Uninitialized {
    /// Its name.
    pub name: Box<str>,
    /// Where it is declared.
    pub declared: Loc,
    /// Where the value is used.
    pub used: Loc,
    /// Whether every run through the function uses it so.
    pub certain: bool,
}

/// What an instruction does to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access {
    Load(Inst),
    /// A store.
    Def,
    /// Its address goes where stores may follow.
    GivenAway,
}

/// The accesses of one variable, block by block in layout order.
#[derive(Default)]
struct Accesses {
    list: Vec<(Block, Access)>,
    /// It is accessed in parts, or set to itself to silence this very warning.
    ignored: bool,
    /// The value of all stores so far is one constant or parameter.
    only_value: Option<Value>,
    several_values: bool,
    /// The load of `int x = x;`.
    of_itself: Option<Inst>,
}

/// The variables of `func`, in alloca form, that are read before they are set, by the position of
/// the use. With `optimized`, also those for which this is so on some ways only (as gcc does when
/// optimising).
///
/// With `init_self`, `int x = x;` is no way to be silent.
pub fn check(func: &Function, optimized: bool, init_self: bool) -> Vec<Uninitialized> {
    let mut found = Vec::new();
    // A second return sees variables in states that are on no path.
    if func.blocks().next().is_none() || func.calls_setjmp {
        return found;
    }
    let variables = collect(func, init_self);
    if variables.iter().all(|v| v.list.is_empty()) {
        return found;
    }
    let cfg = Cfg::compute(func);
    let mut steps = 0;
    let mut evaluator = None;
    for (index, accesses) in variables.iter().enumerate() {
        if accesses.ignored {
            continue;
        }
        let Some(reads) = Reads::find(func, &cfg, accesses, &mut steps) else { continue };
        let mut best = None;
        for &(block, load) in &reads.exposed {
            let undefined_always = !reads.may_be_set.contains(block);
            let certain = undefined_always && on_every_way(func, &cfg, block, &mut steps);
            let doubtful = !optimized || accesses.one_value() || reads.may_be_changed.contains(block);
            if !certain && !undefined_always && doubtful {
                continue;
            }
            let certain = if certain {
                true
            } else {
                let evaluator = evaluator.get_or_insert_with(|| search::Evaluator::new(func, &cfg));
                match evaluator.find_way(&reads, block, load) {
                    None => continue,
                    Some(way) => way.unconditional && optimized,
                }
            };
            best = Some((load, certain));
            break;
        }
        if let Some((load, certain)) = best {
            let variable = &func.variables[index];
            let of_itself = accesses.of_itself == Some(load);
            let used = if of_itself { variable.declared } else { use_location(func, load) };
            found.push(Uninitialized { name: variable.name.clone(), declared: variable.declared, used, certain });
        }
    }
    found.sort_by_key(|f| f.used);
    found
}

impl Accesses {
    fn one_value(&self) -> bool {
        self.only_value.is_some() && !self.several_values
    }

    fn note_store(&mut self, func: &Function, value: Value) {
        if func.def_inst(value).is_some() || self.only_value.is_some_and(|v| v != value) {
            self.several_values = true;
        }
        self.only_value = Some(value);
    }
}

/// The accesses of the variables that are to be checked, indexed as [`Function::variables`].
fn collect(func: &Function, init_self: bool) -> Vec<Accesses> {
    let mut number: SecondaryMap<Value, u32> = SecondaryMap::new();
    let mut out: Vec<Accesses> = Vec::new();
    for (index, variable) in func.variables.iter().enumerate() {
        if variable.checked && func.inst_block(variable.alloca).is_some() {
            number[func.first_result(variable.alloca)] = index as u32 + 1;
        }
        out.push(Accesses::default());
    }
    let used = used_values(func);
    for block in func.blocks() {
        for inst in func.block_insts(block) {
            let data = func.insts[inst];
            for (at, operand) in func.operands(inst).enumerate() {
                let Some(index) = number[operand].checked_sub(1) else { continue };
                let index = index as usize;
                let size = func.alloca_info(func.variables[index].alloca).0;
                let accesses = &mut out[index];
                match data.opcode {
                    Opcode::LifetimeStart | Opcode::LifetimeEnd => {}
                    Opcode::Load => {
                        accesses.ignored |= !is_whole(data.ty, size) || data.is_volatile();
                        if used[func.first_result(inst)] {
                            accesses.list.push((block, Access::Load(inst)));
                        }
                    }
                    Opcode::Store if at == 0 => {
                        let value = func.operand(inst, 1);
                        accesses.ignored |= !is_whole(func.value_type(value), size);
                        // `int x = x;`
                        let source = func.def_inst(value);
                        let of_itself = source.filter(|&load| {
                            func.insts[load].opcode == Opcode::Load && func.operand(load, 0) == operand
                        });
                        accesses.ignored |= !init_self && of_itself.is_some();
                        accesses.of_itself = accesses.of_itself.or(of_itself);
                        accesses.note_store(func, value);
                        accesses.list.push((block, Access::Def));
                    }
                    _ => {
                        accesses.several_values = true;
                        accesses.list.push((block, Access::GivenAway));
                    }
                }
            }
        }
    }
    out
}

/// Whether a value of type `ty` fills a variable of `size` bytes.
fn is_whole(ty: Type, size: u64) -> bool {
    ty.store_size() as u64 == size || ty == Type::F80
}

/// The values that some instruction uses.
fn used_values(func: &Function) -> SecondaryMap<Value, bool> {
    let mut used = SecondaryMap::new();
    for inst in func.all_insts() {
        func.operands(inst).for_each(|operand| used[operand] = true);
    }
    used
}

/// The reads of a variable that the function's entry reaches without a store on the way.
struct Reads {
    /// Loads before the first store of their block, in layout order.
    exposed: Vec<(Block, Inst)>,
    /// The blocks that the entry reaches without passing a store, and from which such a load is
    /// reached so.
    on_the_way: EntitySet<Block>,
    /// The blocks whose beginning some store reaches.
    may_be_set: EntitySet<Block>,
    /// The blocks that are reached from where the address is given away.
    may_be_changed: EntitySet<Block>,
    /// The blocks with a store.
    setting: EntitySet<Block>,
}

impl Reads {
    fn find(func: &Function, cfg: &Cfg, accesses: &Accesses, steps: &mut usize) -> Option<Reads> {
        let mut setting = EntitySet::new();
        let mut exposed = Vec::new();
        for &(block, access) in &accesses.list {
            match access {
                Access::Def | Access::GivenAway => {
                    setting.insert(block);
                }
                Access::Load(inst) if !setting.contains(block) && cfg.is_reachable(block) => {
                    exposed.push((block, inst))
                }
                Access::Load(_) => {}
            }
        }
        if exposed.is_empty() {
            return None;
        }
        let entry = func.entry();
        let wanted = flood(exposed.iter().map(|e| e.0), steps, |block, visit| {
            cfg.preds(block).iter().filter(|&&p| !setting.contains(p)).for_each(|&p| visit(p));
        })?;
        if !wanted.contains(entry) {
            return None;
        }
        let on_the_way = flood([entry].into_iter(), steps, |block, visit| {
            if !setting.contains(block) {
                cfg.succs(block).iter().filter(|&&s| wanted.contains(s)).for_each(|&s| visit(s));
            }
        })?;
        exposed.retain(|e| on_the_way.contains(e.0));
        if exposed.is_empty() {
            return None;
        }
        let mut behind = |blocks: &mut dyn Iterator<Item = Block>| {
            let first: Vec<Block> = blocks.flat_map(|block| cfg.succs(block).iter().copied()).collect();
            flood(first.into_iter(), steps, |block, visit| cfg.succs(block).iter().for_each(|&s| visit(s)))
        };
        let may_be_set = behind(&mut setting.iter())?;
        let given_away = |&(block, access): &(Block, Access)| (access == Access::GivenAway).then_some(block);
        let may_be_changed = behind(&mut accesses.list.iter().filter_map(given_away))?;
        Some(Reads { exposed, on_the_way, may_be_set, may_be_changed, setting })
    }
}

/// What `next` leads to from `start`, all included; `None` when that takes too long.
fn flood(
    start: impl Iterator<Item = Block>,
    steps: &mut usize,
    mut next: impl FnMut(Block, &mut dyn FnMut(Block)),
) -> Option<EntitySet<Block>> {
    let mut seen = EntitySet::new();
    let mut work: Vec<Block> = start.filter(|&block| seen.insert(block)).collect();
    while let Some(block) = work.pop() {
        *steps += 1;
        if *steps > MAX_BLOCK_STEPS {
            return None;
        }
        next(block, &mut |b| {
            if seen.insert(b) {
                work.push(b);
            }
        });
    }
    Some(seen)
}

/// Whether every way from the entry to an end of the function leads through `block`.
fn on_every_way(func: &Function, cfg: &Cfg, block: Block, steps: &mut usize) -> bool {
    if block == func.entry() {
        return true;
    }
    let without = flood([func.entry()].into_iter(), steps, |from, visit| {
        cfg.succs(from).iter().filter(|&&s| s != block).for_each(|&s| visit(s));
    });
    without.is_some_and(|without| without.iter().all(|b| !cfg.succs(b).is_empty()))
}

/// Where the value of a load is used: at the operation that takes it, as gcc has it, else where it
/// is read.
fn use_location(func: &Function, load: Inst) -> Loc {
    let value = func.first_result(load);
    let mut at = func.next_inst(load);
    while let Some(inst) = at {
        if func.operands(inst).any(|operand| operand == value) {
            let location = func.source_loc(inst);
            let opcode = func.insts[inst].opcode;
            // A test of the value itself stands nowhere in the source.
            let test = opcode == Opcode::ICmp && func.const_bits(func.operand(inst, 1)) == Some(0);
            let computes = func.result(inst).is_some() && opcode != Opcode::Call && !test;
            return if computes && !location.is_none() { location } else { func.source_loc(load) };
        }
        at = func.next_inst(inst);
    }
    func.source_loc(load)
}
