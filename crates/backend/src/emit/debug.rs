//! `-g`: the unit, its source files and functions, and the line table, from the line rows that
//! functions carry.

use base::{Interner, Loc, SourceMapData, Symbol};
use ir::debug::DebugScope;
use object::Binding;
use object::debug_info::{
    DebugBlock, DebugCall, DebugFile, DebugFunction, DebugPlace, DebugPosition, DebugUnit, DebugVariable,
};
use object::function_code::{
    ArgumentValue, DescribedCall, LineEntry, ValuePlace, ValueRange, VariableLocation, VariableValues,
};
use object::{ObjectBuilder, Place, SymbolId};
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
    /// The compilation directory.
    pub directory: &'a str,
    /// Compiler and options, for `DW_AT_producer`.
    pub producer: &'a str,
}

/// A function that has been emitted, as a debugger sees it.
pub struct Described {
    /// Its symbol.
    pub symbol: SymbolId,
    /// As lowered.
    pub debug: Box<ir::debug::FunctionDebug>,
    /// Where its variables lie.
    pub places: Vec<Option<VariableLocation>>,
    /// Where those are that are in no such place, by ascending number.
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
        let file = match self.numbers.get(&at.file) {
            Some(&number) => number,
            None => {
                let name = mapped(self.options, self.source.interner.resolve(at.file));
                let number = self.file(&name);
                self.numbers.insert(at.file, number);
                number
            }
        };
        Some(DebugPosition { file, line: at.line, column: at.column })
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

/// Writes the debug sections.
///
/// # Errors
/// A value that DWARF cannot hold.
pub(super) fn describe(
    builder: &mut ObjectBuilder,
    options: &Options,
    source: &Source<'_>,
    unit: &Unit<'_>,
) -> Result<(), String> {
    let mut files = Files { source, options, list: Vec::new(), numbers: FxHashMap::default() };
    let name = mapped(options, &options.input_name);
    files.file(&name);
    let mut positions: FxHashMap<u32, Option<DebugPosition>> = FxHashMap::default();
    let mut functions = Vec::new();
    let described: FxHashMap<SymbolId, &Described> = unit.functions.iter().map(|d| (d.symbol, d)).collect();
    let (globals, mut statics) = globals(&mut files, builder, unit);
    for (symbol, rows) in builder.functions_with_lines() {
        for row in rows {
            positions.entry(row.location).or_insert_with(|| files.position(row.location));
        }
        let first = rows.first().map(|row: &LineEntry| row.location);
        let mut function = DebugFunction {
            symbol,
            name: builder.symbol_name(symbol).to_owned(),
            position: first.and_then(|location| positions[&location]),
            external: builder.symbol(symbol).binding != Binding::Local,
            result: None,
            prototyped: false,
            blocks: Vec::new(),
            variables: Vec::new(),
            calls: Vec::new(),
        };
        if let Some(&described) = described.get(&symbol) {
            contents(&mut files, described, rows, &mut function, &|symbol| defined_symbol(builder, unit, symbol));
            function.calls = described.calls.iter().map(|call| debug_call(builder, unit, call)).collect();
        }
        function.variables.extend(statics.remove(&symbol).unwrap_or_default());
        functions.push(function);
    }
    let position = |location: u32| positions.get(&location).copied().flatten();
    let directory = mapped(options, source.directory);
    builder.write_debug_info(&DebugUnit {
        name,
        directory,
        producer: producer(options, source.producer),
        language: language(options),
        version: u16::from(options.codegen.dwarf_version),
        files: &files.list,
        position: &position,
        types: &unit.module.debug.types,
        globals: &globals,
        functions: &functions,
    })
}

/// Blocks and variables of a function.
fn contents(
    files: &mut Files<'_>,
    described: &Described,
    rows: &[LineEntry],
    function: &mut DebugFunction,
    symbol: &dyn Fn(u32) -> Option<SymbolId>,
) {
    let debug = &described.debug;
    function.name = debug.name.to_string();
    function.result = debug.result;
    function.prototyped = debug.prototyped;
    function.blocks = blocks(files.source.map, &debug.scopes, rows);
    for (index, variable) in debug.variables.iter().enumerate() {
        let memory = described.places.get(index).copied().flatten();
        let values = described.values.binary_search_by_key(&(index as u32), |v| v.variable);
        let place = match (memory, values) {
            (Some(place), _) => DebugPlace::Frame(place),
            (None, Ok(found)) => DebugPlace::Ranges(known_ranges(&described.values[found].ranges, symbol)),
            (None, Err(_)) => DebugPlace::Nowhere,
        };
        function.variables.push(DebugVariable {
            name: variable.name.to_string(),
            ty: variable.ty,
            position: files.position(variable.loc.0),
            scope: variable.scope,
            parameter: variable.parameter,
            external: false,
            place,
        });
    }
}

/// The ranges with addresses of the object's symbols in place of the module's; addresses of what is
/// not defined here are left out.
fn known_ranges(ranges: &[ValueRange], symbol: &dyn Fn(u32) -> Option<SymbolId>) -> Vec<ValueRange> {
    let mut ranges = ranges.to_vec();
    for range in &mut ranges {
        range.pieces.retain_mut(|piece| match &mut piece.place {
            ValuePlace::Address(number, _) => match symbol(*number) {
                Some(found) => {
                    *number = found.index() as u32;
                    true
                }
                None => false,
            },
            _ => true,
        });
    }
    ranges.retain(|range| !range.pieces.is_empty());
    ranges
}

/// A call with symbols of the object; addresses of what is not defined here are left out.
fn debug_call(builder: &ObjectBuilder, unit: &Unit<'_>, call: &DescribedCall) -> DebugCall {
    let argument = |(register, value): &(u16, ArgumentValue)| {
        let value = match *value {
            ArgumentValue::Address(symbol, offset) => {
                ArgumentValue::Address(defined_symbol(builder, unit, symbol)?.index() as u32, offset)
            }
            ref other => other.clone(),
        };
        Some((*register, value))
    };
    DebugCall {
        after: call.after,
        tail: call.tail,
        callee: call.callee.and_then(|symbol| unit.symbols.get(symbol as usize).copied()),
        arguments: call.arguments.iter().filter_map(argument).collect(),
    }
}

/// The object's symbol of a symbol of the module that is defined in it.
fn defined_symbol(builder: &ObjectBuilder, unit: &Unit<'_>, symbol: u32) -> Option<SymbolId> {
    let found = *unit.symbols.get(symbol as usize)?;
    (builder.symbol(found).place != Place::Undefined).then_some(found)
}

/// Which code belongs to which block: a row of the line table belongs to the innermost one whose
/// braces are around its position.
fn blocks(map: &SourceMapData, scopes: &[DebugScope], rows: &[LineEntry]) -> Vec<DebugBlock> {
    let bounds: Vec<(Loc, Loc)> =
        scopes.iter().map(|s| (map.expansion_point(s.begin), map.expansion_point(s.end))).collect();
    let mut blocks: Vec<DebugBlock> =
        scopes.iter().map(|s| DebugBlock { parent: s.parent, ranges: Vec::new() }).collect();
    for (index, row) in rows.iter().enumerate() {
        let Some(end) = rows.get(index + 1).map(|next| next.offset) else { break };
        let at = map.expansion_point(Loc(row.location));
        let mut block = bounds.partition_point(|b| b.0 <= at).saturating_sub(1);
        while block != 0 {
            if at <= bounds[block].1 {
                match blocks[block].ranges.last_mut() {
                    Some(last) if last.1 == row.offset => last.1 = end,
                    _ if row.offset < end => blocks[block].ranges.push((row.offset, end)),
                    _ => {}
                }
            }
            block = scopes[block].parent as usize;
        }
    }
    blocks
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
            place: global_place(builder, symbol, global.thread),
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
