//! Which operation of a shape: the codes of the shapes, typed, and the one place where the number
//! in an instruction and the code are made of each other.

use object::{
    Alu, Shift, Size,
    encode::{BitTest, Prefetch, Sse, SseShift, Unary, Vex, X87, X87Op},
};

use crate::x86_operations::FenceKind;

/// A code that tells the operations of a shape apart; kept as a number in the instruction.
pub trait Code: Copy {
    /// Its number.
    fn number(self) -> u16;

    /// The code with this number.
    fn from_number(number: u16) -> Self;
}

macro_rules! codes {
    ($($ty:ident { $($name:ident)* })*) => {$(
        impl Code for $ty {
            #[inline]
            fn number(self) -> u16 {
                self as u16
            }

            #[inline]
            #[allow(non_upper_case_globals)]
            fn from_number(number: u16) -> $ty {
                $(const $name: u16 = $ty::$name as u16;)*
                match number {
                    $($name => $ty::$name,)*
                    _ => base::bug!("{number:#x} is no code of {}", stringify!($ty)),
                }
            }
        }
    )*};
}

/// Declares enumerations of the machine code's own and makes them codes.
macro_rules! own_codes {
    ($($(#[$attr:meta])* $ty:ident { $($(#[$doc:meta])* $name:ident,)* })*) => {$(
        $(#[$attr])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u16)]
        pub enum $ty {
            $($(#[$doc])* $name,)*
        }
        codes! { $ty { $($name)* } }
    )*};
}

codes! {
    Alu { Add Or Adc Sbb And Sub Xor Cmp }
    Shift { Rol Ror Rcl Rcr Shl Shr Sar }
    Unary { Not Neg Mul Imul Div Idiv Inc Dec }
    BitTest { Bt Bts Btr Btc }
    Size { B W D Q }
    SseShift { Psrlw Psraw Psllw Psrld Psrad Pslld Psrlq Psrldq Psllq Pslldq }
    X87 { Fchs Fabs Fsqrt Fldz Fld1 Frndint Fldpi }
    Prefetch { Nta T0 T1 T2 W }
    FenceKind { Load Store Full }
}

/// The encoder's own tables list their instructions.
macro_rules! table_codes {
    ($($ty:ident)*) => {$(
        impl Code for $ty {
            #[inline]
            fn number(self) -> u16 {
                self as u16
            }

            #[inline]
            fn from_number(number: u16) -> $ty {
                $ty::ALL[usize::from(number)]
            }
        }
    )*};
}

table_codes! { Sse Vex }

own_codes! {
    /// How [`super::Op::Address`] forms an address.
    AddressCode {
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

    /// Codes of [`super::Op::Scan`].
    ScanCode {
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
    #[allow(missing_docs)]
    X87Mem {
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
    X87Reg {
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

    /// Codes of [`super::Op::DoubleShift`].
    DoubleShift {
        /// `shld` by an immediate.
        Left,
        /// `shrd` by an immediate.
        Right,
        /// `shld` by the extra register.
        LeftBy,
        /// `shrd` by the extra register.
        RightBy,
    }

    /// Codes of [`super::Op::Mxcsr`].
    Mxcsr {
        /// From memory.
        Load,
        /// To memory.
        Store,
    }
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

impl AddressCode {
    /// Whether it needs `r11` as well.
    pub fn is_far(self) -> bool {
        matches!(self, AddressCode::Far | AddressCode::FarGot)
    }
}

impl DoubleShift {
    /// Whether the count is in a register.
    pub fn is_by_register(self) -> bool {
        matches!(self, DoubleShift::LeftBy | DoubleShift::RightBy)
    }
}

impl X87Reg {
    /// Whether the flags tell the result of a comparison.
    pub fn is_compare(self) -> bool {
        use X87Reg::*;
        matches!(self, UcomiPop2 | ComiPop2 | Ucomi | UcomiPop | Comi | ComiPop)
    }

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
