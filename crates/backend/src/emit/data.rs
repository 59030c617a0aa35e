//! Data objects: which section each belongs to, its bytes and relocations.

use base::Loc;
use ir::{DataObject, DataReloc, Linkage, RelocTarget, SymbolDef};
use object::{RelocKind, SectionId};
use platform::options::MergeConstants;

use super::ModuleEmitter;
use super::sections::Shape;
use crate::context::{BackendError, Context};

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
                self.common(cx, id, size, align);
            }
        }
    }

    fn data_object(&mut self, cx: Context<'_>, object: &DataObject) {
        let symbol = cx.symbol(object.symbol);
        let align = u64::from(object.align.max(1).next_power_of_two());
        let is_string = symbol.section.is_none() && is_mergeable_string(object) && object.size > 0;
        let section = if is_string && cx.options.merge_constants() > MergeConstants::No {
            let owner = self.owners.get(&object.symbol).map_or(".rodata", |name| &**name);
            self.builder.string_section(owner, object.mergeable_string.into(), object.align)
        } else {
            let shape = Shape {
                symbol: object.symbol,
                initialised: !object.bytes.is_empty() || !object.relocs.is_empty(),
                zero: !object.constant && object.relocs.is_empty() && object.bytes.iter().all(|&byte| byte == 0),
                read_only: object.read_only,
                dynamic_relocs: cx.position_independent() && object.relocs.iter().any(is_address),
                local_relocs: object.relocs.iter().all(|reloc| match reloc.target {
                    RelocTarget::Symbol(target) => cx.binds_locally(target),
                    _ => true,
                }),
                mergeable: (object.size.is_power_of_two()
                    && object.size <= align
                    && align <= 32
                    && object.redzone == 0)
                    .then_some(align),
            };
            match self.data_section(cx, &shape) {
                Ok(section) => section,
                Err(error) => return self.errors.push(error),
            }
        };
        if object.size > MAX_WRITTEN && !self.builder.section_data(section).is_zero_filled() {
            let message = format!("initialized object '{}' is too large", symbol.name);
            self.errors.push(BackendError { loc: Loc::NONE, message, note: None });
            return;
        }
        let offset = self.contents(object, section, align);
        let target = self.symbols[object.symbol.as_u32() as usize];
        let size = if symbol.name.starts_with(".L") { 0 } else { object.size };
        self.builder.append_zeros(section, 1, object.redzone);
        self.builder.define(target, section, offset, size);
        self.relocations(object, section, offset);
    }

    /// The text that describes a function's frame, under its symbol.
    pub(super) fn frame_description(&mut self, symbol: ir::SymbolId, text: &str) {
        let section = self.builder.string_section(".rodata", 1, 1);
        let offset = self.builder.append(section, 1, &[text.as_bytes(), &[0]].concat());
        self.builder.define(self.symbols[symbol.as_u32() as usize], section, offset, 0);
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
            // The function was not emitted (it failed, or nothing refers to it): its labels are
            // nowhere.
            None => (self.builder.text(), 0),
        }
    }

    fn common(&mut self, cx: Context<'_>, id: ir::SymbolId, size: u64, align: u32) {
        let (target, symbol) = (self.symbols[id.as_u32() as usize], cx.symbol(id));
        if symbol.linkage == Linkage::Global && symbol.section.is_none() && symbol.tls.is_none() {
            return self.builder.define_common(target, size, align);
        }
        let shape = Shape {
            symbol: id,
            initialised: false,
            zero: true,
            read_only: false,
            dynamic_relocs: false,
            local_relocs: true,
            mergeable: None,
        };
        let section = match self.data_section(cx, &shape) {
            Ok(section) => section,
            Err(error) => return self.errors.push(error),
        };
        let offset = self.builder.append_zeros(section, u64::from(align.max(1).next_power_of_two()), size);
        self.builder.define(target, section, offset, size);
    }
}

/// Whether the field needs a relocation, not only the assembler's arithmetic.
fn is_address(reloc: &DataReloc) -> bool {
    !matches!(reloc.target, RelocTarget::LabelDifference { .. })
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
