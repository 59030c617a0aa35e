//! Literals in execution character sets other than UTF-8 and UTF-32 (`-fexec-charset=`,
//! `-fwide-exec-charset=`).
//!
//! As in gcc's `cpp_interpret_string`, each stretch without escapes is converted as a whole, so
//! that an encoding with a byte order mark or shift states begins anew after every escape; numeric
//! escapes are code units as they stand.

use base::charset::{Converter, INVALID};
use platform::options::Charsets;

use super::encoding::{Encoding, Problem, ProblemSeverity};
use super::escapes::{Reader, Unit};

/// The conversions from UTF-8 that literals need; `None` where their text is already right.
#[derive(Default)]
pub struct ExecutionCharsets {
    narrow: Option<Converter>,
    wide: Option<Converter>,
}

impl ExecutionCharsets {
    /// Those of the command line, which has checked that the names are known.
    pub fn new(sets: &Charsets) -> ExecutionCharsets {
        let open = |name: &Option<String>| name.as_ref().and_then(|name| Converter::open(name, "UTF-8"));
        ExecutionCharsets { narrow: open(&sets.narrow), wide: open(&sets.wide) }
    }

    /// The conversion for literals with this prefix.
    pub fn of(&mut self, encoding: Encoding) -> Option<&mut Converter> {
        match encoding {
            Encoding::Plain => self.narrow.as_mut(),
            Encoding::Wide => self.wide.as_mut(),
            _ => None,
        }
    }
}

/// Appends what a reader finds, converted, in code units of `unit` bytes.
pub(super) fn convert(mut reader: Reader<'_>, unit: usize, converter: &mut Converter, out: &mut Vec<u8>) {
    let mut stretch = Vec::new();
    let mut flush = |stretch: &mut Vec<u8>, out: &mut Vec<u8>, reader: &mut Reader<'_>| {
        let start = out.len();
        if !stretch.is_empty()
            && (converter.convert(stretch, out).is_err() || !(out.len() - start).is_multiple_of(unit))
        {
            let message = format!("converting to execution character set: {INVALID}");
            let offset = reader.at;
            reader.problems.push(Problem { offset, severity: ProblemSeverity::Error, message });
            out.truncate(start);
        }
        stretch.clear();
    };
    while let Some(next) = reader.next() {
        match next {
            Unit::Byte(byte) => stretch.push(byte),
            Unit::Character(c) => {
                flush(&mut stretch, out, &mut reader);
                let c = char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER);
                stretch.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                flush(&mut stretch, out, &mut reader);
            }
            Unit::Code(code) => {
                flush(&mut stretch, out, &mut reader);
                out.extend_from_slice(&code.to_le_bytes()[..unit]);
            }
        }
    }
    flush(&mut stretch, out, &mut reader);
}
