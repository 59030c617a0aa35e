//! A module into an object file: functions (streamed, or from the module in parallel), data,
//! symbols, file-scope assembly.
//!
//! Everything is appended in source order whatever the number of threads, so the object's bytes
//! depend on the input only.

mod asm;
mod data;
pub mod debug;
mod sections;
mod symbols;
mod workers;

use ir::{FnAttrs, FuncId, Function, Module, SymbolDef};
use object::{FunctionCode, FunctionPlacement, ObjectBuilder, SectionId, SectionSpec, StackNote};
use platform::options::{MergeConstants, OptLevel, Options, PicLevel};
use rustc_hash::FxHashMap;
use std::borrow::{Borrow, Cow};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::callees::{self, Callees};
use crate::context::{BackendError, Context};
use crate::function_properties::placement;
use crate::{branches, full, quick};

/// What a worker keeps from function to function.
#[derive(Default)]
pub struct Scratch {
    quick: quick::Scratch,
    full: full::Scratch,
}

/// An object file being filled.
pub struct ModuleEmitter<'a> {
    options: &'a Options,
    builder: ObjectBuilder,
    /// The object's symbol for each symbol of the module.
    symbols: Vec<object::SymbolId>,
    scratch: Scratch,
    code: FunctionCode,
    executable_stack: bool,
    /// Thunks that the functions emitted so far branch to.
    thunks: branches::Thunks,
    /// The sections of functions without one of their own, by placement.
    text: [Option<SectionId>; 5],
    /// Sections that the program named, by name and whether the linker must keep them.
    named: FxHashMap<(Box<str>, bool), sections::Named>,
    /// Of strings that one function uses first: the prefix of their sections' names.
    owners: FxHashMap<ir::SymbolId, Box<str>>,
    errors: Vec<BackendError>,
    /// Functions as a debugger sees them.
    described: Vec<debug::Described>,
    /// What functions take from the stack, if something is asked about it.
    stack: Vec<FunctionStack>,
}

/// What a function takes from the stack.
#[derive(Clone, Copy, Debug)]
pub struct FunctionStack {
    /// Its symbol.
    pub symbol: ir::SymbolId,
    /// Its name in the source.
    pub loc: base::Loc,
    /// The closing brace.
    pub end: base::Loc,
    /// What it takes.
    pub used: object::StackUse,
}

/// Emits a whole module. For the streaming path use [`ModuleEmitter`].
///
/// # Errors
/// What only code generation can see to be wrong with the program.
pub fn emit(module: &Module, options: &Options) -> Result<ObjectBuilder, Vec<BackendError>> {
    let mut emitter = ModuleEmitter::new(options);
    emitter.functions(module);
    emitter.finish(module, None)
}

/// As [`emit`], with debug information if `-g` asks for it.
///
/// # Errors
/// What only code generation can see to be wrong with the program.
pub fn emit_with_source(
    module: &Module,
    options: &Options,
    source: &debug::Source<'_>,
) -> Result<ObjectBuilder, Vec<BackendError>> {
    let mut emitter = ModuleEmitter::new(options);
    emitter.functions(module);
    emitter.finish(module, Some(source))
}

impl<'a> ModuleEmitter<'a> {
    /// An empty object for a translation unit.
    pub fn new(options: &'a Options) -> ModuleEmitter<'a> {
        let mut builder = ObjectBuilder::new();
        builder.keep_functions = options.emit_text;
        let name = options.input_name.rsplit('/').next().unwrap_or_default();
        if !name.is_empty() {
            builder.source_name = Some(name.to_owned());
        }
        builder.separate_constants = options.merge_constants() == MergeConstants::No;
        ModuleEmitter {
            options,
            builder,
            symbols: Vec::new(),
            scratch: Scratch::default(),
            code: FunctionCode::default(),
            executable_stack: false,
            text: [None; 5],
            thunks: branches::Thunks::default(),
            named: FxHashMap::default(),
            owners: FxHashMap::default(),
            errors: Vec::new(),
            described: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Emits one function that is not (or no longer) in the module. Functions must come in source
    /// order.
    pub fn function(&mut self, module: &Module, func: &Function) {
        if !is_emitted(module, func) {
            return;
        }
        let cx = Context::new(module, self.options);
        let before = self.errors.len();
        let mut code = std::mem::take(&mut self.code);
        self.executable_stack |= compile(cx, &mut self.scratch, &mut Cow::Borrowed(func), &mut self.errors, &mut code);
        if self.errors.len() == before {
            self.append(cx, Identity::of(func), &mut code);
        }
        self.code = code;
    }

    /// Emits the functions of the module, in parallel.
    pub fn functions(&mut self, module: &Module) {
        let functions: Vec<&Function> = module.functions.values().filter(|f| is_emitted(module, f)).collect();
        let compile_one = |scratch: &mut Scratch, index: usize| {
            let mut done = Compiled::new(Identity::of(functions[index]));
            let cx = Context::new(module, self.options);
            done.executable_stack =
                compile(cx, scratch, &mut Cow::Borrowed(functions[index]), &mut done.errors, &mut done.code);
            (done, ())
        };
        let threads = self.threads(&functions);
        self.in_order(module, (functions.len(), threads), None, compile_one, |()| {});
    }

    /// Takes the functions out of the module and emits them, in parallel. Before each is compiled,
    /// `prepare` is done to it; `after`, on this thread and in source order, gets what that gave.
    /// The functions are not there any more afterwards.
    pub fn consume_functions<T: Send>(
        &mut self,
        module: &mut Module,
        prepare: impl Fn(&Module, &mut Function) -> T + Sync,
        after: impl FnMut(T),
    ) {
        let ids: Vec<FuncId> =
            module.functions.iter().filter(|(_, f)| is_emitted(module, f)).map(|(id, _)| id).collect();
        let taken: Vec<Function> = ids.into_iter().map(|id| module.take_function(id)).collect();
        let threads = self.threads(&taken);
        let order = callees::is_wanted(module, self.options).then(|| callees::callees_first(&taken));
        let in_order = order.iter().flatten().map(|&index| taken[index].symbol);
        let callees = order.is_some().then(|| Callees::new(in_order));
        let functions: Vec<Mutex<Option<Function>>> = taken.into_iter().map(|f| Mutex::new(Some(f))).collect();
        let module: &Module = module;
        let compile_one = |scratch: &mut Scratch, at: usize| {
            let mut publication = callees.as_ref().map(|callees| callees.publish(at));
            let index = order.as_ref().map_or(at, |order| order[at]);
            let taken = functions[index].lock().ok().and_then(|mut function| function.take());
            let mut func = taken.unwrap_or_else(|| base::bug!("a function is compiled twice"));
            let prepared = prepare(module, &mut func);
            let mut done = Compiled::new(Identity::undescribed(&func));
            let known = callees.as_ref().map(|callees| callees.known_to(at));
            let cx = Context { known, ..Context::new(module, self.options) };
            let mut func = Cow::Owned(func);
            done.executable_stack = compile(cx, scratch, &mut func, &mut done.errors, &mut done.code);
            done.identity.debug = func.to_mut().debug.take();
            if let (Some(publication), Some(changed)) = (&mut publication, scratch.full.changed.take()) {
                publication.changed = changed;
            }
            (done, prepared)
        };
        self.in_order(module, (functions.len(), threads), order.as_deref(), compile_one, after);
    }

    /// How many threads compile the functions; 0 is the usual number.
    fn threads(&self, functions: &[impl Borrow<Function>]) -> usize {
        let instructions = functions.iter().map(|func| func.borrow().num_insts()).sum();
        let wanted = if self.options.opt_bisect_limit.is_some() { 1 } else { self.options.threads };
        if base::threads::share(wanted, functions.len(), instructions) { wanted } else { 1 }
    }

    /// Appends what `compile_one` makes of each of `count` functions on `threads` threads, in
    /// source order, whatever the `order` of the work.
    fn in_order<T: Send>(
        &mut self,
        module: &Module,
        (count, threads): (usize, usize),
        order: Option<&[usize]>,
        compile_one: impl Fn(&mut Scratch, usize) -> (Compiled, T) + Sync,
        mut after: impl FnMut(T),
    ) {
        let cx = Context::new(module, self.options);
        let worker = |scratch: &mut Scratch, index: usize| {
            let (mut done, prepared) = compile_one(scratch, index);
            done.stats = std::mem::take(&mut scratch.full.stats);
            (done, prepared)
        };
        let mut append = |(mut done, prepared): (Compiled, T)| {
            after(prepared);
            self.executable_stack |= done.executable_stack;
            self.scratch.full.stats += done.stats;
            if done.errors.is_empty() {
                self.append(cx, done.identity, &mut done.code);
            } else {
                self.errors.extend(done.errors);
            }
        };
        let Some(order) = order else {
            return workers::in_order(threads, count, Scratch::default, worker, append);
        };
        let mut waiting: Vec<Option<(Compiled, T)>> = (0..count).map(|_| None).collect();
        let (mut finished, mut appended) = (0, 0);
        workers::in_order(threads, count, Scratch::default, worker, |result| {
            waiting[order[finished]] = Some(result);
            finished += 1;
            while let Some(result) = waiting.get_mut(appended).and_then(Option::take) {
                append(result);
                appended += 1;
            }
        });
    }

    /// Names and numbers for `--stats`, over the functions emitted so far by the optimising path.
    pub fn statistics(&self) -> Vec<(&'static str, u64)> {
        self.scratch.full.stats.rows().to_vec()
    }

    /// What the functions emitted so far take from the stack, if
    /// [`platform::options::Codegen::reports_stack`].
    pub fn stack_uses(&self) -> &[FunctionStack] {
        &self.stack
    }

    /// Time spent in the steps of code generation so far, over all threads, when `-ftime-report`
    /// asks for it.
    pub fn times(&self) -> Vec<(&'static str, Duration)> {
        let times = full::STEPS.into_iter().zip(self.scratch.full.stats.times);
        times.filter(|(_, time)| !time.is_zero()).collect()
    }

    fn append(&mut self, cx: Context<'_>, func: Identity, code: &mut FunctionCode) {
        self.sync_symbols(cx.module);
        let (text, rodata) = match self.function_sections(cx, func.symbol, code) {
            Ok(sections) => sections,
            Err(error) => return self.errors.push(error),
        };
        let names = code.extras.iter().filter_map(|extra| match extra {
            object::ExtraSymbol::Name(name) => Some(name),
            _ => None,
        });
        self.thunks.note(branches::speculation(cx, cx.symbol(func.symbol)), names);
        let placement = FunctionPlacement {
            text,
            rodata,
            symbols: &self.symbols,
            lines: self.options.codegen.debug_level > 0,
            position_independent: self.options.codegen.pic != PicLevel::None,
        };
        self.builder.append_function(code, &placement);
        if let Some((symbol, text)) = &func.frame {
            self.frame_description(*symbol, text);
        }
        if self.options.codegen.reports_stack() {
            let Identity { symbol, loc, end, .. } = func;
            self.stack.push(FunctionStack { symbol, loc, end, used: code.stack });
        }
        if let Some(debug) = func.debug {
            let symbol = self.symbols[function_index(func.symbol)];
            let mut values = std::mem::take(&mut code.values);
            for range in values.iter_mut().flat_map(|v| &mut v.ranges) {
                range.begin = range.begin.saturating_sub(code.entry);
                range.end = range.end.saturating_sub(code.entry);
            }
            let mut calls = std::mem::take(&mut code.calls);
            calls.iter_mut().for_each(|call| call.after = call.after.saturating_sub(code.entry));
            self.described.push(debug::Described {
                symbol,
                function: func.symbol,
                debug,
                places: std::mem::take(&mut code.variables),
                values,
                calls,
            });
        }
    }

    /// Emits data, aliases, constructors, file-scope assembly and debug information, and gives the
    /// object. `module` must hold all symbols that functions have referred to; `source` says what
    /// locations mean, for `-g`.
    ///
    /// # Errors
    /// What only code generation can see to be wrong with the program.
    pub fn finish(
        mut self,
        module: &Module,
        source: Option<&debug::Source<'_>>,
    ) -> Result<ObjectBuilder, Vec<BackendError>> {
        let cx = Context::new(module, self.options);
        self.sync_symbols(module);
        self.update_symbols(module);
        self.data(cx);
        self.aliases(module);
        self.constructors(module);
        self.define_thunks();
        self.file_asm(module);
        self.notes(module);
        if let (Some(source), true) = (source, self.options.codegen.debug_level > 0) {
            let values = self.described.iter_mut().map(|described| std::mem::take(&mut described.values)).collect();
            let unit = debug::Unit { module, symbols: &self.symbols, functions: &self.described };
            if let Err(message) = debug::describe(&mut self.builder, self.options, source, &unit, values) {
                self.errors.push(BackendError { loc: base::Loc::NONE, message, note: None });
            }
        }
        if self.errors.is_empty() { Ok(self.builder) } else { Err(self.errors) }
    }

    fn constructors(&mut self, module: &Module) {
        for &(constructor, priority, function) in &module.init_fini {
            let section = self.builder.init_array(constructor, priority);
            let offset = self.builder.append_zeros(section, 8, 8);
            let symbol = self.symbols[function_index(function)];
            self.builder.add_relocation(section, offset, object::RelocKind::Abs64, symbol, 0);
        }
    }

    /// Defines the thunks that functions branch to.
    fn define_thunks(&mut self) {
        let code = &self.options.codegen;
        let text = self.thunks.text(code.speculation, code.unwind_tables);
        if !text.is_empty() {
            asm::assemble_att(&mut self.builder, &text, &mut self.errors);
        }
    }

    fn file_asm(&mut self, module: &Module) {
        // One text, so that macros and assignments of one statement are known in the next.
        if !module.file_asm.is_empty() {
            let text = module.file_asm.join("\n");
            asm::assemble(&mut self.builder, self.options, &text, &mut self.errors);
        }
    }

    fn notes(&mut self, module: &Module) {
        if self.executable_stack || module.needs_executable_stack {
            self.builder.stack_note = StackNote::Executable;
        }
        if self.options.codegen.ident {
            self.builder.idents.push(concat!("tcc-rs ", env!("CARGO_PKG_VERSION")).to_owned());
        }
        self.builder.switches = self.options.codegen.recorded_switches.clone();
        self.builder.idents.extend(module.idents.iter().map(|ident| ident.to_string()));
        if self.options.codegen.cf_protection != 0 {
            self.property_note();
        }
    }

    /// `.note.gnu.property` with the control-flow protection features (psABI, "Program property").
    fn property_note(&mut self) {
        const NT_GNU_PROPERTY_TYPE_0: u32 = 5;
        const X86_FEATURE_1_AND: u32 = 0xc000_0002;
        let features = u32::from(self.options.codegen.cf_protection & 3);
        let words = [4, 16, NT_GNU_PROPERTY_TYPE_0, u32::from_le_bytes(*b"GNU\0"), X86_FEATURE_1_AND, 4, features, 0];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let spec = SectionSpec::new(
            ".note.gnu.property",
            object::sections::section_type::NOTE,
            object::sections::section_flags::ALLOC,
        );
        let section = self.builder.section(&spec);
        self.builder.append(section, 8, &bytes);
    }
}

fn function_index(symbol: ir::SymbolId) -> usize {
    symbol.as_u32() as usize
}

/// What is left of a function beside its code.
struct Identity {
    symbol: ir::SymbolId,
    loc: base::Loc,
    end: base::Loc,
    debug: Option<Box<ir::debug::FunctionDebug>>,
    /// See [`Function::frame_description`].
    frame: Option<(ir::SymbolId, Box<str>)>,
}

impl Identity {
    fn of(func: &Function) -> Identity {
        Identity { debug: func.debug.clone(), ..Identity::undescribed(func) }
    }

    fn undescribed(func: &Function) -> Identity {
        Identity {
            symbol: func.symbol,
            loc: func.loc,
            end: func.end,
            debug: None,
            frame: func.frame_description.clone(),
        }
    }
}

/// A function that a worker has compiled.
struct Compiled {
    identity: Identity,
    code: FunctionCode,
    errors: Vec<BackendError>,
    executable_stack: bool,
    stats: full::Stats,
}

impl Compiled {
    fn new(identity: Identity) -> Compiled {
        Compiled {
            identity,
            code: FunctionCode::default(),
            errors: Vec::new(),
            executable_stack: false,
            stats: full::Stats::default(),
        }
    }
}

/// Compiles one function by the path its level asks for; gives whether it writes code to the stack.
fn compile(
    cx: Context<'_>,
    scratch: &mut Scratch,
    func: &mut Cow<'_, Function>,
    errors: &mut Vec<BackendError>,
    out: &mut FunctionCode,
) -> bool {
    if in_one_pass(cx, scratch, func, errors, out) {
        return false;
    }
    let _function = base::bug::enter_function(&cx.symbol(func.symbol).name);
    branches::check(cx, func, errors);
    let func = func.to_mut();
    if !func.has_use_lists() {
        func.build_uses();
    }
    full::compile(cx, &mut scratch.full, func, placement(cx, func), errors, out)
}

/// The quick path, if it is the function's: whether it is. No function of that path writes code to
/// the stack.
fn in_one_pass(
    cx: Context<'_>,
    scratch: &mut Scratch,
    func: &Function,
    errors: &mut Vec<BackendError>,
    out: &mut FunctionCode,
) -> bool {
    if is_optimized(cx, func) || !quick::accepts(cx, func) {
        return false;
    }
    let _function = base::bug::enter_function(&cx.symbol(func.symbol).name);
    let timeline = cx.options.timeline.as_deref();
    let start = (cx.options.time_report || timeline.is_some()).then(Instant::now);
    if !quick::compile(cx, &mut scratch.quick, func, placement(cx, func), errors, out) {
        return false;
    }
    branches::check(cx, func, errors);
    if let (Some(start), Some(timeline)) = (start, timeline) {
        timeline.add("code in one pass", &cx.symbol(func.symbol).name, start);
    }
    if let (Some(start), [.., time]) = (start, &mut scratch.full.stats.times) {
        *time += start.elapsed();
    }
    true
}

/// Whether a function goes the way of `full` because its level asks for it.
fn is_optimized(cx: Context<'_>, func: &Function) -> bool {
    cx.options.level >= OptLevel::O1 && !cx.symbol(func.symbol).attrs.has(FnAttrs::OPTNONE)
}

/// Whether the function gets code: bodies for inlining only do not.
pub fn is_emitted(module: &Module, func: &Function) -> bool {
    let symbol = &module.symbols[func.symbol];
    // A removed function leaves an empty body.
    func.blocks().next().is_some()
        && !symbol.attrs.has(FnAttrs::AVAILABLE_EXTERNALLY)
        && !matches!(symbol.def, SymbolDef::Undefined)
}
