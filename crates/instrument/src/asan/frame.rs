//! Variables in one frame with red zones between them, in the layout that the runtime reads: a
//! header with a magic number, a description and the function, then each variable, followed by what
//! may not be touched. The frame's shadow is written on entry and cleared before returns.
//!
//! A variable is taken if its address goes where accesses are not seen, or an access may be out of
//! bounds, or it is accessed where its scope may have ended. The sizes of red zones are LLVM's
//! (`ASanStackFrameLayout.cpp`) and gcc's (`asan_var_and_redzone_size`). With
//! `detect_stack_use_after_return` the runtime gives memory for the frame that stays poisoned after
//! the return.

use ir::debug::VariablePlace;
use ir::function::VariableName;
use ir::{
    AliasTags, BranchHint, Builder, Function, Inst, InstView, IntCc, Module, Opcode, ParamKind, Position, Type, Value,
};
use platform::options::Options;
use rustc_hash::{FxHashMap, FxHashSet};

use super::checks::shadow_at;
use super::runtime::{AsanRuntime, FRAME_CLASSES, Helper};
use crate::accesses::{Size, is_within};
use crate::exits;

const FRAME_MAGIC: i64 = 0x41b5_8ab3;
const RETIRED_MAGIC: i64 = 0x45e0_360e;
const HEADER: u64 = 32;
/// The runtime asks for no more than a granule; this costs nothing.
const STACK_ALIGN: u64 = 16;
const LEFT: u8 = 0xf1;
const MIDDLE: u8 = 0xf2;
const RIGHT: u8 = 0xf3;
const SCOPE_ENDED: u8 = 0xf8;

/// Larger variables are left alone: no frame has them.
const MAX_SIZE: u64 = 1 << 30;
/// Uses of an address that are looked at; one with more is taken.
const MAX_USES: usize = 4096;
/// Shadow bytes written in place; more are written by the runtime.
const MAX_DIRECT: usize = 256;

/// A variable of the frame.
struct Variable {
    alloca: Inst,
    address: Value,
    size: u64,
    align: u64,
    offset: u64,
    /// `LifetimeStart` and `LifetimeEnd`.
    markers: Vec<Inst>,
}

/// The frame as it is made.
struct Frame {
    /// Its alloca.
    alloca: Inst,
    /// Where it really is.
    base: Value,
    /// The alloca's address, if the frame may be elsewhere.
    on_stack: Option<Value>,
    /// `base` divided by eight.
    index: Value,
    total: u64,
    class: u32,
}

/// Moves what needs red zones to a frame with them; how many variables those are.
pub fn protect(
    func: &mut Function,
    module: &Module,
    options: &Options,
    runtime: &AsanRuntime,
    gone: &FxHashSet<Value>,
) -> u64 {
    let checks = &options.sanitize.address;
    let Some(description) = runtime.frame(func.symbol).filter(|_| checks.stack) else { return 0 };
    let allocas = func.insts_with(|op| op == Opcode::Alloca);
    let mut variables: Vec<Variable> = allocas
        .into_iter()
        .filter(|&alloca| gone.contains(&func.first_result(alloca)) || is_exposed(func, module, alloca))
        .map(|alloca| variable(func, alloca))
        .filter(|variable| (1..=MAX_SIZE).contains(&variable.size))
        .collect();
    if variables.is_empty() {
        return 0;
    }
    let total = lay_out(&mut variables);
    let shadow = shadow(&variables, total);
    let align = variables.iter().map(|variable| variable.align).fold(STACK_ALIGN, u64::max);
    func.frame_description = Some((description, describe(func, &variables).into()));
    let frame = enter(func, options, runtime, (total, align), &shadow);
    let scopes = options.sanitize.poisons_scopes();
    for variable in &variables {
        for &marker in &variable.markers {
            if scopes {
                mark(func, runtime, &frame, variable, marker);
            }
            func.remove_inst(marker);
        }
        replace(func, options, &frame, variable);
    }
    let returns = exits(func);
    let cleared = |at: usize| shadow[at] != 0;
    let mut dirty: Vec<bool> = (0..shadow.len()).map(cleared).collect();
    for variable in variables.iter().filter(|variable| scopes && !variable.markers.is_empty()) {
        dirty[granules(variable)].fill(true);
    }
    for ret in returns {
        leave(func, runtime, &frame, ret, &dirty);
    }
    variables.len() as u64
}

fn variable(func: &Function, alloca: Inst) -> Variable {
    let address = func.first_result(alloca);
    let (size, align) = func.alloca_info(alloca);
    let is_marker = |inst: Inst| matches!(func.insts[inst].opcode, Opcode::LifetimeStart | Opcode::LifetimeEnd);
    let markers = func.uses(address).map(|(user, _)| user).filter(|&user| is_marker(user)).collect();
    Variable { alloca, address, size, align: u64::from(align).max(8), offset: 0, markers }
}

/// Whether an address goes where its accesses are not seen, or one of them may be out of bounds.
fn is_exposed(func: &Function, module: &Module, alloca: Inst) -> bool {
    let limit = func.alloca_info(alloca).0;
    let mut work = vec![(func.first_result(alloca), 0i64)];
    let mut looked_at = 0;
    while let Some((value, offset)) = work.pop() {
        for (user, operand) in func.uses(value) {
            looked_at += 1;
            let within = |size: u64| is_within(Size::Fixed(size), offset, limit);
            let bytes = |value: Value| u64::from(func.value_type(value).store_size());
            let harmless = looked_at <= MAX_USES
                && match func.view(user) {
                    InstView::Load { .. } | InstView::AtomicLoad { .. } => within(bytes(func.first_result(user))),
                    InstView::Store { value: stored, .. }
                    | InstView::AtomicStore { value: stored, .. }
                    | InstView::AtomicRmw { value: stored, .. }
                    | InstView::CmpXchg { expected: stored, .. } => operand == 0 && within(bytes(stored)),
                    InstView::BlockOp { len, .. } => {
                        operand < 2 && func.const_i64(len).is_some_and(|len| within(len as u64))
                    }
                    InstView::Binary { op: Opcode::PtrAdd, b, .. } if operand == 0 => match func.const_i64(b) {
                        Some(more) => {
                            work.push((func.first_result(user), offset.wrapping_add(more)));
                            true
                        }
                        None => false,
                    },
                    InstView::Call { .. } => is_copied(func, module, user, operand),
                    InstView::ICmp { .. } => true,
                    _ => matches!(
                        func.insts[user].opcode,
                        Opcode::LifetimeStart | Opcode::LifetimeEnd | Opcode::Keep | Opcode::VaStart
                    ),
                };
            if !harmless {
                return true;
            }
        }
    }
    false
}

/// Whether a call's operand is the address of what the call passes by value.
fn is_copied(func: &Function, module: &Module, call: Inst, operand: usize) -> bool {
    let params = &module.signatures[func.call_info(call).sig].params;
    let param = operand.checked_sub(1).and_then(|index| params.get(index));
    param.is_some_and(|param| matches!(param.kind, ParamKind::ByVal { .. }))
}

/// Gives each variable its place; the size of the frame.
fn lay_out(variables: &mut [Variable]) -> u64 {
    let mut at = HEADER;
    for index in 0..variables.len() {
        let variable = &mut variables[index];
        at = at.next_multiple_of(variable.align);
        variable.offset = at;
        let zone = match variable.size {
            0..=4 => 16 - variable.size,
            5..=16 => 32 - variable.size,
            17..=128 => 32,
            129..=512 => 64,
            513..=4096 => 128,
            _ => 256,
        };
        at = (at + variable.size + zone).next_multiple_of(8);
    }
    at.next_multiple_of(HEADER)
}

/// The shadow bytes of a variable in the frame's.
fn granules(variable: &Variable) -> std::ops::Range<usize> {
    let first = (variable.offset / 8) as usize;
    first..first + variable.size.div_ceil(8) as usize
}

/// The shadow of the frame while all variables are alive.
fn shadow(variables: &[Variable], total: u64) -> Vec<u8> {
    let mut shadow = vec![MIDDLE; (total / 8) as usize];
    let (first, last) = (&variables[0], &variables[variables.len() - 1]);
    shadow[..granules(first).start].fill(LEFT);
    shadow[granules(last).end..].fill(RIGHT);
    for variable in variables {
        shadow[granules(variable)].copy_from_slice(&alive(variable));
    }
    shadow
}

/// The shadow of a variable that may be accessed.
fn alive(variable: &Variable) -> Vec<u8> {
    let mut shadow = vec![0; granules(variable).len()];
    if let Some(last) = shadow.last_mut() {
        *last = (variable.size % 8) as u8;
    }
    shadow
}

/// What the runtime is told: the number of variables, then of each offset, size and name with line,
/// which the name's length comes before.
fn describe(func: &Function, variables: &[Variable]) -> String {
    let mut text = variables.len().to_string();
    let names: FxHashMap<Inst, &VariableName> = func.variables.iter().rev().map(|name| (name.alloca, name)).collect();
    for variable in variables {
        let name = match names.get(&variable.alloca) {
            Some(known) if known.line > 0 => format!("{}:{}", known.name, known.line),
            Some(known) => known.name.to_string(),
            None => "<unknown>".to_string(),
        };
        text.push_str(&format!(" {} {} {} {name}", variable.offset, variable.size, name.len()));
    }
    text
}

/// Makes the frame at the function's entry.
fn enter(
    func: &mut Function,
    options: &Options,
    runtime: &AsanRuntime,
    (total, align): (u64, u64),
    shadow: &[u8],
) -> Frame {
    let description = func.frame_description.as_ref().expect("it has been described").0;
    let entry = func.entry();
    let first = func.block_insts(entry).find(|&inst| func.insts[inst].opcode != Opcode::Alloca);
    let first = first.expect("a block ends in a terminator");
    let loc = func.loc;
    let mut b = Builder::new(func, Position::Before(first));
    let on_stack = b.alloca(total, align as u32);
    let class = (0..FRAME_CLASSES).find(|class| total <= 64 << class).unwrap_or(FRAME_CLASSES);
    let apart = options.sanitize.address.use_after_return
        && class < FRAME_CLASSES
        && align <= 64 << class
        && !b.func.calls_setjmp;
    let alloca = b.func.def_inst(on_stack).expect("an alloca is an instruction");
    let base = if apart { elsewhere(func, runtime, on_stack, (total, class), first) } else { on_stack };
    let mut b = Builder::new(func, Position::Before(first));
    b.loc = loc;
    let function = b.func.symbol;
    let (text, code) = (b.func.symbol_const(description, 0), b.func.symbol_const(function, 0));
    let magic = b.iconst(Type::I64, FRAME_MAGIC);
    for (offset, value) in [(0, magic), (8, text), (16, code)] {
        let place = b.ptradd_imm(base, offset);
        b.store(value, place, 8, AliasTags::any(), 0);
    }
    let number = b.unary(Opcode::PtrToInt, Type::I64, base);
    let three = b.iconst(Type::I64, 3);
    let index = b.binary(Opcode::LShr, number, three);
    let frame = Frame { alloca, base, on_stack: apart.then_some(on_stack), index, total, class };
    for (at, width) in chunks(&shadow.iter().map(|&byte| byte != 0).collect::<Vec<_>>()) {
        store_shadow(&mut b, runtime, &frame, at, &shadow[at..at + width]);
    }
    frame
}

/// The frame's address where the runtime may give it another place: `first` and what follows it
/// move to a new block.
fn elsewhere(
    func: &mut Function,
    runtime: &AsanRuntime,
    on_stack: Value,
    (total, class): (u64, u32),
    first: Inst,
) -> Value {
    // Without phis: the code generator of `-O0` knows none.
    let entry = func.entry();
    let slot = Builder::new(func, Position::Before(first)).alloca(8, 8);
    let rest = func.split_block(first);
    // Allocas stay in the entry block.
    let allocas: Vec<Inst> = func.block_insts(rest).filter(|&i| func.insts[i].opcode == Opcode::Alloca).collect();
    for alloca in allocas {
        func.unplace_inst(alloca);
        func.append_inst(entry, alloca);
    }
    let asked = func.make_block();
    func.append_block(asked);
    let mut b = Builder::new(func, Position::End(entry));
    b.store(on_stack, slot, 8, AliasTags::any(), 0);
    let option = b.func.symbol_const(runtime.frames_apart, 0);
    let option = b.load(Type::I32, option, 4, AliasTags::any(), 0);
    let zero = b.iconst(Type::I32, 0);
    let wanted = b.icmp(IntCc::Ne, option, zero);
    b.cond_br(wanted, asked, rest, BranchHint::Unlikely);
    b.position = Position::End(asked);
    let bytes = b.iconst(Type::I64, total as i64);
    let given = runtime.call(&mut b, Helper::FrameMalloc(class), &[bytes]);
    let given = b.func.first_result(given);
    let null = b.func.bits_const(Type::PTR, 0);
    let none = b.icmp(IntCc::Eq, given, null);
    let chosen = b.select(none, on_stack, given);
    b.store(chosen, slot, 8, AliasTags::any(), 0);
    b.br(rest);
    Builder::new(func, Position::Before(first)).load(Type::PTR, slot, 8, AliasTags::any(), 0)
}

/// Where stores of 8, 4, 2 or 1 bytes write all that is `wanted`: their places and widths.
fn chunks(wanted: &[bool]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < wanted.len() {
        let width = [8, 4, 2, 1].into_iter().find(|width| at + width <= wanted.len()).unwrap_or(1);
        if wanted[at..at + width].contains(&true) {
            out.push((at, width));
        }
        at += width;
    }
    out
}

/// Writes up to eight bytes of the frame's shadow.
fn store_shadow(b: &mut Builder<'_>, runtime: &AsanRuntime, frame: &Frame, at: usize, bytes: &[u8]) {
    let ty = Type::int(bytes.len() as u32 * 8).expect("chunks are powers of two");
    let bits = bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    let place = shadow_at(b, runtime, frame.index, at as i64);
    let value = b.func.bits_const(ty, u128::from(bits));
    b.store(value, place, 1, AliasTags::any(), 0);
}

/// A variable comes to life or dies at a marker.
fn mark(func: &mut Function, runtime: &AsanRuntime, frame: &Frame, variable: &Variable, marker: Inst) {
    let starts = func.insts[marker].opcode == Opcode::LifetimeStart;
    let mut b = Builder::before(func, marker);
    let range = granules(variable);
    if range.len() > MAX_DIRECT / 8 {
        let helper = if starts { Helper::UnpoisonStack } else { Helper::PoisonStack };
        let address = b.ptradd_imm(frame.base, variable.offset as i64);
        let bytes = b.iconst(Type::I64, variable.size as i64);
        runtime.call(&mut b, helper, &[address, bytes]);
        return;
    }
    let bytes = if starts { alive(variable) } else { vec![SCOPE_ENDED; range.len()] };
    for (at, width) in chunks(&vec![true; range.len()]) {
        store_shadow(&mut b, runtime, frame, range.start + at, &bytes[at..at + width]);
    }
}

/// Puts the frame's part in the place of a variable's alloca.
fn replace(func: &mut Function, options: &Options, frame: &Frame, variable: &Variable) {
    let offset = variable.offset as i64;
    if options.optimizing() {
        let at = func.def_inst(frame.base).and_then(|inst| func.next_inst(inst)).expect("the frame is in use");
        let address = Builder::new(func, Position::Before(at)).ptradd_imm(frame.base, offset);
        func.replace_all_uses(variable.address, address);
    } else {
        // Sums beside their use are parts of operands, and need no register of their own.
        let uses: Vec<(Inst, usize)> = func.uses(variable.address).collect();
        for (user, operand) in uses {
            let address = Builder::before(func, user).ptradd_imm(frame.base, offset);
            func.set_operand(user, operand, address);
        }
    }
    if let Some(debug) = &mut func.debug {
        for described in &mut debug.variables {
            if described.place == VariablePlace::Alloca(variable.alloca) {
                described.place = VariablePlace::Within(frame.alloca, variable.offset as u32);
            }
        }
        debug.parts.retain(|part| part.alloca != variable.alloca);
    }
    func.remove_inst(variable.alloca);
}

/// Clears the frame's shadow before a return, or gives the frame back to the runtime.
fn leave(func: &mut Function, runtime: &AsanRuntime, frame: &Frame, ret: Inst, dirty: &[bool]) {
    if let Some(on_stack) = frame.on_stack {
        let block = func.inst_block(ret).expect("returns are in blocks");
        let [clear, apart, rest] = [func.make_block(), func.make_block(), func.make_block()];
        func.insert_block_after(block, clear);
        func.insert_block_after(clear, rest);
        func.append_block(apart);
        func.split_insts(ret, rest);
        func.replace_pred_in_targets(block, rest);
        let mut b = Builder::new(func, Position::End(block));
        let here = b.icmp(IntCc::Eq, frame.base, on_stack);
        b.cond_br(here, clear, apart, BranchHint::Likely);
        b.position = Position::End(apart);
        let magic = b.iconst(Type::I64, RETIRED_MAGIC);
        b.store(magic, frame.base, 8, AliasTags::any(), 0);
        let bytes = b.iconst(Type::I64, frame.total as i64);
        runtime.call(&mut b, Helper::FrameFree(frame.class), &[frame.base, bytes]);
        b.br(rest);
        let jump = Builder::new(func, Position::End(clear)).br(rest);
        return clear_shadow(&mut Builder::new(func, Position::Before(jump)), runtime, frame, dirty);
    }
    clear_shadow(&mut Builder::new(func, Position::Before(ret)), runtime, frame, dirty);
}

fn clear_shadow(b: &mut Builder<'_>, runtime: &AsanRuntime, frame: &Frame, dirty: &[bool]) {
    let chunks = chunks(dirty);
    if chunks.len() > MAX_DIRECT / 8 {
        let start = shadow_at(b, runtime, frame.index, 0);
        let bytes = b.iconst(Type::I64, dirty.len() as i64);
        runtime.call(b, Helper::ClearShadow, &[start, bytes]);
        return;
    }
    for (at, width) in chunks {
        store_shadow(b, runtime, frame, at, &[0; 8][..width]);
    }
}
