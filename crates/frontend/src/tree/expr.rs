//! Expressions.
//!
//! Everything implicit in C is explicit here: each operand has exactly the type its operator works
//! on, each load of an object is a [`CastKind::LvalueToRvalue`], each address computation carries
//! its element size. Constant subexpressions are folded while the tree is built, so an integer
//! constant expression is always a single [`ExprKind::Int`].
//!
//! Invariants, for every node that does not contain [`ExprKind::Error`]:
//! - the operands of [`ExprKind::Binary`] have the same canonical type, except for shifts (each
//!   operand promoted on its own) and comparisons (the result is `int`, or a vector of signed
//!   integers);
//! - conditions (`if`, loops, `!`, `&&`, `||`, `?:`) are of type `_Bool`, the result of
//!   [`CastKind::ToBool`] or of a comparison's conversion;
//! - rvalues have unqualified types, and never array or function type.

use base::{Loc, Symbol};
use cranelift_entity::entity_impl;

use super::builtins::{AtomicOp, Builtin, MemoryOrder};
use super::decls::DeclId;
use super::init::{Initializer, StringLit};
use super::stmt::{LabelId, Stmt};
use super::types::{FloatFormat, QualType, RecordId, Ty, VlaId};

/// An expression in an arena.
pub type ExprRef<'a> = &'a Expr<'a>;

/// An expression: what it is, its type and value category, where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Expr<'a> {
    /// The operation and its operands.
    pub kind: ExprKind<'a>,
    /// Type; qualified only for lvalues.
    pub ty: QualType,
    /// The type as written, for messages: `ty` is its plain type.
    pub written: QualType,
    /// Location of the operator, or of the first token of a primary expression.
    pub loc: Loc,
    /// Rvalue, lvalue...
    pub cat: Category,
    /// Facts about the source form, for sema's own use.
    pub flags: ExprFlags,
}

/// Value category (C23 6.3.2.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Category {
    /// A value.
    Rvalue,
    /// Designates an object with an address.
    Lvalue,
    /// An lvalue without an address: a bit-field. The node is [`ExprKind::Member`].
    BitField,
    /// An lvalue without an address of its own: an element of a vector, or a part of a complex
    /// object.
    Element,
    /// Designates a function.
    Function,
}

/// Facts about how an expression was written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash, Debug)]
pub struct ExprFlags(pub u8);

impl ExprFlags {
    /// No fact.
    pub const NONE: ExprFlags = ExprFlags(0);
    /// Enclosed in parentheses (silences `-Wparentheses`; a parenthesised string is no array
    /// initialiser in ISO C).
    pub const PAREN: ExprFlags = ExprFlags(1);
    /// An integer constant expression in the strict sense of C23 6.6.
    pub const ICE: ExprFlags = ExprFlags(2);
    /// A signed overflow happened while folding; reported once, where the constant is used.
    pub const OVERFLOW: ExprFlags = ExprFlags(4);
    /// `__extension__` stands before it.
    pub const EXTENSION: ExprFlags = ExprFlags(8);
    /// A null pointer constant when converted (`0`, `(void *)0`, `nullptr`).
    pub const NULL: ExprFlags = ExprFlags(16);
    /// An arithmetic constant expression, or an address constant: valid in a static initialiser by
    /// the standard.
    pub const CONSTANT: ExprFlags = ExprFlags(32);
    /// Its value is a comparison's or another truth value (0 or 1), whatever its type.
    pub const TRUTH: ExprFlags = ExprFlags(64);
    /// Of a call in a `return`: it takes the place of the frame (`musttail`).
    pub const MUST_TAIL: ExprFlags = ExprFlags(128);
    /// Of a function's name (the bit of `MUST_TAIL`): written with `__builtin_` before it, so that
    /// it never means an inline body of the program.
    pub const BUILTIN_NAME: ExprFlags = ExprFlags(128);

    /// All of `other` hold.
    pub const fn has(self, other: ExprFlags) -> bool {
        self.0 & other.0 == other.0
    }
    /// These facts and those.
    pub const fn with(self, other: ExprFlags) -> ExprFlags {
        ExprFlags(self.0 | other.0)
    }
    /// These facts less those.
    pub const fn without(self, other: ExprFlags) -> ExprFlags {
        ExprFlags(self.0 & !other.0)
    }
}

/// 128 bits of constant, eight-byte aligned so that nodes stay small.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bits128([u64; 2]);

impl Bits128 {
    /// From all bits.
    pub const fn new(bits: u128) -> Bits128 {
        Bits128([bits as u64, (bits >> 64) as u64])
    }
    /// All bits.
    pub const fn get(self) -> u128 {
        self.0[0] as u128 | (self.0[1] as u128) << 64
    }
    /// As a signed number.
    pub const fn signed(self) -> i128 {
        self.get() as i128
    }
}

impl std::fmt::Debug for Bits128 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.signed())
    }
}

/// A value bound by an enclosing node (a compound assignment, `++`, `?:` without its middle
/// operand) so that it is computed once and used inside that node. Numbered per function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpaqueId(u32);
entity_impl!(OpaqueId, "opaque");

/// Introduces the element count of a variable-length array: evaluates `len` (of type `size_t`) and
/// keeps it for [`ExprKind::VlaLen`].
#[derive(Clone, Copy, Debug)]
pub struct VlaBound<'a> {
    /// The bound that gets its value.
    pub vla: VlaId,
    /// Number of elements.
    pub len: ExprRef<'a>,
}

/// Size of an element in pointer arithmetic.
#[derive(Clone, Copy, Debug)]
pub enum ElementSize<'a> {
    /// Bytes.
    Constant(u64),
    /// Bytes, a `size_t` value: the element is a variable-length array.
    Variable(ExprRef<'a>),
}

/// The kinds of expression.
#[derive(Clone, Copy, Debug)]
pub enum ExprKind<'a> {
    /// What an error left over. Never reaches lowering: units with errors are not lowered.
    Error,
    /// Integer, enumeration, `_Bool` or pointer constant. The bits are the mathematical value as an
    /// `i128`: sign-extended for signed types, zero-extended for the others (`unsigned __int128`:
    /// its bits).
    Int(Bits128),
    /// Integer constant of a bit-precise type wider than 128 bits: its 64-bit limbs as in memory,
    /// the unused bits of the last one repeating the sign (zero in an unsigned type).
    Wide(&'a [u64]),
    /// Floating constant: its bits in the type's format.
    Float(Bits128),
    /// Complex constant: real and imaginary part, each as in `Int` or `Float`.
    Complex(&'a [Bits128; 2]),
    /// String literal, an lvalue of array type.
    String(&'a StringLit<'a>),
    /// Variable, parameter or function.
    Decl(DeclId),
    /// Value bound by an enclosing node. Of the type and category of the bound expression's value.
    Opaque(OpaqueId),
    /// Conversion of `operand` to the node's type.
    Cast {
        /// What kind of conversion.
        kind: CastKind,
        /// What is converted.
        operand: ExprRef<'a>,
    },
    /// `-`, `~`, `!`, `__real__`, `__imag__`, complex conjugation.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// Its operand.
        operand: ExprRef<'a>,
    },
    /// `&lvalue`, `&function`. Not of bit-fields and elements.
    AddrOf(ExprRef<'a>),
    /// `*pointer`: an lvalue, or a function designator. Also what `[]` and `->` become.
    Deref(ExprRef<'a>),
    /// `&&label`
    LabelAddr(LabelId),
    /// Arithmetic, bitwise and comparison operators on arithmetic types, pointers (comparisons
    /// only) and vectors.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// Left operand.
        lhs: ExprRef<'a>,
        /// Right operand.
        rhs: ExprRef<'a>,
    },
    /// `ptr + index * size`, or `ptr - index * size`.
    PtrAdd {
        /// Pointer rvalue of the node's type.
        ptr: ExprRef<'a>,
        /// Signed or unsigned 64-bit integer.
        index: ExprRef<'a>,
        /// Bytes per element.
        size: ElementSize<'a>,
        /// Subtract instead.
        negate: bool,
    },
    /// `(lhs - rhs) / size`, of type `ptrdiff_t`.
    PtrDiff {
        /// Pointer.
        lhs: ExprRef<'a>,
        /// Pointer of a compatible type.
        rhs: ExprRef<'a>,
        /// Bytes per element.
        size: ElementSize<'a>,
    },
    /// `&&`, `||`: operands are conditions, the result is an `int`.
    Logical {
        /// `&&` (else `||`).
        and: bool,
        /// Left condition.
        lhs: ExprRef<'a>,
        /// Right condition, evaluated when the left one does not decide.
        rhs: ExprRef<'a>,
    },
    /// `cond ? then : els`; both arms have the node's type (possibly `void`).
    Conditional {
        /// Condition.
        cond: ExprRef<'a>,
        /// Value if true.
        then: ExprRef<'a>,
        /// Value if false.
        els: ExprRef<'a>,
    },
    /// `common ?: els`: `common` is evaluated once and bound to `opaque` for `cond` and `then`.
    ConditionalOmitted {
        /// The first operand, an rvalue.
        common: ExprRef<'a>,
        /// Its name inside `cond` and `then`.
        opaque: OpaqueId,
        /// Condition: the opaque value tested.
        cond: ExprRef<'a>,
        /// The opaque value converted to the node's type.
        then: ExprRef<'a>,
        /// Value if false.
        els: ExprRef<'a>,
    },
    /// `lhs = rhs`; the value is `rhs` (for a bit-field: as read back). Also whole structures.
    Assign {
        /// Modifiable lvalue.
        lhs: ExprRef<'a>,
        /// Rvalue of the unqualified type of `lhs`.
        rhs: ExprRef<'a>,
    },
    /// `lhs op= rhs`, `++lhs`, `lhs++`: see [`Update`].
    Update(&'a Update<'a>),
    /// `lhs, rhs`
    Comma {
        /// Evaluated for its effects.
        lhs: ExprRef<'a>,
        /// The value.
        rhs: ExprRef<'a>,
    },
    /// Function call. `callee` is an rvalue of type pointer to function; its signature says how
    /// arguments were converted.
    Call {
        /// Pointer to the function: usually `FunctionToPointer` of a `Decl`.
        callee: ExprRef<'a>,
        /// Arguments, converted to the parameter types or by the default promotions.
        args: &'a [ExprRef<'a>],
    },
    /// Builtin with arguments that have been checked and converted; the enum's documentation gives
    /// their types.
    Builtin {
        /// Which one.
        builtin: Builtin,
        /// Its arguments.
        args: &'a [ExprRef<'a>],
    },
    /// `__atomic_*`, `__sync_*`.
    Atomic(&'a Atomic<'a>),
    /// `__builtin_{add,sub,mul}_overflow` and relatives: see [`Overflow`].
    Overflow(&'a Overflow<'a>),
    /// `va_arg(ap, type)`: the node's type is the type read.
    VaArg {
        /// Pointer to the `__va_list_tag`.
        ap: ExprRef<'a>,
    },
    /// A member, one step: anonymous members on the way are nodes of their own. An lvalue (or
    /// bit-field) if `base` is an lvalue.
    Member {
        /// Structure or union, lvalue or rvalue.
        base: ExprRef<'a>,
        /// Its type.
        record: RecordId,
        /// Index into [`Record::fields`](super::Record::fields).
        field: u32,
    },
    /// `vector[index]`: an [`Category::Element`] if `base` is an lvalue.
    VectorElement {
        /// Vector.
        base: ExprRef<'a>,
        /// 64-bit index.
        index: ExprRef<'a>,
    },
    /// Shuffle with a constant mask: lane i is lane `mask[i]` of the concatenation of `a` and `b`;
    /// -1 is any value.
    Shuffle {
        /// First vector.
        a: ExprRef<'a>,
        /// Second vector, of the same type.
        b: ExprRef<'a>,
        /// One index per result lane.
        mask: &'a [i32],
    },
    /// `(type){...}` inside a function: creates and initialises `decl` each time it is evaluated;
    /// an lvalue. At file scope it is a `Decl` node of an anonymous static variable instead.
    CompoundLiteral {
        /// The anonymous variable.
        decl: DeclId,
        /// Its value.
        init: &'a Initializer<'a>,
    },
    /// `({ ... })`: runs `body`; the value is that of `result`, which is evaluated inside the
    /// scope, last.
    StmtExpr {
        /// The statements before the last expression.
        body: &'a [Stmt<'a>],
        /// The last expression statement, converted to an rvalue; `None` for `void`.
        result: Option<ExprRef<'a>>,
    },
    /// Evaluates `bounds`, then `value`: a type name with variable-length arrays stood in `value`.
    WithBounds {
        /// Bounds in the order of evaluation.
        bounds: &'a [VlaBound<'a>],
        /// The value; it may read the bounds.
        value: ExprRef<'a>,
    },
    /// Element count of a variable-length array type, a `size_t`.
    VlaLen(VlaId),
    /// `goto`-able value: a vector built from scalars, one per lane (`(v4si){a, b, c, d}`).
    VectorBuild(&'a [ExprRef<'a>]),
    /// Complex value from its parts (`__builtin_complex`, imaginary constants).
    ComplexBuild {
        /// Real part.
        re: ExprRef<'a>,
        /// Imaginary part.
        im: ExprRef<'a>,
    },
}

/// Conversions. The node's type is the target, the operand's type the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CastKind {
    /// Reads an object, bit-field or element. Volatile and atomic (seq_cst) as the operand's
    /// qualifiers say.
    LvalueToRvalue,
    /// Address of the first element of an array lvalue (or of an array inside an rvalue record).
    ArrayToPointer,
    /// Address of a function.
    FunctionToPointer,
    /// Integer (or `_Bool`, enumeration) to integer: truncates or extends as the source's
    /// signedness says.
    Integral,
    /// Scalar, or complex value, to `_Bool`: compares with zero.
    ToBool,
    /// Integer to real floating.
    IntToFloat,
    /// Real floating to integer, towards zero.
    FloatToInt,
    /// Real floating to real floating.
    Floating,
    /// Real or complex floating to a narrower one of this format, of a value with excess precision:
    /// operators look after it.
    Excess(FloatFormat),
    /// Pointer (or `nullptr_t`) to integer: as `uintptr_t`, then truncated or extended.
    PointerToInt,
    /// Integer to pointer: extended or truncated to 64 bits as its signedness says.
    IntToPointer,
    /// Pointer to pointer: same bits.
    Pointer,
    /// Real to complex: imaginary part zero. Operand has the complex type's part type.
    RealToComplex,
    /// Complex to its real part. The node has the part type.
    ComplexToReal,
    /// Complex to complex: part by part.
    Complex,
    /// Drops the value.
    ToVoid,
    /// Same bits, one side a vector: between vectors, or vector and integer of the same size.
    Bitcast,
    /// Scalar of the element type into all lanes.
    VectorSplat,
    /// Lane by lane conversion of vectors (`__builtin_convertvector`).
    VectorConvert,
    /// Value into the member of a union type (GNU cast to union); the member index.
    ToUnion(u32),
    /// Same representation, other type: records and enumerations that differ in qualifiers or
    /// variant.
    NoOp,
}

/// Unary operators that compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum UnaryOp {
    /// `-x`
    Neg,
    /// `~x`; of a complex value its conjugate (GNU).
    Not,
    /// `!x` of a condition, result `int`.
    LogicalNot,
    /// `__real__ x`; an [`Category::Element`] of an lvalue.
    Real,
    /// `__imag__ x`; an [`Category::Element`] of an lvalue.
    Imag,
}

/// Binary operators that compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
}

impl BinaryOp {
    /// `<`, `>`, `<=`, `>=`, `==`, `!=`
    pub fn is_comparison(self) -> bool {
        self.is_relational() || self.is_equality()
    }
    /// `<`, `>`, `<=`, `>=`
    pub fn is_relational(self) -> bool {
        matches!(self, BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge)
    }
    /// The comparison that says the same with its operands exchanged.
    pub fn swapped(self) -> BinaryOp {
        match self {
            BinaryOp::Lt => BinaryOp::Gt,
            BinaryOp::Gt => BinaryOp::Lt,
            BinaryOp::Le => BinaryOp::Ge,
            BinaryOp::Ge => BinaryOp::Le,
            other => other,
        }
    }
    /// `==`, `!=`
    pub fn is_equality(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ne)
    }
    /// `<<`, `>>`
    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }
    /// The token.
    pub fn spelling(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            And => "&",
            Or => "|",
            Xor => "^",
            Lt => "<",
            Gt => ">",
            Le => "<=",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
        }
    }
}

/// A read-modify-write of an lvalue.
///
/// Order of evaluation: the address of `lhs`; `rhs`, bound to its opaque; the old value of `lhs`,
/// bound to `old`; then `value`, which is stored. For an atomic lvalue the last two steps repeat
/// until the exchange succeeds, or become one fetch-and-op when `fetch` says so.
#[derive(Clone, Copy, Debug)]
pub struct Update<'a> {
    /// Modifiable lvalue, evaluated once.
    pub lhs: ExprRef<'a>,
    /// Right operand after its own conversions, and its name in `value`.
    pub rhs: Option<(OpaqueId, ExprRef<'a>)>,
    /// Name of the loaded old value, of the unqualified type of `lhs`.
    pub old: OpaqueId,
    /// The new value, of the unqualified type of `lhs`.
    pub value: ExprRef<'a>,
    /// The source operator, for atomic fetch-and-op and debugging dumps.
    pub op: BinaryOp,
    /// The result is the old value: `lhs++`, `lhs--`.
    pub post: bool,
}

/// An atomic operation. What each operand is depends on [`AtomicOp`].
#[derive(Clone, Copy, Debug)]
pub struct Atomic<'a> {
    /// The operation.
    pub op: AtomicOp,
    /// Type of the atomic object: integer or pointer of 1, 2, 4, 8 or 16 bytes.
    pub value_ty: Ty,
    /// Its address. `None` for fences.
    pub ptr: Option<ExprRef<'a>>,
    /// Operand: value to store, add, exchange; the desired value of a compare-exchange.
    pub value: Option<ExprRef<'a>>,
    /// Compare-exchange: address of the expected value (`__atomic`), or the expected value itself
    /// (`__sync`).
    pub expected: Option<ExprRef<'a>>,
    /// Memory order (of success, for a compare-exchange).
    pub order: MemoryOrder,
    /// Order when a compare-exchange fails.
    pub failure_order: MemoryOrder,
}

/// Arithmetic with infinite precision, then stored with wrapping.
#[derive(Clone, Copy, Debug)]
pub struct Overflow<'a> {
    /// Add, Sub or Mul.
    pub op: BinaryOp,
    /// Left operand, of any integer type.
    pub lhs: ExprRef<'a>,
    /// Right operand, of any integer type.
    pub rhs: ExprRef<'a>,
    /// Pointer to the result; `None` for the `_p` forms.
    pub result: Option<ExprRef<'a>>,
    /// Type the result is wrapped to. The node's value (`_Bool`) says whether that lost anything.
    pub result_ty: Ty,
}

impl<'a> Expr<'a> {
    /// The value of an integer or pointer constant.
    pub fn int_value(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Int(bits) => Some(bits.signed()),
            _ => None,
        }
    }

    /// Designates an object (bit-fields and elements included).
    pub fn is_lvalue(&self) -> bool {
        matches!(self.cat, Category::Lvalue | Category::BitField | Category::Element)
    }

    /// An error was reported in this expression.
    pub fn is_error(&self) -> bool {
        matches!(self.kind, ExprKind::Error) || self.ty.ty() == Ty::ERROR
    }

    /// The declaration a plain name refers to.
    pub fn decl(&self) -> Option<DeclId> {
        match self.kind {
            ExprKind::Decl(id) => Some(id),
            _ => None,
        }
    }

    /// The function a callee names directly: `f` in `f(x)`, `(&f)(x)`, `(*f)(x)`.
    pub fn callee_decl(&self) -> Option<DeclId> {
        self.callee_name().and_then(Expr::decl)
    }

    /// The name in such a callee.
    pub fn callee_name(&self) -> Option<&Expr<'a>> {
        match self.kind {
            ExprKind::Decl(_) => Some(self),
            ExprKind::Cast { kind: CastKind::FunctionToPointer | CastKind::NoOp, operand } => operand.callee_name(),
            ExprKind::AddrOf(operand) => operand.callee_name(),
            _ => None,
        }
    }
}

/// A name with its place, in designators and the like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// The identifier.
    pub symbol: Symbol,
    /// Where it stands.
    pub loc: Loc,
}
