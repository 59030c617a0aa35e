//! `-Wstringop-overflow`, `-Wstringop-overread`, `-Wfree-nonheap-object`, `-Wuse-after-free`,
//! `-Wdangling-pointer`, `-Wreturn-local-addr`: what a program does with memory that is too small,
//! not its own or gone.
//!
//! The function is looked at as it was lowered and is not changed. Objects and sizes count as known
//! only where one instruction says so ([`objects`]), and code after conditions that are constant is
//! left out, so that nothing is said that the program does not do. What a `free` ends, and where it
//! still is gone, is a small problem of data flow per call ([`gone`]); [`escapes`] looks backwards
//! from the returns.
//!
//! **Cost.** One look at every instruction; the rest only for functions with something that could
//! be wrong.

mod escapes;
mod gone;
mod objects;

use base::Loc;
use cranelift_entity::EntitySet;
use ir::analysis::Cfg;
use ir::{Block, Function, Inst, Module, Opcode, Value};

use objects::{Base, Objects, Place};

/// The flag a finding belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    StringopOverflow,
    StringopOverread,
    FreeNonheapObject,
    UseAfterFree,
    DanglingPointer,
    ReturnLocalAddr,
}

/// Something to warn of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Under which flag.
    pub kind: Kind,
    /// Where.
    pub loc: Loc,
    /// What.
    pub message: String,
    /// Where what it speaks of comes from.
    pub note: Option<(Loc, String)>,
}

/// Everything to be said of `func`, in alloca form, in the order of its places. With `optimized`,
/// also what gcc sees when it optimises.
pub fn check(module: &Module, func: &Function, optimized: bool) -> Vec<Finding> {
    let questions = Questions::of(module, func, optimized);
    if !questions.instructions && !questions.ways {
        return Vec::new();
    }
    let objects = Objects::new(module, func);
    let mut found = Vec::new();
    let reached = reached_blocks(func, &objects);
    if questions.instructions {
        for block in func.blocks().filter(|&block| reached.contains(block)) {
            for inst in func.block_insts(block) {
                check_inst(&objects, optimized, inst, &mut found);
            }
        }
    }
    if questions.ways {
        let cfg = Cfg::compute(func);
        escapes::check(&objects, &cfg, &reached, &mut found);
        gone::check(&objects, &cfg, &reached, &mut found);
    }
    found.sort_by_key(|f| (f.loc, f.kind));
    found.dedup();
    found
}

/// What there is to be asked of a function: most have nothing.
#[derive(Clone, Copy, Default)]
struct Questions {
    /// Something that an instruction and its operands answer.
    instructions: bool,
    /// Something that depends on the ways through the function.
    ways: bool,
}

impl Questions {
    fn of(module: &Module, func: &Function, optimized: bool) -> Questions {
        let mut out = Questions::default();
        for inst in func.all_insts() {
            match func.insts[inst].opcode {
                Opcode::Call if func.call_info(inst).attrs.has(ir::FnAttrs::LIBRARY) => {
                    match module.name_of_callee(func, inst) {
                        Some("free") => out = Questions { instructions: true, ways: true },
                        Some("strcpy" | "stpcpy") => out.instructions = true,
                        Some("strncpy" | "stpncpy" | "mempcpy" | "memcpy" | "memmove" | "memset") => {
                            out.instructions |= func.list(inst).last().is_some_and(|&n| may_be_known(func, n));
                        }
                        _ => {}
                    }
                }
                Opcode::MemCpy | Opcode::MemMove | Opcode::MemSet => {
                    out.instructions |= may_be_known(func, func.operand(inst, 2));
                }
                Opcode::Ret if optimized => {
                    out.instructions |= func.operands(inst).any(|value| func.value_type(value) == ir::Type::PTR);
                }
                Opcode::Store => out.ways = out.ways || is_local_address(func, func.operand(inst, 1)),
                _ => {}
            }
        }
        out
    }
}

/// A constant, or what may turn out to be one.
fn may_be_known(func: &Function, value: Value) -> bool {
    let Some(inst) = func.def_inst(value) else { return func.const_i64(value).is_some() };
    matches!(func.insts[inst].opcode, Opcode::Load | Opcode::ZExt | Opcode::SExt)
}

/// The address of a variable of the function, or of a part of it.
fn is_local_address(func: &Function, value: Value) -> bool {
    let mut value = value;
    for _ in 0..objects::MAX_STEPS {
        let Some(inst) = func.def_inst(value) else { return false };
        match func.insts[inst].opcode {
            Opcode::Alloca => return true,
            Opcode::PtrAdd => value = func.operand(inst, 0),
            _ => return false,
        }
    }
    false
}

/// The blocks that are reached when constant conditions are decided.
fn reached_blocks(func: &Function, objects: &Objects<'_>) -> EntitySet<Block> {
    let mut reached = EntitySet::new();
    let mut work = vec![func.entry()];
    reached.insert(func.entry());
    while let Some(block) = work.pop() {
        let end = func.terminator(block);
        let decided = (func.insts[end].opcode == Opcode::CondBr).then(|| objects.condition(func.operand(end, 0)));
        let mut targets = Vec::new();
        func.for_each_target(end, |target| targets.push(target));
        if let (Some(outcome), &[then, els]) = (decided.flatten(), &targets[..]) {
            targets = vec![if outcome { then } else { els }];
        }
        work.extend(targets.into_iter().filter(|&target| reached.insert(target)));
    }
    reached
}

/// Warnings that one instruction is enough for.
fn check_inst(objects: &Objects<'_>, optimized: bool, inst: Inst, found: &mut Vec<Finding>) {
    let func = objects.func;
    let loc = func.source_loc(inst);
    let operand = |at: usize| func.operand(inst, at);
    let mut access = |name: &str, target: Value, source: Option<Value>, count: i64| {
        let access = Access { objects, loc, name, count };
        found.extend(access.write(target));
        found.extend(source.and_then(|source| access.read(source)));
    };
    match func.insts[inst].opcode {
        Opcode::MemCpy | Opcode::MemMove => {
            let name = if func.insts[inst].opcode == Opcode::MemCpy { "memcpy" } else { "memmove" };
            if let Some(count) = objects.integer(operand(2)) {
                access(name, operand(0), Some(operand(1)), count);
            }
        }
        Opcode::MemSet => {
            if let Some(count) = objects.integer(operand(2)) {
                access("memset", operand(0), None, count);
            }
        }
        Opcode::Ret if optimized => found.extend(func.operands(inst).find_map(|value| {
            let place = objects.place(value).filter(|place| place.by_variable)?;
            let Base::Local(alloca) = place.base else { return None };
            let (_, declared) = name_of(func, alloca)?;
            let message = "function returns address of local variable".to_string();
            let note = Some((declared, "declared here".to_string()));
            let at_value = func.def_inst(value).map_or(loc, |inst| func.source_loc(inst));
            let loc = if at_value.is_none() { loc } else { at_value };
            Some(Finding { kind: Kind::ReturnLocalAddr, loc, message, note })
        })),
        Opcode::Call => {
            let Some(name) = objects.library_call(inst) else { return };
            let arguments = &func.list(inst)[1..];
            match (name, arguments) {
                ("free", &[pointer]) => found.extend(free_of_other(objects, loc, pointer)),
                ("strcpy" | "stpcpy", &[target, source]) => {
                    let length = objects.place(source).and_then(|place| objects.text_length(place));
                    if let Some(length) = length {
                        access("__builtin_memcpy", target, None, length + 1);
                    }
                }
                ("mempcpy" | "memcpy" | "memmove", &[target, source, count]) => {
                    if let Some(count) = objects.integer(count) {
                        access(name, target, Some(source), count);
                    }
                }
                ("strncpy" | "stpncpy" | "memset", &[target, _, count]) => {
                    if let Some(count) = objects.integer(count) {
                        access(name, target, None, count);
                    }
                }
                _ => {}
            }
        }
        _ => {}
    }
}

fn bytes(count: i64) -> String {
    if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") }
}

/// What is left of an object from a place on, if `count` bytes are more than that.
fn too_small(objects: &Objects<'_>, pointer: Value, count: i64) -> Option<(Place, i64, i64)> {
    let place = objects.place(pointer)?;
    let (size, offset) = (objects.size(place.base)?, place.offset?);
    let left = if (0..=size).contains(&offset) { size - offset } else { return None };
    (count > left).then_some((place, size, left))
}

/// "destination object 'b' of size 8", and where that is; `None` where the place is not known.
fn described(objects: &Objects<'_>, role: &str, place: Place, size: i64) -> Option<(Loc, String)> {
    let func = objects.func;
    let at = match place.offset {
        Some(offset) if offset != 0 => format!("at offset {offset} into "),
        _ => String::new(),
    };
    match place.base {
        Base::Local(alloca) => {
            let (name, declared) = name_of(func, alloca)?;
            Some((declared, format!("{at}{role} object '{name}' of size {size}")))
        }
        Base::Allocated(call) => {
            let name = objects.module.name_of_callee(func, call).unwrap_or("malloc");
            Some((func.source_loc(call), format!("{at}{role} object of size {size} allocated by '{name}'")))
        }
        Base::Static(_) => None,
    }
}

/// A library function's access to memory of a known length.
struct Access<'a> {
    objects: &'a Objects<'a>,
    loc: Loc,
    /// The function, as it is called in the message.
    name: &'a str,
    /// Bytes.
    count: i64,
}

impl Access<'_> {
    fn write(&self, target: Value) -> Option<Finding> {
        let &Access { objects, loc, name, count } = self;
        let kind = Kind::StringopOverflow;
        if count < 0 {
            let message = format!("'{name}' specified bound {} exceeds maximum object size {}", count as u64, i64::MAX);
            return Some(Finding { kind, loc, message, note: None });
        }
        let (place, size, left) = too_small(objects, target, count)?;
        let message =
            format!("'{name}' writing {} into a region of size {left} overflows the destination", bytes(count));
        Some(Finding { kind, loc, message, note: described(objects, "destination", place, size) })
    }

    fn read(&self, source: Value) -> Option<Finding> {
        let &Access { objects, loc, name, count } = self;
        let (place, size, left) = too_small(objects, source, count)?;
        let message = format!("'{name}' reading {} from a region of size {left}", bytes(count));
        let note = described(objects, "source", place, size);
        Some(Finding { kind: Kind::StringopOverread, loc, message, note })
    }
}

/// `free` of what no allocation function gave, or not at its beginning.
fn free_of_other(objects: &Objects<'_>, loc: Loc, pointer: Value) -> Option<Finding> {
    let (module, func) = (objects.module, objects.func);
    let place = objects.place(pointer)?;
    let kind = Kind::FreeNonheapObject;
    let (message, note) = match place.base {
        Base::Local(alloca) => {
            let (name, declared) = name_of(func, alloca)?;
            (format!("'free' called on unallocated object '{name}'"), Some((declared, "declared here".to_string())))
        }
        Base::Static(symbol) => {
            let data = &module.symbols[symbol];
            let literal = match data.def {
                ir::SymbolDef::Data(id) => module.data[id].mergeable_string != 0 || data.name.starts_with(".L"),
                _ => false,
            };
            if literal {
                ("'free' called on a pointer to an unallocated object".to_string(), None)
            } else {
                (format!("'free' called on unallocated object '{}'", data.name), None)
            }
        }
        Base::Allocated(call) => {
            let offset = place.offset.filter(|&offset| offset != 0)?;
            let allocator = module.name_of_callee(func, call)?;
            if allocator == "alloca" {
                return None;
            }
            let name = variable_behind(objects, pointer)?;
            let message = format!("'free' called on pointer '{name}' with nonzero offset {offset}");
            (message, Some((func.source_loc(call), format!("returned from '{allocator}'"))))
        }
    };
    Some(Finding { kind, loc, message, note })
}

/// Name and declaration of the variable that an alloca is.
fn name_of(func: &Function, alloca: Inst) -> Option<(&str, Loc)> {
    func.variables.iter().find(|v| v.alloca == alloca).map(|v| (&*v.name, v.declared))
}

/// The name of the variable whose value a pointer is computed from.
fn variable_behind<'f>(objects: &Objects<'f>, pointer: Value) -> Option<&'f str> {
    let func = objects.func;
    let mut inst = func.def_inst(pointer)?;
    while func.insts[inst].opcode == Opcode::PtrAdd {
        inst = func.def_inst(func.operand(inst, 0))?;
    }
    let variable = objects.private_variable(inst)?;
    name_of(func, func.def_inst(variable)?).map(|v| v.0)
}
