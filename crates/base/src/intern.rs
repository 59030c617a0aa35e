//! Interned byte strings. A [`Symbol`] is a dense index, so facts about names are plain vectors.
//!
//! Open addressing over 64-bit slots: 32 bits of hash beside the symbol, whose entry holds the
//! first sixteen bytes as two words. That is all of most names: a hit costs one probe and the
//! comparison of three words, and touches two cache lines. The bytes live in chunks that never
//! move; the hash is the word-at-a-time multiplicative one of rustc-hash.

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
    /// `hash << 32 | symbol + 1`, 0 when free. Length is a power of two, at most half full.
    slots: Vec<u64>,
    entries: Vec<Entry>,
    chunks: Vec<Vec<u8>>,
    /// Symbols whose bytes are not UTF-8, in order: few, if any.
    not_utf8: Vec<Symbol>,
}

#[derive(Clone, Copy)]
struct Entry {
    head: Head,
    /// Points into a chunk of the same interner; the lifetime is a promise kept by
    /// `Interner::resolve_bytes`.
    bytes: &'static [u8],
}

/// The first sixteen bytes of a string, zeros after its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Head([u64; 2]);

/// Bytes in a [`Head`].
pub const HEAD: usize = 16;

/// Size of an ordinary chunk. A string that is larger has its own.
const CHUNK: usize = 1 << 16;

impl Head {
    /// Of these bytes.
    #[inline]
    pub fn of(bytes: &[u8; HEAD]) -> Head {
        Head([word(bytes, 0), word(bytes, 8)])
    }

    /// Without the bytes from `length` on.
    #[inline]
    pub fn cut(self, length: usize) -> Head {
        /// The words that keep as many bytes as the index says.
        const KEEP: [[u64; 2]; HEAD + 1] = {
            let mut keep = [[0; 2]; HEAD + 1];
            let mut length = 1;
            while length <= HEAD {
                keep[length] = keep[length - 1];
                keep[length][(length - 1) / 8] = keep[length][(length - 1) / 8] << 8 | 0xff;
                length += 1;
            }
            keep
        };
        Head([self.0[0] & KEEP[length][0], self.0[1] & KEEP[length][1]])
    }

    /// How many bytes at the beginning are letters, digits or underscores.
    #[inline]
    pub fn word_length(self) -> usize {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { self.word_length_sse2() }
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    fn word_length_sse2(self) -> usize {
        use std::arch::x86_64::*;
        let bytes = _mm_set_epi64x(self.0[1] as i64, self.0[0] as i64);
        let within = |from: __m128i, last: u8| _mm_cmpeq_epi8(_mm_min_epu8(from, _mm_set1_epi8(last as i8)), from);
        let lower = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        let letters = within(_mm_sub_epi8(lower, _mm_set1_epi8(b'a' as i8)), b'z' - b'a');
        let digits = within(_mm_sub_epi8(bytes, _mm_set1_epi8(b'0' as i8)), 9);
        let underscores = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'_' as i8));
        let word = _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letters, digits), underscores));
        word.trailing_ones() as usize
    }

    /// Of a string of any length.
    #[inline]
    fn of_string(bytes: &[u8]) -> Head {
        if bytes.len() < 8 {
            return Head([short_word(bytes), 0]);
        }
        let second = match bytes.len() {
            8 => 0,
            length @ 9..HEAD => word(bytes, length - 8) >> (8 * (HEAD - length)),
            _ => word(bytes, 8),
        };
        Head([word(bytes, 0), second])
    }
}

impl Interner {
    /// An interner whose first symbols are `names`, in order.
    pub fn with_symbols(names: &[&str]) -> Interner {
        let interner = Interner {
            inner: RefCell::new(Inner {
                // The names of a file and its headers: a table that grows leaves the smaller one's
                // memory unused.
                slots: vec![0; 1 << 13],
                entries: Vec::with_capacity(1 << 12),
                chunks: Vec::new(),
                not_utf8: Vec::new(),
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
        self.intern_headed(Head::of_string(bytes), bytes)
    }

    /// The same for who has the first bytes at hand.
    pub fn intern_headed(&self, head: Head, bytes: &[u8]) -> Symbol {
        let hash = hash_bytes(head, bytes);
        let inner = &mut *self.inner.borrow_mut();
        match inner.find(head, bytes, hash) {
            Ok(symbol) => symbol,
            Err(at) => inner.insert(head, bytes, hash, at),
        }
    }

    /// The symbol of `bytes` when it has been interned before.
    pub fn find(&self, bytes: &[u8]) -> Option<Symbol> {
        let head = Head::of_string(bytes);
        self.inner.borrow().find(head, bytes, hash_bytes(head, bytes)).ok()
    }

    /// The text of a symbol; a replacement text if its bytes are not UTF-8 (see
    /// [`Interner::resolve_bytes`]).
    pub fn resolve(&self, symbol: Symbol) -> &str {
        let inner = self.inner.borrow();
        let entry = inner.entries[symbol.index()];
        if inner.not_utf8.binary_search(&symbol).is_ok() {
            return "<invalid UTF-8>";
        }
        // SAFETY: all bytes that are not UTF-8 are in the list, and they never change.
        unsafe { std::str::from_utf8_unchecked(entry.bytes) }
    }

    /// The bytes of a symbol.
    pub fn resolve_bytes(&self, symbol: Symbol) -> &[u8] {
        // The static lifetime of the entry is narrowed to the interner's here: chunks are never
        // freed or moved before it.
        self.inner.borrow().entries[symbol.index()].bytes
    }

    /// Number of symbols; the next new one has this index.
    pub fn len(&self) -> usize {
        self.inner.borrow().entries.len()
    }

    /// Whether nothing has been interned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Inner {
    /// The symbol of a string, or the slot where it would be.
    #[inline]
    fn find(&self, head: Head, bytes: &[u8], hash: u32) -> Result<Symbol, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return Err(at);
            }
            if (slot >> 32) as u32 == hash {
                let index = slot as u32 - 1;
                let entry = &self.entries[index as usize];
                let same = entry.head == head && entry.bytes.len() == bytes.len();
                if same && (bytes.len() <= HEAD || entry.bytes[HEAD..] == bytes[HEAD..]) {
                    return Ok(Symbol(index));
                }
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    fn insert(&mut self, head: Head, bytes: &[u8], hash: u32, at: usize) -> Symbol {
        let index = self.entries.len() as u32;
        if index == u32::MAX {
            crate::bug!("more names and literals than numbers for them");
        }
        let stored = self.store(bytes);
        if !stored.is_ascii() && std::str::from_utf8(stored).is_err() {
            self.not_utf8.push(Symbol(index));
        }
        self.entries.push(Entry { head, bytes: stored });
        self.slots[at] = u64::from(hash) << 32 | u64::from(index + 1);
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        Symbol(index)
    }

    /// The bytes in a chunk.
    fn store(&mut self, bytes: &[u8]) -> &'static [u8] {
        if self.chunks.last().is_none_or(|chunk| chunk.len() + bytes.len() > chunk.capacity()) {
            self.chunks.push(Vec::with_capacity(CHUNK.max(bytes.len())));
        }
        let Some(chunk) = self.chunks.last_mut() else { crate::bug!("no chunk for a name") };
        let start = chunk.len();
        chunk.extend_from_slice(bytes);
        // SAFETY: a chunk never grows past the capacity it was made with (checked above), so its
        // buffer never moves, and it is dropped only with the interner; `Interner` hands the slice
        // out no longer than its own borrow.
        unsafe { std::slice::from_raw_parts(chunk.as_ptr().add(start), bytes.len()) }
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

/// A 32-bit hash, eight bytes a step; the last step overlaps the one before it.
#[inline]
fn hash_bytes(head: Head, bytes: &[u8]) -> u32 {
    const K: u64 = 0xf135_7aea_2e62_a9c5;
    let mix = |hash: u64, word: u64| (hash.rotate_left(26) ^ word).wrapping_mul(K);
    let mut hash = mix(mix(bytes.len() as u64, head.0[0]), head.0[1]);
    if bytes.len() > HEAD {
        let (mut at, last) = (HEAD, bytes.len() - 8);
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

/// Fewer than eight bytes as a number, zeros after the end.
#[inline]
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        // The last four may overlap the first, which agree where they do.
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (bytes.len() - 4));
        return last | u64::from(u32::from_le_bytes(*first));
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
        let texts: Vec<String> = [CHUNK - 8, CHUNK, 3, 3 * CHUNK, 5].map(|n| "x".repeat(n)).into();
        let symbols: Vec<Symbol> = texts.iter().map(|text| interner.intern(text)).collect();
        for (text, &symbol) in texts.iter().zip(&symbols) {
            assert_eq!((interner.intern(text), interner.find(text.as_bytes())), (symbol, Some(symbol)));
            assert_eq!(interner.resolve(symbol), text);
        }
    }

    #[test]
    fn heads_are_the_same_however_they_are_made() {
        let text = b"a_Z09[`{@/:^$\x80x_and so on";
        for start in 0..10 {
            let rest = &text[start..];
            let head = Head::of(rest.first_chunk().unwrap());
            for length in 0..=HEAD {
                assert!(head.cut(length) == Head::of_string(&rest[..length]), "{start} {length}");
            }
            let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            assert_eq!(head.word_length(), rest.iter().take(HEAD).take_while(|&byte| is_word(byte)).count());
        }
        for byte in 0..=u8::MAX {
            let expected = if byte.is_ascii_alphanumeric() || byte == b'_' { HEAD } else { 0 };
            assert_eq!(Head::of(&[byte; HEAD]).word_length(), expected, "{byte}");
        }
    }

    #[test]
    fn strings_that_differ_in_length_or_tail_only() {
        let interner = Interner::with_symbols(&[]);
        let long = "abcdefghijklmnop_and_more";
        let texts: Vec<&str> = (0..=long.len()).map(|n| &long[..n]).chain(["a\0", "a\0\0", "\0"]).collect();
        let symbols: Vec<Symbol> = texts.iter().map(|text| interner.intern(text)).collect();
        for (index, &symbol) in symbols.iter().enumerate() {
            assert_eq!((symbol.index(), interner.resolve(symbol)), (index, texts[index]));
        }
        assert_eq!(interner.find(b"abcdefghijklmnop_and_mare"), None);
    }

    #[test]
    fn bytes_that_are_not_utf8_are_kept() {
        let interner = Interner::with_symbols(&[]);
        let symbol = interner.intern_bytes(b"\"\xff\"");
        assert_eq!(interner.resolve_bytes(symbol), b"\"\xff\"");
        assert_eq!((interner.resolve(symbol), interner.resolve(interner.intern("x"))), ("<invalid UTF-8>", "x"));
    }
}
