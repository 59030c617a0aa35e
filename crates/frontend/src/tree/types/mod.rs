//! C types, interned.
//!
//! A [`Ty`] is a handle into [`Types`]; equal handles are identical types, so comparing types is
//! comparing integers. Qualifiers sit beside the handle in [`QualType`] (four bits), `_Atomic`
//! among them, as in gcc. Structures, unions and enumerations are nominal: their handle names an
//! entry of a table that is filled in when the definition is complete, so a handle made from an
//! incomplete type stays valid.
//!
//! An `aligned(N)` or `may_alias` attribute on a typedef makes a *variant*: a type of the same kind
//! with another [`Types::canonical`] handle. Variants behave alike everywhere but in alignment and
//! aliasing; compatibility is decided on canonical handles. So is the reversed storage order of a
//! structure's scalars ([`Types::with_reversed`]), which only types of lvalues have.
//!
//! A type with typedef names in it is a type *as written*; see [`typedefs`]. It stands beside the
//! plain type, in a `written` field, and is for messages and debug information only.
//!
//! Invariant: [`Types::kind`] never answers with a typedef or another piece of sugar; every `match`
//! on it is complete.

mod basic;
mod classes;
mod kinds;
mod qual_type;
mod typedefs;

use std::collections::hash_map::Entry;

use cranelift_entity::PrimaryMap;
use platform::data_layout::Layout;
use rustc_hash::FxHashMap;

use super::records::{EnumInfo, Record};
use basic::BASIC;
pub use kinds::*;
pub use qual_type::{QualType, Quals, Ty};
pub use typedefs::{Typedef, TypedefId};

/// What tells variants of one kind apart; see [`TypeData`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Variant {
    align: u8,
    may_alias: bool,
    reversed: bool,
    /// Number of the typedef whose name this is, from 1; 0 for none.
    typedef: u32,
}

#[derive(Clone, Copy)]
struct TypeData {
    kind: TypeKind,
    /// log2 of the alignment plus one, 0 when it is the kind's own.
    align: u8,
    may_alias: bool,
    reversed: bool,
    variably_modified: bool,
    typedef: u32,
    canonical: Ty,
    /// The type without typedef names, at any depth.
    bare: Ty,
    /// Handle of the pointer to this type, unqualified; `Ty::ERROR` until asked for.
    pointer: Ty,
    /// Layout of the kind where nothing can change it: of scalars but enumerations, and of an array
    /// of constant length whose elements were complete when it was made, so that each of many
    /// dimensions is looked at once, not once for every dimension around it.
    layout: Option<Layout>,
    /// Of an integer type that is no enumeration.
    int: Option<IntInfo>,
}

/// All types of a translation unit.
pub struct Types {
    data: Vec<TypeData>,
    map: FxHashMap<(TypeKind, Variant), Ty>,
    signatures: PrimaryMap<SignatureId, Signature>,
    signature_map: FxHashMap<Signature, SignatureId>,
    typedefs: PrimaryMap<TypedefId, Typedef>,
    /// Structures and unions.
    pub records: PrimaryMap<RecordId, Record>,
    /// Enumerations.
    pub enums: PrimaryMap<EnumId, EnumInfo>,
    vlas: u32,
    /// Plain `char` is signed.
    pub char_signed: bool,
    /// A structure or union of variable size has been declared.
    pub has_variable_records: bool,
    /// There is a `_BitInt` wider than 128 bits.
    pub has_wide_bit_int: bool,
    /// There is a type in reversed storage order.
    has_reversed: bool,
    /// Vectors are values of the function that is being lowered: its code may use SSE registers.
    pub vectors_in_registers: bool,
}

impl Types {
    /// The basic types, and nothing else.
    pub fn new(char_signed: bool) -> Types {
        let mut types = Types {
            data: Vec::with_capacity(1024),
            map: FxHashMap::default(),
            signatures: PrimaryMap::new(),
            signature_map: FxHashMap::default(),
            typedefs: PrimaryMap::new(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
            vlas: 0,
            has_variable_records: false,
            has_wide_bit_int: false,
            has_reversed: false,
            vectors_in_registers: true,
            char_signed,
        };
        for (index, &kind) in BASIC.iter().enumerate() {
            let ty = types.intern(kind);
            debug_assert_eq!(ty.0 as usize, index);
        }
        types
    }

    /// The handle of `kind`.
    pub fn intern(&mut self, kind: TypeKind) -> Ty {
        self.intern_variant(kind, Variant::default())
    }

    fn intern_variant(&mut self, kind: TypeKind, variant: Variant) -> Ty {
        if let Some(&ty) = self.map.get(&(kind, variant)) {
            return ty;
        }
        self.has_reversed |= variant.reversed;
        self.has_wide_bit_int |= matches!(kind, TypeKind::BitInt { bits: 129.., .. });
        let plain = variant == Variant::default();
        let bare = self.bare_variant(kind, variant);
        let canonical = match bare {
            Some(bare) => Some(self.canonical(bare)),
            None if plain => None,
            None => Some(self.intern(kind)),
        };
        let ty = Ty(self.data.len() as u32);
        let (canonical, bare) = (canonical.unwrap_or(ty), bare.unwrap_or(ty));
        let variably_modified = self.kind_is_variably_modified(kind);
        let layout = match kind {
            TypeKind::Array { len: ArrayLen::Constant(_), .. } => self.layout_of_kind(kind),
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::BitInt { .. } => self.layout_of_kind(kind),
            TypeKind::Float(_) | TypeKind::Pointer(_) | TypeKind::NullPtr => self.layout_of_kind(kind),
            _ => None,
        };
        let int = self.int_info_of_kind(kind);
        let Variant { align, may_alias, reversed, typedef } = variant;
        let pointer = Ty::ERROR;
        self.data.push(TypeData {
            kind,
            align,
            may_alias,
            reversed,
            variably_modified,
            typedef,
            canonical,
            bare,
            pointer,
            layout,
            int,
        });
        self.map.insert((kind, variant), ty);
        ty
    }

    fn variant(&self, ty: Ty) -> Variant {
        let TypeData { align, may_alias, reversed, typedef, .. } = self.data[ty.0 as usize];
        Variant { align, may_alias, reversed, typedef }
    }

    fn kind_is_variably_modified(&self, kind: TypeKind) -> bool {
        let of = |q: QualType| self.data[q.ty().0 as usize].variably_modified;
        match kind {
            TypeKind::Pointer(pointee) => of(pointee),
            TypeKind::Array { elem, len } => matches!(len, ArrayLen::Variable(_) | ArrayLen::Star) || of(elem),
            TypeKind::Function(signature) => of(self.signatures[signature].ret),
            _ => false,
        }
    }

    /// What the type is.
    #[inline]
    pub fn kind(&self, ty: Ty) -> TypeKind {
        self.data[ty.0 as usize].kind
    }

    /// What the type is, whatever its qualifiers.
    #[inline]
    pub fn qkind(&self, ty: QualType) -> TypeKind {
        self.kind(ty.ty())
    }

    /// The type without alignment and aliasing attributes, and without names of typedefs.
    #[inline]
    pub fn canonical(&self, ty: Ty) -> Ty {
        self.data[ty.0 as usize].canonical
    }

    /// The layout of a scalar or of an array of constant length, without the alignment an attribute
    /// gave it, if it was known when the type was made.
    #[inline]
    pub(in crate::tree) fn known_layout(&self, ty: Ty) -> Option<Layout> {
        self.data[ty.0 as usize].layout
    }

    /// The alignment an attribute gave this variant, in bytes.
    pub fn declared_align(&self, ty: Ty) -> Option<u32> {
        match self.data[ty.0 as usize].align {
            0 => None,
            log => Some(1 << (log - 1)),
        }
    }

    /// Accesses through this type alias everything, like `char`'s.
    pub fn may_alias(&self, ty: Ty) -> bool {
        self.data[ty.0 as usize].may_alias
    }

    /// The variant of `ty` with alignment `align` bytes, a power of two.
    pub fn with_align(&mut self, ty: Ty, align: u32) -> Ty {
        let variant = Variant { align: align.trailing_zeros() as u8 + 1, ..self.variant(ty) };
        self.intern_variant(self.kind(ty), variant)
    }

    /// The variant of `ty` that aliases everything.
    pub fn with_may_alias(&mut self, ty: Ty) -> Ty {
        let variant = Variant { may_alias: true, ..self.variant(ty) };
        self.intern_variant(self.kind(ty), variant)
    }

    /// Objects of this scalar type have the most significant byte first: members of structures with
    /// `scalar_storage_order("big-endian")`, and the elements of arrays in them.
    #[inline]
    pub fn is_reversed(&self, ty: Ty) -> bool {
        self.data[ty.0 as usize].reversed
    }

    /// The variant with reversed storage order of a scalar type, or of the elements of an array of
    /// such. Other types, pointers and vectors among them, have only the order of the machine.
    pub fn with_reversed(&mut self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TypeKind::Array { elem, len } => {
                let elem = QualType::new(self.with_reversed(elem.ty()), elem.quals());
                let variant = self.variant(ty);
                self.intern_variant(TypeKind::Array { elem, len }, variant)
            }
            kind if self.is_arithmetic(ty) => {
                let variant = Variant { reversed: true, ..self.variant(ty) };
                self.intern_variant(kind, variant)
            }
            _ => ty,
        }
    }

    /// The type with the storage order of the machine, also of an array's elements and of what a
    /// pointer points to.
    pub fn with_native(&mut self, ty: Ty) -> Ty {
        if !self.has_reversed {
            return ty;
        }
        let variant = Variant { reversed: false, ..self.variant(ty) };
        match self.kind(ty) {
            TypeKind::Array { elem, len } if self.holds_reversed(elem.ty()) => {
                let elem = QualType::new(self.with_native(elem.ty()), elem.quals());
                self.intern_variant(TypeKind::Array { elem, len }, variant)
            }
            TypeKind::Pointer(pointee) if self.holds_reversed(pointee.ty()) => {
                let pointee = QualType::new(self.with_native(pointee.ty()), pointee.quals());
                self.intern_variant(TypeKind::Pointer(pointee), variant)
            }
            kind if self.is_reversed(ty) => self.intern_variant(kind, variant),
            _ => ty,
        }
    }

    /// A scalar in reversed storage order, or an array of such.
    pub fn holds_reversed(&self, mut ty: Ty) -> bool {
        while let TypeKind::Array { elem, .. } = self.kind(ty) {
            ty = elem.ty();
        }
        self.is_reversed(ty)
    }

    /// Pointer to `pointee`.
    pub fn pointer_to(&mut self, pointee: QualType) -> Ty {
        if !pointee.quals().is_empty() {
            return self.intern(TypeKind::Pointer(pointee));
        }
        let index = pointee.ty().0 as usize;
        let cached = self.data[index].pointer;
        if cached != Ty::ERROR {
            return cached;
        }
        let pointer = self.intern(TypeKind::Pointer(pointee));
        self.data[index].pointer = pointer;
        pointer
    }

    /// Array of `elem` with `len` elements.
    pub fn array_of(&mut self, elem: QualType, len: ArrayLen) -> Ty {
        self.intern(TypeKind::Array { elem, len })
    }

    /// Vector of `lanes` elements.
    pub fn vector_of(&mut self, elem: Ty, lanes: u32) -> Ty {
        self.intern(TypeKind::Vector { elem, lanes })
    }

    /// Complex type with parts of type `elem`.
    pub fn complex_of(&mut self, elem: Ty) -> Ty {
        self.intern(TypeKind::Complex(elem))
    }

    /// Function type.
    pub fn function(&mut self, signature: Signature) -> Ty {
        let id = match self.signature_map.entry(signature) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                let id = self.signatures.push(new.key().clone());
                *new.insert(id)
            }
        };
        self.intern(TypeKind::Function(id))
    }

    /// The signature of a handle.
    pub fn signature(&self, id: SignatureId) -> &Signature {
        &self.signatures[id]
    }

    /// The handle of the signature of a function type, or of the function a pointer points to.
    pub fn signature_id(&self, ty: Ty) -> Option<SignatureId> {
        match self.kind(ty) {
            TypeKind::Function(id) => Some(id),
            TypeKind::Pointer(pointee) => match self.qkind(pointee) {
                TypeKind::Function(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The signature of a function type, or of the function a pointer points to.
    pub fn signature_of(&self, ty: Ty) -> Option<&Signature> {
        self.signature_id(ty).map(|id| &self.signatures[id])
    }

    /// A fresh variable-length bound.
    pub fn new_vla(&mut self) -> VlaId {
        self.vlas += 1;
        VlaId(self.vlas - 1)
    }

    /// Number of [`VlaId`]s handed out.
    pub fn vla_count(&self) -> usize {
        self.vlas as usize
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: Ty) -> Option<QualType> {
        match self.kind(ty) {
            TypeKind::Pointer(pointee) => Some(pointee),
            _ => None,
        }
    }

    /// Element type of an array, with the array's qualifiers pushed down to it.
    pub fn array_element(&self, array: QualType) -> Option<QualType> {
        match self.qkind(array) {
            TypeKind::Array { elem, .. } => Some(elem.with(array.quals())),
            _ => None,
        }
    }

    /// The structure or union of a type.
    pub fn record_of(&self, ty: Ty) -> Option<&Record> {
        match self.kind(ty) {
            TypeKind::Record(id) => Some(&self.records[id]),
            _ => None,
        }
    }

    /// The type that holds the values of `ty` if it is an enumeration, `ty` itself otherwise.
    pub fn strip_enum(&self, ty: Ty) -> Ty {
        match self.kind(ty) {
            TypeKind::Enum(id) => self.enums[id].underlying,
            _ => self.canonical(ty),
        }
    }

    /// Number of types interned; handles are below it.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Never: the basic types are always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}
