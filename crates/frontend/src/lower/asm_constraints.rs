//! Constraint strings of inline assembly: which places they allow on x86-64.

use platform::registers::{self as regs, Reg};

/// What a constraint string allows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Allowed {
    /// Any general register.
    pub gpr: bool,
    /// A general register with a second byte name (`Q`).
    pub legacy: bool,
    /// An SSE register.
    pub xmm: bool,
    /// One of these registers (`a`, `S`, `Yz`...), in the order of the letters.
    pub fixed: Vec<Reg>,
    /// An x87 register: `t` (0), `u` (1), `f` (any, `None`).
    pub x87: Option<Option<u8>>,
    /// Memory.
    pub memory: bool,
    /// An address, printed as a memory operand (`p`).
    pub address: bool,
    /// Any constant.
    pub immediate: bool,
    /// Constants in these inclusive ranges (`I`, `N`...).
    pub ranges: Vec<(i64, i64)>,
    /// The place of this output (`0`).
    pub tied: Option<u8>,
    /// A condition code (`=@ccz`).
    pub flags: Option<u8>,
    /// `=` or `+`
    pub output: bool,
    /// `+`
    pub in_out: bool,
    /// `&`
    pub early_clobber: bool,
    /// A letter that has no meaning here.
    pub unknown: Option<char>,
}

impl Allowed {
    /// Whether some register can hold the operand.
    pub fn any_register(&self) -> bool {
        self.gpr || self.legacy || self.xmm || !self.fixed.is_empty() || self.x87.is_some()
    }

    /// Whether a constant of this value may be an immediate.
    pub fn takes_constant(&self, value: Option<i64>) -> bool {
        self.immediate || value.is_some_and(|v| self.ranges.iter().any(|&(low, high)| (low..=high).contains(&v)))
    }
}

/// Reads a constraint string. Several alternatives (`,`) are read as their union: each operand has
/// one place in the end, and the places a template accepts in one alternative it accepts for each
/// operand on its own in the code seen in practice (register and memory forms of one instruction).
pub fn parse(text: &[u8]) -> Allowed {
    let mut out = Allowed::default();
    let mut at = 0;
    while at < text.len() {
        let c = text[at];
        at += 1;
        match c {
            b'=' => out.output = true,
            b'+' => (out.output, out.in_out) = (true, true),
            b'&' => out.early_clobber = true,
            b'@' => {
                let name = text[at..].strip_prefix(b"cc").unwrap_or(&[]);
                out.flags = condition(name);
                if out.flags.is_none() {
                    out.unknown = Some('@');
                }
                return out;
            }
            // Hints to the allocator, commutativity, alternatives, costs.
            b'%' | b',' | b'*' | b'?' | b'!' | b'^' | b'$' => {}
            b'#' => {
                while at < text.len() && text[at] != b',' {
                    at += 1
                }
            }
            b'0'..=b'9' => {
                let mut number = (c - b'0') as u32;
                while let Some(d) = text.get(at).filter(|d| d.is_ascii_digit()) {
                    number = number * 10 + (d - b'0') as u32;
                    at += 1;
                }
                out.tied = u8::try_from(number).ok();
            }
            b'Y' => {
                let second = text.get(at).copied().unwrap_or(0);
                at += 1;
                if second == b'z' { out.fixed.push(regs::XMM0) } else { out.xmm = true }
            }
            b'B' | b'W' | b'T' => {
                let second = text.get(at).copied().unwrap_or(0);
                at += 1;
                if second == b'g' { (out.gpr, out.memory) = (true, true) } else { out.immediate = true }
            }
            _ => letter(&mut out, c),
        }
    }
    // A constraint that names nothing is met by anything.
    if text.iter().all(|c| b"=+&%?! ".contains(c)) {
        letter(&mut out, b'X');
    }
    // An output is no address: gcc takes `=p` for a register.
    if out.output && out.address {
        (out.address, out.gpr) = (false, true);
    }
    out
}

fn letter(out: &mut Allowed, c: u8) {
    match c {
        b'r' | b'q' | b'R' | b'l' => out.gpr = true,
        b'Q' => out.legacy = true,
        b'a' => out.fixed.push(regs::RAX),
        b'b' => out.fixed.push(regs::RBX),
        b'c' => out.fixed.push(regs::RCX),
        b'd' => out.fixed.push(regs::RDX),
        b'S' => out.fixed.push(regs::RSI),
        b'D' => out.fixed.push(regs::RDI),
        b'U' => out.gpr = true,
        b'A' => out.fixed.extend([regs::RAX, regs::RDX]),
        b'x' | b'v' => out.xmm = true,
        b't' => out.x87 = Some(Some(0)),
        b'u' => out.x87 = Some(Some(1)),
        b'f' => out.x87 = Some(None),
        b'm' | b'o' | b'V' | b'<' | b'>' => out.memory = true,
        b'p' => out.address = true,
        b'i' | b'n' | b's' | b'E' | b'F' => out.immediate = true,
        b'g' | b'X' => (out.gpr, out.memory, out.immediate) = (true, true, true),
        b'I' => out.ranges.push((0, 31)),
        b'J' => out.ranges.push((0, 63)),
        b'K' => out.ranges.push((-128, 127)),
        b'L' => out.ranges.extend([(0xff, 0xff), (0xffff, 0xffff), (0xffff_ffff, 0xffff_ffff)]),
        b'M' => out.ranges.push((0, 3)),
        b'N' => out.ranges.push((0, 255)),
        b'O' => out.ranges.push((0, 127)),
        b'e' => out.ranges.push((i32::MIN as i64, i32::MAX as i64)),
        b'Z' => out.ranges.push((0, u32::MAX as i64)),
        b'G' | b'C' | b' ' => {}
        other => out.unknown = Some(other as char),
    }
}

/// The x86 condition number of a name as in `=@ccnz`.
fn condition(name: &[u8]) -> Option<u8> {
    const NAMES: [&[&[u8]]; 16] = [
        &[b"o"],
        &[b"no"],
        &[b"b", b"c", b"nae"],
        &[b"ae", b"nb", b"nc"],
        &[b"e", b"z"],
        &[b"ne", b"nz"],
        &[b"be", b"na"],
        &[b"a", b"nbe"],
        &[b"s"],
        &[b"ns"],
        &[b"p", b"pe"],
        &[b"np", b"po"],
        &[b"l", b"nge"],
        &[b"ge", b"nl"],
        &[b"le", b"ng"],
        &[b"g", b"nle"],
    ];
    NAMES.iter().position(|names| names.contains(&name)).map(|n| n as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_modifiers() {
        let c = parse(b"=&r,m");
        assert!(c.output && c.early_clobber && c.gpr && c.memory && !c.in_out);
        assert_eq!(parse(b"=@ccnz").flags, Some(5));
        assert_eq!(parse(b"12").tied, Some(12));
        assert!(parse(b"Nd").takes_constant(Some(200)));
        assert!(!parse(b"Nd").takes_constant(Some(300)));
        assert_eq!(parse(b"Yz").fixed, [regs::XMM0]);
    }
}
