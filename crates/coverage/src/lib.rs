//! `--coverage`: counters on the arcs of functions, and the notes that `gcov` reads.
//!
//! It works on the IR as lowering made it, where blocks are those of the source, so that counts are
//! the source's at every level of optimisation. [`graph`] makes of a function the graph that gcov
//! knows: blocks that end after each call that may not return, arcs, a spanning tree of arcs that
//! need no counter (Knuth and Stevenson, "Optimal measurement points for program frequency counts",
//! 1973). [`instrument`] writes the counters into the IR; [`runtime`] makes the tables that gcc's
//! `libgcov` is given, in the layout of gcc 12; [`notes`] writes the `.gcno` file, in its format.
//! [`use_profile`] reads what a program has counted.

mod checksum;
pub mod graph;
mod instrument;
mod notes;
mod profile;
mod runtime;

use base::Loc;
use base::file_patterns::Pattern;
use ir::{FnAttrs, Module};

/// A position in the source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its file, as in `__FILE__`.
    pub file: Box<str>,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

/// What is asked for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// `-fprofile-arcs`: the program counts, and writes to this file.
    pub data_file: Option<&'a str>,
    /// Several threads may count at once (`-fprofile-update=atomic`).
    pub atomic: bool,
    /// The working directory, for the notes.
    pub directory: &'a str,
    /// Functions of files that match one of these, if there are any, are counted
    /// (`-fprofile-filter-files=`),
    pub files: &'a [Pattern],
    /// unless they match one of these (`-fprofile-exclude-files=`).
    pub excluded: &'a [Pattern],
}

impl Request<'_> {
    fn includes(&self, file: &str) -> bool {
        let matches = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(file));
        !matches(self.excluded) && (self.files.is_empty() || matches(self.files))
    }
}

/// Version of gcc whose `libgcov` and `gcov` are spoken to: its number as they write it, "B22*" for
/// 12.2.
const VERSION: u32 = u32::from_be_bytes(*b"B22*");

/// What is known of a function, in the notes and in the program.
struct Covered {
    graph: graph::Graph,
    name: Box<str>,
    ident: u32,
    lines_checksum: u32,
    graph_checksum: u32,
    start: Place,
    end: Place,
    /// Made by the compiler, not written by the user.
    artificial: bool,
}

impl Covered {
    fn is_counted_by(&self, counts: &profile::Counts) -> bool {
        counts.lines == self.lines_checksum && counts.graph == self.graph_checksum
    }
}

/// Adds what `request` asks for; the bytes of the `.gcno` file. `place` says where in the source a
/// location is.
pub fn cover(module: &mut Module, request: &Request<'_>, place: &dyn Fn(Loc) -> Option<Place>) -> Vec<u8> {
    let mut all = Vec::new();
    let ids: Vec<ir::FuncId> = module.functions.keys().collect();
    let mut counters = Vec::new();
    for id in ids {
        let Some(covered) = function(module, id, place).filter(|c| request.includes(&c.start.file)) else { continue };
        if request.data_file.is_some() {
            let symbol = instrument::function(module, id, &covered.graph, request.atomic);
            counters.push((all.len(), symbol));
        }
        all.push(covered);
    }
    let (bytes, stamp) = notes::write(&all, request.directory);
    if let Some(file) = request.data_file {
        instrument::wrap_processes(module);
        runtime::register(module, &all, &counters, file, stamp);
    }
    bytes
}

/// Something about a profile that the user should know: a place in the source, and gcc's words.
pub struct Complaint {
    /// Where the function stands.
    pub loc: Loc,
    /// What is wrong.
    pub message: String,
}

/// Whether the counts of a `.gcda` file are of the module's functions as they stand.
pub fn is_of(module: &Module, bytes: &[u8], place: &dyn Fn(Loc) -> Option<Place>) -> bool {
    let Some(known) = profile::read(bytes) else { return true };
    let covered = module.functions.keys().filter_map(|id| function(module, id, place));
    covered
        .into_iter()
        .all(|covered| known.functions.get(&covered.ident).is_none_or(|counts| covered.is_counted_by(counts)))
}

/// `-fprofile-use`: gives the module's functions and branches the counts of `bytes`, a `.gcda`
/// file; functions that are not in it are left as they are. `None` if it is no such file.
pub fn use_profile(module: &mut Module, bytes: &[u8], place: &dyn Fn(Loc) -> Option<Place>) -> Option<Vec<Complaint>> {
    let known = profile::read(bytes)?;
    let mut complaints = Vec::new();
    for id in module.functions.keys().collect::<Vec<_>>() {
        let Some(covered) = function(module, id, place) else { continue };
        let Some(counts) = known.functions.get(&covered.ident) else { continue };
        let graph = &covered.graph;
        let is_same = covered.is_counted_by(counts);
        // Functions that never ran may be there without counters.
        let solved = match is_same && counts.arcs.is_empty() {
            true => Some(graph.blocks.iter().map(|block| vec![0; block.arcs.len()]).collect()),
            false => profile::solve(graph, &counts.arcs).filter(|_| is_same),
        };
        match solved {
            Some(counts) => profile::apply(module, id, graph, &counts, known.highest),
            None => complaints.push(Complaint {
                loc: module.functions[id].loc,
                message: format!("the control flow of function '{}' does not match its profile data", covered.name),
            }),
        }
    }
    Some(complaints)
}

/// The graph of a function; none for those that are not counted: bodies that are only inlined,
/// `no_profile_instrument_function`, and those without a place in the source.
fn function(module: &Module, id: ir::FuncId, place: &dyn Fn(Loc) -> Option<Place>) -> Option<Covered> {
    let func = &module.functions[id];
    let symbol = &module.symbols[func.symbol];
    let is_left_out = symbol.attrs.has(FnAttrs::AVAILABLE_EXTERNALLY)
        || symbol.attrs.has(FnAttrs::NAKED)
        || symbol.code.as_ref().is_some_and(|code| code.no_profile)
        || func.blocks().next().is_none();
    if is_left_out {
        return None;
    }
    let start = place(func.loc)?;
    let end = place(func.end).filter(|end| end.file == start.file && end.line >= start.line);
    let end = end.unwrap_or_else(|| start.clone());
    let fork = module.find_symbol(&module.assembler_name("fork"));
    let graph = graph::Graph::of(func, fork, &start, place);
    let name = symbol.name.clone();
    let seed = if symbol.linkage == ir::Linkage::Local { checksum::text(start.line, &start.file) } else { 0 };
    let ident = checksum::text(seed, &name) & 0x7fff_ffff;
    Some(Covered {
        graph_checksum: graph.checksum(),
        graph,
        ident: ident.max(1),
        lines_checksum: checksum::text(checksum::number(0, start.line), &start.file),
        name,
        start,
        end,
        artificial: false,
    })
}
