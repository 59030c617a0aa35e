//! The assembly in progress: symbols, sections made of chunks, fields to be filled in later.
//!
//! A chunk is one subsection. It holds the bytes whose number is certain, and
//! between them [`Item`]s whose length is decided by layout (branches, alignments,
//! spaces, LEB128 numbers). A [`Position`] therefore counts both: bytes and items
//! before it. Positions in one chunk with no item between them have a known
//! distance at once, all others after layout.

use std::{collections::BTreeMap, rc::Rc};

use iced_x86::Register;
use object::relax::Item as RelaxItem;
use object::{Binding, PlainName, RelocKind, SectionSpec, SymbolKind, Visibility, function_code::CfiOp};
use rustc_hash::FxHashMap;

pub(crate) use crate::line_records::{Lines, Position};
use crate::{
    AsmError, AsmNote,
    expression::{Evaluate, Expr, Names, Sym, Value, evaluate},
    mode::Mode,
};

/// Name of the section of absolute numbers, which is no section of the object.
pub(crate) const ABSOLUTE: &str = "*ABS*";

/// Equated symbols that refer to each other deeper than this are taken for a cycle.
const MAX_EQUATES: u32 = 100;

/// What a symbol has been defined as.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Definition {
    Undefined,
    At(Position),
    /// `.set`: a value as it was written.
    Equate(Box<Expr>),
    Common {
        size: u64,
        align: u32,
        local: bool,
        /// `.largecomm`
        large: bool,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub name: Box<str>,
    pub definition: Definition,
    pub binding: Option<Binding>,
    pub visibility: Visibility,
    pub kind: SymbolKind,
    pub size: Option<Box<Expr>>,
    /// Numeric labels and positions: never in the symbol table.
    pub internal: bool,
    /// `.symver`
    pub versions: Vec<Box<str>>,
    /// What becomes of the name beside those with versions.
    pub plain_name: PlainName,
}

/// Something in a chunk whose length layout decides.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Fixed bytes of the chunk before it.
    pub fixed: u32,
    pub kind: ItemKind,
    pub line: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum ItemKind {
    /// A jump: condition code, or 0xff.
    Branch {
        condition: u8,
        target: Expr,
        force_long: bool,
        mode: JumpMode,
    },
    Align {
        align: u32,
        max_skip: u32,
        fill: Option<Vec<u8>>,
    },
    /// `.skip`, `.space`, `.fill` with a length that is not known yet.
    Space {
        count: Expr,
        unit: u32,
        fill: Vec<u8>,
    },
    /// `.org`
    Org {
        target: Expr,
        fill: u8,
    },
    Leb {
        value: Expr,
        signed: bool,
    },
}

/// What a jump's long form is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum JumpMode {
    /// 64-bit code: 32 bits, and jumps to other objects may go through the PLT.
    Code64,
    /// 32 bits.
    Code32,
    /// 16 bits.
    Code16,
}

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FieldKind {
    /// Data, or a displacement or immediate that is zero-extended.
    Plain,
    /// A 32-bit field that is sign-extended to 64.
    Signed,
    /// Relative to the end of the instruction, `to_end` bytes after the field's start; the flag
    /// tells how the linker may relax a GOT load.
    Relative { to_end: u8, relax: GotRelax },
    /// The target of a call or of a branch with one form only.
    Branch,
    /// The target of a jump that layout sized.
    Jump(JumpMode),
}

/// How a GOT load may be relaxed (psABI B.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum GotRelax {
    No,
    Plain,
    Rex,
}

/// A field of known width with a value that is not known yet.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub at: Position,
    pub width: u8,
    pub kind: FieldKind,
    pub value: Expr,
    pub line: u32,
    pub file: Rc<str>,
}

/// `.reloc`
#[derive(Clone, Debug)]
pub(crate) struct GivenReloc {
    pub section: u32,
    pub offset: Expr,
    pub kind: RelocKind,
    pub value: Option<Expr>,
    pub line: u32,
}

/// A subsection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chunk {
    pub section: u32,
    pub subsection: i64,
    pub bytes: Vec<u8>,
    pub items: Vec<Item>,
    pub fields: Vec<Field>,
    /// Size of a zero-filled section's chunk.
    pub zeros: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct AsmSection {
    pub spec: SectionSpec,
    pub align: u32,
    /// Chunks by subsection number.
    pub chunks: Vec<u32>,
    /// All of it stands where this name was asked for and not defined ([`State::guard`]).
    pub unless: Option<Box<str>>,
}

/// An open or finished `.cfi_startproc` frame.
#[derive(Clone, Debug)]
pub(crate) struct CfiFrame {
    pub start: Position,
    pub end: Option<Position>,
    pub rules: Vec<(Position, CfiOp)>,
    pub personality: Option<(u8, Sym)>,
    pub lsda: Option<(u8, Expr)>,
    pub signal: bool,
    pub simple: bool,
    /// In `.eh_frame`, in `.debug_frame`.
    pub sections: (bool, bool),
    pub return_column: u16,
    /// Current CFA offset, for `.cfi_adjust_cfa_offset`.
    pub cfa_offset: i64,
    pub cfa_register: u16,
    pub remembered: Vec<(u16, i64)>,
}

impl CfiFrame {
    /// A frame with the usual initial rules.
    pub fn new(start: Position) -> CfiFrame {
        CfiFrame {
            start,
            end: None,
            rules: Vec::new(),
            personality: None,
            lsda: None,
            signal: false,
            simple: false,
            sections: (true, false),
            return_column: 16,
            cfa_offset: 8,
            cfa_register: 7,
            remembered: Vec::new(),
        }
    }
}

/// The rows of the line table that instructions have got so far (`-g`).
#[derive(Default)]
pub struct Recorded {
    /// Name and number of the file of the last row, and its line.
    pub last: Option<(Rc<str>, u32, u32)>,
}

/// The assembly in progress.
pub(crate) struct State {
    pub symbols: Vec<Symbol>,
    pub names: FxHashMap<Box<str>, Sym>,
    pub sections: Vec<AsmSection>,
    pub section_ids: FxHashMap<SectionSpec, u32>,
    pub chunks: Vec<Chunk>,
    /// The chunk being filled.
    pub current: u32,
    pub previous: u32,
    /// The chunk of `.struct`, whose labels are numbers.
    pub absolute: Option<u32>,
    pub stack: Vec<(u32, u32)>,
    local_labels: FxHashMap<u64, (u32, u32)>,
    /// All numeric labels in the order of their definitions.
    pub numbered: Vec<(u64, Sym)>,
    /// Numeric labels may be defined elsewhere (in other asm statements of the unit).
    pub is_statement: bool,
    /// A name that was asked for (`.ifndef`) and not defined, and how many conditionals were open
    /// with it: another statement may define it before.
    pub guard: Option<(usize, Box<str>)>,
    /// `.gnu_attribute`: tags and encoded values.
    pub attributes: BTreeMap<u64, Vec<u8>>,
    /// `.reloc` directives.
    pub relocations: Vec<GivenReloc>,
    pub frames: Vec<CfiFrame>,
    pub open_frame: Option<usize>,
    /// Where frames are described from here on: `.eh_frame`, `.debug_frame`.
    pub cfi_sections: (bool, bool),
    pub line: u32,
    pub file: Rc<str>,
    /// Known addresses, once layout has been done.
    pub layout: Option<Layout>,
    /// Start of the current statement, what `.` means.
    pub statement_start: Option<Sym>,
    pub errors: Vec<AsmError>,
    /// Warnings, and the texts of `.print`.
    pub notes: Vec<AsmNote>,
    /// Jumps to global symbols are left to the linker.
    pub shared: bool,
    /// A `.size` that is not known is a warning.
    pub size_warnings: bool,
    /// `.file "name"`: the object's source name.
    pub source_name: Option<String>,
    /// `.file` and `.loc`.
    pub lines: Lines,
    /// Instructions get lines of their own (`-g`).
    pub marks_lines: bool,
    pub recorded: Recorded,
    /// Names set to registers (`X0 = %xmm4`).
    pub register_names: FxHashMap<Box<str>, Register>,
    /// The size of code assembled now.
    pub mode: Mode,
    /// `.att_syntax noprefix`: registers are known without `%` as well.
    pub naked_att: bool,
}

impl State {
    pub fn new(first: SectionSpec) -> State {
        let mut state = State {
            symbols: Vec::new(),
            names: FxHashMap::default(),
            sections: Vec::new(),
            section_ids: FxHashMap::default(),
            chunks: Vec::new(),
            current: 0,
            previous: 0,
            absolute: None,
            stack: Vec::new(),
            local_labels: FxHashMap::default(),
            numbered: Vec::new(),
            is_statement: false,
            guard: None,
            attributes: BTreeMap::new(),
            relocations: Vec::new(),
            frames: Vec::new(),
            open_frame: None,
            cfi_sections: (true, false),
            register_names: FxHashMap::default(),
            mode: Mode::default(),
            naked_att: false,
            line: 1,
            file: "".into(),
            layout: None,
            statement_start: None,
            errors: Vec::new(),
            notes: Vec::new(),
            shared: false,
            size_warnings: false,
            source_name: None,
            lines: Lines::default(),
            marks_lines: false,
            recorded: Default::default(),
        };
        state.current = state.chunk(&first, 0);
        state.previous = state.current;
        state
    }

    pub fn error(&mut self, message: impl Into<String>) {
        self.errors.push(AsmError { line: self.line, file: self.file.to_string(), message: message.into() });
    }

    /// The function that an asm statement is in has a frame, with this canonical frame address.
    pub fn open_statement_frame(&mut self, (cfa_register, cfa_offset): (u16, i64)) {
        let frame = CfiFrame::new(self.position());
        self.open_frame = Some(0);
        self.frames.push(CfiFrame { cfa_register, cfa_offset, ..frame });
    }

    /// The rules that an asm statement adds to its function's frame.
    pub fn close_statement_frame(&mut self) -> Vec<(Position, CfiOp)> {
        let frames = std::mem::take(&mut self.frames);
        let open = self.open_frame.take();
        match frames.into_iter().next() {
            None => Vec::new(),
            Some(frame) if open == Some(0) && frame.end.is_none() => frame.rules,
            Some(_) => {
                self.error("not supported: .cfi_startproc and .cfi_endproc in inline asm");
                Vec::new()
            }
        }
    }

    pub fn warn(&mut self, message: impl Into<String>) {
        let at = AsmError { line: self.line, file: self.file.to_string(), message: message.into() };
        self.notes.push(AsmNote::Warning(at));
    }

    // ---- sections ----

    /// The chunk of a subsection, made on first use.
    pub fn chunk(&mut self, spec: &SectionSpec, subsection: i64) -> u32 {
        let section = match self.section_ids.get(spec) {
            Some(&section) => {
                self.end_guarded(section);
                section
            }
            None => {
                let section = self.sections.len() as u32;
                let unless = self.guard.as_ref().map(|(_, name)| name.clone());
                self.sections.push(AsmSection { spec: spec.clone(), align: 1, chunks: Vec::new(), unless });
                self.section_ids.insert(spec.clone(), section);
                section
            }
        };
        self.chunk_of(section, subsection)
    }

    /// Something may follow in a section that is not under its guard.
    pub fn end_guarded(&mut self, section: u32) {
        let known = &mut self.sections[section as usize].unless;
        if self.guard.as_ref().map(|(_, name)| name) != known.as_ref() {
            *known = None;
        }
    }

    /// The chunk of a subsection of a known section.
    pub fn chunk_of(&mut self, section: u32, subsection: i64) -> u32 {
        let chunks = &self.chunks;
        let list = &self.sections[section as usize].chunks;
        match list.binary_search_by_key(&subsection, |&c| chunks[c as usize].subsection) {
            Ok(i) => list[i],
            Err(i) => {
                let chunk = self.chunks.len() as u32;
                self.chunks.push(Chunk { section, subsection, ..Chunk::default() });
                self.sections[section as usize].chunks.insert(i, chunk);
                chunk
            }
        }
    }

    /// Makes a chunk current.
    pub fn switch_to(&mut self, chunk: u32) {
        self.previous = self.current;
        self.current = chunk;
    }

    pub fn current_chunk(&mut self) -> &mut Chunk {
        &mut self.chunks[self.current as usize]
    }

    pub fn current_section(&mut self) -> &mut AsmSection {
        let section = self.chunks[self.current as usize].section;
        &mut self.sections[section as usize]
    }

    /// Makes the section of absolute numbers current, at an offset (`.struct`).
    pub fn switch_to_absolute(&mut self, offset: u64) {
        let spec = SectionSpec::bss(ABSOLUTE);
        let chunk = self.chunk(&spec, 0);
        self.absolute = Some(chunk);
        self.switch_to(chunk);
        self.current_chunk().zeros = offset;
    }

    /// The offset in the section of absolute numbers, if that is the current one.
    pub fn absolute_offset(&self) -> Option<u64> {
        (self.absolute == Some(self.current)).then(|| self.chunks[self.current as usize].zeros)
    }

    /// What a label here is defined as.
    fn label_here(&self) -> Definition {
        match self.absolute_offset() {
            Some(offset) => Definition::Equate(Box::new(Expr::Number(offset as i64))),
            None => Definition::At(self.position()),
        }
    }

    /// Whether the current section has no contents.
    pub fn in_bss(&mut self) -> bool {
        self.current_section().spec.kind == object::sections::section_type::NOBITS
    }

    /// The current position.
    pub fn position(&self) -> Position {
        let chunk = &self.chunks[self.current as usize];
        let fixed = if chunk.zeros > 0 { chunk.zeros as u32 } else { chunk.bytes.len() as u32 };
        Position { chunk: self.current, items: chunk.items.len() as u32, fixed }
    }

    /// Appends bytes.
    pub fn emit(&mut self, bytes: &[u8]) {
        if self.in_bss() {
            if bytes.iter().any(|&b| b != 0) {
                self.error("attempt to store non-zero value in a section without contents");
            }
            self.current_chunk().zeros += bytes.len() as u64;
            return;
        }
        self.current_chunk().bytes.extend_from_slice(bytes);
    }

    /// Appends zero bytes.
    pub fn emit_zeros(&mut self, count: u64) {
        if self.in_bss() {
            self.current_chunk().zeros += count;
        } else {
            let chunk = self.current_chunk();
            let len = chunk.bytes.len() + count as usize;
            chunk.bytes.resize(len, 0);
        }
    }

    /// Appends an item.
    pub fn emit_item(&mut self, kind: ItemKind) {
        let fixed = self.position().fixed;
        let line = self.line;
        self.current_chunk().items.push(Item { fixed, kind, line });
    }

    /// Appends a field of `width` bytes.
    pub fn emit_field(&mut self, width: u8, kind: FieldKind, value: Expr) {
        let at = self.position();
        let (line, file) = (self.line, self.file.clone());
        self.current_chunk().fields.push(Field { at, width, kind, value, line, file });
        self.emit_zeros(u64::from(width));
    }

    // ---- symbols ----

    fn new_symbol(&mut self, name: &str, internal: bool) -> Sym {
        self.symbols.push(Symbol {
            name: name.into(),
            definition: Definition::Undefined,
            binding: None,
            visibility: Visibility::Default,
            kind: SymbolKind::NoType,
            size: None,
            internal,
            versions: Vec::new(),
            plain_name: PlainName::Kept,
        });
        Sym(self.symbols.len() as u32 - 1)
    }

    /// The symbol of that name.
    pub fn symbol_of(&mut self, name: &str) -> Sym {
        if let Some(&symbol) = self.names.get(name) {
            return symbol;
        }
        let symbol = self.new_symbol(name, false);
        self.names.insert(name.into(), symbol);
        symbol
    }

    pub fn symbol_mut(&mut self, symbol: Sym) -> &mut Symbol {
        &mut self.symbols[symbol.0 as usize]
    }

    pub fn definition(&self, symbol: Sym) -> &Definition {
        &self.symbols[symbol.0 as usize].definition
    }

    /// An internal symbol for a position.
    pub fn symbol_at(&mut self, position: Position) -> Sym {
        let symbol = self.new_symbol("", true);
        self.symbol_mut(symbol).definition = Definition::At(position);
        symbol
    }

    /// Places a named label here.
    pub fn define_label(&mut self, name: &str) {
        let definition = self.label_here();
        let symbol = self.symbol_of(name);
        if self.definition(symbol) != &Definition::Undefined {
            self.error(format!("symbol '{name}' is already defined"));
            return;
        }
        self.symbol_mut(symbol).definition = definition;
    }

    /// Places numeric label `number` here.
    pub fn define_local_label(&mut self, number: u64) {
        let definition = self.label_here();
        let last = self.local_labels.get(&number).map(|&(_, next)| next);
        // The label that `f` references were waiting for.
        let symbol = match last {
            Some(next) => Sym(next),
            None => self.new_symbol("", true),
        };
        self.symbol_mut(symbol).definition = definition;
        self.numbered.push((number, symbol));
        let next = self.new_symbol(&format!("{number}f"), true);
        self.local_labels.insert(number, (symbol.0, next.0));
    }

    /// Evaluates with what is known now.
    pub fn evaluate(&self, expr: &Expr) -> Result<Value, String> {
        evaluate(self, expr, 0).map(|value| crate::expression::reduce(self, value))
    }

    /// Evaluates to a number known now.
    pub fn absolute(&self, expr: &Expr) -> Result<i64, String> {
        crate::expression::absolute(self, expr, 0)
    }

    /// The section of a position.
    pub fn section_of(&self, position: Position) -> u32 {
        self.chunks[position.chunk as usize].section
    }

    /// Whether a jump to the symbol's definition here must be left to the linker. As `as` does
    /// without `-mshared`, jumps to global symbols of the same section are resolved; `@PLT` keeps
    /// them.
    pub fn keeps_jumps(&self, symbol: Sym) -> bool {
        let data = &self.symbols[symbol.0 as usize];
        let global = self.shared && data.binding == Some(Binding::Global);
        global || data.binding == Some(Binding::Weak) || data.kind == SymbolKind::IFunc
    }

    /// Whether the linker or another object may replace the symbol's definition.
    pub fn is_external(&self, symbol: Sym) -> bool {
        matches!(self.symbols[symbol.0 as usize].binding, Some(Binding::Global | Binding::Weak))
    }
}

impl Evaluate for State {
    fn symbol_value(&self, symbol: Sym, depth: u32) -> Result<Value, String> {
        match self.definition(symbol) {
            Definition::Equate(expr) if depth < MAX_EQUATES => evaluate(self, expr, depth + 1),
            Definition::Equate(_) => {
                Err(format!("symbol definition loop encountered at '{}'", self.symbols[symbol.0 as usize].name))
            }
            _ => Ok(Value { add: Some(symbol), ..Value::default() }),
        }
    }

    fn distance(&self, a: Sym, b: Sym) -> Option<i64> {
        if a == b {
            return Some(0);
        }
        let (&Definition::At(a), &Definition::At(b)) = (self.definition(a), self.definition(b)) else { return None };
        if let Some(layout) = &self.layout {
            return (self.section_of(a) == self.section_of(b))
                .then(|| layout.offset(self, a) as i64 - layout.offset(self, b) as i64);
        }
        (a.chunk == b.chunk && a.items == b.items).then(|| i64::from(a.fixed) - i64::from(b.fixed))
    }
}

impl Names for State {
    fn symbol(&mut self, name: &str) -> Expr {
        if let Some(register) = self.register_names.get(name) {
            return Expr::Register(format!("{register:?}").to_ascii_lowercase().into());
        }
        let symbol = self.symbol_of(name);
        match self.definition(symbol) {
            // Compilers give constants inside others names of their own; those are set once.
            Definition::Equate(value) if name.starts_with(".L") && value.number().is_none() => {
                Expr::Symbol(symbol, None)
            }
            // Any other equated symbol means its value of now: it may be set again later.
            Definition::Equate(value) => (**value).clone(),
            _ => Expr::Symbol(symbol, None),
        }
    }

    fn here(&mut self) -> Sym {
        match self.statement_start {
            Some(symbol) => symbol,
            None => {
                let definition = self.label_here();
                let symbol = self.new_symbol("", true);
                self.symbol_mut(symbol).definition = definition;
                self.statement_start = Some(symbol);
                symbol
            }
        }
    }

    fn local_label(&mut self, number: u64, forward: bool) -> Result<Sym, String> {
        match (self.local_labels.get(&number), forward) {
            (Some(&(last, _)), false) if last != u32::MAX => Ok(Sym(last)),
            (_, false) if self.is_statement => Ok(self.new_symbol(&format!("{number}b"), true)),
            (_, false) => Err(format!("local label \"{number}\" is not defined: no {number}b")),
            (Some(&(_, next)), true) => Ok(Sym(next)),
            (None, true) => {
                let next = self.new_symbol(&format!("{number}f"), true);
                self.local_labels.insert(number, (u32::MAX, next.0));
                Ok(next)
            }
        }
    }
}

/// Offsets in sections.
#[derive(Default)]
pub(crate) struct Layout {
    /// Items of each section, chunk after chunk.
    pub sections: Vec<Vec<RelaxItem>>,
    /// Of each chunk: index of its first item in the section, and fixed bytes of earlier chunks.
    pub chunk_base: Vec<(u32, u32)>,
    /// Fixed bytes of a section.
    pub section_fixed: Vec<u32>,
}

impl Layout {
    /// Offset of a position in its section.
    pub fn offset(&self, state: &State, position: Position) -> u64 {
        let (item_base, fixed_base) = self.chunk_base[position.chunk as usize];
        let items = &self.sections[state.section_of(position) as usize];
        let after = (item_base + position.items) as usize;
        u64::from(fixed_base + position.fixed) + u64::from(extra_before(items, after))
    }

    /// The item's start and length.
    pub fn item(&self, state: &State, chunk: u32, item: usize) -> (u64, u64) {
        let (item_base, _) = self.chunk_base[chunk as usize];
        let section = state.chunks[chunk as usize].section as usize;
        let item = &self.sections[section][item_base as usize + item];
        (u64::from(item.start), u64::from(item.len))
    }

    /// Size of a section.
    pub fn size(&self, section: u32) -> u64 {
        let items = &self.sections[section as usize];
        u64::from(self.section_fixed[section as usize]) + u64::from(extra_before(items, items.len()))
    }
}

/// Bytes of items before item `after`.
pub(crate) fn extra_before(items: &[RelaxItem], after: usize) -> u32 {
    match after.checked_sub(1) {
        // Start = fixed bytes before it + item bytes before it.
        Some(i) => items[i].start + items[i].len - items[i].fixed_before(),
        None => 0,
    }
}
