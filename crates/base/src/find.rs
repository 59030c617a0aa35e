//! Where bytes stand in a text. On x86-64 with the vectors that every processor has: asking which
//! others this one has takes twenty microseconds of each process in a virtual machine, which is
//! more than wider ones save in the lines of most programs.

#[cfg(not(target_arch = "x86_64"))]
use memchr::arch::all::memchr::{One, Three, Two};
#[cfg(target_arch = "x86_64")]
use memchr::arch::x86_64::sse2::memchr::{One, Three, Two};

/// A searcher, which the processor has.
#[cfg(target_arch = "x86_64")]
macro_rules! searcher {
    ($made:expr) => {
        $made.expect("every x86-64 processor has SSE2")
    };
}
#[cfg(not(target_arch = "x86_64"))]
macro_rules! searcher {
    ($made:expr) => {
        $made
    };
}

/// The first of a byte.
#[inline]
pub fn byte(wanted: u8, text: &[u8]) -> Option<usize> {
    searcher!(One::new(wanted)).find(text)
}

/// The last of a byte.
pub fn last(wanted: u8, text: &[u8]) -> Option<usize> {
    searcher!(One::new(wanted)).rfind(text)
}

/// The first of two bytes.
pub fn either(a: u8, b: u8, text: &[u8]) -> Option<usize> {
    searcher!(Two::new(a, b)).find(text)
}

/// The first of three bytes.
pub fn any(a: u8, b: u8, c: u8, text: &[u8]) -> Option<usize> {
    searcher!(Three::new(a, b, c)).find(text)
}

/// How many of a byte there are.
pub fn count(wanted: u8, text: &[u8]) -> usize {
    searcher!(One::new(wanted)).count(text)
}

/// All places of a byte.
pub fn each(wanted: u8, text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = at + byte(wanted, &text[at..])?;
        at = found + 1;
        Some(found)
    })
}

/// Whether a sequence of bytes is somewhere in a short text.
pub fn contains(text: &[u8], sequence: &[u8]) -> bool {
    each(sequence[0], text).any(|at| text[at..].starts_with(sequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_one_by_one() {
        let text: Vec<u8> = (0..200u32).map(|i| b"a_b_c\nxyz_"[(i * i % 10) as usize]).collect();
        for start in 0..40 {
            for end in (start..text.len()).step_by(7) {
                let part = &text[start..end];
                let first = |wanted: &[u8]| part.iter().position(|b| wanted.contains(b));
                assert_eq!(byte(b'_', part), first(b"_"));
                assert_eq!(either(b'x', b'\n', part), first(b"x\n"));
                assert_eq!(any(b'x', b'\n', b'q', part), first(b"x\nq"));
                assert_eq!(last(b'_', part), part.iter().rposition(|&b| b == b'_'));
                let all: Vec<usize> = (0..part.len()).filter(|&i| part[i] == b'_').collect();
                assert_eq!((count(b'_', part), each(b'_', part).collect::<Vec<_>>()), (all.len(), all));
            }
        }
        assert!(contains(b"f(__VA_ARGS__)", b"__VA_") && !contains(b"f(__V__A_)", b"__VA_"));
    }
}
