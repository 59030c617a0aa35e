//! SSE to SSE4.2 instructions, from one table of opcodes.
//!
//! Every instruction of these families has the shape prefix, map, opcode, ModRM,
//! perhaps an immediate; what differs is data. Variants are named after their
//! mnemonic; where one mnemonic has a load and a store encoding, the store's
//! variant ends in `Store`.

use platform::registers::Reg;

use super::{
    core::{Opcode, rex_of},
    operands::{Mem, Rm, Size},
};
use crate::CodeBuffer;

macro_rules! sse_table {
    ($($name:ident = $prefix:expr, $map:expr, $op:expr;)*) => {
        /// An SSE instruction.
        // The variants are mnemonics of the instruction set manual.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u16)]
        pub enum Sse {
            $($name,)*
        }

        /// Opcodes in the order of [`Sse`].
        static OPCODES: &[Opcode] = &[$(Opcode::sse($prefix, $map, $op),)*];

        impl Sse {
    /// The comparison of two scalars, `double` or `float`, that sets flags; a signalling one raises
    /// the invalid exception for quiet NaNs, too.
    pub fn compare(double: bool, signaling: bool) -> Sse {
        match (double, signaling) {
            (true, true) => Sse::Comisd,
            (true, false) => Sse::Ucomisd,
            (false, true) => Sse::Comiss,
            (false, false) => Sse::Ucomiss,
        }
    }

            /// Every instruction of the table.
            pub const ALL: &'static [Sse] = &[$(Sse::$name,)*];
        }
    };
}

sse_table! {
    // SSE and SSE2 moves; the names ending in Store have the register as source
    Movss = 0xf3, 1, 0x10;
    Movsd = 0xf2, 1, 0x10;
    Movaps = 0, 1, 0x28;
    Movapd = 0x66, 1, 0x28;
    Movups = 0, 1, 0x10;
    Movupd = 0x66, 1, 0x10;
    Movdqa = 0x66, 1, 0x6f;
    Movdqu = 0xf3, 1, 0x6f;
    Movq = 0xf3, 1, 0x7e;
    MovssStore = 0xf3, 1, 0x11;
    MovsdStore = 0xf2, 1, 0x11;
    MovapsStore = 0, 1, 0x29;
    MovapdStore = 0x66, 1, 0x29;
    MovupsStore = 0, 1, 0x11;
    MovupdStore = 0x66, 1, 0x11;
    MovdqaStore = 0x66, 1, 0x7f;
    MovdquStore = 0xf3, 1, 0x7f;
    MovqStore = 0x66, 1, 0xd6;
    MovlpsLoad = 0, 1, 0x12;
    MovlpdLoad = 0x66, 1, 0x12;
    MovhpsLoad = 0, 1, 0x16;
    MovhpdLoad = 0x66, 1, 0x16;
    MovlpsStore = 0, 1, 0x13;
    MovlpdStore = 0x66, 1, 0x13;
    MovhpsStore = 0, 1, 0x17;
    MovhpdStore = 0x66, 1, 0x17;
    Movhlps = 0, 1, 0x12;
    Movlhps = 0, 1, 0x16;
    MovntpsStore = 0, 1, 0x2b;
    MovntpdStore = 0x66, 1, 0x2b;
    MovntdqStore = 0x66, 1, 0xe7;
    Lddqu = 0xf2, 1, 0xf0;
    Movddup = 0xf2, 1, 0x12;
    Movsldup = 0xf3, 1, 0x12;
    Movshdup = 0xf3, 1, 0x16;
    // to and from general registers: MovdToXmm/MovqToXmm by operand size, the others take the
    // integer size
    MovToXmm = 0x66, 1, 0x6e;
    MovFromXmm = 0x66, 1, 0x7e;
    Cvtsi2ss = 0xf3, 1, 0x2a;
    Cvtsi2sd = 0xf2, 1, 0x2a;
    Cvttss2si = 0xf3, 1, 0x2c;
    Cvttsd2si = 0xf2, 1, 0x2c;
    Cvtss2si = 0xf3, 1, 0x2d;
    Cvtsd2si = 0xf2, 1, 0x2d;
    Movmskps = 0, 1, 0x50;
    Movmskpd = 0x66, 1, 0x50;
    Pmovmskb = 0x66, 1, 0xd7;
    // conversions
    Cvtss2sd = 0xf3, 1, 0x5a;
    Cvtsd2ss = 0xf2, 1, 0x5a;
    Cvtps2pd = 0, 1, 0x5a;
    Cvtpd2ps = 0x66, 1, 0x5a;
    Cvtdq2ps = 0, 1, 0x5b;
    Cvtps2dq = 0x66, 1, 0x5b;
    Cvttps2dq = 0xf3, 1, 0x5b;
    Cvtdq2pd = 0xf3, 1, 0xe6;
    Cvttpd2dq = 0x66, 1, 0xe6;
    Cvtpd2dq = 0xf2, 1, 0xe6;
    // floating-point arithmetic
    Sqrtss = 0xf3, 1, 0x51;
    Sqrtsd = 0xf2, 1, 0x51;
    Sqrtps = 0, 1, 0x51;
    Sqrtpd = 0x66, 1, 0x51;
    Addss = 0xf3, 1, 0x58;
    Addsd = 0xf2, 1, 0x58;
    Addps = 0, 1, 0x58;
    Addpd = 0x66, 1, 0x58;
    Mulss = 0xf3, 1, 0x59;
    Mulsd = 0xf2, 1, 0x59;
    Mulps = 0, 1, 0x59;
    Mulpd = 0x66, 1, 0x59;
    Subss = 0xf3, 1, 0x5c;
    Subsd = 0xf2, 1, 0x5c;
    Subps = 0, 1, 0x5c;
    Subpd = 0x66, 1, 0x5c;
    Minss = 0xf3, 1, 0x5d;
    Minsd = 0xf2, 1, 0x5d;
    Minps = 0, 1, 0x5d;
    Minpd = 0x66, 1, 0x5d;
    Divss = 0xf3, 1, 0x5e;
    Divsd = 0xf2, 1, 0x5e;
    Divps = 0, 1, 0x5e;
    Divpd = 0x66, 1, 0x5e;
    Maxss = 0xf3, 1, 0x5f;
    Maxsd = 0xf2, 1, 0x5f;
    Maxps = 0, 1, 0x5f;
    Maxpd = 0x66, 1, 0x5f;
    Rsqrtss = 0xf3, 1, 0x52;
    Rsqrtps = 0, 1, 0x52;
    Rcpss = 0xf3, 1, 0x53;
    Rcpps = 0, 1, 0x53;
    Andps = 0, 1, 0x54;
    Andpd = 0x66, 1, 0x54;
    Andnps = 0, 1, 0x55;
    Andnpd = 0x66, 1, 0x55;
    Orps = 0, 1, 0x56;
    Orpd = 0x66, 1, 0x56;
    Xorps = 0, 1, 0x57;
    Xorpd = 0x66, 1, 0x57;
    Ucomiss = 0, 1, 0x2e;
    Ucomisd = 0x66, 1, 0x2e;
    Comiss = 0, 1, 0x2f;
    Comisd = 0x66, 1, 0x2f;
    Unpcklps = 0, 1, 0x14;
    Unpcklpd = 0x66, 1, 0x14;
    Unpckhps = 0, 1, 0x15;
    Unpckhpd = 0x66, 1, 0x15;
    Haddps = 0xf2, 1, 0x7c;
    Haddpd = 0x66, 1, 0x7c;
    Hsubps = 0xf2, 1, 0x7d;
    Hsubpd = 0x66, 1, 0x7d;
    Addsubps = 0xf2, 1, 0xd0;
    Addsubpd = 0x66, 1, 0xd0;
    // with an immediate
    Cmpss = 0xf3, 1, 0xc2;
    Cmpsd = 0xf2, 1, 0xc2;
    Cmpps = 0, 1, 0xc2;
    Cmppd = 0x66, 1, 0xc2;
    Shufps = 0, 1, 0xc6;
    Shufpd = 0x66, 1, 0xc6;
    Pshufd = 0x66, 1, 0x70;
    Pshufhw = 0xf3, 1, 0x70;
    Pshuflw = 0xf2, 1, 0x70;
    Pinsrw = 0x66, 1, 0xc4;
    Pextrw = 0x66, 1, 0xc5;
    // integers
    Punpcklbw = 0x66, 1, 0x60;
    Punpcklwd = 0x66, 1, 0x61;
    Punpckldq = 0x66, 1, 0x62;
    Packsswb = 0x66, 1, 0x63;
    Pcmpgtb = 0x66, 1, 0x64;
    Pcmpgtw = 0x66, 1, 0x65;
    Pcmpgtd = 0x66, 1, 0x66;
    Packuswb = 0x66, 1, 0x67;
    Punpckhbw = 0x66, 1, 0x68;
    Punpckhwd = 0x66, 1, 0x69;
    Punpckhdq = 0x66, 1, 0x6a;
    Packssdw = 0x66, 1, 0x6b;
    Punpcklqdq = 0x66, 1, 0x6c;
    Punpckhqdq = 0x66, 1, 0x6d;
    Pcmpeqb = 0x66, 1, 0x74;
    Pcmpeqw = 0x66, 1, 0x75;
    Pcmpeqd = 0x66, 1, 0x76;
    Psrlw = 0x66, 1, 0xd1;
    Psrld = 0x66, 1, 0xd2;
    Psrlq = 0x66, 1, 0xd3;
    Paddq = 0x66, 1, 0xd4;
    Pmullw = 0x66, 1, 0xd5;
    Psubusb = 0x66, 1, 0xd8;
    Psubusw = 0x66, 1, 0xd9;
    Pminub = 0x66, 1, 0xda;
    Pand = 0x66, 1, 0xdb;
    Paddusb = 0x66, 1, 0xdc;
    Paddusw = 0x66, 1, 0xdd;
    Pmaxub = 0x66, 1, 0xde;
    Pandn = 0x66, 1, 0xdf;
    Pavgb = 0x66, 1, 0xe0;
    Psraw = 0x66, 1, 0xe1;
    Psrad = 0x66, 1, 0xe2;
    Pavgw = 0x66, 1, 0xe3;
    Pmulhuw = 0x66, 1, 0xe4;
    Pmulhw = 0x66, 1, 0xe5;
    Psubsb = 0x66, 1, 0xe8;
    Psubsw = 0x66, 1, 0xe9;
    Pminsw = 0x66, 1, 0xea;
    Por = 0x66, 1, 0xeb;
    Paddsb = 0x66, 1, 0xec;
    Paddsw = 0x66, 1, 0xed;
    Pmaxsw = 0x66, 1, 0xee;
    Pxor = 0x66, 1, 0xef;
    Psllw = 0x66, 1, 0xf1;
    Pslld = 0x66, 1, 0xf2;
    Psllq = 0x66, 1, 0xf3;
    Pmuludq = 0x66, 1, 0xf4;
    Pmaddwd = 0x66, 1, 0xf5;
    Psadbw = 0x66, 1, 0xf6;
    Maskmovdqu = 0x66, 1, 0xf7;
    Psubb = 0x66, 1, 0xf8;
    Psubw = 0x66, 1, 0xf9;
    Psubd = 0x66, 1, 0xfa;
    Psubq = 0x66, 1, 0xfb;
    Paddb = 0x66, 1, 0xfc;
    Paddw = 0x66, 1, 0xfd;
    Paddd = 0x66, 1, 0xfe;
    // SSSE3
    Pshufb = 0x66, 2, 0x00;
    Phaddw = 0x66, 2, 0x01;
    Phaddd = 0x66, 2, 0x02;
    Phaddsw = 0x66, 2, 0x03;
    Pmaddubsw = 0x66, 2, 0x04;
    Phsubw = 0x66, 2, 0x05;
    Phsubd = 0x66, 2, 0x06;
    Phsubsw = 0x66, 2, 0x07;
    Psignb = 0x66, 2, 0x08;
    Psignw = 0x66, 2, 0x09;
    Psignd = 0x66, 2, 0x0a;
    Pmulhrsw = 0x66, 2, 0x0b;
    Pabsb = 0x66, 2, 0x1c;
    Pabsw = 0x66, 2, 0x1d;
    Pabsd = 0x66, 2, 0x1e;
    Palignr = 0x66, 3, 0x0f;
    // SSE4.1 and SSE4.2
    Pblendvb = 0x66, 2, 0x10;
    Blendvps = 0x66, 2, 0x14;
    Blendvpd = 0x66, 2, 0x15;
    Ptest = 0x66, 2, 0x17;
    Pmovsxbw = 0x66, 2, 0x20;
    Pmovsxbd = 0x66, 2, 0x21;
    Pmovsxbq = 0x66, 2, 0x22;
    Pmovsxwd = 0x66, 2, 0x23;
    Pmovsxwq = 0x66, 2, 0x24;
    Pmovsxdq = 0x66, 2, 0x25;
    Pmuldq = 0x66, 2, 0x28;
    Pcmpeqq = 0x66, 2, 0x29;
    Movntdqa = 0x66, 2, 0x2a;
    Packusdw = 0x66, 2, 0x2b;
    Pmovzxbw = 0x66, 2, 0x30;
    Pmovzxbd = 0x66, 2, 0x31;
    Pmovzxbq = 0x66, 2, 0x32;
    Pmovzxwd = 0x66, 2, 0x33;
    Pmovzxwq = 0x66, 2, 0x34;
    Pmovzxdq = 0x66, 2, 0x35;
    Pcmpgtq = 0x66, 2, 0x37;
    Pminsb = 0x66, 2, 0x38;
    Pminsd = 0x66, 2, 0x39;
    Pminuw = 0x66, 2, 0x3a;
    Pminud = 0x66, 2, 0x3b;
    Pmaxsb = 0x66, 2, 0x3c;
    Pmaxsd = 0x66, 2, 0x3d;
    Pmaxuw = 0x66, 2, 0x3e;
    Pmaxud = 0x66, 2, 0x3f;
    Pmulld = 0x66, 2, 0x40;
    Phminposuw = 0x66, 2, 0x41;
    Roundps = 0x66, 3, 0x08;
    Roundpd = 0x66, 3, 0x09;
    Roundss = 0x66, 3, 0x0a;
    Roundsd = 0x66, 3, 0x0b;
    Blendps = 0x66, 3, 0x0c;
    Blendpd = 0x66, 3, 0x0d;
    Pblendw = 0x66, 3, 0x0e;
    PextrbStore = 0x66, 3, 0x14;
    PextrwStore = 0x66, 3, 0x15;
    PextrStore = 0x66, 3, 0x16;
    Extractps = 0x66, 3, 0x17;
    Pinsrb = 0x66, 3, 0x20;
    Insertps = 0x66, 3, 0x21;
    Pinsr = 0x66, 3, 0x22;
    Dpps = 0x66, 3, 0x40;
    Dppd = 0x66, 3, 0x41;
    Mpsadbw = 0x66, 3, 0x42;
    Pclmulqdq = 0x66, 3, 0x44;
    Pcmpestrm = 0x66, 3, 0x60;
    Pcmpestri = 0x66, 3, 0x61;
    Pcmpistrm = 0x66, 3, 0x62;
    Pcmpistri = 0x66, 3, 0x63;
    // AES and SHA
    Aesimc = 0x66, 2, 0xdb;
    Aesenc = 0x66, 2, 0xdc;
    Aesenclast = 0x66, 2, 0xdd;
    Aesdec = 0x66, 2, 0xde;
    Aesdeclast = 0x66, 2, 0xdf;
    Aeskeygenassist = 0x66, 3, 0xdf;
    Sha1nexte = 0, 2, 0xc8;
    Sha1msg1 = 0, 2, 0xc9;
    Sha1msg2 = 0, 2, 0xca;
    Sha256rnds2 = 0, 2, 0xcb;
    Sha256msg1 = 0, 2, 0xcc;
    Sha256msg2 = 0, 2, 0xcd;
    Sha1rnds4 = 0, 3, 0xcc;
}

/// Packed shifts by an immediate, as (opcode, extension).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u16)]
pub enum SseShift {
    /// Words, logical right.
    Psrlw = 0x7102,
    /// Words, arithmetic right.
    Psraw = 0x7104,
    /// Words, left.
    Psllw = 0x7106,
    /// Doublewords, logical right.
    Psrld = 0x7202,
    /// Doublewords, arithmetic right.
    Psrad = 0x7204,
    /// Doublewords, left.
    Pslld = 0x7206,
    /// Quadwords, logical right.
    Psrlq = 0x7302,
    /// The whole register by bytes, right.
    Psrldq = 0x7303,
    /// Quadwords, left.
    Psllq = 0x7306,
    /// The whole register by bytes, left.
    Pslldq = 0x7307,
}

impl Sse {
    #[inline(always)]
    fn opcode(self) -> Opcode {
        OPCODES[self as usize]
    }

    /// Mandatory prefix (0: none), opcode map and opcode.
    pub(super) fn parts(self) -> (u8, u8, u8) {
        let opcode = self.opcode();
        (opcode.prefix(), opcode.map(), opcode.byte())
    }

    /// Whether the operands may change places; of two NaNs the first is the result.
    #[rustfmt::skip]
    pub fn is_commutative(self) -> bool {
        use Sse::*;
        matches!(
            self,
            Addss | Addsd | Addps | Addpd | Mulss | Mulsd | Mulps | Mulpd
                | Andps | Andpd | Orps | Orpd | Xorps | Xorpd | Pand | Por | Pxor
                | Paddb | Paddw | Paddd | Paddq | Pmullw | Pmulld | Pmulhw | Pmulhuw | Pmuludq | Pmuldq
                | Pcmpeqb | Pcmpeqw | Pcmpeqd | Pcmpeqq | Pavgb | Pavgw | Pmaddwd | Psadbw
                | Paddsb | Paddsw | Paddusb | Paddusw
                | Pminub | Pminsw | Pmaxub | Pmaxsw | Pminsb | Pminsd | Pminuw | Pminud
                | Pmaxsb | Pmaxsd | Pmaxuw | Pmaxud
        )
    }

    /// Whether the VEX form has no second source register: what reads one register or memory
    /// operand only, loads and stores.
    pub fn has_one_source(self) -> bool {
        use Sse::*;
        self.is_store()
            || matches!(
                self,
                Movaps
                    | Movapd
                    | Movups
                    | Movupd
                    | Movdqa
                    | Movdqu
                    | Movq
                    | Lddqu
                    | Movddup
                    | Movsldup
                    | Movshdup
                    | Movntdqa
                    | MovToXmm
                    | Cvttss2si
                    | Cvttsd2si
                    | Cvtss2si
                    | Cvtsd2si
                    | Movmskps
                    | Movmskpd
                    | Pmovmskb
                    | Cvtps2pd
                    | Cvtpd2ps
                    | Cvtdq2ps
                    | Cvtps2dq
                    | Cvttps2dq
                    | Cvtdq2pd
                    | Cvttpd2dq
                    | Cvtpd2dq
                    | Sqrtps
                    | Sqrtpd
                    | Rsqrtps
                    | Rcpps
                    | Ucomiss
                    | Ucomisd
                    | Comiss
                    | Comisd
                    | Pshufd
                    | Pshufhw
                    | Pshuflw
                    | Pextrw
                    | Maskmovdqu
                    | Pabsb
                    | Pabsw
                    | Pabsd
                    | Ptest
                    | Pmovsxbw
                    | Pmovsxbd
                    | Pmovsxbq
                    | Pmovsxwd
                    | Pmovsxwq
                    | Pmovsxdq
                    | Pmovzxbw
                    | Pmovzxbd
                    | Pmovzxbq
                    | Pmovzxwd
                    | Pmovzxwq
                    | Pmovzxdq
                    | Phminposuw
                    | Roundps
                    | Roundpd
                    | Pcmpestrm
                    | Pcmpestri
                    | Pcmpistrm
                    | Pcmpistri
                    | Aesimc
                    | Aeskeygenassist
            )
    }

    /// Whether the instruction has no VEX form.
    pub fn is_legacy_only(self) -> bool {
        use Sse::*;
        matches!(self, Sha1nexte | Sha1msg1 | Sha1msg2 | Sha256rnds2 | Sha256msg1 | Sha256msg2 | Sha1rnds4)
    }

    /// Whether the ModRM `reg` field holds the source (stores, extractions).
    pub fn is_store(self) -> bool {
        use Sse::*;
        matches!(
            self,
            MovssStore
                | MovsdStore
                | MovapsStore
                | MovapdStore
                | MovupsStore
                | MovupdStore
                | MovdqaStore
                | MovdquStore
                | MovqStore
                | MovlpsStore
                | MovlpdStore
                | MovhpsStore
                | MovhpdStore
                | MovntpsStore
                | MovntpdStore
                | MovntdqStore
                | MovFromXmm
                | PextrbStore
                | PextrwStore
                | PextrStore
                | Extractps
        )
    }

    /// Whether an immediate byte follows (use the `i` methods).
    pub fn has_immediate(self) -> bool {
        use Sse::*;
        self.opcode().map() == 3
            || matches!(
                self,
                Cmpss | Cmpsd | Cmpps | Cmppd | Shufps | Shufpd | Pshufd | Pshufhw | Pshuflw | Pinsrw | Pextrw
            )
    }
}

impl CodeBuffer {
    /// `op dst, src` between SSE registers (store variants included), or from memory.
    #[inline]
    pub fn sse_rx(&mut self, op: Sse, dst: Reg, src: impl Into<Rm>) {
        self.sse(op, Size::D, dst, src, None);
    }

    /// `op memory, src`: one of the stores.
    #[inline]
    pub fn sse_mr(&mut self, op: Sse, dst: Mem, src: Reg) {
        debug_assert!(op.is_store());
        self.op_rm(op.opcode(), 0, src.encoding(), dst, 0);
    }

    /// `op dst, src` and the immediate if there is one; an integer operand (`Cvtsi2sd`, `MovToXmm`,
    /// `MovFromXmm`, `Pinsr`, `Movmskps`, ...) has `size`, which is `D` for all others. Stores have
    /// register operands only here.
    #[inline]
    pub fn sse(&mut self, op: Sse, size: Size, dst: Reg, src: impl Into<Rm>, imm: Option<u8>) {
        debug_assert!(imm.is_none() || op.has_immediate());
        let (reg, rm) = match src.into() {
            Rm::Reg(src) if op.is_store() => (src, Rm::Reg(dst)),
            src => (dst, src),
        };
        self.op_rx(op.opcode(), rex_of(size), reg.encoding(), rm, u32::from(imm.is_some()));
        if let Some(imm) = imm {
            self.imm(i64::from(imm), 1);
        }
    }

    /// `op memory, src` with an integer size: `MovFromXmm`.
    pub fn sse_mr_sized(&mut self, op: Sse, size: Size, dst: Mem, src: Reg) {
        self.op_rm(op.opcode(), rex_of(size), src.encoding(), dst, 0);
    }

    /// `op memory, src, imm`: `PextrbStore`, `PextrwStore`, `PextrStore`, `Extractps`.
    pub fn sse_mri(&mut self, op: Sse, size: Size, dst: Mem, src: Reg, imm: u8) {
        self.op_rm(op.opcode(), rex_of(size), src.encoding(), dst, 1);
        self.imm(i64::from(imm), 1);
    }

    /// Packed shift by an immediate.
    pub fn sse_shift(&mut self, op: SseShift, reg: Reg, count: u8) {
        let opcode = Opcode::sse(0x66, 1, (op as u16 >> 8) as u8);
        self.op_rr(opcode, 0, op as u8 & 7, reg.encoding());
        self.imm(i64::from(count), 1);
    }
}
