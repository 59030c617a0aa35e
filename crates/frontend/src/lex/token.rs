//! Tokens: what the lexer makes, the preprocessor transforms and the parser reads. 12 bytes each,
//! by value.

use base::{Loc, Symbol};

/// One preprocessing token, or, from [`crate::preprocess::Preprocessor::next_token`], one token of
/// the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Layout and history; see [`TokenFlags`].
    pub flags: TokenFlags,
    /// Where it begins.
    pub loc: Loc,
    /// What `kind` says: a [`Symbol`] of the spelling for identifiers, keywords, numbers,
    /// characters and strings (the whole literal with prefix and quotes); otherwise kind-specific,
    /// see the kinds.
    pub payload: u32,
}

const _: () = assert!(size_of::<Token>() == 12);

impl Token {
    /// A token without payload.
    pub fn new(kind: TokenKind, flags: TokenFlags, loc: Loc) -> Token {
        Token { kind, flags, loc, payload: 0 }
    }

    /// The spelling, for kinds that have one (identifiers, keywords, literals).
    pub fn symbol(self) -> Symbol {
        Symbol(self.payload)
    }

    /// Whether it is of this kind.
    pub fn is(self, kind: TokenKind) -> bool {
        self.kind == kind
    }
}

/// Bits of [`Token::flags`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TokenFlags(pub u8);

impl TokenFlags {
    /// None set.
    pub const NONE: TokenFlags = TokenFlags(0);
    /// First token of a line.
    pub const START_OF_LINE: TokenFlags = TokenFlags(1);
    /// White space or a comment stands before it on its line.
    pub const LEADING_SPACE: TokenFlags = TokenFlags(2);
    /// An identifier that must not be expanded any more.
    pub const NO_EXPAND: TokenFlags = TokenFlags(4);
    /// Spelled as a digraph.
    pub const DIGRAPH: TokenFlags = TokenFlags(8);
    /// In a macro body: followed by `##`.
    pub const PASTE_LEFT: TokenFlags = TokenFlags(16);
    /// In a macro body: a parameter preceded by `#`.
    pub const STRINGIFY: TokenFlags = TokenFlags(32);
    /// A padding that stands for a token before which there was (`LEADING_SPACE`) or was not white
    /// space.
    pub const HAS_SOURCE: TokenFlags = TokenFlags(64);
    /// A `Pragma` made by `_Pragma`.
    pub const PRAGMA_OPERATOR: TokenFlags = TokenFlags(128);

    /// Whether all bits of `other` are set.
    #[inline]
    pub fn has(self, other: TokenFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// With the bits of `other` set.
    #[inline]
    pub fn with(self, other: TokenFlags) -> TokenFlags {
        TokenFlags(self.0 | other.0)
    }

    /// With the bits of `other` cleared.
    #[inline]
    pub fn without(self, other: TokenFlags) -> TokenFlags {
        TokenFlags(self.0 & !other.0)
    }
}

macro_rules! token_kinds {
    (special { $($(#[$doc:meta])* $special:ident),* $(,)? }
     punctuators { $($punct:ident $text:literal),* $(,)? }
     keywords { $($keyword:ident $spelling:literal),* $(,)? }) => {
        /// What a token is. The parser never sees the kinds marked internal.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum TokenKind {
            $($(#[$doc])* $special,)*
            $(#[doc = concat!("`", $text, "`")] $punct,)*
            $(#[doc = concat!("`", $spelling, "`")] $keyword,)*
        }

        impl TokenKind {
            /// The spelling of a punctuator (never the digraph) or the primary spelling of a
            /// keyword.
            pub fn text(self) -> Option<&'static str> {
                match self {
                    $(TokenKind::$punct => Some($text),)*
                    $(TokenKind::$keyword => Some($spelling),)*
                    _ => None,
                }
            }

            /// Whether it is a keyword.
            pub fn is_keyword(self) -> bool {
                self as u8 >= FIRST_KEYWORD as u8
            }

            /// Whether it is a punctuator.
            pub fn is_punctuator(self) -> bool {
                self as u8 >= FIRST_PUNCTUATOR as u8 && (self as u8) < FIRST_KEYWORD as u8
            }
        }

        const ALL_PUNCTUATORS: &[TokenKind] = &[$(TokenKind::$punct),*];
        const ALL_KEYWORDS: &[TokenKind] = &[$(TokenKind::$keyword),*];
        const FIRST_PUNCTUATOR: TokenKind = ALL_PUNCTUATORS[0];
        const FIRST_KEYWORD: TokenKind = ALL_KEYWORDS[0];
    };
}

token_kinds! {
    special {
        /// End of input; repeated for ever.
        Eof,
        /// An identifier that is no keyword of the dialect.
        Identifier,
        /// A preprocessing number: integer or floating constant, see [`crate::lex::literals`].
        Number,
        /// A character constant.
        Char,
        /// A string literal; adjacent ones are not joined yet.
        String,
        /// The bytes of an `#embed`, as if separated by commas; the payload is the index for
        /// [`crate::preprocess::Preprocessor::embed_data`]. Never empty.
        Embed,
        /// A pragma the parser has to look at; the payload is a [`crate::preprocess::PragmaKind`]
        /// as `u32`. The tokens of its line follow, then `PragmaEnd`.
        Pragma,
        /// End of the line of a `Pragma`.
        PragmaEnd,
        /// What is no token: one stray character, or a literal without its closing quote up to the
        /// end of the line (which was warned about already). The payload is the symbol of its
        /// spelling; an error in the language.
        Other,
        /// `<...>` after `#include` (internal).
        HeaderName,
        /// A comment, kept under `-C` (internal); the payload is the symbol of its text.
        Comment,
        /// The end of a directive's line (internal).
        EndOfDirective,
        /// No token, but keeps its neighbours apart (internal).
        Padding,
        /// A parameter in a macro body (internal); the payload is its index.
        Parameter,
        /// The end of an argument under expansion (internal).
        ArgumentEnd,
    }
    punctuators {
        LeftBracket "[", RightBracket "]", LeftParen "(", RightParen ")", LeftBrace "{", RightBrace "}",
        Dot ".", Arrow "->", PlusPlus "++", MinusMinus "--", Amp "&", Star "*", Plus "+", Minus "-", Tilde "~", Bang "!",
        Slash "/", Percent "%", LessLess "<<", GreaterGreater ">>", Less "<", Greater ">", LessEqual "<=",
        GreaterEqual ">=", EqualEqual "==", BangEqual "!=", Caret "^", Pipe "|", AmpAmp "&&", PipePipe "||",
        Question "?", Colon ":", ColonColon "::", Semicolon ";", Ellipsis "...", Equal "=", StarEqual "*=",
        SlashEqual "/=", PercentEqual "%=", PlusEqual "+=", MinusEqual "-=", LessLessEqual "<<=",
        GreaterGreaterEqual ">>=", AmpEqual "&=", CaretEqual "^=", PipeEqual "|=", Comma ",", Hash "#", HashHash "##",
    }
    keywords {
        KwAuto "auto", KwBreak "break", KwCase "case", KwChar "char", KwConst "const", KwContinue "continue",
        KwDefault "default", KwDo "do", KwDouble "double", KwElse "else", KwEnum "enum", KwExtern "extern",
        KwFloat "float", KwFor "for", KwGoto "goto", KwIf "if", KwInline "inline", KwInt "int", KwLong "long",
        KwRegister "register", KwRestrict "restrict", KwReturn "return", KwShort "short", KwSigned "signed",
        KwSizeof "sizeof", KwStatic "static", KwStruct "struct", KwSwitch "switch", KwTypedef "typedef",
        KwUnion "union", KwUnsigned "unsigned", KwVoid "void", KwVolatile "volatile", KwWhile "while",
        KwAlignas "_Alignas", KwAlignof "_Alignof", KwCountof "_Countof", KwDefer "_Defer", KwAtomic "_Atomic", KwSegFs "__seg_fs", KwSegGs "__seg_gs", KwBool "_Bool", KwComplex "_Complex",
        KwGeneric "_Generic", KwImaginary "_Imaginary", KwNoreturn "_Noreturn", KwStaticAssert "_Static_assert",
        KwThreadLocal "_Thread_local", KwConstexpr "constexpr", KwFalse "false", KwTrue "true", KwNullptr "nullptr",
        KwTypeof "typeof", KwTypeofUnqual "typeof_unqual", KwBitInt "_BitInt", KwDecimal32 "_Decimal32",
        KwDecimal64 "_Decimal64", KwDecimal128 "_Decimal128", KwFloat16 "_Float16", KwFloat32 "_Float32",
        KwFloat64 "_Float64", KwFloat128 "_Float128", KwFloat32x "_Float32x", KwFloat64x "_Float64x",
        KwFloat80 "__float80", KwInt128 "__int128", KwAsm "asm", KwAttribute "__attribute__",
        KwAutoType "__auto_type", KwExtension "__extension__", KwLabel "__label__", KwReal "__real__",
        KwImag "__imag__", KwThread "__thread", KwFunc "__func__", KwFunction "__FUNCTION__",
        KwPrettyFunction "__PRETTY_FUNCTION__", KwGnuAlignof "__alignof__", KwBuiltinVaArg "__builtin_va_arg",
        KwBuiltinOffsetof "__builtin_offsetof", KwBuiltinTypesCompatible "__builtin_types_compatible_p",
        KwBuiltinChooseExpr "__builtin_choose_expr", KwBuiltinComplex "__builtin_complex",
        KwBuiltinShuffle "__builtin_shuffle", KwBuiltinShuffleVector "__builtin_shufflevector",
        KwBuiltinConvertVector "__builtin_convertvector", KwBuiltinTgmath "__builtin_tgmath",
        KwBuiltinHasAttribute "__builtin_has_attribute",
        KwBuiltinAssocBarrier "__builtin_assoc_barrier",
        KwBuiltinCallWithStaticChain "__builtin_call_with_static_chain",
    }
}

impl std::fmt::Display for TokenKind {
    /// As named in a diagnostic: `'+='`, `identifier`, `end of input`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.text(), self) {
            (Some(text), _) => write!(f, "'{text}'"),
            (_, TokenKind::Identifier) => write!(f, "identifier"),
            (_, TokenKind::Number) => write!(f, "numeric constant"),
            (_, TokenKind::Char) => write!(f, "character constant"),
            (_, TokenKind::String) => write!(f, "string constant"),
            (_, TokenKind::Eof) => write!(f, "end of input"),
            (_, TokenKind::Pragma) => write!(f, "'#pragma'"),
            (_, TokenKind::PragmaEnd) => write!(f, "end of line"),
            _ => write!(f, "token"),
        }
    }
}

/// The punctuator of a byte of class [`SINGLE`](super::chars::SINGLE).
#[inline]
pub(super) fn single(byte: u8) -> TokenKind {
    match byte {
        b'(' => TokenKind::LeftParen,
        b')' => TokenKind::RightParen,
        b'[' => TokenKind::LeftBracket,
        b']' => TokenKind::RightBracket,
        b'{' => TokenKind::LeftBrace,
        b'}' => TokenKind::RightBrace,
        b',' => TokenKind::Comma,
        b';' => TokenKind::Semicolon,
        _ => TokenKind::Tilde,
    }
}

/// A punctuator of class [`OPERATOR`](super::chars::OPERATOR), by itself.
#[inline]
pub(super) fn operator(byte: u8) -> TokenKind {
    match byte {
        b'=' => TokenKind::Equal,
        b'.' => TokenKind::Dot,
        b'*' => TokenKind::Star,
        b'&' => TokenKind::Amp,
        b'+' => TokenKind::Plus,
        b'-' => TokenKind::Minus,
        b'!' => TokenKind::Bang,
        b'|' => TokenKind::Pipe,
        b'^' => TokenKind::Caret,
        b':' => TokenKind::Colon,
        b'<' => TokenKind::Less,
        _ => TokenKind::Greater,
    }
}
