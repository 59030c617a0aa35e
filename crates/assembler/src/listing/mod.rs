//! `-S`: an object printed as GNU `as` text that assembles to the same bytes.
//!
//! The object is complete before it is printed; nothing is generated twice.
//! Code is decoded with iced, formatted in AT&T syntax with relocations and
//! branch targets as symbols, and every instruction's text is assembled again: if
//! that does not give its own bytes (an encoding `as` would not choose), the
//! bytes are printed instead. Unwind rules become `.cfi_` directives, padding
//! becomes alignment directives.

mod asm;
mod code;
mod data;
mod format;
mod names;

use std::fmt::Write as _;

use object::{
    Binding, ObjectBuilder, Place, SectionId, StackNote, SymbolId, SymbolKind, Visibility,
    builder::ListedFunction,
    sections::{Relocation, SectionData},
};
use rustc_hash::{FxHashMap, FxHashSet};

use self::names::{printed_names, quoted, section_directive};

/// File and line of a raw location.
pub type LineOf<'a> = &'a dyn Fn(u32) -> Option<(String, u32)>;

/// File, line and text of a raw location, as a comment shows them.
pub type SourceOf<'a> = &'a dyn Fn(u32) -> Option<String>;

/// Prints an object as assembly text, with the source lines of its code as comments if `source` is
/// given (`-fverbose-asm`). Functions must have been kept
/// ([`ObjectBuilder::keep_functions`]).
///
/// The text of asm statements is printed as it is. Only where that would give another object (a
/// section that both asm text and C add to, in another order), it is printed as instructions and
/// data.
pub fn print(object: &ObjectBuilder, line: LineOf<'_>, source: Option<SourceOf<'_>>) -> String {
    let has_asm = !object.listed_asm.is_empty()
        || object.listed_functions().iter().any(|function| !function.code.statements.is_empty());
    if has_asm {
        let text = print_with(object, false, Some(line), source);
        if !asm::can_be_checked(object) || sizes_agree(object, &text) {
            return text;
        }
        let text = print_with(object, true, Some(line), source);
        if sizes_agree(object, &text) {
            return text;
        }
    }
    let text = print_with(object, false, None, source);
    if sizes_agree(object, &text) { text } else { print_with(object, true, None, source) }
}

/// Prints an object as text for a reader: every instruction is followed by [`PLACE`] and the raw
/// source location that it was made for.
pub fn print_with_places(object: &ObjectBuilder, line: LineOf<'_>) -> String {
    let mut printer = Printer::new(object, false, Some(line));
    printer.places = Some(places(object));
    printer.object();
    printer.out
}

/// What stands before the location in [`print_with_places`].
pub const PLACE: &str = "\t#@";

/// By section, the offsets of code from which on a source location holds, ascending.
fn places(object: &ObjectBuilder) -> Vec<Vec<(u64, u32)>> {
    let mut out = vec![Vec::new(); object.sections().count()];
    for function in object.listed_functions() {
        let rows = function.code.lines.iter().map(|e| (function.placed.offset + u64::from(e.offset), e.location));
        out[function.placed.section.index()].extend(rows);
    }
    out.iter_mut().for_each(|rows| rows.sort_by_key(|row| row.0));
    out
}

fn print_with(object: &ObjectBuilder, exact: bool, asm: Option<LineOf<'_>>, source: Option<SourceOf<'_>>) -> String {
    let mut printer = Printer::new(object, exact, asm);
    printer.source = source;
    printer.object();
    printer.out
}

/// Whether the text's branches and paddings come out as they are in the object. Choosing their
/// sizes is a fixpoint that may have more than one solution; then they are spelled out.
fn sizes_agree(object: &ObjectBuilder, text: &str) -> bool {
    let Ok(again) = crate::assemble(text, &crate::Options::default()) else { return false };
    let code = object.sections().filter(|(_, section)| section.is_code());
    code.into_iter().all(|(_, section)| {
        let same = again.sections().find(|(_, other)| other.spec == section.spec);
        same.map_or(0, |(_, other)| other.size()) == section.size()
    })
}

/// Something at an offset of a section.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Event {
    /// End of a function's frame.
    EndFrame,
    /// A symbol's label.
    Symbol(u32),
    /// The label of an entry of a mergeable section.
    Entry(u64),
    /// Start of a frame (index of the frame).
    StartFrame(usize),
    /// A branch target.
    Label(u32),
    /// A label that an asm statement names (function, number).
    AsmLabel(usize, u32),
    /// An asm statement (function, index).
    Asm(usize, usize),
    /// Bytes that the text of an asm statement elsewhere gives.
    Skip(u64),
    /// Code of this raw location begins.
    Line(u32),
    /// An unwind rule (function, index).
    Rule(usize, usize),
    /// An alignment request: alignment, limit, padding.
    Align(u32, u32, u32),
    /// The alignment of a function's start: alignment, padding.
    FunctionAlign(u32, u32),
}

impl Event {
    /// The order in which events at one offset are printed. A label where an alignment took no
    /// bytes belongs after it, as in the code buffer.
    fn rank(&self) -> u32 {
        match self {
            Event::EndFrame => 0,
            Event::FunctionAlign(..) => 1,
            Event::Symbol(_) | Event::Entry(_) => 2,
            Event::StartFrame(_) => 3,
            Event::Align(_, _, 0) => 4,
            Event::Label(_) | Event::AsmLabel(..) => 5,
            Event::Rule(..) | Event::Line(_) => 6,
            Event::Asm(..) | Event::Skip(_) => 7,
            Event::Align(..) => 8,
        }
    }
}

struct Printer<'a> {
    object: &'a ObjectBuilder,
    /// Padding as bytes and long branches marked as such, instead of leaving both to the assembler.
    exact: bool,
    /// How to print asm statements as text, if they are.
    asm: Option<LineOf<'a>>,
    /// Source lines as comments, and the last one printed.
    source: Option<SourceOf<'a>>,
    last_line: Option<String>,
    /// By section, the bytes that come from asm text, ascending.
    from_asm: Vec<Vec<(u64, u64)>>,
    out: String,
    /// See [`places`], if they are printed.
    places: Option<Vec<Vec<(u64, u32)>>>,
    /// Names as printed, unique and quoted if need be.
    names: Vec<String>,
    /// Relocations of each section in ascending order.
    relocs: Vec<Vec<Relocation>>,
    /// Sections that something refers to by their start.
    start_labels: FxHashSet<SectionId>,
    /// What is in each section, by number: symbols, functions, frames.
    contents: Vec<Contents>,
    /// Frames whose rules are known one by one, by the start of their function.
    listed_starts: FxHashSet<(SectionId, u64)>,
    next_label: u32,
}

/// Indices of what is in a section.
#[derive(Clone, Default)]
struct Contents {
    symbols: Vec<u32>,
    functions: Vec<usize>,
    frames: Vec<usize>,
    /// Offsets of a mergeable section that something refers to by section and offset.
    entries: Vec<u64>,
}

impl<'a> Printer<'a> {
    fn new(object: &'a ObjectBuilder, exact: bool, asm: Option<LineOf<'a>>) -> Printer<'a> {
        let mut relocs: Vec<Vec<Relocation>> = Vec::new();
        let mut start_labels = FxHashSet::default();
        let mut entries: Vec<Vec<u64>> = vec![Vec::new(); object.sections().count()];
        for (_, section) in object.sections() {
            let mut list = section.relocs.clone();
            list.sort_by_key(|r| r.offset);
            for reloc in &list {
                let entry = object.symbol(reloc.symbol);
                if let (SymbolKind::Section, Place::Section(target, _)) = (entry.kind, entry.place) {
                    if object.section_data(target).is_mergeable() {
                        entries[target.index()].push(reloc.addend as u64);
                    } else {
                        start_labels.insert(target);
                    }
                }
            }
            relocs.push(list);
        }
        for frame in object.frames() {
            if let Some((_, symbol, _)) = frame.lsda
                && let Place::Section(target, _) = object.symbol(symbol).place
            {
                start_labels.insert(target);
            }
        }
        let names = printed_names(object);
        let mut contents = vec![Contents::default(); relocs.len()];
        for index in 0..object.symbol_count() as u32 {
            let entry = object.symbol(SymbolId(index));
            let text = asm.is_some() && object.is_asm_symbol(SymbolId(index));
            let printed = entry.kind != SymbolKind::Section && !text;
            if let (Place::Section(section, _), true) = (entry.place, printed) {
                contents[section.index()].symbols.push(index);
            }
        }
        for (section, mut offsets) in entries.into_iter().enumerate() {
            offsets.sort_unstable();
            offsets.dedup();
            contents[section].entries = offsets;
        }
        let mut listed_starts = FxHashSet::default();
        for (index, function) in object.listed_functions().iter().enumerate() {
            contents[function.placed.section.index()].functions.push(index);
            if function.code.has_unwind {
                let start = function.placed.offset + u64::from(function.code.entry);
                listed_starts.insert((function.placed.section, start));
            }
        }
        for (index, frame) in object.frames().iter().enumerate() {
            contents[frame.section.index()].frames.push(index);
        }
        Printer {
            object,
            exact,
            asm,
            source: None,
            last_line: None,
            from_asm: asm::ranges(object, asm.is_some()),
            out: String::new(),
            places: None,
            names,
            relocs,
            start_labels,
            contents,
            listed_starts,
            next_label: 0,
        }
    }

    fn object(&mut self) {
        if let Some(name) = &self.object.source_name {
            let _ = writeln!(self.out, "\t.file\t{}", quoted(name.as_bytes()));
        }
        for (id, section) in self.object.sections() {
            let name = &*section.spec.name;
            // Written by `as` itself from the directives.
            let empty = section.size() == 0 && self.is_unused(id) && !self.has_statements(id);
            if name == ".eh_frame" || empty || self.is_all_asm(id, section) {
                continue;
            }
            self.section(id, section);
        }
        self.file_asm();
        self.unplaced_symbols();
        for (symbol, versioned) in self.object.versions() {
            if self.asm.is_some() && asm::says(self.object, versioned) {
                continue;
            }
            let _ = writeln!(self.out, "\t.symver\t{}, {versioned}", self.names[symbol.index()]);
        }
        for ident in &self.object.idents {
            let _ = writeln!(self.out, "\t.ident\t{}", quoted(ident.as_bytes()));
        }
        if self.object.stack_note != StackNote::Absent && self.object.section_named(".note.GNU-stack").is_none() {
            let flags = if self.object.stack_note == StackNote::Executable { "x" } else { "" };
            let _ = writeln!(self.out, "\t.section\t.note.GNU-stack,\"{flags}\",@progbits");
        }
    }

    /// Whether nothing is in or refers to an empty section.
    fn is_unused(&self, id: SectionId) -> bool {
        !self.start_labels.contains(&id) && self.contents[id.index()].symbols.is_empty()
    }

    /// The functions of a section in order.
    fn functions(&self, id: SectionId) -> impl Iterator<Item = (usize, &'a ListedFunction)> {
        let listed = self.object.listed_functions();
        self.contents[id.index()].functions.clone().into_iter().map(move |index| (index, &listed[index]))
    }

    fn section(&mut self, id: SectionId, section: &SectionData) {
        section_directive(&mut self.out, section);
        if section.align > 1 {
            let _ = writeln!(self.out, "\t.p2align\t{}", section.align.trailing_zeros());
        }
        if self.start_labels.contains(&id) {
            let _ = writeln!(self.out, "{}:", start_label(id));
        }
        let mut events = self.symbol_events(id);
        let code = section.is_code() && !section.is_zero_filled();
        self.drop_relocations_of_asm(id);
        let labels = if code { self.code_events(id, section, &mut events) } else { FxHashMap::default() };
        self.asm_events(id, code, &mut events);
        events.sort_by(|(a, x), (b, y)| (a, x.rank(), x).cmp(&(b, y.rank(), y)));
        if code { self.code(id, section, &events, &labels) } else { self.data(id, section, &events) }
    }

    fn symbol_events(&self, id: SectionId) -> Vec<(u64, Event)> {
        let contents = &self.contents[id.index()];
        let symbols = contents.symbols.iter().filter_map(|&i| match self.object.symbol(SymbolId(i)).place {
            Place::Section(_, at) => Some((at, Event::Symbol(i))),
            _ => None,
        });
        symbols.chain(contents.entries.iter().map(|&at| (at, Event::Entry(at)))).collect()
    }

    /// The comment that shows a location's line, if the line before was another.
    fn source_line(&mut self, location: u32) {
        let line = self.source.and_then(|source| source(location));
        if line.is_some() && line != self.last_line {
            let _ = writeln!(self.out, "# {}", line.as_deref().unwrap_or_default());
            self.last_line = line;
        }
    }

    // ---- symbols ----

    fn symbol_properties(&mut self, symbol: SymbolId) {
        let entry = self.object.symbol(symbol);
        let name = self.names[symbol.index()].clone();
        match entry.binding {
            Binding::Local => {}
            Binding::Global if entry.place == Place::Undefined => {}
            Binding::Global => {
                let _ = writeln!(self.out, "\t.globl\t{name}");
            }
            Binding::Weak => {
                let _ = writeln!(self.out, "\t.weak\t{name}");
            }
        }
        let visibility = match entry.visibility {
            Visibility::Default => None,
            Visibility::Hidden => Some("hidden"),
            Visibility::Internal => Some("internal"),
            Visibility::Protected => Some("protected"),
        };
        if let Some(visibility) = visibility.filter(|_| entry.binding != Binding::Local) {
            let _ = writeln!(self.out, "\t.{visibility}\t{name}");
        }
        let kind = match entry.kind {
            SymbolKind::Func => "function",
            SymbolKind::Object | SymbolKind::Common => "object",
            SymbolKind::Tls => "tls_object",
            SymbolKind::IFunc => "gnu_indirect_function",
            SymbolKind::NoType | SymbolKind::Section | SymbolKind::File => return,
        };
        if entry.place != Place::Undefined {
            let _ = writeln!(self.out, "\t.type\t{name}, @{kind}");
        }
    }

    fn symbol_label(&mut self, symbol: SymbolId) {
        self.symbol_properties(symbol);
        let name = &self.names[symbol.index()];
        let size = self.object.symbol(symbol).size;
        if size != 0 {
            let _ = writeln!(self.out, "\t.size\t{name}, {size}");
        }
        let _ = writeln!(self.out, "{name}:");
    }

    /// Aliases, common symbols, absolute ones, and what is known of undefined ones.
    fn unplaced_symbols(&mut self) {
        for index in 0..self.object.symbol_count() as u32 {
            let symbol = SymbolId(index);
            let entry = self.object.symbol(symbol);
            let name = self.names[symbol.index()].clone();
            let text = self.asm.is_some() && self.object.is_asm_symbol(symbol);
            if name.is_empty() || text {
                continue;
            }
            match entry.place {
                Place::Section(..) => {}
                Place::Undefined => self.symbol_properties(symbol),
                Place::Absolute(value) => {
                    self.symbol_properties(symbol);
                    let _ = writeln!(self.out, "\t.set\t{name}, {value:#x}");
                }
                Place::Common { align, large } => {
                    self.symbol_properties(symbol);
                    let directive = if large { ".largecomm" } else { ".comm" };
                    let _ = writeln!(self.out, "\t{directive}\t{name}, {}, {align}", entry.size);
                }
                Place::Alias(target, offset) => {
                    self.symbol_properties(symbol);
                    let target = self.reference(target, offset);
                    let _ = writeln!(self.out, "\t.set\t{name}, {target}");
                    if entry.size != 0 {
                        let _ = writeln!(self.out, "\t.size\t{name}, {}", entry.size);
                    }
                }
            }
        }
    }

    /// A symbol plus an offset as an expression.
    fn reference(&self, symbol: SymbolId, offset: i64) -> String {
        let entry = self.object.symbol(symbol);
        let name = match (entry.kind, entry.place) {
            (SymbolKind::Section, Place::Section(section, _)) => start_label(section),
            (_, Place::Absolute(value)) if self.names[symbol.index()].is_empty() => {
                return format!("{}", (value as i64).wrapping_add(offset));
            }
            _ => self.names[symbol.index()].clone(),
        };
        if offset == 0 { name } else { format!("{name}{offset:+}") }
    }

    /// The expression for a relocation, with the symbol's modifier; the addend is given by the
    /// caller.
    fn relocated(&self, reloc: &Relocation, addend: i64) -> String {
        let entry = self.object.symbol(reloc.symbol);
        if let (SymbolKind::Section, Place::Section(section, _)) = (entry.kind, entry.place)
            && self.object.section_data(section).is_mergeable()
        {
            // Merging moves entries: the reference has to name the one it means.
            return entry_label(section, reloc.addend as u64);
        }
        let name = self.reference(reloc.symbol, 0);
        let modifier = reloc.kind.modifier().map_or(String::new(), |m| format!("@{m}"));
        if addend == 0 { format!("{name}{modifier}") } else { format!("{name}{modifier}{addend:+}") }
    }
}

fn entry_label(section: SectionId, offset: u64) -> String {
    format!(".Lentry{}.{offset}", section.0)
}

fn start_label(section: SectionId) -> String {
    format!(".Lsection{}", section.0)
}

fn label_name(label: u32) -> String {
    format!(".LB{label}")
}
