//! The language being read: `-std=` and the options that change the set of tokens.

/// Edition of the standard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Standard {
    /// `-std=c89`, `-std=c90`, `-ansi`, `-std=gnu89`
    C89,
    /// `-std=iso9899:199409`
    C94,
    /// `-std=c99`
    C99,
    /// `-std=c11`
    C11,
    /// `-std=c17`, the default in its GNU form
    #[default]
    C17,
    /// `-std=c2x`, `-std=c23`
    C23,
    /// `-std=c2y`
    C2Y,
}

/// The dialect. The default is `-std=gnu17`.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// Edition.
    pub standard: Standard,
    /// GNU extensions that change the meaning of correct programs: `gnuXX` rather than `cXX`.
    pub gnu: bool,
    /// Assembler input (`.S`): `'` and `#` are ordinary, no diagnostics for odd pastes, no C
    /// keywords.
    pub assembler: bool,
    /// `-trigraphs`, or implied by `-std=cXX` below C23.
    pub trigraphs: bool,
    /// `-fno-asm` takes `asm`, `typeof` and (in C89) `inline` away; `cXX` does too; `-fasm` gives
    /// them back.
    pub asm_keywords: bool,
    /// `-fdollars-in-identifiers`, on by default.
    pub dollars: bool,
    /// `-ffreestanding`: `__STDC_HOSTED__` is 0.
    pub freestanding: bool,
    /// See `platform::options::Language::published`.
    pub published: bool,
    /// `-fsigned-char` (default) or `-funsigned-char`.
    pub unsigned_char: bool,
    /// `-fopenmp-simd`: `#pragma omp` is known.
    pub openmp_simd: bool,
}

impl Default for Dialect {
    fn default() -> Self {
        Dialect::new(Standard::C17, true)
    }
}

impl Dialect {
    /// The dialect of an edition, GNU or strict.
    pub fn new(standard: Standard, gnu: bool) -> Dialect {
        Dialect {
            standard,
            gnu,
            assembler: false,
            trigraphs: !gnu && standard < Standard::C23,
            asm_keywords: gnu,
            dollars: true,
            freestanding: false,
            published: false,
            unsigned_char: false,
            openmp_simd: false,
        }
    }

    /// The dialect of the text after `-std=`, or `None` if there is no such standard (for C).
    pub fn from_option(name: &str) -> Option<Dialect> {
        let (gnu, year) = match name {
            "iso9899:1990" => (false, "90"),
            "iso9899:199409" => return Some(Dialect::new(Standard::C94, false)),
            "iso9899:1999" | "iso9899:199x" => (false, "99"),
            "iso9899:2011" => (false, "11"),
            "iso9899:2017" | "iso9899:2018" => (false, "17"),
            "iso9899:2024" => (false, "23"),
            _ => match name.strip_prefix("gnu") {
                Some(year) => (true, year),
                None => (false, name.strip_prefix('c')?),
            },
        };
        let standard = match year {
            "89" | "90" => Standard::C89,
            "99" | "9x" => Standard::C99,
            "11" | "1x" => Standard::C11,
            "17" | "18" => Standard::C17,
            "2x" | "23" => Standard::C23,
            "2y" => Standard::C2Y,
            _ => return None,
        };
        Some(Dialect::new(standard, gnu))
    }

    /// Whether `<:` and its like are digraphs.
    pub fn digraphs(&self) -> bool {
        self.gnu || self.standard >= Standard::C94
    }

    /// Whether `u"" U"" u8"" u'' U''` are literals.
    pub fn unicode_literals(&self) -> bool {
        if self.gnu { self.standard >= Standard::C99 } else { self.standard >= Standard::C11 }
    }

    /// Whether `R"(...)"` is a raw string.
    pub fn raw_strings(&self) -> bool {
        self.gnu && self.standard >= Standard::C99 && !self.assembler
    }

    /// Whether this is C23 or later.
    pub fn c23(&self) -> bool {
        self.standard >= Standard::C23
    }
}
