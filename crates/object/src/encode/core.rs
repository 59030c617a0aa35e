//! The parts every instruction is made of: prefixes, opcode, ModRM, SIB, displacement, immediate.
//!
//! Everything up to the SIB byte is at most eight bytes and is gathered in one
//! `u64`; displacement and immediate are written after it as whole words into
//! the buffer's window, only the length advances by what was meant.

use platform::registers::Reg;

use super::operands::{Anchor, Mem, Rm, Segment, Size};
use crate::{CodeBuffer, code_buffer::LabelFixup, relocations::RelocKind};

/// An opcode with its map and mandatory prefix: bits 0..8 the opcode byte, 8..10
/// the map (0 one-byte, 1 `0f`, 2 `0f 38`, 3 `0f 3a`), 16..24 the prefix or 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Opcode(pub u32);

impl Opcode {
    /// A one-byte opcode.
    pub const fn one(op: u8) -> Opcode {
        Opcode(op as u32)
    }

    /// `0f op`
    pub const fn two(op: u8) -> Opcode {
        Opcode(0x100 | op as u32)
    }

    /// An opcode of `map` with a mandatory prefix (0 for none).
    pub const fn sse(prefix: u8, map: u8, op: u8) -> Opcode {
        Opcode((prefix as u32) << 16 | (map as u32) << 8 | op as u32)
    }

    /// The same with a prefix.
    #[inline(always)]
    pub const fn with_prefix(self, prefix: u8) -> Opcode {
        Opcode(self.0 | (prefix as u32) << 16)
    }

    /// The prefix of 16-bit operands, if `size` is that.
    #[inline(always)]
    pub fn sized(self, size: Size) -> Opcode {
        if size == Size::W { self.with_prefix(0x66) } else { self }
    }

    pub const fn byte(self) -> u8 {
        self.0 as u8
    }

    pub const fn map(self) -> u8 {
        (self.0 >> 8) as u8 & 3
    }

    pub const fn prefix(self) -> u8 {
        (self.0 >> 16) as u8
    }
}

/// REX with no bits: needed to name `spl`, `bpl`, `sil`, `dil`.
pub(crate) const REX: u8 = 0x40;
/// REX.W
pub(crate) const REX_W: u8 = 0x48;

/// The REX bits an operand size asks for.
#[inline(always)]
pub(crate) fn rex_of(size: Size) -> u8 {
    if size == Size::Q { REX_W } else { 0 }
}

/// The REX byte that byte register `reg` needs to not mean `ah` to `bh`.
#[inline(always)]
pub(crate) fn rex_byte_reg(size: Size, reg: Reg) -> u8 {
    if size == Size::B && reg.0 >= 4 && reg.0 < 8 { REX } else { 0 }
}

/// As [`rex_byte_reg`], if the operand is a register.
#[inline(always)]
pub(crate) fn rex_byte_rm(size: Size, rm: Rm) -> u8 {
    match rm {
        Rm::Reg(reg) => rex_byte_reg(size, reg),
        Rm::Mem(_) => 0,
    }
}

/// Bytes gathered from the least significant end.
struct Head {
    bits: u64,
    shift: u32,
}

impl Head {
    #[inline(always)]
    fn put(&mut self, byte: u8) {
        self.bits |= u64::from(byte) << self.shift;
        self.shift += 8;
    }

    /// Prefix, REX and opcode.
    #[inline(always)]
    fn start(segment: Segment, lock: bool, op: Opcode, rex: u8) -> Head {
        let mut head = Head { bits: 0, shift: 0 };
        match segment {
            Segment::None => {}
            Segment::Fs => head.put(0x64),
            Segment::Gs => head.put(0x65),
        }
        if op.prefix() != 0 {
            head.put(op.prefix());
        }
        if lock {
            head.put(0xf0);
        }
        if rex != 0 {
            head.put(rex | REX);
        }
        match op.map() {
            0 => {}
            1 => head.put(0x0f),
            2 => {
                head.put(0x0f);
                head.put(0x38);
            }
            _ => {
                head.put(0x0f);
                head.put(0x3a);
            }
        }
        head.put(op.byte());
        head
    }
}

impl CodeBuffer {
    #[inline(always)]
    fn put_head(&mut self, head: Head) {
        self.window()[..8].copy_from_slice(&head.bits.to_le_bytes());
        self.len += (head.shift / 8) as usize;
    }

    /// Prefix, REX and opcode without operands bytes; `low` goes to the opcode's low bits with
    /// REX.B.
    #[inline(always)]
    pub(crate) fn op_plus(&mut self, op: Opcode, rex: u8, low: u8) {
        let rex = rex | low >> 3;
        self.put_head(Head::start(Segment::None, false, Opcode(op.0 | u32::from(low & 7)), rex));
    }

    /// An opcode without operands.
    #[inline(always)]
    pub(crate) fn op_none(&mut self, op: Opcode, rex: u8) {
        self.put_head(Head::start(Segment::None, false, op, rex));
    }

    /// An opcode with two register fields: `reg` (or an opcode extension) and `rm`, both 0..16.
    #[inline(always)]
    pub(crate) fn op_rr(&mut self, op: Opcode, rex: u8, reg: u8, rm: u8) {
        let rex = rex | (reg >> 3) << 2 | rm >> 3;
        let mut head = Head::start(Segment::None, false, op, rex);
        head.put(0xc0 | (reg & 7) << 3 | rm & 7);
        self.put_head(head);
    }

    /// An opcode with a register field and a memory operand; `imm_len` bytes of immediate will
    /// follow.
    #[inline]
    pub(crate) fn op_rm(&mut self, op: Opcode, rex: u8, reg: u8, mem: Mem, imm_len: u32) {
        self.op_rm_lock(op, rex, reg, mem, imm_len, false);
    }

    /// An opcode with a register field and an operand of either kind; `imm_len` as in
    /// [`Self::op_rm`].
    #[inline(always)]
    pub(crate) fn op_rx(&mut self, op: Opcode, rex: u8, reg: u8, rm: Rm, imm_len: u32) {
        match rm {
            Rm::Reg(rm) => self.op_rr(op, rex, reg, rm.encoding()),
            Rm::Mem(mem) => self.op_rm(op, rex, reg, mem, imm_len),
        }
    }

    /// As [`Self::op_rm`], optionally with a `lock` prefix.
    pub(crate) fn op_rm_lock(&mut self, op: Opcode, rex: u8, reg: u8, mem: Mem, imm_len: u32, lock: bool) {
        let base = mem.base.map_or(0, |r| r.0);
        let index = mem.index.map_or(0, |(r, _)| r.0);
        let rex = rex | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3;
        let mut head = Head::start(mem.segment, lock, op, rex);
        let disp_len = put_address(&mut head, reg, mem);
        self.put_head(head);
        self.window()[..4].copy_from_slice(&mem.disp.to_le_bytes());
        self.len += disp_len;
        if mem.anchor != Anchor::None {
            let rex = rex != 0;
            self.anchor_field(mem, imm_len, rex, op, reg);
        }
    }

    /// ModRM, SIB and displacement alone, after an opcode that is written already.
    pub(crate) fn modrm_mem(&mut self, op: Opcode, reg: u8, mem: Mem, imm_len: u32) {
        let mut head = Head { bits: 0, shift: 0 };
        let disp_len = put_address(&mut head, reg, mem);
        self.put_head(head);
        self.window()[..4].copy_from_slice(&mem.disp.to_le_bytes());
        self.len += disp_len;
        if mem.anchor != Anchor::None {
            self.anchor_field(mem, imm_len, false, op, reg);
        }
    }

    /// Records what the displacement just written refers to.
    #[cold]
    #[inline(never)]
    pub(crate) fn anchor_field(&mut self, mem: Mem, imm_len: u32, rex: bool, op: Opcode, reg: u8) {
        let offset = self.len as u32 - 4;
        self.bytes[offset as usize..offset as usize + 4].fill(0);
        let to_end = -4 - imm_len as i32;
        match mem.anchor {
            Anchor::None => {}
            Anchor::Rip(symbol, kind) => {
                let kind = if kind == RelocKind::GotPcRel { relaxable_got(op, reg, rex) } else { kind };
                self.add_reloc(offset, kind, symbol, i64::from(mem.disp) + i64::from(to_end));
            }
            Anchor::RipLabel(target) => {
                self.fixups.push(LabelFixup { offset, target, addend: mem.disp + to_end });
            }
            Anchor::Absolute(symbol, kind) => self.add_reloc(offset, kind, symbol, i64::from(mem.disp)),
        }
    }

    /// Little-endian immediate of `len` bytes (1, 2, 4 or 8).
    #[inline(always)]
    pub(crate) fn imm(&mut self, value: i64, len: u32) {
        self.window()[..8].copy_from_slice(&value.to_le_bytes());
        self.len += len as usize;
    }
}

/// ModRM and SIB; returns the displacement's length.
#[inline(always)]
fn put_address(head: &mut Head, reg: u8, mem: Mem) -> usize {
    let reg = (reg & 7) << 3;
    let anchored = mem.anchor != Anchor::None;
    let (mode, disp_len) = match mem.base {
        None => (0, 4),
        Some(_) if anchored => (0x80, 4),
        // rbp and r13 as base without displacement mean something else.
        Some(base) if mem.disp == 0 && base.0 & 7 != 5 => (0, 0),
        Some(_) if mem.disp as i8 as i32 == mem.disp => (0x40, 1),
        Some(_) => (0x80, 4),
    };
    match (mem.base, mem.index) {
        (Some(base), None) => {
            head.put(mode | reg | base.0 & 7);
            if base.0 & 7 == 4 {
                head.put(0x24);
            }
        }
        (base, Some((index, scale))) => {
            debug_assert!(index.0 != 4, "rsp cannot be an index");
            head.put(mode | reg | 4);
            head.put((scale as u8) << 6 | (index.0 & 7) << 3 | base.map_or(5, |b| b.0 & 7));
        }
        (None, None) => match mem.anchor {
            Anchor::Rip(..) | Anchor::RipLabel(_) => head.put(reg | 5),
            Anchor::None | Anchor::Absolute(..) => {
                head.put(reg | 4);
                head.put(0x25);
            }
        },
    }
    disp_len
}

/// The relocation for a GOT load in this instruction: a linker may rewrite
/// `mov`, `test`, the ALU loads, `call` and `jmp` (psABI, B.2).
fn relaxable_got(op: Opcode, reg: u8, rex: bool) -> RelocKind {
    let byte = op.byte();
    let relaxable = op.map() == 0
        && op.prefix() == 0
        && match byte {
            0x8b | 0x85 => true,
            0xff => matches!(reg & 7, 2 | 4),
            _ => byte & 0xc7 == 0x03,
        };
    match (relaxable, rex) {
        (false, _) => RelocKind::GotPcRel,
        (true, false) => RelocKind::GotPcRelX,
        (true, true) => RelocKind::RexGotPcRelX,
    }
}
