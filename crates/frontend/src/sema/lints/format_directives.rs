//! The directives of format strings: `%` flags width precision length conversion (C23 7.23.6.1
//! paragraph 4, 7.23.6.2 paragraph 3, 7.29.3.5 paragraph 3, with glibc's additions).

use smallvec::SmallVec;

use crate::sema::Sema;
use crate::tree::{FormatArchetype, QualType, Ty};

/// What is wrong with a directive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// `%` at the end.
    Spurious,
    /// The string ends before the conversion.
    LacksType,
    /// No conversion has this letter.
    Unknown(u8),
    /// `%[` without `]`.
    NoClosingBracket,
    /// The length modifier does not go with the conversion.
    Length(&'static str, u8),
}

/// What an argument is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// What is converted.
    Value,
    /// `*` as the width.
    Width,
    /// `*` as the precision.
    Precision,
}

/// An argument a directive takes.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// What it is for.
    pub kind: Kind,
    /// Its type after `depth` pointers.
    pub ty: Ty,
    /// Number of `*`.
    pub depth: u8,
}

/// One directive.
#[derive(Clone, Debug)]
pub struct Directive {
    /// Offset of the `%`.
    pub start: usize,
    /// Offset after the conversion.
    pub end: usize,
    /// Offset of the length modifier.
    length_start: usize,
    /// Arguments it takes, in order.
    pub arguments: SmallVec<[Argument; 3]>,
    /// Arguments are named by number.
    pub numbered: bool,
    /// What is wrong.
    pub problem: Option<Problem>,
    text: SmallVec<[u8; 16]>,
}

impl Directive {
    /// The directive with the length and conversion that fit a type, for a suggestion; `None` if
    /// nothing plain does.
    pub fn fitting(&self, cx: &Sema<'_, '_>, archetype: FormatArchetype, have: QualType) -> Option<String> {
        let conversion = *self.text.last()?;
        let mut ty = have.ty();
        if archetype == FormatArchetype::Scanf {
            ty = cx.types().pointee(ty)?.ty();
        }
        let ty = cx.types().canonical(cx.types().strip_enum(ty));
        let integral = matches!(conversion, b'd' | b'i' | b'u' | b'x' | b'X' | b'o');
        let keep = |signed: char| if integral { conversion as char } else { signed };
        let (length, letter) = match ty {
            Ty::INT => ("", keep('d')),
            Ty::UINT => ("", keep('u')),
            Ty::LONG => ("l", keep('d')),
            Ty::ULONG => ("l", keep('u')),
            Ty::LONGLONG => ("ll", keep('d')),
            Ty::ULONGLONG => ("ll", keep('u')),
            Ty::DOUBLE if archetype == FormatArchetype::Scanf => ("l", 'f'),
            Ty::FLOAT | Ty::DOUBLE => ("", 'f'),
            Ty::LONG_DOUBLE => ("L", 'f'),
            Ty::DECIMAL32 => ("H", 'f'),
            Ty::DECIMAL64 => ("D", 'f'),
            Ty::DECIMAL128 => ("DD", 'f'),
            _ if cx.types().pointee(ty).is_some_and(|p| cx.types().canonical(p.ty()) == Ty::CHAR) => ("", 's'),
            _ => return None,
        };
        let prefix = std::str::from_utf8(&self.text[..self.length_start - self.start]).ok()?;
        Some(format!("{prefix}{length}{letter}"))
    }
}

/// Reads the directives of a format string one after the other.
pub struct Reader<'f> {
    archetype: FormatArchetype,
    text: &'f [u8],
    at: usize,
}

impl<'f> Reader<'f> {
    /// A reader at the beginning of a string, which has no terminating zero.
    pub fn new(archetype: FormatArchetype, text: &'f [u8]) -> Reader<'f> {
        Reader { archetype, text, at: 0 }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip(&mut self, set: &[u8]) {
        while self.peek().is_some_and(|b| set.contains(&b)) {
            self.at += 1;
        }
    }

    fn digits(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at > start
    }

    /// `n$`; true if there was one.
    fn position(&mut self) -> bool {
        let start = self.at;
        if self.digits() && self.peek() == Some(b'$') {
            self.at += 1;
            return true;
        }
        self.at = start;
        false
    }

    /// The next directive that is not `%%`.
    pub fn next(&mut self) -> Option<Directive> {
        loop {
            let start = self.at + self.text[self.at..].iter().position(|&b| b == b'%')?;
            self.at = start + 1;
            if self.peek() == Some(b'%') {
                self.at += 1;
                continue;
            }
            let mut directive = Directive {
                start,
                end: self.at,
                length_start: self.at,
                arguments: SmallVec::new(),
                numbered: false,
                problem: None,
                text: SmallVec::new(),
            };
            self.read(&mut directive);
            directive.end = self.at.max(start + 1);
            directive.text = SmallVec::from_slice(&self.text[start..directive.end]);
            return Some(directive);
        }
    }

    fn read(&mut self, d: &mut Directive) {
        if self.peek().is_none() {
            d.problem = Some(Problem::Spurious);
            return;
        }
        let suppressed = match self.archetype {
            FormatArchetype::Printf => {
                self.printf_prefix(d);
                false
            }
            FormatArchetype::Scanf => self.scanf_prefix(d),
            FormatArchetype::Strftime => {
                self.skip(b"_-0^#+");
                self.digits();
                self.skip(b"EO");
                false
            }
            FormatArchetype::Strfmon => {
                self.skip(b"=!^+(-*");
                self.digits();
                self.skip(b"#.0123456789");
                false
            }
        };
        d.length_start = self.at;
        let length =
            if matches!(self.archetype, FormatArchetype::Printf | FormatArchetype::Scanf) { self.length() } else { "" };
        let Some(conversion) = self.peek() else {
            d.problem = Some(Problem::LacksType);
            return;
        };
        self.at += 1;
        match self.archetype {
            FormatArchetype::Printf => printf_conversion(d, length, conversion),
            FormatArchetype::Scanf => self.scanf_conversion(d, length, conversion, suppressed),
            FormatArchetype::Strftime => {
                if !b"aAbBcCdDeFgGhHIjklmMnNpPrRsStTuUvVwWxXyYzZ+%".contains(&conversion) {
                    d.problem = Some(Problem::Unknown(conversion));
                }
            }
            FormatArchetype::Strfmon => {
                if !b"in%".contains(&conversion) {
                    d.problem = Some(Problem::Unknown(conversion));
                }
            }
        }
    }

    fn printf_prefix(&mut self, d: &mut Directive) {
        d.numbered = self.position();
        self.skip(b" +#0-'I");
        if self.peek() == Some(b'*') {
            self.at += 1;
            d.numbered |= self.position();
            d.arguments.push(Argument { kind: Kind::Width, ty: Ty::INT, depth: 0 });
        } else {
            self.digits();
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if self.peek() == Some(b'*') {
                self.at += 1;
                d.numbered |= self.position();
                d.arguments.push(Argument { kind: Kind::Precision, ty: Ty::INT, depth: 0 });
            } else {
                self.digits();
            }
        }
    }

    /// Whether the assignment is suppressed.
    fn scanf_prefix(&mut self, d: &mut Directive) -> bool {
        d.numbered = self.position();
        let mut suppressed = false;
        while let Some(b @ (b'*' | b'\'' | b'I')) = self.peek() {
            suppressed |= b == b'*';
            self.at += 1;
        }
        self.digits();
        suppressed
    }

    fn length(&mut self) -> &'static str {
        let rest = &self.text[self.at..];
        for length in ["hh", "h", "ll", "l", "q", "L", "j", "z", "Z", "t", "H", "DD", "D"] {
            if rest.starts_with(length.as_bytes()) {
                self.at += length.len();
                return length;
            }
        }
        ""
    }

    fn scanf_conversion(&mut self, d: &mut Directive, length: &'static str, conversion: u8, suppressed: bool) {
        let (mut length, mut conversion) = (length, conversion);
        let mut depth = 1;
        // `%ms`, `%mc`, `%m[`: the function allocates the string.
        if conversion == b'm' {
            depth = 2;
            length = self.length();
            let Some(next) = self.peek() else {
                d.problem = Some(Problem::LacksType);
                return;
            };
            self.at += 1;
            conversion = next;
        }
        if conversion == b'[' && !self.scanset() {
            d.problem = Some(Problem::NoClosingBracket);
            return;
        }
        let ty = match conversion {
            b'd' | b'i' | b'n' => integer(length, true),
            b'o' | b'u' | b'x' | b'X' => integer(length, false),
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => match length {
                "" => Some(Ty::FLOAT),
                "l" => Some(Ty::DOUBLE),
                "L" => Some(Ty::LONG_DOUBLE),
                _ => decimal(length),
            },
            b'c' | b's' | b'[' => match length {
                "" => Some(Ty::CHAR),
                "l" => Some(Ty::INT),
                _ => None,
            },
            b'C' | b'S' => Some(Ty::INT),
            b'p' => {
                depth = 2;
                Some(Ty::VOID)
            }
            _ => {
                d.problem = Some(Problem::Unknown(conversion));
                return;
            }
        };
        match ty {
            None => d.problem = Some(Problem::Length(length, conversion)),
            Some(ty) if !suppressed => d.arguments.push(Argument { kind: Kind::Value, ty, depth }),
            Some(_) => {}
        }
    }

    /// The set after `[`, with its `]`.
    fn scanset(&mut self) -> bool {
        self.at += (self.peek() == Some(b'^')) as usize;
        self.at += (self.peek() == Some(b']')) as usize;
        match self.text[self.at.min(self.text.len())..].iter().position(|&b| b == b']') {
            Some(offset) => {
                self.at += offset + 1;
                true
            }
            None => {
                self.at = self.text.len();
                false
            }
        }
    }
}

fn printf_conversion(d: &mut Directive, length: &'static str, conversion: u8) {
    let (ty, depth) = match conversion {
        b'd' | b'i' => (integer(length, true), 0),
        b'o' | b'u' | b'x' | b'X' => (integer(length, false), 0),
        b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => match length {
            "" | "l" => (Some(Ty::DOUBLE), 0),
            "L" => (Some(Ty::LONG_DOUBLE), 0),
            _ => (decimal(length), 0),
        },
        b'c' => match length {
            "" => (Some(Ty::INT), 0),
            "l" => (Some(Ty::UINT), 0),
            _ => (None, 0),
        },
        b's' => match length {
            "" => (Some(Ty::CHAR), 1),
            "l" => (Some(Ty::INT), 1),
            _ => (None, 0),
        },
        b'C' => (Some(Ty::UINT), 0),
        b'S' => (Some(Ty::INT), 1),
        b'p' if length.is_empty() => (Some(Ty::VOID), 1),
        b'p' => (None, 0),
        b'n' => (integer(length, true), 1),
        b'm' => return,
        _ => {
            d.problem = Some(Problem::Unknown(conversion));
            return;
        }
    };
    match ty {
        Some(ty) => d.arguments.push(Argument { kind: Kind::Value, ty, depth }),
        None => d.problem = Some(Problem::Length(length, conversion)),
    }
}

/// The decimal floating type a length modifier names.
fn decimal(length: &str) -> Option<Ty> {
    match length {
        "H" => Some(Ty::DECIMAL32),
        "D" => Some(Ty::DECIMAL64),
        "DD" => Some(Ty::DECIMAL128),
        _ => None,
    }
}

/// The integer type a length modifier names.
fn integer(length: &str, signed: bool) -> Option<Ty> {
    let pick = |a, b| Some(if signed { a } else { b });
    match length {
        "" => pick(Ty::INT, Ty::UINT),
        "hh" => pick(Ty::SCHAR, Ty::UCHAR),
        "h" => pick(Ty::SHORT, Ty::USHORT),
        "l" | "j" | "z" | "Z" | "t" => pick(Ty::LONG, Ty::ULONG),
        "ll" | "q" | "L" => pick(Ty::LONGLONG, Ty::ULONGLONG),
        _ => None,
    }
}
