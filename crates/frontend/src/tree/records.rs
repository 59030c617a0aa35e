//! Structures, unions and enumerations: the tables of [`RecordId`] and [`EnumId`].
//!
//! Offsets and sizes are filled in by `sema::records` when the closing brace is reached; until then
//! `complete` is false.

use base::{Loc, Symbol};
use smallvec::SmallVec;

use super::types::{EnumId, QualType, RecordId, Ty, TypeKind, Types, VlaId};

/// `struct` or `union`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

impl RecordKind {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            RecordKind::Struct => "struct",
            RecordKind::Union => "union",
        }
    }
}

/// A structure or union type.
#[derive(Clone, Debug)]
pub struct Record {
    /// Tag, if it has one.
    pub tag: Option<Symbol>,
    /// `struct` or `union`.
    pub kind: RecordKind,
    /// The member list has been seen and the layout is final.
    pub complete: bool,
    /// The member list is being parsed: a nested definition of the same tag is an error.
    pub being_defined: bool,
    /// Members in order, unnamed bit-fields included.
    pub fields: Vec<Field>,
    /// Bytes, a multiple of `align`; a flexible array member adds nothing.
    pub size: u64,
    /// Bytes.
    pub align: u32,
    /// The size in bytes, where a member's is known only at run time (GNU); `size` means nothing
    /// then.
    pub size_vla: Option<VlaId>,
    /// The last member is an array without a length.
    pub has_flexible_array: bool,
    /// A member, at any depth, is `const`: the record is not a modifiable lvalue.
    pub has_const_member: bool,
    /// A member, at any depth, is `volatile`.
    pub has_volatile_member: bool,
    /// `__attribute__((transparent_union))`
    pub transparent: bool,
    /// `packed` on the record as a whole.
    pub packed: bool,
    /// `aligned` on the record as a whole, in bytes; 0 for none.
    pub declared_align: u32,
    /// An earlier definition of the same tag with the same members: one type with it from C23 on.
    pub same_as: Option<RecordId>,
    /// Where the tag, or the keyword of an untagged record, stands.
    pub loc: Loc,
    /// Index of the declaration of the function in whose body it is declared.
    pub function: Option<u32>,
    /// `typedef struct {...} T`: the name diagnostics use for a record without a tag.
    pub typedef_name: Option<Symbol>,
}

/// A member of a structure or union.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name; `None` for anonymous structures and unions and for unnamed bit-fields.
    pub name: Option<Symbol>,
    /// Declared type (of a bit-field: before narrowing to its width).
    pub ty: QualType,
    /// The declared type as written.
    pub written: QualType,
    /// Bytes from the start of the record; of a bit-field, of the byte that holds its first bit.
    pub offset: u64,
    /// Added to the offset (and to the position of a bit-field) at run time: a member of variable
    /// size comes before.
    pub offset_vla: Option<VlaId>,
    /// Present for bit-fields.
    pub bits: Option<BitField>,
    /// Alignment from `aligned`/`_Alignas` in bytes, 0 for none.
    pub declared_align: u32,
    /// `packed` on the member or on its record.
    pub packed: bool,
    /// `nonstring`: an array of characters without a nul at its end.
    pub nonstring: bool,
    /// Where the member's name stands.
    pub loc: Loc,
}

/// Position of a bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BitField {
    /// Bits from the start of the record to the least significant bit (little-endian bit order).
    pub bit_offset: u64,
    /// Number of bits; 0 only in unnamed members.
    pub width: u32,
    /// First byte of the memory location the field belongs to: a maximal run of adjacent bit-fields
    /// (C23 3.18). An access may touch any byte of `run_start..run_end` and nothing else.
    pub run_start: u64,
    /// One past the run's last byte.
    pub run_end: u64,
}

impl Record {
    /// Member `index`.
    pub fn field(&self, index: u32) -> &Field {
        &self.fields[index as usize]
    }

    /// Members that an initialiser without designators visits: all but unnamed bit-fields.
    pub fn is_initialisable(&self, index: usize) -> bool {
        let field = &self.fields[index];
        field.name.is_some() || field.bits.is_none()
    }
}

/// An enumerated type.
#[derive(Clone, Debug)]
pub struct EnumInfo {
    /// Tag, if it has one.
    pub tag: Option<Symbol>,
    /// The closing brace, or a fixed underlying type, has been seen.
    pub complete: bool,
    /// The enumerators are being parsed.
    pub being_defined: bool,
    /// The integer type that represents the values; `unsigned int` while incomplete, as in gcc.
    pub underlying: Ty,
    /// `enum E : type` (C23 6.7.3.3).
    pub fixed: bool,
    /// `flag_enum`, `packed`: the smallest type is used.
    pub packed: bool,
    /// An earlier definition of the same tag with the same enumerators (C23).
    pub same_as: Option<EnumId>,
    /// Enumerators in order, for debug information and switch warnings.
    pub constants: Vec<(Symbol, i128)>,
    /// Where the tag or keyword stands.
    pub loc: Loc,
    /// Index of the declaration of the function in whose body it is declared.
    pub function: Option<u32>,
    /// `typedef enum {...} T`.
    pub typedef_name: Option<Symbol>,
}

/// Indices of the members to walk from a record to a named member; more than one when anonymous
/// members lie between.
pub type FieldPath = SmallVec<[u32; 4]>;

impl Types {
    /// Finds the unnamed member of a structure type, looking into anonymous structures and unions
    /// (Plan 9: a typedef's name stands for it).
    pub fn find_unnamed(&self, record: RecordId, wanted: RecordId) -> Option<FieldPath> {
        for (index, field) in self.records[record].fields.iter().enumerate() {
            if field.name.is_some() || field.bits.is_some() {
                continue;
            }
            let TypeKind::Record(inner) = self.qkind(field.ty) else { continue };
            if inner == wanted {
                return Some(FieldPath::from_slice(&[index as u32]));
            }
            if let Some(mut path) = self.find_unnamed(inner, wanted) {
                path.insert(0, index as u32);
                return Some(path);
            }
        }
        None
    }

    /// Finds a member by name, looking into anonymous structures and unions (C23 6.7.3.2 paragraph
    /// 15).
    pub fn find_field(&self, record: RecordId, name: Symbol) -> Option<FieldPath> {
        let fields = &self.records[record].fields;
        if let Some(index) = fields.iter().position(|f| f.name == Some(name)) {
            return Some(FieldPath::from_slice(&[index as u32]));
        }
        for (index, field) in fields.iter().enumerate() {
            if field.name.is_none()
                && field.bits.is_none()
                && let TypeKind::Record(inner) = self.qkind(field.ty)
                && let Some(mut path) = self.find_field(inner, name)
            {
                path.insert(0, index as u32);
                return Some(path);
            }
        }
        None
    }
}
