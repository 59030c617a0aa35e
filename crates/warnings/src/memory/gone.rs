//! Pointers to what a `free`, or the end of a block, has taken away.
//!
//! Where the pointer's variable still holds the same value is found per ending: the blocks that the
//! ending dominates, less those which a new value reaches. As in gcc, comparing a dangling pointer
//! is not reported, and a use that some ways from there do not come to "may" happen.

use cranelift_entity::{EntitySet, SecondaryMap};
use ir::analysis::{Cfg, DominatorTree};
use ir::{Block, Function, Inst, IntCc, Opcode, Value};
use rustc_hash::FxHashSet;

use super::objects::{Base, Objects};
use super::{Finding, Kind, name_of};

/// Endings looked at in one function: generated code with thousands must not take quadratic time.
const MAX_ENDINGS: usize = 64;

/// Something that is gone from an instruction on.
struct Ending {
    at: Inst,
    block: Block,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// What this variable points to.
    Freed(Value),
    /// This variable.
    Scope(Value),
}

/// Looks for uses of what is gone.
pub fn check(objects: &Objects<'_>, cfg: &Cfg, reached: &EntitySet<Block>, found: &mut Vec<Finding>) {
    let func = objects.func;
    let mut endings = Vec::new();
    for block in func.blocks().filter(|&block| reached.contains(block)) {
        for inst in func.block_insts(block) {
            let what = match func.insts[inst].opcode {
                Opcode::Call if objects.library_call(inst) == Some("free") => {
                    let load = func.def_inst(func.list(inst)[1]);
                    load.and_then(|load| objects.private_variable(load)).map(What::Freed)
                }
                Opcode::LifetimeEnd => Some(What::Scope(func.operand(inst, 0))),
                _ => None,
            };
            endings.extend(what.map(|what| Ending { at: inst, block, what }));
        }
    }
    if endings.is_empty() {
        return;
    }
    let dominators = DominatorTree::compute(func, cfg);
    let mut search = Search { objects, func, cfg, dominators, users: Users::default(), found };
    endings.iter().take(MAX_ENDINGS).for_each(|ending| search.check_ending(ending));
}

/// The uses of loaded values, made when first wanted.
#[derive(Default)]
struct Users {
    known: bool,
    of: SecondaryMap<Value, Vec<Inst>>,
}

impl Users {
    fn of<'u>(&'u mut self, func: &Function, value: Value) -> &'u [Inst] {
        if !self.known {
            self.known = true;
            for inst in func.all_insts() {
                func.operands(inst).for_each(|operand| {
                    let loaded = func.def_with(operand, Opcode::Load).is_some();
                    if loaded && func.value_type(operand) == ir::Type::PTR {
                        self.of[operand].push(inst);
                    }
                });
            }
        }
        &self.of[value]
    }
}

/// The search for what the endings of one function leave behind.
struct Search<'a> {
    objects: &'a Objects<'a>,
    func: &'a Function,
    cfg: &'a Cfg,
    dominators: DominatorTree,
    users: Users,
    found: &'a mut Vec<Finding>,
}

impl Search<'_> {
    fn check_ending(&mut self, ending: &Ending) {
        let func = self.func;
        let (What::Freed(variable) | What::Scope(variable)) = ending.what;
        let renews = |inst: Inst| match func.insts[inst].opcode {
            Opcode::LifetimeStart => func.operand(inst, 0) == variable,
            Opcode::Store => matches!(ending.what, What::Freed(_)) && func.operand(inst, 0) == variable,
            _ => false,
        };
        let mut reported = EntitySet::new();
        let mut at = func.next_inst(ending.at);
        while let Some(inst) = at {
            if renews(inst) {
                return;
            }
            self.look_at(ending, inst, ending.block, &mut reported);
            at = func.next_inst(inst);
        }
        let gone = self.gone_at_beginning(ending.block, &renews);
        for block in func.blocks().filter(|&block| gone.contains(&block)) {
            for inst in func.block_insts(block).take_while(|&inst| !renews(inst)) {
                self.look_at(ending, inst, block, &mut reported);
            }
        }
    }

    /// The blocks that begin with what was gone at the end of `from` still gone, on all ways.
    fn gone_at_beginning(&self, from: Block, renews: &dyn Fn(Inst) -> bool) -> FxHashSet<Block> {
        let (func, cfg) = (self.func, self.cfg);
        let mut gone = FxHashSet::default();
        let mut work: Vec<Block> = Vec::new();
        let renewing = |block: Block| func.block_insts(block).any(renews);
        for block in func.blocks() {
            if cfg.is_reachable(block) && self.dominators.strictly_dominates(from, block) {
                gone.insert(block);
                if renewing(block) {
                    work.extend(cfg.succs(block));
                }
            }
        }
        for block in func.blocks().filter(|&block| gone.contains(&block)) {
            let whole = cfg.preds(block).iter().all(|&pred| pred == from || gone.contains(&pred));
            if !whole {
                work.push(block);
            }
        }
        while let Some(block) = work.pop() {
            if gone.remove(&block) {
                work.extend(cfg.succs(block).iter().filter(|&&s| s != block));
            }
        }
        gone
    }

    fn look_at(&mut self, ending: &Ending, inst: Inst, block: Block, reported: &mut EntitySet<Inst>) {
        let finding = self.use_of(ending, inst, block, reported);
        self.found.extend(finding);
    }

    /// What there is to say of an instruction where the ending's object is gone.
    fn use_of(&mut self, ending: &Ending, load: Inst, block: Block, reported: &mut EntitySet<Inst>) -> Option<Finding> {
        let (objects, func) = (self.objects, self.func);
        let variable = objects.private_variable(load)?;
        let value = func.first_result(load);
        let ended = match ending.what {
            What::Freed(freed) => {
                (variable == freed).then_some(())?;
                None
            }
            What::Scope(scope) => {
                let place = objects.place(value)?;
                let Base::Local(alloca) = place.base else { return None };
                if func.first_result(alloca) != scope {
                    return None;
                }
                Some(alloca)
            }
        };
        let user = *self.users.of(func, value).iter().find(|&&user| is_use(func, user, value))?;
        if !reported.insert(user) {
            return None;
        }
        let (name, _) = name_of(func, func.def_inst(variable)?)?;
        let at_user = func.source_loc(user);
        let loc = if at_user.is_none() { func.source_loc(load) } else { at_user };
        let certain = block == ending.block || on_every_way(func, self.cfg, ending.block, block);
        Some(match ended {
            None => {
                let how = if certain { "used" } else { "may be used" };
                Finding {
                    kind: Kind::UseAfterFree,
                    loc,
                    message: format!("pointer '{name}' {how} after 'free'"),
                    note: Some((func.source_loc(ending.at), "call to 'free' here".to_string())),
                }
            }
            Some(alloca) => {
                let (object, declared) = name_of(func, alloca)?;
                let message = match certain {
                    true => format!("using dangling pointer '{name}' to '{object}'"),
                    false => format!("dangling pointer '{name}' to '{object}' may be used"),
                };
                let note = Some((declared, format!("'{object}' declared here")));
                Finding { kind: Kind::DanglingPointer, loc, message, note }
            }
        })
    }
}

/// The instruction does more with the pointer than to compare it or to copy it to another variable.
fn is_use(func: &Function, user: Inst, value: Value) -> bool {
    let data = func.insts[user];
    match data.opcode {
        Opcode::ICmp => !matches!(data.int_cc(), IntCc::Eq | IntCc::Ne),
        Opcode::Store if func.operand(user, 1) == value => {
            let target = func.def_inst(func.operand(user, 0));
            target.is_none_or(|target| func.insts[target].opcode != Opcode::Alloca)
        }
        _ => true,
    }
}

/// Whether every way from `from` to an end of the function leads through `block`.
fn on_every_way(func: &Function, cfg: &Cfg, from: Block, block: Block) -> bool {
    let mut seen = EntitySet::new();
    let mut work = vec![from];
    seen.insert(from);
    while let Some(at) = work.pop() {
        if matches!(func.insts[func.terminator(at)].opcode, Opcode::Ret) {
            return false;
        }
        work.extend(cfg.succs(at).iter().copied().filter(|&next| next != block && seen.insert(next)));
    }
    true
}
