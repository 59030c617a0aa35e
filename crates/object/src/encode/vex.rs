//! VEX-encoded instructions: BMI, AVX, AVX2, FMA.
//!
//! One generic encoder; the table holds prefix selector (`pp`: 0 none, 1 `66`, 2
//! `f3`, 3 `f2`), opcode map, W and opcode. The two-byte form is used whenever it
//! can express the instruction, as `as` does.

use platform::registers::Reg;

use super::{
    core::Opcode,
    operands::{Rm, Segment, Size},
    sse::{Sse, SseShift},
};
use crate::CodeBuffer;

macro_rules! vex_table {
    ($($name:ident = $pp:expr, $map:expr, $w:expr, $op:expr;)*) => {
        /// A VEX instruction.
        // The variants are mnemonics of the instruction set manual.
        #[allow(missing_docs)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u16)]
        pub enum Vex {
            $($name,)*
        }

        /// (pp, map, W, opcode) in the order of [`Vex`].
        static OPCODES: &[(u8, u8, u8, u8)] = &[$(($pp, $map, $w, $op),)*];

        impl Vex {
            /// Every instruction of the table.
            pub const ALL: &'static [Vex] = &[$(Vex::$name,)*];
        }
    };
}

vex_table! {
    // general registers (BMI1, BMI2): pp, map, W by operand size
    Andn = 0, 2, 0, 0xf2;
    Bextr = 0, 2, 0, 0xf7;
    Bzhi = 0, 2, 0, 0xf5;
    Pdep = 3, 2, 0, 0xf5;
    Pext = 2, 2, 0, 0xf5;
    Sarx = 2, 2, 0, 0xf7;
    Shlx = 1, 2, 0, 0xf7;
    Shrx = 3, 2, 0, 0xf7;
    Mulx = 3, 2, 0, 0xf6;
    Rorx = 3, 3, 0, 0xf0;
    // AVX, same opcodes as the SSE forms
    Vsqrtss = 2, 1, 0, 0x51;
    Vsqrtsd = 3, 1, 0, 0x51;
    Vsqrtps = 0, 1, 0, 0x51;
    Vsqrtpd = 1, 1, 0, 0x51;
    Vaddss = 2, 1, 0, 0x58;
    Vaddsd = 3, 1, 0, 0x58;
    Vaddps = 0, 1, 0, 0x58;
    Vaddpd = 1, 1, 0, 0x58;
    Vmulss = 2, 1, 0, 0x59;
    Vmulsd = 3, 1, 0, 0x59;
    Vmulps = 0, 1, 0, 0x59;
    Vmulpd = 1, 1, 0, 0x59;
    Vsubss = 2, 1, 0, 0x5c;
    Vsubsd = 3, 1, 0, 0x5c;
    Vsubps = 0, 1, 0, 0x5c;
    Vsubpd = 1, 1, 0, 0x5c;
    Vminss = 2, 1, 0, 0x5d;
    Vminsd = 3, 1, 0, 0x5d;
    Vminps = 0, 1, 0, 0x5d;
    Vminpd = 1, 1, 0, 0x5d;
    Vdivss = 2, 1, 0, 0x5e;
    Vdivsd = 3, 1, 0, 0x5e;
    Vdivps = 0, 1, 0, 0x5e;
    Vdivpd = 1, 1, 0, 0x5e;
    Vmaxss = 2, 1, 0, 0x5f;
    Vmaxsd = 3, 1, 0, 0x5f;
    Vmaxps = 0, 1, 0, 0x5f;
    Vmaxpd = 1, 1, 0, 0x5f;
    Vmovaps = 0, 1, 0, 0x28;
    Vmovapd = 1, 1, 0, 0x28;
    Vmovups = 0, 1, 0, 0x10;
    Vmovupd = 1, 1, 0, 0x10;
    Vmovdqa = 1, 1, 0, 0x6f;
    Vmovdqu = 2, 1, 0, 0x6f;
    Vmovss = 2, 1, 0, 0x10;
    Vmovsd = 3, 1, 0, 0x10;
    VmovapsStore = 0, 1, 0, 0x29;
    VmovapdStore = 1, 1, 0, 0x29;
    VmovupsStore = 0, 1, 0, 0x11;
    VmovupdStore = 1, 1, 0, 0x11;
    VmovdqaStore = 1, 1, 0, 0x7f;
    VmovdquStore = 2, 1, 0, 0x7f;
    VmovssStore = 2, 1, 0, 0x11;
    VmovsdStore = 3, 1, 0, 0x11;
    Vandps = 0, 1, 0, 0x54;
    Vandpd = 1, 1, 0, 0x54;
    Vandnps = 0, 1, 0, 0x55;
    Vandnpd = 1, 1, 0, 0x55;
    Vorps = 0, 1, 0, 0x56;
    Vorpd = 1, 1, 0, 0x56;
    Vxorps = 0, 1, 0, 0x57;
    Vxorpd = 1, 1, 0, 0x57;
    Vucomiss = 0, 1, 0, 0x2e;
    Vucomisd = 1, 1, 0, 0x2e;
    Vcomiss = 0, 1, 0, 0x2f;
    Vcomisd = 1, 1, 0, 0x2f;
    Vunpcklps = 0, 1, 0, 0x14;
    Vunpcklpd = 1, 1, 0, 0x14;
    Vunpckhps = 0, 1, 0, 0x15;
    Vunpckhpd = 1, 1, 0, 0x15;
    Vcvtsi2ss = 2, 1, 0, 0x2a;
    Vcvtsi2sd = 3, 1, 0, 0x2a;
    Vcvttss2si = 2, 1, 0, 0x2c;
    Vcvttsd2si = 3, 1, 0, 0x2c;
    Vcvtss2sd = 2, 1, 0, 0x5a;
    Vcvtsd2ss = 3, 1, 0, 0x5a;
    Vcvtdq2ps = 0, 1, 0, 0x5b;
    Vcvttps2dq = 2, 1, 0, 0x5b;
    Vcmpss = 2, 1, 0, 0xc2;
    Vcmpsd = 3, 1, 0, 0xc2;
    Vcmpps = 0, 1, 0, 0xc2;
    Vcmppd = 1, 1, 0, 0xc2;
    Vshufps = 0, 1, 0, 0xc6;
    Vshufpd = 1, 1, 0, 0xc6;
    Vpshufd = 1, 1, 0, 0x70;
    Vpand = 1, 1, 0, 0xdb;
    Vpandn = 1, 1, 0, 0xdf;
    Vpor = 1, 1, 0, 0xeb;
    Vpxor = 1, 1, 0, 0xef;
    Vpaddb = 1, 1, 0, 0xfc;
    Vpaddw = 1, 1, 0, 0xfd;
    Vpaddd = 1, 1, 0, 0xfe;
    Vpaddq = 1, 1, 0, 0xd4;
    Vpsubb = 1, 1, 0, 0xf8;
    Vpsubw = 1, 1, 0, 0xf9;
    Vpsubd = 1, 1, 0, 0xfa;
    Vpsubq = 1, 1, 0, 0xfb;
    Vpmullw = 1, 1, 0, 0xd5;
    Vpmuludq = 1, 1, 0, 0xf4;
    Vpcmpeqb = 1, 1, 0, 0x74;
    Vpcmpeqw = 1, 1, 0, 0x75;
    Vpcmpeqd = 1, 1, 0, 0x76;
    Vpcmpgtb = 1, 1, 0, 0x64;
    Vpcmpgtw = 1, 1, 0, 0x65;
    Vpcmpgtd = 1, 1, 0, 0x66;
    Vpmovmskb = 1, 1, 0, 0xd7;
    Vpunpcklbw = 1, 1, 0, 0x60;
    Vpunpcklwd = 1, 1, 0, 0x61;
    Vpunpckldq = 1, 1, 0, 0x62;
    Vpunpcklqdq = 1, 1, 0, 0x6c;
    Vpunpckhbw = 1, 1, 0, 0x68;
    Vpunpckhwd = 1, 1, 0, 0x69;
    Vpunpckhdq = 1, 1, 0, 0x6a;
    Vpunpckhqdq = 1, 1, 0, 0x6d;
    Vmovmskps = 0, 1, 0, 0x50;
    Vmovmskpd = 1, 1, 0, 0x50;
    // AVX, AVX2 of the 0f 38 and 0f 3a maps
    Vpshufb = 1, 2, 0, 0x00;
    Vpmulld = 1, 2, 0, 0x40;
    Vpcmpeqq = 1, 2, 0, 0x29;
    Vpcmpgtq = 1, 2, 0, 0x37;
    Vpminsd = 1, 2, 0, 0x39;
    Vpmaxsd = 1, 2, 0, 0x3d;
    Vpminud = 1, 2, 0, 0x3b;
    Vpmaxud = 1, 2, 0, 0x3f;
    Vbroadcastss = 1, 2, 0, 0x18;
    Vbroadcastsd = 1, 2, 0, 0x19;
    Vpbroadcastd = 1, 2, 0, 0x58;
    Vpbroadcastq = 1, 2, 0, 0x59;
    Vpbroadcastb = 1, 2, 0, 0x78;
    Vpbroadcastw = 1, 2, 0, 0x79;
    Vpsrlvd = 1, 2, 0, 0x45;
    Vpsrlvq = 1, 2, 1, 0x45;
    Vpsravd = 1, 2, 0, 0x46;
    Vpsllvd = 1, 2, 0, 0x47;
    Vpsllvq = 1, 2, 1, 0x47;
    Vptest = 1, 2, 0, 0x17;
    Vcvtph2ps = 1, 2, 0, 0x13;
    Vroundss = 1, 3, 0, 0x0a;
    Vroundsd = 1, 3, 0, 0x0b;
    Vroundps = 1, 3, 0, 0x08;
    Vroundpd = 1, 3, 0, 0x09;
    Vperm2i128 = 1, 3, 0, 0x46;
    Vpermq = 1, 3, 1, 0x00;
    Vinserti128 = 1, 3, 0, 0x38;
    Vextracti128 = 1, 3, 0, 0x39;
    Vinsertf128 = 1, 3, 0, 0x18;
    Vextractf128 = 1, 3, 0, 0x19;
    Vpalignr = 1, 3, 0, 0x0f;
    Vpblendd = 1, 3, 0, 0x02;
    Vblendvps = 1, 3, 0, 0x4a;
    Vblendvpd = 1, 3, 0, 0x4b;
    Vpblendvb = 1, 3, 0, 0x4c;
    Vcvtps2ph = 1, 3, 0, 0x1d;
    Vpermilps = 1, 2, 0, 0x0c;
    Vpermilpd = 1, 2, 0, 0x0d;
    VpermilpsImm = 1, 3, 0, 0x04;
    VpermilpdImm = 1, 3, 0, 0x05;
    Vtestps = 1, 2, 0, 0x0e;
    Vtestpd = 1, 2, 0, 0x0f;
    VmaskmovpsStore = 1, 2, 0, 0x2e;
    VmaskmovpdStore = 1, 2, 0, 0x2f;
    Vpermps = 1, 2, 0, 0x16;
    Vpermd = 1, 2, 0, 0x36;
    Vpermpd = 1, 3, 1, 0x01;
    Vperm2f128 = 1, 3, 0, 0x06;
    Vbroadcastf128 = 1, 2, 0, 0x1a;
    Vbroadcasti128 = 1, 2, 0, 0x5a;
    // FMA3
    Vfmaddsub132ps = 1, 2, 0, 0x96;
    Vfmaddsub132pd = 1, 2, 1, 0x96;
    Vfmaddsub213ps = 1, 2, 0, 0xa6;
    Vfmaddsub213pd = 1, 2, 1, 0xa6;
    Vfmaddsub231ps = 1, 2, 0, 0xb6;
    Vfmaddsub231pd = 1, 2, 1, 0xb6;
    Vfmsubadd132ps = 1, 2, 0, 0x97;
    Vfmsubadd132pd = 1, 2, 1, 0x97;
    Vfmsubadd213ps = 1, 2, 0, 0xa7;
    Vfmsubadd213pd = 1, 2, 1, 0xa7;
    Vfmsubadd231ps = 1, 2, 0, 0xb7;
    Vfmsubadd231pd = 1, 2, 1, 0xb7;
    Vfmadd132ps = 1, 2, 0, 0x98;
    Vfmadd132pd = 1, 2, 1, 0x98;
    Vfmadd132ss = 1, 2, 0, 0x99;
    Vfmadd132sd = 1, 2, 1, 0x99;
    Vfmadd213ps = 1, 2, 0, 0xa8;
    Vfmadd213pd = 1, 2, 1, 0xa8;
    Vfmadd213ss = 1, 2, 0, 0xa9;
    Vfmadd213sd = 1, 2, 1, 0xa9;
    Vfmadd231ps = 1, 2, 0, 0xb8;
    Vfmadd231pd = 1, 2, 1, 0xb8;
    Vfmadd231ss = 1, 2, 0, 0xb9;
    Vfmadd231sd = 1, 2, 1, 0xb9;
    Vfmsub132ps = 1, 2, 0, 0x9a;
    Vfmsub132pd = 1, 2, 1, 0x9a;
    Vfmsub132ss = 1, 2, 0, 0x9b;
    Vfmsub132sd = 1, 2, 1, 0x9b;
    Vfmsub213ps = 1, 2, 0, 0xaa;
    Vfmsub213pd = 1, 2, 1, 0xaa;
    Vfmsub213ss = 1, 2, 0, 0xab;
    Vfmsub213sd = 1, 2, 1, 0xab;
    Vfmsub231ps = 1, 2, 0, 0xba;
    Vfmsub231pd = 1, 2, 1, 0xba;
    Vfmsub231ss = 1, 2, 0, 0xbb;
    Vfmsub231sd = 1, 2, 1, 0xbb;
    Vfnmadd132ps = 1, 2, 0, 0x9c;
    Vfnmadd132pd = 1, 2, 1, 0x9c;
    Vfnmadd132ss = 1, 2, 0, 0x9d;
    Vfnmadd132sd = 1, 2, 1, 0x9d;
    Vfnmadd213ps = 1, 2, 0, 0xac;
    Vfnmadd213pd = 1, 2, 1, 0xac;
    Vfnmadd213ss = 1, 2, 0, 0xad;
    Vfnmadd213sd = 1, 2, 1, 0xad;
    Vfnmadd231ps = 1, 2, 0, 0xbc;
    Vfnmadd231pd = 1, 2, 1, 0xbc;
    Vfnmadd231ss = 1, 2, 0, 0xbd;
    Vfnmadd231sd = 1, 2, 1, 0xbd;
    Vfnmsub132ps = 1, 2, 0, 0x9e;
    Vfnmsub132pd = 1, 2, 1, 0x9e;
    Vfnmsub132ss = 1, 2, 0, 0x9f;
    Vfnmsub132sd = 1, 2, 1, 0x9f;
    Vfnmsub213ps = 1, 2, 0, 0xae;
    Vfnmsub213pd = 1, 2, 1, 0xae;
    Vfnmsub213ss = 1, 2, 0, 0xaf;
    Vfnmsub213sd = 1, 2, 1, 0xaf;
    Vfnmsub231ps = 1, 2, 0, 0xbe;
    Vfnmsub231pd = 1, 2, 1, 0xbe;
    Vfnmsub231ss = 1, 2, 0, 0xbf;
    Vfnmsub231sd = 1, 2, 1, 0xbf;
}

/// Vector length or general-register size of a VEX instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum VexLength {
    /// 128 bits, scalars, and 32-bit general registers.
    L128,
    /// 256 bits.
    L256,
    /// 64-bit general registers (W set).
    W64,
}

impl From<Size> for VexLength {
    fn from(size: Size) -> VexLength {
        if size == Size::Q { VexLength::W64 } else { VexLength::L128 }
    }
}

/// An instruction as VEX encodes it, whichever table it is from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VexForm {
    pp: u8,
    map: u8,
    w: u8,
    opcode: u8,
}

impl From<Vex> for VexForm {
    #[inline]
    fn from(op: Vex) -> VexForm {
        let (pp, map, w, opcode) = OPCODES[op as usize];
        VexForm { pp, map, w, opcode }
    }
}

/// The AVX form of an SSE instruction. All but the variable blends, whose mask becomes a fourth
/// operand, keep prefix, map and opcode (Intel's manual, volume 2, 2.3.2); the SHA instructions
/// have none.
impl From<Sse> for VexForm {
    #[inline]
    fn from(op: Sse) -> VexForm {
        let (prefix, map, opcode) = op.parts();
        let pp = match prefix {
            0 => 0,
            0x66 => 1,
            0xf3 => 2,
            _ => 3,
        };
        match op {
            Sse::Blendvps => VexForm { pp, map: 3, w: 0, opcode: 0x4a },
            Sse::Blendvpd => VexForm { pp, map: 3, w: 0, opcode: 0x4b },
            Sse::Pblendvb => VexForm { pp, map: 3, w: 0, opcode: 0x4c },
            _ => VexForm { pp, map, w: 0, opcode },
        }
    }
}

impl Vex {
    /// Whether an immediate byte follows (use the `i` methods).
    pub fn has_immediate(self) -> bool {
        OPCODES[self as usize].1 == 3
            || matches!(
                self,
                Vex::Vcmpss | Vex::Vcmpsd | Vex::Vcmpps | Vex::Vcmppd | Vex::Vshufps | Vex::Vshufpd | Vex::Vpshufd
            )
    }
}

impl CodeBuffer {
    /// `op dst, src1, src2`. For instructions with one source pass [`None`] as `src1`. The ModRM
    /// `reg` field is `dst` and `rm` is `src2` (for the shifts of BMI2, whose count is the VEX
    /// register, pass the count as `src1`; for stores pass the stored register as `dst`).
    pub fn vex_rrx(
        &mut self,
        op: impl Into<VexForm>,
        length: VexLength,
        dst: Reg,
        src1: Option<Reg>,
        src2: impl Into<Rm>,
    ) {
        self.vex(op, length, (dst, src1), src2, None);
    }

    /// As [`Self::vex_rrx`], with the immediate if there is one (a fourth register goes to its
    /// upper four bits).
    pub fn vex(
        &mut self,
        op: impl Into<VexForm>,
        length: VexLength,
        (dst, src1): (Reg, Option<Reg>),
        src2: impl Into<Rm>,
        imm: Option<u8>,
    ) {
        let (op, reg) = (op.into(), dst.encoding());
        match src2.into() {
            Rm::Reg(src2) => {
                let rm = src2.encoding();
                self.vex_head(op, length, reg, src1, 0, rm >> 3, Segment::None);
                self.put_bytes(&[0xc0 | (reg & 7) << 3 | rm & 7]);
            }
            Rm::Mem(mem) => {
                let x = mem.index.map_or(0, |(r, _)| r.0 >> 3);
                let b = mem.base.map_or(0, |r| r.0 >> 3);
                self.vex_head(op, length, reg, src1, x, b, mem.segment);
                // The ModRM part is the same as after a legacy opcode.
                self.modrm_mem(Opcode::sse(0, 2, 0), reg, mem, u32::from(imm.is_some()));
            }
        }
        if let Some(imm) = imm {
            self.imm(i64::from(imm), 1);
        }
    }

    /// `blsr`, `blsmsk`, `blsi` (`extension` 1, 2, 3): `dst = f(src)`.
    pub fn vex_bls(&mut self, extension: u8, size: Size, dst: Reg, src: Reg) {
        let w = u8::from(size == Size::Q);
        self.vex_bytes((0, 2, w, 0xf3), 0, 0, Some(dst), 0, src.encoding() >> 3, Segment::None);
        self.put_bytes(&[0xc0 | extension << 3 | src.encoding() & 7]);
    }

    /// A packed shift by an immediate: `op dst, src, count`.
    pub fn vex_shift(&mut self, op: SseShift, length: VexLength, dst: Reg, src: Reg, count: u8) {
        let form = VexForm { pp: 1, map: 1, w: 0, opcode: (op as u16 >> 8) as u8 };
        let rm = src.encoding();
        self.vex_head(form, length, op as u8 & 7, Some(dst), 0, rm >> 3, Segment::None);
        self.put_bytes(&[0xc0 | (op as u8 & 7) << 3 | rm & 7]);
        self.imm(i64::from(count), 1);
    }

    /// `vzeroupper`
    pub fn vzeroupper(&mut self) {
        self.put_bytes(&[0xc5, 0xf8, 0x77]);
    }

    #[allow(clippy::too_many_arguments)]
    fn vex_head(&mut self, op: VexForm, length: VexLength, reg: u8, vvvv: Option<Reg>, x: u8, b: u8, segment: Segment) {
        let VexForm { pp, map, w, opcode } = op;
        let w = w | u8::from(length == VexLength::W64);
        let l = u8::from(length == VexLength::L256);
        self.vex_bytes((pp, map, w, opcode), l, reg, vvvv, x, b, segment);
    }

    #[allow(clippy::too_many_arguments)]
    fn vex_bytes(
        &mut self,
        (pp, map, w, opcode): (u8, u8, u8, u8),
        l: u8,
        reg: u8,
        vvvv: Option<Reg>,
        x: u8,
        b: u8,
        segment: Segment,
    ) {
        match segment {
            Segment::None => {}
            Segment::Fs => self.put_bytes(&[0x64]),
            Segment::Gs => self.put_bytes(&[0x65]),
        }
        let r = reg >> 3 ^ 1;
        let low = (!vvvv.map_or(0, Reg::encoding) & 15) << 3 | l << 2 | pp;
        if map == 1 && w == 0 && x == 0 && b == 0 {
            self.put_bytes(&[0xc5, r << 7 | low, opcode]);
        } else {
            self.put_bytes(&[0xc4, r << 7 | (x ^ 1) << 6 | (b ^ 1) << 5 | map, w << 7 | low, opcode]);
        }
    }
}
