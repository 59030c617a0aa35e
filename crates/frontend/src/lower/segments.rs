//! Objects in the named address spaces `__seg_fs` and `__seg_gs` (gcc's manual, "x86 Named Address
//! Spaces").
//!
//! Every access is an asm statement whose instruction has the segment's prefix and whose operand is
//! memory. It is volatile and clobbers memory: where the segment begins, nobody knows, so that the
//! object may be any other. All later stages know that form already.

use ir::{AsmData, AsmOperand, AsmPlace, Opcode, Type, Value};
use platform::options::SegmentRegister;

use super::function::Fx;
use super::place::Place;
use crate::sema::types;
use crate::tree::*;

/// Copies of more bytes than this are loops.
const UNROLLED: u64 = 64;

/// The segment of an object of this type.
pub fn of(fx: &Fx<'_, '_>, ty: QualType) -> Option<SegmentRegister> {
    match types::effective_quals(fx.types(), ty).space() {
        Quals::SEG_FS => Some(SegmentRegister::Fs),
        Quals::SEG_GS => Some(SegmentRegister::Gs),
        _ => None,
    }
}

fn name(segment: SegmentRegister) -> &'static str {
    match segment {
        SegmentRegister::Fs => "fs",
        SegmentRegister::Gs => "gs",
    }
}

/// Reads a scalar.
pub fn load(fx: &mut Fx<'_, '_>, ty: Type, place: Place, segment: SegmentRegister) -> Value {
    let Some(word) = word_of(ty) else {
        // Wide ones by way of memory.
        let size = u64::from(ty.store_size());
        let temp = fx.temp(size, size.next_power_of_two().min(16) as u32);
        copy(fx, temp, place, size);
        return fx.load(ty, temp, ir::AliasTags::any());
    };
    let (address, access) = access(fx, place);
    let (segment, suffix, size) = (name(segment), suffix(word), size_word(word));
    let template = format!("mov{{{suffix}\t%%{segment}:%1, %0|\t%0, {size} ptr {segment}:[%1]}}");
    let result = AsmOperand { is_output: true, result: Some(0), ..operand(AsmPlace::Gpr, word) };
    let memory = AsmOperand { input: Some(0), ..operand(access, fx.ty(address)) };
    let inst = fx.b().asm(statement(template, vec![result, memory]), &[address], &[word]);
    let value = fx.func.first_result(inst);
    if word == ty { value } else { from_word(fx, value, ty) }
}

/// Writes a scalar.
pub fn store(fx: &mut Fx<'_, '_>, value: Value, place: Place, segment: SegmentRegister) {
    let ty = fx.ty(value);
    let Some(word) = word_of(ty) else {
        let size = u64::from(ty.store_size());
        let temp = fx.temp(size, size.next_power_of_two().min(16) as u32);
        fx.store(value, temp, ir::AliasTags::any());
        return copy(fx, place, temp, size);
    };
    let value = if word == ty { value } else { to_word(fx, value, word) };
    let (address, access) = access(fx, place);
    let (segment, suffix, size) = (name(segment), suffix(word), size_word(word));
    let template = format!("mov{{{suffix}\t%1, %%{segment}:%0|\t{size} ptr {segment}:[%0], %1}}");
    let memory = AsmOperand { input: Some(0), ..operand(access, fx.ty(address)) };
    let source = AsmOperand { input: Some(1), ..operand(AsmPlace::Gpr, word) };
    fx.b().asm(statement(template, vec![memory, source]), &[address, value], &[]);
}

/// The address of an access and where the statement has it. In Intel syntax the segment's name
/// stands inside of the operand's text, so that a register holds the address there.
fn access(fx: &mut Fx<'_, '_>, place: Place) -> (Value, AsmPlace) {
    let address = fx.pointer(place);
    if !fx.options.codegen.intel_syntax {
        return (address, AsmPlace::Memory);
    }
    (fx.b().unary(Opcode::PtrToInt, Type::I64, address), AsmPlace::Gpr)
}

/// The template of a statement of the program with the segments of memory operands before them.
pub fn with_prefixes(fx: &Fx<'_, '_>, data: &AsmData, segments: &[(usize, SegmentRegister)]) -> String {
    if fx.options.codegen.intel_syntax {
        fx.not_supported("operands in named address spaces in Intel syntax");
    }
    let of_operand = |number: usize| segments.iter().find(|s| s.0 == number).map(|s| name(s.1));
    let mut out = String::with_capacity(data.template.len() + 8 * segments.len());
    let mut rest: &str = &data.template;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let reference = &rest[at + 1..];
        // A letter between the sign and the operand says how it is printed.
        let plain = reference.strip_prefix(|c: char| c.is_ascii_alphabetic()).unwrap_or(reference);
        let number = if let Some(named) = plain.strip_prefix('[') {
            let word = named.split(']').next().unwrap_or_default();
            data.operands.iter().position(|operand| operand.name.as_deref() == Some(word))
        } else {
            let digits = plain.len() - plain.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            plain[..digits].parse().ok()
        };
        if let Some(segment) = number.and_then(of_operand) {
            out.push_str("%%");
            out.push_str(segment);
            out.push(':');
        }
        // What follows the sign may be another one: `%%`.
        let taken = 1 + reference.chars().next().map_or(0, char::len_utf8);
        out.push_str(&rest[at..at + taken]);
        rest = &rest[at + taken..];
    }
    out.push_str(rest);
    out
}

/// Copies bytes from or to an address space.
pub fn copy(fx: &mut Fx<'_, '_>, to: Place, from: Place, size: u64) {
    if size > UNROLLED {
        return copy_loop(fx, to, from, size);
    }
    let mut at = 0;
    while at < size {
        let bytes = [8, 4, 2, 1].into_iter().find(|&bytes| bytes <= size - at).unwrap_or(1);
        let word = Type::int(bytes as u32 * 8).unwrap_or(Type::I8);
        let value = fx.load(word, from.offset(at as i64), ir::AliasTags::any());
        fx.store(value, to.offset(at as i64), ir::AliasTags::any());
        at += bytes;
    }
}

/// As [`copy`], byte by byte from the last one. Operands: the counter, the byte, both addresses.
fn copy_loop(fx: &mut Fx<'_, '_>, to: Place, from: Place, size: u64) {
    let (dst, src) = (fx.pointer(to), fx.pointer(from));
    let count = fx.iconst(Type::I64, size as i64);
    let prefix = |place: Place, att: bool| match place.segment {
        None => String::new(),
        Some(segment) if att => format!("%%{}:", name(segment)),
        Some(segment) => format!("{}:", name(segment)),
    };
    let template = format!(
        "1:\n\tmov{{b\t{}-1(%3,%0), %b1|\t%b1, byte ptr {}[%3+%0-1]}}\n\
         \tmov{{b\t%b1, {}-1(%2,%0)|\tbyte ptr {}[%2+%0-1], %b1}}\n\tdec{{q|}}\t%0\n\tjne\t1b",
        prefix(from, true),
        prefix(from, false),
        prefix(to, true),
        prefix(to, false)
    );
    let output = |place, ty, index| AsmOperand {
        is_output: true,
        early_clobber: true,
        result: Some(index),
        ..operand(place, ty)
    };
    let input = |place, index| AsmOperand { input: Some(index), ..operand(place, Type::I64) };
    let operands = vec![
        output(AsmPlace::Gpr, Type::I64, 0),
        output(AsmPlace::Gpr, Type::I64, 1),
        input(AsmPlace::Gpr, 0),
        input(AsmPlace::Gpr, 1),
        input(AsmPlace::Tied(0), 2),
    ];
    let integer = |fx: &mut Fx<'_, '_>, address| fx.b().unary(Opcode::PtrToInt, Type::I64, address);
    let (dst, src) = (integer(fx, dst), integer(fx, src));
    fx.b().asm(statement(template, operands), &[dst, src, count], &[Type::I64, Type::I64]);
}

/// The integer that a general register holds the scalar as.
fn word_of(ty: Type) -> Option<Type> {
    if ty.is_vector() || ty.store_size() > 8 {
        return None;
    }
    Type::int(ty.store_size() * 8)
}

fn from_word(fx: &mut Fx<'_, '_>, value: Value, ty: Type) -> Value {
    let op = if ty == Type::PTR { Opcode::IntToPtr } else { Opcode::Bitcast };
    fx.b().unary(op, ty, value)
}

fn to_word(fx: &mut Fx<'_, '_>, value: Value, word: Type) -> Value {
    let op = if fx.ty(value) == Type::PTR { Opcode::PtrToInt } else { Opcode::Bitcast };
    fx.b().unary(op, word, value)
}

fn size_word(word: Type) -> &'static str {
    match word {
        Type::I8 => "byte",
        Type::I16 => "word",
        Type::I32 => "dword",
        _ => "qword",
    }
}

fn suffix(word: Type) -> char {
    match word {
        Type::I8 => 'b',
        Type::I16 => 'w',
        Type::I32 => 'l',
        _ => 'q',
    }
}

fn operand(place: AsmPlace, ty: Type) -> AsmOperand {
    AsmOperand { is_output: false, early_clobber: false, place, ty, name: None, input: None, result: None }
}

fn statement(template: String, operands: Vec<AsmOperand>) -> AsmData {
    let template = template.into_boxed_str();
    AsmData { template, volatile: true, clobbers_memory: true, clobbers_flags: true, operands, ..AsmData::default() }
}
