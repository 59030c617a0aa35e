//! The characters and escape sequences of a literal (C23 6.4.4.5), one by one.

use super::chars::{decode_old_utf8, decode_utf8};
use super::dialect::Standard;
use super::encoding::{Encoding, Problem, ProblemSeverity};

/// What one source character or escape sequence stands for.
pub(super) enum Unit {
    /// A character of the execution set, to be encoded.
    Character(u32),
    /// A numeric escape: one code unit of this value, whatever the encoding.
    Code(u32),
    /// A byte of a narrow literal, as it is.
    Byte(u8),
}

impl Unit {
    /// Appends the code units of `target`, little-endian.
    pub(super) fn encode(&self, target: Encoding, out: &mut Vec<u8>) {
        match (self, target) {
            (Unit::Byte(byte), _) => out.push(*byte),
            (Unit::Character(c), Encoding::Plain | Encoding::Utf8) => {
                let c = char::from_u32(*c).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            (Unit::Character(c), Encoding::Utf16) => {
                let c = char::from_u32(*c).unwrap_or(char::REPLACEMENT_CHARACTER);
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.extend_from_slice(&unit.to_le_bytes());
                }
            }
            (Unit::Character(code) | Unit::Code(code), _) => {
                out.extend_from_slice(&code.to_le_bytes()[..target.unit_size()]);
            }
        }
    }
}

/// Reads the contents of a literal.
pub(super) struct Reader<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    pub(super) raw: bool,
    pub(super) target: Encoding,
    /// Source characters are given byte by byte.
    pub(super) bytes: bool,
    pub(super) problems: &'a mut Vec<Problem>,
}

impl Reader<'_> {
    /// The next unit; none at the end.
    pub(super) fn next(&mut self) -> Option<Unit> {
        let byte = *self.text.get(self.at)?;
        if byte == b'\\' && !self.raw {
            return Some(self.escape());
        }
        if self.bytes {
            self.at += 1;
            return Some(Unit::Byte(byte));
        }
        if byte < 0x80 {
            self.at += 1;
            return Some(Unit::Character(u32::from(byte)));
        }
        match decode_utf8(&self.text[self.at..]) {
            Some((c, length)) => {
                self.at += length;
                Some(Unit::Character(c as u32))
            }
            None => {
                if self.target.unit_size() == 4
                    && let Some((code, length)) = decode_old_utf8(&self.text[self.at..])
                {
                    self.at += length;
                    return Some(Unit::Code(code));
                }
                let message =
                    "converting to execution character set: Invalid or incomplete multibyte or wide character";
                self.problem(self.at, ProblemSeverity::Error, message.to_owned());
                self.at += 1;
                Some(Unit::Code(u32::from(byte)))
            }
        }
    }

    fn problem(&mut self, offset: usize, severity: ProblemSeverity, message: String) {
        self.problems.push(Problem { offset, severity, message });
    }

    fn escape(&mut self) -> Unit {
        let start = self.at;
        self.at += 1;
        let Some(&letter) = self.text.get(self.at) else { return Unit::Byte(b'\\') };
        self.at += 1;
        let simple = |byte: u8| Unit::Character(u32::from(byte));
        match letter {
            b'\\' | b'\'' | b'"' | b'?' => simple(letter),
            b'a' => simple(7),
            b'b' => simple(8),
            b'f' => simple(12),
            b'n' => simple(b'\n'),
            b'r' => simple(b'\r'),
            b't' => simple(b'\t'),
            b'v' => simple(11),
            b'e' | b'E' => {
                let message = format!("non-ISO-standard escape sequence, '\\{}'", letter as char);
                self.problem(start, ProblemSeverity::Pedantic, message);
                simple(27)
            }
            b'0'..=b'7' => {
                self.at -= 1;
                self.numeric(start, 8, 3)
            }
            b'x' if self.opens_delimited(16) => self.delimited(start, 16),
            b'o' if self.opens_delimited(8) => self.delimited(start, 8),
            b'x' => self.numeric(start, 16, usize::MAX),
            b'u' if self.opens_delimited(16) => {
                self.begin_delimited(start);
                let value = self.digits(16, usize::MAX).0;
                self.at += 1;
                self.character(start, value)
            }
            b'u' | b'U' => self.universal(start, if letter == b'u' { 4 } else { 8 }),
            b'(' | b'{' | b'[' | b'%' => {
                let message = format!("non-ISO-standard escape sequence, '\\{}'", letter as char);
                self.problem(start, ProblemSeverity::Pedantic, message);
                simple(letter)
            }
            _ => {
                let message = if letter.is_ascii_graphic() {
                    format!("unknown escape sequence: '\\{}'", letter as char)
                } else {
                    format!("unknown escape sequence: '\\{letter:03o}'")
                };
                self.problem(start, ProblemSeverity::PedanticWarning, message);
                // The character itself, which may be a multibyte one.
                self.at -= 1;
                match self.bytes {
                    true => {
                        self.at += 1;
                        Unit::Byte(letter)
                    }
                    false => match decode_utf8(&self.text[self.at..]) {
                        Some((c, length)) => {
                            self.at += length;
                            Unit::Character(c as u32)
                        }
                        None => {
                            self.at += 1;
                            Unit::Code(u32::from(letter))
                        }
                    },
                }
            }
        }
    }

    /// A brace, digits and a brace follow: a delimited escape sequence (C2Y 6.4.4.5).
    fn opens_delimited(&self, radix: u32) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let digits = rest.iter().skip(1).take_while(|&&b| (b as char).is_digit(radix)).count();
        rest.first() == Some(&b'{') && digits > 0 && rest.get(1 + digits) == Some(&b'}')
    }

    fn begin_delimited(&mut self, start: usize) {
        let message = "delimited escape sequences are a C2Y feature".to_owned();
        self.problem(start, ProblemSeverity::PedanticBefore(Standard::C2Y), message);
        self.at += 1;
    }

    /// `\x{...}` and `\o{...}`; the brace comes next.
    fn delimited(&mut self, start: usize, radix: u32) -> Unit {
        self.begin_delimited(start);
        let unit = self.numeric(start, radix, usize::MAX);
        self.at += 1;
        unit
    }

    /// The value of digits, how many there are, and whether the value is too large.
    fn digits(&mut self, radix: u32, limit: usize) -> (u32, usize, bool) {
        let (mut value, mut digits, mut overflow) = (0u32, 0, false);
        while digits < limit {
            let Some(digit) = self.text.get(self.at).and_then(|&b| (b as char).to_digit(radix)) else { break };
            overflow |= value.leading_zeros() < if radix == 16 { 4 } else { 3 };
            value = value.wrapping_mul(radix) | digit;
            self.at += 1;
            digits += 1;
        }
        (value, digits, overflow)
    }

    fn numeric(&mut self, start: usize, radix: u32, limit: usize) -> Unit {
        let (value, digits, overflow) = self.digits(radix, limit);
        if digits == 0 {
            self.problem(start, ProblemSeverity::Error, "\\x used with no following hex digits".to_owned());
        }
        let bits = 8 * self.target.unit_size() as u32;
        if overflow || bits < 32 && value >> bits != 0 {
            let kind = if radix == 16 { "hex" } else { "octal" };
            let message = format!("{kind} escape sequence out of range");
            self.problem(start, ProblemSeverity::PedanticWarning, message);
        }
        Unit::Code(value)
    }

    fn universal(&mut self, start: usize, length: usize) -> Unit {
        let (value, digits, _) = self.digits(16, length);
        if digits < length {
            let spelled = String::from_utf8_lossy(&self.text[start..self.at]);
            self.problem(start, ProblemSeverity::Error, format!("incomplete universal character name {spelled}"));
            return Unit::Character(value);
        }
        self.character(start, value)
    }

    /// The character that a universal character name which ends here means.
    fn character(&mut self, start: usize, value: u32) -> Unit {
        let spelled = String::from_utf8_lossy(&self.text[start..self.at]);
        if (0x11_0000..0x8000_0000).contains(&value) {
            // gcc takes what UTF-32 units and the old long sequences of UTF-8 can hold.
            let message = format!("{spelled} is outside the UCS codespace");
            let severity =
                if self.target.unit_size() == 4 { ProblemSeverity::PedanticWarning } else { ProblemSeverity::Error };
            self.problem(start, severity, message);
            return Unit::Code(value);
        } else if char::from_u32(value).is_none() || value < 0xa0 && !matches!(value, 0x24 | 0x40 | 0x60) {
            let message = format!("{spelled} is not a valid universal character");
            self.problem(start, ProblemSeverity::Error, message);
        }
        Unit::Character(value)
    }
}
