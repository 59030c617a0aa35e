//! Instructions: from a mnemonic and its operands to bytes and fields.
//!
//! Branches to labels are items of the layout; everything else is matched against
//! the candidate encodings of its mnemonic, each that fits is tried, and the
//! preferred one (legacy and VEX before EVEX, then the shortest, then the one GNU
//! `as` lists first) is taken.

mod adjust;
pub(crate) mod aliases;
pub(crate) mod att;
mod branches;
mod encode;
pub(crate) mod intel;
pub(crate) mod operand;
mod table;

use iced_x86::{Code, EncodingKind, Mnemonic, OpCodeOperandKind as Kind, Register};

use self::{
    encode::Encoded,
    operand::{EncodingHint, Memory, Operand, Parsed, Prefix},
    table::Candidate,
};
use crate::{expression::Expr, mode::Mode, state::State, text::Cursor};

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
    if state.mode.is_64()
        && let Some(bytes) = without_operands(text)
    {
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
                check_prefix(&word, state.mode)?;
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

/// The register that is all of an assignment's value.
pub(crate) fn whole_register(state: &State, cursor: &mut Cursor<'_>, syntax: Syntax) -> Option<Register> {
    let mut ahead = cursor.clone();
    ahead.skip_space();
    let register = match syntax {
        Syntax::Intel { naked_registers } => intel::parse_register(state, &mut ahead, naked_registers)?,
        Syntax::Att if ahead.peek() == b'%' || att::named_register(state, &ahead).is_some() => {
            att::parse_register(state, &mut ahead).ok()?
        }
        Syntax::Att => return None,
    };
    ahead.at_end().then_some(register)
}

/// Refuses prefixes that do not exist in code of this size.
fn check_prefix(name: &str, mode: Mode) -> Result<(), String> {
    let redundant = match mode.bits() {
        16 => matches!(name, "data16" | "addr16"),
        32 => matches!(name, "data32" | "addr32"),
        _ => false,
    };
    if redundant {
        return Err(format!("redundant {name} prefix"));
    }
    let wrong = if mode.is_64() { matches!(name, "data32" | "addr16") } else { name.starts_with("rex") };
    match (wrong, mode.is_64()) {
        (true, true) => Err(format!("'{name}' is not supported in 64-bit mode")),
        (true, false) => Err(format!("'{name}' is only supported in 64-bit mode")),
        _ => Ok(()),
    }
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
            parsed.encoding.swapped = true;
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
    // Differences that are known now are numbers, which may be short.
    for operand in &mut parsed.operands {
        if let Operand::Memory(memory) = operand
            && let Some(expr) = memory.displacement.as_mut().filter(|expr| matches!(expr, Expr::Binary(..)))
            && let Ok(number) = state.absolute(expr)
        {
            *expr = Expr::Number(number);
        }
    }
    if branches::branch(state, mnemonic, &parsed, syntax)? || branches::far_branch(state, mnemonic, &parsed, syntax)? {
        return Ok(());
    }
    if matches!(mnemonic, "xchg" | "xchgq") && parsed.operands.iter().all(|o| *o == Operand::Register(Register::RAX)) {
        // Nothing happens to any bit of the register.
        state.emit(&[0x90]);
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
    adjust::operands(mnemonic, parsed, syntax, state.mode);
    let mut failure = None;
    let mode = state.mode;
    if let Some(register) = parsed.registers().find(|register| !mode.has(*register)) {
        return Err(format!("bad register name '%{}'", format!("{register:?}").to_ascii_lowercase()));
    }
    if mnemonic.starts_with(['v', 't']) {
        match adjust::distinct_registers(mnemonic, &parsed.operands) {
            Ok(Some(warning)) => state.warn(warning),
            Ok(None) => {}
            Err(message) => return Err(format!("{message} for '{mnemonic}'")),
        }
    }
    for (name, mut wanted, immediate) in readings(mnemonic, parsed, syntax, mode) {
        let list = table::candidates(&name, mode);
        if list.is_empty() {
            continue;
        }
        if wanted.suffix == 0 {
            wanted.suffix = stack_size(list, parsed, mode);
        }
        if let Some(number) = immediate {
            parsed.operands.push(Operand::Immediate(Expr::Number(i64::from(number))));
        }
        match choose(state, list, parsed, wanted, syntax) {
            Ok((encoded, ambiguous)) => {
                if ambiguous {
                    let what = "no instruction mnemonic suffix given and no register operands";
                    state.warn(format!("{what}; using default for `{mnemonic}'"));
                }
                encode::emit(state, encoded);
                return Ok(());
            }
            Err(error) => failure = failure.or(Some(error)),
        }
        if immediate.is_some() {
            parsed.operands.pop();
        }
    }
    if shorten_immediates(state, mnemonic, parsed) {
        return matched(state, mnemonic, parsed, syntax);
    }
    Err(match failure {
        Some(error) => format!("{error} for '{mnemonic}'"),
        None => format!("no such instruction: '{mnemonic}'"),
    })
}

/// Cuts immediates to the operand size, with a warning where that loses something, as `as` does.
/// Returns whether any has changed.
fn shorten_immediates(state: &mut State, mnemonic: &str, parsed: &mut Parsed) -> bool {
    let register = parsed.operands.iter().find_map(|operand| match operand {
        Operand::Register(register) if register.is_gpr() => Some(register.size() as u32),
        _ => None,
    });
    let suffix = mnemonic.bytes().last().and_then(aliases::suffix_size);
    let default = state.mode.operand_size();
    let size = register.or(suffix).unwrap_or(default);
    if size > 4 {
        return false;
    }
    let mut changed = false;
    for operand in 0..parsed.operands.len() {
        let Operand::Immediate(expr) = &parsed.operands[operand] else { continue };
        let Ok(value) = state.absolute(expr) else { continue };
        let bits = size * 8;
        let kept = value << (64 - bits) >> (64 - bits);
        if kept == value {
            continue;
        }
        // Ones above are a sign, zeros may be.
        let lost = value >> bits;
        if lost != 0 && lost != -1 {
            let mask = (1i64 << bits) - 1;
            state.warn(format!("{value:#x} shortened to {:#x}", value & mask));
        }
        parsed.operands[operand] = Operand::Immediate(Expr::Number(kept));
        changed = true;
    }
    changed
}

/// The size in bytes of a stack operation without a suffix where it is not the shortest form's, 0
/// for others.
fn stack_size(list: &[Candidate], parsed: &mut Parsed, mode: Mode) -> u32 {
    let has_register = parsed.operands.iter().any(|o| matches!(o, Operand::Register(r) if r.is_gpr()));
    if has_register || !is_stack_operation(list[0].code.mnemonic()) {
        return 0;
    }
    let immediate = matches!(parsed.operands[..], [Operand::Immediate(_)]);
    if immediate && !mode.is_64() && parsed.prefixes.contains(&Prefix::Data16) {
        // The prefix says how long the immediate is; the encoding brings it.
        parsed.prefixes.retain(|prefix| *prefix != Prefix::Data16);
        return mode.prefixed_operand_size();
    }
    let interrupt = matches!(list[0].code.mnemonic(), Mnemonic::Iret | Mnemonic::Iretd);
    if mode == Mode::Code16Gcc && !interrupt { 4 } else { 0 }
}

/// Instructions whose size is that of the stack when nothing says otherwise.
fn is_stack_operation(mnemonic: Mnemonic) -> bool {
    matches!(
        mnemonic,
        Mnemonic::Push
            | Mnemonic::Pop
            | Mnemonic::Call
            | Mnemonic::Ret
            | Mnemonic::Retf
            | Mnemonic::Enter
            | Mnemonic::Leave
    )
}

/// The ways to read a mnemonic, best first: iced's name, what is wanted, a predicate's immediate.
fn readings(mnemonic: &str, parsed: &Parsed, syntax: Syntax, mode: Mode) -> Vec<(String, Wanted, Option<u8>)> {
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
            let size = match mnemonic {
                "ljmp" | "lcall" if mode != Mode::Code16Gcc || mnemonic == "ljmp" => mode.operand_size(),
                _ if mnemonic.ends_with('q') => 8,
                _ if mnemonic.ends_with('w') => 2,
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
    if let Some((name, suffix)) = aliases::rename(mnemonic, mode) {
        add(name, Wanted { suffix, ..plain });
        if suffix != 0 {
            return out;
        }
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
    // Intel syntax has suffixes where there is no instruction of that name.
    let has_suffix = syntax == Syntax::Att
        || matches!(mnemonic, "retw" | "retfw" | "retfq" | "pushw" | "popw" | "leavew")
        || table::candidates(mnemonic, mode).is_empty();
    if has_suffix && let Some((stem, letter)) = mnemonic.split_at_checked(mnemonic.len().saturating_sub(1)) {
        match letter.as_bytes()[0] {
            b'x' => add(stem, Wanted { memory: 16, ..plain }),
            b'y' => add(stem, Wanted { memory: 32, ..plain }),
            b'z' => add(stem, Wanted { memory: 64, ..plain }),
            letter => {
                let dword = (letter == b'd' && syntax != Syntax::Att).then_some(4);
                if let Some(size) = aliases::suffix_size(letter).or(dword) {
                    let stem = aliases::rename(stem, Mode::Code64).map_or(stem, |(name, _)| name);
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
) -> Result<(Encoded, bool), &'static str> {
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
    let usual = open_size(list, parsed, wanted, state.mode);
    for (order, candidate) in list.iter().enumerate() {
        let Some(mapping) = map_operands(candidate, parsed, &values) else { continue };
        if !fits_context(candidate, parsed, wanted, state.mode) {
            continue;
        }
        if !size_agrees(candidate, parsed, &mapping, wanted) {
            wrong_size = true;
            continue;
        }
        let Some(encoded) = encode::encode(candidate, parsed, &mapping, &values, wanted.wide, state.mode) else {
            continue;
        };
        let size = ambiguous_size(candidate, parsed, &mapping);
        sizes |= size;
        // Sizes 1, 2, 4, 8 are bits of the set.
        let unusual = size != 0 && usual & size == 0;
        let preference = preference(candidate, parsed, &mapping, &values, encoded.len(), order);
        let preference = (u8::from(unusual), preference);
        if best.as_ref().is_none_or(|(p, _)| preference < *p) {
            best = Some((preference, encoded));
        }
    }
    let ambiguous = wanted.suffix == 0 && sizes.count_ones() > 1 && !has_default_size(list);
    match best {
        Some(_) if syntax != Syntax::Att && ambiguous && !sized_operand(parsed) => Err("ambiguous operand size"),
        Some((_, encoded)) => Ok((encoded, ambiguous && syntax == Syntax::Att && !parsed.has_size_prefix())),
        None if wrong_size => Err("operand size mismatch"),
        None => Err("operand type mismatch"),
    }
}

/// Whether a keyword (`dword ptr`) gives a size.
fn sized_operand(parsed: &Parsed) -> bool {
    parsed.operands.iter().any(|operand| matches!(operand, Operand::Memory(memory) if memory.size != 0))
}

/// The size that an operand has where neither suffix nor register tells: 4, or 2 in 16-bit code;
/// all sizes where one is told.
fn open_size(list: &[Candidate], parsed: &Parsed, wanted: Wanted, mode: Mode) -> u32 {
    if wanted.suffix != 0 || wanted.memory != 0 || wanted.extension != (0, 0) || has_default_size(list) {
        return u32::MAX;
    }
    match parsed.prefixes.contains(&Prefix::Data16) {
        _ if parsed.prefixes.iter().any(|p| matches!(p, Prefix::Rex(byte) if byte & 8 != 0)) => 8,
        true => mode.prefixed_operand_size(),
        false => mode.operand_size(),
    }
}

/// How a result compares; less is better: an unusual size, then [`preference`].
type Preference = (u8, (u8, u8, usize, u8, u32, usize));

fn preference(
    candidate: &Candidate,
    parsed: &Parsed,
    mapping: &[usize; 5],
    values: &[Option<i64>],
    len: usize,
    order: usize,
) -> (u8, u8, usize, u8, u32, usize) {
    let kinds = &candidate.kinds[..candidate.count];
    let short = kinds.iter().any(|&k| table::is_short_immediate(k));
    // A symbol does not go to a byte when there is room for it.
    let narrow = kinds
        .iter()
        .zip(mapping)
        .any(|(&kind, &operand)| kind == Kind::imm8 && operand < values.len() && values[operand].is_none());
    let narrow = narrow && parsed.operands.iter().any(|o| matches!(o, Operand::Immediate(_)));
    let opcode = candidate.code.op_code().op_code();
    // The operand that may be memory comes second in loads.
    let stores = table::takes_memory(kinds.first().copied().unwrap_or(Kind::None));
    let direction = match parsed.encoding {
        EncodingHint { swapped: true, .. } => u32::MAX - opcode,
        EncodingHint { load: true, .. } if stores => u32::MAX,
        EncodingHint { store: true, .. } if !stores => u32::MAX,
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
    // XOP's are the other way around.
    let is4_last = is4_last && candidate.encoding != EncodingKind::XOP;
    // SSE4.1's extraction of words is for memory; registers have the older one.
    let word_extract = matches!(
        candidate.code,
        Code::EVEX_Vpextrw_r32m16_xmm_imm8
            | Code::EVEX_Vpextrw_r64m16_xmm_imm8
            | Code::VEX_Vpextrw_r32m16_xmm_imm8
            | Code::VEX_Vpextrw_r64m16_xmm_imm8
            | Code::Pextrw_r32m16_xmm_imm8
            | Code::Pextrw_r64m16_xmm_imm8
    ) && matches!(parsed.operands[0], Operand::Register(_));
    let narrow = narrow || general || is4_last || word_extract;
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
fn fits_context(candidate: &Candidate, parsed: &Parsed, wanted: Wanted, mode: Mode) -> bool {
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
        || (parsed.broadcast != 0 && !info.can_broadcast())
        || (parsed.rounding.is_some() && !info.can_use_rounding_control())
        || (parsed.sae && !info.can_suppress_all_exceptions())
    {
        return false;
    }
    // Without a suffix that says so, immediates are pushed as the stack is wide.
    if candidate.code.mnemonic() == Mnemonic::Push && wanted.suffix == 0 {
        let word = matches!(candidate.kinds[0], Kind::imm16 | Kind::imm8sex16);
        let long = matches!(candidate.kinds[0], Kind::imm32 | Kind::imm8sex32);
        let unusual = if mode.is_16() { long } else { word };
        if unusual && !parsed.prefixes.contains(&Prefix::Data16) {
            return false;
        }
    }
    if !matches!(parsed.broadcast, 0 | operand::ANY_BROADCAST) && broadcast_count(candidate) != parsed.broadcast {
        return false;
    }
    // The short form of this one is no operation, though it must clear the upper half.
    if mode.is_64() && candidate.code == Code::Xchg_r32_EAX && parsed.operands[0] == Operand::Register(Register::EAX) {
        return false;
    }
    if matches!(candidate.code.mnemonic(), Mnemonic::Jmp | Mnemonic::Call) {
        let far = candidate.kinds[0] == Kind::mem;
        return far == wanted.far;
    }
    true
}

/// How many elements a broadcast of the candidate makes.
fn broadcast_count(candidate: &Candidate) -> u32 {
    let info = candidate.code.op_code();
    let element = info.broadcast_memory_size().size();
    (info.memory_size().size() / element.max(1)) as u32
}

/// Whether the candidate's operand sizes are those that suffix or keyword ask for.
fn size_agrees(candidate: &Candidate, parsed: &Parsed, mapping: &[usize; 5], wanted: Wanted) -> bool {
    let kinds = &candidate.kinds[..candidate.count];
    let info = candidate.code.op_code();
    let memory = (0..candidate.count)
        .find(|&i| mapping[i] != usize::MAX && matches!(parsed.operands[mapping[i]], Operand::Memory(_)));
    // Of a broadcast, suffixes mean the size of all elements and keywords that of one.
    let memory_size = || info.memory_size().size() as u32;
    for (i, &kind) in kinds.iter().enumerate().filter(|(i, _)| mapping[*i] != usize::MAX) {
        let Operand::Memory(operand) = &parsed.operands[mapping[i]] else { continue };
        let size = match memory_size() {
            0 => table::gpr_size(kind),
            _ if parsed.broadcast != 0 => info.broadcast_memory_size().size() as u32,
            size => size,
        };
        // Sizes that the tables do not know are not checked.
        if operand.size != 0 && size != 0 && operand.size != size {
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
