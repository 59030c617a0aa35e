//! The x87 floating-point unit (`long double`).

use super::{core::Opcode, operands::Mem};
use crate::CodeBuffer;

/// Memory widths of x87 operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum X87Float {
    /// 32-bit float.
    M32,
    /// 64-bit double.
    M64,
    /// 80-bit extended.
    M80,
}

/// Integer widths of x87 operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum X87Int {
    /// 16 bits.
    M16,
    /// 32 bits.
    M32,
    /// 64 bits.
    M64,
}

/// Binary x87 arithmetic, named by what is computed (not by the assembler's mnemonic, which AT&T
/// syntax exchanges for some register forms); the discriminant is the opcode extension of the
/// memory form, where the first operand is `st(0)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum X87Op {
    /// Sum.
    Add = 0,
    /// Product.
    Mul = 1,
    /// `st(0) - operand`
    Sub = 4,
    /// `operand - st(0)`
    SubReverse = 5,
    /// `st(0) / operand`
    Div = 6,
    /// `operand / st(0)`
    DivReverse = 7,
}

impl X87Op {
    /// All of them.
    pub const ALL: [X87Op; 6] = [X87Op::Add, X87Op::Mul, X87Op::Sub, X87Op::SubReverse, X87Op::Div, X87Op::DivReverse];
}

macro_rules! x87_plain {
    ($($(#[$doc:meta])* $name:ident = $first:expr, $second:expr;)*) => {
        /// x87 instructions without operands; the value is the two opcode bytes, first byte high.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u16)]
        pub enum X87 {
            $($(#[$doc])* $name = ($first << 8) | $second,)*
        }
    };
}

x87_plain! {
    /// Negate `st(0)`.
    Fchs = 0xd9, 0xe0;
    /// Absolute value.
    Fabs = 0xd9, 0xe1;
    /// Compare with zero.
    Ftst = 0xd9, 0xe4;
    /// Classify.
    Fxam = 0xd9, 0xe5;
    /// Push 1.
    Fld1 = 0xd9, 0xe8;
    /// Push log2(10).
    Fldl2t = 0xd9, 0xe9;
    /// Push log2(e).
    Fldl2e = 0xd9, 0xea;
    /// Push pi.
    Fldpi = 0xd9, 0xeb;
    /// Push log10(2).
    Fldlg2 = 0xd9, 0xec;
    /// Push ln(2).
    Fldln2 = 0xd9, 0xed;
    /// Push 0.
    Fldz = 0xd9, 0xee;
    /// 2^x - 1.
    F2xm1 = 0xd9, 0xf0;
    /// y * log2(x), pop.
    Fyl2x = 0xd9, 0xf1;
    /// Tangent, push 1.
    Fptan = 0xd9, 0xf2;
    /// Arc tangent, pop.
    Fpatan = 0xd9, 0xf3;
    /// Split exponent and significand.
    Fxtract = 0xd9, 0xf4;
    /// IEEE remainder step.
    Fprem1 = 0xd9, 0xf5;
    /// Rotate the stack down.
    Fdecstp = 0xd9, 0xf6;
    /// Rotate the stack up.
    Fincstp = 0xd9, 0xf7;
    /// Truncating remainder step.
    Fprem = 0xd9, 0xf8;
    /// y * log2(x + 1), pop.
    Fyl2xp1 = 0xd9, 0xf9;
    /// Square root.
    Fsqrt = 0xd9, 0xfa;
    /// Sine and cosine.
    Fsincos = 0xd9, 0xfb;
    /// Round to integer.
    Frndint = 0xd9, 0xfc;
    /// Scale by a power of two.
    Fscale = 0xd9, 0xfd;
    /// Sine.
    Fsin = 0xd9, 0xfe;
    /// Cosine.
    Fcos = 0xd9, 0xff;
    /// Clear exceptions, no wait.
    Fnclex = 0xdb, 0xe2;
    /// Reset, no wait.
    Fninit = 0xdb, 0xe3;
    /// Unordered compare, pop two.
    Fucompp = 0xda, 0xe9;
    /// Compare, pop two.
    Fcompp = 0xde, 0xd9;
    /// Status word to `ax`, no wait.
    FnstswAx = 0xdf, 0xe0;
}

impl CodeBuffer {
    /// An x87 instruction without operands.
    pub fn x87(&mut self, op: X87) {
        self.put_bytes(&(op as u16).to_be_bytes());
    }

    /// Pushes a float from memory (`flds`, `fldl`, `fldt`).
    pub fn fld_m(&mut self, width: X87Float, mem: Mem) {
        let (op, extension) = match width {
            X87Float::M32 => (0xd9, 0),
            X87Float::M64 => (0xdd, 0),
            X87Float::M80 => (0xdb, 5),
        };
        self.op_rm(Opcode::one(op), 0, extension, mem, 0);
    }

    /// Stores and pops (`fstps`, `fstpl`, `fstpt`).
    pub fn fstp_m(&mut self, width: X87Float, mem: Mem) {
        let (op, extension) = match width {
            X87Float::M32 => (0xd9, 3),
            X87Float::M64 => (0xdd, 3),
            X87Float::M80 => (0xdb, 7),
        };
        self.op_rm(Opcode::one(op), 0, extension, mem, 0);
    }

    /// Stores without popping (`fsts`, `fstl`; there is no 80-bit form).
    pub fn fst_m(&mut self, width: X87Float, mem: Mem) {
        debug_assert!(width != X87Float::M80);
        let op = if width == X87Float::M32 { 0xd9 } else { 0xdd };
        self.op_rm(Opcode::one(op), 0, 2, mem, 0);
    }

    /// Pushes a signed integer from memory (`filds`, `fildl`, `fildq`).
    pub fn fild(&mut self, width: X87Int, mem: Mem) {
        let (op, extension) = match width {
            X87Int::M16 => (0xdf, 0),
            X87Int::M32 => (0xdb, 0),
            X87Int::M64 => (0xdf, 5),
        };
        self.op_rm(Opcode::one(op), 0, extension, mem, 0);
    }

    /// Rounds to a signed integer by the control word, stores and pops (`fistps`, `fistpl`,
    /// `fistpq`).
    pub fn fistp(&mut self, width: X87Int, mem: Mem) {
        let (op, extension) = match width {
            X87Int::M16 => (0xdf, 3),
            X87Int::M32 => (0xdb, 3),
            X87Int::M64 => (0xdf, 7),
        };
        self.op_rm(Opcode::one(op), 0, extension, mem, 0);
    }

    /// Truncates to a signed integer, stores and pops (SSE3: `fisttps`, `fisttpl`, `fisttpq`).
    pub fn fisttp(&mut self, width: X87Int, mem: Mem) {
        let op = match width {
            X87Int::M16 => 0xdf,
            X87Int::M32 => 0xdb,
            X87Int::M64 => 0xdd,
        };
        self.op_rm(Opcode::one(op), 0, 1, mem, 0);
    }

    /// `st(0) = st(0) op memory` (for the reverse operations `memory op st(0)`); 32- or 64-bit
    /// memory.
    pub fn x87_op_m(&mut self, op: X87Op, width: X87Float, mem: Mem) {
        debug_assert!(width != X87Float::M80);
        let first = if width == X87Float::M32 { 0xd8 } else { 0xdc };
        self.op_rm(Opcode::one(first), 0, op as u8, mem, 0);
    }

    /// `st(0) = st(0) op st(i)` (reverse: `st(i) op st(0)`).
    pub fn x87_op_st0(&mut self, op: X87Op, i: u8) {
        self.put_bytes(&[0xd8, 0xc0 | (op as u8) << 3 | i]);
    }

    /// `st(i) = st(i) op st(0)` (reverse: `st(0) op st(i)`).
    pub fn x87_op_sti(&mut self, op: X87Op, i: u8) {
        // Exchanged as in the popping form.
        let extension = if op as u8 >= 4 { op as u8 ^ 1 } else { op as u8 };
        self.put_bytes(&[0xdc, 0xc0 | extension << 3 | i]);
    }

    /// `st(i) = st(i) op st(0)` and pop (reverse: `st(0) op st(i)`).
    pub fn x87_op_pop(&mut self, op: X87Op, i: u8) {
        // With st(i) as destination the hardware's sub/subr and div/divr encodings
        // are exchanged: DE E8+i is st(i) - st(0), DE E0+i is st(0) - st(i).
        let extension = if op as u8 >= 4 { op as u8 ^ 1 } else { op as u8 };
        self.put_bytes(&[0xde, 0xc0 | extension << 3 | i]);
    }

    /// Pushes a copy of `st(i)`.
    pub fn fld_st(&mut self, i: u8) {
        self.put_bytes(&[0xd9, 0xc0 | i]);
    }

    /// Copies `st(0)` to `st(i)` and pops.
    pub fn fstp_st(&mut self, i: u8) {
        self.put_bytes(&[0xdd, 0xd8 | i]);
    }

    /// Exchanges `st(0)` and `st(i)`.
    pub fn fxch(&mut self, i: u8) {
        self.put_bytes(&[0xd9, 0xc8 | i]);
    }

    /// Marks `st(i)` empty.
    pub fn ffree(&mut self, i: u8) {
        self.put_bytes(&[0xdd, 0xc0 | i]);
    }

    /// Quiet comparison of `st(0)` with `st(i)` into ZF, PF, CF.
    pub fn fucomi(&mut self, i: u8) {
        self.put_bytes(&[0xdb, 0xe8 | i]);
    }

    /// As [`Self::fucomi`], then pop.
    pub fn fucomip(&mut self, i: u8) {
        self.put_bytes(&[0xdf, 0xe8 | i]);
    }

    /// Signalling comparison of `st(0)` with `st(i)` into ZF, PF, CF.
    pub fn fcomi(&mut self, i: u8) {
        self.put_bytes(&[0xdb, 0xf0 | i]);
    }

    /// As [`Self::fcomi`], then pop.
    pub fn fcomip(&mut self, i: u8) {
        self.put_bytes(&[0xdf, 0xf0 | i]);
    }

    /// `st(0) = st(i)` if condition `row` holds (0 below, 1 equal, 2 below or equal, 3 unordered)
    /// or, with `inverse`, does not hold.
    pub fn fcmov(&mut self, inverse: bool, row: u8, i: u8) {
        debug_assert!(row < 4);
        self.put_bytes(&[0xda | u8::from(inverse), 0xc0 | row << 3 | i]);
    }

    /// Stores the control word, no wait.
    pub fn fnstcw(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0xd9), 0, 7, mem, 0);
    }

    /// Loads the control word.
    pub fn fldcw(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0xd9), 0, 5, mem, 0);
    }

    /// Stores the status word, no wait.
    pub fn fnstsw_m(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0xdd), 0, 7, mem, 0);
    }

    /// Stores the environment, no wait.
    pub fn fnstenv(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0xd9), 0, 6, mem, 0);
    }

    /// Loads the environment.
    pub fn fldenv(&mut self, mem: Mem) {
        self.op_rm(Opcode::one(0xd9), 0, 4, mem, 0);
    }

    /// `emms`: ends a stretch of MMX code.
    pub fn emms(&mut self) {
        self.op_none(Opcode::two(0x77), 0);
    }
}
