//! The consumer of the parser's definitions: lowers each function when it is complete, keeps what
//! may turn out not to be needed, and closes the module at the end of the unit.
//!
//! Functions whose trees the parser keeps (`inline` ones, and `static` ones where unused ones are
//! left out) are lowered at the end, if something refers to them: a worklist over the symbols
//! mentioned so far, in order of first mention. Output order is therefore a function of the source
//! alone.

use base::{Loc, Session, Symbol};
use cranelift_entity::SecondaryMap;
use ir::{FnAttrs, Function, Linkage, Module, SymbolDef, SymbolId};
use platform::options::Options;
use rustc_hash::FxHashMap;

use super::attributes;
use super::data::{self, Pending};
use super::function::{self, Job};
use super::state::{CloneRequest, State};
use crate::tree::attributes::DEFAULT_PRIORITY;
use crate::tree::*;

/// Receives finished functions on the streaming path. One that is done with is given back: the next
/// is built in its memory.
pub type Sink<'o> = &'o mut dyn FnMut(&Module, Function) -> Option<Function>;

/// Lowering of one unit.
pub struct UnitLowering<'u, 'o> {
    pub(super) state: State,
    sink: Option<Sink<'o>>,
    kept: Vec<Option<&'u FunctionDef<'u>>>,
    kept_index: SecondaryMap<DeclId, u32>,
    pending: Vec<Option<Pending>>,
    pending_index: SecondaryMap<DeclId, u32>,
    /// How many of the mentioned entities [`Self::lower_forced`] has looked at; `None` while it
    /// does.
    forced_next: Option<usize>,
    /// Copies of functions that have not been defined yet.
    early_clones: Vec<CloneRequest>,
    /// Declarations of inline bodies under the name of a function that this unit defines by another
    /// declaration: the function's symbol, and the body's own if it has to be inlined.
    beside: FxHashMap<DeclId, (SymbolId, Option<SymbolId>)>,
}

impl<'u, 'o> UnitLowering<'u, 'o> {
    /// With a sink functions are handed to it; without one they are collected in the module.
    pub fn new(sink: Option<Sink<'o>>, options: &Options) -> Self {
        let mut state = State::default();
        state.module.label_prefix = if options.codegen.leading_underscore { "_" } else { "" };
        UnitLowering {
            state,
            sink,
            kept: Vec::new(),
            kept_index: SecondaryMap::new(),
            pending: Vec::new(),
            pending_index: SecondaryMap::new(),
            forced_next: Some(0),
            early_clones: Vec::new(),
            beside: FxHashMap::default(),
        }
    }

    /// The finished module.
    pub fn into_module(self) -> Module {
        self.state.module
    }

    fn lower(&mut self, cx: &mut UnitContext<'_>, def: &FunctionDef<'_>, extra: FnAttrs) {
        let symbol = self.state.symbol(cx.unit, cx.session, cx.options, def.decl);
        let mut attrs = extra;
        let takes_labels = def.labels.iter().any(|l| l.address_taken);
        if takes_labels {
            attrs.set(FnAttrs::LABEL_ADDRESS_TAKEN);
        }
        if let Some(versions) = super::versions::of(cx.unit, cx.session, cx.options, def) {
            // What is there to be inlined alone is never an indirect function.
            if !extra.has(FnAttrs::AVAILABLE_EXTERNALLY) {
                self.lower_versions(cx, def, &versions);
            }
            return;
        }
        let forced = self.state.module.symbols[symbol].attrs.has(FnAttrs::ALWAYS_INLINE);
        if (takes_labels || !cx.options.codegen.inline) && !forced {
            attrs.set(FnAttrs::NOINLINE);
        }
        self.state.module.symbols[symbol].attrs.set(attrs.0);
        // Known to be defined here before its body is lowered: recursion binds locally.
        self.state.module.symbols[symbol].def = SymbolDef::StreamedFunction;
        self.lower_as(cx, Job::new(def, symbol));
    }

    pub(super) fn lower_as(&mut self, cx: &mut UnitContext<'_>, job: Job<'_>) {
        self.state.module.reserved_registers = cx.options.codegen.fixed_registers.union(cx.unit.reserved_registers);
        self.take_statics(cx, job.def, job.symbol);
        let job_decl = job.def.decl;
        let functions = function::lower(&mut self.state, cx.unit, cx.session, cx.options, job);
        self.lower_forced(cx);
        let is_helper = cx.unit.is_helper(job_decl);
        for mut function in functions {
            if is_helper {
                without_source(&mut function);
            }
            self.hand_over(function);
        }
    }

    /// A finished function goes to the sink, if there is one, or into the module.
    pub(super) fn hand_over(&mut self, function: Function) {
        let forced = self.state.module.symbols[function.symbol].attrs.has(FnAttrs::ALWAYS_INLINE);
        match &mut self.sink {
            Some(sink) if !forced => {
                self.state.module.symbols[function.symbol].def = SymbolDef::StreamedFunction;
                let done = sink(&self.state.module, function);
                self.state.spare = done.or(self.state.spare.take());
            }
            _ => {
                self.state.module.define_function(function);
            }
        }
    }

    /// With a sink, puts the `always_inline` bodies into the module that what has been lowered so
    /// far asks for: whoever receives the functions expands their calls. One that is defined only
    /// later is lowered at the end, as any other.
    fn lower_forced(&mut self, cx: &mut UnitContext<'_>) {
        if self.sink.is_none() {
            return;
        }
        let Some(mut next) = self.forced_next.take() else { return };
        loop {
            self.need_clones(cx);
            let Some(&decl) = self.state.mentioned.get(next) else { break };
            next += 1;
            if cx.unit.attrs(decl).is_some_and(|a| a.flags.has(AttrFlags::ALWAYS_INLINE)) {
                self.need_function(cx, decl);
            }
        }
        self.forced_next = Some(next);
    }

    /// Static variables of a body and of the functions nested in it.
    fn take_statics(&mut self, cx: &mut UnitContext<'_>, def: &FunctionDef<'_>, symbol: SymbolId) {
        let mut work = vec![(def, symbol)];
        while let Some((def, symbol)) = work.pop() {
            let labels = data::label_numbers(def);
            for variable in def.statics {
                if self.pending_index[variable.decl] == 0 {
                    let pending = data::take(cx.unit, variable.decl, variable.init, Some((symbol, &labels)));
                    self.wait(pending);
                    // Functions that only others mention come here after the roots were collected.
                    if stays(cx.unit, cx.options, variable.decl) {
                        self.state.reference(cx.unit, cx.session, cx.options, variable.decl);
                    }
                }
            }
            if def.flags.has_nested {
                for nested in super::nested::definitions(def) {
                    let symbol = self.state.nested_symbol(cx.unit, cx.session, cx.options, nested.decl);
                    work.push((nested, symbol));
                }
            }
        }
    }

    fn wait(&mut self, pending: Pending) {
        self.pending_index[pending.decl] = self.pending.len() as u32 + 1;
        self.pending.push(Some(pending));
    }

    /// Lowers a kept function if it is needed now that it has been mentioned.
    fn need_function(&mut self, cx: &mut UnitContext<'_>, decl: DeclId) {
        let index = self.kept_index[decl];
        if index == 0 {
            return;
        }
        let Some(def) = self.kept[index as usize - 1] else { return };
        if self.state.va_pack_users[decl] {
            // Only copies of it, one per list of anonymous arguments, can be lowered.
            return;
        }
        let always_inline = cx.unit.attrs(decl).is_some_and(|a| a.flags.has(AttrFlags::ALWAYS_INLINE));
        let mut extra = FnAttrs::default();
        if cx.unit.emission(decl) == Emission::AvailableExternally {
            if cx.unit.attrs(decl).is_some_and(|a| a.alias.is_some() || a.ifunc.is_some()) {
                // GNU `extern inline`, and then the real one, which is another function's name.
                return;
            }
            if cx.options.optimizing() {
                if self.is_beside(cx, decl, always_inline) {
                    return self.lower_beside(cx, decl);
                }
                extra.set(FnAttrs::AVAILABLE_EXTERNALLY);
            } else if !always_inline {
                return;
            }
        }
        self.kept[index as usize - 1] = None;
        self.lower(cx, def, extra);
    }

    /// Whether an inline body has the assembler name of a function that is defined in this unit by
    /// another declaration. The definition keeps the symbol.
    fn is_beside(&mut self, cx: &UnitContext<'_>, decl: DeclId, always_inline: bool) -> bool {
        let symbol = self.state.symbol(cx.unit, cx.session, cx.options, decl);
        let data = &self.state.module.symbols[symbol];
        if !matches!(data.def, SymbolDef::Function(_) | SymbolDef::StreamedFunction) {
            return false;
        }
        let mut body = ir::SymbolData::undefined(&format!("{}.inline", data.name), true);
        body.attrs = data.attrs;
        let body = always_inline.then(|| {
            body.linkage = Linkage::Local;
            body.attrs.set(FnAttrs::ALWAYS_INLINE | FnAttrs::INLINE_HINT);
            self.state.module.add_symbol(body)
        });
        self.beside.insert(decl, (symbol, body));
        true
    }

    /// Lowers the body of such a declaration under its own symbol, if it has one: otherwise the
    /// definition is called.
    fn lower_beside(&mut self, cx: &mut UnitContext<'_>, decl: DeclId) {
        let index = self.kept_index[decl];
        let Some(def) = self.kept[index as usize - 1].take() else { return };
        if let Some(&(_, Some(symbol))) = self.beside.get(&decl) {
            self.state.module.symbols[symbol].def = SymbolDef::StreamedFunction;
            self.lower_as(cx, Job::new(def, symbol));
        }
    }

    /// Calls of inline bodies that have a symbol of their own are of that; those of the
    /// definition's declaration stay.
    fn call_beside(&mut self, unit: &Unit) {
        let redirected: Vec<(SymbolId, SymbolId)> =
            self.beside.values().filter_map(|&(symbol, body)| body.map(|body| (symbol, body))).collect();
        for &decl in self.beside.keys() {
            // What the body's declaration says is not true of the definition.
            let Some(symbol) = self.state.symbols[decl].expand() else { continue };
            let forced = |(id, info): (DeclId, &Decl)| {
                id != decl
                    && info.linkage == crate::tree::Linkage::External
                    && unit.symbol_name(id) == unit.symbol_name(decl)
                    && unit.attrs(id).is_some_and(|a| a.flags.has(AttrFlags::ALWAYS_INLINE))
            };
            if !unit.decls.iter().any(forced) {
                self.state.module.symbols[symbol].attrs.0 &= !FnAttrs::ALWAYS_INLINE;
            }
            self.state.module.symbols[symbol].attrs.0 &= !FnAttrs::AVAILABLE_EXTERNALLY;
        }
        if redirected.is_empty() {
            return;
        }
        for func in self.state.module.functions.values_mut() {
            let calls: Vec<ir::Inst> = func
                .all_insts()
                .filter(|&i| func.insts[i].opcode == ir::Opcode::Call && !func.call_info(i).attrs.has(FnAttrs::APART))
                .collect();
            for call in calls {
                let Some(&ir::Constant::Symbol(symbol, 0)) = func.constant(func.list(call)[0]) else { continue };
                if let Some(&(_, body)) = redirected.iter().find(|(from, _)| *from == symbol) {
                    let callee = func.make_const(ir::Type::PTR, ir::Constant::Symbol(body, 0));
                    func.set_operand(call, 0, callee);
                }
            }
        }
    }

    fn need_clones(&mut self, cx: &mut UnitContext<'_>) {
        for request in std::mem::take(&mut self.state.clones) {
            let index = self.kept_index[request.decl];
            let Some(def) = index.checked_sub(1).and_then(|i| self.kept[i as usize]) else {
                // Declared, but not defined yet.
                self.early_clones.push(request);
                continue;
            };
            let symbol = &mut self.state.module.symbols[request.symbol];
            symbol.attrs.set(FnAttrs::ALWAYS_INLINE | FnAttrs::INLINE_HINT);
            symbol.def = SymbolDef::StreamedFunction;
            self.lower_as(cx, Job { va_pack: Some(request.types), ..Job::new(def, request.symbol) });
        }
    }

    /// Entities that stay although nothing refers to them, aliases, constructors.
    fn roots(&mut self, cx: &mut UnitContext<'_>) {
        let mut names: Option<FxHashMap<Symbol, DeclId>> = None;
        let decls: Vec<DeclId> = cx.unit.decls.keys().collect();
        for &decl in &decls {
            let info = cx.unit.decls[decl];
            if !matches!(info.kind, DeclKind::Function | DeclKind::Variable)
                || info.duration == StorageDuration::Automatic
            {
                continue;
            }
            let defined_kept = self.kept_index[decl] != 0;
            let waits = self.pending_index[decl] != 0;
            let codegen = &cx.options.codegen;
            if defined_kept
                && (cx.unit.emission(decl) == Emission::External
                    || (info.flags.has(DeclFlags::INLINE) && codegen.keep_inline_functions)
                    || keeps_function(cx.unit, cx.options, decl))
            {
                self.state.symbol(cx.unit, cx.session, cx.options, decl);
            }
            if waits && stays(cx.unit, cx.options, decl) {
                self.state.reference(cx.unit, cx.session, cx.options, decl);
            }
            let Some(attrs) = cx.unit.attrs(decl).cloned() else { continue };
            let used = attrs.flags.has(AttrFlags::USED);
            // Variables of blocks are there once their function is.
            let of_block = info.linkage == crate::tree::Linkage::None;
            let defined = defined_kept || (info.flags.has(DeclFlags::DEFINED) && !of_block);
            if (defined || waits) && used {
                self.state.reference(cx.unit, cx.session, cx.options, decl);
            }
            if defined {
                for (constructor, priority) in [(true, attrs.constructor), (false, attrs.destructor)] {
                    let Some(priority) = priority else { continue };
                    let symbol = self.state.reference(cx.unit, cx.session, cx.options, decl);
                    let priority = (priority != DEFAULT_PRIORITY).then_some(priority);
                    self.state.module.init_fini.push((constructor, priority, symbol));
                }
            }
            let is_weakref = attrs.weakref.is_some() || attrs.flags.has(AttrFlags::WEAKREF);
            if let Some((target, is_alias)) =
                attrs.alias.filter(|_| !is_weakref).map(|t| (t, true)).or(attrs.ifunc.map(|t| (t, false)))
            {
                let names = names.get_or_insert_with(|| by_assembler_name(cx.unit));
                self.alias(cx, decl, target, is_alias, names);
            }
        }
        let weak = std::mem::take(&mut cx.unit.pragma_weak);
        for pragma in weak {
            let Some(target) = pragma.target else { continue };
            let names = names.get_or_insert_with(|| by_assembler_name(cx.unit));
            let Some(target) = self.definition(cx, target, names) else { continue };
            let name = cx.session.str(pragma.name);
            let is_function = self.state.module.symbols[target].is_function;
            let mut data = ir::SymbolData::undefined(name, is_function);
            data.linkage = Linkage::Weak;
            data.def = SymbolDef::Alias(target);
            data.referenced = true;
            self.state.module.add_symbol(data);
        }
    }

    fn alias(
        &mut self,
        cx: &mut UnitContext<'_>,
        decl: DeclId,
        target: Symbol,
        is_alias: bool,
        names: &FxHashMap<Symbol, DeclId>,
    ) {
        let symbol = self.state.reference(cx.unit, cx.session, cx.options, decl);
        let Some(target_symbol) = self.definition(cx, target, names) else {
            let info = &cx.unit.decls[decl];
            let name = info.name.map_or("", |n| cx.session.str(n));
            let kind = if is_alias { "aliased to" } else { "resolved by" };
            let message = format!("'{name}' {kind} undefined symbol '{}'", cx.session.str(target));
            cx.session.error(info.loc, message).emit();
            return;
        };
        let kind = |symbol: SymbolId| self.state.module.symbols[symbol].is_function;
        if is_alias && kind(symbol) != kind(target_symbol) {
            let info = &cx.unit.decls[decl];
            let name = info.name.map_or("", |n| cx.session.str(n));
            let message = format!("'{name}' alias between function and variable is not supported");
            let aliased = cx.unit.decls[names[&target]].loc;
            cx.session.error(info.loc, message).note(aliased, "aliased declaration here".to_string()).emit();
            return;
        }
        let data = &mut self.state.module.symbols[symbol];
        data.def = if is_alias { SymbolDef::Alias(target_symbol) } else { SymbolDef::Ifunc(target_symbol) };
    }

    /// The symbol of something this unit defines under an assembler name.
    fn definition(
        &mut self,
        cx: &mut UnitContext<'_>,
        name: Symbol,
        names: &FxHashMap<Symbol, DeclId>,
    ) -> Option<SymbolId> {
        let &decl = names.get(&name)?;
        Some(self.state.reference(cx.unit, cx.session, cx.options, decl))
    }

    /// Everything mentioned, and what that mentions in turn.
    fn drain(&mut self, cx: &mut UnitContext<'_>) {
        let mut next = 0;
        self.state.clones.append(&mut self.early_clones);
        let mut needed: Vec<u32> = Vec::new();
        let mut resolved: Vec<Option<ir::DataObject>> = Vec::new();
        resolved.resize_with(self.pending.len(), || None);
        loop {
            self.need_clones(cx);
            let Some(&decl) = self.state.mentioned.get(next) else { break };
            next += 1;
            self.need_function(cx, decl);
            // Lowering a function may have brought new static variables.
            resolved.resize_with(self.pending.len(), || None);
            let index = self.pending_index[decl];
            if index != 0
                && let Some(pending) = self.pending[index as usize - 1].take()
            {
                let object = data::resolve(&mut self.state, cx.unit, cx.session, cx.options, pending);
                resolved[index as usize - 1] = Some(object);
                needed.push(index - 1);
            }
        }
        needed.sort_unstable();
        for index in needed {
            if let Some(object) = resolved[index as usize].take() {
                self.state.module.define_data(object);
            }
        }
    }
}

/// A helper's lines are in no file that a debugger could show: it steps over calls of functions
/// without any.
fn without_source(function: &mut Function) {
    function.loc = Loc::NONE;
    function.debug = None;
    function.inst_locs.values_mut().for_each(|loc| *loc = Loc::NONE);
}

/// Whether a static function is part of the object although nothing refers to it: at `-O0`, or if
/// the options say so, unless it is there to be inlined (gcc's `cgraph_node::finalize_function`).
pub(super) fn keeps_function(unit: &Unit, options: &Options, decl: DeclId) -> bool {
    let info = &unit.decls[decl];
    let inline =
        info.flags.has(DeclFlags::INLINE) || unit.attrs(decl).is_some_and(|a| a.flags.has(AttrFlags::ALWAYS_INLINE));
    let kept = if inline { options.codegen.keep_inline_functions } else { options.keep_static_functions() };
    kept && info.linkage == crate::tree::Linkage::Internal && !unit.is_helper(decl)
}

/// Whether a static variable is part of the object although nothing refers to it.
pub(super) fn stays(unit: &Unit, options: &Options, decl: DeclId) -> bool {
    let info = &unit.decls[decl];
    let artificial = info.flags.has(DeclFlags::ANONYMOUS) || info.flags.has(DeclFlags::FUNC_NAME);
    if info.kind != DeclKind::Variable || artificial || unit.is_helper(decl) {
        return false;
    }
    let used = unit.attrs(decl).is_some_and(|a| a.flags.has(AttrFlags::USED));
    used || options.keep_static_variables() || data::is_volatile_object(&unit.types, info.ty)
}

/// Definitions by assembler name.
fn by_assembler_name(unit: &Unit) -> FxHashMap<Symbol, DeclId> {
    let mut names = FxHashMap::default();
    for (decl, info) in unit.decls.iter() {
        let object = matches!(info.kind, DeclKind::Function | DeclKind::Variable);
        let has_definition = info.flags.has(DeclFlags::DEFINED)
            || info.flags.has(DeclFlags::TENTATIVE)
            || unit.attrs(decl).is_some_and(|a| a.alias.is_some() || a.ifunc.is_some());
        if object
            && has_definition
            && info.linkage != crate::tree::Linkage::None
            && let Some(name) = unit.symbol_name(decl)
        {
            names.entry(name).or_insert(decl);
        }
    }
    names
}

impl<'u> Consumer<'u> for UnitLowering<'u, '_> {
    fn function(&mut self, cx: &mut UnitContext<'_>, function: &FunctionDef<'_>) {
        // It takes the place of a GNU `extern inline` definition.
        if let Some(index) = self.kept_index[function.decl].checked_sub(1) {
            self.kept[index as usize] = None;
        }
        self.lower(cx, function, FnAttrs::default());
    }

    fn inline_function(&mut self, cx: &mut UnitContext<'_>, function: &'u FunctionDef<'u>) {
        if cx.unit.decls[function.decl].linkage == crate::tree::Linkage::External
            && let Some(name) = cx.unit.symbol_name(function.decl)
        {
            self.state.inline_bodies.insert(name, function.decl);
        }
        self.kept.push(Some(function));
        self.kept_index[function.decl] = self.kept.len() as u32;
        if cx.unit.asks_va_arg_pack {
            self.state.va_pack_users[function.decl] = super::va_pack::is_used_by(function);
        }
    }

    fn variable(&mut self, cx: &mut UnitContext<'_>, decl: DeclId, init: Option<&StaticInit<'_>>) {
        let pending = data::take(cx.unit, decl, init, None);
        if cx.unit.decls[decl].linkage == crate::tree::Linkage::External {
            data::define(&mut self.state, cx.unit, cx.session, cx.options, pending);
        } else {
            self.wait(pending);
        }
    }

    fn file_asm(&mut self, _: &mut UnitContext<'_>, text: &[u8], _: Loc) {
        self.state.module.file_asm.push(String::from_utf8_lossy(text).into());
    }

    fn finish(&mut self, cx: &mut UnitContext<'_>) {
        self.state.module.reserved_registers = cx.options.codegen.fixed_registers.union(cx.unit.reserved_registers);
        self.roots(cx);
        self.drain(cx);
        for index in 0..self.state.mentioned.len() {
            let decl = self.state.mentioned[index];
            update(&mut self.state, cx.unit, cx.session, cx.options, decl);
            super::debug::declared(&mut self.state, cx.unit, cx.session, cx.options, decl);
        }
        self.call_beside(cx.unit);
        let types = std::mem::take(&mut self.state.debug_types);
        let symbol = |decl| self.state.symbols[DeclId::from_u32(decl)].expand();
        self.state.module.debug.types = types.finish(&cx.unit.types, &cx.session.interner, symbol);
    }
}

/// The last word on a symbol. A body that is there to be inlined alone is marked as such: what the
/// unit's other declarations say about it is known now.
fn update(state: &mut State, unit: &Unit, session: &Session, options: &Options, decl: DeclId) {
    let Some(symbol) = state.symbols[decl].expand() else { return };
    attributes::update_symbol(state, unit, session, options, decl);
    let data = &mut state.module.symbols[symbol];
    if matches!(data.def, SymbolDef::Function(_)) && unit.emission(decl) == Emission::AvailableExternally {
        data.attrs.set(FnAttrs::AVAILABLE_EXTERNALLY);
    }
}
