//! Inline asm: the text of one statement into the function being emitted.
//!
//! The statement is assembled as a small source file whose `.text` is the place
//! in the function. What it puts there goes to the [`CodeBuffer`]: bytes, labels
//! and branches as the buffer's own (they relax with the rest of the function),
//! references to symbols as relocations. Other sections (`.pushsection`) become
//! pieces of the function's code. If the text does arithmetic with its own
//! labels (Linux's alternatives: `.skip -(662b-661b)`), distances inside it have
//! to be known at once: then its layout is resolved here and branches keep the
//! length they get here.

use object::{
    Binding, CfiOp, CodeBuffer, Cond, ExtraSymbol, Label, Reloc, RelocKind, SectionSpec, SymbolKind, SymbolRef,
    Visibility,
    function_code::{Definition as CodeDefinition, SectionPiece},
};
use rustc_hash::FxHashMap;

use crate::{
    AsmError,
    context::Assembler,
    expression::{Expr, Sym, Value},
    finish::{self, FinishedSection, PendingReloc},
    instruction::{ALWAYS, Syntax},
    layout,
    state::{AsmSection, Definition, Field, FieldKind, ItemKind, JumpMode, Position, State, Symbol},
};

/// Names that stand for labels of the function in template text: this prefix and the label's
/// number.
pub const CODE_LABEL_PREFIX: &str = ".L.code.";

/// Names that stand for symbols of the module which have no name of their own: this prefix and the
/// symbol's number.
pub const SYMBOL_PREFIX: &str = ".L.symbol.";

/// Finds the module's symbol of a name used in asm text.
pub type SymbolResolver<'a> = &'a mut dyn FnMut(&str) -> Option<SymbolRef>;

/// Assembles one inline asm statement (operands already substituted) at the end of `buffer`.
///
/// `section` is the function's section. `resolve` gives the module's symbol for a name; names it
/// does not know become symbols by name. Labels of the function appear as [`CODE_LABEL_PREFIX`] and
/// the number of the [`Label`].
///
/// # Errors
/// Every error in the text, lines counted from 1 inside it. The function must not be used then.
pub fn assemble_inline(
    text: &str,
    syntax: Syntax,
    section: &SectionSpec,
    buffer: &mut CodeBuffer,
    resolve: SymbolResolver<'_>,
) -> Result<(), Vec<AsmError>> {
    if text.bytes().all(|b| b.is_ascii_whitespace() || b == b';') {
        return Ok(());
    }
    let mut state = State::new(section.clone());
    state.is_statement = true;
    if let Some(address) = buffer.canonical_frame_address().filter(|_| text.contains(".cfi_")) {
        state.open_statement_frame(address);
    }
    let mut assembler = Assembler::new(state, syntax);
    assembler.run(text, "", 1);
    let mut state = assembler.state;
    if !state.mode.is_64() {
        state.error("not supported: inline asm that does not return to .code64");
    }
    let rules = state.close_statement_frame();
    if !state.errors.is_empty() {
        return Err(state.errors);
    }
    separate_subsections(&mut state);
    let mut inline = Inline::new(&state);
    for (position, rule) in rules {
        let here = state.symbol_at(position);
        inline.rules.push((here, rule));
    }
    if inline.needs_layout(&state) {
        inline.frozen(&mut state, buffer, resolve);
    } else {
        inline.flowing(&mut state, buffer, resolve);
    }
    if state.errors.is_empty() { Ok(()) } else { Err(state.errors) }
}

struct Inline {
    /// Sections besides the text, by their number; the piece each becomes.
    pieces: Vec<Option<u32>>,
    /// Labels of the buffer for symbols placed in the text, and extras for those in pieces.
    labels: FxHashMap<Sym, Label>,
    symbols: FxHashMap<Sym, SymbolRef>,
    /// Unwind rules and their places in the text.
    rules: Vec<(Sym, CfiOp)>,
}

impl Inline {
    fn new(state: &State) -> Inline {
        Inline {
            pieces: vec![None; state.sections.len()],
            labels: FxHashMap::default(),
            symbols: FxHashMap::default(),
            rules: Vec::new(),
        }
    }

    /// Whether some value depends on distances between positions that are not known yet.
    fn needs_layout(&self, state: &State) -> bool {
        let text = |chunk: u32| state.chunks[chunk as usize].section == 0;
        let open = |expr: &Expr| state.evaluate(expr).is_ok_and(|v| v.sub.is_some()) || state.evaluate(expr).is_err();
        let open_size = |size: &Expr| state.absolute(size).is_err();
        if state.symbols.iter().any(|symbol| symbol.size.as_deref().is_some_and(open_size)) {
            return true;
        }
        state.chunks.iter().enumerate().any(|(i, chunk)| {
            let items = chunk.items.iter().any(|item| match &item.kind {
                ItemKind::Space { .. } | ItemKind::Org { .. } | ItemKind::Leb { .. } => text(i as u32),
                // The buffer's own branches are those of 64-bit code.
                ItemKind::Branch { target, mode, .. } => *mode != JumpMode::Code64 || open(target),
                ItemKind::Align { .. } => false,
            });
            // `loop` and `jrcxz` have one form only.
            let short = |field: &Field| field.width == 1 && is_relative(field.kind);
            let items = items || text(i as u32) && chunk.fields.iter().any(short);
            items || chunk.fields.iter().any(|field| self.is_distance(state, field))
        })
    }

    /// A difference of two labels, other than one to the field's own section (which is relative to
    /// the field).
    fn is_distance(&self, state: &State, field: &Field) -> bool {
        match state.evaluate(&field.value) {
            Ok(Value { sub: Some(sub), .. }) => match state.definition(sub) {
                // Relative to a piece: the place in it is known if nothing in it varies.
                Definition::At(at) => {
                    at.chunk != field.at.chunk || state.section_of(*at) == 0 || at.items != field.at.items
                }
                _ => true,
            },
            Ok(_) => false,
            Err(_) => true,
        }
    }

    /// The usual way: everything in the text goes to the buffer as it comes.
    fn flowing(&mut self, state: &mut State, buffer: &mut CodeBuffer, resolve: SymbolResolver<'_>) {
        self.make_labels(state, buffer);
        let chunk = state.sections[0].chunks[0] as usize;
        let data = state.chunks[chunk].clone();
        // The text refers to places in the pieces, so they are laid out first.
        let finished = if state.sections.len() > 1 { finish::finish_sections(state, 1) } else { Vec::new() };
        if !state.errors.is_empty() {
            return;
        }
        self.add_pieces(state, buffer, resolve, &finished);
        let mut marks: Vec<(Position, Label)> = self
            .labels
            .iter()
            .filter_map(|(&symbol, &label)| match *state.definition(symbol) {
                Definition::At(position) => Some((position, label)),
                _ => None,
            })
            .collect();
        marks.sort_by_key(|(position, label)| (position.items, position.fixed, label.0));
        let mut marks = marks.into_iter().peekable();
        let mut fields = data.fields.iter().peekable();
        let mut at = 0u32;
        for item in 0..=data.items.len() {
            let end = data.items.get(item).map_or(data.bytes.len() as u32, |i| i.fixed);
            // Fixed bytes up to the item, cut at labels and fields.
            loop {
                let mark = marks.peek().filter(|(p, _)| p.items as usize == item).map(|(p, _)| p.fixed);
                let field = fields.peek().filter(|f| f.at.items as usize == item).map(|f| f.at.fixed);
                let next = mark.into_iter().chain(field).min().unwrap_or(end);
                buffer.put_bytes(&data.bytes[at as usize..next as usize]);
                at = next;
                if mark == Some(next) {
                    if let Some((_, label)) = marks.next() {
                        self.bind(buffer, label);
                    }
                } else if field == Some(next) {
                    if let Some(field) = fields.next() {
                        self.text_field(state, buffer, resolve, field);
                        at += u32::from(field.width);
                    }
                } else {
                    break;
                }
            }
            if let Some(item) = data.items.get(item) {
                self.text_item(state, buffer, resolve, &item.kind, item.line);
            }
        }
        self.relocate_pieces(state, buffer, resolve, finished);
        self.define_names(state, buffer, resolve);
    }

    fn text_item(
        &mut self,
        state: &mut State,
        buffer: &mut CodeBuffer,
        resolve: SymbolResolver<'_>,
        kind: &ItemKind,
        line: u32,
    ) {
        state.line = line;
        match kind {
            ItemKind::Align { align, max_skip, fill } => {
                let fill = fill.as_ref().and_then(|f| f.first().copied());
                buffer.align_with(*align, *max_skip, fill);
            }
            ItemKind::Branch { condition, target, force_long, mode: _ } => {
                let value = match state.evaluate(target) {
                    Ok(value) => value,
                    Err(message) => return state.error(message),
                };
                self.branch(state, buffer, resolve, *condition, value, *force_long);
            }
            _ => base::bug!("an item that needs layout in flowing inline asm"),
        }
    }

    fn branch(
        &mut self,
        state: &mut State,
        buffer: &mut CodeBuffer,
        resolve: SymbolResolver<'_>,
        condition: u8,
        value: Value,
        force_long: bool,
    ) {
        let label = value.add.and_then(|symbol| self.label_of(state, symbol));
        match (label, condition, value.number, force_long) {
            (Some(label), ALWAYS, 0, false) => buffer.jmp(label),
            (Some(label), cc, 0, false) => buffer.jcc(Cond::ALL[usize::from(cc)], label),
            (Some(label), cc, number, _) => {
                buffer.put_bytes(branch_opcode(cc, &mut [0; 2]));
                let field = buffer.offset();
                buffer.put_bytes(&[0; 4]);
                buffer.add_label_fixup(field, label, number as i32 - 4);
            }
            (None, cc, ..) => {
                buffer.put_bytes(branch_opcode(cc, &mut [0; 2]));
                let field = buffer.offset();
                buffer.put_bytes(&[0; 4]);
                self.relocation(state, buffer, resolve, field, 4, FieldKind::Branch, value);
            }
        }
    }

    fn text_field(&mut self, state: &mut State, buffer: &mut CodeBuffer, resolve: SymbolResolver<'_>, field: &Field) {
        state.line = field.line;
        let value = match state.evaluate(&field.value) {
            Ok(value) => value,
            Err(message) => return state.error(message),
        };
        let offset = buffer.offset();
        if let Some(number) = value.as_number().filter(|_| !is_relative(field.kind)) {
            buffer.put_bytes(&number.to_le_bytes()[..usize::from(field.width)]);
            return;
        }
        buffer.put_bytes(&[0; 8][..usize::from(field.width)]);
        let label = value.add.and_then(|symbol| self.label_of(state, symbol));
        let to_end = match field.kind {
            FieldKind::Relative { to_end, .. } => Some(i32::from(to_end)),
            FieldKind::Branch | FieldKind::Jump(_) => Some(i32::from(field.width)),
            _ => None,
        };
        match (label, to_end) {
            (Some(label), Some(to_end)) if field.width == 4 && value.modifier.is_none() => {
                buffer.add_label_fixup(offset, label, value.number as i32 - to_end);
            }
            _ => self.relocation(state, buffer, resolve, offset, field.width, field.kind, value),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn relocation(
        &mut self,
        state: &mut State,
        buffer: &mut CodeBuffer,
        resolve: SymbolResolver<'_>,
        offset: u32,
        width: u8,
        kind: FieldKind,
        value: Value,
    ) {
        let relative = match kind {
            FieldKind::Relative { to_end, .. } => Some(i64::from(to_end)),
            FieldKind::Branch | FieldKind::Jump(_) => Some(i64::from(width)),
            _ => None,
        };
        let symbol = match value.add {
            Some(symbol) => self.symbol_ref(state, buffer, resolve, symbol),
            None => return state.error("not supported: an absolute branch target in inline asm"),
        };
        match finish::relocation_kind(state, width, kind, &value, relative.is_some()) {
            Ok(kind) => buffer.add_reloc(offset, kind, symbol, value.number - relative.unwrap_or(0)),
            Err(message) => state.error(message),
        }
    }

    /// With a final layout: bytes as they are, references outward as relocations and label fields.
    fn frozen(&mut self, state: &mut State, buffer: &mut CodeBuffer, resolve: SymbolResolver<'_>) {
        self.make_labels(state, buffer);
        let mut finished = finish::finish_sections(state, 0);
        if !state.errors.is_empty() {
            return;
        }
        // Padding in the text is that after an aligned start.
        if let Some(align) = largest_alignment(state) {
            buffer.align_with(align, u32::MAX, None);
        }
        self.add_pieces(state, buffer, resolve, &finished);
        let text = std::mem::replace(&mut finished[0], FinishedSection { bytes: vec![], size: 0, relocs: vec![] });
        // Labels in ascending order, bytes between them.
        let mut marks: Vec<(u64, Label)> = self
            .labels
            .iter()
            .filter_map(|(&symbol, &label)| match layout::symbol_offset(state, symbol) {
                Some((0, offset)) => Some((offset, label)),
                _ => None,
            })
            .collect();
        marks.sort_by_key(|(offset, label)| (*offset, label.0));
        let start = buffer.offset();
        let mut at = 0;
        for (offset, label) in marks {
            buffer.put_bytes(&text.bytes[at..offset as usize]);
            at = offset as usize;
            self.bind(buffer, label);
        }
        buffer.put_bytes(&text.bytes[at..]);
        for reloc in &text.relocs {
            let offset = start + reloc.offset as u32;
            let label = reloc.symbol.and_then(|symbol| self.label_of(state, symbol));
            match (label, reloc.kind) {
                (Some(label), RelocKind::Pc32 | RelocKind::Plt32) => {
                    buffer.add_label_fixup(offset, label, reloc.addend as i32);
                }
                _ => match reloc.symbol {
                    Some(symbol) => {
                        let symbol = self.symbol_ref(state, buffer, resolve, symbol);
                        buffer.add_reloc(offset, reloc.kind, symbol, reloc.addend);
                    }
                    None => state.error("not supported: an absolute branch target in inline asm"),
                },
            }
        }
        self.relocate_pieces(state, buffer, resolve, finished);
        self.define_names(state, buffer, resolve);
    }

    /// Adds the contents of the other sections. From here on references can name places in them.
    fn add_pieces(
        &mut self,
        state: &State,
        buffer: &mut CodeBuffer,
        resolve: &mut dyn FnMut(&str) -> Option<SymbolRef>,
        finished: &[FinishedSection],
    ) {
        for (section, done) in finished.iter().enumerate().skip(1) {
            let data = &state.sections[section];
            let bytes = if done.bytes.is_empty() { vec![0; done.size as usize] } else { done.bytes.clone() };
            let begins = |name: &&str| {
                let symbol = state.names.get(*name);
                symbol.and_then(|&symbol| layout::symbol_offset(state, symbol)) == Some((section as u32, 0))
            };
            let guard = data.unless.as_deref().filter(begins);
            let unless = guard.map(|name| resolve(name).unwrap_or_else(|| buffer.named_symbol(name)));
            let (spec, align) = (data.spec.clone(), data.align);
            let piece = SectionPiece { section: spec, align, bytes, relocs: Vec::new(), unless };
            self.pieces[section] = Some(buffer.add_piece(piece));
        }
    }

    /// Adds the relocations of the other sections.
    fn relocate_pieces(
        &mut self,
        state: &mut State,
        buffer: &mut CodeBuffer,
        resolve: SymbolResolver<'_>,
        finished: Vec<FinishedSection>,
    ) {
        for (section, done) in finished.into_iter().enumerate().skip(1) {
            let mut relocs = Vec::with_capacity(done.relocs.len());
            for PendingReloc { offset, kind, symbol, addend } in done.relocs {
                let Some(symbol) = symbol else {
                    state.error("not supported: an absolute branch target in inline asm");
                    continue;
                };
                let symbol = self.symbol_ref(state, buffer, resolve, symbol);
                relocs.push(Reloc { offset: offset as u32, kind, symbol, addend });
            }
            if let Some(piece) = self.pieces[section] {
                buffer.set_piece_relocs(piece, relocs);
            }
        }
    }

    /// Places a label; unwind rules hold from their labels on.
    fn bind(&self, buffer: &mut CodeBuffer, label: Label) {
        buffer.bind(label);
        let here = self.rules.iter().filter(|(symbol, _)| self.labels.get(symbol) == Some(&label));
        for (_, rule) in here {
            buffer.cfi(rule.clone());
        }
    }

    /// Buffer labels for all symbols placed in the text.
    fn make_labels(&mut self, state: &State, buffer: &mut CodeBuffer) {
        for index in 0..state.symbols.len() {
            let symbol = Sym(index as u32);
            if let Definition::At(position) = *state.definition(symbol)
                && state.section_of(position) == 0
            {
                self.labels.insert(symbol, buffer.new_label());
            }
        }
    }

    /// The function's label that a symbol is, if it is one.
    fn label_of(&self, state: &State, symbol: Sym) -> Option<Label> {
        if let Some(&label) = self.labels.get(&symbol) {
            return Some(label);
        }
        let number = state.symbols[symbol.0 as usize].name.strip_prefix(CODE_LABEL_PREFIX)?;
        number.parse().ok().map(Label)
    }

    fn symbol_ref(
        &mut self,
        state: &mut State,
        buffer: &mut CodeBuffer,
        resolve: SymbolResolver<'_>,
        symbol: Sym,
    ) -> SymbolRef {
        if let Some(&known) = self.symbols.get(&symbol) {
            return known;
        }
        let found = if let Some(label) = self.label_of(state, symbol) {
            buffer.code_symbol(label)
        } else if let Definition::At(position) = *state.definition(symbol) {
            let section = state.section_of(position) as usize;
            let (Some(layout), Some(piece)) = (&state.layout, self.pieces[section]) else {
                base::bug!("a reference to a section of inline asm before its layout")
            };
            let offset = layout.offset(state, position);
            buffer.add_extra(ExtraSymbol::Piece { piece, offset: offset as u32 })
        } else {
            let Symbol { name, internal, .. } = &state.symbols[symbol.0 as usize];
            let number = name.get(..name.len().saturating_sub(1)).filter(|_| *internal);
            match (number.and_then(|number| number.parse().ok()), resolve(name)) {
                // Another statement defines it.
                (Some(number), _) => buffer.numbered_label(number, name.ends_with('f')),
                (None, Some(symbol)) => symbol,
                (None, None) => buffer.named_symbol(name),
            }
        };
        self.symbols.insert(symbol, found);
        found
    }

    /// Labels with names of their own are symbols of the object; other names may have been given
    /// properties.
    fn define_names(&mut self, state: &mut State, buffer: &mut CodeBuffer, resolve: SymbolResolver<'_>) {
        for (number, symbol) in state.numbered.clone() {
            let at = self.symbol_ref(state, buffer, resolve, symbol);
            buffer.define_numbered(number, at);
        }
        for index in 0..state.symbols.len() {
            let data = state.symbols[index].clone();
            let ours = data.name.starts_with(CODE_LABEL_PREFIX) || data.name.starts_with(SYMBOL_PREFIX);
            if data.internal || ours {
                continue;
            }
            let placed = match data.definition {
                Definition::At(_) => true,
                Definition::Undefined => false,
                // Numbers are for the text's own use.
                Definition::Equate(value) if value.number().is_some() => continue,
                Definition::Equate(_) | Definition::Common { .. } => {
                    state.error(format!("not supported: defining '{}' in inline asm other than as a label", data.name));
                    continue;
                }
            };
            let size = data.size.as_deref().map(|size| state.absolute(size));
            let size = match size.transpose() {
                Ok(size) => size.map(|size| size as u64),
                Err(message) => {
                    state.error(format!(".size of '{}': {message}", data.name));
                    None
                }
            };
            let visibility = (data.visibility != Visibility::Default).then_some(data.visibility);
            let kind = (data.kind != SymbolKind::NoType).then_some(data.kind);
            let binding = data.binding.filter(|b| *b != Binding::Local);
            if !placed && binding.is_none() && visibility.is_none() && kind.is_none() && size.is_none() {
                continue;
            }
            let at = placed.then(|| self.symbol_ref(state, buffer, resolve, Sym(index as u32)));
            let symbol = match resolve(&data.name) {
                Some(symbol) => symbol,
                None => buffer.named_symbol(&data.name),
            };
            buffer.define(CodeDefinition { symbol, at, binding, visibility, kind, size });
        }
    }
}

/// The largest alignment that is asked for in the text.
fn largest_alignment(state: &State) -> Option<u32> {
    let text = state.chunks.iter().filter(|chunk| chunk.section == 0);
    let aligns = text.flat_map(|chunk| &chunk.items).filter_map(|item| match item.kind {
        ItemKind::Align { align, .. } => Some(align),
        _ => None,
    });
    aligns.max()
}

/// Makes subsections other than 0 sections of their own: they follow the whole section, not this
/// text.
fn separate_subsections(state: &mut State) {
    for section in 0..state.sections.len() {
        let chunks = &state.chunks;
        let parts: Vec<u32> =
            state.sections[section].chunks.extract_if(.., |c| chunks[*c as usize].subsection != 0).collect();
        for chunk in parts {
            let AsmSection { spec, align, unless, .. } = &state.sections[section];
            let unless = unless.clone();
            let spec = SectionSpec { subsection: state.chunks[chunk as usize].subsection, ..spec.clone() };
            let align = *align;
            state.chunks[chunk as usize].section = state.sections.len() as u32;
            state.sections.push(AsmSection { spec, align, chunks: vec![chunk], unless });
        }
    }
}

fn is_relative(kind: FieldKind) -> bool {
    matches!(kind, FieldKind::Relative { .. } | FieldKind::Branch | FieldKind::Jump(_))
}

/// Opcode of a branch with a 32-bit displacement.
fn branch_opcode(condition: u8, bytes: &mut [u8; 2]) -> &[u8] {
    if condition == ALWAYS {
        bytes[0] = 0xe9;
        return &bytes[..1];
    }
    *bytes = [0x0f, 0x80 | condition];
    bytes
}
