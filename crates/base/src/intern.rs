//! Interned byte strings. A [`Symbol`] is a dense index, so facts about names are plain vectors.
//!
//! Open addressing over 64-bit slots: 32 bits of hash beside the place of a record that holds the
//! index, the length and the bytes, so that a hit costs one probe and one comparison, and touches
//! two cache lines. The records live in chunks that never move; the hash is the word-at-a-time
//! multiplicative one of rustc-hash.

use std::cell::RefCell;

/// An interned string: two symbols are equal exactly when their bytes are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The index, dense from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Symbol({})", self.0)
    }
}

/// A table of all strings seen, with interior mutability.
pub struct Interner {
    inner: RefCell<Inner>,
}

struct Inner {
    /// `hash << 32 | place`, 0 when free. Length is a power of two, at most half full.
    slots: Vec<u64>,
    strings: Vec<Entry>,
    /// Records: index and length, 32 bits each, then the bytes. A place is a chunk's number, from 1
    /// on, above 16 bits of offset.
    chunks: Vec<Vec<u8>>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// Points into a chunk of the same interner; the lifetime is a promise kept by
    /// `Interner::resolve_bytes`.
    bytes: &'static [u8],
    utf8: bool,
}

/// Size of an ordinary chunk: what an offset of 16 bits reaches. A record that is larger has its
/// own.
const CHUNK: usize = 1 << 16;
/// Bytes of a record before those of the string.
const HEADER: usize = 8;

impl Interner {
    /// An interner whose first symbols are `names`, in order.
    pub fn with_symbols(names: &[&str]) -> Interner {
        let interner = Interner {
            inner: RefCell::new(Inner {
                slots: vec![0; 1 << 12],
                strings: Vec::with_capacity(1 << 11),
                // No place is 0.
                chunks: vec![Vec::new()],
            }),
        };
        for (index, name) in names.iter().enumerate() {
            let symbol = interner.intern(name);
            assert_eq!(symbol.index(), index, "preinterned name {name:?} is a duplicate");
        }
        interner
    }

    /// The symbol of `text`.
    pub fn intern(&self, text: &str) -> Symbol {
        self.intern_bytes(text.as_bytes())
    }

    /// The symbol of `bytes`, which need not be UTF-8 (string literals may hold anything).
    #[inline]
    pub fn intern_bytes(&self, bytes: &[u8]) -> Symbol {
        let hash = hash_bytes(bytes);
        let inner = &mut *self.inner.borrow_mut();
        let mask = inner.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = inner.slots[at];
            if slot == 0 {
                return inner.insert(bytes, hash, at);
            }
            if (slot >> 32) as u32 == hash
                && let Some(symbol) = inner.symbol_if(slot as u32, bytes)
            {
                return symbol;
            }
            at = (at + 1) & mask;
        }
    }

    /// The symbol of `bytes` when it has been interned before.
    pub fn find(&self, bytes: &[u8]) -> Option<Symbol> {
        let hash = hash_bytes(bytes);
        let inner = self.inner.borrow();
        let mask = inner.slots.len() - 1;
        let mut at = hash as usize & mask;
        while inner.slots[at] != 0 {
            if let Some(symbol) = inner.symbol_if(inner.slots[at] as u32, bytes) {
                return Some(symbol);
            }
            at = (at + 1) & mask;
        }
        None
    }

    /// The text of a symbol; a replacement text if its bytes are not UTF-8 (see
    /// [`Interner::resolve_bytes`]).
    pub fn resolve(&self, symbol: Symbol) -> &str {
        let entry = self.inner.borrow().strings[symbol.index()];
        if !entry.utf8 {
            return "<invalid UTF-8>";
        }
        // SAFETY: `utf8` is set only after the bytes were validated, and they never change.
        unsafe { std::str::from_utf8_unchecked(entry.bytes) }
    }

    /// The bytes of a symbol.
    pub fn resolve_bytes(&self, symbol: Symbol) -> &[u8] {
        // The static lifetime of the entry is narrowed to the interner's here: chunks are never
        // freed or moved before it.
        self.inner.borrow().strings[symbol.index()].bytes
    }

    /// Number of symbols; the next new one has this index.
    pub fn len(&self) -> usize {
        self.inner.borrow().strings.len()
    }

    /// Whether nothing has been interned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Inner {
    /// The symbol of the record at `place`, if its string is `bytes`.
    #[inline]
    fn symbol_if(&self, place: u32, bytes: &[u8]) -> Option<Symbol> {
        let (header, text) =
            self.chunks[place as usize >> 16][place as usize & (CHUNK - 1)..].split_first_chunk::<HEADER>()?;
        let [a, b, c, d, e, f, g, h] = *header;
        let length = u32::from_le_bytes([e, f, g, h]) as usize;
        let equal = length == bytes.len() && same(text.get(..length)?, bytes);
        equal.then(|| Symbol(u32::from_le_bytes([a, b, c, d])))
    }

    #[cold]
    fn insert(&mut self, bytes: &[u8], hash: u32, at: usize) -> Symbol {
        let index = self.strings.len() as u32;
        let (stored, place) = self.store(index, bytes);
        let utf8 = stored.is_ascii() || std::str::from_utf8(stored).is_ok();
        self.strings.push(Entry { bytes: stored, utf8 });
        self.slots[at] = u64::from(hash) << 32 | u64::from(place);
        if self.strings.len() * 2 > self.slots.len() {
            self.grow();
        }
        Symbol(index)
    }

    /// A new record: its bytes and its place.
    fn store(&mut self, index: u32, bytes: &[u8]) -> (&'static [u8], u32) {
        let size = HEADER + bytes.len();
        let mut number = self.chunks.len() - 1;
        if number == 0 || self.chunks[number].len() + size > CHUNK {
            number += 1;
            self.chunks.push(Vec::with_capacity(CHUNK.max(size)));
        }
        let chunk = &mut self.chunks[number];
        let start = chunk.len();
        let Ok(number @ 0..=0xffff) = u32::try_from(number) else {
            crate::bug!("more than 4 GiB of names and literals")
        };
        chunk.extend_from_slice(&index.to_le_bytes());
        chunk.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        chunk.extend_from_slice(bytes);
        // SAFETY: a chunk never grows past the capacity it was made with (checked above), so its
        // buffer never moves, and it is dropped only with the interner; `Interner` hands the slice
        // out no longer than its own borrow.
        let stored = unsafe { std::slice::from_raw_parts(chunk.as_ptr().add(start + HEADER), bytes.len()) };
        (stored, number << 16 | start as u32)
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0u64; mask + 1];
        for &slot in self.slots.iter().filter(|&&slot| slot != 0) {
            let mut at = (slot >> 32) as usize & mask;
            while slots[at] != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = slot;
        }
        self.slots = slots;
    }
}

/// Equality without a call of the C library: names are short, and their hashes agree already.
#[inline]
fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.len() < 8 {
        return short_word(a) == short_word(b);
    }
    let (mut at, last) = (0, a.len() - 8);
    while at < last {
        if word(a, at) != word(b, at) {
            return false;
        }
        at += 8;
    }
    word(a, last) == word(b, last)
}

/// A 32-bit hash, eight bytes a step; the last step overlaps the one before it.
#[inline]
fn hash_bytes(bytes: &[u8]) -> u32 {
    const K: u64 = 0xf135_7aea_2e62_a9c5;
    let mut hash = bytes.len() as u64;
    let mix = |hash: u64, word: u64| (hash.rotate_left(26) ^ word).wrapping_mul(K);
    if bytes.len() < 8 {
        hash = mix(hash, short_word(bytes));
    } else {
        let (mut at, last) = (0, bytes.len() - 8);
        while at < last {
            hash = mix(hash, word(bytes, at));
            at += 8;
        }
        hash = mix(hash, word(bytes, last));
    }
    ((hash >> 32) ^ (hash >> 15)) as u32
}

/// The eight bytes at `at`.
#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("eight bytes are left"))
}

/// Fewer than eight bytes as a number, different for different bytes of one length.
#[inline]
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*last)) << 32 | u64::from(u32::from_le_bytes(*first));
    }
    match *bytes {
        [] => 0,
        [a] => u64::from(a),
        [a, b] => u64::from(a) | u64::from(b) << 8,
        [a, b, c, ..] => u64::from(a) | u64::from(b) << 8 | u64::from(c) << 16,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_text_gives_equal_symbols_across_growth() {
        let interner = Interner::with_symbols(&["if", "else"]);
        let symbols: Vec<Symbol> = (0..50_000).map(|n| interner.intern(&format!("name_{n}"))).collect();
        for (n, &symbol) in symbols.iter().enumerate() {
            assert_eq!(interner.resolve(symbol), format!("name_{n}"));
            assert_eq!(interner.intern(&format!("name_{n}")), symbol);
        }
        assert_eq!(interner.find(b"else"), Some(Symbol(1)));
        assert_eq!(interner.find(b"never"), None);
    }

    #[test]
    fn strings_larger_than_a_chunk() {
        let interner = Interner::with_symbols(&[]);
        let texts: Vec<String> = [CHUNK - HEADER, CHUNK, 3, 3 * CHUNK, 5].map(|n| "x".repeat(n)).into();
        let symbols: Vec<Symbol> = texts.iter().map(|text| interner.intern(text)).collect();
        for (text, &symbol) in texts.iter().zip(&symbols) {
            assert_eq!((interner.intern(text), interner.find(text.as_bytes())), (symbol, Some(symbol)));
            assert_eq!(interner.resolve(symbol), text);
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_kept() {
        let interner = Interner::with_symbols(&[]);
        let symbol = interner.intern_bytes(b"\"\xff\"");
        assert_eq!(interner.resolve_bytes(symbol), b"\"\xff\"");
    }
}
