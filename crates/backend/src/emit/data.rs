//! Data objects: which section each belongs to, its bytes and relocations.

use base::Loc;
use ir::{DataObject, Linkage, RelocTarget, SymbolData, SymbolDef};
use object::sections::section_flags;
use object::{ObjectBuilder, RelocKind, SectionId, SectionSpec};
use target::options::PicLevel;

use super::ModuleEmitter;
use crate::context::{BackendError, Context};

/// Whether a section of that name exists with other properties.
///
/// # Errors
/// gcc's message for it.
pub(super) fn check_section(builder: &ObjectBuilder, spec: &SectionSpec, symbol: &str) -> Result<(), String> {
    const KIND: u64 = section_flags::EXECINSTR | section_flags::WRITE | section_flags::TLS;
    match builder.section_named(&spec.name) {
        Some(other) if builder.section_data(other).spec.flags & KIND != spec.flags & KIND => {
            Err(format!("'{symbol}' causes a section type conflict in section '{}'", spec.name))
        }
        _ => Ok(()),
    }
}

/// What decides an object's section.
struct Shape<'a> {
    symbol: &'a SymbolData,
    /// No contents but zeros.
    zero: bool,
    read_only: bool,
    /// Fields that the dynamic linker fills in (position-independent output only).
    dynamic_relocs: bool,
    /// Those all refer to symbols that bind here.
    local_relocs: bool,
    thread_local: bool,
}

/// Bytes of an object that is not all zeros: they are in the file, and in memory meanwhile.
const MAX_WRITTEN: u64 = 1 << 31;

impl ModuleEmitter<'_> {
    /// All data objects and COMMON symbols.
    pub(super) fn data(&mut self, cx: Context<'_>) {
        for (id, object) in cx.module.data.iter() {
            // A removed object's symbol is undefined.
            if cx.symbol(object.symbol).def == SymbolDef::Data(id) {
                self.data_object(cx, object);
            }
        }
        for (id, data) in &cx.module.symbols {
            if let SymbolDef::Common { size, align } = data.def {
                self.common(cx, self.symbols[id.as_u32() as usize], data, size, align);
            }
        }
    }

    fn data_object(&mut self, cx: Context<'_>, object: &DataObject) {
        let symbol = cx.symbol(object.symbol);
        let align = u64::from(object.align.max(1).next_power_of_two());
        let shape = Shape {
            symbol,
            zero: object.relocs.is_empty() && object.bytes.iter().all(|&byte| byte == 0),
            read_only: object.read_only,
            dynamic_relocs: cx.position_independent() && !object.relocs.is_empty(),
            local_relocs: object.relocs.iter().all(|reloc| match reloc.target {
                RelocTarget::Symbol(target) => cx.binds_locally(target),
                _ => true,
            }),
            thread_local: symbol.tls.is_some(),
        };
        let section = if symbol.section.is_none() && is_mergeable_string(object) && object.size > 0 {
            self.builder.string_section(object.mergeable_string.into(), object.align)
        } else {
            let spec = section_of(cx, &shape);
            if symbol.section.is_some()
                && let Err(message) = check_section(&self.builder, &spec, &symbol.name)
            {
                self.errors.push(BackendError { loc: Loc::NONE, message });
                return;
            }
            self.builder.section(&spec)
        };
        if object.size > MAX_WRITTEN && !self.builder.section_data(section).is_zero_filled() {
            let message = format!("initialized object '{}' is too large", symbol.name);
            self.errors.push(BackendError { loc: Loc::NONE, message });
            return;
        }
        let offset = self.contents(object, section, align);
        let target = self.symbols[object.symbol.as_u32() as usize];
        self.builder.define(target, section, offset, object.size);
        self.relocations(object, section, offset);
    }

    fn contents(&mut self, object: &DataObject, section: SectionId, align: u64) -> u64 {
        let zero_filled = self.builder.section_data(section).is_zero_filled();
        let leading = if zero_filled { 0 } else { (object.bytes.len() as u64).min(object.size) };
        if leading == 0 {
            return self.builder.append_zeros(section, align, object.size);
        }
        let offset = self.builder.append(section, align, &object.bytes[..leading as usize]);
        self.builder.append_zeros(section, 1, object.size - leading);
        offset
    }

    fn relocations(&mut self, object: &DataObject, section: SectionId, start: u64) {
        for reloc in &object.relocs {
            let at = start + reloc.offset;
            let kind = match reloc.size {
                8 => RelocKind::Abs64,
                4 => RelocKind::Abs32,
                2 => RelocKind::Abs16,
                _ => RelocKind::Abs8,
            };
            match reloc.target {
                RelocTarget::Symbol(symbol) => {
                    let symbol = self.symbols[symbol.as_u32() as usize];
                    self.builder.add_relocation(section, at, kind, symbol, reloc.addend);
                }
                RelocTarget::Label { function, label } => {
                    let (text, offset) = self.label(function, label);
                    let symbol = self.builder.section_symbol(text);
                    self.builder.add_relocation(section, at, kind, symbol, offset as i64 + reloc.addend);
                }
                RelocTarget::LabelDifference { function, plus, minus } => {
                    let (_, plus) = self.label(function, plus);
                    let (_, minus) = self.label(function, minus);
                    let value = (plus as i64).wrapping_sub(minus as i64).wrapping_add(reloc.addend);
                    let size = usize::from(reloc.size);
                    let field = &mut self.builder.section_data_mut(section).bytes[at as usize..at as usize + size];
                    field.copy_from_slice(&value.to_le_bytes()[..size]);
                }
            }
        }
    }

    fn label(&mut self, function: ir::SymbolId, label: u32) -> (SectionId, u64) {
        let symbol = self.symbols[function.as_u32() as usize];
        match self.builder.label_address(symbol, label) {
            Some(place) => place,
            // The function was not emitted (it failed, or nothing refers to it): its labels are nowhere.
            None => (self.builder.text(), 0),
        }
    }

    fn common(&mut self, cx: Context<'_>, target: object::SymbolId, symbol: &SymbolData, size: u64, align: u32) {
        if symbol.linkage == Linkage::Global && symbol.section.is_none() && symbol.tls.is_none() {
            return self.builder.define_common(target, size, align);
        }
        let shape = Shape {
            symbol,
            zero: true,
            read_only: false,
            dynamic_relocs: false,
            local_relocs: true,
            thread_local: symbol.tls.is_some(),
        };
        let spec = section_of(cx, &shape);
        let section = self.builder.section(&spec);
        let offset = self.builder.append_zeros(section, u64::from(align.max(1).next_power_of_two()), size);
        self.builder.define(target, section, offset, size);
    }
}

/// Whether the linker may merge the object with equal strings: one terminator, at the end.
fn is_mergeable_string(object: &DataObject) -> bool {
    let element = usize::from(object.mergeable_string);
    if element == 0
        || !object.read_only
        || !object.relocs.is_empty()
        || object.bytes.len() as u64 > object.size
        || !object.size.is_multiple_of(element as u64)
    {
        return false;
    }
    let elements = object.size as usize / element;
    let is_zero = |i: usize| {
        let chunk = object.bytes.get(i * element..).unwrap_or_default();
        chunk.iter().take(element).all(|&byte| byte == 0)
    };
    elements > 0 && (0..elements).all(|i| is_zero(i) == (i == elements - 1))
}

/// The section of an object that is not a mergeable string, as gcc chooses it.
fn section_of(cx: Context<'_>, shape: &Shape<'_>) -> SectionSpec {
    if let Some(name) = &shape.symbol.section {
        return named_section(name, shape);
    }
    let zero_in_bss = shape.zero && cx.codegen().zero_in_bss;
    let base = match (shape.thread_local, shape.read_only) {
        (true, _) if shape.zero => ".tbss",
        (true, _) => ".tdata",
        (false, true) if shape.dynamic_relocs && shape.local_relocs => ".data.rel.ro.local",
        (false, true) if shape.dynamic_relocs => ".data.rel.ro",
        (false, true) => ".rodata",
        (false, false) if zero_in_bss => ".bss",
        (false, false) if shape.dynamic_relocs && cx.codegen().pic == PicLevel::Pic && shape.local_relocs => {
            ".data.rel.local"
        }
        (false, false) if shape.dynamic_relocs && cx.codegen().pic == PicLevel::Pic => ".data.rel",
        (false, false) => ".data",
    };
    let unnamed = shape.symbol.name.starts_with(".L");
    let name =
        if cx.codegen().data_sections && !unnamed { format!("{base}.{}", shape.symbol.name) } else { base.to_owned() };
    SectionSpec::by_name(&name).unwrap_or_else(|| base::bug!("section {name} has no default properties"))
}

/// A section that the program names: what its name implies, else what the object needs.
fn named_section(name: &str, shape: &Shape<'_>) -> SectionSpec {
    if let Some(spec) = SectionSpec::by_name(name) {
        // `.note.*` and the like get their flags from what is put there.
        if spec.flags & section_flags::ALLOC != 0 {
            return spec;
        }
        let mut spec = spec;
        spec.flags |= section_flags::ALLOC;
        if !shape.read_only {
            spec.flags |= section_flags::WRITE;
        }
        spec.flags &= !(section_flags::MERGE | section_flags::STRINGS);
        spec.entsize = 0;
        return spec;
    }
    let mut spec =
        if shape.read_only && !shape.dynamic_relocs { SectionSpec::read_only(name) } else { SectionSpec::data(name) };
    if shape.thread_local {
        spec.flags |= section_flags::TLS;
    }
    spec
}
