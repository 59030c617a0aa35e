//! `-g`: the unit, its source files and functions, and the line table, from the line rows that
//! functions carry.

use base::macro_log::MacroEvent;
use base::{Interner, Loc, SourceMapData, Symbol};
use ir::debug::FunctionDebug;
use object::Binding;
use object::debug_info::{
    DebugBlock, DebugCall, DebugCallee, DebugFile, DebugFunction, DebugInline, DebugMacro, DebugOrigin, DebugOwner,
    DebugPlace, DebugPosition, DebugUnit, DebugVariable,
};
use object::function_code::{
    ArgumentValue, DescribedCall, LineEntry, ValuePlace, ValueRange, VariableLocation, VariableValues,
};
use object::{ObjectBuilder, Place, SymbolId};
use platform::debug_steps::Step;
use platform::options::{Options, Standard};
use rustc_hash::FxHashMap;

/// The version of gcc whose conventions are followed.
const GCC_VERSION: &str = "12.2.0";

/// What locations mean.
pub struct Source<'a> {
    /// The source map of the translation unit.
    pub map: &'a SourceMapData,
    /// Names of files.
    pub interner: &'a Interner,
    /// What the preprocessor did, under `-g3`.
    pub macros: &'a [MacroEvent],
    /// The compilation directory.
    pub directory: &'a str,
    /// Compiler and options, for `DW_AT_producer`.
    pub producer: &'a str,
}

/// A function that has been emitted, as a debugger sees it.
pub struct Described {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its symbol in the module.
    pub function: ir::SymbolId,
    /// As lowered.
    pub debug: Box<ir::debug::FunctionDebug>,
    /// Where its variables lie.
    pub places: Vec<Option<VariableLocation>>,
    /// Where those are that are in no such place, by ascending number; taken when all is written.
    pub values: Vec<VariableValues>,
    /// Its calls.
    pub calls: Vec<DescribedCall>,
}

/// What is described.
pub(super) struct Unit<'a> {
    pub module: &'a ir::Module,
    /// The object's symbol for each symbol of the module.
    pub symbols: &'a [SymbolId],
    pub functions: &'a [Described],
}

/// Files in order of appearance; the unit's own first.
struct Files<'a> {
    source: &'a Source<'a>,
    options: &'a Options,
    list: Vec<DebugFile>,
    numbers: FxHashMap<Symbol, u32>,
}

impl Files<'_> {
    fn position(&mut self, location: u32) -> Option<DebugPosition> {
        let at = self.source.map.presumed(self.source.map.expansion_point(Loc(location)))?;
        Some(DebugPosition { file: self.number(at.file), line: at.line, column: at.column })
    }

    fn number(&mut self, name: Symbol) -> u32 {
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = self.file(&mapped(self.options, self.source.interner.resolve(name)));
        self.numbers.insert(name, number);
        number
    }

    fn file(&mut self, path: &str) -> u32 {
        let (directory, name) = match path.rsplit_once('/') {
            Some(("", name)) => ("/", name),
            Some((directory, name)) => (directory, name),
            None => ("", path),
        };
        let file = DebugFile { directory: directory.to_owned(), name: name.to_owned() };
        match self.list.iter().position(|known| *known == file) {
            Some(index) => index as u32,
            None => {
                self.list.push(file);
                self.list.len() as u32 - 1
            }
        }
    }
}

/// `-fdebug-prefix-map=` applied to a path: the last option that matches wins.
fn mapped(options: &Options, path: &str) -> String {
    for (old, new) in options.codegen.debug_prefix_map.iter().rev() {
        if let Some(rest) = path.strip_prefix(old.as_str()) {
            return format!("{new}{rest}");
        }
    }
    path.to_owned()
}

/// Writes the debug sections. `values` has what is taken from the functions: where their variables
/// are that are in no place for good.
///
/// # Errors
/// A value that DWARF cannot hold.
pub(super) fn describe(
    builder: &mut ObjectBuilder,
    options: &Options,
    source: &Source<'_>,
    unit: &Unit<'_>,
    mut values: Vec<Vec<VariableValues>>,
) -> Result<(), String> {
    let mut files = Files { source, options, list: Vec::new(), numbers: FxHashMap::default() };
    let name = mapped(options, &options.input_name);
    files.file(&name);
    let mut positions: FxHashMap<u32, Option<DebugPosition>> = FxHashMap::default();
    let mut functions = Vec::new();
    let described: FxHashMap<SymbolId, usize> = unit.functions.iter().zip(0..).map(|(d, at)| (d.symbol, at)).collect();
    let (globals, statics) = globals(&mut files, builder, unit);
    let mut origins = Origins { unit, described: &described, statics, list: Vec::new(), numbers: FxHashMap::default() };
    for described in unit.functions {
        origins.add_callees(&mut files, builder, &described.debug);
    }
    for (symbol, rows, length) in builder.functions_with_lines() {
        for row in rows {
            positions.entry(row.location).or_insert_with(|| files.position(row.location));
        }
        let first = rows.first().map(|row: &LineEntry| row.location);
        let mut function = DebugFunction {
            symbol,
            origin: origins.of_object_symbol(symbol),
            name: builder.symbol_name(symbol).to_owned(),
            position: first.and_then(|location| positions[&location]),
            external: builder.symbol(symbol).binding != Binding::Local,
            result: None,
            prototyped: false,
            variadic: false,
            blocks: Vec::new(),
            variables: Vec::new(),
            calls: Vec::new(),
        };
        if let Some(&number) = described.get(&symbol) {
            let described = &unit.functions[number];
            let values = std::mem::take(&mut values[number]);
            contents(&mut files, (described, values), (rows, length), &mut function, &origins, &|symbol| {
                defined_symbol(builder, unit, symbol)
            });
            function.calls = described.calls.iter().map(|call| debug_call(builder, unit, call)).collect();
        }
        function.variables.extend(origins.statics.remove(&symbol).unwrap_or_default());
        functions.push(function);
    }
    let callees: Vec<DebugCallee> = unit.module.debug.callees.iter().map(|c| declared(&mut files, unit, c)).collect();
    for place in unit.module.debug.types.places() {
        positions.entry(place.0).or_insert_with(|| files.position(place.0));
    }
    let macros: Vec<DebugMacro<'_>> = source.macros.iter().map(|event| macro_step(&mut files, event)).collect();
    let position = |location: u32| positions.get(&location).copied().flatten();
    let owner = |number: u32| {
        let origin = origins.of(ir::SymbolId::from_u32(number)).map(DebugOwner::Origin);
        origin.or_else(|| unit.symbols.get(number as usize).copied().map(DebugOwner::Function))
    };
    let directory = mapped(options, source.directory);
    let split = options.codegen.split_debug.as_ref().map(|path| mapped(options, &path.to_string_lossy()));
    builder.write_debug_info(&DebugUnit {
        name,
        directory,
        producer: producer(options, source.producer),
        language: language(options),
        version: u16::from(options.codegen.dwarf_version),
        files: &files.list,
        position: &position,
        types: &unit.module.debug.types,
        owner: &owner,
        globals: &globals,
        split: split.as_deref(),
        macros: &macros,
        callees: &callees,
        origins: &origins.list,
        functions: &functions,
    })
}

/// A step of the preprocessor with the line and the file of its position.
fn macro_step<'a>(files: &mut Files<'a>, event: &'a MacroEvent) -> DebugMacro<'a> {
    let map = files.source.map;
    let line = |at: Loc| map.presumed(map.expansion_point(at)).map_or(0, |at| at.line);
    match *event {
        MacroEvent::Define { at, ref text } => DebugMacro::Define { line: line(at), text },
        MacroEvent::Undefine { at, name } => {
            DebugMacro::Undefine { line: line(at), name: files.source.interner.resolve(name).as_bytes() }
        }
        MacroEvent::Enter { at, file } => DebugMacro::Enter { line: line(at), file: files.number(file) },
        MacroEvent::Leave => DebugMacro::Leave,
    }
}

/// Blocks and variables of a function.
fn contents(
    files: &mut Files<'_>,
    (described, mut values): (&Described, Vec<VariableValues>),
    code: (&[LineEntry], u32),
    function: &mut DebugFunction,
    origins: &Origins<'_>,
    symbol: &dyn Fn(u32) -> Option<SymbolId>,
) {
    let debug = &described.debug;
    function.name = debug.name.to_string();
    function.result = debug.result;
    function.prototyped = debug.prototyped;
    function.variadic = debug.variadic;
    let tree = blocks(files, debug, code, origins, function.origin);
    for (index, variable) in debug.variables.iter().enumerate() {
        let (scope, origin) = match variable.inlined {
            // Nothing is left of the copy, or its function is not described.
            Some(inlined) => {
                match (tree.sites[inlined.site as usize], origins.of(debug.sites[inlined.site as usize].callee)) {
                    (0, _) | (_, None) => continue,
                    (block, Some(origin)) => (block + variable.scope, Some((origin, inlined.origin))),
                }
            }
            None => (variable.scope, function.origin.map(|origin| (origin, index as u32))),
        };
        let memory = described.places.get(index).copied().flatten();
        let found = values.binary_search_by_key(&(index as u32), |v| v.variable);
        let place = match (memory, found) {
            (Some(place), _) => DebugPlace::Frame(place),
            (None, Ok(found)) => {
                let mut ranges = known_ranges(std::mem::take(&mut values[found].ranges), symbol);
                if let Some(inlined) = variable.inlined {
                    let whole = tree.sites[inlined.site as usize];
                    ranges = clipped(&ranges, &tree.blocks[whole as usize].ranges);
                }
                match tree.blocks.get(scope as usize) {
                    Some(block) if variable.bound.is_none() && covers(&ranges, &block.ranges) => {
                        DebugPlace::Always(std::mem::take(&mut ranges[0].pieces))
                    }
                    _ => DebugPlace::Ranges(ranges),
                }
            }
            (None, Err(_)) if origin.is_some() && variable.bound.is_none() => continue,
            (None, Err(_)) => DebugPlace::Nowhere,
        };
        // What its origin says is not said again.
        let (name, position) = match origin {
            Some(_) => (String::new(), None),
            None => (variable.name.to_string(), files.position(variable.loc.0)),
        };
        function.variables.push(DebugVariable {
            name,
            ty: variable.ty,
            position,
            scope,
            parameter: variable.parameter,
            external: false,
            declaration: false,
            by_address: variable.by_address,
            bound: variable.bound,
            place,
            origin,
        });
    }
    function.blocks = tree.blocks;
}

/// Whether ranges with one and the same contents are all over the code of a block; both are
/// ascending.
fn covers(ranges: &[ValueRange], block: &[(u32, u32)]) -> bool {
    let [first, rest @ ..] = ranges else { return false };
    if block.is_empty() || rest.iter().any(|range| range.pieces != first.pieces) {
        return false;
    }
    let mut at = ranges.iter().peekable();
    block.iter().all(|&(mut begin, end)| {
        while let Some(range) = at.peek()
            && range.begin <= begin
            && begin < end
        {
            begin = begin.max(range.end);
            if range.end <= end {
                at.next();
            }
        }
        begin >= end
    })
}

/// The parts of ranges that lie in `within`; both are ascending.
fn clipped(ranges: &[ValueRange], within: &[(u32, u32)]) -> Vec<ValueRange> {
    let mut out = Vec::new();
    let mut first = 0;
    for range in ranges {
        while within.get(first).is_some_and(|w| w.1 <= range.begin) {
            first += 1;
        }
        for &(begin, end) in within[first..].iter().take_while(|w| w.0 < range.end) {
            let (begin, end) = (begin.max(range.begin), end.min(range.end));
            out.push(ValueRange { begin, end, pieces: range.pieces.clone() });
        }
    }
    out
}

/// The functions of which there are inlined copies.
struct Origins<'a> {
    unit: &'a Unit<'a>,
    described: &'a FxHashMap<SymbolId, usize>,
    /// Variables of static storage duration in functions, by the object's symbol.
    statics: FxHashMap<SymbolId, Vec<DebugVariable>>,
    list: Vec<DebugOrigin>,
    /// By symbol of the module.
    numbers: FxHashMap<ir::SymbolId, u32>,
}

impl<'a> Origins<'a> {
    /// The number of a function.
    fn of(&self, symbol: ir::SymbolId) -> Option<u32> {
        self.numbers.get(&symbol).copied()
    }

    fn of_object_symbol(&self, symbol: SymbolId) -> Option<u32> {
        let described = self.described.get(&symbol)?;
        self.of(self.unit.functions[*described].function)
    }

    /// Adds those that are inlined in a function.
    fn add_callees(&mut self, files: &mut Files<'_>, builder: &ObjectBuilder, debug: &FunctionDebug) {
        for site in &debug.sites {
            if !self.numbers.contains_key(&site.callee)
                && let Some(debug) = self.description(site.callee)
            {
                self.add(files, builder, site.callee, debug);
            }
        }
    }

    /// What was lowered of a function, whether it has code of its own or not.
    fn description(&self, symbol: ir::SymbolId) -> Option<&'a FunctionDebug> {
        let emitted = self.unit.symbols.get(symbol.as_u32() as usize).and_then(|s| self.described.get(s));
        match emitted {
            Some(&described) => Some(&self.unit.functions[described].debug),
            None => {
                let removed = &self.unit.module.debug.removed;
                removed.iter().find(|removed| removed.symbol == symbol).map(|removed| &*removed.debug)
            }
        }
    }

    fn add(&mut self, files: &mut Files<'_>, builder: &ObjectBuilder, symbol: ir::SymbolId, debug: &FunctionDebug) {
        let data = &self.unit.module.symbols[symbol];
        let mut variables: Vec<DebugVariable> = Vec::new();
        for variable in debug.own_variables() {
            variables.push(DebugVariable {
                name: variable.name.to_string(),
                ty: variable.ty,
                position: files.position(variable.loc.0),
                scope: variable.scope,
                parameter: variable.parameter,
                external: false,
                declaration: false,
                by_address: false,
                bound: variable.bound,
                place: DebugPlace::Nowhere,
                origin: None,
            });
        }
        let object_symbol = self.unit.symbols.get(symbol.as_u32() as usize);
        variables.extend(object_symbol.and_then(|symbol| self.statics.remove(symbol)).unwrap_or_default());
        let linkage = object_symbol.map_or(&*data.name, |&symbol| builder.symbol_name(symbol));
        let name = debug.name.to_string();
        self.numbers.insert(symbol, self.list.len() as u32);
        self.list.push(DebugOrigin {
            linkage_name: Some(linkage).filter(|&linkage| linkage != name).map(str::to_owned),
            name,
            position: debug.scopes.first().and_then(|scope| files.position(scope.begin.0)),
            external: data.linkage != ir::Linkage::Local,
            declared_inline: data.attrs.has(ir::FnAttrs::INLINE_HINT),
            result: debug.result,
            prototyped: debug.prototyped,
            variadic: debug.variadic,
            blocks: debug.scopes.iter().map(|scope| scope.parent).collect(),
            variables,
        });
    }
}

/// The ranges with addresses of the object's symbols in place of the module's; addresses of what is
/// not defined here are left out.
fn known_ranges(mut ranges: Vec<ValueRange>, symbol: &dyn Fn(u32) -> Option<SymbolId>) -> Vec<ValueRange> {
    for range in &mut ranges {
        range.pieces.retain_mut(|piece| is_known(&mut piece.place, symbol));
    }
    ranges.retain(|range| !range.pieces.is_empty());
    ranges
}

/// Puts symbols of the object into a place; false if one is not defined here.
fn is_known(place: &mut ValuePlace, symbol: &dyn Fn(u32) -> Option<SymbolId>) -> bool {
    match place {
        ValuePlace::Address(number, _) => {
            let found = symbol(*number);
            *number = found.map_or(*number, |found| found.index() as u32);
            found.is_some()
        }
        ValuePlace::Computed(steps) => steps.iter_mut().all(|step| match step {
            Step::Place(place, _) => is_known(place, symbol),
            _ => true,
        }),
        _ => true,
    }
}

/// A call with symbols of the object; addresses of what is not defined here are left out.
fn debug_call(builder: &ObjectBuilder, unit: &Unit<'_>, call: &DescribedCall) -> DebugCall {
    let defined = |value: &ArgumentValue| match *value {
        ArgumentValue::Address(symbol, offset) => {
            Some(ArgumentValue::Address(defined_symbol(builder, unit, symbol)?.index() as u32, offset))
        }
        ref other => Some(other.clone()),
    };
    let argument = |(register, value): &(u16, ArgumentValue)| Some((*register, defined(value)?));
    DebugCall {
        after: call.after,
        tail: call.tail,
        callee: call.callee.and_then(|symbol| unit.symbols.get(symbol as usize).copied()),
        target: call.target.as_ref().and_then(defined),
        arguments: call.arguments.iter().filter_map(argument).collect(),
    }
}

/// The object's symbol of a symbol of the module that is defined in it.
fn defined_symbol(builder: &ObjectBuilder, unit: &Unit<'_>, symbol: u32) -> Option<SymbolId> {
    let found = *unit.symbols.get(symbol as usize)?;
    (builder.symbol(found).place != Place::Undefined).then_some(found)
}

/// The blocks of a function and of the functions inlined in it.
struct BlockTree {
    blocks: Vec<DebugBlock>,
    /// By site: the block that is the whole copy, which the callee's blocks follow; 0 if there is
    /// none.
    sites: Vec<u32>,
}

/// The blocks of the source that a function has; how to find the innermost one around a position.
struct Bounds(Vec<(Loc, Loc, u32)>);

impl Bounds {
    fn of(map: &SourceMapData, debug: &FunctionDebug) -> Bounds {
        let bound = |s: &ir::debug::DebugScope| (map.expansion_point(s.begin), map.expansion_point(s.end), s.parent);
        Bounds(debug.scopes.iter().map(bound).collect())
    }

    /// 0 is the function itself.
    fn innermost(&self, at: Loc) -> u32 {
        let mut block = self.0.partition_point(|b| b.0 <= at).saturating_sub(1);
        while block != 0 && at > self.0[block].1 {
            block = self.0[block].2 as usize;
        }
        block as u32
    }
}

/// Which code belongs to which block: a row of the line table belongs to the innermost one of its
/// function whose braces are around its position, and so to all that are around that one, up to
/// those around the calls in whose place inlined code is.
fn blocks(
    files: &mut Files<'_>,
    debug: &FunctionDebug,
    (rows, length): (&[LineEntry], u32),
    origins: &Origins<'_>,
    own: Option<u32>,
) -> BlockTree {
    let map = files.source.map;
    let bounds = Bounds::of(map, debug);
    let new = |parent, origin: Option<u32>, index| DebugBlock {
        parent,
        ranges: Vec::new(),
        origin: origin.map(|origin| (origin, index)),
        inlined: None,
    };
    let scopes = debug.scopes.iter().zip(0..);
    let mut blocks: Vec<DebugBlock> = scopes.map(|(s, index)| new(s.parent, own, index)).collect();
    if blocks.is_empty() {
        blocks.push(new(0, own, 0));
    }
    let mut sites = vec![0; debug.sites.len()];
    let mut callees: FxHashMap<ir::SymbolId, Bounds> = FxHashMap::default();
    let mut used = vec![false; debug.sites.len()];
    for row in rows {
        let mut at = row.inlined.checked_sub(1);
        while let Some(site) = at.filter(|&site| !std::mem::replace(&mut used[site as usize], true)) {
            at = debug.sites[site as usize].parent;
        }
    }
    for (index, site) in debug.sites.iter().enumerate().filter(|(index, _)| used[*index]) {
        let (Some(origin), Some(callee)) = (origins.of(site.callee), origins.description(site.callee)) else {
            continue;
        };
        callees.entry(site.callee).or_insert_with(|| Bounds::of(map, callee));
        let call = map.expansion_point(site.call);
        let parent = match site.parent {
            Some(parent) => match sites[parent as usize] {
                0 => continue,
                block => block + callees[&debug.sites[parent as usize].callee].innermost(call),
            },
            None => bounds.innermost(call),
        };
        let whole = blocks.len() as u32;
        sites[index] = whole;
        let inlined = Some(DebugInline { origin, call: files.position(site.call.0), entry: u32::MAX });
        blocks.push(DebugBlock { inlined, ..new(parent, None, 0) });
        let inner = callee.scopes.iter().zip(0..).skip(1);
        blocks.extend(inner.map(|(s, index)| new(whole + s.parent, Some(origin), index)));
    }
    for (index, row) in rows.iter().enumerate() {
        let end = rows.get(index + 1).map_or(length, |next| next.offset);
        if end <= row.offset {
            continue;
        }
        let at = map.expansion_point(Loc(row.location));
        let mut block = match row.inlined.checked_sub(1).map(|site| (site, sites[site as usize])) {
            Some((_, 0)) | None => bounds.innermost(at),
            Some((site, whole)) => whole + callees[&debug.sites[site as usize].callee].innermost(at),
        };
        while block != 0 {
            let this = &mut blocks[block as usize];
            match this.ranges.last_mut() {
                Some(last) if last.1 == row.offset => last.1 = end,
                _ => this.ranges.push((row.offset, end)),
            }
            if let Some(inlined) = &mut this.inlined {
                inlined.entry = inlined.entry.min(row.offset);
            }
            block = this.parent;
        }
    }
    BlockTree { blocks, sites }
}

/// Variables of static storage duration: those of the file, and those of functions by the
/// function's symbol.
fn globals(
    files: &mut Files<'_>,
    builder: &ObjectBuilder,
    unit: &Unit<'_>,
) -> (Vec<DebugVariable>, FxHashMap<SymbolId, Vec<DebugVariable>>) {
    let mut list = Vec::new();
    let mut statics: FxHashMap<SymbolId, Vec<DebugVariable>> = FxHashMap::default();
    for global in &unit.module.debug.globals {
        let symbol = unit.symbols[global.symbol.as_u32() as usize];
        let variable = DebugVariable {
            name: global.name.to_string(),
            ty: global.ty,
            position: files.position(global.loc.0),
            scope: 0,
            parameter: false,
            external: builder.symbol(symbol).binding != Binding::Local,
            declaration: global.declaration,
            by_address: false,
            bound: None,
            place: global_place(builder, symbol, global.thread),
            origin: None,
        };
        match global.function {
            Some(function) => {
                let function = unit.symbols[function.as_u32() as usize];
                statics.entry(function).or_default().push(variable);
            }
            None => list.push(variable),
        }
    }
    (list, statics)
}

fn declared(files: &mut Files<'_>, unit: &Unit<'_>, callee: &ir::debug::DebugCallee) -> DebugCallee {
    DebugCallee {
        symbol: unit.symbols[callee.symbol.as_u32() as usize],
        name: callee.name.to_string(),
        ty: callee.ty,
        position: files.position(callee.loc.0),
    }
}

/// Where an object is found. Addresses of thread-local ones would need a relocation that is
/// relative to the thread's block; one that was optimised away is nowhere.
fn global_place(builder: &ObjectBuilder, symbol: SymbolId, thread: bool) -> DebugPlace {
    let defined = builder.symbol(symbol).place != Place::Undefined;
    if defined && !thread { DebugPlace::Symbol(symbol) } else { DebugPlace::Nowhere }
}

/// The code of the dialect that gcc 12 gives: debuggers of its time know no later one than C11's.
fn language(options: &Options) -> u16 {
    match options.language.standard {
        Standard::C89 | Standard::C94 => 0x01,
        Standard::C99 => 0x0c,
        Standard::C11 | Standard::C17 | Standard::C23 | Standard::C2Y => 0x1d,
    }
}

/// `DW_AT_producer`. gdb takes locations at a function's first instruction to be valid, and stops
/// there, if the name and the version are gcc's.
fn producer(options: &Options, name: &str) -> String {
    let standard = match options.language.standard {
        Standard::C89 | Standard::C94 => "C89",
        Standard::C99 => "C99",
        Standard::C11 => "C11",
        Standard::C17 => "C17",
        Standard::C23 | Standard::C2Y => "C2X",
    };
    format!("GNU {standard} {GCC_VERSION} ({name})")
}
