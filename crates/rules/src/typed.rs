//! A rule for one operation of its family, with a type for every part.

use std::collections::BTreeMap;

use crate::syntax::{Cc, Infix, Op};

/// A type of the IR, as far as rules name any.
#[derive(Copy, Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Fixed {
    /// An integer of so many bits.
    Int(u32),
    /// An address.
    Ptr,
}

impl Fixed {
    /// Bits.
    pub fn bits(self) -> u32 {
        match self {
            Fixed::Int(bits) => bits,
            Fixed::Ptr => 64,
        }
    }

    /// As the IR writes it.
    pub fn name(self) -> String {
        match self {
            Fixed::Int(bits) => format!("i{bits}"),
            Fixed::Ptr => "ptr".to_string(),
        }
    }
}

/// A type variable of a rule.
pub type Ty = usize;

/// Type variables that are known to be one type.
#[derive(Clone, Default, Debug)]
pub struct Classes {
    parent: Vec<usize>,
    fixed: Vec<Option<Fixed>>,
}

impl Classes {
    /// A new variable.
    pub fn fresh(&mut self) -> Ty {
        self.parent.push(self.parent.len());
        self.fixed.push(None);
        self.parent.len() - 1
    }

    /// The variable that stands for all that are the same.
    pub fn find(&self, mut ty: Ty) -> Ty {
        while self.parent[ty] != ty {
            ty = self.parent[ty];
        }
        ty
    }

    /// The type, if it is known.
    pub fn fixed(&self, ty: Ty) -> Option<Fixed> {
        self.fixed[self.find(ty)]
    }

    /// Two variables become one.
    pub fn join(&mut self, a: Ty, b: Ty) -> Result<(), String> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        let known = match (self.fixed[a], self.fixed[b]) {
            (Some(x), Some(y)) if x != y => return Err(format!("{} is no {}", x.name(), y.name())),
            (x, y) => x.or(y),
        };
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
        self.fixed[low] = known;
        Ok(())
    }

    /// A variable gets its type.
    pub fn fix(&mut self, ty: Ty, to: Fixed) -> Result<(), String> {
        let root = self.find(ty);
        match self.fixed[root] {
            Some(other) if other != to => Err(format!("{} is no {}", other.name(), to.name())),
            _ => {
                self.fixed[root] = Some(to);
                Ok(())
            }
        }
    }

    /// Number of variables.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }
}

/// Where a part of a pattern is: operand numbers from the root.
pub type Path = Vec<u8>;

/// A condition of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CcExpr {
    /// This one.
    Fixed(Cc),
    /// That of the comparison at a place of the pattern.
    Of(Path),
    /// With operands swapped.
    Swap(Box<CcExpr>),
    /// The opposite.
    Inverse(Box<CcExpr>),
    /// The unsigned counterpart.
    Unsigned(Box<CcExpr>),
    /// The signed counterpart.
    Signed(Box<CcExpr>),
}

/// A part of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Where it is.
    pub path: Path,
    /// Its type.
    pub ty: Ty,
    /// What it looks for.
    pub kind: Kind,
}

/// What a part of a pattern looks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Any value.
    Any,
    /// The value at another place.
    Again(Path),
    /// Constant bits.
    Const,
    /// Constant bits that are this number.
    Literal(Number),
    /// An operation.
    Op {
        /// Which one.
        op: &'static Op,
        /// The condition it must have.
        cc: Option<Cc>,
        /// Flags it must have.
        flags: Vec<usize>,
        /// Whether the operands may stand in either order.
        either: bool,
        /// Operands.
        args: Vec<Node>,
    },
}

impl Node {
    /// The operation, if it is one.
    pub fn op(&self) -> Option<&'static Op> {
        match &self.kind {
            Kind::Op { op, .. } => Some(op),
            _ => None,
        }
    }

    /// Calls `visit` with every part, outer ones first.
    pub fn each<'n>(&'n self, visit: &mut impl FnMut(&'n Node)) {
        visit(self);
        if let Kind::Op { args, .. } = &self.kind {
            args.iter().for_each(|arg| arg.each(visit));
        }
    }
}

/// A number of some type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// These bits; `Bits(n, true)` is -n.
    Bits(u128, bool),
    /// The least signed number.
    Min,
    /// The greatest signed number.
    Max,
    /// Bits of the type.
    Width,
}

/// Computation on constant bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Const {
    /// Type of the result.
    pub ty: Ty,
    /// What is computed.
    pub kind: ConstKind,
}

/// What is computed on constant bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConstKind {
    /// The constant at a place of the pattern.
    At(Path),
    /// A number.
    Number(Number),
    /// Arithmetic.
    Infix(Infix, Box<Const>, Box<Const>),
    /// `-x`
    Neg(Box<Const>),
    /// `~x`
    Not(Box<Const>),
    /// Zero-extended.
    Zext(Box<Const>),
    /// Sign-extended.
    Sext(Box<Const>),
    /// Low bits.
    Trunc(Box<Const>),
    /// Trailing zero bits of what is not zero.
    Log2(Box<Const>),
    /// Bits of the value at a place that are known to be zero.
    Zero(Path),
    /// The outcome of a comparison, an i1.
    Eval(CcExpr, Box<Const>, Box<Const>),
}

/// A condition of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cond {
    /// Both.
    And(Box<Cond>, Box<Cond>),
    /// Either.
    Or(Box<Cond>, Box<Cond>),
    /// Not.
    Not(Box<Cond>),
    /// Constants compared.
    Compare(Infix, Const, Const),
    /// An i1 that is 1.
    Holds(Const),
    /// A signed or unsigned operation (`add`, `sub`, `mul`) on constants overflows.
    Overflows(&'static str, bool, Const, Const),
    /// Exactly one bit is set.
    Pow2(Const),
    /// Types compared by their bits, or for being the same.
    Types(Infix, TypeRef, TypeRef),
    /// Whether a type is one of integers.
    IsInt(Ty),
    /// The value at a place has one use.
    OneUse(Path),
    /// The value at a place is a constant of any kind.
    IsConst(Path),
    /// The sign bit of the value at a place is known to be zero.
    NonNegative(Path),
    /// The instruction at a place has a flag.
    Flag(Path, usize),
    /// A condition is one of orders of signed numbers.
    CcSigned(CcExpr),
    /// A condition is `eq` or `ne`.
    CcEquality(CcExpr),
    /// A condition is this one.
    CcIs(CcExpr, Cc),
    /// A function of the pass: a question of cost, on which no proof depends.
    Rust(String, Vec<Argument>),
}

/// A type in a condition.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TypeRef {
    /// Of the pattern.
    Of(Ty),
    /// This one.
    Fixed(Fixed),
}

/// What a function of the pass is given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A value.
    Value(Path),
    /// Constant bits.
    Const(Const),
    /// A condition.
    Cc(CcExpr),
}

/// What takes the place of the pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Res {
    /// The value at a place of the pattern.
    Value(Path),
    /// Constant bits.
    Const(Const),
    /// An operation.
    Op {
        /// Which one.
        op: &'static Op,
        /// Its type.
        ty: Ty,
        /// Its condition.
        cc: Option<CcExpr>,
        /// Flags that it has when the condition holds.
        flags: Vec<(usize, Option<Cond>)>,
        /// Whether it has the flags of the root.
        keep: bool,
        /// Operands.
        args: Vec<Res>,
    },
    /// A function of the pass does it.
    Rust(String, Vec<Argument>),
}

/// A rule for one operation of its family.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Name of the entry, with the operation if there are several.
    pub name: String,
    /// Name of the entry.
    pub entry: String,
    /// Name of the file, without its ending.
    pub file: String,
    /// Of the entry, as it is written.
    pub written: String,
    /// Of the entry.
    pub doc: String,
    /// Of the entry, with the operation put in.
    pub text: String,
    /// Type variables as operations make them equal.
    pub implied: Classes,
    /// As the rule asks for them besides.
    pub types: Classes,
    /// Named types.
    pub type_names: BTreeMap<String, Ty>,
    /// Names of values and constants.
    pub names: BTreeMap<String, Path>,
    /// What is looked for.
    pub pattern: Node,
    /// All of these must hold.
    pub conditions: Vec<Cond>,
    /// What takes its place.
    pub result: Res,
}

impl Rule {
    /// The part of the pattern at a place.
    pub fn node(&self, path: &[u8]) -> &Node {
        path.iter().fold(&self.pattern, |node, &index| match &node.kind {
            Kind::Op { args, .. } => &args[index as usize],
            _ => node,
        })
    }

    /// Whether a function of the pass does the work.
    pub fn is_by_hand(&self) -> bool {
        matches!(self.result, Res::Rust(..))
    }

    /// Whether the root is that operation.
    pub fn root(&self) -> &'static Op {
        self.pattern.op().expect("patterns begin with an operation")
    }
}
