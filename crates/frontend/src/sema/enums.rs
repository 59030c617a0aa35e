//! Enumerations (C23 6.7.3.3) and the type gcc chooses to represent them.

use base::{Loc, Symbol};
use platform::options::Standard;

use super::scope::Tag;
use super::{Sema, lints, types};
use crate::tree::{
    Bits128, Decl, DeclFlags, DeclId, DeclKind, EnumId, EnumInfo, Linkage, StorageDuration, Ty, TypeKind,
};
use cranelift_entity::packed_option::PackedOption;

/// An enumeration whose enumerators are being declared.
pub struct EnumBuilder {
    /// The enumeration.
    pub id: EnumId,
    constants: Vec<(Symbol, i128, DeclId)>,
    next: Option<i128>,
    earlier: Option<EnumId>,
}

/// `enum tag` without a list.
pub fn reference(cx: &mut Sema<'_, '_>, tag: Symbol, fixed: Option<Ty>, declares: bool, loc: Loc) -> Ty {
    let found = if declares { cx.scopes.lookup_tag_here(tag) } else { cx.scopes.lookup_tag(tag) };
    let id = match found {
        Some(Tag::Enum(id)) => id,
        Some(_) => {
            let name = cx.str(tag);
            cx.error(loc, format!("'{name}' defined as wrong kind of tag"));
            cx.new_enum(Some(tag), loc)
        }
        None => {
            if fixed.is_none() {
                cx.pedantic(loc, "ISO C forbids forward references to 'enum' types");
            }
            let id = cx.new_enum(Some(tag), loc);
            cx.scopes.bind_tag(tag, Tag::Enum(id));
            id
        }
    };
    if let Some(fixed) = fixed {
        set_fixed(cx, id, fixed, loc);
    }
    cx.unit.types.intern(TypeKind::Enum(id))
}

fn set_fixed(cx: &mut Sema<'_, '_>, id: EnumId, underlying: Ty, loc: Loc) {
    if !cx.types().is_integer(underlying) || matches!(cx.kind(underlying), TypeKind::Enum(_) | TypeKind::BitInt { .. })
    {
        cx.error(loc, "invalid 'enum' underlying type");
        return;
    }
    let info = &mut cx.unit.types.enums[id];
    if info.fixed && info.underlying != underlying {
        cx.error(loc, "'enum' underlying type changed in redeclaration");
        return;
    }
    info.fixed = true;
    info.complete = true;
    info.underlying = underlying;
}

/// `enum tag {`
pub fn begin(cx: &mut Sema<'_, '_>, tag: Option<Symbol>, fixed: Option<Ty>, loc: Loc) -> EnumBuilder {
    let mut id = None;
    let mut earlier = None;
    if let Some(tag) = tag {
        match cx.scopes.lookup_tag_here(tag) {
            Some(Tag::Enum(found)) => {
                let info = &cx.types().enums[found];
                let name = cx.str(tag);
                if info.being_defined {
                    cx.error(loc, format!("nested redefinition of 'enum {name}'"));
                } else if !info.constants.is_empty() {
                    if cx.since(Standard::C23) {
                        earlier = Some(found);
                    } else {
                        let first = info.loc;
                        let message = format!("redeclaration of 'enum {name}'");
                        cx.sess.error(loc, message).note(first, "originally defined here").emit();
                    }
                } else {
                    id = Some(found);
                }
            }
            Some(_) => {
                let name = cx.str(tag);
                cx.error(loc, format!("'{name}' defined as wrong kind of tag"));
            }
            None => {}
        }
    }
    let id = match id {
        Some(id) => id,
        None => {
            super::records::tag_in_parameter_list(cx, "enum", tag, loc);
            let id = cx.new_enum(tag, loc);
            if let Some(tag) = tag
                && earlier.is_none()
            {
                cx.scopes.bind_tag(tag, Tag::Enum(id));
            }
            id
        }
    };
    if let Some(fixed) = fixed {
        set_fixed(cx, id, fixed, loc);
    }
    let info = &mut cx.unit.types.enums[id];
    info.being_defined = true;
    info.loc = loc;
    EnumBuilder { id, constants: Vec::new(), next: Some(0), earlier }
}

/// Declares an enumerator with an explicit value, or the successor of the one before it.
pub fn add(cx: &mut Sema<'_, '_>, builder: &mut EnumBuilder, name: Symbol, value: Option<(i128, Ty)>, loc: Loc) {
    let fixed = cx.types().enums[builder.id].fixed;
    let underlying = cx.types().enums[builder.id].underlying;
    let (value, ty) = match value {
        Some((value, ty)) => (value, Some(ty)),
        None => match builder.next {
            Some(value) => (value, None),
            None => {
                cx.error(loc, "overflow in enumeration values");
                (0, None)
            }
        },
    };
    if fixed {
        let info = cx.types().int_info(underlying);
        if info.is_some_and(|i| !super::constants::integers::fits(value, i)) {
            cx.error(loc, "enumerator value outside the range of underlying type");
        }
    } else if !(i32::MIN as i128..=i32::MAX as i128).contains(&value) && !cx.since(Standard::C23) {
        cx.pedantic(loc, "ISO C restricts enumerator values to range of 'int'");
    }
    // While the list is open a constant has type `int`, or the type of its value if that does not
    // fit.
    let decl_ty = if fixed {
        cx.unit.types.intern(TypeKind::Enum(builder.id))
    } else if (i32::MIN as i128..=i32::MAX as i128).contains(&value) {
        Ty::INT
    } else {
        ty.filter(|&t| cx.types().int_info(t).is_some_and(|i| i.bits >= 32)).unwrap_or_else(|| smallest_type(value))
    };
    if let Some(previous) = cx.scopes.lookup_here(name) {
        let text = cx.str(name);
        let previous_decl = cx.unit.decls[previous];
        if previous_decl.kind == DeclKind::EnumConstant {
            let same = builder.earlier.is_some() && previous_decl.value.signed() == value;
            if !same {
                let message = format!("redeclaration of enumerator '{text}'");
                cx.sess.error(loc, message).note(previous_decl.loc, format!("previous definition of '{text}'")).emit();
            }
        } else {
            let message = format!("'{text}' redeclared as different kind of symbol");
            cx.sess.error(loc, message).note(previous_decl.loc, format!("previous declaration of '{text}'")).emit();
        }
    }
    let decl = cx.unit.decls.push(Decl {
        name: Some(name),
        kind: DeclKind::EnumConstant,
        ty: decl_ty.plain(),
        written: decl_ty.plain(),
        loc,
        linkage: Linkage::None,
        duration: StorageDuration::None,
        flags: DeclFlags::default(),
        align: 0,
        attrs: PackedOption::default(),
        asm_name: None,
        builtin: None,
        value: Bits128::new(value as u128),
        function: PackedOption::default(),
    });
    lints::declared(cx, decl);
    cx.scopes.bind(name, decl);
    builder.constants.push((name, value, decl));
    // Before C23 the next value is computed in `int`, or in the type of one that does not fit it
    // (gcc).
    let last = match smallest_type(value) {
        _ if cx.since(Standard::C23) => false,
        Ty::INT => value == i32::MAX as i128,
        Ty::UINT => value == u32::MAX as i128 && decl_ty == Ty::UINT,
        Ty::LONG => value == i64::MAX as i128,
        _ => false,
    };
    builder.next = value.checked_add(1).filter(|&n| n <= u64::MAX as i128 && !last);
}

fn smallest_type(value: i128) -> Ty {
    match value {
        _ if (i32::MIN as i128..=i32::MAX as i128).contains(&value) => Ty::INT,
        _ if (0..=u32::MAX as i128).contains(&value) => Ty::UINT,
        _ if (i64::MIN as i128..=i64::MAX as i128).contains(&value) => Ty::LONG,
        _ => Ty::ULONG,
    }
}

/// The list is closed: chooses the representation. `unsigned int` unless a value is negative or
/// large (gcc; the standard leaves it open), the smallest that fits under `packed` and
/// `-fshort-enums`.
pub fn finish(cx: &mut Sema<'_, '_>, builder: EnumBuilder, packed: bool, mode: Option<Symbol>, loc: Loc) -> Ty {
    let EnumBuilder { id, constants, earlier, .. } = builder;
    if constants.is_empty() {
        cx.error(loc, "empty enum is invalid");
    }
    let low = constants.iter().map(|c| c.1).min().unwrap_or(0);
    let high = constants.iter().map(|c| c.1).max().unwrap_or(0);
    let packed = packed || cx.lang.short_enums;
    let fixed = cx.types().enums[id].fixed;
    if !fixed {
        let signed = low < 0;
        let sizes: &[u64] = if packed { &[1, 2, 4, 8] } else { &[4, 8] };
        let fits = |bytes: u64| {
            let bits = bytes as u32 * 8;
            if signed { low >= -(1 << (bits - 1)) && high < 1 << (bits - 1) } else { high < 1 << bits }
        };
        let size = sizes.iter().copied().find(|&s| fits(s));
        if size.is_none() {
            cx.sess.warn_always(loc, "enumeration values exceed range of largest integer").emit();
        }
        let mut underlying = types::int_of_size(size.unwrap_or(8), signed).unwrap_or(Ty::INT);
        if let Some(mode) = mode {
            let asked = super::attributes::apply_mode(cx, underlying.plain(), mode, loc).ty();
            match cx.types().size_of(asked) {
                Some(bytes) if bytes <= 8 && !fits(bytes) => {
                    cx.error(loc, "specified mode too small for enumerated values");
                }
                _ => underlying = asked,
            }
        }
        cx.unit.types.enums[id].underlying = underlying;
    }
    let enum_ty = cx.unit.types.intern(TypeKind::Enum(id));
    // Values beyond `int` give all constants the enumeration's type (C23; gcc gives them the
    // underlying type before).
    let wide = low < i32::MIN as i128 || high > i32::MAX as i128;
    for &(_, value, decl) in &constants {
        let fits_int = (i32::MIN as i128..=i32::MAX as i128).contains(&value);
        cx.unit.decls[decl].written = enum_ty.plain();
        if !fixed && wide {
            let c23 = cx.since(Standard::C23);
            let underlying = cx.types().enums[id].underlying;
            if c23 {
                cx.unit.decls[decl].ty = enum_ty.plain();
            } else if !fits_int {
                cx.unit.decls[decl].ty = underlying.plain();
            }
        }
    }
    let info = &mut cx.unit.types.enums[id];
    info.packed = packed;
    info.constants = constants.iter().map(|c| (c.0, c.1)).collect();
    info.complete = true;
    info.being_defined = false;
    if let (Some(first), Some(last)) = (constants.first(), constants.last()) {
        lints::enumeration_finished(cx, id, first.2, last.2);
    }
    if let Some(earlier) = earlier {
        let same = cx.types().enums[earlier].constants == cx.types().enums[id].constants;
        if same {
            cx.unit.types.enums[id].same_as = Some(earlier);
        } else {
            let first = cx.types().enums[earlier].loc;
            let name = cx.types().enums[id].tag.map_or("", |t| cx.str(t));
            let message = format!("redeclaration of 'enum {name}'");
            cx.sess.error(loc, message).note(first, "originally defined here").emit();
        }
    }
    enum_ty
}

/// Bits that hold every value of the enumeration, for bit-field warnings.
pub fn bits_needed(info: &EnumInfo) -> u32 {
    let low = info.constants.iter().map(|c| c.1).min().unwrap_or(0);
    let high = info.constants.iter().map(|c| c.1).max().unwrap_or(0);
    let unsigned_bits = 128 - (high.max(0) as u128).leading_zeros();
    if low < 0 { (unsigned_bits + 1).max(129 - (!low as u128).leading_zeros()) } else { unsigned_bits }
}
