//! The object file under construction: sections, symbols, functions, data.
//!
//! Everything is appended in the order in which it is to appear; nothing here
//! depends on hash order, so that equal input gives equal bytes. Writing the
//! result is [`crate::elf`].

mod pieces;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    frames::{self, Frame, FrameList},
    function_code::{ExtraSymbol, FunctionCode, FunctionLines, JumpTableForm, Label},
    relax,
    relocations::{RelocKind, SymbolRef},
    sections::{Relocation, SectionData, SectionId, SectionSpec, section_flags, section_type},
    symbols::{Binding, Place, PlainName, SymbolEntry, SymbolId, SymbolKind, Visibility},
};

/// The stack executability note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum StackNote {
    /// No `.note.GNU-stack` (assembly source without one).
    Absent,
    /// The stack need not be executable.
    #[default]
    NonExecutable,
    /// The stack must be executable.
    Executable,
}

/// Choices about the object file that its contents do not depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OutputOptions {
    /// Local names that begin with `.L` are in the symbol table.
    pub keep_locals: bool,
    /// Local symbols that are numbers are not.
    pub strip_local_absolute: bool,
    /// COMMON symbols have the type `STT_COMMON`.
    pub stt_common: bool,
    /// GOT loads that the linker must not relax.
    pub plain_got: bool,
}

/// Where a function has been placed.
#[derive(Clone, Copy, Debug)]
pub struct PlacedFunction {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its section.
    pub section: SectionId,
    /// Offset of its first byte.
    pub offset: u64,
}

/// A function kept for the listing.
#[derive(Clone, Debug)]
pub struct ListedFunction {
    /// Where it is.
    pub placed: PlacedFunction,
    /// Its code as it was appended.
    pub code: FunctionCode,
    /// Where its pieces are.
    pub pieces: Vec<(SectionId, u64, u64)>,
    /// Object symbol of each module symbol that its asm statements may name.
    pub symbols: Vec<SymbolId>,
}

/// File-scope asm kept for the listing.
#[derive(Clone, Debug)]
pub struct ListedAsm {
    /// The text.
    pub text: Box<str>,
    /// The text is in Intel syntax.
    pub intel: bool,
    /// What it added, by section.
    pub ranges: Vec<(SectionId, u64, u64)>,
    /// Whether it could be assembled.
    pub assembled: bool,
}

/// How to append a function, see [`ObjectBuilder::append_function`].
#[derive(Clone, Copy, Debug)]
pub struct FunctionPlacement<'a> {
    /// Text section.
    pub text: SectionId,
    /// Read-only data section for jump tables.
    pub rodata: SectionId,
    /// Object symbol of each module symbol.
    pub symbols: &'a [SymbolId],
    /// Keep the line rows for a line table.
    pub lines: bool,
    /// Position-independent code: personality and exception tables are referred to PC-relatively.
    pub position_independent: bool,
}

/// An object file under construction.
#[derive(Default)]
pub struct ObjectBuilder {
    pub(crate) sections: Vec<SectionData>,
    section_ids: FxHashMap<SectionSpec, SectionId>,
    pub(crate) symbols: Vec<SymbolEntry>,
    /// All names, one after the other.
    pub(crate) names: String,
    symbol_ids: FxHashMap<Box<str>, SymbolId>,
    constants: FxHashMap<(u32, Box<[u8]>), SymbolId>,
    next_constant: u32,
    label_addresses: FxHashMap<(SymbolId, u32), (SectionId, u64)>,
    /// Sections of the addresses of patchable entries, by the code section they belong to.
    patch_sections: Vec<(SectionId, SectionId)>,
    /// The last definition of each numeric label of inline asm, and the references to the next one.
    numbered: FxHashMap<u64, (SectionId, u64)>,
    pub(crate) awaited: Vec<(u64, SymbolId)>,
    /// Symbols that asm text has given a binding.
    bound: FxHashSet<SymbolId>,
    /// What is wrong with the symbols that asm text defines.
    pub(crate) errors: Vec<String>,
    /// `.symver` directives: symbol and versioned name.
    pub(crate) versions: Vec<(SymbolId, Box<str>, PlainName)>,
    pub(crate) frames: FrameList,
    pub(crate) lines: Vec<FunctionLines>,
    /// Keep a copy of every function appended, which printing the object as assembly needs (`-S`).
    pub keep_functions: bool,
    pub(crate) listed: Vec<ListedFunction>,
    /// File-scope asm, kept likewise.
    pub listed_asm: Vec<ListedAsm>,
    /// Symbols that asm text defines.
    asm_symbols: FxHashSet<SymbolId>,
    /// Constants are not put where the linker merges equal ones (`-fno-merge-constants`).
    pub separate_constants: bool,
    /// Name for the `STT_FILE` symbol.
    pub source_name: Option<String>,
    /// Strings for `.comment`.
    pub idents: Vec<String>,
    /// Text for `.GCC.command.line`.
    pub switches: Option<String>,
    /// The stack note.
    pub stack_note: StackNote,
    /// How it is written.
    pub output: OutputOptions,
    /// Compress debug sections that become smaller by it.
    pub compress_debug: bool,
}

impl ObjectBuilder {
    /// An empty object.
    pub fn new() -> ObjectBuilder {
        ObjectBuilder::default()
    }

    // ---- sections ----

    /// The section of this specification, made on first use.
    pub fn section(&mut self, spec: &SectionSpec) -> SectionId {
        if let Some(&id) = self.section_ids.get(spec) {
            return id;
        }
        let id = SectionId(self.sections.len() as u32);
        self.sections.push(SectionData::new(spec.clone()));
        self.section_ids.insert(spec.clone(), id);
        id
    }

    /// Sections have been renumbered: which is which is looked up anew.
    pub(crate) fn forget_section_numbers(&mut self) {
        let specs = self.sections.iter().enumerate();
        self.section_ids = specs.map(|(i, s)| (s.spec.clone(), SectionId(i as u32))).collect();
    }

    /// Makes a section writable that was not. It stays one section.
    pub fn make_writable(&mut self, section: SectionId) {
        let spec = &mut self.sections[section.index()].spec;
        self.section_ids.remove(spec);
        spec.flags |= section_flags::WRITE;
        let spec = spec.clone();
        self.section_ids.insert(spec, section);
    }

    /// The first section of that name, whatever its flags.
    pub fn section_named(&self, name: &str) -> Option<SectionId> {
        self.sections.iter().position(|s| &*s.spec.name == name).map(|i| SectionId(i as u32))
    }

    /// `.text`
    pub fn text(&mut self) -> SectionId {
        self.section(&SectionSpec::text(".text"))
    }

    /// `.data`
    pub fn data(&mut self) -> SectionId {
        self.section(&SectionSpec::data(".data"))
    }

    /// `.bss`
    pub fn bss(&mut self) -> SectionId {
        self.section(&SectionSpec::bss(".bss"))
    }

    /// `.rodata`
    pub fn rodata(&mut self) -> SectionId {
        self.section(&SectionSpec::read_only(".rodata"))
    }

    /// The array of constructor (or destructor) pointers for `priority`; gcc's naming, which
    /// linkers sort.
    pub fn init_array(&mut self, constructors: bool, priority: Option<u16>) -> SectionId {
        let (base, kind) = if constructors {
            (".init_array", section_type::INIT_ARRAY)
        } else {
            (".fini_array", section_type::FINI_ARRAY)
        };
        let name = match priority {
            Some(priority) if priority != 65535 => format!("{base}.{priority:05}"),
            _ => base.to_string(),
        };
        let flags = section_flags::ALLOC | section_flags::WRITE;
        let section = self.section(&SectionSpec::with_attributes(&name, Some(kind), flags));
        self.set_align(section, 8);
        section
    }

    /// Adds the stack note (`--noexecstack`, `--execstack`). What is executable stays so.
    pub fn add_stack_note(&mut self, executable: bool) {
        let flags = if executable { section_flags::EXECINSTR } else { 0 };
        match self.section_named(".note.GNU-stack") {
            Some(section) => self.sections[section.index()].spec.flags |= flags,
            None if executable => self.stack_note = StackNote::Executable,
            None if self.stack_note == StackNote::Absent => self.stack_note = StackNote::NonExecutable,
            None => {}
        }
    }

    /// A section's contents so far.
    pub fn section_data(&self, section: SectionId) -> &SectionData {
        &self.sections[section.index()]
    }

    /// The same, to change in place.
    pub fn section_data_mut(&mut self, section: SectionId) -> &mut SectionData {
        &mut self.sections[section.index()]
    }

    /// All sections in order.
    pub fn sections(&self) -> impl Iterator<Item = (SectionId, &SectionData)> {
        self.sections.iter().enumerate().map(|(i, s)| (SectionId(i as u32), s))
    }

    /// Raises a section's alignment to at least `align` bytes.
    pub fn set_align(&mut self, section: SectionId, align: u64) {
        let section = &mut self.sections[section.index()];
        section.align = section.align.max(align);
    }

    /// Pads to a multiple of `align` bytes (no-ops in code, zeros elsewhere); returns the new end.
    pub fn align_section(&mut self, section: SectionId, align: u64) -> u64 {
        debug_assert!(align.is_power_of_two());
        self.set_align(section, align);
        let section = &mut self.sections[section.index()];
        let old = section.size();
        let new = old.next_multiple_of(align);
        if section.is_zero_filled() {
            section.zeros = new;
        } else if new != old {
            let code = section.is_code();
            section.bytes.resize(new as usize, 0);
            if code {
                relax::fill_nops(&mut section.bytes[old as usize..]);
            }
        }
        new
    }

    /// Appends bytes at the given alignment; returns their offset.
    pub fn append(&mut self, section: SectionId, align: u64, bytes: &[u8]) -> u64 {
        let offset = self.align_section(section, align);
        let section = &mut self.sections[section.index()];
        if section.is_zero_filled() {
            debug_assert!(bytes.iter().all(|&b| b == 0));
            section.zeros += bytes.len() as u64;
        } else {
            section.bytes.extend_from_slice(bytes);
        }
        offset
    }

    /// Appends `size` zero bytes at the given alignment; returns their offset.
    pub fn append_zeros(&mut self, section: SectionId, align: u64, size: u64) -> u64 {
        let offset = self.align_section(section, align);
        let section = &mut self.sections[section.index()];
        if section.is_zero_filled() {
            section.zeros += size;
        } else {
            let end = section.bytes.len() + size as usize;
            section.bytes.resize(end, 0);
        }
        offset
    }

    /// Adds a relocation of the field at `offset` of `section`.
    pub fn add_relocation(&mut self, section: SectionId, offset: u64, kind: RelocKind, symbol: SymbolId, addend: i64) {
        self.sections[section.index()].relocs.push(Relocation { offset, symbol, kind, addend });
    }

    // ---- symbols ----

    /// Adds a symbol without a place. Global and weak symbols are found by name afterwards, and so
    /// is a local one whose name is not taken yet; what code (asm text) has used or defined by name
    /// before is this symbol, as in an assembler.
    pub fn add_symbol(&mut self, name: &str, binding: Binding, visibility: Visibility, kind: SymbolKind) -> SymbolId {
        if let Some(&id) = self.symbol_ids.get(name) {
            let entry = &mut self.symbols[id.index()];
            if entry.is_only_used() {
                (entry.binding, entry.visibility, entry.kind) = (binding, visibility, kind);
                return id;
            }
            if binding == Binding::Global && kind == SymbolKind::NoType && self.asm_symbols.contains(&id) {
                return id;
            }
        }
        let id = self.push_symbol(name, binding, visibility, kind);
        if binding == Binding::Local {
            self.symbol_ids.entry(name.into()).or_insert(id);
        } else {
            self.symbol_ids.insert(name.into(), id);
        }
        id
    }

    /// Adds a symbol that is not found by name.
    pub fn add_private_symbol(&mut self, name: &str, kind: SymbolKind) -> SymbolId {
        self.push_symbol(name, Binding::Local, Visibility::Default, kind)
    }

    fn push_symbol(&mut self, name: &str, binding: Binding, visibility: Visibility, kind: SymbolKind) -> SymbolId {
        let start = self.names.len() as u32;
        self.names.push_str(name);
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(SymbolEntry {
            name: (start, name.len() as u32),
            binding,
            visibility,
            kind,
            place: Place::Undefined,
            size: 0,
            keep: false,
        });
        id
    }

    /// The symbol of that name; an undefined global one is made if there is none.
    pub fn symbol_named(&mut self, name: &str) -> SymbolId {
        match self.symbol_ids.get(name) {
            Some(&id) => id,
            None => self.add_symbol(name, Binding::Global, Visibility::Default, SymbolKind::NoType),
        }
    }

    /// The symbol of that name, if there is one.
    pub fn find_symbol(&self, name: &str) -> Option<SymbolId> {
        self.symbol_ids.get(name).copied()
    }

    /// A symbol's name.
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        let (start, len) = self.symbols[symbol.index()].name;
        &self.names[start as usize..(start + len) as usize]
    }

    /// A symbol's properties.
    pub fn symbol(&self, symbol: SymbolId) -> &SymbolEntry {
        &self.symbols[symbol.index()]
    }

    /// The same, to change.
    pub fn symbol_mut(&mut self, symbol: SymbolId) -> &mut SymbolEntry {
        &mut self.symbols[symbol.index()]
    }

    /// How many symbols there are.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// Places a symbol in a section.
    pub fn define(&mut self, symbol: SymbolId, section: SectionId, offset: u64, size: u64) {
        let entry = &mut self.symbols[symbol.index()];
        entry.place = Place::Section(section, offset);
        entry.size = size;
    }

    /// Places a symbol that asm text defines. It is local unless the text says otherwise.
    pub fn define_once(&mut self, symbol: SymbolId, section: SectionId, offset: u64) {
        if self.symbols[symbol.index()].place != Place::Undefined {
            let name = self.symbol_name(symbol);
            self.errors.push(format!("symbol '{name}' is already defined"));
            return;
        }
        self.asm_symbols.insert(symbol);
        let bound = self.bound.contains(&symbol);
        let entry = &mut self.symbols[symbol.index()];
        if entry.binding == Binding::Global && !entry.keep && !bound {
            entry.binding = Binding::Local;
        }
        entry.place = Place::Section(section, offset);
    }

    /// Remembers that asm text defines a symbol.
    pub fn note_asm_symbol(&mut self, symbol: SymbolId) {
        self.asm_symbols.insert(symbol);
    }

    /// Whether asm text defines a symbol.
    pub fn is_asm_symbol(&self, symbol: SymbolId) -> bool {
        self.asm_symbols.contains(&symbol)
    }

    /// Gives a symbol the binding that asm text asks for.
    pub fn bind(&mut self, symbol: SymbolId, binding: Binding) {
        self.symbols[symbol.index()].binding = binding;
        self.bound.insert(symbol);
    }

    /// Makes a symbol COMMON.
    pub fn define_common(&mut self, symbol: SymbolId, size: u64, align: u32) {
        let entry = &mut self.symbols[symbol.index()];
        entry.place = Place::Common { align, large: false };
        entry.size = size;
    }

    /// Makes a symbol another name for `target` + `offset`. Type and size are taken over unless
    /// set.
    pub fn define_alias(&mut self, symbol: SymbolId, target: SymbolId, offset: i64) {
        self.symbols[symbol.index()].place = Place::Alias(target, offset);
    }

    /// `.symver`: gives `symbol` the versioned name `name@VERSION`, `name@@VERSION` or
    /// `name@@@VERSION`.
    pub fn add_version(&mut self, symbol: SymbolId, versioned: &str, plain_name: PlainName) {
        self.versions.push((symbol, versioned.into(), plain_name));
    }

    /// The symbol that stands for the start of a section.
    pub fn section_symbol(&mut self, section: SectionId) -> SymbolId {
        if let Some(symbol) = self.sections[section.index()].symbol {
            return symbol;
        }
        let symbol = self.add_private_symbol("", SymbolKind::Section);
        self.symbols[symbol.index()].place = Place::Section(section, 0);
        self.sections[section.index()].symbol = Some(symbol);
        symbol
    }

    /// Place of label number `label` (in the numbering of the `ir` function) of a function appended
    /// before, for data that holds the label's address.
    pub fn label_address(&self, function: SymbolId, label: u32) -> Option<(SectionId, u64)> {
        self.label_addresses.get(&(function, label)).copied()
    }

    // ---- constants ----

    /// A read-only constant, shared with equal ones. Sizes 4, 8, 16 and 32 go to the mergeable
    /// sections, others to `.rodata`.
    pub fn constant(&mut self, bytes: &[u8], align: u32) -> SymbolId {
        let key = (align, bytes.into());
        if let Some(&symbol) = self.constants.get(&key) {
            return symbol;
        }
        let size = bytes.len() as u64;
        let section = match size {
            4 | 8 | 16 | 32 if u64::from(align) <= size && !self.separate_constants => {
                self.section(&SectionSpec::mergeable(&format!(".rodata.cst{size}"), size, false))
            }
            _ => self.rodata(),
        };
        // The whole section is aligned to its entries.
        let align = if self.sections[section.index()].is_mergeable() { size } else { u64::from(align) };
        let offset = self.append(section, align, bytes);
        let name = format!(".Lcst{}", self.next_constant);
        self.next_constant += 1;
        let symbol = self.add_private_symbol(&name, SymbolKind::NoType);
        self.define(symbol, section, offset, 0);
        self.constants.insert(key, symbol);
        symbol
    }

    /// The mergeable string section for elements of `element` bytes (1, 2 or 4), named as gcc names
    /// it: `prefix` is `.rodata` or that of the function that uses the string.
    pub fn string_section(&mut self, prefix: &str, element: u32, align: u32) -> SectionId {
        let name = format!("{prefix}.str{element}.{}", align.max(element));
        self.section(&SectionSpec::mergeable(&name, u64::from(element), true))
    }

    // ---- functions ----

    /// Appends a function with all it brings along.
    pub fn append_function(&mut self, code: &FunctionCode, placement: &FunctionPlacement<'_>) -> PlacedFunction {
        let symbol = match code.symbol.module_index() {
            Some(index) => placement.symbols[index as usize],
            None => base::bug!("a function's symbol must be a module symbol"),
        };
        let section = placement.text;
        let offset = self.append(section, u64::from(code.align), &code.code);
        let entry = u64::from(code.entry);
        self.define(symbol, section, offset + entry, code.code.len() as u64 - entry);
        if self.symbols[symbol.index()].kind == SymbolKind::NoType {
            self.symbols[symbol.index()].kind = SymbolKind::Func;
        }
        let mut merge = Merge {
            code,
            placement,
            section,
            offset,
            extras: vec![None; code.extras.len()],
            pieces: vec![],
            dropped: vec![],
        };
        self.place_pieces(&mut merge);
        self.resolve_numbered(&mut merge);
        self.relocate_pieces(&mut merge);
        self.append_definitions(&mut merge);
        for reloc in &code.relocs {
            let (symbol, delta) = self.resolve(&mut merge, reloc.symbol);
            let at = offset + u64::from(reloc.offset);
            self.sections[section.index()].relocs.push(Relocation {
                offset: at,
                symbol,
                kind: reloc.kind,
                addend: reloc.addend + delta,
            });
        }
        for &(index, label) in &code.exported_labels {
            let at = offset + u64::from(code.label_offset(label));
            self.label_addresses.insert((symbol, index), (section, at));
        }
        if let Some(area) = code.patch_area {
            self.append_patch_area(symbol, section, offset + u64::from(area));
        }
        if code.has_unwind {
            self.append_frame(code, placement, section, offset);
        }
        if placement.lines && !code.lines.is_empty() {
            let length = code.code.len() as u64 - entry;
            let mut rows = code.lines.clone();
            rows.iter_mut().for_each(|row| row.offset -= code.entry);
            self.lines.push(FunctionLines { symbol, section, offset: offset + entry, length, rows });
        }
        let placed = PlacedFunction { symbol, section, offset };
        if self.keep_functions {
            let length = |index| if merge.dropped.contains(&index) { 0 } else { code.pieces[index].bytes.len() as u64 };
            let pieces = merge.pieces.iter().enumerate();
            let pieces = pieces.map(|(index, &(section, at))| (section, at, at + length(index))).collect();
            let symbols = if code.statements.is_empty() { Vec::new() } else { placement.symbols.to_vec() };
            self.listed.push(ListedFunction { placed, code: code.clone(), pieces, symbols });
        }
        placed
    }

    /// The functions kept ([`Self::keep_functions`]), in order.
    pub fn listed_functions(&self) -> &[ListedFunction] {
        &self.listed
    }

    /// The unwind table entries added so far, in order.
    pub fn frames(&self) -> &[Frame] {
        self.frames.as_slice()
    }

    /// The `.symver` names added so far.
    pub fn versions(&self) -> impl Iterator<Item = (SymbolId, &str)> {
        self.versions.iter().map(|(symbol, name, _)| (*symbol, &**name))
    }

    /// Adds an unwind table entry (assembly input; functions add their own).
    pub fn add_frame(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    fn append_frame(
        &mut self,
        code: &FunctionCode,
        placement: &FunctionPlacement<'_>,
        section: SectionId,
        offset: u64,
    ) {
        let entry = u64::from(code.entry);
        let mut frame = Frame::new(section, offset + entry, code.code.len() as u64 - entry);
        frame.instructions = frames::encode_cfi(&code.cfi, code.entry);
        if !code.call_sites.is_empty() {
            let table = frames::call_site_table(code);
            let spec = SectionSpec::read_only(".gcc_except_table");
            let lsda = self.section(&spec);
            let at = self.append(lsda, 4, &table);
            let personality = self.symbol_named("__gcc_personality_v0");
            frame.personality = Some(if placement.position_independent {
                (frames::PE_INDIRECT | frames::PE_PCREL | frames::PE_SDATA4, self.indirect_personality(personality))
            } else {
                (frames::PE_UDATA4, personality)
            });
            let encoding =
                if placement.position_independent { frames::PE_PCREL | frames::PE_SDATA4 } else { frames::PE_UDATA4 };
            frame.lsda = Some((encoding, self.section_symbol(lsda), at as i64));
        }
        self.frames.by_section = true;
        self.frames.push(frame);
    }

    /// Notes the address of a patchable entry's no-ops. There is one section of them for each code
    /// section, linked to it by the name of its first function, so that the linker drops them
    /// together.
    fn append_patch_area(&mut self, function: SymbolId, text: SectionId, at: u64) {
        let section = match self.patch_sections.iter().find(|s| s.0 == text) {
            Some(&(_, section)) => section,
            None => {
                let spec = SectionSpec::data("__patchable_function_entries");
                let link = Some(self.symbol_name(function).into());
                let spec = SectionSpec { flags: spec.flags | section_flags::LINK_ORDER, link, ..spec };
                let section = self.section(&spec);
                self.patch_sections.push((text, section));
                section
            }
        };
        let place = self.append_zeros(section, 8, 8);
        let symbol = self.section_symbol(text);
        self.add_relocation(section, place, RelocKind::Abs64, symbol, at as i64);
    }

    /// The word that holds a personality routine's address, for PC-relative indirect references.
    fn indirect_personality(&mut self, personality: SymbolId) -> SymbolId {
        let name = format!("DW.ref.{}", self.symbol_name(personality));
        if let Some(symbol) = self.find_symbol(&name) {
            return symbol;
        }
        // In a group of its own, so that the linker keeps one for all objects; named as gcc names
        // it.
        let spec = SectionSpec::data(&format!(".data.rel.local.{name}"));
        let flags = spec.flags | section_flags::GROUP;
        let section = self.section(&SectionSpec { flags, group: Some(name.as_str().into()), ..spec });
        let at = self.append_zeros(section, 8, 8);
        self.add_relocation(section, at, RelocKind::Abs64, personality, 0);
        let symbol = self.add_symbol(&name, Binding::Weak, Visibility::Hidden, SymbolKind::Object);
        self.define(symbol, section, at, 8);
        symbol
    }

    /// Numeric labels of asm text across statements: references backward see what earlier functions
    /// define, then this function's definitions end the wait of earlier ones, then its own begins.
    fn resolve_numbered(&mut self, merge: &mut Merge<'_>) {
        let code = merge.code;
        let mut waiting = Vec::new();
        for (index, extra) in code.extras.iter().enumerate() {
            let ExtraSymbol::Numbered { number, forward } = *extra else { continue };
            if forward {
                waiting.push((index, number));
                continue;
            }
            merge.extras[index] = Some(match self.numbered.get(&number) {
                Some(&(section, at)) => (self.section_symbol(section), at as i64),
                None => {
                    self.errors.push(undefined_numbered(number, 'b'));
                    (self.section_symbol(merge.section), 0)
                }
            });
        }
        for &(number, at) in &code.numbered {
            let (section, at) = self.resolve_place(merge, at);
            self.awaited.retain(|&(awaited, symbol)| {
                if awaited == number {
                    self.symbols[symbol.index()].place = Place::Section(section, at);
                }
                awaited != number
            });
            self.numbered.insert(number, (section, at));
        }
        for (index, number) in waiting {
            let symbol = self.add_private_symbol("", SymbolKind::NoType);
            self.awaited.push((number, symbol));
            merge.extras[index] = Some((symbol, 0));
        }
    }

    fn resolve_place(&mut self, merge: &Merge<'_>, at: SymbolRef) -> (SectionId, u64) {
        match at.extra_index().map(|index| &merge.code.extras[index as usize]) {
            Some(&ExtraSymbol::Code(label)) => {
                (merge.section, merge.offset + u64::from(merge.code.label_offset(label)))
            }
            Some(&ExtraSymbol::Piece { piece, offset }) => {
                let (section, start) = merge.pieces[piece as usize];
                (section, start + u64::from(offset))
            }
            _ => base::bug!("a definition must be at a code label or in a piece"),
        }
    }

    /// The object symbol for a function's reference, and what to add to the addend.
    fn resolve(&mut self, merge: &mut Merge<'_>, symbol: SymbolRef) -> (SymbolId, i64) {
        let index = match symbol.extra_index() {
            None => return (merge.placement.symbols[symbol.0 as usize], 0),
            Some(index) => index as usize,
        };
        if let Some(known) = merge.extras[index] {
            return known;
        }
        let resolved = match &merge.code.extras[index] {
            ExtraSymbol::Constant { bytes, align } => (self.constant(bytes, *align), 0),
            ExtraSymbol::Name(name) => (self.symbol_named(name), 0),
            ExtraSymbol::Code(_) | ExtraSymbol::Piece { .. } => {
                let (section, at) = self.resolve_place(merge, symbol);
                (self.section_symbol(section), at as i64)
            }
            ExtraSymbol::Numbered { .. } => base::bug!("a numeric label that was not resolved"),
            ExtraSymbol::JumpTable { targets, form } => {
                let at = self.append_jump_table(merge, targets, *form);
                (self.section_symbol(merge.placement.rodata), at as i64)
            }
        };
        merge.extras[index] = Some(resolved);
        resolved
    }

    fn append_jump_table(&mut self, merge: &Merge<'_>, targets: &[Label], form: JumpTableForm) -> u64 {
        let text = self.section_symbol(merge.section);
        let rodata = merge.placement.rodata;
        let (width, kind) = match form {
            JumpTableForm::Relative32 => (4, RelocKind::Pc32),
            JumpTableForm::Absolute64 => (8, RelocKind::Abs64),
        };
        let start = self.append_zeros(rodata, width, width * targets.len() as u64);
        let relocs = &mut self.sections[rodata.index()].relocs;
        relocs.reserve(targets.len());
        for (i, &target) in targets.iter().enumerate() {
            let from_start = width as i64 * i as i64;
            let target = merge.offset as i64 + i64::from(merge.code.label_offset(target));
            // PC32 is relative to the entry, the distance wanted to the table's start.
            let addend = if form == JumpTableForm::Relative32 { target + from_start } else { target };
            relocs.push(Relocation { offset: start + from_start as u64, symbol: text, kind, addend });
        }
        start
    }
}

/// A function being appended.
struct Merge<'a> {
    code: &'a FunctionCode,
    placement: &'a FunctionPlacement<'a>,
    section: SectionId,
    offset: u64,
    extras: Vec<Option<(SymbolId, i64)>>,
    pieces: Vec<(SectionId, u64)>,
    /// Pieces that an earlier one stands for.
    dropped: Vec<usize>,
}

/// The message of `as` for a numeric label without a definition.
pub(crate) fn undefined_numbered(number: u64, direction: char) -> String {
    format!("local label \"{number}{direction}\" is not defined")
}
