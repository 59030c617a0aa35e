//! Types as a debugger sees them: plain data that the front end fills in under `-g` and the object
//! writer turns into DWARF. Nothing in between looks at it.

use crate::Loc;

/// Index of a type in a [`TypeTable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeIndex(pub u32);

/// What a base type's bits mean (DWARF 5, 5.1.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BaseEncoding {
    /// `_Bool`
    Boolean,
    /// Two's complement.
    Signed,
    /// Unsigned integer.
    Unsigned,
    /// Signed integer that shows as a character.
    SignedChar,
    /// Unsigned integer that shows as a character.
    UnsignedChar,
    /// Floating point, format known by its size.
    Float,
    /// Decimal floating point, format known by its size.
    DecimalFloat,
    /// Two floating-point numbers.
    ComplexFloat,
}

/// `const` and its siblings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Qualifier {
    /// `const`
    Const,
    /// `volatile`
    Volatile,
    /// `restrict`
    Restrict,
    /// `_Atomic`
    Atomic,
}

/// A member of a structure or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Name; `None` for anonymous structures and unions.
    pub name: Option<Box<str>>,
    /// Its type.
    pub ty: Option<TypeIndex>,
    /// Bytes from the start of the record.
    pub offset: u64,
    /// First bit, counted from the start of the record, and width, of a bit-field.
    pub bits: Option<(u64, u32)>,
    /// Where its name stands.
    pub loc: Loc,
}

/// One type. `None` as another type stands for `void`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DebugType {
    /// A type without parts.
    Base {
        /// As written in C.
        name: Box<str>,
        /// Bytes.
        size: u64,
        /// Meaning of its bits.
        encoding: BaseEncoding,
    },
    /// Pointer.
    Pointer(Option<TypeIndex>),
    /// Another type, qualified.
    Qualified(Qualifier, Option<TypeIndex>),
    /// Array, or vector.
    Array {
        /// Element type.
        element: Option<TypeIndex>,
        /// Number of elements, if it is constant.
        count: Option<u64>,
        /// Of a variable-length array: the number of the bound, which a variable of the function
        /// has as its own.
        bound: Option<u32>,
        /// A GNU vector.
        vector: bool,
    },
    /// Function.
    Function {
        /// Type of the result.
        result: Option<TypeIndex>,
        /// Types of the parameters.
        parameters: Vec<Option<TypeIndex>>,
        /// `...` follows.
        variadic: bool,
        /// Declared with a prototype.
        prototyped: bool,
    },
    /// Structure or union.
    Record {
        /// Tag.
        name: Option<Box<str>>,
        /// `union`
        is_union: bool,
        /// Bytes and members; `None` while incomplete.
        body: Option<(u64, Vec<Member>)>,
        /// Where the tag stands.
        loc: Loc,
        /// Number of the symbol of the function in whose body it is defined.
        function: Option<u32>,
    },
    /// Enumeration.
    Enumeration {
        /// Tag.
        name: Option<Box<str>>,
        /// The integer type that holds the values.
        underlying: Option<TypeIndex>,
        /// Bytes.
        size: u64,
        /// Enumerators in order.
        values: Vec<(Box<str>, i128)>,
        /// Where the tag stands.
        loc: Loc,
        /// Number of the symbol of the function in whose body it is defined.
        function: Option<u32>,
    },
    /// Name of another type.
    Typedef {
        /// The name.
        name: Box<str>,
        /// What it names.
        ty: Option<TypeIndex>,
        /// Where it is declared.
        loc: Loc,
        /// Number of the symbol of the function in whose body it is declared.
        function: Option<u32>,
    },
}

impl DebugType {
    /// Number of the symbol of the function in whose body a type is defined.
    pub fn function(&self) -> Option<u32> {
        match *self {
            DebugType::Record { function, .. }
            | DebugType::Enumeration { function, .. }
            | DebugType::Typedef { function, .. } => function,
            _ => None,
        }
    }
}

/// All types of a translation unit that something described refers to.
#[derive(Clone, Default, Debug)]
pub struct TypeTable {
    /// The types; an entry may refer to later ones.
    pub types: Vec<DebugType>,
}

impl TypeTable {
    /// Bytes of a type, if they are known.
    pub fn size(&self, ty: TypeIndex) -> Option<u64> {
        let (mut ty, mut count) = (ty, 1u64);
        // As many steps as there are types, at most.
        for _ in 0..=self.types.len() {
            let next = match self.types.get(ty.0 as usize)? {
                DebugType::Base { size, .. } | DebugType::Enumeration { size, .. } => return count.checked_mul(*size),
                DebugType::Pointer(_) => return count.checked_mul(8),
                DebugType::Record { body, .. } => return count.checked_mul(body.as_ref()?.0),
                DebugType::Qualified(_, of) | DebugType::Typedef { ty: of, .. } => *of,
                DebugType::Array { element, count: elements, .. } => {
                    count = count.checked_mul((*elements)?)?;
                    *element
                }
                DebugType::Function { .. } => return None,
            };
            ty = next?;
        }
        None
    }

    /// The places that entries name, but for the compiler's own.
    pub fn places(&self) -> impl Iterator<Item = Loc> {
        let place = |ty: &DebugType| match ty {
            DebugType::Record { loc, .. } | DebugType::Enumeration { loc, .. } | DebugType::Typedef { loc, .. } => {
                Some(*loc)
            }
            _ => None,
        };
        let members = |ty| match ty {
            &DebugType::Record { body: Some((_, ref members)), .. } => &members[..],
            _ => &[],
        };
        let named = self.types.iter().filter_map(place);
        let members = self.types.iter().flat_map(members).map(|member| member.loc);
        named.chain(members).filter(|loc| !loc.is_none())
    }

    /// Adds a type.
    pub fn push(&mut self, ty: DebugType) -> TypeIndex {
        self.types.push(ty);
        TypeIndex(self.types.len() as u32 - 1)
    }
}
