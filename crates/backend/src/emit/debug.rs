//! `-g`: the unit, its source files and functions, and the line table, from the line rows that functions carry.

use base::{Interner, Loc, SourceMapData, Symbol};
use object::debug_info::{DebugFile, DebugFunction, DebugPosition, DebugUnit};
use object::function_code::LineEntry;
use object::{Binding, ObjectBuilder};
use rustc_hash::FxHashMap;
use target::options::{Options, Standard};

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
pub(super) fn describe(builder: &mut ObjectBuilder, options: &Options, source: &Source<'_>) -> Result<(), String> {
    let mut files = Files { source, options, list: Vec::new(), numbers: FxHashMap::default() };
    let name = mapped(options, &options.input_name);
    files.file(&name);
    let mut positions: FxHashMap<u32, Option<DebugPosition>> = FxHashMap::default();
    let mut functions = Vec::new();
    for (symbol, rows) in builder.functions_with_lines() {
        for row in rows {
            positions.entry(row.location).or_insert_with(|| files.position(row.location));
        }
        let first = rows.first().map(|row: &LineEntry| row.location);
        functions.push(DebugFunction {
            symbol,
            name: builder.symbol_name(symbol).to_owned(),
            position: first.and_then(|location| positions[&location]),
            external: builder.symbol(symbol).binding != Binding::Local,
        });
    }
    let position = |location: u32| positions.get(&location).copied().flatten();
    let directory = mapped(options, source.directory);
    builder.write_debug_info(&DebugUnit {
        name,
        directory,
        producer: source.producer.to_owned(),
        language: language(options),
        files: &files.list,
        position: &position,
        functions: &functions,
    })
}

/// DWARF 5's code of the dialect (table 7.17, and 0x3e for C17 from the list kept after it).
fn language(options: &Options) -> u16 {
    match options.language.standard {
        Standard::C89 | Standard::C94 => 0x01,
        Standard::C99 => 0x0c,
        Standard::C11 => 0x1d,
        Standard::C17 => 0x2c,
        Standard::C23 => 0x3e,
    }
}
