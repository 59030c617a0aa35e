//! Directives of GNU `as` for data, sections, symbols and files (conditionals and macros are in the statement loop).

use object::{
    Binding, SectionSpec, SymbolKind, Visibility,
    sections::{section_flags, section_type},
};

use crate::{
    assembler::Assembler,
    cfi,
    expression::{self, Expr, Value},
    instruction::Syntax,
    state::{Definition, FieldKind, ItemKind},
    text::Cursor,
};

/// The largest `.incbin` or `.fill` done at once.
const MAX_BYTES: i64 = 1 << 32;

/// Handles a directive.
pub(crate) fn handle(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
    match name {
        ".byte" | ".1byte" | ".dc.b" => data(assembler, cursor, 1),
        ".word" | ".short" | ".hword" | ".value" | ".2byte" | ".dc.w" | ".dc" => data(assembler, cursor, 2),
        ".long" | ".int" | ".4byte" | ".dc.l" => data(assembler, cursor, 4),
        ".quad" | ".8byte" | ".dc.a" => data(assembler, cursor, 8),
        ".octa" => octa(assembler, cursor),
        ".float" | ".single" | ".dc.s" => floats(assembler, cursor, 4),
        ".double" | ".dc.d" => floats(assembler, cursor, 8),
        ".ascii" => strings(assembler, cursor, 1, false),
        ".asciz" | ".string" | ".string8" => strings(assembler, cursor, 1, true),
        ".string16" => strings(assembler, cursor, 2, true),
        ".string32" => strings(assembler, cursor, 4, true),
        ".string64" => strings(assembler, cursor, 8, true),
        ".uleb128" => leb128(assembler, cursor, false),
        ".sleb128" => leb128(assembler, cursor, true),
        ".zero" | ".skip" | ".space" => space(assembler, cursor),
        ".fill" => fill(assembler, cursor),
        ".nop" => {
            assembler.state.emit(&[0x90]);
            Ok(())
        }
        ".nops" => nops(assembler, cursor),
        ".align" | ".balign" | ".balignw" | ".balignl" => align(assembler, name, cursor, false),
        ".p2align" | ".p2alignw" | ".p2alignl" => align(assembler, name, cursor, true),
        ".org" => org(assembler, cursor),
        ".incbin" => incbin(assembler, cursor),
        ".include" => include(assembler, cursor),
        _ if name.starts_with(".cfi_") => cfi::handle(assembler, name, cursor),
        _ => section_or_symbol(assembler, name, cursor),
    }
}

fn section_or_symbol(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
    match name {
        ".text" => named_section(assembler, SectionSpec::text(".text"), cursor),
        ".data" => named_section(assembler, SectionSpec::data(".data"), cursor),
        ".bss" => named_section(assembler, SectionSpec::bss(".bss"), cursor),
        ".section" | ".sect" | ".pushsection" => section(assembler, cursor, name == ".pushsection"),
        ".popsection" => {
            let (current, previous) = assembler.state.stack.pop().ok_or(".popsection without a .pushsection")?;
            (assembler.state.current, assembler.state.previous) = (current, previous);
            Ok(())
        }
        ".previous" => {
            let previous = assembler.state.previous;
            assembler.state.switch_to(previous);
            Ok(())
        }
        ".subsection" => {
            let number = number(assembler, cursor)?;
            let section = assembler.state.chunks[assembler.state.current as usize].section;
            let chunk = assembler.state.chunk_of(section, number);
            assembler.state.switch_to(chunk);
            Ok(())
        }
        ".globl" | ".global" => bind(assembler, cursor, Binding::Global),
        ".weak" => bind(assembler, cursor, Binding::Weak),
        ".local" => bind(assembler, cursor, Binding::Local),
        ".hidden" => visibility(assembler, cursor, Visibility::Hidden),
        ".internal" => visibility(assembler, cursor, Visibility::Internal),
        ".protected" => visibility(assembler, cursor, Visibility::Protected),
        ".set" | ".equ" | ".equiv" | ".eqv" => {
            let symbol = cursor.name().ok_or("expected a symbol name")?;
            expect(cursor, b',')?;
            assembler.assign(symbol, cursor, matches!(name, ".equiv" | ".eqv"))
        }
        ".type" => symbol_type(assembler, cursor),
        ".size" => symbol_size(assembler, cursor),
        ".comm" | ".common" => common(assembler, cursor, false),
        ".lcomm" => common(assembler, cursor, true),
        ".symver" => symver(assembler, cursor),
        ".weakref" => weakref(assembler, cursor),
        ".intel_syntax" => {
            let naked_registers = !cursor.rest().trim().eq_ignore_ascii_case("prefix");
            assembler.syntax = Syntax::Intel { naked_registers };
            Ok(())
        }
        ".att_syntax" => {
            assembler.state.naked_att = cursor.rest().trim().eq_ignore_ascii_case("noprefix");
            assembler.syntax = Syntax::Att;
            Ok(())
        }
        ".ident" => ident(assembler, cursor),
        ".file" => crate::lines::file(assembler, cursor),
        ".loc" => crate::lines::location(assembler, cursor),
        ".loc_mark_labels"
        | ".addrsig"
        | ".addrsig_sym"
        | ".arch"
        | ".code64"
        | ".version"
        | ".title"
        | ".sbttl"
        | ".list"
        | ".nolist"
        | ".psize"
        | ".eject"
        | ".optim"
        | ".allow_index_reg"
        | ".disallow_index_reg"
        | ".gnu_attribute"
        | ".func"
        | ".endfunc"
        | ".ln"
        | ".line"
        | ".stabs"
        | ".stabn"
        | ".stabd"
        | ".desc"
        | ".def"
        | ".endef"
        | ".noopt" => Ok(()),
        ".code32" | ".code16" | ".code16gcc" => Err(format!("not supported: {name}")),
        ".error" | ".err" => {
            let text = cursor.string().map_or(".error directive invoked in source file".into(), |bytes| {
                String::from_utf8_lossy(&bytes).into_owned()
            });
            Err(text)
        }
        ".abort" => Err(".abort detected".into()),
        ".warning" | ".print" => Ok(()),
        ".fail" => Err(format!(".fail {} encountered", cursor.rest())),
        ".end" => {
            assembler.ended = true;
            Ok(())
        }
        _ => Err(format!("unknown pseudo-op: '{name}'")),
    }
}

// ---- small parts ----

fn expect(cursor: &mut Cursor<'_>, byte: u8) -> Result<(), String> {
    if cursor.eat(byte) { Ok(()) } else { Err(format!("expected '{}' before '{}'", byte as char, cursor.rest())) }
}

fn finish(cursor: &mut Cursor<'_>) -> Result<(), String> {
    if cursor.at_end() { Ok(()) } else { Err(format!("junk at end of line: '{}'", cursor.rest())) }
}

fn expr(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<Expr, String> {
    expression::parse(&mut assembler.state, cursor)
}

/// A number known now.
pub(crate) fn number(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<i64, String> {
    let value = expr(assembler, cursor)?;
    assembler.state.absolute(&value)
}

/// A number after a comma, if there is one.
fn optional_number(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<Option<i64>, String> {
    if !cursor.eat(b',') || matches!(cursor.peek_token(), b',' | 0) {
        return Ok(None);
    }
    number(assembler, cursor).map(Some)
}

// ---- data ----

fn data(assembler: &mut Assembler, cursor: &mut Cursor<'_>, width: u8) -> Result<(), String> {
    if cursor.at_end() {
        return Ok(());
    }
    loop {
        // `.byte "ab"` is not as's, but an empty element is a zero.
        if cursor.peek_token() == b',' {
            assembler.state.emit_zeros(u64::from(width));
        } else {
            let value = expr(assembler, cursor)?;
            emit_value(assembler, width, value)?;
        }
        if !cursor.eat(b',') {
            break;
        }
        // `.` moves on with every element.
        assembler.state.statement_start = None;
    }
    finish(cursor)
}

fn emit_value(assembler: &mut Assembler, width: u8, value: Expr) -> Result<(), String> {
    match assembler.state.evaluate(&value) {
        Ok(Value { add: None, sub: None, number, modifier: None }) => {
            // A value too large is truncated; `as` only warns, too.
            assembler.state.emit(&number.to_le_bytes()[..usize::from(width)]);
        }
        _ => assembler.state.emit_field(width, FieldKind::Plain, value),
    }
    Ok(())
}

fn octa(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    loop {
        let bytes = match expr(assembler, cursor)? {
            Expr::Big(value) => value.to_le_bytes(),
            other => {
                let number = assembler.state.absolute(&other)?;
                // A number written without a sign is not negative, however large.
                let negative = matches!(other, Expr::Number(n) if n < 0) && cursor.text.contains('-');
                if negative { i128::from(number).to_le_bytes() } else { u128::from(number as u64).to_le_bytes() }
            }
        };
        assembler.state.emit(&bytes);
        if !cursor.eat(b',') {
            return finish(cursor);
        }
    }
}

fn floats(assembler: &mut Assembler, cursor: &mut Cursor<'_>, width: usize) -> Result<(), String> {
    loop {
        let text = cursor.until(b",");
        // `0f1.5`, `0d1.5`: radix prefixes of old.
        let plain = text
            .strip_prefix("0f")
            .or_else(|| text.strip_prefix("0F"))
            .or_else(|| text.strip_prefix("0d"))
            .or_else(|| text.strip_prefix("0D"))
            .unwrap_or(text);
        let bad = || format!("bad floating point number '{text}'");
        if width == 4 {
            let value: f32 = plain.parse().map_err(|_| bad())?;
            assembler.state.emit(&value.to_le_bytes());
        } else {
            let value: f64 = plain.parse().map_err(|_| bad())?;
            assembler.state.emit(&value.to_le_bytes());
        }
        if !cursor.eat(b',') {
            return finish(cursor);
        }
    }
}

fn strings(assembler: &mut Assembler, cursor: &mut Cursor<'_>, width: usize, zero: bool) -> Result<(), String> {
    if cursor.at_end() {
        return Ok(());
    }
    loop {
        if cursor.peek_token() != b'"' {
            return Err(format!("expected a string before '{}'", cursor.rest()));
        }
        // Strings that follow each other without a comma are one.
        let mut bytes = Vec::new();
        while cursor.peek_token() == b'"' {
            bytes.extend(cursor.string().ok_or("unterminated string")?);
        }
        for byte in bytes.into_iter().chain(zero.then_some(0)) {
            let mut wide = [0; 8];
            wide[0] = byte;
            assembler.state.emit(&wide[..width]);
        }
        if !cursor.eat(b',') {
            return finish(cursor);
        }
    }
}

fn leb128(assembler: &mut Assembler, cursor: &mut Cursor<'_>, signed: bool) -> Result<(), String> {
    loop {
        let value = expr(assembler, cursor)?;
        match assembler.state.absolute(&value) {
            Ok(number) => {
                let mut bytes = Vec::new();
                crate::layout::encode_leb(&mut bytes, number, signed);
                assembler.state.emit(&bytes);
            }
            Err(_) => assembler.state.emit_item(ItemKind::Leb { value, signed }),
        }
        if !cursor.eat(b',') {
            return finish(cursor);
        }
    }
}

fn space(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let count = expr(assembler, cursor)?;
    let fill = optional_number(assembler, cursor)?.unwrap_or(0) as u8;
    finish(cursor)?;
    emit_space(assembler, count, 1, vec![fill])
}

fn fill(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let count = expr(assembler, cursor)?;
    let size = optional_number(assembler, cursor)?.unwrap_or(1);
    let value = optional_number(assembler, cursor)?.unwrap_or(0);
    finish(cursor)?;
    if size <= 0 {
        return Ok(());
    }
    // Only four bytes of the value are used, the rest is zero; sizes above eight count as eight.
    let size = size.min(8) as usize;
    let mut pattern = [0; 8];
    pattern[..4].copy_from_slice(&(value as u32).to_le_bytes());
    emit_space(assembler, count, size as u32, pattern[..size].to_vec())
}

fn emit_space(assembler: &mut Assembler, count: Expr, unit: u32, fill: Vec<u8>) -> Result<(), String> {
    let Ok(number) = assembler.state.absolute(&count) else {
        assembler.state.emit_item(ItemKind::Space { count, unit, fill });
        return Ok(());
    };
    let number = number.max(0);
    if number.saturating_mul(i64::from(unit)) > MAX_BYTES {
        return Err(format!("space of {number} units is too large"));
    }
    if fill.iter().all(|&b| b == 0) {
        assembler.state.emit_zeros(number as u64 * u64::from(unit));
    } else {
        assembler.state.emit(&fill.repeat(number as usize));
    }
    Ok(())
}

fn nops(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let count = number(assembler, cursor)?;
    let largest = optional_number(assembler, cursor)?.unwrap_or(0);
    finish(cursor)?;
    if !(0..MAX_BYTES).contains(&count) {
        return Err(format!("bad number of no-op bytes {count}"));
    }
    let mut left = count as usize;
    let limit = if (1..=11).contains(&largest) { largest as usize } else { 11 };
    while left > 0 {
        let len = left.min(limit);
        let mut bytes = vec![0; len];
        object::fill_nops(&mut bytes);
        assembler.state.emit(&bytes);
        left -= len;
    }
    Ok(())
}

fn align(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>, power: bool) -> Result<(), String> {
    let amount = if cursor.at_end() { 0 } else { number(assembler, cursor)? };
    let fill = optional_number(assembler, cursor)?;
    let max_skip = optional_number(assembler, cursor)?;
    finish(cursor)?;
    let align = match (power, amount) {
        (true, 0..=31) => 1u32 << amount,
        (false, 0) => 1,
        (false, amount) if amount > 0 && amount < MAX_BYTES && (amount as u64).is_power_of_two() => amount as u32,
        _ => return Err(format!("alignment {amount} is not a power of 2 (or too large)")),
    };
    let unit = match name.as_bytes()[name.len() - 1] {
        b'w' => 2,
        b'l' => 4,
        _ => 1,
    };
    let max_skip = max_skip.filter(|&n| n > 0).map_or(u32::MAX, |n| n as u32);
    // In code the default padding is no-ops; a fill of 0x90 asks for single ones.
    let fill = fill.map(|value| value.to_le_bytes()[..unit].to_vec());
    assembler.state.current_section().align = assembler.state.current_section().align.max(align);
    if align == 1 {
        return Ok(());
    }
    assembler.state.emit_item(ItemKind::Align { align, max_skip, fill });
    Ok(())
}

fn org(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let target = expr(assembler, cursor)?;
    let fill = optional_number(assembler, cursor)?.unwrap_or(0) as u8;
    finish(cursor)?;
    assembler.state.emit_item(ItemKind::Org { target, fill });
    Ok(())
}

fn file_name(cursor: &mut Cursor<'_>) -> Result<String, String> {
    let bytes = cursor.string().ok_or("expected a file name")?;
    String::from_utf8(bytes).map_err(|_| "file name is not UTF-8".to_string())
}

/// Reads a file named in the source, looked for in the include directories too.
fn read_file(assembler: &Assembler, name: &str) -> Result<Vec<u8>, String> {
    let mut error = match std::fs::read(name) {
        Ok(bytes) => return Ok(bytes),
        Err(error) => error,
    };
    for dir in &assembler.include_dirs {
        match std::fs::read(dir.join(name)) {
            Ok(bytes) => return Ok(bytes),
            Err(other) => error = other,
        }
    }
    Err(format!("can't open '{name}': {error}"))
}

fn incbin(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = file_name(cursor)?;
    let skip = optional_number(assembler, cursor)?.unwrap_or(0).max(0) as usize;
    let count = optional_number(assembler, cursor)?;
    finish(cursor)?;
    let bytes = read_file(assembler, &name)?;
    let rest = bytes.get(skip..).ok_or_else(|| format!("skip {skip} is beyond the end of '{name}'"))?;
    let count = count.map_or(rest.len(), |n| (n.max(0) as usize).min(rest.len()));
    assembler.state.emit(&rest[..count]);
    Ok(())
}

fn include(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = file_name(cursor)?;
    let bytes = read_file(assembler, &name)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assembler.push_source(&text, &name);
    Ok(())
}

// ---- sections ----

fn named_section(assembler: &mut Assembler, spec: SectionSpec, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let subsection = if cursor.at_end() { 0 } else { number(assembler, cursor)? };
    let chunk = assembler.state.chunk(&spec, subsection);
    assembler.state.switch_to(chunk);
    Ok(())
}

fn section(assembler: &mut Assembler, cursor: &mut Cursor<'_>, push: bool) -> Result<(), String> {
    let name = if cursor.peek_token() == b'"' { cursor.name().unwrap_or_default() } else { cursor.until(b",") };
    let name = name.to_string();
    if name.is_empty() {
        return Err("missing section name".into());
    }
    let mut subsection = 0;
    let mut given = None;
    if cursor.eat(b',') {
        if push && cursor.peek_token() != b'"' && cursor.peek() != b'@' {
            subsection = number(assembler, cursor)?;
            cursor.eat(b',');
        }
        if !cursor.at_end() {
            given = Some(section_attributes(assembler, &name, cursor)?);
        }
    }
    finish(cursor)?;
    let spec = match given {
        Some(spec) => spec,
        // Without attributes: the section of that name, else what the name implies.
        None => match assembler.state.sections.iter().find(|s| *s.spec.name == *name) {
            Some(known) => known.spec.clone(),
            None => SectionSpec::by_name(&name).unwrap_or_else(|| SectionSpec::new(&name, section_type::PROGBITS, 0)),
        },
    };
    let spec = known_section(assembler, spec);
    if push {
        let saved = (assembler.state.current, assembler.state.previous);
        assembler.state.stack.push(saved);
    }
    let chunk = assembler.state.chunk(&spec, subsection);
    assembler.state.switch_to(chunk);
    Ok(())
}

/// Sections are one by name; attributes given again and differently do not make a second one, as in `as`.
fn known_section(assembler: &Assembler, spec: SectionSpec) -> SectionSpec {
    match assembler
        .state
        .sections
        .iter()
        .find(|s| s.spec.name == spec.name && s.spec.link == spec.link && s.spec.group == spec.group)
    {
        Some(known) => known.spec.clone(),
        None => spec,
    }
}

fn section_attributes(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>) -> Result<SectionSpec, String> {
    let mut spec = SectionSpec::by_name(name).unwrap_or_else(|| SectionSpec::new(name, section_type::PROGBITS, 0));
    if let Some(flags) = cursor.string() {
        spec.flags = parse_flags(&flags)?;
        spec.entsize = 0;
    }
    if cursor.eat(b',') && (cursor.eat(b'@') || cursor.eat(b'%')) {
        let kind = cursor.until(b",").to_string();
        spec.kind = section_kind(&kind)?;
    }
    if spec.flags & section_flags::MERGE != 0 && cursor.eat(b',') {
        spec.entsize = number(assembler, cursor)? as u64;
    }
    if spec.flags & section_flags::GROUP != 0 {
        expect(cursor, b',')?;
        spec.group = Some(cursor.name().ok_or("group name for SHF_GROUP not specified")?.into());
        let mut ahead = cursor.clone();
        let comdat = ahead.eat(b',') && ahead.name() == Some("comdat");
        spec.group_stays = !comdat;
        if comdat {
            *cursor = ahead;
        }
    }
    if spec.flags & section_flags::LINK_ORDER != 0 && cursor.eat(b',') {
        spec.link = cursor.name().map(Into::into);
    }
    if cursor.eat(b',') {
        // `unique,N` makes a section of its own; the name is kept.
        if cursor.until(b",") != "unique" {
            return Err(format!("junk '{}' in section attributes", cursor.rest()));
        }
        expect(cursor, b',')?;
        let unique = number(assembler, cursor)?;
        spec.link = spec.link.or_else(|| Some(format!("\u{1}unique{unique}").into()));
    }
    Ok(spec)
}

fn parse_flags(text: &[u8]) -> Result<u64, String> {
    let mut flags = 0;
    for &letter in text {
        flags |= match letter {
            b'a' => section_flags::ALLOC,
            b'w' => section_flags::WRITE,
            b'x' => section_flags::EXECINSTR,
            b'M' => section_flags::MERGE,
            b'S' => section_flags::STRINGS,
            b'T' => section_flags::TLS,
            b'G' => section_flags::GROUP,
            b'o' => section_flags::LINK_ORDER,
            b'e' => section_flags::EXCLUDE,
            b'R' => section_flags::GNU_RETAIN,
            b'l' => section_flags::LARGE,
            b'?' => 0,
            other => return Err(format!("unknown section flag '{}'", other as char)),
        };
    }
    Ok(flags)
}

fn section_kind(text: &str) -> Result<u32, String> {
    Ok(match text.trim() {
        "progbits" => section_type::PROGBITS,
        "nobits" => section_type::NOBITS,
        "note" => section_type::NOTE,
        "init_array" => section_type::INIT_ARRAY,
        "fini_array" => section_type::FINI_ARRAY,
        "preinit_array" => section_type::PREINIT_ARRAY,
        "unwind" => section_type::X86_64_UNWIND,
        other => other.parse().or_else(|_| {
            other
                .strip_prefix("0x")
                .and_then(|hex| u32::from_str_radix(hex, 16).ok())
                .ok_or_else(|| format!("unknown section type '@{other}'"))
        })?,
    })
}

// ---- symbols ----

/// Calls `each` for every name of a comma-separated list.
fn for_names(
    assembler: &mut Assembler,
    cursor: &mut Cursor<'_>,
    mut each: impl FnMut(&mut crate::state::Symbol),
) -> Result<(), String> {
    loop {
        let name = cursor.name().ok_or_else(|| format!("expected a symbol name before '{}'", cursor.rest()))?;
        let symbol = assembler.state.symbol_of(name);
        each(assembler.state.symbol_mut(symbol));
        if !cursor.eat(b',') {
            return finish(cursor);
        }
    }
}

fn bind(assembler: &mut Assembler, cursor: &mut Cursor<'_>, binding: Binding) -> Result<(), String> {
    for_names(assembler, cursor, |symbol| {
        // `.globl` does not undo `.weak`.
        if symbol.binding != Some(Binding::Weak) || binding != Binding::Global {
            symbol.binding = Some(binding);
        }
        if let (Definition::Common { local, .. }, Binding::Local) = (&mut symbol.definition, binding) {
            *local = true;
        }
    })
}

fn visibility(assembler: &mut Assembler, cursor: &mut Cursor<'_>, visibility: Visibility) -> Result<(), String> {
    for_names(assembler, cursor, |symbol| symbol.visibility = visibility)
}

fn symbol_type(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = cursor.name().ok_or("expected a symbol name")?;
    let symbol = assembler.state.symbol_of(name);
    cursor.eat(b',');
    if !(cursor.eat(b'@') || cursor.eat(b'%') || cursor.eat(b'#')) {
        cursor.skip_space();
    }
    let kind = cursor.name().ok_or("missing symbol type")?;
    let kind = match kind {
        "function" | "STT_FUNC" => SymbolKind::Func,
        "object" | "STT_OBJECT" | "common" | "gnu_unique_object" => SymbolKind::Object,
        "tls_object" | "STT_TLS" => SymbolKind::Tls,
        "notype" | "STT_NOTYPE" => SymbolKind::NoType,
        "gnu_indirect_function" | "STT_GNU_IFUNC" => SymbolKind::IFunc,
        other => return Err(format!("unrecognized symbol type '{other}'")),
    };
    assembler.state.symbol_mut(symbol).kind = kind;
    finish(cursor)
}

fn symbol_size(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = cursor.name().ok_or("expected a symbol name")?;
    expect(cursor, b',')?;
    let size = expr(assembler, cursor)?;
    finish(cursor)?;
    let symbol = assembler.state.symbol_of(name);
    assembler.state.symbol_mut(symbol).size = Some(Box::new(size));
    Ok(())
}

fn common(assembler: &mut Assembler, cursor: &mut Cursor<'_>, local: bool) -> Result<(), String> {
    let name = cursor.name().ok_or("expected a symbol name")?;
    cursor.eat(b',');
    let size = number(assembler, cursor)?.max(0) as u64;
    // What `as` assumes: the natural alignment of what may be in there, up to 8 for .lcomm and 16 for .comm.
    let default = match (local, size) {
        (true, 8..) => 8,
        (true, 4..8) => 4,
        (true, 2..4) => 2,
        (true, _) => 1,
        (false, size) => size.next_power_of_two().clamp(1, 16) as i64,
    };
    let align = optional_number(assembler, cursor)?.unwrap_or(default).max(1);
    finish(cursor)?;
    if !(align as u64).is_power_of_two() {
        return Err(format!("common alignment {align} is not a power of 2"));
    }
    let symbol = assembler.state.symbol_of(name);
    let data = assembler.state.symbol_mut(symbol);
    match data.definition {
        Definition::Undefined | Definition::Common { .. } => {}
        _ => return Err(format!("symbol '{name}' is already defined")),
    }
    let local = local || data.binding == Some(Binding::Local);
    if local && data.definition == Definition::Undefined {
        data.kind = SymbolKind::Object;
        data.size = Some(Box::new(Expr::Number(size as i64)));
        allocate_local(assembler, name, size, align as u32);
        return Ok(());
    }
    let data = assembler.state.symbol_mut(symbol);
    data.definition = Definition::Common { size, align: align as u32, local };
    if !local && data.binding.is_none() {
        data.binding = Some(Binding::Global);
    }
    Ok(())
}

/// Puts a local common symbol where `as` puts it: into subsection 1 of `.bss`, at once.
fn allocate_local(assembler: &mut Assembler, name: &str, size: u64, align: u32) {
    let chunk = assembler.state.chunk(&SectionSpec::bss(".bss"), 1);
    let current = std::mem::replace(&mut assembler.state.current, chunk);
    let section = assembler.state.current_section();
    section.align = section.align.max(align);
    if align > 1 {
        assembler.state.emit_item(ItemKind::Align { align, max_skip: u32::MAX, fill: None });
    }
    assembler.state.define_label(name);
    assembler.state.emit_zeros(size);
    assembler.state.current = current;
}

fn symver(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = cursor.name().ok_or("expected a symbol name")?;
    expect(cursor, b',')?;
    let versioned = cursor.until(b",").to_string();
    if !versioned.contains('@') {
        return Err(format!("missing version name in '{versioned}' for symbol '{name}'"));
    }
    let symbol = assembler.state.symbol_of(name);
    assembler.state.symbol_mut(symbol).version = Some(versioned.into());
    Ok(())
}

/// `.weakref alias, target`: references to `alias` are weak references to `target`.
fn weakref(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let alias = cursor.name().ok_or("expected a symbol name")?.to_string();
    expect(cursor, b',')?;
    let target = cursor.name().ok_or("expected a symbol name")?;
    let target = assembler.state.symbol_of(target);
    let data = assembler.state.symbol_mut(target);
    if data.definition == Definition::Undefined && data.binding.is_none() {
        data.binding = Some(Binding::Weak);
    }
    let alias = assembler.state.symbol_of(&alias);
    assembler.state.symbol_mut(alias).definition = Definition::Equate(Box::new(Expr::Symbol(target, None)));
    assembler.state.symbol_mut(alias).internal = true;
    finish(cursor)
}

fn ident(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let text = cursor.string().ok_or("expected a string")?;
    let flags = section_flags::MERGE | section_flags::STRINGS;
    let spec = SectionSpec { entsize: 1, ..SectionSpec::new(".comment", section_type::PROGBITS, flags) };
    let chunk = assembler.state.chunk(&spec, 0);
    let current = std::mem::replace(&mut assembler.state.current, chunk);
    if assembler.state.current_chunk().bytes.is_empty() {
        assembler.state.emit(&[0]);
    }
    assembler.state.emit(&text);
    assembler.state.emit(&[0]);
    assembler.state.current = current;
    Ok(())
}
