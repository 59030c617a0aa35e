//! The template of an extended asm statement: operands and escapes replaced, giving plain assembly
//! text.
//!
//! As in GCC's "Extended Asm" chapter: `%0`, `%[name]`, `%%`, `%=`, `%{`, `%|`,
//! `%}`, dialect alternatives `{att|intel}`, and the operand modifiers of x86.

use std::fmt::Write as _;

use object::{Label, Scale, Segment};
use platform::registers::{Reg, RegClass};

use crate::{CODE_LABEL_PREFIX, Syntax};

/// An address as an operand.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Address {
    /// Segment override.
    pub segment: Segment,
    /// Symbol or `None`.
    pub symbol: Option<SymbolText>,
    /// Displacement in bytes.
    pub offset: i64,
    /// Base register; with [`Self::rip`] none.
    pub base: Option<Reg>,
    /// Index register and factor.
    pub index: Option<(Reg, Scale)>,
    /// Relative to the instruction pointer.
    pub rip: bool,
}

/// A symbol as it is written in asm text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolText {
    /// Its name.
    pub name: String,
    /// `PLT`, `GOTPCREL`, ... without `@`.
    pub modifier: Option<&'static str>,
}

/// Where an operand is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// In a register.
    Reg(Reg),
    /// In memory.
    Mem(Address),
    /// A number.
    Imm(i64),
    /// A symbol's address plus an offset.
    Symbol {
        /// The symbol's name.
        name: String,
        /// Added to its address.
        offset: i64,
    },
    /// A label of the function (`asm goto`).
    Label(Label),
}

/// An operand of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateOperand {
    /// Its place.
    pub place: Place,
    /// Size of its C type in bytes.
    pub size: u32,
    /// Name in `[name]`, or empty.
    pub name: String,
}

/// What a template is expanded with.
pub struct TemplateContext<'a> {
    /// Outputs, inputs, then labels, in the template's numbering.
    pub operands: &'a [TemplateOperand],
    /// The dialect chosen in `{att|intel}` and for printing operands.
    pub syntax: Syntax,
    /// A number different for every asm statement of the object (`%=`).
    pub unique: u32,
    /// Whether functions are called through the PLT (`%P` does not add `@PLT` otherwise).
    pub pic: bool,
}

/// Replaces operands and escapes.
///
/// # Errors
/// What is wrong with the template, in gcc's words where it has them.
pub fn expand(template: &str, cx: &TemplateContext<'_>) -> Result<String, String> {
    let bytes = template.as_bytes();
    let mut out = String::with_capacity(template.len() + 32);
    let mut i = 0;
    // Inside `{...}`: which alternative is being read.
    let mut alternative: Option<usize> = None;
    let wanted = usize::from(cx.syntax != Syntax::Att);
    while i < bytes.len() {
        let skipping = alternative.is_some_and(|a| a != wanted);
        match bytes[i] {
            b'{' if alternative.is_some() => return Err("nested assembly dialect alternatives".into()),
            b'{' => alternative = Some(0),
            b'|' if alternative.is_some() => alternative = alternative.map(|a| a + 1),
            b'}' if alternative.is_some() => alternative = None,
            b'%' => {
                let (text, len) = escape(&template[i + 1..], cx, skipping)?;
                if !skipping {
                    out.push_str(&text);
                }
                i += len;
            }
            _ if skipping => {}
            _ => {
                let len = template[i..].chars().next().map_or(1, char::len_utf8);
                out.push_str(&template[i..i + len]);
                i += len;
                continue;
            }
        }
        i += 1;
    }
    if alternative.is_some() {
        return Err("unterminated assembly dialect alternative".into());
    }
    Ok(out)
}

/// What follows a `%`: its replacement and its length.
fn escape(rest: &str, cx: &TemplateContext<'_>, skipping: bool) -> Result<(String, usize), String> {
    let bytes = rest.as_bytes();
    match bytes.first() {
        None => return Err("invalid '%' at the end of an asm template".into()),
        Some(b @ (b'%' | b'{' | b'|' | b'}')) => return Ok(((*b as char).to_string(), 1)),
        Some(b'=') => return Ok((cx.unique.to_string(), 1)),
        _ => {}
    }
    let (modifier, start) = match bytes[0] {
        letter if letter.is_ascii_alphabetic() => (Some(letter), 1),
        _ => (None, 0),
    };
    // Modifiers that stand alone.
    if matches!(bytes.get(start), None | Some(b' ' | b'\t' | b'\n' | b',' | b')' | b';')) || start == bytes.len() {
        return match modifier {
            Some(b'*') => Ok(("*".into(), 1)),
            Some(letter) => Err(format!("operand number missing after %-letter '{}'", letter as char)),
            None => Err(format!("invalid %-code '{}'", rest.chars().next().unwrap_or(' '))),
        };
    }
    let (index, len) = match bytes[start] {
        b'0'..=b'9' => {
            let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
            let number: usize = rest[start..start + digits].parse().map_err(|_| "operand number out of range")?;
            (number, start + digits)
        }
        b'[' => {
            let close = rest[start..].find(']').ok_or("missing close bracket for named operand")?;
            let name = &rest[start + 1..start + close];
            let index = cx.operands.iter().position(|o| o.name == name);
            (index.ok_or_else(|| format!("undefined named operand '{name}'"))?, start + close + 1)
        }
        other => return Err(format!("invalid %-code '{}'", other as char)),
    };
    if skipping {
        return Ok((String::new(), len));
    }
    let operand = cx.operands.get(index).ok_or("operand number out of range")?;
    Ok((print(operand, modifier, cx)?, len))
}

/// An operand with a modifier, as GCC's `ix86_print_operand` prints it.
fn print(operand: &TemplateOperand, modifier: Option<u8>, cx: &TemplateContext<'_>) -> Result<String, String> {
    let letter = modifier.unwrap_or(0);
    if letter == b'z' || letter == b'Z' {
        return suffix(operand, letter).map(String::from);
    }
    match &operand.place {
        Place::Reg(reg) => register(*reg, operand.size, letter, cx),
        Place::Mem(address) => memory(address, operand.size, letter, cx),
        Place::Imm(value) => immediate(*value, operand.size, letter, cx),
        Place::Symbol { name, offset } => symbol(name, *offset, letter, cx),
        Place::Label(label) => match letter {
            0 | b'l' | b'c' | b'P' | b'p' | b'a' => Ok(format!("{CODE_LABEL_PREFIX}{}", label.0)),
            _ => Err(format!("'%{}' used with a label operand", letter as char)),
        },
    }
}

/// `%z`: the suffix for the operand's size; `%Z` for x87 operands too.
fn suffix(operand: &TemplateOperand, letter: u8) -> Result<&'static str, String> {
    let x87 = matches!(operand.place, Place::Reg(r) if r.class() == RegClass::X87);
    Ok(match (operand.size, x87 && letter == b'Z') {
        (1, _) => "b",
        (2, _) => "w",
        (4, true) => "s",
        (4, false) => "l",
        (8, true) => "l",
        (8, false) => "q",
        (10 | 12 | 16, true) => "t",
        (size, _) => return Err(format!("invalid operand size {size} for operand code '{}'", letter as char)),
    })
}

fn prefixed(name: &str, cx: &TemplateContext<'_>) -> String {
    if cx.syntax == Syntax::Att { format!("%{name}") } else { name.to_string() }
}

fn register(reg: Reg, size: u32, letter: u8, cx: &TemplateContext<'_>) -> Result<String, String> {
    let indirect = |text: String| if cx.syntax == Syntax::Att { format!("*{text}") } else { text };
    let vector = matches!(reg.class(), RegClass::Xmm);
    let width = match letter {
        b'b' => 1,
        b'w' => 2,
        b'k' => 4,
        b'q' => 8,
        b'x' => 16,
        b't' => 32,
        b'h' => {
            return match reg.high_byte_name() {
                Some(name) => Ok(prefixed(name, cx)),
                None => Err("extended registers have no high halves".into()),
            };
        }
        b'y' if reg.class() == RegClass::X87 => return Ok(prefixed("st(0)", cx)),
        b'A' => return Ok(indirect(prefixed(reg.name(8), cx))),
        // An address in the register.
        b'a' => {
            let name = prefixed(reg.name(8), cx);
            return Ok(if cx.syntax == Syntax::Att { format!("({name})") } else { format!("[{name}]") });
        }
        // `%V`: the bare name of the full register.
        b'V' => return Ok(reg.name(8).to_string()),
        b'c' | b'n' => return Err(format!("invalid use of operand code '{}' with a register", letter as char)),
        b'P' | b'p' | b'l' | b'H' | b'd' | b'v' | b'f' | b's' | b'S' | b'N' | b'L' | b'W' | b'X' | 0 => match size {
            _ if vector => 16.max(size),
            0 => 8,
            1 | 2 | 4 | 8 => size,
            // A structure in a register: the smallest register that holds it.
            other => other.next_power_of_two().min(8),
        },
        other => return Err(format!("invalid operand code '{}'", other as char)),
    };
    Ok(prefixed(reg.name(width), cx))
}

fn immediate(value: i64, size: u32, letter: u8, cx: &TemplateContext<'_>) -> Result<String, String> {
    // What the operand's size and the modifier leave of the number.
    let width = match letter {
        b'b' => 1,
        b'w' => 2,
        b'k' => 4,
        _ => 8,
    };
    let _ = size;
    let number = match (letter, width) {
        (b'n', _) => value.wrapping_neg(),
        (_, 1) => i64::from(value as i8),
        (_, 2) => i64::from(value as i16),
        (_, 4) => i64::from(value as i32),
        _ => value,
    };
    match letter {
        b'c' | b'n' | b'P' | b'p' | b'a' | b'l' => Ok(number.to_string()),
        b'A' => Ok(format!("*{number}")),
        b'h' => Err("'%h' needs a register".into()),
        _ if cx.syntax == Syntax::Att => Ok(format!("${number}")),
        _ => Ok(number.to_string()),
    }
}

fn with_offset(name: &str, offset: i64) -> String {
    match offset {
        0 => name.to_string(),
        _ => format!("{name}{offset:+}"),
    }
}

fn symbol(name: &str, offset: i64, letter: u8, cx: &TemplateContext<'_>) -> Result<String, String> {
    let text = with_offset(name, offset);
    let att = cx.syntax == Syntax::Att;
    Ok(match letter {
        b'c' | b'p' | b'l' => text,
        // A call target: through the PLT in position-independent code.
        b'P' => text,
        b'a' if att => format!("{text}(%rip)"),
        b'a' => format!("{text}[rip]"),
        b'A' => format!("*{text}"),
        b'n' => format!("-{text}"),
        _ if att => format!("${text}"),
        _ => format!("OFFSET FLAT:{text}"),
    })
}

fn memory(address: &Address, size: u32, letter: u8, cx: &TemplateContext<'_>) -> Result<String, String> {
    let address = match letter {
        // The upper eight bytes of a 16-byte operand.
        b'H' => Address { offset: address.offset + 8, ..address.clone() },
        b'c' | b'n' => return Err(format!("operand is not a constant, as '%{}' needs", letter as char)),
        b'h' => return Err("'%h' needs a register".into()),
        _ => address.clone(),
    };
    let text = if cx.syntax == Syntax::Att { att_address(&address) } else { intel_address(&address, size, letter) };
    Ok(if letter == b'A' && cx.syntax == Syntax::Att { format!("*{text}") } else { text })
}

fn symbol_name(symbol: &SymbolText) -> String {
    match symbol.modifier {
        Some(modifier) => format!("{}@{modifier}", symbol.name),
        None => symbol.name.clone(),
    }
}

fn att_address(address: &Address) -> String {
    let mut out = String::new();
    match address.segment {
        Segment::None => {}
        Segment::Fs => out.push_str("%fs:"),
        Segment::Gs => out.push_str("%gs:"),
    }
    let registers = address.base.is_some() || address.index.is_some() || address.rip;
    match &address.symbol {
        Some(symbol) => out.push_str(&with_offset(&symbol_name(symbol), address.offset)),
        None if address.offset != 0 || !registers => {
            let _ = write!(out, "{}", address.offset);
        }
        None => {}
    }
    if address.rip {
        out.push_str("(%rip)");
    } else if registers {
        out.push('(');
        if let Some(base) = address.base {
            let _ = write!(out, "%{}", base.name(8));
        }
        if let Some((index, scale)) = address.index {
            let _ = write!(out, ",%{},{}", index.name(8), scale.factor());
        }
        out.push(')');
    }
    out
}

fn intel_address(address: &Address, size: u32, letter: u8) -> String {
    let mut out = String::new();
    // With a modifier that asks for the address alone there is no size keyword.
    if !matches!(letter, b'a' | b'p' | b'P') {
        out.push_str(match size {
            1 => "BYTE PTR ",
            2 => "WORD PTR ",
            4 => "DWORD PTR ",
            8 => "QWORD PTR ",
            10 => "TBYTE PTR ",
            16 => "XMMWORD PTR ",
            32 => "YMMWORD PTR ",
            _ => "",
        });
    }
    match address.segment {
        Segment::None => {}
        Segment::Fs => out.push_str("fs:"),
        Segment::Gs => out.push_str("gs:"),
    }
    let mut terms: Vec<String> = Vec::new();
    if address.rip {
        terms.push("rip".into());
    }
    if let Some(base) = address.base {
        terms.push(base.name(8).into());
    }
    if let Some((index, scale)) = address.index {
        terms.push(format!("{}*{}", index.name(8), scale.factor()));
    }
    let registers = terms.join("+");
    match &address.symbol {
        Some(symbol) => {
            let symbol = with_offset(&symbol_name(symbol), address.offset);
            out.push_str(&symbol);
            if !registers.is_empty() {
                let _ = write!(out, "[{registers}]");
            }
        }
        None if registers.is_empty() => {
            let _ = write!(out, "ds:{}", address.offset);
        }
        None if address.offset != 0 => {
            let _ = write!(out, "[{registers}{:+}]", address.offset);
        }
        None => {
            let _ = write!(out, "[{registers}]");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use platform::registers::{RAX, RBX, RCX, RSI};

    use super::*;

    fn operands() -> Vec<TemplateOperand> {
        let operand = |place, size, name: &str| TemplateOperand { place, size, name: name.into() };
        let address = Address { base: Some(RBX), index: Some((RCX, Scale::Four)), offset: -8, ..Address::default() };
        let symbol = SymbolText { name: "var".into(), modifier: None };
        vec![
            operand(Place::Reg(RAX), 4, "out"),
            operand(Place::Mem(address), 8, "mem"),
            operand(Place::Imm(-5), 4, "imm"),
            operand(Place::Symbol { name: "f".into(), offset: 4 }, 8, "fn"),
            operand(Place::Mem(Address { symbol: Some(symbol), rip: true, ..Address::default() }), 2, ""),
            operand(Place::Label(Label(7)), 0, "err"),
            operand(Place::Reg(RSI), 1, ""),
            operand(Place::Reg(Reg::xmm(3)), 8, ""),
        ]
    }

    fn att(template: &str) -> String {
        let operands = operands();
        let cx = TemplateContext { operands: &operands, syntax: Syntax::Att, unique: 3, pic: true };
        expand(template, &cx).unwrap_or_else(|error| format!("error: {error}"))
    }

    fn intel(template: &str) -> String {
        let operands = operands();
        let syntax = Syntax::Intel { naked_registers: true };
        expand(template, &TemplateContext { operands: &operands, syntax, unique: 3, pic: true }).unwrap()
    }

    #[test]
    fn operands_and_modifiers() {
        assert_eq!(att("mov%z0 %0, %%ebx # %="), "movl %eax, %ebx # 3");
        assert_eq!(att("%b0 %h0 %w0 %k0 %q0 %[out]"), "%al %ah %ax %eax %rax %eax");
        assert_eq!(att("%1 %q[mem] %H1 %A0 %a0"), "-8(%rbx,%rcx,4) -8(%rbx,%rcx,4) (%rbx,%rcx,4) *%rax (%rax)");
        assert_eq!(att("%2 %c2 %n2 %P2"), "$-5 -5 5 -5");
        assert_eq!(att("%3 %c3 %a3 %P3"), "$f+4 f+4 f+4(%rip) f+4");
        assert_eq!(att("%4 %z4"), "var(%rip) w");
        assert_eq!(att("jmp %l5; jmp %l[err]"), "jmp .L.code.7; jmp .L.code.7");
        assert_eq!(att("%6 %k6 %7 %x7 %t7"), "%sil %esi %xmm3 %xmm3 %ymm3");
    }

    #[test]
    fn dialects() {
        assert_eq!(att("{movl %%eax, %0|mov %0, eax}"), "movl %eax, %eax");
        assert_eq!(
            intel("{movl %%eax, %0|mov %0, eax} %1 %4 %%%{"),
            "mov eax, eax QWORD PTR [rbx+rcx*4-8] WORD PTR var[rip] %{"
        );
        assert_eq!(att("%{%|%}"), "{|}");
    }

    #[test]
    fn errors() {
        for template in ["%9", "%[nobody]", "%", "%h6", "{a", "%c0", "%[out"] {
            assert!(att(template).starts_with("error: "), "{template}");
        }
    }
}
