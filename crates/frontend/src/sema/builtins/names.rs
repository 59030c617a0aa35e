//! The builtin functions by name: a hash table that the compiler of this program fills, so that no
//! run has to.
//!
//! Open addressing with linear probing over 16-bit entry numbers. An entry's name is put together
//! from the tables' columns only where something finds it.

use super::table::{self, Props};
use super::{Entry, Handler, x86};
use crate::tree::Ty;

/// Suffixes of the types that floating constants builtins come in.
const REAL_SUFFIXES: &[(&str, Ty)] = &[
    ("", Ty::DOUBLE),
    ("f", Ty::FLOAT),
    ("l", Ty::LONG_DOUBLE),
    ("f16", Ty::FLOAT16),
    ("f32", Ty::FLOAT32),
    ("f64", Ty::FLOAT64),
    ("f128", Ty::FLOAT128),
    ("f32x", Ty::FLOAT32X),
    ("f64x", Ty::FLOAT64X),
    ("q", Ty::FLOAT128),
    ("d32", Ty::DECIMAL32),
    ("d64", Ty::DECIMAL64),
    ("d128", Ty::DECIMAL128),
];
/// The first of them, which math functions have.
const MATH_SUFFIXES: usize = 3;
/// Math functions that have more; binary128 has rows of its own.
const SIGNS: [usize; 2] = [math_row("fabs"), math_row("copysign")];
const SIGN_SUFFIXES: [usize; 8] = [3, 4, 5, 7, 8, 10, 11, 12];

const fn math_row(name: &str) -> usize {
    let mut row = 0;
    while !same_name(["", table::MATH[row].0, ""], ["", name, ""]) {
        row += 1;
    }
    row
}

const PREFIX: &str = "__builtin_";
const X86_PREFIX: &str = "__builtin_ia32_";

/// Entries begin here: plain rows, math functions, more of them, floating constants, vector
/// builtins.
const MATH_START: usize = table::ROWS.len();
const SIGNS_START: usize = MATH_START + table::MATH.len() * MATH_SUFFIXES;
const CONSTANTS_START: usize = SIGNS_START + SIGNS.len() * SIGN_SUFFIXES.len();
const X86_START: usize = CONSTANTS_START + table::FLOAT_CONSTANTS.len() * REAL_SUFFIXES.len();
const COUNT: usize = X86_START + x86::TABLE.len();

/// At most half full.
const SLOTS: usize = (COUNT * 2).next_power_of_two();

/// `entry + 1` by hash of the name, 0 where there is none. Of several entries of one name the last
/// counts.
static TABLE: [u16; SLOTS] = fill();

#[allow(long_running_const_eval)]
const fn fill() -> [u16; SLOTS] {
    let mut slots = [0u16; SLOTS];
    let mut index = 0;
    while index < COUNT {
        let name = parts(index);
        let mut at = hash_part(hash_part(hash_part(SEED, name[0]), name[1]), name[2]) as usize % SLOTS;
        while slots[at] != 0 && !same_name(parts(slots[at] as usize - 1), name) {
            at = (at + 1) % SLOTS;
        }
        slots[at] = index as u16 + 1;
        index += 1;
    }
    slots
}

/// An entry's name in three pieces.
const fn parts(index: usize) -> [&'static str; 3] {
    if index < MATH_START {
        return ["", table::ROWS[index].0, ""];
    }
    if index < CONSTANTS_START {
        let (row, suffix) = math(index);
        return ["", table::MATH[row].0, REAL_SUFFIXES[suffix].0];
    }
    if index < X86_START {
        let at = index - CONSTANTS_START;
        let suffixes = REAL_SUFFIXES.len();
        return ["", table::FLOAT_CONSTANTS[at / suffixes].0, REAL_SUFFIXES[at % suffixes].0];
    }
    [X86_PREFIX, x86::TABLE[index - X86_START].0, ""]
}

/// Row and suffix of a math function's entry.
const fn math(index: usize) -> (usize, usize) {
    if index < SIGNS_START {
        let at = index - MATH_START;
        return (at / MATH_SUFFIXES, at % MATH_SUFFIXES);
    }
    let at = index - SIGNS_START;
    (SIGNS[at / SIGN_SUFFIXES.len()], SIGN_SUFFIXES[at % SIGN_SUFFIXES.len()])
}

const SEED: u32 = 0x811c_9dc5;

/// FNV-1a, continued.
const fn hash_part(mut hash: u32, text: &str) -> u32 {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    hash
}

const fn length(name: [&str; 3]) -> usize {
    name[0].len() + name[1].len() + name[2].len()
}

const fn byte(name: [&str; 3], at: usize) -> u8 {
    let (first, second) = (name[0].len(), name[1].len());
    if at < first {
        name[0].as_bytes()[at]
    } else if at < first + second {
        name[1].as_bytes()[at - first]
    } else {
        name[2].as_bytes()[at - first - second]
    }
}

const fn same_name(a: [&str; 3], b: [&str; 3]) -> bool {
    if length(a) != length(b) {
        return false;
    }
    let mut at = 0;
    while at < length(a) {
        if byte(a, at) != byte(b, at) {
            return false;
        }
        at += 1;
    }
    true
}

fn probe(text: &str) -> Option<u32> {
    let mut at = hash_part(SEED, text) as usize % SLOTS;
    loop {
        let index = usize::from(TABLE[at]).checked_sub(1)?;
        if same_name(parts(index), ["", text, ""]) {
            return Some(index as u32);
        }
        at = (at + 1) % SLOTS;
    }
}

/// Whether a name of the table is reserved by itself and takes no `__builtin_` before it.
fn is_prefixed(name: &str) -> bool {
    name.starts_with(PREFIX) || name.starts_with("__sync_") || name.starts_with("__atomic_")
}

/// The entry of a name, prefixed or not.
pub fn find(text: &str) -> Option<u32> {
    probe(text).or_else(|| text.strip_prefix(PREFIX).filter(|rest| !is_prefixed(rest)).and_then(probe))
}

/// The name in the table: the library's, for what the library has.
pub fn name(index: u32) -> String {
    parts(index as usize).concat()
}

/// What is known about an entry.
pub fn entry(index: u32) -> Entry {
    let index = index as usize;
    let with = |handler: Handler, proto: &'static str, real: Ty, props: Props| Entry { handler, proto, real, props };
    if index < MATH_START {
        let (_, handler, proto, props) = table::ROWS[index];
        return with(handler, proto, Ty::DOUBLE, props);
    }
    if index < CONSTANTS_START {
        let (row, suffix) = math(index);
        let (name, handler, proto) = table::MATH[row];
        return with(handler, proto, REAL_SUFFIXES[suffix].1, table::math_props(name, proto));
    }
    if index < X86_START {
        let at = index - CONSTANTS_START;
        let (_, handler, proto) = table::FLOAT_CONSTANTS[at / REAL_SUFFIXES.len()];
        return with(handler, proto, REAL_SUFFIXES[at % REAL_SUFFIXES.len()].1, table::CONST);
    }
    let at = index - X86_START;
    with(Handler::X86(at as u16), x86::TABLE[at].1, Ty::DOUBLE, table::NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_is_found_by_both_its_names() {
        let mut last = rustc_hash::FxHashMap::default();
        for index in 0..COUNT as u32 {
            let name = name(index);
            if !is_prefixed(&name) {
                last.insert(format!("{PREFIX}{name}"), index);
            }
            last.insert(name, index);
        }
        for (name, index) in last {
            assert_eq!(find(&name), Some(index), "{name}");
        }
        for sign in ["fabsf16", "copysignf64x", "__builtin_fabsf32", "__builtin_copysignl"] {
            assert!(find(sign).is_some(), "{sign}");
        }
        for unknown in ["", "__builtin_", "__builtin___builtin_memcpy", "memcpyf", "__builtin___sync_synchronize"] {
            assert_eq!(find(unknown), None, "{unknown}");
        }
    }
}
