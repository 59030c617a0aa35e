//! Nested functions (GNU): the frame they share with their enclosing function, the static chain,
//! trampolines, and jumps to enclosing functions' labels.
//!
//! Variables that a nested function uses live in one alloca of the enclosing function, its *frame*;
//! the static chain is that alloca's address. The first word of a frame is the enclosing function's
//! own chain, so that outer levels are reached by following links. Fields are handed out on demand
//! while the enclosing function is lowered; nested functions are lowered after it and find the
//! final layout. A jump out of a nested function is a `longjmp` to a buffer in the frame, set on
//! entry.

use cranelift_entity::EntityRef;
use ir::{AliasTags, BranchHint, IntCc, Intrinsic, SymbolId, Type, Value};
use rustc_hash::FxHashMap;

use super::abi::FnAbi;
use super::expressions;
use super::function::{Fx, label_block};
use super::place::Place;
use super::walk::{Node, walk};
use crate::tree::*;

/// Bytes of a `__builtin_setjmp` buffer: five words.
const JUMP_BUFFER: u64 = 40;
/// Bytes of a trampoline: two 10-byte moves and an indirect jump, rounded up.
const TRAMPOLINE: u64 = 32;
/// Bytes of the link to the enclosing frame.
const LINK: u64 = 8;
/// Alignment of frames: as much as any field may ask for without realigning the stack.
const FRAME_ALIGN: u32 = 16;

/// The variables a function shares with the functions nested in it.
#[derive(Clone)]
pub struct Frame {
    function: DeclId,
    base: Value,
    size: u64,
    variables: FxHashMap<DeclId, (u64, u32)>,
    bounds: FxHashMap<VlaId, u64>,
    labels: FxHashMap<LabelId, u64>,
    symbol: SymbolId,
    label_numbers: FxHashMap<LabelId, u32>,
}

/// What is known of a nested function when it is called.
#[derive(Clone, Copy)]
pub struct NestedInfo {
    /// Takes a static chain.
    pub needs_chain: bool,
    /// Index of the enclosing function's frame.
    pub level: usize,
}

/// The functions defined directly in `def`, in order.
pub fn definitions<'t>(def: &'t FunctionDef<'t>) -> Vec<&'t FunctionDef<'t>> {
    let mut out = Vec::new();
    if def.flags.has_nested {
        walk(def.body.stmts.iter().map(Node::Stmt), |node| {
            if let Node::Stmt(Stmt { kind: StmtKind::NestedFunction(inner), .. }) = node {
                out.push(*inner);
            }
            true
        });
    }
    out.sort_by_key(|d| d.decl);
    out
}

/// Whether a nested function, or one nested in it, uses its enclosing function.
pub fn needs_chain(def: &FunctionDef<'_>) -> bool {
    let mut work = vec![def];
    while let Some(def) = work.pop() {
        if def.flags.needs_static_chain {
            return true;
        }
        work.extend(definitions(def));
    }
    false
}

/// Makes the frame of a function that contains others.
pub fn open_frame(fx: &mut Fx<'_, '_>, abi: &FnAbi) {
    if !fx.def.flags.has_nested {
        return;
    }
    let level = fx.state.frames.len();
    for inner in definitions(fx.def) {
        let info = NestedInfo { needs_chain: needs_chain(inner), level };
        fx.state.nested.insert(inner.decl, info);
    }
    let base = fx.alloca(LINK, FRAME_ALIGN);
    fx.frame = Some(Frame {
        function: fx.def.decl,
        base,
        size: LINK,
        variables: FxHashMap::default(),
        bounds: FxHashMap::default(),
        labels: FxHashMap::default(),
        symbol: fx.func.symbol,
        label_numbers: fx.label_numbers.clone(),
    });
    if abi.chain {
        let chain = fx.func.params()[0];
        fx.store(chain, Place::new(base, FRAME_ALIGN), AliasTags::any());
    }
}

/// Adds a field to the own frame; its offset.
fn add_field(fx: &mut Fx<'_, '_>, size: u64, align: u32) -> Option<u64> {
    let frame = fx.frame.as_mut()?;
    let offset = platform::data_layout::align_to(frame.size, align.max(1) as u64);
    frame.size = offset + size;
    let total = frame.size;
    if let Some(inst) = fx.func.def_inst(frame.base) {
        let (_, before) = fx.func.alloca_info(inst);
        fx.func.set_alloca_info(inst, total, before.max(align));
    }
    Some(offset)
}

/// The field of a captured variable of this function (for a variable-length array: of its address).
pub fn frame_place(fx: &mut Fx<'_, '_>, decl: DeclId) -> Option<Place> {
    if fx.frame.is_none() || !fx.unit.decls[decl].flags.has(DeclFlags::CAPTURED) {
        return None;
    }
    let known = fx.frame.as_ref().and_then(|f| f.variables.get(&decl).copied());
    let (offset, align) = match known {
        Some(field) => field,
        None => {
            let info = fx.unit.decls[decl];
            let (size, align) = if fx.types().is_vla(info.ty.ty()) {
                (8, 8)
            } else {
                let align = fx.object_align(info.ty).max(info.align);
                (fx.types().size_of(info.ty).unwrap_or(0), align)
            };
            let offset = add_field(fx, size, align)?;
            if let Some(frame) = fx.frame.as_mut() {
                frame.variables.insert(decl, (offset, align));
            }
            (offset, align)
        }
    };
    let base = fx.frame.as_ref()?.base;
    Some(Place { base_align: FRAME_ALIGN.max(align), ..Place::new(base, FRAME_ALIGN).offset(offset as i64) })
}

/// Where a bound is kept if nested functions may read it: this function's frame or an enclosing
/// one's.
pub fn bound_place(fx: &mut Fx<'_, '_>, vla: VlaId) -> Option<Place> {
    if let Some(level) = fx.state.frames.iter().rposition(|f| f.bounds.contains_key(&vla)) {
        let offset = fx.state.frames[level].bounds[&vla];
        let base = frame_address(fx, level);
        return Some(Place::new(base, FRAME_ALIGN).offset(offset as i64));
    }
    let frame = fx.frame.as_ref()?;
    let base = frame.base;
    let offset = match frame.bounds.get(&vla) {
        Some(&offset) => offset,
        None => {
            let offset = add_field(fx, 8, 8)?;
            if let Some(frame) = fx.frame.as_mut() {
                frame.bounds.insert(vla, offset);
            }
            offset
        }
    };
    Some(Place::new(base, FRAME_ALIGN).offset(offset as i64))
}

/// A variable of an enclosing function.
pub fn outer_variable(fx: &mut Fx<'_, '_>, decl: DeclId) -> Option<Place> {
    let level = fx.state.frames.iter().rposition(|f| f.variables.contains_key(&decl))?;
    let (offset, align) = fx.state.frames[level].variables[&decl];
    let base = frame_address(fx, level);
    let place = Place { base_align: FRAME_ALIGN.max(align), ..Place::new(base, FRAME_ALIGN).offset(offset as i64) };
    if fx.types().is_vla(fx.unit.decls[decl].ty.ty()) {
        let storage = fx.load(Type::PTR, place, AliasTags::any());
        return Some(Place::new(storage, super::lvalues::vla_align(fx, decl)));
    }
    Some(place)
}

/// The address of the frame number `level` among the enclosing ones (the number of all of them: the
/// own frame).
fn frame_address(fx: &mut Fx<'_, '_>, level: usize) -> Value {
    let levels = fx.state.frames.len();
    if level == levels {
        return match &fx.frame {
            Some(frame) => frame.base,
            None => base::bug!("a function without nested ones has no frame"),
        };
    }
    let Some(mut at) = fx.chain else { base::bug!("a nested function without a static chain looks outward") };
    for _ in level + 1..levels {
        at = fx.load(Type::PTR, Place::new(at, FRAME_ALIGN), AliasTags::any());
    }
    at
}

/// The symbol of a function, and the chain a direct call passes.
pub fn call_target(fx: &mut Fx<'_, '_>, decl: DeclId) -> (SymbolId, Option<Value>) {
    let symbol = fx.symbol(decl);
    let chain = match fx.state.nested.get(&decl).copied() {
        Some(info) if info.needs_chain && fx.live => Some(frame_address(fx, info.level)),
        _ => None,
    };
    (symbol, chain)
}

/// The address of a function as a pointer: a trampoline for a nested function with a chain. It
/// lives in the frame of the function that takes the address.
pub fn function_pointer(fx: &mut Fx<'_, '_>, decl: DeclId) -> Value {
    let (symbol, chain) = call_target(fx, decl);
    let code = fx.func.symbol_const(symbol, 0);
    let Some(chain) = chain else { return code };
    fx.state.module.needs_executable_stack = true;
    let block = match fx.trampolines.get(&decl) {
        Some(&block) => block,
        None => {
            let block = fx.alloca(TRAMPOLINE, 16);
            fx.trampolines.insert(decl, block);
            block
        }
    };
    fx.b().intrinsic(Intrinsic::InitTrampoline, Type::VOID, &[block, code, chain]);
    block
}

/// Sets the buffers for labels that nested functions jump to.
pub fn arm_labels(fx: &mut Fx<'_, '_>) {
    let def = fx.def;
    for (index, label) in def.labels.iter().enumerate() {
        if !label.nonlocal || label.outer.is_some() {
            continue;
        }
        let id = LabelId::new(index);
        let Some(offset) = add_field(fx, JUMP_BUFFER, 8) else { continue };
        let Some(frame) = fx.frame.as_mut() else { continue };
        frame.labels.insert(id, offset);
        let place = Place::new(frame.base, FRAME_ALIGN).offset(offset as i64);
        let buffer = fx.address(place);
        let jumped = set_jump(fx, buffer);
        let jumped = fx.icmp_imm(IntCc::Ne, jumped, 0);
        let go_on = fx.new_block();
        let block = label_block(fx, id);
        fx.cond_br(jumped, block, go_on, BranchHint::Unlikely);
        fx.start(go_on);
    }
}

/// `__builtin_setjmp(buffer)`
pub fn set_jump(fx: &mut Fx<'_, '_>, buffer: Value) -> Value {
    expressions::intrinsic(fx, Intrinsic::SetJmp, Type::I32, &[buffer])
}

/// `&&label` of an enclosing function: code has no name for another function's block, but data has.
pub fn outer_label_address(fx: &mut Fx<'_, '_>, function: DeclId, label: LabelId) -> Option<Value> {
    let frame = fx.state.frames.iter().rfind(|f| f.function == function)?;
    let target = ir::RelocTarget::Label { function: frame.symbol, label: *frame.label_numbers.get(&label)? };
    let symbol = fx.state.module.add_private_data(|symbol| ir::DataObject {
        symbol,
        size: 8,
        align: 8,
        bytes: Vec::new(),
        relocs: vec![ir::DataReloc { offset: 0, size: 8, target, addend: 0 }],
        read_only: true,
        constant: true,
        mergeable_string: 0,
        unnamed_addr: true,
        redzone: 0,
    });
    fx.state.module.symbols[symbol].referenced = true;
    let place = Place::new(fx.func.symbol_const(symbol, 0), 8);
    Some(fx.load(Type::PTR, place, AliasTags::any()))
}

/// `goto` to a label of an enclosing function.
pub fn goto_outer(fx: &mut Fx<'_, '_>, function: DeclId, label: LabelId) {
    if !fx.live {
        return;
    }
    super::scopes::run_cleanups(fx, None);
    let found = fx.state.frames.iter().rposition(|f| f.function == function);
    let field = found.and_then(|level| Some((level, *fx.state.frames[level].labels.get(&label)?)));
    let Some((level, offset)) = field else {
        base::bug!("a label of an enclosing function has no buffer");
    };
    let base = frame_address(fx, level);
    let buffer = fx.address(Place::new(base, FRAME_ALIGN).offset(offset as i64));
    fx.b().intrinsic(Intrinsic::LongJmp, Type::VOID, &[buffer]);
    fx.unreachable();
}
