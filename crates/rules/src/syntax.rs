//! The language as it is written: operations, conditions of comparisons, expressions, entries.

/// How the types of an operation's operands and result hang together.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Operands and result are of one type.
    Same,
    /// Two operands of one type give an i1.
    Compare,
    /// One operand, the result is of a type of its own.
    Convert,
    /// i1, two of the result's type.
    Select,
    /// Pointer and i64 give a pointer.
    PtrAdd,
    /// No operands.
    Nullary,
}

/// An operation of the IR that rules may name.
#[derive(PartialEq, Eq, Debug)]
pub struct Op {
    /// Its name in the textual IR.
    pub name: &'static str,
    /// Its variant of `ir::Opcode`.
    pub rust: &'static str,
    /// Number of operands.
    pub args: usize,
    /// Types.
    pub shape: Shape,
}

macro_rules! ops {
    ($($name:literal $rust:ident $args:literal $shape:ident;)*) => {
        /// Every operation.
        pub static OPS: &[Op] = &[$(Op { name: $name, rust: stringify!($rust), args: $args, shape: Shape::$shape }),*];
    };
}

ops! {
    "add" Add 2 Same;
    "sub" Sub 2 Same;
    "mul" Mul 2 Same;
    "smulh" SMulHi 2 Same;
    "umulh" UMulHi 2 Same;
    "sdiv" SDiv 2 Same;
    "udiv" UDiv 2 Same;
    "srem" SRem 2 Same;
    "urem" URem 2 Same;
    "and" And 2 Same;
    "or" Or 2 Same;
    "xor" Xor 2 Same;
    "shl" Shl 2 Same;
    "lshr" LShr 2 Same;
    "ashr" AShr 2 Same;
    "rotl" Rotl 2 Same;
    "rotr" Rotr 2 Same;
    "smin" SMin 2 Same;
    "smax" SMax 2 Same;
    "umin" UMin 2 Same;
    "umax" UMax 2 Same;
    "bswap" Bswap 1 Same;
    "icmp" ICmp 2 Compare;
    "trunc" Trunc 1 Convert;
    "zext" ZExt 1 Convert;
    "sext" SExt 1 Convert;
    "bitcast" Bitcast 1 Convert;
    "ptrtoint" PtrToInt 1 Convert;
    "inttoptr" IntToPtr 1 Convert;
    "uitofp" UiToFp 1 Convert;
    "sitofp" SiToFp 1 Convert;
    "select" Select 3 Select;
    "ptradd" PtrAdd 2 PtrAdd;
    "undef" Undef 0 Nullary;
}

impl Op {
    /// The operation of a name.
    pub fn named(name: &str) -> Option<&'static Op> {
        OPS.iter().find(|op| op.name == name)
    }
}

/// Conditions of integer comparisons, in the order of `ir::IntCc`: name, variant, signed.
pub const CONDITIONS: [(&str, &str); 10] = [
    ("eq", "Eq"),
    ("ne", "Ne"),
    ("slt", "Slt"),
    ("sle", "Sle"),
    ("sgt", "Sgt"),
    ("sge", "Sge"),
    ("ult", "Ult"),
    ("ule", "Ule"),
    ("ugt", "Ugt"),
    ("uge", "Uge"),
];

/// Index of a condition in [`CONDITIONS`].
pub type Cc = usize;

/// The condition of a name.
pub fn condition(name: &str) -> Option<Cc> {
    CONDITIONS.iter().position(|c| c.0 == name)
}

/// Promises of an instruction: name and constant of `ir::flags`.
pub const FLAGS: [(&str, &str); 4] = [("nsw", "NSW"), ("nuw", "NUW"), ("exact", "EXACT"), ("inbounds", "INBOUNDS")];

/// Operators between two expressions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Infix {
    /// `||`
    OrElse,
    /// `&&`
    AndAlso,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`, signed
    Slt,
    /// `<=`, signed
    Sle,
    /// `>`, signed
    Sgt,
    /// `>=`, signed
    Sge,
    /// `u<`
    Ult,
    /// `u<=`
    Ule,
    /// `u>`
    Ugt,
    /// `u>=`
    Uge,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `&`
    And,
    /// `<<`
    Shl,
    /// `u>>`
    LShr,
    /// `>>`, arithmetic
    AShr,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
}

impl Infix {
    /// Operator, sign, binding strength.
    pub const ALL: [(&str, Infix, u8); 21] = [
        ("||", Infix::OrElse, 1),
        ("&&", Infix::AndAlso, 2),
        ("==", Infix::Eq, 3),
        ("!=", Infix::Ne, 3),
        ("<", Infix::Slt, 3),
        ("<=", Infix::Sle, 3),
        (">", Infix::Sgt, 3),
        (">=", Infix::Sge, 3),
        ("u<", Infix::Ult, 3),
        ("u<=", Infix::Ule, 3),
        ("u>", Infix::Ugt, 3),
        ("u>=", Infix::Uge, 3),
        ("|", Infix::Or, 4),
        ("^", Infix::Xor, 5),
        ("&", Infix::And, 6),
        ("<<", Infix::Shl, 7),
        ("u>>", Infix::LShr, 7),
        (">>", Infix::AShr, 7),
        ("+", Infix::Add, 8),
        ("-", Infix::Sub, 8),
        ("*", Infix::Mul, 9),
    ];

    /// Whether it compares.
    pub fn compares(self) -> bool {
        use Infix::*;
        matches!(self, Eq | Ne | Slt | Sle | Sgt | Sge | Ult | Ule | Ugt | Uge)
    }

    /// As it is written.
    pub fn text(self) -> &'static str {
        Infix::ALL.iter().find(|o| o.1 == self).expect("every operator is listed").0
    }
}

/// An expression: a pattern, a condition, a result, depending on where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A value (lower case), a constant (upper case), a type, a condition, a named number.
    Name(String),
    /// A number.
    Int(u128),
    /// An operation or function: `add.nsw(x, y)`, `icmp[cc](x, y)`, `add~(x, y)`, `one_use(x)`.
    Call {
        /// Operation, operation variable or function.
        name: String,
        /// `~`: the operands may stand in either order.
        either: bool,
        /// `.nsw`
        flags: Vec<String>,
        /// `[...]`: conditions; with a name, flags of a result and when they are set.
        brackets: Vec<(Option<String>, Expr)>,
        /// Operands.
        args: Vec<Expr>,
    },
    /// `rust path(args)`
    Rust(String, Vec<Expr>),
    /// `name@expr`
    Bound(String, Box<Expr>),
    /// `expr: type`
    Typed(Box<Expr>, String),
    /// Two operands.
    Infix(Infix, Box<Expr>, Box<Expr>),
    /// `!`, `-` or `~`.
    Prefix(char, Box<Expr>),
}

/// An entry of a rules file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Unique among all files.
    pub name: String,
    /// The comment before it.
    pub doc: String,
    /// Where it stands.
    pub line: usize,
    /// `for op in ...`: the operations that the variable stands for.
    pub family: Option<(String, Vec<String>)>,
    /// What is looked for.
    pub pattern: Expr,
    /// When it holds.
    pub condition: Option<Expr>,
    /// What takes its place.
    pub result: Expr,
    /// The text from the pattern to the end, spaces and comments normalised.
    pub body: String,
}

/// Whether a name is one of a type: `iN`, `i8`, `ptr`.
pub fn is_type(name: &str) -> bool {
    name == "ptr"
        || name
            .strip_prefix('i')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()))
}

/// Whether a name is one of a constant.
pub fn is_constant(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}
