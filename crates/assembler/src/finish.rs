//! The end of an assembly: values into fields, sections and symbols into the object.

use object::{
    Binding, CfiOp, ObjectBuilder, PlainName, RelocKind, SectionId, SymbolId, SymbolKind, Visibility,
    frames::{Frame, encode_cfi},
    function_code::CfiEntry,
    relax,
};

use crate::{
    directives::write_attributes,
    expression::{Expr, Modifier, Op, Sym, Value},
    instruction::ALWAYS,
    layout::{self, encode_leb},
    state::{
        ABSOLUTE, CfiFrame, Definition, Field, FieldKind, GivenReloc, GotRelax, ItemKind, JumpMode, Layout, Position,
        State,
    },
};

/// A relocation to be made: the field's offset in its section.
#[derive(Clone, Debug)]
pub(crate) struct PendingReloc {
    pub offset: u64,
    pub kind: RelocKind,
    /// `None`: an absolute address.
    pub symbol: Option<Sym>,
    pub addend: i64,
}

/// A section's bytes and relocations after layout.
pub(crate) struct FinishedSection {
    pub bytes: Vec<u8>,
    pub size: u64,
    pub relocs: Vec<PendingReloc>,
}

/// Lays everything out and fills in the sections from number `first` on. Problems are added to the
/// state's errors.
pub(crate) fn finish_sections(state: &mut State, first: usize) -> Vec<FinishedSection> {
    close_frames(state);
    name_sections(state);
    write_attributes(state);
    layout::run(state);
    let mut out = Vec::with_capacity(state.sections.len());
    for section in 0..state.sections.len() {
        let bytes = section_bytes(state, section as u32);
        let size = state.layout.as_ref().map_or(0, |l| l.size(section as u32));
        out.push(FinishedSection { bytes, size, relocs: Vec::new() });
    }
    for (section, done) in out.iter_mut().enumerate().skip(first) {
        for chunk in state.sections[section].chunks.clone() {
            finish_branches(state, chunk, done);
            for field in std::mem::take(&mut state.chunks[chunk as usize].fields) {
                finish_field(state, &field, done);
            }
        }
        given_relocations(state, section as u32, done);
        done.relocs.sort_by_key(|r| r.offset);
    }
    out
}

/// Adds the relocations that `.reloc` gives.
fn given_relocations(state: &mut State, section: u32, out: &mut FinishedSection) {
    let given: Vec<_> = state.relocations.iter().filter(|reloc| reloc.section == section).cloned().collect();
    for reloc in given {
        state.line = reloc.line;
        match given_relocation(state, &reloc, out.size) {
            Ok(pending) => out.relocs.push(pending),
            Err(message) => state.error(message),
        }
    }
}

fn given_relocation(state: &State, reloc: &GivenReloc, size: u64) -> Result<PendingReloc, String> {
    let at = state.evaluate(&reloc.offset)?;
    let base = match (at.add, at.sub) {
        (None, None) => 0,
        (Some(symbol), None) => match layout::symbol_offset(state, symbol) {
            Some((section, offset)) if section == reloc.section => offset as i64,
            _ => return Err("the offset of .reloc is in another section".into()),
        },
        _ => return Err("the offset of .reloc is not known".into()),
    };
    let offset = base.wrapping_add(at.number) as u64;
    if offset.checked_add(reloc.kind.size().into()).is_none_or(|end| end > size) {
        return Err("the offset of .reloc is outside of its section".into());
    }
    let value = reloc.value.as_ref().map(|value| state.evaluate(value)).transpose()?.unwrap_or_default();
    if value.sub.is_some() || value.modifier.is_some() {
        return Err("the value of .reloc is not a symbol and a number".into());
    }
    Ok(PendingReloc { offset, kind: reloc.kind, symbol: value.add, addend: value.number })
}

/// A name that nothing else defines and that a section has means the section's start.
fn name_sections(state: &mut State) {
    if state.is_statement {
        return;
    }
    for section in &state.sections {
        let Some(&symbol) = state.names.get(&*section.spec.name) else { continue };
        let data = &mut state.symbols[symbol.0 as usize];
        if data.definition == Definition::Undefined && data.binding.is_none() {
            let start = Position { chunk: section.chunks[0], items: 0, fixed: 0 };
            (data.definition, data.internal) = (Definition::At(start), true);
        }
    }
}

fn close_frames(state: &mut State) {
    if state.open_frame.is_some() {
        state.error("open CFI at the end of file; missing .cfi_endproc directive");
    }
}

fn section_bytes(state: &State, section: u32) -> Vec<u8> {
    let layout = state.layout.as_ref().expect("laid out");
    let data = &state.sections[section as usize];
    let code = data.spec.flags & object::sections::section_flags::EXECINSTR != 0;
    let mut out = Vec::new();
    if data.spec.kind == object::sections::section_type::NOBITS {
        return out;
    }
    out.reserve(layout.size(section) as usize);
    for &chunk in &data.chunks {
        let data = &state.chunks[chunk as usize];
        let mut at = 0;
        for (i, item) in data.items.iter().enumerate() {
            out.extend_from_slice(&data.bytes[at..item.fixed as usize]);
            at = item.fixed as usize;
            let (_, len) = layout.item(state, chunk, i);
            let start = out.len();
            out.resize(start + len as usize, 0);
            fill_item(state, &item.kind, &mut out[start..], code);
        }
        out.extend_from_slice(&data.bytes[at..]);
    }
    out
}

/// Contents of an item, but for branch targets.
fn fill_item(state: &State, kind: &ItemKind, out: &mut [u8], code: bool) {
    match kind {
        ItemKind::Branch { condition, .. } => match (out.len(), *condition) {
            (2, ALWAYS) => out[0] = 0xeb,
            (2, cc) => out[0] = 0x70 | cc,
            (_, ALWAYS) => out[0] = 0xe9,
            (_, cc) => {
                out[0] = 0x0f;
                out[1] = 0x80 | cc;
            }
        },
        // As in `as`, the code size at the end of the source decides.
        ItemKind::Align { fill: None, .. } if code && state.mode.is_16() => relax::fill_nops_16(out),
        ItemKind::Align { fill: None, .. } if code => relax::fill_nops(out),
        ItemKind::Align { fill: None, .. } => {}
        ItemKind::Align { fill: Some(pattern), .. } | ItemKind::Space { fill: pattern, .. } => {
            for (i, byte) in out.iter_mut().enumerate() {
                *byte = pattern[i % pattern.len()];
            }
        }
        ItemKind::Org { fill, .. } => out.fill(*fill),
        ItemKind::Leb { value, signed } => {
            let mut bytes = Vec::new();
            encode_leb(&mut bytes, state.absolute(value).unwrap_or(0), *signed);
            // Padded to the length that layout resolved on.
            while bytes.len() < out.len() {
                let last = bytes.len() - 1;
                let sign = if *signed && bytes[last] & 0x40 != 0 { 0x7f } else { 0 };
                bytes[last] |= 0x80;
                bytes.push(sign);
            }
            let len = out.len().min(bytes.len());
            out[..len].copy_from_slice(&bytes[..len]);
        }
    }
}

fn finish_branches(state: &mut State, chunk: u32, out: &mut FinishedSection) {
    for i in 0..state.chunks[chunk as usize].items.len() {
        let item = &state.chunks[chunk as usize].items[i];
        let ItemKind::Branch { target, mode, .. } = &item.kind else { continue };
        let (target, line, mode) = (target.clone(), item.line, *mode);
        let (start, len) = state.layout.as_ref().expect("laid out").item(state, chunk, i);
        let width = match (len, mode) {
            (..=2, _) => 1,
            (_, JumpMode::Code16) => 2,
            _ => 4,
        };
        let offset = start + len - width;
        state.line = line;
        fill_field(state, chunk, offset, width as u8, FieldKind::Jump(mode), &target, out);
    }
}

fn finish_field(state: &mut State, field: &Field, out: &mut FinishedSection) {
    state.line = field.line;
    state.file = field.file.clone();
    let offset = state.layout.as_ref().expect("laid out").offset(state, field.at);
    fill_field(state, field.at.chunk, offset, field.width, field.kind, &field.value, out);
}

fn fill_field(
    state: &mut State,
    chunk: u32,
    offset: u64,
    width: u8,
    kind: FieldKind,
    expr: &Expr,
    out: &mut FinishedSection,
) {
    let section = state.chunks[chunk as usize].section;
    let result = match state.evaluate(expr) {
        Ok(value) => {
            let value = equated_constant(state, expr).unwrap_or(value);
            resolve_field(state, section, offset, width, kind, value, out)
        }
        Err(message) => Err(message),
    };
    if let Err(message) = result {
        state.error(message);
    }
}

/// A reference through an equated name into a mergeable section keeps the name, as in `as`: with an
/// offset from another symbol the linker would have to guess which entry is meant.
fn equated_constant(state: &State, expr: &Expr) -> Option<Value> {
    let (symbol, modifier, number) = match expr {
        Expr::Symbol(symbol, modifier) => (*symbol, *modifier, 0),
        Expr::Binary(Op::Add, left, right) => match (&**left, &**right) {
            (Expr::Symbol(symbol, modifier), Expr::Number(number)) => (*symbol, *modifier, *number),
            _ => return None,
        },
        _ => return None,
    };
    if !matches!(state.definition(symbol), Definition::Equate(_)) {
        return None;
    }
    let (section, _) = layout::symbol_offset(state, symbol)?;
    let mergeable = state.sections[section as usize].spec.flags & object::sections::section_flags::MERGE != 0;
    mergeable.then_some(Value { add: Some(symbol), sub: None, number, modifier })
}

/// Fills a field in, or makes a relocation for it.
fn resolve_field(
    state: &State,
    section: u32,
    offset: u64,
    width: u8,
    kind: FieldKind,
    mut value: Value,
    out: &mut FinishedSection,
) -> Result<(), String> {
    let relative = match kind {
        FieldKind::Relative { to_end, .. } => Some(i64::from(to_end)),
        FieldKind::Branch | FieldKind::Jump(_) => Some(i64::from(width)),
        _ => None,
    };
    let mut pc_relative = relative.is_some();
    let mut addend = value.number - relative.unwrap_or(0);
    if let Some(sub) = value.sub {
        // a - b with b in this section: relative to the field.
        let known = layout::symbol_offset(state, sub).filter(|&(s, _)| s == section);
        let Some((_, at)) = known.filter(|_| value.add.is_some() && !pc_relative) else {
            return Err(format!("can't resolve {} - {}", symbol_text(state, value.add), symbol_text(state, Some(sub))));
        };
        addend = addend.wrapping_add(offset as i64 - at as i64);
        pc_relative = true;
        value.sub = None;
    }
    let Some(symbol) = value.add else {
        if pc_relative {
            let plain = FieldKind::Relative { to_end: width, relax: GotRelax::No };
            let kind = relocation_kind(state, width, plain, &Value::default(), true)?;
            out.relocs.push(PendingReloc { offset, kind, symbol: None, addend });
            return Ok(());
        }
        return write_number(out, offset, width, kind, value.number);
    };
    let data = &state.symbols[symbol.0 as usize];
    if data.internal && data.definition == Definition::Undefined && !state.is_statement {
        return Err(format!("local label \"{}\" is not defined", data.name));
    }
    // Distances inside the section are known, unless the symbol may be replaced.
    let replaceable = match kind {
        FieldKind::Jump(_) if value.modifier.is_none() => state.keeps_jumps(symbol),
        _ => state.is_external(symbol) || is_ifunc(state, symbol),
    };
    if pc_relative
        && !replaceable
        && value.modifier.is_none_or(|m| m == Modifier::Plt)
        && let Some((target, at)) = layout::symbol_offset(state, symbol)
        && target == section
    {
        let distance = (at as i64).wrapping_add(addend).wrapping_sub(offset as i64);
        // Jumps of 16-bit code wrap around in their segment.
        let distance = if width == 2 { i64::from(distance as i16) } else { distance };
        return write_number(out, offset, width, FieldKind::Signed, distance);
    }
    let mut kind = relocation_kind(state, width, kind, &value, pc_relative)?;
    // A difference to this place may name the GOT.
    if kind == RelocKind::Pc64 && width == 8 && is_got(state, symbol) {
        kind = RelocKind::GotPc64;
    }
    out.relocs.push(PendingReloc { offset, kind, symbol: Some(symbol), addend });
    Ok(())
}

fn is_ifunc(state: &State, symbol: Sym) -> bool {
    state.symbols[symbol.0 as usize].kind == SymbolKind::IFunc
}

fn is_got(state: &State, symbol: Sym) -> bool {
    &*state.symbols[symbol.0 as usize].name == "_GLOBAL_OFFSET_TABLE_"
}

fn symbol_text(state: &State, symbol: Option<Sym>) -> String {
    match symbol.map(|s| &*state.symbols[s.0 as usize].name) {
        Some("") | None => "label".into(),
        Some(name) => format!("'{name}'"),
    }
}

fn write_number(out: &mut FinishedSection, offset: u64, width: u8, kind: FieldKind, value: i64) -> Result<(), String> {
    let bits = u32::from(width) * 8;
    if bits < 64 {
        let signed = value >> (bits - 1) == 0 || value >> (bits - 1) == -1;
        let unsigned = value >> bits == 0;
        let fits = signed || (kind == FieldKind::Plain && unsigned);
        if !fits {
            return Err(format!("value {value:#x} does not fit in {width} bytes"));
        }
    }
    let at = offset as usize;
    match out.bytes.get_mut(at..at + usize::from(width)) {
        Some(field) => {
            field.copy_from_slice(&value.to_le_bytes()[..usize::from(width)]);
            Ok(())
        }
        None => Err("a value in a section without contents".into()),
    }
}

/// The relocation for a field (psABI table 4.9 and the assembler's modifiers).
pub(crate) fn relocation_kind(
    state: &State,
    width: u8,
    kind: FieldKind,
    value: &Value,
    pc_relative: bool,
) -> Result<RelocKind, String> {
    use RelocKind as R;
    let got = value.add.is_some_and(|s| is_got(state, s));
    // What is not the start of a function is not in the PLT.
    let plt = matches!(kind, FieldKind::Branch | FieldKind::Jump(JumpMode::Code64)) && value.number == 0;
    let Some(modifier) = value.modifier else {
        return Ok(match (width, pc_relative) {
            (4, true) if got => R::GotPc32,
            (4, true) if plt => R::Plt32,
            (4, true) => R::Pc32,
            (8, true) => R::Pc64,
            (2, true) => R::Pc16,
            (1, true) => R::Pc8,
            (8, false) if got => R::GotPc64,
            (8, false) => R::Abs64,
            (4, false) if got => R::GotPc32,
            (4, false) if kind == FieldKind::Signed => R::Abs32S,
            (4, false) => R::Abs32,
            (2, false) => R::Abs16,
            (1, false) => R::Abs8,
            _ => return Err(format!("no relocation for a field of {width} bytes")),
        });
    };
    let relax = match kind {
        FieldKind::Relative { relax, .. } => relax,
        _ => GotRelax::No,
    };
    Ok(match (modifier, width) {
        (Modifier::Plt, 4) => R::Plt32,
        (Modifier::GotPcRel, 4) => match relax {
            GotRelax::No => R::GotPcRel,
            GotRelax::Plain => R::GotPcRelX,
            GotRelax::Rex => R::RexGotPcRelX,
        },
        (Modifier::GotPcRelNoRelax, 4) => R::GotPcRel,
        (Modifier::GotPcRel, 8) => R::GotPcRel64,
        (Modifier::Got, 4) => R::Got32,
        (Modifier::Got, 8) => R::Got64,
        (Modifier::GotOff, 8) => R::GotOff64,
        (Modifier::GotPlt, 8) => R::GotPlt64,
        (Modifier::PltOff, 8) => R::PltOff64,
        (Modifier::TlsGd, 4) => R::TlsGd,
        (Modifier::TlsLd, 4) => R::TlsLd,
        (Modifier::TlsDesc, 4) => R::GotPc32TlsDesc,
        (Modifier::TlsCall, _) => R::TlsDescCall,
        (Modifier::DtpMod, 8) => R::DtpMod64,
        (Modifier::DtpOff, 4) => R::DtpOff32,
        (Modifier::DtpOff, 8) => R::DtpOff64,
        (Modifier::TpOff, 4) => R::TpOff32,
        (Modifier::TpOff, 8) => R::TpOff64,
        (Modifier::GotTpOff, 4) => R::GotTpOff,
        (Modifier::Size, 4) => R::Size32,
        (Modifier::Size, 8) => R::Size64,
        (modifier, _) => return Err(format!("modifier @{modifier:?} is not possible in a field of {width} bytes")),
    })
}

// ---- into an object ----

/// Moves everything into `object`. Symbols of the same name are the same symbol.
pub(crate) fn into_object(state: &mut State, object: &mut ObjectBuilder) -> Result<(), String> {
    let finished = finish_sections(state, 0);
    if !state.errors.is_empty() {
        return Ok(());
    }
    let mut placed: Vec<(SectionId, u64)> = Vec::new();
    for (section, done) in state.sections.iter().zip(&finished) {
        if *section.spec.name == *ABSOLUTE {
            // No label refers to it.
            placed.push((object.text(), 0));
            continue;
        }
        let id = object.section(&section.spec);
        let align = u64::from(section.align);
        let at = if object.section_data(id).is_zero_filled() {
            object.append_zeros(id, align, done.size)
        } else if done.bytes.is_empty() {
            // An empty section changes nothing but its own alignment.
            object.set_align(id, align);
            object.section_data(id).size()
        } else {
            object.append(id, align, &done.bytes)
        };
        placed.push((id, at));
    }
    let symbols = place_symbols(state, object, &placed);
    for (section, done) in finished.iter().enumerate() {
        let (id, base) = placed[section];
        for reloc in &done.relocs {
            let (symbol, delta) = relocation_symbol(state, object, &symbols, &placed, reloc.symbol);
            object.add_relocation(id, base + reloc.offset, reloc.kind, symbol, reloc.addend + delta);
        }
    }
    crate::lines::write(state, object, &placed);
    let layout = state.layout.take().expect("laid out");
    for frame in std::mem::take(&mut state.frames) {
        add_frame(state, object, &layout, &symbols, &placed, &frame)?;
    }
    Ok(())
}

fn relocation_symbol(
    state: &State,
    object: &mut ObjectBuilder,
    symbols: &[Option<SymbolId>],
    placed: &[(SectionId, u64)],
    symbol: Option<Sym>,
) -> (SymbolId, i64) {
    let Some(symbol) = symbol else {
        let absolute = object.add_private_symbol("", SymbolKind::NoType);
        object.symbol_mut(absolute).place = object::Place::Absolute(0);
        return (absolute, 0);
    };
    if let Some(id) = symbols[symbol.0 as usize] {
        return (id, 0);
    }
    // A position without a name.
    match layout::symbol_offset(state, symbol) {
        Some((section, offset)) => {
            let (id, base) = placed[section as usize];
            (object.section_symbol(id), (base + offset) as i64)
        }
        None => base::bug!("an internal label without a position reached the object"),
    }
}

/// The object's symbol for each symbol that has a name.
fn place_symbols(state: &mut State, object: &mut ObjectBuilder, placed: &[(SectionId, u64)]) -> Vec<Option<SymbolId>> {
    let ids: Vec<Option<SymbolId>> =
        state.symbols.iter().map(|symbol| (!symbol.internal).then(|| object_symbol(object, symbol))).collect();
    for (index, id) in ids.iter().enumerate() {
        if let Some(id) = *id {
            define_symbol(state, object, placed, &ids, Sym(index as u32), id);
        }
    }
    ids
}

fn object_symbol(object: &mut ObjectBuilder, symbol: &crate::state::Symbol) -> SymbolId {
    let defined = symbol.definition != Definition::Undefined;
    let existing = object.find_symbol(&symbol.name);
    let id = match existing {
        Some(id) => id,
        _ => {
            let binding = match symbol.binding {
                Some(binding) => binding,
                None if defined => Binding::Local,
                None => Binding::Global,
            };
            object.add_symbol(&symbol.name, binding, symbol.visibility, symbol.kind)
        }
    };
    if let Some(binding) = symbol.binding {
        object.bind(id, binding);
        // `.weak x` and `.globl x` alone keep an undefined symbol only if it is used; binutils
        // drops it too.
    }
    let entry = object.symbol_mut(id);
    if symbol.visibility != Visibility::Default {
        entry.visibility = symbol.visibility;
    }
    if symbol.kind != SymbolKind::NoType {
        entry.kind = symbol.kind;
    }
    id
}

fn define_symbol(
    state: &mut State,
    object: &mut ObjectBuilder,
    placed: &[(SectionId, u64)],
    ids: &[Option<SymbolId>],
    symbol: Sym,
    id: SymbolId,
) {
    let data = state.symbols[symbol.0 as usize].clone();
    let size = match data.size.as_deref().map(|expr| state.absolute(expr)) {
        Some(Ok(size)) => size as u64,
        Some(Err(message)) => {
            let message = format!(".size expression for {} does not evaluate to a constant: {message}", data.name);
            if state.size_warnings {
                state.warn(message)
            } else {
                state.error(message)
            }
            0
        }
        None => 0,
    };
    match data.definition {
        Definition::Undefined => return add_symbol_versions(object, id, &data.versions, data.plain_name),
        Definition::At(position) => {
            let layout = state.layout.as_ref().expect("laid out");
            let (section, base) = placed[state.section_of(position) as usize];
            object.define_once(id, section, base + layout.offset(state, position));
            object.symbol_mut(id).size = size;
            if object.section_data(section).spec.flags & object::sections::section_flags::TLS != 0
                && object.symbol(id).kind != SymbolKind::Section
            {
                object.symbol_mut(id).kind = SymbolKind::Tls;
            }
        }
        Definition::Common { size, align, local, large } => {
            if local {
                let bss = object.bss();
                let at = object.append_zeros(bss, u64::from(align), size);
                object.define(id, bss, at, size);
                object.symbol_mut(id).kind = SymbolKind::Object;
            } else {
                object.define_common(id, size, align);
                object.symbol_mut(id).place = object::Place::Common { align, large };
                object.symbol_mut(id).kind =
                    if data.kind == SymbolKind::Tls { SymbolKind::Tls } else { SymbolKind::Object };
            }
        }
        Definition::Equate(expr) => define_equate(state, object, placed, ids, id, &data.name, &expr, size),
    }
    object.note_asm_symbol(id);
    add_symbol_versions(object, id, &data.versions, data.plain_name);
}

fn add_symbol_versions(object: &mut ObjectBuilder, id: SymbolId, versions: &[Box<str>], plain_name: PlainName) {
    for version in versions {
        object.add_version(id, version, plain_name);
    }
}

#[allow(clippy::too_many_arguments)]
fn define_equate(
    state: &mut State,
    object: &mut ObjectBuilder,
    placed: &[(SectionId, u64)],
    ids: &[Option<SymbolId>],
    id: SymbolId,
    name: &str,
    expr: &Expr,
    size: u64,
) {
    let value = match state.evaluate(expr) {
        Ok(value) if value.sub.is_none() => value,
        Ok(_) => return state.error(format!("value of '{name}' is a difference that is not known")),
        Err(message) => return state.error(format!("value of '{name}': {message}")),
    };
    match value.add {
        None => object.symbol_mut(id).place = object::Place::Absolute(value.number as u64),
        Some(target) => match (ids[target.0 as usize], layout::symbol_offset(state, target)) {
            (Some(target), None) => {
                object.define_alias(id, target, value.number);
                object.symbol_mut(id).size = size;
            }
            (target, Some((section, offset))) => {
                let (section, base) = placed[section as usize];
                let at = (base + offset).wrapping_add_signed(value.number);
                // Another name has the other's type and size unless it has its own.
                let target_size = value.add.and_then(|target| state.symbols[target.0 as usize].size.as_deref());
                let target_size = target_size.and_then(|size| state.absolute(size).ok()).unwrap_or(0);
                object.define(id, section, at, if size == 0 { target_size as u64 } else { size });
                if let Some(target) = target {
                    let kind = object.symbol(target).kind;
                    if object.symbol(id).kind == SymbolKind::NoType && kind != SymbolKind::Section {
                        object.symbol_mut(id).kind = kind;
                    }
                }
            }
            (None, None) => state.error(format!("value of '{name}' is not known")),
        },
    }
}

fn add_frame(
    state: &mut State,
    object: &mut ObjectBuilder,
    layout: &Layout,
    symbols: &[Option<SymbolId>],
    placed: &[(SectionId, u64)],
    frame: &CfiFrame,
) -> Result<(), String> {
    let section = state.section_of(frame.start);
    let (id, base) = placed[section as usize];
    let start = layout.offset(state, frame.start);
    let end = frame.end.map_or(start, |end| layout.offset(state, end));
    let mut out = Frame::new(id, base + start, end.saturating_sub(start));
    let rules: Vec<CfiEntry> = frame
        .rules
        .iter()
        .map(|(at, op)| CfiEntry { offset: (layout.offset(state, *at) - start) as u32, op: op.clone() })
        .collect();
    // Rules at the start are the CIE's, up to what belongs to one function.
    let stays =
        |op: &CfiOp| matches!(op, CfiOp::RememberState | CfiOp::RestoreState | CfiOp::ArgsSize(_) | CfiOp::Escape(_));
    let first = rules.iter().position(|rule| rule.offset != 0 || stays(&rule.op)).unwrap_or(rules.len());
    out.initial = encode_cfi(&rules[..first], 0);
    out.instructions = encode_cfi(&rules[first..], 0);
    (out.in_eh_frame, out.in_debug_frame) = frame.sections;
    out.signal = frame.signal;
    out.simple = frame.simple;
    out.return_column = frame.return_column;
    if let Some((encoding, symbol)) = frame.personality {
        out.personality = symbols[symbol.0 as usize].map(|id| (encoding, id));
    }
    if let Some((encoding, expr)) = &frame.lsda {
        let value = state.evaluate(expr)?;
        if let Some(symbol) = value.add {
            let id = symbols[symbol.0 as usize].ok_or("bad .cfi_lsda")?;
            out.lsda = Some((*encoding, id, value.number));
        }
    }
    object.add_frame(out);
    Ok(())
}
