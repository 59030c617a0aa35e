//! Preprocessing (translation phase 4): directives, macro expansion, includes, conditionals, predefined macros, pragmas.

pub mod options;

pub use options::{Action, DependencyOptions, DumpMacros, IncludePaths, Options, OutputOptions, TargetMacros};

use base::Session;

use crate::lex::Token;

/// What a [`crate::lex::TokenKind::Pragma`] token announces. The tokens of the line follow it, then `PragmaEnd`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum PragmaKind {
    /// `#pragma pack`; the tokens after `pack` follow, as in all others.
    Pack,
    /// `#pragma weak`
    Weak,
    /// `#pragma redefine_extname`
    RedefineExtname,
    /// `#pragma GCC visibility`
    Visibility,
    /// `#pragma GCC push_options`
    PushOptions,
    /// `#pragma GCC pop_options`
    PopOptions,
    /// `#pragma GCC reset_options`
    ResetOptions,
    /// `#pragma GCC optimize`
    Optimize,
    /// `#pragma GCC target`
    Target,
    /// `#pragma GCC ivdep`
    Ivdep,
    /// `#pragma GCC unroll`
    Unroll,
    /// `#pragma scalar_storage_order`
    ScalarStorageOrder,
    /// `#pragma STDC FP_CONTRACT`
    StdcFpContract,
    /// `#pragma STDC FENV_ACCESS`
    StdcFenvAccess,
    /// `#pragma STDC CX_LIMITED_RANGE`
    StdcCxLimitedRange,
    /// `#pragma STDC FLOAT_CONST_DECIMAL64`
    StdcFloatConstDecimal64,
}

impl PragmaKind {
    const ALL: [PragmaKind; 16] = [
        PragmaKind::Pack,
        PragmaKind::Weak,
        PragmaKind::RedefineExtname,
        PragmaKind::Visibility,
        PragmaKind::PushOptions,
        PragmaKind::PopOptions,
        PragmaKind::ResetOptions,
        PragmaKind::Optimize,
        PragmaKind::Target,
        PragmaKind::Ivdep,
        PragmaKind::Unroll,
        PragmaKind::ScalarStorageOrder,
        PragmaKind::StdcFpContract,
        PragmaKind::StdcFenvAccess,
        PragmaKind::StdcCxLimitedRange,
        PragmaKind::StdcFloatConstDecimal64,
    ];

    /// The kind in a `Pragma` token's payload.
    pub fn from_payload(payload: u32) -> PragmaKind {
        PragmaKind::ALL[payload as usize]
    }
}

/// Turns one translation unit into tokens.
pub struct Preprocessor<'s> {
    session: &'s Session,
    options: Options,
    #[expect(dead_code, reason = "the search follows")]
    paths: IncludePaths,
    embeds: Vec<Box<[u8]>>,
}

impl<'s> Preprocessor<'s> {
    /// A preprocessor with no input yet; see [`Preprocessor::enter_main_file`]. The session must come from
    /// [`crate::lex::new_session`].
    pub fn new(session: &'s Session, options: Options, paths: IncludePaths) -> Preprocessor<'s> {
        Preprocessor { session, options, paths, embeds: Vec::new() }
    }

    /// Opens the main file ("-" is standard input) and queues predefined macros, `-D`, `-include`. A file that cannot be
    /// read is reported as a fatal error, and the answer is `false`.
    pub fn enter_main_file(&mut self, path: &str) -> bool {
        self.session.fatal(base::Loc::NONE, format!("{path}: not supported: preprocessing")).emit();
        false
    }

    /// The next token of the language: macros expanded, keywords recognised, pragmas for the parser as
    /// [`crate::lex::TokenKind::Pragma`] sequences. After the end, `Eof` for ever.
    pub fn next_token(&mut self) -> Token {
        let flags = crate::lex::TokenFlags::NONE;
        Token::new(crate::lex::TokenKind::Eof, flags, base::Loc::NONE)
    }

    /// The bytes of an `Embed` token.
    pub fn embed_data(&self, token: Token) -> &[u8] {
        &self.embeds[token.payload as usize]
    }

    /// The session this preprocessor reports to.
    pub fn session(&self) -> &'s Session {
        self.session
    }

    /// The options it runs under (dialect and so on).
    pub fn options(&self) -> &Options {
        &self.options
    }
}
