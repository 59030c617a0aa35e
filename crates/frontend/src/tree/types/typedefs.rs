//! Types as written: with the names of typedefs.
//!
//! A typedef's name is a variant of the type it names, of the same kind, so that all questions
//! about a type have the same answer with and without names. A pointer, array or function that is
//! derived from such a type is a type as written, too. [`Types::bare`] is the plain type of each,
//! found when the type is made. Only plain types are compared, laid out and lowered: declarations
//! and expressions hold both.

use std::cmp::Ordering;

use base::{Loc, Symbol};
use cranelift_entity::entity_impl;

use super::{QualType, Signature, Ty, TypeKind, Types, Variant};

/// Handle of a typedef.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypedefId(u32);
entity_impl!(TypedefId, "typedef");

/// A typedef, as far as types know it.
#[derive(Clone, Copy, Debug)]
pub struct Typedef {
    /// Its name.
    pub name: Symbol,
    /// What it names, as written.
    pub ty: QualType,
    /// Where it is declared; [`Loc::NONE`] for the compiler's own.
    pub loc: Loc,
    /// Index of the declaration of the function in whose body it is declared.
    pub function: Option<u32>,
}

impl Types {
    /// The plain type behind names of typedefs at any depth.
    #[inline]
    pub fn bare_ty(&self, ty: Ty) -> Ty {
        self.data[ty.0 as usize].bare
    }

    /// The plain type behind names of typedefs at any depth, with its qualifiers. Those of a named
    /// array type are its element's.
    #[inline]
    pub fn bare(&mut self, ty: QualType) -> QualType {
        let bare = self.data[ty.ty().0 as usize].bare;
        if bare != ty.ty() && !ty.quals().is_empty() {
            return self.bare_qualified(bare, ty);
        }
        QualType::new(bare, ty.quals())
    }

    fn bare_qualified(&mut self, bare: Ty, ty: QualType) -> QualType {
        match self.kind(bare) {
            TypeKind::Array { elem, len } => {
                let elem = self.bare_qualified(elem.ty(), elem.with(ty.quals()));
                let variant = self.variant(bare);
                self.intern_variant(TypeKind::Array { elem, len }, variant).plain()
            }
            _ => QualType::new(bare, ty.quals()),
        }
    }

    /// `written`, if `ty` is its plain type, and `ty` if not: an error or an initialiser may have
    /// given an object another type than was written.
    pub fn written_as(&self, written: QualType, ty: QualType) -> QualType {
        let (mut a, mut b) = (written, ty);
        loop {
            if self.bare_ty(a.ty()) == b.ty() {
                return if a.quals() == b.quals() { written } else { ty };
            }
            // The qualifiers of a named array type are its element's.
            match (self.kind(a.ty()), self.kind(b.ty())) {
                (TypeKind::Array { elem, len }, TypeKind::Array { elem: other, len: count }) if len == count => {
                    (a, b) = (elem.with(a.quals()), other.with(b.quals()));
                }
                _ => return ty,
            }
        }
    }

    /// The type whose name a type bears, without qualifiers: gcc's main variant.
    pub fn main_variant(&self, ty: QualType) -> QualType {
        let mut ty = ty.unqualified();
        while let Some(typedef) = self.typedef_of(ty.ty()) {
            ty = typedef.ty.unqualified();
        }
        ty
    }

    /// The main variant of the elements of an array type as written; their plain type is `elem`.
    pub fn element_as_written(&self, array: QualType, elem: QualType) -> QualType {
        match self.array_element(array) {
            Some(written) if written != elem => self.main_variant(written),
            _ => elem,
        }
    }

    /// The type of an operator whose operands have the types `a` and `b` as written and are
    /// converted to `common`, where that is the type of one of them (gcc's `c_common_type`).
    pub fn common_as_written(&self, a: QualType, b: QualType, common: Ty) -> QualType {
        let (a, b) = (a.unqualified(), b.unqualified());
        let plain = common.plain();
        let names = |ty: QualType| ty != plain && self.bare_ty(ty.ty()) == common;
        if !names(a) && !names(b) || a == b {
            return if a == b && names(a) { a } else { plain };
        }
        let chosen = match (self.int_info(a.ty()), self.int_info(b.ty()), self.int_info(common)) {
            (Some(m), Some(n), _) => match m.bits.max(32).cmp(&n.bits.max(32)) {
                Ordering::Greater => a,
                Ordering::Less => b,
                // `long` and `long long` win by what they are.
                Ordering::Equal if m.bits == 64 => plain,
                Ordering::Equal if m.bits >= 32 && !m.signed => a,
                Ordering::Equal => b,
            },
            (None, Some(_), _) => a,
            (Some(_), None, _) => b,
            _ => match self.size_of(a).cmp(&self.size_of(b)) {
                Ordering::Greater => a,
                Ordering::Less => b,
                Ordering::Equal => plain,
            },
        };
        if names(chosen) { chosen } else { plain }
    }

    /// Adds a typedef; the type that bears its name.
    pub fn new_typedef(&mut self, typedef: Typedef) -> QualType {
        let ty = typedef.ty;
        if self.is_error(ty.ty()) {
            return ty;
        }
        let id = self.typedefs.push(typedef);
        let variant = Variant { typedef: id.0 + 1, ..self.variant(ty.ty()) };
        QualType::new(self.intern_variant(self.kind(ty.ty()), variant), ty.quals())
    }

    /// The typedef whose name the type bears.
    #[inline]
    pub fn typedef_of(&self, ty: Ty) -> Option<&Typedef> {
        match self.data[ty.0 as usize].typedef {
            0 => None,
            index => Some(&self.typedefs[TypedefId(index - 1)]),
        }
    }

    /// The plain type of a variant of `kind`, if it is another one.
    pub(super) fn bare_variant(&mut self, kind: TypeKind, variant: Variant) -> Option<Ty> {
        let bare = |types: &Types, ty: QualType| QualType::new(types.bare_ty(ty.ty()), ty.quals());
        let bare_kind = match kind {
            TypeKind::Pointer(pointee) => TypeKind::Pointer(self.bare(pointee)),
            TypeKind::Array { elem, len } => TypeKind::Array { elem: self.bare(elem), len },
            TypeKind::Complex(part) => TypeKind::Complex(self.bare_ty(part)),
            TypeKind::Vector { elem, lanes } => TypeKind::Vector { elem: self.bare_ty(elem), lanes },
            TypeKind::Function(id) => {
                let signature = &self.signatures[id];
                let is_bare = |ty: &QualType| bare(self, *ty) == *ty;
                if is_bare(&signature.ret) && signature.params.iter().all(is_bare) {
                    kind
                } else {
                    let params = signature.params.iter().map(|&param| bare(self, param)).collect();
                    let signature = Signature { ret: bare(self, signature.ret), params, ..*signature };
                    let function = self.function(signature);
                    self.kind(function)
                }
            }
            _ => kind,
        };
        let bare_variant = Variant { typedef: 0, ..variant };
        (bare_kind != kind || bare_variant != variant).then(|| self.intern_variant(bare_kind, bare_variant))
    }
}
