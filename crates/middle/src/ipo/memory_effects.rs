//! What calls of a function read and write, from its body: the objects it names, what its arguments
//! point to, and memory of some type-based classes (gcc's `-fipa-modref` and `-fipa-reference`).
//! Loads and stores around a call that leaves their place alone are then as good as without it.
//!
//! The body must be the one that runs (see [`exact_definition`]), and all that it calls must be
//! known: bottom-up over the call graph, so functions of one recursion cycle are not, but for those
//! that call nothing of it but themselves. Volatile accesses, atomic operations and assembly stand
//! for more than the bytes that they touch.
//!
//! Linear in the instructions, of functions that are called by name.

use ir::effects::{Access, Touched, read, register_variable, written};
use ir::memory_effects::{MemoryEffects, Place, Root, effects_of_call};
use ir::{AliasTags, FnAttrs, Function, Inst, Module, Opcode, ParamKind, ValueDef};
use platform::options::Options;

use ir::analysis::alias::{Base, Located, locate};
use ir::analysis::memory::at_call;
use ir::copying::exact_definition;

/// Places of one kind that are told apart.
const MAX_PLACES: usize = 16;

/// What calls of the function touch; `None` if that may be anything, or if another body may run.
pub fn of(module: &Module, func: &Function, options: &Options) -> Option<Box<MemoryEffects>> {
    let data = &module.symbols[func.symbol];
    let refused = [FnAttrs::NOIPA, FnAttrs::NAKED, FnAttrs::OPTNONE, FnAttrs::AVAILABLE_EXTERNALLY];
    let by_value = |kind: ParamKind| !matches!(kind, ParamKind::Direct);
    if !options.codegen.ipa_modref
        || options.codegen.live_patching.is_some()
        || refused.iter().any(|&attr| data.attrs.has(attr))
        || exact_definition(module, func.symbol, options.interposable()).is_none()
        || func.calls_setjmp
        || module.signatures[func.sig].params.iter().any(|p| by_value(p.kind))
    {
        return None;
    }
    let mut collector = Collector { module, func, effects: MemoryEffects::default(), calls_itself: false };
    for inst in func.all_insts() {
        collector.instruction(inst)?;
    }
    Some(Box::new(collector.finish()?))
}

/// What a call may touch of which nothing is known.
fn anything() -> Place {
    Place { root: Root::Visible, offset: None, size: None, tag: AliasTags::any() }
}

struct Collector<'a> {
    module: &'a Module,
    func: &'a Function,
    effects: MemoryEffects,
    calls_itself: bool,
}

impl Collector<'_> {
    fn instruction(&mut self, inst: Inst) -> Option<()> {
        let (func, module) = (self.func, self.module);
        let data = func.insts[inst];
        match data.opcode {
            Opcode::Ret | Opcode::LifetimeStart | Opcode::LifetimeEnd => return Some(()),
            Opcode::Load | Opcode::Store | Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet
                if data.is_volatile() && register_variable(func, module, inst).is_none() =>
            {
                return None;
            }
            Opcode::Call => return self.call(inst),
            _ => {}
        }
        match written(func, module, inst) {
            Touched::Nothing => {}
            Touched::Bytes(access) => add(&mut self.effects.writes, place(func, access))?,
            Touched::Visible | Touched::Anything => return None,
        }
        match read(func, module, inst) {
            Touched::Nothing => {}
            Touched::Bytes(access) => add(&mut self.effects.reads, place(func, access))?,
            Touched::Visible | Touched::Anything => return None,
        }
        Some(())
    }

    fn call(&mut self, inst: Inst) -> Option<()> {
        let (func, module) = (self.func, self.module);
        if func.const_symbol(func.list(inst)[0]) == Some((func.symbol, 0))
            && !func.call_info(inst).attrs.has(FnAttrs::APART)
        {
            self.calls_itself = true;
            return Some(());
        }
        let Some(callee) = effects_of_call(func, module, inst) else {
            return match (written(func, module, inst), read(func, module, inst)) {
                (Touched::Nothing, Touched::Nothing) => Some(()),
                (Touched::Nothing, Touched::Visible) => add(&mut self.effects.reads, Some(anything())),
                _ => None,
            };
        };
        for place in &callee.writes {
            add(&mut self.effects.writes, seen_from_outside(func, at_call(func, inst, place)))?;
        }
        for place in &callee.reads {
            add(&mut self.effects.reads, seen_from_outside(func, at_call(func, inst, place)))?;
        }
        Some(())
    }

    /// The arguments of inner calls are not those of the outermost one.
    fn finish(mut self) -> Option<MemoryEffects> {
        if self.calls_itself {
            for list in [&mut self.effects.writes, &mut self.effects.reads] {
                let through_arguments: Vec<Place> =
                    list.iter().filter(|place| matches!(place.root, Root::Argument(_))).copied().collect();
                for place in through_arguments {
                    add(list, Some(Place { tag: place.tag, ..anything() }))?;
                }
            }
        }
        Some(self.effects)
    }
}

fn place(func: &Function, access: Access) -> Option<Place> {
    seen_from_outside(func, locate(func, access))
}

/// A place as the caller may name it; none for what ends with the call.
fn seen_from_outside(func: &Function, at: Located) -> Option<Place> {
    let root = match at.base {
        Base::Alloca(_) => return None,
        Base::Symbol(symbol) => Root::Symbol(symbol),
        Base::Value(value) => match func.value_def(value) {
            ValueDef::Param(index) => Root::Argument(index),
            _ => Root::Visible,
        },
        Base::Visible => Root::Visible,
    };
    let (offset, size) = if root == Root::Visible { (None, None) } else { (at.offset, at.size) };
    Some(Place { root, offset, size, tag: at.tag })
}

/// Takes a place into a list. Where there are too many, those of one object become the whole of it;
/// `None` if that does not help.
fn add(list: &mut Vec<Place>, place: Option<Place>) -> Option<()> {
    let Some(place) = place else { return Some(()) };
    let is_in = |known: &Place| {
        known.root == place.root
            && (known.tag == place.tag || known.tag == AliasTags::any())
            && (known.size.is_none() || (known.offset, known.size) == (place.offset, place.size))
    };
    if list.iter().any(is_in) {
        return Some(());
    }
    if list.len() < MAX_PLACES {
        list.push(place);
        return Some(());
    }
    let mut whole: Vec<Place> = Vec::new();
    for known in list.iter().chain([&place]) {
        match whole.iter_mut().find(|w| w.root == known.root) {
            Some(seen) if seen.tag != known.tag => seen.tag = AliasTags::any(),
            Some(_) => {}
            None => whole.push(Place { offset: None, size: None, ..*known }),
        }
    }
    *list = whole;
    (list.len() < MAX_PLACES).then_some(())
}
