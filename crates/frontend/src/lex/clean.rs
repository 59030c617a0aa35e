//! Logical lines: translation phases 1 and 2 for the rare places that need them.
//!
//! The lexer works on the bytes of the file as they are. Only when a token touches a line splice
//! (or a trigraph, where those exist) is the logical line from there to its end copied with splices
//! removed and trigraphs replaced, and the token is scanned in the copy. The copy is kept for the
//! other tokens of the line, so the cost stays linear.

use super::chars::{self, BLANK, CLASS};

/// The cleaned rest of a logical line.
pub(super) struct CleanLine {
    raw_start: usize,
    raw_end: usize,
    /// The characters, then a newline and a NUL.
    pub(super) bytes: Vec<u8>,
    /// Where runs of unchanged bytes begin: (offset in `bytes`, offset in the file).
    runs: Vec<(usize, usize)>,
}

impl CleanLine {
    /// Cleans from `start` to the end of the logical line of `source` (which ends in NUL).
    pub(super) fn new(source: &[u8], start: usize, trigraphs: bool) -> CleanLine {
        let mut line = CleanLine { raw_start: start, raw_end: start, bytes: Vec::new(), runs: vec![(0, start)] };
        let mut at = start;
        let end = source.len() - 1;
        while at < end && source[at] != b'\n' {
            if let Some(length) = splice_length(source, at, trigraphs) {
                at += length;
                line.runs.push((line.bytes.len(), at));
            } else if trigraphs && let Some(c) = trigraph_at(source, at) {
                line.bytes.push(c);
                at += 3;
                line.runs.push((line.bytes.len(), at));
            } else {
                line.bytes.push(source[at]);
                at += 1;
            }
        }
        line.raw_end = at;
        line.bytes.extend_from_slice(b"\n\0");
        line
    }

    /// Whether the file offset `at` lies in this line.
    pub(super) fn covers(&self, at: usize) -> bool {
        self.raw_start <= at && at < self.raw_end
    }

    /// Offset in the copy of a file offset.
    pub(super) fn to_clean(&self, raw: usize) -> usize {
        let (clean, start) = self.runs[self.runs.partition_point(|&(_, r)| r <= raw) - 1];
        clean + (raw - start)
    }

    /// File offset of an offset in the copy.
    pub(super) fn to_raw(&self, clean: usize) -> usize {
        let (start, raw) = self.runs[self.runs.partition_point(|&(c, _)| c <= clean) - 1];
        raw + (clean - start)
    }
}

/// Length of the line splice at `at`, if there is one: a backslash (or `??/`), blanks, which gcc
/// allows, and a newline.
pub(super) fn splice_length(source: &[u8], at: usize, trigraphs: bool) -> Option<usize> {
    let mut next = match source[at] {
        b'\\' => at + 1,
        b'?' if trigraphs && trigraph_at(source, at) == Some(b'\\') => at + 3,
        _ => return None,
    };
    while CLASS[usize::from(source[next])] & BLANK != 0 || source[next] == b'\r' {
        next += 1;
    }
    (source[next] == b'\n').then_some(next + 1 - at)
}

/// What the trigraph at `at` stands for, if there is one.
pub(super) fn trigraph_at(source: &[u8], at: usize) -> Option<u8> {
    match source[at..] {
        [b'?', b'?', c, ..] => chars::trigraph(c),
        _ => None,
    }
}
