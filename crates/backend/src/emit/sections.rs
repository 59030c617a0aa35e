//! Which section each function and object belongs to, as gcc chooses it.
//!
//! Without a name from the program the contents decide (gcc's `categorize_decl_for_section`): code
//! by how often it runs, data by whether it is zero, read-only, and filled in by the dynamic
//! linker. A section that the program names gets the flags that what is put there needs
//! (`default_section_type_flags`) and what GNU `as` adds for the name; objects that need different
//! flags conflict (`get_section`).

use base::Loc;
use ir::SymbolId;
use object::sections::{section_flags, section_type};
use object::{FunctionCode, SectionId, SectionSpec};
use platform::options::{MergeConstants, PicLevel};
use platform::section_names;

use super::ModuleEmitter;
use crate::context::{BackendError, Context, text_section};

/// What decides an object's section.
pub(super) struct Shape {
    pub symbol: SymbolId,
    /// It has an initialiser.
    pub initialised: bool,
    /// No contents but zeros.
    pub zero: bool,
    pub read_only: bool,
    /// Fields that the dynamic linker fills in (position-independent output only).
    pub dynamic_relocs: bool,
    /// Those all refer to symbols that bind here.
    pub local_relocs: bool,
    /// The entry size of the section in which `-fmerge-all-constants` may put it.
    pub mergeable: Option<u64>,
}

/// What a named section's contents need.
mod need {
    pub const CODE: u8 = 1;
    pub const WRITE: u8 = 1 << 1;
    /// Written by the dynamic linker alone.
    pub const RELRO: u8 = 1 << 2;
    pub const ZERO_FILLED: u8 = 1 << 3;
    pub const THREAD_LOCAL: u8 = 1 << 4;
    pub const LARGE: u8 = 1 << 5;
}

/// A section that the program named.
pub(super) struct Named {
    id: SectionId,
    needs: u8,
    /// The first that was put there.
    first: SymbolId,
    /// A conflict was reported.
    wrong: bool,
}

impl ModuleEmitter<'_> {
    /// The sections of a function's code and of its jump tables. Notes whose strings the function
    /// uses.
    pub(super) fn function_sections(
        &mut self,
        cx: Context<'_>,
        function: SymbolId,
        code: &FunctionCode,
    ) -> Result<(SectionId, SectionId), BackendError> {
        let symbol = cx.symbol(function);
        let sections = cx.codegen().function_sections;
        let common = symbol.section.is_none() && !sections && !symbol.retain;
        if let (true, Some(text)) = (common, self.text[code.placement as usize]) {
            return Ok((text, self.table_section(code, text, ".rodata")));
        }
        let text = match &symbol.section {
            Some(name) => self.named_section(cx, function, name, need::CODE)?,
            None => self.builder.section(&text_section(cx, symbol, code.placement)),
        };
        if common {
            self.text[code.placement as usize] = Some(text);
        }
        let own = match &symbol.section {
            Some(name) => name.strip_prefix(".text.").map(str::to_owned),
            None => Some(symbol.name.to_string()),
        };
        let mut rodata = ".rodata".to_owned();
        if let (true, Some(own)) = (sections && cx.codegen().data_sections, own) {
            rodata = format!(".rodata.{own}");
            self.own_strings(cx, code, &rodata);
        }
        Ok((text, self.table_section(code, text, &rodata)))
    }

    /// The section of the function's jump tables. Without any it does not matter, and no empty
    /// section is made.
    fn table_section(&mut self, code: &FunctionCode, text: SectionId, name: &str) -> SectionId {
        if code.has_jump_tables() { self.builder.section(&SectionSpec::read_only(name)) } else { text }
    }

    /// Strings belong to the first function that refers to them, so that the linker drops both
    /// together.
    fn own_strings(&mut self, cx: Context<'_>, code: &FunctionCode, rodata: &str) {
        for reloc in &code.relocs {
            let Some(index) = reloc.symbol.module_index() else { continue };
            let symbol = SymbolId::from_u32(index);
            if cx.symbol(symbol).name.starts_with(".L") {
                self.owners.entry(symbol).or_insert_with(|| rodata.into());
            }
        }
    }

    /// The section of an object that is not a mergeable string.
    pub(super) fn data_section(&mut self, cx: Context<'_>, shape: &Shape) -> Result<SectionId, BackendError> {
        let symbol = cx.symbol(shape.symbol);
        if let Some(name) = &symbol.section {
            return self.named_section(cx, shape.symbol, name, needs(cx, shape, name));
        }
        let base = base_name(cx, shape);
        let mergeable = shape.mergeable.filter(|_| {
            base == ".rodata" && !symbol.large && cx.options.merge_constants() == MergeConstants::All && !symbol.retain
        });
        if let Some(size) = mergeable {
            return Ok(self.builder.section(&SectionSpec::mergeable(&format!("{base}.cst{size}"), size, false)));
        }
        let base = if symbol.large { format!(".l{}", &base[1..]) } else { base.to_owned() };
        let unnamed = symbol.name.starts_with(".L");
        let own = (cx.codegen().data_sections && !unnamed) || symbol.retain;
        let name = if own { format!("{base}.{}", symbol.name) } else { base };
        let spec =
            SectionSpec::by_name(&name).unwrap_or_else(|| base::bug!("section {name} has no default properties"));
        Ok(self.builder.section(&with_retain(spec, symbol.retain)))
    }

    /// The section of a name that the program gave, for something that needs `needs`.
    fn named_section(
        &mut self,
        cx: Context<'_>,
        symbol: SymbolId,
        name: &str,
        needs: u8,
    ) -> Result<SectionId, BackendError> {
        let retain = cx.symbol(symbol).retain;
        let Some(known) = self.named.get_mut(&(name.into(), retain)) else {
            let spec = SectionSpec::predefined(name).unwrap_or_else(|| with_retain(spec_for(name, needs), retain));
            let id = self.builder.section(&spec);
            self.named.insert((name.into(), retain), Named { id, needs, first: symbol, wrong: false });
            return Ok(id);
        };
        const BY_LINKER: u8 = need::WRITE | need::RELRO;
        if known.needs == needs || known.wrong {
            return Ok(known.id);
        }
        if (known.needs ^ needs) == BY_LINKER && matches!(known.needs & BY_LINKER, 0 | BY_LINKER) {
            // Read-only, and read-only once the dynamic linker is done.
            known.needs |= BY_LINKER;
            let id = known.id;
            self.builder.make_writable(id);
            return Ok(id);
        }
        known.wrong = true;
        Err(conflict(cx, known.first, symbol))
    }
}

/// gcc's words: the later of the two conflicts with the earlier.
fn conflict(cx: Context<'_>, one: SymbolId, other: SymbolId) -> BackendError {
    let (first, second) = if cx.symbol(one).loc.0 <= cx.symbol(other).loc.0 { (one, other) } else { (other, one) };
    // Variables of blocks have a number after the name.
    let name = |symbol: SymbolId| {
        let name = &*cx.symbol(symbol).name;
        let numbered = name.rsplit_once('.').filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit()));
        numbered.map_or(name, |(name, _)| name).to_owned()
    };
    let (earlier, later) = (name(first), name(second));
    let declared: Loc = cx.symbol(first).loc;
    BackendError {
        loc: cx.symbol(second).loc,
        message: format!("'{later}' causes a section type conflict with '{earlier}'"),
        note: Some((declared, format!("'{earlier}' was declared here"))),
    }
}

fn with_retain(mut spec: SectionSpec, retain: bool) -> SectionSpec {
    if retain {
        spec.flags |= section_flags::GNU_RETAIN;
    }
    spec
}

/// The section of an object that the program does not place.
fn base_name(cx: Context<'_>, shape: &Shape) -> &'static str {
    let zero = shape.zero && (cx.codegen().zero_in_bss || !shape.initialised);
    let separate = cx.codegen().pic != PicLevel::None && shape.dynamic_relocs;
    match (cx.symbol(shape.symbol).tls.is_some(), shape.read_only) {
        (true, _) if zero => ".tbss",
        (true, _) => ".tdata",
        (false, true) if separate && shape.local_relocs => ".data.rel.ro.local",
        (false, true) if separate => ".data.rel.ro",
        (false, true) => ".rodata",
        (false, false) if zero => ".bss",
        (false, false) if separate && shape.local_relocs => ".data.rel.local",
        (false, false) if separate => ".data.rel",
        (false, false) => ".data",
    }
}

/// What an object needs of the section that the program names for it.
fn needs(cx: Context<'_>, shape: &Shape, name: &str) -> u8 {
    let symbol = cx.symbol(shape.symbol);
    let mut needs = match (shape.read_only, shape.dynamic_relocs) {
        (true, false) => 0,
        (true, true) => need::WRITE | need::RELRO,
        _ => need::WRITE,
    };
    if symbol.tls.is_some() {
        needs |= need::WRITE | need::THREAD_LOCAL;
    }
    for (set, bit) in [
        (section_names::is_zero_filled(name), need::ZERO_FILLED),
        (section_names::is_thread_local(name), need::THREAD_LOCAL),
        (symbol.large, need::LARGE),
    ] {
        if set {
            needs |= bit;
        }
    }
    needs
}

/// What gcc's directive for the section and GNU `as` make of it.
fn spec_for(name: &str, needs: u8) -> SectionSpec {
    let mut flags = section_flags::ALLOC;
    for (bit, flag) in [
        (need::CODE, section_flags::EXECINSTR),
        (need::WRITE, section_flags::WRITE),
        (need::THREAD_LOCAL, section_flags::TLS),
        (need::LARGE, section_flags::LARGE),
    ] {
        if needs & bit != 0 {
            flags |= flag;
        }
    }
    // For plain data the name alone decides the type.
    let kind = if needs & need::ZERO_FILLED != 0 {
        Some(section_type::NOBITS)
    } else {
        (needs & (need::CODE | need::THREAD_LOCAL) != 0).then_some(section_type::PROGBITS)
    };
    SectionSpec::with_attributes(name, kind, flags)
}
