//! The symbols interned before all others: every spelling of a keyword first, so that "is it a
//! keyword" is a comparison of the index, then the names the preprocessor asks for.

use base::{Session, Symbol};

use super::dialect::{Dialect, Standard};
use super::token::TokenKind;

/// In which dialects a spelling is a keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// C99 on; in GNU C89 too (`inline`).
    C99OrGnu,
    C99,
    C23,
    /// Unless `-fno-asm` or a strict standard.
    Asm,
    /// In GNU modes.
    Gnu,
    /// As `Asm`, and in C23 always.
    AsmOrC23,
}

macro_rules! keywords {
    ($($spelling:literal $kind:ident $when:ident,)*) => {
        const KEYWORD_SPELLINGS: &[&str] = &[$($spelling),*];
        const KEYWORD_MEANINGS: &[(TokenKind, When)] = &[$((TokenKind::$kind, When::$when)),*];
    };
}

keywords! {
    "auto" KwAuto Always, "break" KwBreak Always, "case" KwCase Always, "char" KwChar Always, "const" KwConst Always,
    "continue" KwContinue Always, "default" KwDefault Always, "do" KwDo Always, "double" KwDouble Always,
    "else" KwElse Always, "enum" KwEnum Always, "extern" KwExtern Always, "float" KwFloat Always, "for" KwFor Always,
    "goto" KwGoto Always, "if" KwIf Always, "int" KwInt Always, "long" KwLong Always, "register" KwRegister Always,
    "return" KwReturn Always, "short" KwShort Always, "signed" KwSigned Always, "sizeof" KwSizeof Always,
    "static" KwStatic Always, "struct" KwStruct Always, "switch" KwSwitch Always, "typedef" KwTypedef Always,
    "union" KwUnion Always, "unsigned" KwUnsigned Always, "void" KwVoid Always, "volatile" KwVolatile Always,
    "while" KwWhile Always, "inline" KwInline C99OrGnu, "restrict" KwRestrict C99, "_Bool" KwBool Always,
    "_Complex" KwComplex Always, "_Imaginary" KwImaginary Always, "_Alignas" KwAlignas Always,
    "_Countof" KwCountof Always, "_Defer" KwDefer Always, "_Alignof" KwAlignof Always, "_Atomic" KwAtomic Always, "_Generic" KwGeneric Always,
    "_Noreturn" KwNoreturn Always, "_Static_assert" KwStaticAssert Always, "_Thread_local" KwThreadLocal Always,
    "alignas" KwAlignas C23, "alignof" KwAlignof C23, "bool" KwBool C23, "constexpr" KwConstexpr C23,
    "false" KwFalse C23, "true" KwTrue C23, "nullptr" KwNullptr C23, "static_assert" KwStaticAssert C23,
    "thread_local" KwThreadLocal C23, "typeof_unqual" KwTypeofUnqual C23, "_BitInt" KwBitInt Always,
    "_Decimal32" KwDecimal32 Always, "_Decimal64" KwDecimal64 Always, "_Decimal128" KwDecimal128 Always,
    "_Float16" KwFloat16 Always, "_Float32" KwFloat32 Always, "_Float64" KwFloat64 Always,
    "_Float128" KwFloat128 Always, "__float128" KwFloat128 Always, "_Float32x" KwFloat32x Always,
    "_Float64x" KwFloat64x Always, "__float80" KwFloat80 Always, "__int128" KwInt128 Always, "asm" KwAsm Asm,
    "__asm" KwAsm Always, "__asm__" KwAsm Always, "typeof" KwTypeof AsmOrC23, "__typeof" KwTypeof Always,
    "__typeof__" KwTypeof Always, "__typeof_unqual" KwTypeofUnqual Always, "__typeof_unqual__" KwTypeofUnqual Always,
    "__inline" KwInline Always, "__inline__" KwInline Always, "__const" KwConst Always, "__const__" KwConst Always,
    "__volatile" KwVolatile Always, "__volatile__" KwVolatile Always, "__signed" KwSigned Always,
    "__signed__" KwSigned Always, "__restrict" KwRestrict Always, "__restrict__" KwRestrict Always,
    "__complex" KwComplex Always, "__complex__" KwComplex Always, "__alignof" KwGnuAlignof Always,
    "__alignof__" KwGnuAlignof Always, "__attribute" KwAttribute Always, "__attribute__" KwAttribute Always,
    "__auto_type" KwAutoType Always, "__extension__" KwExtension Always, "__label__" KwLabel Always,
    "__real" KwReal Always, "__real__" KwReal Always, "__imag" KwImag Always, "__imag__" KwImag Always,
    "__seg_fs" KwSegFs Gnu, "__seg_gs" KwSegGs Gnu, "__thread" KwThread Always, "__func__" KwFunc Always, "__FUNCTION__" KwFunction Always,
    "__PRETTY_FUNCTION__" KwPrettyFunction Always, "__builtin_va_arg" KwBuiltinVaArg Always,
    "__builtin_offsetof" KwBuiltinOffsetof Always, "__builtin_types_compatible_p" KwBuiltinTypesCompatible Always,
    "__builtin_choose_expr" KwBuiltinChooseExpr Always, "__builtin_complex" KwBuiltinComplex Always,
    "__builtin_shuffle" KwBuiltinShuffle Always, "__builtin_shufflevector" KwBuiltinShuffleVector Always,
    "__builtin_convertvector" KwBuiltinConvertVector Always, "__builtin_tgmath" KwBuiltinTgmath Always,
    "__builtin_has_attribute" KwBuiltinHasAttribute Always,
    "__builtin_assoc_barrier" KwBuiltinAssocBarrier Always,
    "__builtin_call_with_static_chain" KwBuiltinCallWithStaticChain Always,
}

/// Number of keyword spellings: exactly the symbols below this may be keywords.
pub const KEYWORD_COUNT: u32 = KEYWORD_SPELLINGS.len() as u32;

macro_rules! names {
    ($($id:ident $spelling:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($id),* }
        $(
            #[doc = concat!("`", $spelling, "`")]
            pub const $id: Symbol = Symbol(KEYWORD_COUNT + Index::$id as u32);
        )*
        const NAME_SPELLINGS: &[&str] = &[$($spelling),*];
    };
}

// Directives that are keywords too (`if`, `else`) are looked up in the first table: see `IF` and
// `ELSE` below.
names! {
    EMPTY "", DEFINE "define", UNDEF "undef", IFDEF "ifdef", IFNDEF "ifndef", ELIF "elif", ELIFDEF "elifdef",
    ELIFNDEF "elifndef", ENDIF "endif", INCLUDE "include", INCLUDE_NEXT "include_next", IMPORT "import", EMBED "embed",
    LINE "line", ERROR "error", WARNING "warning", PRAGMA "pragma", IDENT "ident", SCCS "sccs", ASSERT "assert",
    UNASSERT "unassert", DEFINED "defined", VA_ARGS "__VA_ARGS__", VA_OPT "__VA_OPT__", PRAGMA_OPERATOR "_Pragma",
    FILE "__FILE__", FILE_NAME "__FILE_NAME__", BASE_FILE "__BASE_FILE__", LINE_MACRO "__LINE__", DATE "__DATE__",
    TIME "__TIME__", TIMESTAMP "__TIMESTAMP__", COUNTER "__COUNTER__", INCLUDE_LEVEL "__INCLUDE_LEVEL__",
    READS_AVX512 "__TCC_RS_READS_AVX512__",
    HAS_INCLUDE "__has_include", HAS_INCLUDE_NEXT "__has_include_next", HAS_ATTRIBUTE "__has_attribute",
    HAS_CPP_ATTRIBUTE "__has_cpp_attribute", HAS_C_ATTRIBUTE "__has_c_attribute", HAS_BUILTIN "__has_builtin",
    HAS_EMBED "__has_embed", ONCE "once", PUSH_MACRO "push_macro", POP_MACRO "pop_macro", POISON "poison",
    SYSTEM_HEADER "system_header", DEPENDENCY "dependency", GCC "GCC", STDC "STDC", DIAGNOSTIC "diagnostic",
    MESSAGE "message", PACK "pack", WEAK "weak", REDEFINE_EXTNAME "redefine_extname", VISIBILITY "visibility",
    PUSH_OPTIONS "push_options", POP_OPTIONS "pop_options", RESET_OPTIONS "reset_options", OPTIMIZE "optimize",
    TARGET "target", IVDEP "ivdep", UNROLL "unroll", SCALAR_STORAGE_ORDER "scalar_storage_order", PUSH "push", POP "pop",
    IGNORED "ignored", FP_CONTRACT "FP_CONTRACT", FENV_ACCESS "FENV_ACCESS", CX_LIMITED_RANGE "CX_LIMITED_RANGE",
    FLOAT_CONST_DECIMAL64 "FLOAT_CONST_DECIMAL64", PCH_PREPROCESS "pch_preprocess", OMP "omp", ACC "acc",
    LIMIT "limit", LIMIT_ALT "__limit__", PREFIX "prefix", PREFIX_ALT "__prefix__", SUFFIX "suffix",
    SUFFIX_ALT "__suffix__", IF_EMPTY "if_empty", IF_EMPTY_ALT "__if_empty__", GNU "gnu", GNU_ALT "__gnu__",
    OFFSET "offset", OFFSET_ALT "__offset__", BASE64 "base64", SYSTEM_HEADER_ALT "__system_header__",
}

/// The symbol of the keyword `if`, as a directive.
pub const IF: Symbol = keyword_symbol("if");
/// The symbol of the keyword `else`, as a directive.
pub const ELSE: Symbol = keyword_symbol("else");
/// The symbol of the keyword `true`.
pub const TRUE: Symbol = keyword_symbol("true");
/// The symbol of the keyword `false`.
pub const FALSE: Symbol = keyword_symbol("false");

const fn keyword_symbol(spelling: &str) -> Symbol {
    let mut index = 0;
    while index < KEYWORD_SPELLINGS.len() {
        if same(KEYWORD_SPELLINGS[index].as_bytes(), spelling.as_bytes()) {
            return Symbol(index as u32);
        }
        index += 1;
    }
    panic!("no such keyword")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}

/// A session with all names of this module interned: every front end begins here.
pub fn new_session() -> Session {
    let names: Vec<&str> = KEYWORD_SPELLINGS.iter().chain(NAME_SPELLINGS).copied().collect();
    Session::new(&names)
}

/// Which kind each of the first [`KEYWORD_COUNT`] symbols is in a dialect: a keyword, or plain
/// `Identifier`.
pub fn keyword_table(dialect: &Dialect) -> Vec<TokenKind> {
    let enabled = |when: When| {
        !dialect.assembler
            && match when {
                When::Always => true,
                When::C99OrGnu => dialect.standard >= Standard::C99 || dialect.asm_keywords,
                When::C99 => dialect.standard >= Standard::C99,
                When::C23 => dialect.c23(),
                When::Asm => dialect.asm_keywords,
                When::Gnu => dialect.gnu,
                When::AsmOrC23 => dialect.asm_keywords || dialect.c23(),
            }
    };
    let kind = |&(kind, when): &(TokenKind, When)| if enabled(when) { kind } else { TokenKind::Identifier };
    KEYWORD_MEANINGS.iter().map(kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_have_their_spellings() {
        let session = new_session();
        assert_eq!(session.str(DEFINE), "define");
        assert_eq!(session.str(SYSTEM_HEADER_ALT), "__system_header__");
        assert_eq!(session.str(ELSE), "else");
        assert_eq!(keyword_table(&Dialect::default())[ELSE.index()], TokenKind::KwElse);
    }

    #[test]
    fn keywords_follow_the_dialect() {
        let asm = KEYWORD_SPELLINGS.iter().position(|s| *s == "asm").unwrap();
        assert_eq!(keyword_table(&Dialect::new(Standard::C11, false))[asm], TokenKind::Identifier);
        assert_eq!(keyword_table(&Dialect::new(Standard::C11, true))[asm], TokenKind::KwAsm);
    }
}
