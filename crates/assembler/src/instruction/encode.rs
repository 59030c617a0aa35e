//! Bytes of a chosen encoding, by iced's encoder, with the fields that stay open.

use iced_x86::{Encoder, EncodingKind, Instruction, OpCodeOperandKind as Kind, OpKind, Register};

use super::{
    is_rip,
    operand::{Memory, Operand, Parsed, Prefix},
    table::Candidate,
};
use crate::mode::Mode;
use crate::{
    expression::Expr,
    state::{FieldKind, GotRelax, State},
};

/// An encoded instruction and what remains to be filled in.
pub(crate) struct Encoded {
    bytes: Vec<u8>,
    fields: Vec<OpenField>,
}

struct OpenField {
    offset: usize,
    width: u8,
    kind: FieldKind,
    value: Expr,
}

impl Encoded {
    pub fn len(&self) -> usize {
        self.bytes.len()
    }
}

/// Encodes, or `None` if this encoding cannot express the operands.
pub(crate) fn encode(
    candidate: &Candidate,
    parsed: &Parsed,
    mapping: &[usize; 5],
    values: &[Option<i64>],
    wide: bool,
    mode: Mode,
) -> Option<Encoded> {
    if wide && !candidate.kinds[..candidate.count].iter().any(|k| matches!(k, Kind::mem_offs | Kind::imm64)) {
        return None;
    }
    // In 64-bit code only `movabs` has addresses of full width.
    if !wide && mode.is_64() && candidate.kinds[..candidate.count].contains(&Kind::mem_offs) {
        return None;
    }
    let mut instruction = Instruction::new();
    instruction.set_code(candidate.code);
    let mut memory = None;
    let mut string_segment = Register::None;
    let mut immediates: Vec<(usize, usize)> = Vec::new();
    for i in 0..candidate.count {
        let operand = parsed.operands.get(mapping[i]);
        match operand {
            None => set_implied(&mut instruction, i as u32, candidate.kinds[i], mode),
            Some(Operand::Register(register)) => instruction.try_set_op_register(i as u32, *register).ok()?,
            Some(Operand::Immediate(_)) => {
                let value = values[mapping[i]].unwrap_or(0);
                set_immediate(&mut instruction, i as u32, candidate.kinds[i], value, !immediates.is_empty())?;
                immediates.push((i, mapping[i]));
            }
            Some(Operand::Memory(operand)) => match candidate.kinds[i] {
                Kind::es_rDI | Kind::seg_rDI | Kind::seg_rSI | Kind::seg_rBX_al | Kind::dx => {
                    set_string_operand(&mut instruction, i as u32, candidate.kinds[i], operand, mode);
                    if !matches!(candidate.kinds[i], Kind::es_rDI) {
                        string_segment = operand.segment;
                    }
                }
                kind => {
                    set_memory(&mut instruction, i as u32, kind, operand, parsed, mode)?;
                    memory = Some((operand, kind));
                }
            },
        }
        if let Some(Operand::Register(register)) = operand
            && instruction.op_kind(i as u32) != OpKind::Register
        {
            instruction.try_set_op_kind(i as u32, OpKind::Register).ok()?;
            instruction.try_set_op_register(i as u32, *register).ok()?;
        }
    }
    decorate(&mut instruction, parsed);
    let mut encoder = Encoder::new(mode.bits());
    encoder.set_prevent_vex2(parsed.encoding.vex3);
    encoder.encode(&instruction, 0).ok()?;
    let mut bytes = encoder.take_buffer();
    let offsets = encoder.get_constant_offsets();
    let mut fields = Vec::new();
    if let Some((operand, kind)) = memory {
        let offset = offsets.displacement_offset();
        let size = offsets.displacement_size();
        open_displacement(&mut bytes, &mut fields, operand, kind, offset, size, mode)?;
    }
    for (n, &(i, given)) in immediates.iter().enumerate() {
        let Operand::Immediate(expr) = &parsed.operands[given] else { continue };
        if values[given].is_none() {
            let (offset, size) = if n == 0 {
                (offsets.immediate_offset(), offsets.immediate_size())
            } else {
                (offsets.immediate_offset2(), offsets.immediate_size2())
            };
            let kind = if candidate.kinds[i] == Kind::imm32sex64 { FieldKind::Signed } else { FieldKind::Plain };
            fields.push(OpenField { offset, width: size as u8, kind, value: expr.clone() });
        }
    }
    // The default segment of string operands is `ds`; naming it changes nothing.
    let segment = match memory {
        Some((operand, _)) => operand.segment,
        None if string_segment == Register::DS => Register::None,
        None => string_segment,
    };
    let shift = arrange_prefixes(&mut bytes, parsed, segment, candidate.encoding);
    for field in &mut fields {
        field.offset += shift;
        if let FieldKind::Relative { to_end, .. } = &mut field.kind {
            *to_end = (bytes.len() - field.offset) as u8;
        }
    }
    Some(Encoded { bytes, fields })
}

/// Appends an encoded instruction to the current section.
pub(crate) fn emit(state: &mut State, encoded: Encoded) {
    let mut at = 0;
    let mut fields = encoded.fields;
    fields.sort_by_key(|f| f.offset);
    for field in fields {
        state.emit(&encoded.bytes[at..field.offset]);
        state.emit_field(field.width, field.kind, field.value);
        at = field.offset + usize::from(field.width);
    }
    state.emit(&encoded.bytes[at..]);
}

fn set_implied(instruction: &mut Instruction, i: u32, kind: Kind, mode: Mode) {
    let register = match kind {
        Kind::es_rDI | Kind::seg_rDI | Kind::seg_rSI | Kind::seg_rBX_al => {
            return set_pointer(instruction, i, kind, mode.address_size(false));
        }
        Kind::imm8_const_1 => {
            instruction.set_op_kind(i, OpKind::Immediate8);
            instruction.set_immediate8(1);
            return;
        }
        Kind::al => Register::AL,
        Kind::ax => Register::AX,
        Kind::eax => Register::EAX,
        Kind::rax => Register::RAX,
        Kind::dx => Register::DX,
        Kind::cl => Register::CL,
        _ => Register::ST0,
    };
    instruction.set_op_kind(i, OpKind::Register);
    instruction.set_op_register(i, register);
}

/// Operands of string instructions: memory at a register of `size` bytes.
fn set_pointer(instruction: &mut Instruction, i: u32, kind: Kind, size: u32) {
    let op_kind = match (kind, size) {
        (Kind::es_rDI, 2) => OpKind::MemoryESDI,
        (Kind::es_rDI, 4) => OpKind::MemoryESEDI,
        (Kind::es_rDI, _) => OpKind::MemoryESRDI,
        (Kind::seg_rDI, 2) => OpKind::MemorySegDI,
        (Kind::seg_rDI, 4) => OpKind::MemorySegEDI,
        (Kind::seg_rDI, _) => OpKind::MemorySegRDI,
        (Kind::seg_rSI, 2) => OpKind::MemorySegSI,
        (Kind::seg_rSI, 4) => OpKind::MemorySegESI,
        (Kind::seg_rSI, _) => OpKind::MemorySegRSI,
        _ => {
            instruction.set_memory_base(match size {
                2 => Register::BX,
                4 => Register::EBX,
                _ => Register::RBX,
            });
            instruction.set_memory_index(Register::AL);
            OpKind::Memory
        }
    };
    instruction.set_op_kind(i, op_kind);
}

fn set_string_operand(instruction: &mut Instruction, i: u32, kind: Kind, operand: &Memory, mode: Mode) {
    match kind {
        Kind::dx => set_implied(instruction, i, kind, mode),
        _ => set_pointer(instruction, i, kind, operand.base.size() as u32),
    }
}

fn set_immediate(instruction: &mut Instruction, i: u32, kind: Kind, value: i64, second: bool) -> Option<()> {
    let op_kind = match kind {
        Kind::imm8 | Kind::imm8_const_1 | Kind::imm4_m2z if second => OpKind::Immediate8_2nd,
        Kind::imm8 | Kind::imm8_const_1 | Kind::imm4_m2z => OpKind::Immediate8,
        Kind::imm8sex16 => OpKind::Immediate8to16,
        Kind::imm8sex32 => OpKind::Immediate8to32,
        Kind::imm8sex64 => OpKind::Immediate8to64,
        Kind::imm16 => OpKind::Immediate16,
        Kind::imm32 => OpKind::Immediate32,
        Kind::imm32sex64 => OpKind::Immediate32to64,
        Kind::imm64 => OpKind::Immediate64,
        _ => return None,
    };
    instruction.set_op_kind(i, op_kind);
    match op_kind {
        OpKind::Immediate8 => instruction.set_immediate8(value as u8),
        OpKind::Immediate8_2nd => instruction.set_immediate8_2nd(value as u8),
        OpKind::Immediate8to16 => instruction.set_immediate8to16(i16::from(value as i8)),
        OpKind::Immediate8to32 => instruction.set_immediate8to32(i32::from(value as i8)),
        OpKind::Immediate8to64 => instruction.set_immediate8to64(i64::from(value as i8)),
        OpKind::Immediate16 => instruction.set_immediate16(value as u16),
        OpKind::Immediate32 => instruction.set_immediate32(value as u32),
        OpKind::Immediate32to64 => instruction.set_immediate32to64(i64::from(value as i32)),
        _ => instruction.set_immediate64(value as u64),
    }
    Some(())
}

/// The displacement if it is a plain number.
fn memory_value(memory: &Memory) -> Option<i64> {
    match &memory.displacement {
        None => Some(0),
        Some(expr) => expr.number(),
    }
}

fn set_memory(
    instruction: &mut Instruction,
    i: u32,
    kind: Kind,
    memory: &Memory,
    parsed: &Parsed,
    mode: Mode,
) -> Option<()> {
    if !is_address(memory) {
        return None;
    }
    let value = memory_value(memory);
    instruction.set_op_kind(i, OpKind::Memory);
    instruction.set_memory_base(memory.base);
    instruction.set_memory_index(memory.index);
    instruction.set_memory_index_scale(memory.scale);
    // Bytes of the address.
    let width = address_width(memory).unwrap_or_else(|| mode.address_size(parsed.prefixes.contains(&Prefix::Addr32)));
    if kind == Kind::mem_offs {
        instruction.set_memory_displ_size(width);
        instruction.set_memory_displacement64(truncated(value.unwrap_or(0), width));
        return Some(());
    }
    if is_rip(memory) {
        instruction.set_memory_displ_size(8);
        instruction.set_memory_displacement64(0);
        return Some(());
    }
    let open = value.is_none();
    let number = value.unwrap_or(0);
    // Addresses wrap around at their width; a 64-bit one is sign-extended.
    if i32::try_from(number).is_err() && !(width != 8 && u32::try_from(number).is_ok()) {
        return None;
    }
    let number = if width == 2 { i32::from(number as i16) } else { number as i32 };
    let bare = memory.base == Register::None && memory.index == Register::None;
    let size = match () {
        () if open || parsed.encoding.disp32 || bare => width,
        () if number == 0 && !parsed.encoding.disp8 => 0,
        () => 1,
    };
    instruction.set_memory_displ_size(size);
    let extended = i64::from(number) as u64;
    instruction.set_memory_displacement64(match width {
        2 => extended & 0xffff,
        4 if !mode.is_64() => extended & 0xffff_ffff,
        _ => extended,
    });
    Some(())
}

/// Bytes of the address that the registers give, `None` without a register.
fn address_width(memory: &Memory) -> Option<u32> {
    let of = |register: Register| match register {
        _ if register.is_gpr16() => Some(2),
        _ if register.is_gpr32() => Some(4),
        _ if register.is_gpr64() => Some(8),
        _ => None,
    };
    of(memory.base).or_else(|| of(memory.index))
}

fn truncated(number: i64, width: u32) -> u64 {
    match width {
        2 => u64::from(number as u16),
        4 => u64::from(number as u32),
        _ => number as u64,
    }
}

/// Whether the registers can form an address: one width, and no stack pointer as an index. (Which
/// pairs of 16-bit registers there are the encoder knows.)
fn is_address(memory: &Memory) -> bool {
    let (base, index) = (memory.base, memory.index);
    if is_rip(memory) {
        return index == Register::None;
    }
    if base.is_gpr16() || index.is_gpr16() {
        return (base == Register::None || base.is_gpr16()) && (index == Register::None || index.is_gpr16());
    }
    let base_fits = base == Register::None || base.is_gpr64() || base.is_gpr32();
    let index_fits = match index {
        Register::None => true,
        Register::RSP | Register::ESP => false,
        _ if index.is_vector_register() => true,
        _ => (index.is_gpr64() && !base.is_gpr32()) || (index.is_gpr32() && !base.is_gpr64()),
    };
    base_fits && index_fits
}

fn decorate(instruction: &mut Instruction, parsed: &Parsed) {
    if let Some(mask) = parsed.mask {
        instruction.set_op_mask(mask);
    }
    if parsed.zeroing {
        instruction.set_zeroing_masking(true);
    }
    if parsed.broadcast != 0 {
        instruction.set_is_broadcast(true);
    }
    if let Some(mode) = parsed.rounding {
        instruction.set_rounding_control(mode);
    }
    if parsed.sae {
        instruction.set_suppress_all_exceptions(true);
    }
}

/// Opens the displacement field if it holds a symbol (or is relative to the instruction pointer).
fn open_displacement(
    bytes: &mut [u8],
    fields: &mut Vec<OpenField>,
    memory: &Memory,
    kind: Kind,
    offset: usize,
    size: usize,
    mode: Mode,
) -> Option<()> {
    let Some(expr) = &memory.displacement else {
        if is_rip(memory) {
            bytes[offset..offset + size].fill(0);
        }
        return Some(());
    };
    if let Some(number) = expr.number() {
        if is_rip(memory) {
            // `8(%rip)`: the number itself.
            bytes[offset..offset + 4].copy_from_slice(&i32::try_from(number).ok()?.to_le_bytes());
        }
        return Some(());
    }
    bytes[offset..offset + size].fill(0);
    let field_kind = match () {
        () if is_rip(memory) => FieldKind::Relative { to_end: 0, relax: got_relaxation(bytes, offset) },
        () if kind == Kind::mem_offs => FieldKind::Plain,
        // Only 64-bit addresses are sign-extended.
        () if !mode.is_64() || address_width(memory) == Some(4) || size == 4 && bytes[0] == 0x67 => FieldKind::Plain,
        () => FieldKind::Signed,
    };
    fields.push(OpenField { offset, width: size as u8, kind: field_kind, value: expr.clone() });
    Some(())
}

/// Whether the linker may relax a GOT load in this instruction (psABI B.2): `mov`, `test`, ALU
/// loads, `call`, `jmp`.
fn got_relaxation(bytes: &[u8], displacement: usize) -> GotRelax {
    let (rex, opcode_at) = match bytes[0] {
        0x40..=0x4f => (true, 1),
        _ => (false, 0),
    };
    // Opcode and ModRM directly before the displacement.
    if opcode_at + 2 != displacement {
        return GotRelax::No;
    }
    let (opcode, extension) = (bytes[opcode_at], bytes[opcode_at + 1] >> 3 & 7);
    let relaxable = match opcode {
        0x8b | 0x85 => true,
        0xff => matches!(extension, 2 | 4),
        _ => opcode & 0xc7 == 0x03,
    };
    match (relaxable, rex) {
        (false, _) => GotRelax::No,
        (true, false) => GotRelax::Plain,
        (true, true) => GotRelax::Rex,
    }
}

/// Puts prefixes into the order of GNU `as` (segment, address size, operand size, repeat, lock,
/// REX) and adds those of the statement. Returns how many bytes came before.
fn arrange_prefixes(bytes: &mut Vec<u8>, parsed: &Parsed, segment: Register, encoding: EncodingKind) -> usize {
    let old_len = bytes.len();
    let legacy = bytes.iter().take_while(|&&b| b == 0x66 || b == 0x67).count();
    let (mut address32, mut data16) = (bytes[..legacy].contains(&0x67), bytes[..legacy].contains(&0x66));
    let mut head = Vec::new();
    let mut repeat = None;
    let mut lock = false;
    let mut rex = 0;
    let mut extra_data16 = 0;
    for prefix in &parsed.prefixes {
        match *prefix {
            Prefix::Lock => lock = true,
            Prefix::Rep => repeat = Some(0xf3),
            Prefix::Repne => repeat = Some(0xf2),
            Prefix::Data16 if data16 => extra_data16 += 1,
            Prefix::Data16 => data16 = true,
            Prefix::Addr32 => address32 = true,
            Prefix::Rex(byte) => rex |= byte,
            Prefix::Segment(byte) => head.push(byte),
            Prefix::Notrack => head.push(0x3e),
        }
    }
    if let Some(segment) = segment_byte(segment).filter(|byte| !head.contains(byte)) {
        head.push(segment);
    }
    if address32 {
        head.push(0x67);
    }
    head.extend(std::iter::repeat_n(0x66, extra_data16 + usize::from(data16)));
    head.extend(repeat);
    if lock {
        head.push(0xf0);
    }
    let mut rest = bytes.split_off(legacy);
    if parsed.encoding.rex {
        rex |= 0x40;
    }
    if rex != 0 && encoding == EncodingKind::Legacy {
        // After a mandatory prefix, merged with the instruction's own REX.
        let at = usize::from(matches!(rest[0], 0xf2 | 0xf3));
        if matches!(rest[at], 0x40..=0x4f) {
            rest[at] |= rex;
        } else {
            rest.insert(at, rex);
        }
    }
    *bytes = head;
    bytes.append(&mut rest);
    bytes.len() - old_len
}

fn segment_byte(segment: Register) -> Option<u8> {
    Some(match segment {
        Register::ES => 0x26,
        Register::CS => 0x2e,
        Register::SS => 0x36,
        Register::DS => 0x3e,
        Register::FS => 0x64,
        Register::GS => 0x65,
        _ => return None,
    })
}
