//! The state of lowering one function: its IR so far, where its variables live, open scopes; and
//! its frame: parameters in, labels resolved at the end.
//!
//! Code is always appended to the current block. After a terminator the position is *dead*: what is
//! emitted then goes to a block that never enters the layout, [`super::expressions`] answers with
//! dummy constants instead of lowering anything, and branches from there do not count as
//! predecessors. [`Fx::start`] brings a block to life only if live code branches to it, so pruned
//! conditions leave no unreachable blocks after.

use base::{Loc, Session};
use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, SecondaryMap};
use ir::{AsmPlace, Block, Function, Inst, Opcode, SymbolId, Type, Value};
use platform::options::{Options, Profile};
use platform::registers::Reg;
use rustc_hash::FxHashMap;

use super::abi::{self, FnAbi, RetMode};
use super::nested::Frame;
use super::place::{Place, Rvalue};
use super::scopes::Scope;
use super::shapes::{Shape, shape};
use super::state::State;
use super::switch::SwitchCx;
use super::{calls, debug, expressions, nested, scopes, statements, vector_abi};
use crate::tree::*;

/// Levels that lowering may need beyond the parser's: a statement's own, an operand's.
const LOWERING_LEVELS: u32 = 64;

/// Where a local variable lives.
#[derive(Clone, Copy, Debug)]
pub enum Local {
    /// At a fixed address: an alloca, a parameter's own stack copy, or a field of the frame shared
    /// with nested functions.
    At(Place),
    /// At an address kept in this pointer slot: a variable-length array.
    Indirect(Value),
    /// In a register that the program names and never sets.
    Register(Reg),
}

/// Targets of `break` and `continue`, and the state of scopes there.
#[derive(Clone, Copy)]
pub struct Breakable {
    /// Where `break` goes.
    pub break_to: Block,
    /// Where `continue` goes; `None` in a switch.
    pub continue_to: Option<Block>,
    /// Innermost cleanup outside the statement.
    pub cleanup: Option<CleanupId>,
    /// Open scopes outside the statement.
    pub scope_depth: usize,
}

/// Places of what is lowered next, as gcc has them.
#[derive(Default)]
pub struct Places {
    /// Where `&&` or `||` stands whose right operand is tested next.
    pub operator: Option<Loc>,
    /// Where the next value is computed: an argument, when coverage is counted, where its call is.
    pub value: Option<Loc>,
    /// There is a `return` without a value.
    pub returned: bool,
}

/// Lowering of one function.
pub struct Fx<'l, 't> {
    /// What is shared by the unit: module, symbols, strings.
    pub state: &'l mut State,
    /// The unit's tables.
    pub unit: &'l mut Unit,
    /// Diagnostics and names.
    pub session: &'l Session,
    /// Options of the compilation.
    pub options: &'l Options,
    /// The function's tree.
    pub def: &'t FunctionDef<'t>,
    /// The function so far.
    pub func: Function,
    /// Location given to new instructions.
    pub loc: Loc,
    /// How the result travels.
    pub ret: RetMode,
    /// Address of the caller's result object.
    pub sret: Option<Value>,
    /// Where variables live.
    pub locals: FxHashMap<DeclId, Local>,
    /// Values bound by enclosing nodes.
    pub opaques: Vec<Option<Rvalue>>,
    /// Slots of array bounds.
    pub vla_lens: FxHashMap<VlaId, Value>,
    /// Block of each label, made on demand.
    pub labels: Vec<PackedOption<Block>>,
    /// Number of a label in `func.labels`, for those whose address is taken.
    pub label_numbers: FxHashMap<LabelId, u32>,
    /// Loops and switches around the current statement.
    pub breakables: Vec<Breakable>,
    /// Switches around the current statement.
    pub switches: Vec<SwitchCx>,
    /// Innermost cleanup.
    pub cleanup: Option<CleanupId>,
    /// Stack pointers saved before variable-length arrays.
    pub saved_sp: FxHashMap<CleanupId, (Value, usize)>,
    /// Cleanups that unwinding has to run.
    pub unwinding: super::unwinding::Nodes,
    /// Open scopes, for lifetime markers.
    pub scopes: Vec<Scope>,
    /// Jumps between them, for sanitizers.
    pub scope_jumps: scopes::Jumps,
    /// The one indirect branch: its block, and the slot of the address.
    pub indirect: Option<(Block, Value)>,
    /// Variables shared with nested functions, when there are any.
    pub frame: Option<Frame>,
    /// Trampolines made here.
    pub trampolines: FxHashMap<DeclId, Value>,
    /// Value of the static chain in a nested function.
    pub chain: Option<Value>,
    /// The parameters `__builtin_va_arg_pack` stands for, in a specialised copy.
    pub va_pack: Vec<Rvalue>,
    /// Their types.
    pub va_pack_types: Vec<Ty>,
    /// The function is such a copy.
    pub is_va_pack_clone: bool,
    /// Nesting of recursion; see [`Fx::descend`].
    pub depth: u32,
    /// Temporaries that may be used again: (size, align, address).
    pub free_temps: Vec<(u64, u32, Value)>,
    /// Temporaries of the full expressions being lowered.
    pub used_temps: Vec<(u64, u32, Value)>,
    /// A block was kept alive on suspicion; unreachable ones must be looked for at the end.
    pub sweep: bool,
    /// binary16 results of operators, with their values before rounding.
    pub excess: FxHashMap<Value, Value>,
    /// Addresses need no notes of sizes: they are dereferenced.
    pub unnoted: bool,
    /// Innermost scope described for `-g`.
    pub debug_scope: u32,
    /// What the next lvalue is lowered for, where sanitizers ask.
    pub access: Option<super::sanitize::memory::Access>,
    /// What pragmas say of the loops being lowered.
    pub loops: super::loop_pragmas::State,
    /// The check of the last pointer of an lvalue whose access asks for it later.
    pub postponed_check: Option<super::sanitize::memory::Postponed>,
    /// The expression (by its address) that is the whole value of an assignment to a register
    /// variable, and where that stands.
    pub whole_value: Option<(*const (), Loc)>,
    /// Where the statement being lowered begins.
    pub statement_loc: Loc,
    /// Where what comes next is, other than its expression says.
    pub places: Places,
    /// What a conversion works on is the value of a variable.
    pub source_is_variable: bool,
    /// Sizes of objects by their addresses, where sanitizers ask.
    pub object_sizes: FxHashMap<Value, u64>,
    /// The block of checks that trap.
    pub sanitizer_trap: Option<Block>,
    /// The `-ftrapv` landing block.
    pub overflow_trap: Option<Block>,
    /// Offset of the first anonymous argument on the stack, in a variadic function of the Microsoft
    /// x64 convention.
    pub ms_anonymous: i64,
    pub(super) block: Block,
    pub(super) live: bool,
    pub(super) has_pred: SecondaryMap<Block, bool>,
    pub(super) last_alloca: Option<Inst>,
}

/// What a function body is lowered as.
pub struct Job<'t> {
    /// The tree.
    pub def: &'t FunctionDef<'t>,
    /// The symbol it defines.
    pub symbol: SymbolId,
    /// Extra anonymous parameters of a copy made for one call (`__builtin_va_arg_pack`).
    pub va_pack: Option<Vec<Ty>>,
    /// The instruction set of one of several versions, as `target_clones` has it.
    pub version: Option<&'t str>,
}

impl<'t> Job<'t> {
    /// The function as it is written.
    pub fn new(def: &'t FunctionDef<'t>, symbol: SymbolId) -> Job<'t> {
        Job { def, symbol, va_pack: None, version: None }
    }
}

/// Lowers one function. Its nested functions follow it in the answer.
pub fn lower<'t>(
    state: &mut State,
    unit: &mut Unit,
    session: &Session,
    options: &Options,
    job: Job<'t>,
) -> Vec<Function> {
    let name = unit.decls[job.def.decl].name.map_or("", |n| session.str(n));
    let _function = base::bug::enter_function(name);
    let _pass = base::bug::enter_pass("lower");
    let mut done = Vec::new();
    let outer_frames = state.frames.len();
    let def = job.def;
    let (function, frame) = lower_one(state, unit, session, options, job);
    done.push(function);
    // A worklist instead of recursion: (definition, number of enclosing frames).
    if let Some(frame) = frame {
        let mut work: Vec<(&FunctionDef<'_>, std::rc::Rc<Vec<Frame>>)> = Vec::new();
        let frames = std::rc::Rc::new(vec![frame]);
        work.extend(nested::definitions(def).into_iter().rev().map(|d| (d, frames.clone())));
        while let Some((def, outer)) = work.pop() {
            state.frames.truncate(outer_frames);
            state.frames.extend(outer.iter().cloned());
            let symbol = state.nested_symbol(unit, session, options, def.decl);
            let (function, frame) = lower_one(state, unit, session, options, Job::new(def, symbol));
            done.push(function);
            if let Some(frame) = frame {
                let mut frames = (*outer).clone();
                frames.push(frame);
                let frames = std::rc::Rc::new(frames);
                work.extend(nested::definitions(def).into_iter().rev().map(|d| (d, frames.clone())));
            }
        }
    }
    state.frames.truncate(outer_frames);
    done
}

fn lower_one<'t>(
    state: &mut State,
    unit: &mut Unit,
    session: &Session,
    options: &Options,
    job: Job<'t>,
) -> (Function, Option<Frame>) {
    let Job { def, symbol, va_pack, version } = job;
    let unit_features = options.codegen.features;
    let own_options = super::attributes::own_options(unit, session, options, def.decl, version);
    let options = own_options.as_ref().unwrap_or(options);
    let interrupt = unit.attrs(def.decl).is_some_and(|a| a.flags.has(AttrFlags::INTERRUPT));
    unit.types.vectors_in_registers = options.codegen.features.has_sse();
    vector_abi::check_definition(state, unit, session, options, def);
    let mut abi = abi::of_definition(unit, options, def, va_pack.as_deref());
    super::without_sse::check_arguments(state, unit, session, options, &abi, def.loc);
    // The parameters of an interrupt handler are what the processor pushed.
    abi.params.retain(|_| !interrupt);
    let mut signature = abi.signature();
    let saved = super::ms_abi::saved_registers(&abi);
    signature.params.extend((0..saved).map(|_| ir::AbiParam { ty: Type::I64, kind: ir::ParamKind::Direct }));
    let sig = state.module.signature(signature);
    let types: Vec<Type> = state.module.signatures[sig].params.iter().map(|p| p.ty).collect();
    check_instrumented(unit, session, options, def, interrupt, abi.chain);
    let mut func = Function::recycled(state.spare.take(), symbol, sig, types);
    func.loc = def.loc;
    func.end = def.body.end;
    func.features = own_options.as_ref().map(|own| own.codegen.features).filter(|&f| f != unit_features);
    let entry = func.make_block();
    func.append_block(entry);
    let mut fx = Fx {
        state,
        unit,
        session,
        options,
        def,
        func,
        loc: def.loc,
        ret: abi.ret.clone(),
        sret: None,
        locals: FxHashMap::default(),
        opaques: vec![None; def.opaques as usize],
        vla_lens: FxHashMap::default(),
        labels: vec![None.into(); def.labels.len()],
        label_numbers: FxHashMap::default(),
        breakables: Vec::new(),
        switches: Vec::new(),
        cleanup: None,
        unwinding: Default::default(),
        saved_sp: FxHashMap::default(),
        scopes: Vec::new(),
        scope_jumps: Default::default(),
        indirect: None,
        frame: None,
        trampolines: FxHashMap::default(),
        chain: None,
        va_pack: Vec::new(),
        va_pack_types: va_pack.clone().unwrap_or_default(),
        is_va_pack_clone: va_pack.is_some(),
        depth: 0,
        free_temps: Vec::new(),
        used_temps: Vec::new(),
        sweep: false,
        excess: FxHashMap::default(),
        unnoted: false,
        debug_scope: 0,
        access: None,
        postponed_check: None,
        loops: Default::default(),
        whole_value: None,
        statement_loc: Loc::NONE,
        places: Places::default(),
        source_is_variable: false,
        object_sizes: FxHashMap::default(),
        sanitizer_trap: None,
        overflow_trap: None,
        ms_anonymous: 0,
        block: entry,
        live: true,
        has_pred: SecondaryMap::new(),
        last_alloca: None,
    };
    fx.has_pred[entry] = true;
    let naked = fx.unit.attrs(def.decl).is_some_and(|a| a.flags.has(AttrFlags::NAKED));
    debug::begin(&mut fx);
    number_labels(&mut fx);
    nested::open_frame(&mut fx, &abi);
    enter_parameters(&mut fx, &abi, naked);
    if interrupt {
        enter_interrupt(&mut fx);
    }
    super::unwinding::begin(&mut fx);
    nested::arm_labels(&mut fx);
    instrument(&mut fx, "__cyg_profile_func_enter");
    statements::lower_block(&mut fx, def.body);
    finish(&mut fx, naked);
    super::without_sse::rewrite(&mut fx);
    check_x87(&mut fx);
    (fx.func, fx.frame)
}

/// A function that `-pg` counts must be one that the counter can be called from.
fn check_instrumented(
    unit: &Unit,
    session: &Session,
    options: &Options,
    def: &FunctionDef<'_>,
    interrupt: bool,
    chain: bool,
) {
    let has = |flag| unit.attrs(def.decl).is_some_and(|a| a.flags.has(flag));
    if let Some(profile) = options.codegen.profile
        && !has(AttrFlags::NO_INSTRUMENT)
    {
        check_profiled(session, def, profile, interrupt || has(AttrFlags::NO_CALLER_SAVED), chain);
    }
}

/// `-mno-80387`: nothing computes with `long double`. gcc calls functions that libgcc has not on
/// x86-64, and rejects results. `-mno-fp-ret-in-387`: results alone are rejected.
fn check_x87(fx: &mut Fx<'_, '_>) {
    let computes = fx.options.codegen.x87;
    if computes && fx.options.codegen.x87_returns {
        return;
    }
    let on_stack = |place: &AsmPlace| matches!(place, AsmPlace::X87(_)) && !computes;
    let insts = || fx.func.blocks().flat_map(|block| fx.func.block_insts(block));
    let found = insts().find(|&inst| {
        let data = fx.func.insts[inst];
        let asm = matches!(data.opcode, Opcode::Asm | Opcode::AsmBr).then(|| &fx.func.asms[data.asm_id()]);
        asm.is_some_and(|asm| asm.operands.iter().any(|operand| on_stack(&operand.place)))
            || match data.opcode {
                Opcode::Ret => fx.func.operands(inst).any(|v| fx.func.value_type(v) == Type::F80),
                _ if computes && data.opcode != Opcode::Call => false,
                _ => {
                    fx.func.results(inst).any(|v| fx.func.value_type(v) == Type::F80)
                        || !computes && fx.func.operands(inst).any(|v| fx.func.value_type(v) == Type::F80)
                }
            }
    });
    let Some(inst) = found else { return };
    let (loc, message) = match fx.func.insts[inst].opcode {
        Opcode::Ret => (fx.func.loc, X87_RETURN),
        Opcode::Call => (fx.func.inst_locs[inst], X87_RETURN),
        _ => (fx.func.inst_locs[inst], "not supported: 'long double' operations with x87 disabled"),
    };
    fx.state.error_once(fx.session, loc, message);
}

/// gcc's words for results of `long double` where there are none.
const X87_RETURN: &str = "x87 register return with x87 disabled";

/// Gives a number to every label whose address is taken, before any reference.
fn number_labels(fx: &mut Fx<'_, '_>) {
    for (index, label) in fx.def.labels.iter().enumerate() {
        if label.address_taken && label.outer.is_none() {
            let id = LabelId::new(index);
            let block = label_block(fx, id);
            fx.label_numbers.insert(id, fx.func.labels.len() as u32);
            fx.func.labels.push(block);
            // An indirect branch may reach it, from here or (in data) from code not seen yet.
            fx.has_pred[block] = true;
        }
    }
}

/// The block of a label of this function.
pub fn label_block(fx: &mut Fx<'_, '_>, label: LabelId) -> Block {
    match fx.labels[label.index()].expand() {
        Some(block) => block,
        None => {
            let block = fx.func.make_block();
            fx.labels[label.index()] = block.into();
            block
        }
    }
}

/// The parameters of an `interrupt` function: the address of what the processor pushed, and the
/// error code that it pushed last.
fn enter_interrupt(fx: &mut Fx<'_, '_>) {
    // The pushed frame is where a call would leave the return address.
    let inst = fx.b().intrinsic(ir::Intrinsic::DwarfCfa, Type::PTR, &[]);
    let above = Place::new(fx.result(inst), 8);
    let last = above.offset(-8);
    let def = fx.def;
    for (index, &decl) in def.params.iter().enumerate().take(2) {
        let place = scopes::allocate(fx, decl);
        fx.locals.insert(decl, Local::At(place));
        debug::variable(fx, decl, Local::At(place));
        let value = match (index, def.params.len()) {
            (0, 1) => fx.address(last),
            (0, _) => fx.address(above),
            _ => fx.load(Type::I64, last, ir::AliasTags::any()),
        };
        let ty = fx.unit.decls[decl].ty.unqualified();
        super::lvalues::store(fx, place, ty, super::place::Rvalue::Scalar(value));
    }
}

/// Parameters to their variables (psABI 3.2.3), with the conversions of old-style definitions (C17
/// 6.9.1 paragraph 10).
fn enter_parameters(fx: &mut Fx<'_, '_>, abi: &FnAbi, naked: bool) {
    let values = fx.func.params().to_vec();
    let mut next = 0;
    if abi.chain {
        fx.chain = Some(values[next]);
        next += 1;
    }
    if abi.ret.is_memory() {
        fx.sret = Some(values[next]);
        next += 1;
    }
    if naked {
        return;
    }
    let def = fx.def;
    for (index, (passed_ty, mode)) in abi.params.iter().enumerate() {
        let count = mode.piece_count();
        let incoming = &values[next..next + count];
        next += count;
        let Some(&decl) = def.params.get(index) else {
            let rvalue = abi::receive(fx, mode, *passed_ty, incoming);
            fx.va_pack.push(rvalue);
            continue;
        };
        let declared = fx.unit.decls[decl].ty;
        if declared.quals().has(Quals::RESTRICT) && count == 1 {
            fx.func.restrict_params.push((next - 1) as u32);
        }
        let in_frame = nested::frame_place(fx, decl);
        if fx.types().is_vla(declared.ty()) {
            // Of variable size: a pointer to the caller's copy came.
            let slot = match in_frame {
                Some(place) => fx.address(place),
                None => fx.alloca(8, 8),
            };
            fx.store(incoming[0], Place::new(slot, 8), ir::AliasTags::any());
            fx.locals.insert(decl, Local::Indirect(slot));
            continue;
        }
        if let (abi::PassMode::ByVal { align, .. } | abi::PassMode::Indirect { align }, None) = (mode, in_frame)
            && *passed_ty == declared.ty()
            && fx.unit.decls[decl].align <= *align
            && matches!(shape(&fx.unit.types, declared.ty()), Shape::Memory)
        {
            let place = Place::new(incoming[0], *align);
            fx.locals.insert(decl, Local::At(place));
            debug::variable(fx, decl, Local::At(place));
            continue;
        }
        let place = match in_frame {
            Some(place) => place,
            None => scopes::allocate(fx, decl),
        };
        fx.locals.insert(decl, Local::At(place));
        debug::variable(fx, decl, Local::At(place));
        let passed = *passed_ty;
        if passed == declared.ty() {
            abi::receive_into(fx, mode, passed, incoming, place);
        } else {
            let value = abi::receive(fx, mode, passed, incoming);
            let value = expressions::convert(fx, value, passed, declared.ty());
            super::lvalues::store(fx, place, declared.unqualified(), value);
        }
    }
    super::ms_abi::save_registers(fx, abi, &values[next..]);
    statements::lower_bounds(fx, def.param_bounds);
}

/// Reports what the called profiler would not keep.
fn check_profiled(session: &Session, def: &FunctionDef<'_>, profile: Profile, interrupt: bool, chain: bool) {
    let what = match profile {
        _ if interrupt => "profiling of functions that keep all registers (see the attribute 'no_instrument_function')",
        Profile::Fentry if chain => "'-mfentry' in nested functions",
        _ => return,
    };
    session.error(def.loc, format!("not supported: {what}")).emit();
}

/// `-finstrument-functions`: calls `hook(this function, return address)`.
pub fn instrument(fx: &mut Fx<'_, '_>, hook: &str) {
    if !fx.options.codegen.instrument_functions || !fx.live {
        return;
    }
    if fx.unit.attrs(fx.def.decl).is_some_and(|a| a.flags.has(AttrFlags::NO_INSTRUMENT)) || excluded(fx) {
        return;
    }
    let this = fx.func.symbol;
    let this = fx.func.symbol_const(this, 0);
    let level = fx.func.iconst(Type::I32, 0);
    let inst = fx.b().intrinsic(ir::Intrinsic::ReturnAddress, Type::PTR, &[level]);
    let caller = fx.func.first_result(inst);
    calls::library_call(fx, hook, &[this, caller], &[]);
}

/// `-finstrument-functions-exclude-*-list=`: the function's name in the source, or the file of its
/// definition as the compiler knows it, contains one of the texts.
fn excluded(fx: &Fx<'_, '_>) -> bool {
    let code = &fx.options.codegen;
    let contains = |text: &str, list: &[String]| list.iter().any(|part| text.contains(part.as_str()));
    if !code.uninstrumented_functions.is_empty()
        && fx.unit.decls[fx.def.decl].name.is_some_and(|n| contains(fx.session.str(n), &code.uninstrumented_functions))
    {
        return true;
    }
    !code.uninstrumented_files.is_empty()
        && fx
            .session
            .sources
            .presumed(fx.unit.decls[fx.def.decl].loc)
            .is_some_and(|at| contains(fx.session.str(at.file), &code.uninstrumented_files))
}

/// The closing brace and what was left open: labels never defined in live code, the shared indirect
/// branch, unreachable blocks.
fn finish(fx: &mut Fx<'_, '_>, naked: bool) {
    fx.loc = fx.def.body.end;
    debug::bounds(fx);
    if fx.places.returned && fx.options.coverage.is_on() {
        // The end goes to the `return` that is there.
        fx.loc = Loc::NONE;
    }
    if fx.live {
        if naked {
            fx.unreachable();
        } else {
            statements::return_without_value(fx);
        }
    }
    if let Some((block, slot)) = fx.indirect {
        let mut targets: Vec<Block> = fx.func.labels.clone();
        targets.sort();
        targets.dedup();
        fx.start(block);
        if fx.options.coverage.is_on() {
            fx.loc = Loc::NONE;
        }
        if fx.live {
            let place = Place::new(slot, 8);
            let address = fx.load(Type::PTR, place, ir::AliasTags::any());
            if targets.is_empty() {
                fx.unreachable();
            } else {
                fx.b().indirect_br(address, targets);
                fx.live = false;
            }
        }
    }
    if let Some(block) = fx.overflow_trap {
        fx.start(block);
        calls::library_call(fx, "abort", &[], &[]);
        fx.unreachable();
    }
    super::sanitize::finish(fx);
    let labels = fx.func.labels.clone();
    for block in labels {
        if !fx.func.block_in_layout(block) {
            // Its statement was dropped with an expression that is never evaluated.
            fx.func.append_block(block);
            fx.block = block;
            fx.live = true;
            fx.unreachable();
        }
    }
    if fx.sweep || !fx.func.labels.is_empty() {
        super::sweep::remove_unreachable(&mut fx.func);
    }
}

impl Fx<'_, '_> {
    /// The unit's types.
    pub fn types(&self) -> &Types {
        &self.unit.types
    }

    /// Alignment of a local variable: the stack is not aligned for SSE accesses where there are
    /// none, nor where size counts (gcc's `ix86_local_alignment`).
    pub fn object_align(&self, ty: QualType) -> u32 {
        let fast = self.options.codegen.features.has_sse() && !self.options.optimize_size;
        self.unit.types.object_align(ty, fast)
    }

    /// Whether the optimiser will see this function.
    pub fn optimizing(&self) -> bool {
        self.options.optimizing()
    }

    /// Reports something that this compiler does not do, as an error.
    pub fn not_supported(&self, what: &str) {
        self.session.error(self.loc, format!("not supported: {what}")).emit();
    }

    /// Enters a level of recursion; false, with a diagnostic, when there are too many. The limit is
    /// the parser's, `-fbracket-depth=`, which the driver has cut to what the stack allows; chains
    /// that the parser does not count are walked without recursion.
    pub fn descend(&mut self) -> bool {
        self.depth += 1;
        let limit = self.options.language.bracket_depth.saturating_add(LOWERING_LEVELS);
        if self.depth == limit {
            self.session.error(self.loc, "nesting too deep for the compiler's stack").emit();
        }
        self.depth < limit
    }

    /// Leaves a level of recursion.
    pub fn ascend(&mut self) {
        self.depth -= 1;
    }
}
