//! Which operation of a shape: the codes of those shapes whose operations are no enumeration of the
//! encoder.

use object::encode::X87Op;

/// How [`super::Op::Address`] forms an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum AddressCode {
    /// `mov $symbol, r32`
    Abs32,
    /// `mov $symbol, r64` sign-extended
    Abs32S,
    /// `movabs $symbol, r64`
    Abs64,
    /// Distance from the instruction, 64 bits.
    Far,
    /// GOT entry 64 bits away.
    FarGot,
}

/// Codes of [`super::Op::Unary`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum UnaryCode {
    /// Complement.
    Not,
    /// Negation.
    Neg,
    /// Add one.
    Inc,
    /// Subtract one.
    Dec,
}

/// Codes of [`super::Op::Scan`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum ScanCode {
    /// Lowest set bit; undefined for 0.
    Bsf,
    /// Highest set bit; undefined for 0.
    Bsr,
    /// BMI trailing zeros.
    Tzcnt,
    /// Leading zeros.
    Lzcnt,
    /// Population count.
    Popcnt,
}

/// Codes of [`super::Op::X87M`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
#[allow(missing_docs)]
pub enum X87Mem {
    Fld32,
    Fld64,
    Fld80,
    Fstp32,
    Fstp64,
    Fstp80,
    Fild16,
    Fild32,
    Fild64,
    Fistp16,
    Fistp32,
    Fistp64,
    Fnstcw,
    Fldcw,
    Fst32,
    Fst64,
    Fadd32,
    Fadd64,
    Fmul32,
    Fmul64,
    Fsub32,
    Fsub64,
    Fsubr32,
    Fsubr64,
    Fdiv32,
    Fdiv64,
    Fdivr32,
    Fdivr64,
}

/// Codes of [`super::Op::X87R`]. Operands: the first is the deeper one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum X87Reg {
    /// `st(1) = st(1) + st(0)`, pop.
    AddPop,
    /// `st(1) = st(1) * st(0)`, pop.
    MulPop,
    /// `st(1) = st(1) - st(0)`, pop.
    SubPop,
    /// `st(1) = st(0) - st(1)`, pop.
    SubReversePop,
    /// `st(1) = st(1) / st(0)`, pop.
    DivPop,
    /// `st(1) = st(0) / st(1)`, pop.
    DivReversePop,
    /// Push `st(i)`.
    Fld,
    /// Copy to `st(i)`, pop.
    Fstp,
    /// Exchange with `st(i)`.
    Fxch,
    /// `st(0) = st(0) + st(i)`
    Add,
    /// `st(0) = st(0) * st(i)`
    Mul,
    /// `st(0) = st(0) - st(i)`
    Sub,
    /// `st(0) = st(i) - st(0)`
    SubReverse,
    /// `st(0) = st(0) / st(i)`
    Div,
    /// `st(0) = st(i) / st(0)`
    DivReverse,
    /// `st(i) = st(i) + st(0)`
    AddTo,
    /// `st(i) = st(i) * st(0)`
    MulTo,
    /// `st(i) = st(i) - st(0)`
    SubTo,
    /// `st(i) = st(0) - st(i)`
    SubReverseTo,
    /// `st(i) = st(i) / st(0)`
    DivTo,
    /// `st(i) = st(0) / st(i)`
    DivReverseTo,
    /// Quiet compare `st(0)` with `st(i)`, pop both (i = 1).
    UcomiPop2,
    /// Signalling compare `st(0)` with `st(i)`, pop both (i = 1).
    ComiPop2,
    /// Quiet compare `st(0)` with `st(i)`.
    Ucomi,
    /// Quiet compare `st(0)` with `st(i)`, pop.
    UcomiPop,
    /// Signalling compare `st(0)` with `st(i)`.
    Comi,
    /// Signalling compare `st(0)` with `st(i)`, pop.
    ComiPop,
}

impl X87Mem {
    /// Whether a value is pushed.
    pub fn pushes(self) -> bool {
        use X87Mem::*;
        matches!(self, Fld32 | Fld64 | Fld80 | Fild16 | Fild32 | Fild64)
    }

    /// Whether the top is stored and popped.
    pub fn pops(self) -> bool {
        use X87Mem::*;
        matches!(self, Fstp32 | Fstp64 | Fstp80 | Fistp16 | Fistp32 | Fistp64)
    }

    /// `st(0) = st(0) op memory`, of 8 bytes if `wide`, else of 4.
    pub fn arithmetic(op: X87Op, wide: bool) -> X87Mem {
        let (first, second) = match op {
            X87Op::Add => (X87Mem::Fadd32, X87Mem::Fadd64),
            X87Op::Mul => (X87Mem::Fmul32, X87Mem::Fmul64),
            X87Op::Sub => (X87Mem::Fsub32, X87Mem::Fsub64),
            X87Op::SubReverse => (X87Mem::Fsubr32, X87Mem::Fsubr64),
            X87Op::Div => (X87Mem::Fdiv32, X87Mem::Fdiv64),
            X87Op::DivReverse => (X87Mem::Fdivr32, X87Mem::Fdivr64),
        };
        if wide { second } else { first }
    }

    /// The operation and the width (8 bytes or 4) of one with an operand in memory.
    pub fn as_arithmetic(self) -> Option<(X87Op, bool)> {
        let all = X87Op::ALL.into_iter().flat_map(|op| [(op, false), (op, true)]);
        all.into_iter().find(|&(op, wide)| X87Mem::arithmetic(op, wide) == self)
    }
}

/// Where the result of arithmetic on two registers goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum X87Form {
    /// To `st(0)`.
    ToTop,
    /// To `st(i)`.
    ToOther,
    /// To `st(i)`, and `st(0)` is popped.
    AndPop,
}

impl X87Reg {
    /// Arithmetic: `st(0)` is the first operand where the result goes to it, else `st(i)`.
    pub fn arithmetic(op: X87Op, form: X87Form) -> X87Reg {
        use X87Reg::*;
        let forms = match op {
            X87Op::Add => [Add, AddTo, AddPop],
            X87Op::Mul => [Mul, MulTo, MulPop],
            X87Op::Sub => [Sub, SubTo, SubPop],
            X87Op::SubReverse => [SubReverse, SubReverseTo, SubReversePop],
            X87Op::Div => [Div, DivTo, DivPop],
            X87Op::DivReverse => [DivReverse, DivReverseTo, DivReversePop],
        };
        forms[form as usize]
    }

    /// The operation and form of arithmetic.
    pub fn as_arithmetic(self) -> Option<(X87Op, X87Form)> {
        const FORMS: [X87Form; 3] = [X87Form::ToTop, X87Form::ToOther, X87Form::AndPop];
        let mut all = X87Op::ALL.into_iter().flat_map(|op| FORMS.map(|form| (op, form)));
        all.find(|&(op, form)| X87Reg::arithmetic(op, form) == self)
    }
}

macro_rules! code_from {
    ($($name:ident: $last:ident),*) => {$(
        impl $name {
            /// The variant with this number.
            #[inline]
            pub fn from_code(code: u16) -> $name {
                const ALL: &[$name] = &$name::LIST;
                ALL[code as usize]
            }
        }
    )*};
}

impl UnaryCode {
    const LIST: [UnaryCode; 4] = [UnaryCode::Not, UnaryCode::Neg, UnaryCode::Inc, UnaryCode::Dec];
}
impl AddressCode {
    const LIST: [AddressCode; 5] =
        [AddressCode::Abs32, AddressCode::Abs32S, AddressCode::Abs64, AddressCode::Far, AddressCode::FarGot];
}
impl ScanCode {
    const LIST: [ScanCode; 5] = [ScanCode::Bsf, ScanCode::Bsr, ScanCode::Tzcnt, ScanCode::Lzcnt, ScanCode::Popcnt];
}
impl X87Mem {
    const LIST: [X87Mem; 28] = {
        use X87Mem::*;
        [
            Fld32, Fld64, Fld80, Fstp32, Fstp64, Fstp80, Fild16, Fild32, Fild64, Fistp16, Fistp32, Fistp64, Fnstcw,
            Fldcw, Fst32, Fst64, Fadd32, Fadd64, Fmul32, Fmul64, Fsub32, Fsub64, Fsubr32, Fsubr64, Fdiv32, Fdiv64,
            Fdivr32, Fdivr64,
        ]
    };
}
impl X87Reg {
    const LIST: [X87Reg; 27] = {
        use X87Reg::*;
        [
            AddPop,
            MulPop,
            SubPop,
            SubReversePop,
            DivPop,
            DivReversePop,
            Fld,
            Fstp,
            Fxch,
            Add,
            Mul,
            Sub,
            SubReverse,
            Div,
            DivReverse,
            AddTo,
            MulTo,
            SubTo,
            SubReverseTo,
            DivTo,
            DivReverseTo,
            UcomiPop2,
            ComiPop2,
            Ucomi,
            UcomiPop,
            Comi,
            ComiPop,
        ]
    };
}
code_from!(UnaryCode: Dec, AddressCode: FarGot, ScanCode: Popcnt, X87Mem: Fdivr64, X87Reg: ComiPop);
