//! The dialect of C.

/// Revision of ISO C.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum Standard {
    /// `-std=c89`, `c90`, `gnu89`, `-ansi`.
    C89,
    /// `-std=iso9899:199409`: C90 with Amendment 1.
    C94,
    /// `-std=c99`, `gnu99`.
    C99,
    /// `-std=c11`, `gnu11`.
    C11,
    /// `-std=c17`, `c18`, `gnu17`, `gnu18`; the default is `gnu17`.
    #[default]
    C17,
    /// `-std=c23`, `c2x`, `gnu23`, `gnu2x`.
    C23,
    /// The drafts of the standard after C23.
    C2Y,
}

/// Choices that change what a token sequence means.
#[derive(Clone, Debug)]
pub struct Language {
    /// ISO revision.
    pub standard: Standard,
    /// The standard was named as it was published (`-std=c23`), not by its working title
    /// (`-std=c2x`, where gcc 12 follows a draft and says `202000L`): `__STDC_VERSION__` is
    /// `202311L`.
    pub published: bool,
    /// GNU extensions that ISO mode (`-std=c..`, `-ansi`) switches off: `asm`, `typeof`, `unix`, no
    /// trigraphs.
    pub gnu: bool,
    /// `asm`, `typeof` (and `inline` in C89) are keywords: GNU modes, unless `-fno-asm`.
    pub gnu_keywords: bool,
    /// Trigraphs are replaced: ISO modes before C23, `-trigraphs`.
    pub trigraphs: bool,
    /// `__STDC_HOSTED__`; false under `-ffreestanding`, which implies `builtins == false`.
    pub hosted: bool,
    /// `-fbuiltin`: standard library names without the `__builtin_` prefix have their known
    /// meaning.
    pub builtins: bool,
    /// `-fno-builtin-NAME`.
    pub disabled_builtins: Vec<String>,
    /// `-fgnu89-inline`, the default in C89 modes.
    pub gnu89_inline: bool,
    /// `-fopenmp-simd`: OpenMP's pragmas about `simd` loops are obeyed.
    pub openmp_simd: bool,
    /// `char` is signed (`-fsigned-char`, the default).
    pub char_signed: bool,
    /// `-fshort-enums`.
    pub short_enums: bool,
    /// `-fshort-wchar`: `wchar_t` is `unsigned short`.
    pub short_wchar: bool,
    /// `-finput-charset=`, `-fexec-charset=`, `-fwide-exec-charset=`.
    pub charsets: Charsets,
    /// `-fms-extensions`: unnamed struct fields of tagged types, `__int64`...
    pub ms_extensions: bool,
    /// `-fplan9-extensions`.
    pub plan9_extensions: bool,
    /// `-fdollars-in-identifiers`, the default.
    pub dollars_in_identifiers: bool,
    /// `-fpack-struct[=N]` in bytes.
    pub pack_struct: Option<u32>,
    /// `-mms-bitfields`: bit-fields are laid out as by Microsoft's compiler.
    pub ms_bitfields: bool,
    /// `-fsso-struct=big-endian`: scalars of structures are stored most significant byte first.
    pub reversed_storage: bool,
    /// `-fallow-parameterless-variadic-functions`: `(...)` before C23, too.
    pub parameterless_variadic: bool,
    /// `-funsigned-bitfields`: bit-fields of plain `int` and its like are unsigned.
    pub unsigned_bitfields: bool,
    /// `-flax-vector-conversions`, the default.
    pub lax_vector_conversions: bool,
    /// `-fcommon`: tentative definitions become COMMON symbols.
    pub common: bool,
    /// `-fexcess-precision=standard` and `fast`; where neither is said, standards of ISO have the
    /// one and GNU C the other.
    pub standard_excess: Option<bool>,
    /// `-fsingle-precision-constant`.
    pub single_precision_constant: bool,
    /// `-fgnuc-version=A.B.C`: `__GNUC__`, `__GNUC_MINOR__`, `__GNUC_PATCHLEVEL__`; `A == 0` leaves
    /// them undefined.
    pub gnuc_version: [u32; 3],
    /// Limit of nesting the parser accepts before the error "nesting too deep"
    /// (`-fbracket-depth=`).
    pub bracket_depth: u32,
    /// Run the checks only, produce nothing (`-fsyntax-only`).
    pub syntax_only: bool,
}

/// Character sets, by names that iconv knows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Charsets {
    /// Of source files, if not UTF-8.
    pub input: Option<String>,
    /// Of plain literals, if not UTF-8.
    pub narrow: Option<String>,
    /// Of wide literals, if not UTF-32 (UTF-16 for a short `wchar_t`) in the target's byte order.
    pub wide: Option<String>,
    /// The basic characters have other codes than in ASCII: what a format string in the program
    /// says cannot be read from its bytes.
    pub no_ascii: bool,
}

impl Default for Language {
    fn default() -> Self {
        Language {
            standard: Standard::C17,
            published: false,
            gnu: true,
            gnu_keywords: true,
            trigraphs: false,
            hosted: true,
            builtins: true,
            disabled_builtins: Vec::new(),
            gnu89_inline: false,
            openmp_simd: false,
            char_signed: true,
            short_enums: false,
            short_wchar: false,
            charsets: Charsets::default(),
            ms_extensions: false,
            plan9_extensions: false,
            dollars_in_identifiers: true,
            pack_struct: None,
            ms_bitfields: false,
            reversed_storage: false,
            parameterless_variadic: false,
            unsigned_bitfields: false,
            lax_vector_conversions: false,
            common: false,
            standard_excess: None,
            single_precision_constant: false,
            gnuc_version: [12, 2, 0],
            bracket_depth: 200_000,
            syntax_only: false,
        }
    }
}

impl Language {
    /// Whether a call to `name` may be taken for the standard library's function.
    pub fn is_builtin_enabled(&self, name: &str) -> bool {
        self.builtins && !self.disabled_builtins.iter().any(|n| n == name)
    }

    /// The language is at least this revision.
    pub fn since(&self, standard: Standard) -> bool {
        self.standard >= standard
    }
}
