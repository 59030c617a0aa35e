//! Instructions: from a mnemonic and its operands to bytes and fields.
//!
//! Branches to labels are items of the layout; everything else is matched against
//! the candidate encodings of its mnemonic, each that fits is tried, and the
//! preferred one (legacy and VEX before EVEX, then the shortest, then the one GNU
//! `as` lists first) is taken.

mod adjust;
pub(crate) mod aliases;
pub(crate) mod att;
mod encode;
pub(crate) mod intel;
pub(crate) mod operand;
mod table;

use iced_x86::{Code, EncodingKind, Mnemonic, OpCodeOperandKind as Kind, Register};
use object::Cond;

use self::{
    encode::Encoded,
    operand::{Memory, Operand, Parsed, Prefix},
    table::Candidate,
};
use crate::{
    expression::Expr,
    state::{FieldKind, ItemKind, State},
    text::Cursor,
};

/// The condition value of an unconditional branch item.
pub(crate) const ALWAYS: u8 = 0xff;

/// Which syntax operands are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Syntax {
    /// AT&T: source first, `%` before registers.
    #[default]
    Att,
    /// Intel: destination first; the flag tells whether registers may be written without `%`.
    Intel {
        /// Registers have no prefix.
        naked_registers: bool,
    },
}

/// Assembles one instruction statement (prefixes, mnemonic, operands).
pub(crate) fn assemble(state: &mut State, text: &str, syntax: Syntax) -> Result<(), String> {
    if let Some(bytes) = without_operands(text) {
        state.emit(bytes);
        return Ok(());
    }
    let mut cursor = Cursor::new(text);
    let mut parsed = Parsed::default();
    let mnemonic = loop {
        if cursor.peek_token() == b'{' {
            cursor.at += 1;
            let name = cursor.until(b"}");
            if !parsed.encoding.set(name) {
                return Err(format!("unknown pseudo prefix '{{{name}}}'"));
            }
            cursor.eat(b'}');
            continue;
        }
        let word = cursor.name().ok_or_else(|| format!("invalid character in mnemonic '{}'", cursor.rest()))?;
        let word = word.to_ascii_lowercase();
        if word.is_empty() {
            return Err("missing mnemonic".into());
        }
        match Prefix::from_name(&word) {
            Some(prefix) => {
                parsed.prefixes.push(prefix);
                if cursor.at_end() {
                    // Prefixes alone: bytes for the statement that follows.
                    let bytes: Vec<u8> = parsed.prefixes.iter().map(|p| p.byte()).collect();
                    state.emit(&bytes);
                    return Ok(());
                }
            }
            None => break word,
        }
    };
    assemble_operands(state, &mnemonic, &mut cursor, parsed, syntax)
}

fn assemble_operands(
    state: &mut State,
    mnemonic: &str,
    cursor: &mut Cursor<'_>,
    mut parsed: Parsed,
    syntax: Syntax,
) -> Result<(), String> {
    // Branch hints: `jne,pt`.
    if mnemonic.starts_with(['j', 'l']) && cursor.peek() == b',' {
        cursor.at += 1;
        match cursor.name() {
            Some("pt") => parsed.prefixes.push(Prefix::Segment(0x3e)),
            Some("pn") => parsed.prefixes.push(Prefix::Segment(0x2e)),
            _ => return Err(format!("junk '{}' after mnemonic", cursor.rest())),
        }
    }
    let (mnemonic, forced) = match mnemonic.split_once('.').filter(|(stem, _)| !stem.is_empty()) {
        Some((stem, "d32")) => (stem, Some(true)),
        Some((stem, "d8")) => (stem, Some(false)),
        Some((stem, "s")) => {
            parsed.encoding.load = true;
            (stem, None)
        }
        _ => (mnemonic, None),
    };
    match forced {
        Some(true) => parsed.encoding.disp32 = true,
        Some(false) => parsed.encoding.disp8 = true,
        None => {}
    }
    match syntax {
        Syntax::Att => att::parse_operands(state, cursor, &mut parsed)?,
        Syntax::Intel { naked_registers } => intel::parse_operands(state, cursor, &mut parsed, naked_registers)?,
    }
    if branch(state, mnemonic, &parsed, syntax)? {
        return Ok(());
    }
    if let Some(plain) = aliases::waiting(mnemonic) {
        state.emit(&[0x9b]);
        return matched(state, plain, &mut parsed, syntax);
    }
    matched(state, mnemonic, &mut parsed, syntax)
}

/// Instructions that inline asm uses most and that need no table.
fn without_operands(text: &str) -> Option<&'static [u8]> {
    Some(match text {
        "nop" => &[0x90],
        "pause" => &[0xf3, 0x90],
        "ret" | "retq" => &[0xc3],
        "mfence" => &[0x0f, 0xae, 0xf0],
        "lfence" => &[0x0f, 0xae, 0xe8],
        "sfence" => &[0x0f, 0xae, 0xf8],
        "cpuid" => &[0x0f, 0xa2],
        "rdtsc" => &[0x0f, 0x31],
        "rdtscp" => &[0x0f, 0x01, 0xf9],
        "syscall" => &[0x0f, 0x05],
        "ud2" => &[0x0f, 0x0b],
        "int3" => &[0xcc],
        "hlt" => &[0xf4],
        "cli" => &[0xfa],
        "sti" => &[0xfb],
        "cld" => &[0xfc],
        "leave" | "leaveq" => &[0xc9],
        "emms" => &[0x0f, 0x77],
        "endbr64" => &[0xf3, 0x0f, 0x1e, 0xfa],
        "vzeroupper" => &[0xc5, 0xf8, 0x77],
        _ => return None,
    })
}

// ---- branches to labels ----

/// Short-only branches: opcode, and whether an address-size prefix comes first.
fn loop_opcode(mnemonic: &str) -> Option<(u8, bool)> {
    Some(match mnemonic {
        "loopne" | "loopnz" | "loopneq" | "loopnzq" => (0xe0, false),
        "loope" | "loopz" | "loopeq" | "loopzq" => (0xe1, false),
        "loop" | "loopq" => (0xe2, false),
        "jrcxz" => (0xe3, false),
        "jecxz" => (0xe3, true),
        "loopl" => (0xe2, true),
        _ => return None,
    })
}

/// Emits a direct branch, if it is one.
fn branch(state: &mut State, mnemonic: &str, parsed: &Parsed, syntax: Syntax) -> Result<bool, String> {
    let [operand] = &parsed.operands[..] else { return Ok(false) };
    let target = match operand {
        Operand::Memory(memory) if memory.is_bare() && !parsed.indirect => match &memory.displacement {
            Some(target) => target.clone(),
            None => return Ok(false),
        },
        // Intel syntax cannot tell a number from an address.
        Operand::Immediate(target) if syntax != Syntax::Att => target.clone(),
        _ => return Ok(false),
    };
    let prefixes: Vec<u8> = parsed.prefixes.iter().map(|p| p.byte()).collect();
    if let Some((opcode, address32)) = loop_opcode(mnemonic) {
        if address32 {
            state.emit(&[0x67]);
        }
        state.emit(&prefixes);
        state.emit(&[opcode]);
        state.emit_field(1, FieldKind::Branch, target);
        return Ok(true);
    }
    let opcode: &[u8] = match mnemonic {
        "call" | "callq" => &[0xe8],
        "xbegin" => &[0xc7, 0xf8],
        "jmp" | "jmpq" => {
            state.emit(&prefixes);
            emit_jump(state, ALWAYS, target, parsed.encoding.disp32);
            return Ok(true);
        }
        _ => {
            let Some(cond) = mnemonic.strip_prefix('j').and_then(|suffix| {
                Cond::from_suffix(suffix).or_else(|| suffix.strip_suffix('q').and_then(Cond::from_suffix))
            }) else {
                return Ok(false);
            };
            state.emit(&prefixes);
            emit_jump(state, cond as u8, target, parsed.encoding.disp32);
            return Ok(true);
        }
    };
    state.emit(&prefixes);
    state.emit(opcode);
    state.emit_field(4, FieldKind::Branch, target);
    Ok(true)
}

fn emit_jump(state: &mut State, condition: u8, target: Expr, force_long: bool) {
    state.emit_item(ItemKind::Branch { condition, target, force_long });
}

// ---- everything else ----

/// What a mnemonic asks for besides its operands.
#[derive(Clone, Copy, Debug, Default)]
struct Wanted {
    /// Operand size of the AT&T suffix in bytes, 0 for none.
    suffix: u32,
    /// Size of the memory operand in bytes, 0 for any.
    memory: u32,
    /// Sizes of source and destination of an extension, 0 for any.
    extension: (u32, u32),
    /// `ljmp`, `lcall`.
    far: bool,
    /// `movabs`: 64-bit immediates and addresses only.
    wide: bool,
}

fn matched(state: &mut State, mnemonic: &str, parsed: &mut Parsed, syntax: Syntax) -> Result<(), String> {
    let mnemonic = adjust::mnemonic(mnemonic, &parsed.operands);
    adjust::operands(mnemonic, parsed, syntax);
    let mut failure = None;
    for (name, wanted, immediate) in readings(mnemonic, parsed, syntax) {
        let list = table::candidates(&name);
        if list.is_empty() {
            continue;
        }
        if let Some(number) = immediate {
            parsed.operands.push(Operand::Immediate(Expr::Number(i64::from(number))));
        }
        match choose(state, list, parsed, wanted, syntax) {
            Ok(encoded) => {
                encode::emit(state, encoded);
                return Ok(());
            }
            Err(error) => failure = failure.or(Some(error)),
        }
        if immediate.is_some() {
            parsed.operands.pop();
        }
    }
    Err(match failure {
        Some(error) => format!("{error} for '{mnemonic}'"),
        None => format!("no such instruction: '{mnemonic}'"),
    })
}

/// The ways to read a mnemonic, best first: iced's name, what is wanted, a predicate's immediate.
fn readings(mnemonic: &str, parsed: &Parsed, syntax: Syntax) -> Vec<(String, Wanted, Option<u8>)> {
    let mut out: Vec<(String, Wanted, Option<u8>)> = Vec::new();
    let mut add = |name: &str, wanted: Wanted| out.push((name.to_string(), wanted, None));
    let plain = Wanted::default();
    let has_memory = parsed.operands.iter().any(|o| matches!(o, Operand::Memory(_)));
    if let Some((name, size)) = aliases::x87_memory(mnemonic).filter(|_| has_memory && syntax == Syntax::Att) {
        add(name, Wanted { memory: size, ..plain });
        return out;
    }
    if let Some(renamed) = x87_register_name(mnemonic, parsed, syntax) {
        add(renamed, plain);
        return out;
    }
    match mnemonic {
        "ljmp" | "ljmpw" | "ljmpl" | "ljmpq" | "lcall" | "lcallw" | "lcalll" | "lcallq" => {
            let size = match mnemonic.as_bytes()[mnemonic.len() - 1] {
                b'q' => 8,
                b'w' => 2,
                _ => 4,
            };
            add(if mnemonic.contains("jmp") { "jmp" } else { "call" }, Wanted { far: true, suffix: size, ..plain });
            return out;
        }
        "jmp" | "call" if syntax != Syntax::Att && far_pointer(parsed) => {
            add(mnemonic, Wanted { far: true, suffix: 4, ..plain });
            return out;
        }
        "movabs" | "movabsq" | "movabsl" | "movabsw" | "movabsb" => {
            let suffix = mnemonic.strip_prefix("movabs").and_then(|s| s.bytes().next()).and_then(aliases::suffix_size);
            add("mov", Wanted { wide: true, suffix: suffix.unwrap_or(0), ..plain });
            return out;
        }
        _ => {}
    }
    if syntax == Syntax::Att {
        // `movsd`, `cmpsd` are strings only without operands or with memory on both sides.
        if let Some((name, from, to)) = aliases::extension(mnemonic).filter(|_| !is_string_move(parsed)) {
            add(name, Wanted { extension: (from, to), ..plain });
        }
    }
    if let Some(name) = aliases::rename(mnemonic) {
        add(name, plain);
    }
    if matches!(mnemonic, "movs" | "cmps" | "stos" | "lods" | "scas" | "ins" | "outs") {
        // An operand says which.
        for letter in ["b", "w", "d", "q"] {
            add(&format!("{mnemonic}{letter}"), plain);
        }
        return out;
    }
    add(mnemonic, plain);
    if mnemonic == "movsx" {
        add("movsxd", plain);
    }
    if let Some(name) = aliases::condition_alias(mnemonic) {
        add(&name, plain);
        if let Some(stem) = name.get(..name.len() - 1)
            && let Some(size) = aliases::suffix_size(name.as_bytes()[name.len() - 1])
        {
            add(stem, Wanted { suffix: size, ..plain });
        }
    }
    let has_suffix =
        syntax == Syntax::Att || matches!(mnemonic, "retw" | "retfw" | "retfq" | "pushw" | "popw" | "leavew");
    if has_suffix && let Some((stem, letter)) = mnemonic.split_at_checked(mnemonic.len().saturating_sub(1)) {
        match letter.as_bytes()[0] {
            b'x' => add(stem, Wanted { memory: 16, ..plain }),
            b'y' => add(stem, Wanted { memory: 32, ..plain }),
            b'z' => add(stem, Wanted { memory: 64, ..plain }),
            letter => {
                if let Some(size) = aliases::suffix_size(letter) {
                    let stem = aliases::rename(stem).unwrap_or(stem);
                    add(stem, Wanted { suffix: size, ..plain });
                }
            }
        }
    }
    if let Some((name, number)) = aliases::with_predicate(mnemonic) {
        out.push((name, plain, Some(number)));
    }
    out
}

/// Whether the operand is a selector and an offset of 32 bits in memory.
fn far_pointer(parsed: &Parsed) -> bool {
    matches!(&parsed.operands[..], [Operand::Memory(memory)] if memory.size == 6)
}

/// Whether the operands are those of a string move.
fn is_string_move(parsed: &Parsed) -> bool {
    parsed.operands.is_empty() || parsed.operands.iter().all(|o| matches!(o, Operand::Memory(_)))
}

/// x87 arithmetic on registers: AT&T exchanges the names where the destination is not `st`.
fn x87_register_name(mnemonic: &str, parsed: &Parsed, syntax: Syntax) -> Option<&'static str> {
    let st = |o: &Operand| matches!(o, Operand::Register(r) if r.is_st());
    if !mnemonic.starts_with('f') || parsed.operands.is_empty() || !parsed.operands.iter().all(st) {
        return None;
    }
    let pops = mnemonic.ends_with('p') && mnemonic != "fcomp";
    let to_st0 = parsed.operands[0] == Operand::Register(Register::ST0);
    let reversed = aliases::reversed_x87(mnemonic)?;
    (syntax == Syntax::Att && (pops || (parsed.operands.len() == 2 && !to_st0))).then_some(reversed)
}

/// Tries every candidate that fits and takes the preferred result.
fn choose(
    state: &State,
    list: &[Candidate],
    parsed: &Parsed,
    wanted: Wanted,
    syntax: Syntax,
) -> Result<Encoded, &'static str> {
    let values: Vec<Option<i64>> = parsed
        .operands
        .iter()
        .map(|operand| match operand {
            Operand::Immediate(expr) => state.absolute(expr).ok(),
            _ => None,
        })
        .collect();
    let mut best: Option<(Preference, Encoded)> = None;
    let mut sizes = 0;
    let mut wrong_size = false;
    for (order, candidate) in list.iter().enumerate() {
        let Some(mapping) = map_operands(candidate, parsed, &values) else { continue };
        if !fits_context(candidate, parsed, wanted) {
            continue;
        }
        if !size_agrees(candidate, parsed, &mapping, wanted) {
            wrong_size = true;
            continue;
        }
        let Some(encoded) = encode::encode(candidate, parsed, &mapping, &values, wanted.wide) else { continue };
        sizes |= ambiguous_size(candidate, parsed, &mapping);
        let preference = preference(candidate, parsed, &mapping, &values, encoded.len(), order);
        if best.as_ref().is_none_or(|(p, _)| preference < *p) {
            best = Some((preference, encoded));
        }
    }
    match best {
        // Sizes 1, 2, 4, 8 are bits of the set.
        Some(_) if syntax == Syntax::Att && wanted.suffix == 0 && sizes.count_ones() > 1 && !has_default_size(list) => {
            Err("no instruction mnemonic suffix given and no register operands; can't size instruction")
        }
        Some((_, encoded)) => Ok(encoded),
        None if wrong_size => Err("operand size mismatch"),
        None => Err("operand type mismatch"),
    }
}

/// How a result compares; less is better.
type Preference = (u8, u8, usize, u8, u32, usize);

fn preference(
    candidate: &Candidate,
    parsed: &Parsed,
    mapping: &[usize; 5],
    values: &[Option<i64>],
    len: usize,
    order: usize,
) -> Preference {
    let kinds = &candidate.kinds[..candidate.count];
    let short = kinds.iter().any(|&k| table::is_short_immediate(k));
    // A symbol does not go to a byte when there is room for it.
    let narrow = kinds
        .iter()
        .zip(mapping)
        .any(|(&kind, &operand)| kind == Kind::imm8 && operand < values.len() && values[operand].is_none());
    let narrow = narrow && parsed.operands.iter().any(|o| matches!(o, Operand::Immediate(_)));
    let opcode = candidate.code.op_code().op_code();
    let direction = match (parsed.encoding.load, parsed.encoding.store) {
        (true, _) => u32::MAX - opcode,
        _ => opcode,
    };
    // `movq` of memory and an SSE register has an encoding of its own beside the one of general
    // registers.
    let general = matches!(candidate.code.mnemonic(), Mnemonic::Movq | Mnemonic::Vmovq)
        && parsed.operands.iter().any(|o| matches!(o, Operand::Memory(_)))
        && candidate.encoding != EncodingKind::EVEX
        && kinds.iter().any(|&k| table::gpr_size(k) != 0);
    // Of the two forms of four-operand multiplications (FMA4), the one with the memory operand
    // last.
    let is4_last =
        candidate.count == 4 && matches!(kinds[3], Kind::xmm_is4 | Kind::ymm_is4 | Kind::xmm_is5 | Kind::ymm_is5);
    let narrow = narrow || general || is4_last;
    let rank = if parsed.encoding.evex || parsed.encoding.vex { 0 } else { candidate.rank };
    (rank, u8::from(narrow), len, u8::from(!short), direction, order)
}

/// Index of the given operand for each of the candidate's, `usize::MAX` for implied ones; `None` if
/// they do not fit.
fn map_operands(candidate: &Candidate, parsed: &Parsed, values: &[Option<i64>]) -> Option<[usize; 5]> {
    let given = &parsed.operands;
    if given.len() > candidate.count {
        return None;
    }
    let mut mapping = [usize::MAX; 5];
    let mut skip = candidate.count - given.len();
    let kinds = &candidate.kinds[..candidate.count];
    let is_string = kinds.iter().any(|k| matches!(k, Kind::es_rDI | Kind::seg_rSI | Kind::seg_rBX_al));
    let mut next = 0;
    for (i, &kind) in kinds.iter().enumerate() {
        // As many implied operands are passed over as are missing.
        if skip > 0 && (table::is_implied(kind) || (is_string && table::is_string_register(kind))) {
            skip -= 1;
            continue;
        }
        let operand = given.get(next)?;
        if !table::fits(kind, operand, values[next]) {
            return None;
        }
        mapping[i] = next;
        next += 1;
    }
    (next == given.len()).then_some(mapping)
}

/// Decorations, far and indirect branches.
fn fits_context(candidate: &Candidate, parsed: &Parsed, wanted: Wanted) -> bool {
    let info = candidate.code.op_code();
    let encoding = candidate.encoding;
    if (parsed.encoding.evex && encoding != EncodingKind::EVEX)
        || (parsed.encoding.vex && encoding != EncodingKind::VEX)
    {
        return false;
    }
    if (parsed.mask.is_some() && !info.can_use_op_mask_register())
        || (parsed.mask.is_none() && info.require_op_mask_register())
        || (parsed.zeroing && !info.can_use_zeroing_masking())
        || (parsed.broadcast && !info.can_broadcast())
        || (parsed.rounding.is_some() && !info.can_use_rounding_control())
        || (parsed.sae && !info.can_suppress_all_exceptions())
    {
        return false;
    }
    // Without a suffix or a register that says so, nothing has 16 bits here.
    if candidate.code.mnemonic() == Mnemonic::Push
        && matches!(candidate.kinds[0], Kind::imm16 | Kind::imm8sex16)
        && wanted.suffix != 2
        && !parsed.prefixes.contains(&Prefix::Data16)
    {
        return false;
    }
    // The short form of this one is no operation, though it must clear the upper half.
    if candidate.code == Code::Xchg_r32_EAX && parsed.operands[0] == Operand::Register(Register::EAX) {
        return false;
    }
    if matches!(candidate.code.mnemonic(), Mnemonic::Jmp | Mnemonic::Call) {
        let far = candidate.kinds[0] == Kind::mem;
        return far == wanted.far;
    }
    true
}

/// Whether the candidate's operand sizes are those that suffix or keyword ask for.
fn size_agrees(candidate: &Candidate, parsed: &Parsed, mapping: &[usize; 5], wanted: Wanted) -> bool {
    let kinds = &candidate.kinds[..candidate.count];
    let info = candidate.code.op_code();
    let memory = (0..candidate.count)
        .find(|&i| mapping[i] != usize::MAX && matches!(parsed.operands[mapping[i]], Operand::Memory(_)));
    let memory_size = || {
        let size = if parsed.broadcast { info.broadcast_memory_size() } else { info.memory_size() };
        size.size() as u32
    };
    if let Some(i) = memory {
        let Operand::Memory(operand) = &parsed.operands[mapping[i]] else { return false };
        let size = match memory_size() {
            0 => table::gpr_size(kinds[i]),
            size => size,
        };
        // Intel keywords; sizes that the tables do not know are not checked.
        if operand.size != 0 && size != 0 && operand.size != size && !parsed.broadcast {
            return false;
        }
        if wanted.memory != 0 && memory_size() != wanted.memory {
            return false;
        }
    }
    if wanted.extension != (0, 0) {
        let (from, to) = wanted.extension;
        let source = table::gpr_size(kinds[1]);
        return source == from && (to == 0 || table::gpr_size(kinds[0]) == to);
    }
    if wanted.suffix == 0 {
        return true;
    }
    if wanted.far {
        return memory_size() == wanted.suffix + 2;
    }
    if let Some(size) = memory.map(|i| table::gpr_size(kinds[i])).filter(|&size| size != 0) {
        return size == wanted.suffix;
    }
    let mut registers = kinds.iter().map(|&kind| table::gpr_size(kind)).filter(|&size| size != 0).peekable();
    if registers.peek().is_some() {
        return registers.any(|size| size == wanted.suffix);
    }
    suffix_without_registers(candidate, wanted.suffix, memory_size())
}

/// Suffixes of instructions without general registers: pushes of immediates, returns, vector
/// memory.
fn suffix_without_registers(candidate: &Candidate, suffix: u32, memory_size: u32) -> bool {
    let info = candidate.code.op_code();
    match candidate.kinds[0] {
        Kind::imm8sex16 | Kind::imm16 if candidate.code.mnemonic() == Mnemonic::Push => suffix == 2,
        Kind::imm8sex64 | Kind::imm32sex64 => suffix == 8,
        Kind::imm8sex32 | Kind::imm32 => suffix == 4,
        _ => match info.operand_size() {
            0 if memory_size != 0 && candidate.count > 0 => {
                // `sgdtq`, `fnsaveq` and the like: the suffix says nothing more than the name.
                memory_size == suffix || suffix == 8
            }
            0 => suffix == 8 || candidate.count == 0,
            bits => bits == suffix * 8,
        },
    }
}

/// The operand sizes that a memory operand leaves open, as a set.
fn ambiguous_size(candidate: &Candidate, parsed: &Parsed, mapping: &[usize; 5]) -> u32 {
    let explicit_register =
        parsed.operands.iter().any(|operand| matches!(operand, Operand::Register(r) if *r != Register::CL));
    if explicit_register {
        return 0;
    }
    (0..candidate.count)
        .filter(|&i| mapping[i] != usize::MAX && matches!(parsed.operands[mapping[i]], Operand::Memory(_)))
        .map(|i| table::gpr_size(candidate.kinds[i]))
        .sum()
}

/// Instructions whose operand has a size of its own when nothing says otherwise.
fn has_default_size(list: &[Candidate]) -> bool {
    matches!(
        list[0].code.mnemonic(),
        Mnemonic::Push
            | Mnemonic::Pop
            | Mnemonic::Call
            | Mnemonic::Jmp
            | Mnemonic::Nop
            | Mnemonic::Lldt
            | Mnemonic::Ltr
            | Mnemonic::Sldt
            | Mnemonic::Str
            | Mnemonic::Smsw
            | Mnemonic::Lmsw
            | Mnemonic::Verr
            | Mnemonic::Verw
    )
}

/// The relocation class of a displacement without registers relative to the instruction pointer.
pub(crate) fn is_rip(memory: &Memory) -> bool {
    matches!(memory.base, Register::RIP | Register::EIP)
}
