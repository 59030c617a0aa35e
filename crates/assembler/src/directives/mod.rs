//! Directives of GNU `as` for data, sections, symbols and files (conditionals and macros are in the
//! statement loop).

mod data;
mod floats;
mod sections;
mod symbols;

use object::{Binding, SectionSpec, Visibility};

use crate::{
    cfi,
    context::{Assembler, number},
    expression::{self, Expr},
    instruction::Syntax,
    mode::Mode,
    state::FieldKind,
    text::Cursor,
};
use data::{align, data, data_of, fill, incbin, leb128, nops, octa, org, repeated, space, storage, strings};
use floats::{Format, floats, repeated_floats};
pub(crate) use sections::write_attributes;
use sections::{gnu_attribute, ident, named_section, section, version};
use symbols::{bind, common, large_common, reloc, symbol_size, symbol_type, symver, tls_common, visibility, weakref};

/// Handles a directive.
pub(crate) fn handle(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
    match name {
        ".slong" => data_of(assembler, cursor, 4, FieldKind::Signed),
        ".byte" | ".1byte" | ".dc.b" => data(assembler, cursor, 1),
        ".word" | ".short" | ".hword" | ".value" | ".2byte" | ".dc.w" | ".dc" => data(assembler, cursor, 2),
        ".long" | ".int" | ".4byte" | ".dc.l" => data(assembler, cursor, 4),
        ".quad" | ".8byte" | ".dc.a" => data(assembler, cursor, 8),
        ".octa" => octa(assembler, cursor),
        ".ascii" => strings(assembler, cursor, 1, false),
        ".asciz" | ".string" | ".string8" => strings(assembler, cursor, 1, true),
        ".string16" => strings(assembler, cursor, 2, true),
        ".string32" => strings(assembler, cursor, 4, true),
        ".string64" => strings(assembler, cursor, 8, true),
        ".uleb128" => leb128(assembler, cursor, false),
        ".sleb128" => leb128(assembler, cursor, true),
        ".dcb.b" => repeated(assembler, cursor, 1),
        ".dcb" | ".dcb.w" => repeated(assembler, cursor, 2),
        ".dcb.l" => repeated(assembler, cursor, 4),
        ".dcb.s" => repeated_floats(assembler, cursor, Format::Single),
        ".dcb.d" => repeated_floats(assembler, cursor, Format::Double),
        ".dcb.x" => repeated_floats(assembler, cursor, Format::Extended),
        ".ds.b" => storage(assembler, cursor, 1),
        ".ds" | ".ds.w" => storage(assembler, cursor, 2),
        ".ds.l" | ".ds.s" => storage(assembler, cursor, 4),
        ".ds.d" => storage(assembler, cursor, 8),
        ".ds.x" => storage(assembler, cursor, 10),
        ".ds.p" => storage(assembler, cursor, 12),
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
        _ if let Some(format) = Format::of_directive(&name[1..]) => floats(assembler, cursor, format),
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
        ".tls_common" => tls_common(assembler, cursor),
        ".reloc" => reloc(assembler, cursor),
        ".version" => version(assembler, cursor),
        // Every symbol that is not defined is external.
        ".extern" => Ok(()),
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
        | ".title"
        | ".sbttl"
        | ".list"
        | ".nolist"
        | ".psize"
        | ".eject"
        | ".optim"
        | ".allow_index_reg"
        | ".disallow_index_reg"
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
        | ".noopt"
        | ".sse_check"
        | ".operand_check" => Ok(()),
        ".code16" => set_mode(assembler, cursor, Mode::Code16),
        ".code16gcc" => set_mode(assembler, cursor, Mode::Code16Gcc),
        ".code32" => set_mode(assembler, cursor, Mode::Code32),
        ".code64" => set_mode(assembler, cursor, Mode::Code64),
        ".struct" | ".offset" => {
            let offset = if cursor.at_end() { 0 } else { number(assembler, cursor)? };
            finish(cursor)?;
            assembler.state.switch_to_absolute(offset as u64);
            Ok(())
        }
        ".largecomm" => large_common(assembler, cursor),
        ".gnu_attribute" => gnu_attribute(assembler, cursor),
        ".bundle_align_mode" | ".bundle_lock" | ".bundle_unlock" => Err(format!("not supported: {name}")),
        _ => message(assembler, name, cursor),
    }
}

/// Directives that say something to the user, or end the file.
fn message(assembler: &mut Assembler, name: &str, cursor: &mut Cursor<'_>) -> Result<(), String> {
    match name {
        ".error" | ".err" => {
            let text = cursor.string().map_or(".error directive invoked in source file".into(), |bytes| {
                String::from_utf8_lossy(&bytes).into_owned()
            });
            Err(text)
        }
        ".abort" => Err(".abort detected".into()),
        ".warning" => {
            let text = cursor.string().map_or(".warning directive invoked in source file".into(), |bytes| {
                String::from_utf8_lossy(&bytes).into_owned()
            });
            assembler.state.warn(text);
            finish(cursor)
        }
        ".print" => {
            let text = cursor.string().ok_or("expected a string")?;
            assembler.state.notes.push(crate::AsmNote::Print(String::from_utf8_lossy(&text).into_owned()));
            finish(cursor)
        }
        ".fail" => Err(format!(".fail {} encountered", cursor.rest())),
        ".end" => {
            assembler.ended = true;
            Ok(())
        }
        _ => Err(format!("unknown pseudo-op: '{name}'")),
    }
}

fn set_mode(assembler: &mut Assembler, cursor: &mut Cursor<'_>, mode: Mode) -> Result<(), String> {
    assembler.state.mode = mode;
    finish(cursor)
}

fn expect(cursor: &mut Cursor<'_>, byte: u8) -> Result<(), String> {
    if cursor.eat(byte) { Ok(()) } else { Err(format!("expected '{}' before '{}'", byte as char, cursor.rest())) }
}

fn finish(cursor: &mut Cursor<'_>) -> Result<(), String> {
    if cursor.at_end() { Ok(()) } else { Err(format!("junk at end of line: '{}'", cursor.rest())) }
}

fn expr(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<Expr, String> {
    expression::parse(&mut assembler.state, cursor)
}

/// A number after a comma, if there is one.
fn optional_number(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<Option<i64>, String> {
    if !cursor.eat(b',') || matches!(cursor.peek_token(), b',' | 0) {
        return Ok(None);
    }
    number(assembler, cursor).map(Some)
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

fn include(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let name = file_name(cursor)?;
    let bytes = read_file(assembler, &name)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assembler.push_source(&text, &name);
    Ok(())
}
