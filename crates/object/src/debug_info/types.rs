//! The type table as DWARF entries (DWARF 5, chapter 5): every entry is made first, so that
//! references may go both ways.

use base::Loc;
use base::debug_types::{BaseEncoding, DebugType, Member, Qualifier, TypeIndex};
use gimli::{
    DW_AT_GNU_vector, DW_AT_bit_size, DW_AT_byte_size, DW_AT_const_value, DW_AT_count, DW_AT_data_bit_offset,
    DW_AT_data_member_location, DW_AT_decl_file, DW_AT_decl_line, DW_AT_declaration, DW_AT_encoding, DW_AT_name,
    DW_AT_prototyped, DW_AT_type, DW_ATE_boolean, DW_ATE_complex_float, DW_ATE_decimal_float, DW_ATE_float,
    DW_ATE_signed, DW_ATE_signed_char, DW_ATE_unsigned, DW_ATE_unsigned_char, DW_TAG_array_type, DW_TAG_atomic_type,
    DW_TAG_base_type, DW_TAG_const_type, DW_TAG_enumeration_type, DW_TAG_enumerator, DW_TAG_formal_parameter,
    DW_TAG_member, DW_TAG_pointer_type, DW_TAG_restrict_type, DW_TAG_structure_type, DW_TAG_subrange_type,
    DW_TAG_subroutine_type, DW_TAG_typedef, DW_TAG_union_type, DW_TAG_unspecified_parameters, DW_TAG_volatile_type,
    DwAte, DwTag,
    write::{AttributeValue, DwarfUnit, FileId, UnitEntryId},
};

use rustc_hash::FxHashMap;

use super::{DebugPosition, DebugUnit};

/// The entry of each type.
pub(super) struct TypeEntries<'a> {
    entries: Vec<UnitEntryId>,
    /// Ranges of variable-length arrays, by the number of their bound.
    ranges: FxHashMap<u32, Vec<UnitEntryId>>,
    unit: &'a DebugUnit<'a>,
    files: &'a [FileId],
}

impl<'a> TypeEntries<'a> {
    /// Makes the entries of all types, as children of the unit, or of the function in whose body
    /// they are defined.
    pub fn write(
        dwarf: &mut DwarfUnit,
        unit: &'a DebugUnit<'a>,
        files: &'a [FileId],
        function: &dyn Fn(u32) -> Option<UnitEntryId>,
    ) -> TypeEntries<'a> {
        let table = unit.types;
        let root = dwarf.unit.root();
        let parent = |ty: &DebugType| ty.function().and_then(function).unwrap_or(root);
        let list = table.types.iter().map(|ty| dwarf.unit.add(parent(ty), tag(ty))).collect();
        let mut entries = TypeEntries { entries: list, ranges: FxHashMap::default(), unit, files };
        for (index, ty) in table.types.iter().enumerate() {
            let range = entries.describe(dwarf, entries.entries[index], ty);
            if let (Some(range), &DebugType::Array { bound: Some(bound), .. }) = (range, ty) {
                entries.ranges.entry(bound).or_default().push(range);
            }
        }
        entries
    }

    /// Bytes of a type.
    pub fn size(&self, ty: TypeIndex) -> Option<u64> {
        self.unit.types.size(ty)
    }

    /// Gives an entry its type; `void` has none.
    pub fn set_type(&self, dwarf: &mut DwarfUnit, entry: UnitEntryId, ty: Option<TypeIndex>) {
        if let Some(&target) = ty.and_then(|ty| self.entries.get(ty.0 as usize)) {
            dwarf.unit.get_mut(entry).set(DW_AT_type, AttributeValue::UnitRef(target));
        }
    }

    /// Whether some array has this bound.
    pub fn has_bound(&self, bound: u32) -> bool {
        self.ranges.contains_key(&bound)
    }

    /// The variable at `entry` has the number of elements of the arrays with a bound.
    pub fn set_bound(&self, dwarf: &mut DwarfUnit, bound: u32, entry: UnitEntryId) {
        for &range in self.ranges.get(&bound).into_iter().flatten() {
            dwarf.unit.get_mut(range).set(DW_AT_count, AttributeValue::UnitRef(entry));
        }
    }

    /// Says what a type is. Of an array the entry of its range.
    fn describe(&self, dwarf: &mut DwarfUnit, entry: UnitEntryId, ty: &DebugType) -> Option<UnitEntryId> {
        match ty {
            DebugType::Base { name, size, encoding } => {
                set_name(dwarf, entry, name);
                set_size(dwarf, entry, *size);
                dwarf.unit.get_mut(entry).set(DW_AT_encoding, AttributeValue::Encoding(base_encoding(*encoding)));
            }
            DebugType::Pointer(to) => {
                set_size(dwarf, entry, 8);
                self.set_type(dwarf, entry, *to);
            }
            DebugType::Qualified(_, of) => self.set_type(dwarf, entry, *of),
            DebugType::Array { element, count, vector, .. } => {
                self.set_type(dwarf, entry, *element);
                if *vector {
                    dwarf.unit.get_mut(entry).set(DW_AT_GNU_vector, AttributeValue::Flag(true));
                }
                let range = dwarf.unit.add(entry, DW_TAG_subrange_type);
                if let Some(count) = *count {
                    dwarf.unit.get_mut(range).set(DW_AT_count, AttributeValue::Udata(count));
                }
                return Some(range);
            }
            DebugType::Function { .. } => self.signature(dwarf, entry, ty),
            DebugType::Record { name, body, loc, .. } => {
                name.iter().for_each(|name| set_name(dwarf, entry, name));
                body.iter().for_each(|_| self.set_place(dwarf, entry, *loc));
                match body {
                    Some((size, members)) => {
                        set_size(dwarf, entry, *size);
                        members.iter().for_each(|member| self.member(dwarf, entry, member));
                    }
                    None => dwarf.unit.get_mut(entry).set(DW_AT_declaration, AttributeValue::Flag(true)),
                }
            }
            DebugType::Enumeration { name, underlying, size, values, loc, .. } => {
                name.iter().for_each(|name| set_name(dwarf, entry, name));
                self.set_place(dwarf, entry, *loc);
                set_size(dwarf, entry, *size);
                self.set_type(dwarf, entry, *underlying);
                for (name, value) in values {
                    enumerator(dwarf, entry, name, *value);
                }
            }
            DebugType::Typedef { name, ty, loc, .. } => {
                set_name(dwarf, entry, name);
                self.set_place(dwarf, entry, *loc);
                self.set_type(dwarf, entry, *ty);
            }
        }
        None
    }

    /// Gives the entry of a function result and parameters of its type.
    pub fn set_signature(&self, dwarf: &mut DwarfUnit, entry: UnitEntryId, ty: Option<TypeIndex>) {
        let mut ty = ty;
        while let Some(index) = ty {
            match self.unit.types.types.get(index.0 as usize) {
                Some(&DebugType::Typedef { ty: of, .. } | &DebugType::Qualified(_, of)) => ty = of,
                Some(function @ DebugType::Function { .. }) => return self.signature(dwarf, entry, function),
                _ => return,
            }
        }
    }

    fn signature(&self, dwarf: &mut DwarfUnit, entry: UnitEntryId, function: &DebugType) {
        let DebugType::Function { result, parameters, variadic, prototyped } = function else { return };
        if *prototyped {
            dwarf.unit.get_mut(entry).set(DW_AT_prototyped, AttributeValue::Flag(true));
        }
        self.set_type(dwarf, entry, *result);
        for &parameter in parameters {
            let child = dwarf.unit.add(entry, DW_TAG_formal_parameter);
            self.set_type(dwarf, child, parameter);
        }
        if *variadic || !*prototyped {
            dwarf.unit.add(entry, DW_TAG_unspecified_parameters);
        }
    }

    /// Where the name of an entry is declared.
    fn set_place(&self, dwarf: &mut DwarfUnit, entry: UnitEntryId, loc: Loc) {
        set_position(dwarf, self.files, entry, (self.unit.position)(loc.0));
    }

    fn member(&self, dwarf: &mut DwarfUnit, record: UnitEntryId, member: &Member) {
        let entry = dwarf.unit.add(record, DW_TAG_member);
        member.name.iter().for_each(|name| set_name(dwarf, entry, name));
        self.set_place(dwarf, entry, member.loc);
        self.set_type(dwarf, entry, member.ty);
        let attributes = dwarf.unit.get_mut(entry);
        match member.bits {
            Some((offset, width)) => {
                attributes.set(DW_AT_bit_size, AttributeValue::Udata(width.into()));
                attributes.set(DW_AT_data_bit_offset, AttributeValue::Udata(offset));
            }
            None => attributes.set(DW_AT_data_member_location, AttributeValue::Udata(member.offset)),
        }
    }
}

/// A name, shared with equal ones.
pub(super) fn set_name(dwarf: &mut DwarfUnit, entry: UnitEntryId, name: &str) {
    let name = dwarf.strings.add(name.as_bytes());
    dwarf.unit.get_mut(entry).set(DW_AT_name, AttributeValue::StringRef(name));
}

/// Where the name of an entry is declared.
pub(super) fn set_position(
    dwarf: &mut DwarfUnit,
    files: &[FileId],
    entry: UnitEntryId,
    position: Option<DebugPosition>,
) {
    if let Some(position) = position
        && let Some(&file) = files.get(position.file as usize)
    {
        let entry = dwarf.unit.get_mut(entry);
        entry.set(DW_AT_decl_file, AttributeValue::FileIndex(Some(file)));
        entry.set(DW_AT_decl_line, AttributeValue::Udata(u64::from(position.line)));
    }
}

fn set_size(dwarf: &mut DwarfUnit, entry: UnitEntryId, size: u64) {
    dwarf.unit.get_mut(entry).set(DW_AT_byte_size, AttributeValue::Udata(size));
}

fn enumerator(dwarf: &mut DwarfUnit, enumeration: UnitEntryId, name: &str, value: i128) {
    let entry = dwarf.unit.add(enumeration, DW_TAG_enumerator);
    set_name(dwarf, entry, name);
    let value = match i64::try_from(value) {
        Ok(value) => AttributeValue::Sdata(value),
        Err(_) => AttributeValue::Udata(value as u64),
    };
    dwarf.unit.get_mut(entry).set(DW_AT_const_value, value);
}

fn tag(ty: &DebugType) -> DwTag {
    match ty {
        DebugType::Base { .. } => DW_TAG_base_type,
        DebugType::Pointer(_) => DW_TAG_pointer_type,
        DebugType::Qualified(Qualifier::Const, _) => DW_TAG_const_type,
        DebugType::Qualified(Qualifier::Volatile, _) => DW_TAG_volatile_type,
        DebugType::Qualified(Qualifier::Restrict, _) => DW_TAG_restrict_type,
        DebugType::Qualified(Qualifier::Atomic, _) => DW_TAG_atomic_type,
        DebugType::Array { .. } => DW_TAG_array_type,
        DebugType::Function { .. } => DW_TAG_subroutine_type,
        DebugType::Record { is_union: true, .. } => DW_TAG_union_type,
        DebugType::Record { .. } => DW_TAG_structure_type,
        DebugType::Enumeration { .. } => DW_TAG_enumeration_type,
        DebugType::Typedef { .. } => DW_TAG_typedef,
    }
}

fn base_encoding(encoding: BaseEncoding) -> DwAte {
    match encoding {
        BaseEncoding::Boolean => DW_ATE_boolean,
        BaseEncoding::Signed => DW_ATE_signed,
        BaseEncoding::Unsigned => DW_ATE_unsigned,
        BaseEncoding::SignedChar => DW_ATE_signed_char,
        BaseEncoding::UnsignedChar => DW_ATE_unsigned_char,
        BaseEncoding::Float => DW_ATE_float,
        BaseEncoding::DecimalFloat => DW_ATE_decimal_float,
        BaseEncoding::ComplexFloat => DW_ATE_complex_float,
    }
}
