//! Directives about symbols: binding, visibility, type, size, common storage, versions.

use object::{Binding, PlainName, RelocKind, SectionSpec, SymbolKind, Visibility};

use super::{expect, expr, finish, number, optional_number};
use crate::{
    context::Assembler,
    expression::Expr,
    state::{Definition, GivenReloc, ItemKind, Symbol},
    text::Cursor,
};

/// Calls `each` for every name of a comma-separated list.
fn for_names(
    assembler: &mut Assembler,
    cursor: &mut Cursor<'_>,
    mut each: impl FnMut(&mut Symbol),
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

pub(super) fn bind(assembler: &mut Assembler, cursor: &mut Cursor<'_>, binding: Binding) -> Result<(), String> {
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

pub(super) fn visibility(
    assembler: &mut Assembler,
    cursor: &mut Cursor<'_>,
    visibility: Visibility,
) -> Result<(), String> {
    for_names(assembler, cursor, |symbol| symbol.visibility = visibility)
}

pub(super) fn symbol_type(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
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

pub(super) fn symbol_size(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = cursor.name().ok_or("expected a symbol name")?;
    expect(cursor, b',')?;
    let size = expr(assembler, cursor)?;
    finish(cursor)?;
    let symbol = assembler.state.symbol_of(name);
    assembler.state.symbol_mut(symbol).size = Some(Box::new(size));
    Ok(())
}

pub(super) fn common(assembler: &mut Assembler, cursor: &mut Cursor<'_>, local: bool) -> Result<(), String> {
    let name = cursor.name().ok_or("expected a symbol name")?;
    cursor.eat(b',');
    let size = number(assembler, cursor)?.max(0) as u64;
    // What `as` assumes: the natural alignment of what may be in there, up to 8 for .lcomm and 16
    // for .comm.
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
    data.definition = Definition::Common { size, align: align as u32, local, large: false };
    if !local && data.binding.is_none() {
        data.binding = Some(Binding::Global);
    }
    Ok(())
}

/// `.tls_common name, size, align`
pub(super) fn tls_common(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = cursor.clone().name().ok_or("expected a symbol name")?.to_string();
    common(assembler, cursor, false)?;
    let symbol = assembler.state.symbol_of(&name);
    assembler.state.symbol_mut(symbol).kind = SymbolKind::Tls;
    Ok(())
}

/// `.reloc offset, name, expression`: a relocation as it is named.
pub(super) fn reloc(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let offset = expr(assembler, cursor)?;
    expect(cursor, b',')?;
    let name = cursor.name().ok_or("missing reloc type")?;
    let kind = RelocKind::from_name(name).ok_or_else(|| format!("unrecognized reloc type '{name}'"))?;
    let value = if cursor.eat(b',') { Some(expr(assembler, cursor)?) } else { None };
    finish(cursor)?;
    let state = &mut assembler.state;
    let section = state.chunks[state.current as usize].section;
    let line = state.line;
    state.relocations.push(GivenReloc { section, offset, kind, value, line });
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

/// `.largecomm name, size, align`: common storage that may be far away.
pub(super) fn large_common(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = cursor.clone().name().ok_or("expected a symbol name")?.to_string();
    common(assembler, cursor, false)?;
    let symbol = assembler.state.symbol_of(&name);
    if let Definition::Common { large, .. } = &mut assembler.state.symbol_mut(symbol).definition {
        *large = true;
    }
    // `as` makes the section in any case.
    let spec = SectionSpec::by_name(".lbss").unwrap_or_else(|| SectionSpec::bss(".lbss"));
    assembler.state.chunk(&spec, 0);
    Ok(())
}

pub(super) fn symver(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = cursor.name().ok_or("expected a symbol name")?;
    expect(cursor, b',')?;
    let versioned = cursor.until(b",").to_string();
    if !versioned.contains('@') {
        return Err(format!("missing version name in '{versioned}' for symbol '{name}'"));
    }
    let rest = if cursor.eat(b',') { cursor.name() } else { None };
    let symbol = assembler.state.symbol_of(name);
    let data = assembler.state.symbol_mut(symbol);
    data.versions.push(versioned.into());
    match rest {
        None => {}
        // What becomes of the name without a version.
        Some("local") => data.plain_name = PlainName::Local,
        Some("hidden") => data.plain_name = PlainName::Hidden,
        Some("remove") => data.plain_name = PlainName::Removed,
        Some(other) => return Err(format!("invalid .symver visibility '{other}'")),
    }
    finish(cursor)
}

/// `.weakref alias, target`: references to `alias` are weak references to `target`.
pub(super) fn weakref(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
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
