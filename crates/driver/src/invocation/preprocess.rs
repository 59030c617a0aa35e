//! Include paths, macros of the command line, the form of `-E`'s output and dependency files.

use frontend::preprocess::SharedFiles;
use std::path::PathBuf;
use std::sync::Arc;

/// `-D`, `-U`, `-include`, `-imacros`. gcc handles all `-D`/`-U` first, then all `-imacros`, then
/// all `-include`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacroAction {
    /// `-D name[=body]`, the text after `-D`.
    Define(String),
    /// `-U name`.
    Undefine(String),
}

/// `-dM`, `-dD`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dump {
    /// Preprocessed text only.
    #[default]
    None,
    /// `-dM`: only the macro definitions at the end of the input.
    MacrosOnly,
    /// `-dD`: text, with `#define`/`#undef` kept (without the predefined ones).
    Definitions,
    /// `-dN`: like `-dD`, only the names.
    Names,
    /// `-dI`: keep `#include` lines too.
    Includes,
    /// `-dU`: definitions of macros that are used.
    Used,
}

/// What `frontend::preprocess` produces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum PreprocessMode {
    /// Tokens for the parser.
    #[default]
    Tokens,
    /// `-E`: text.
    Text,
    /// `-M`, `-MM`: a make rule in place of the text.
    Rule,
}

/// `-M`, `-MM`, `-MD`, `-MMD`, `-MF`, `-MT`, `-MQ`, `-MP`, `-MG`.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    /// A dependency rule is wanted (`-M -MM -MD -MMD`).
    pub wanted: bool,
    /// Leave out headers found in system directories (`-MM`, `-MMD`).
    pub skip_system: bool,
    /// `-MP`: a phony target for each header.
    pub phony: bool,
    /// `-MG`: a missing header is a generated file, not an error.
    pub missing_generated: bool,
    /// Targets, already quoted for make where `-MQ` or the default asked for it. Never empty when
    /// `wanted`: the driver fills in the object's name.
    pub targets: Vec<String>,
    /// Where the rule goes; `None` is standard output.
    pub file: Option<PathBuf>,
}

/// Preprocessor options.
#[derive(Clone, Debug)]
pub struct Preprocessing {
    /// The headers of all inputs, when there are several.
    pub shared_files: Option<Arc<SharedFiles>>,
    /// `-iquote`.
    pub quote_dirs: Vec<PathBuf>,
    /// `-I`, then `CPATH`.
    pub user_dirs: Vec<PathBuf>,
    /// `-isystem`, then `C_INCLUDE_PATH`.
    pub system_dirs: Vec<PathBuf>,
    /// The compiler's own headers, searched between `system_dirs` and `standard_dirs`: (name, text
    /// ending in NUL).
    pub builtin_headers: &'static [(&'static str, &'static [u8])],
    /// The C library's.
    pub standard_dirs: Vec<PathBuf>,
    /// `-idirafter`.
    pub after_dirs: Vec<PathBuf>,
    /// `-D` and `-U` in order.
    pub macros: Vec<MacroAction>,
    /// `-imacros FILE`, read first.
    pub imacros: Vec<PathBuf>,
    /// `-include FILE`.
    pub includes: Vec<PathBuf>,
    /// `-undef`: no system-specific predefined macros.
    pub undef: bool,
    /// `-fpreprocessed`, `.i` input: no directives but line markers and pragmas, no macro
    /// expansion.
    pub preprocessed: bool,
    /// `-fdirectives-only`.
    pub directives_only: bool,
    /// `-traditional-cpp`.
    pub traditional: bool,
    /// `-traditional`, which only the preprocessor knows.
    pub only_traditional: bool,
    /// Input is assembly with preprocessing (`.S`): lenient lexing, `__ASSEMBLER__` defined, `#`
    /// may start a comment line.
    pub assembler: bool,
    /// What is produced.
    pub mode: PreprocessMode,
    /// `-d` letters.
    pub dump: Dump,
    /// `-fno-dwarf2-cfi-asm`, which has no other effect than a macro.
    pub no_cfi_asm: bool,
    /// `-P`: no line markers.
    pub no_line_markers: bool,
    /// `-C`: keep comments.
    pub keep_comments: bool,
    /// `-CC`: keep comments in macro bodies as well.
    pub keep_macro_comments: bool,
    /// `-H`: print the tree of includes to stderr.
    pub show_includes: bool,
    /// Dependency rule.
    pub dependencies: Dependencies,
    /// `-fmacro-prefix-map=`, `-ffile-prefix-map=`: (old, new), the last match wins.
    pub macro_prefix_map: Vec<(String, String)>,
    /// `-pthread` defines `_REENTRANT`.
    pub reentrant: bool,
    /// `-ftabstop=`.
    pub tab_stop: u32,
    /// `-fmax-include-depth=`.
    pub max_include_depth: u32,
    /// `-fmax-macro-tokens=`.
    pub max_macro_tokens: u64,
    /// `-fworking-directory`: a `# 1 "/cwd//"` marker under `-E -g`.
    pub working_directory: bool,
    /// The text is that of a precompiled header.
    pub precompile: bool,
    /// `--embed-dir=`, directories for `#embed <...>`.
    pub embed_dirs: Vec<PathBuf>,
}

impl Default for Preprocessing {
    fn default() -> Self {
        Preprocessing {
            shared_files: None,
            quote_dirs: Vec::new(),
            user_dirs: Vec::new(),
            system_dirs: Vec::new(),
            builtin_headers: &[],
            standard_dirs: Vec::new(),
            after_dirs: Vec::new(),
            macros: Vec::new(),
            imacros: Vec::new(),
            includes: Vec::new(),
            undef: false,
            preprocessed: false,
            directives_only: false,
            traditional: false,
            only_traditional: false,
            assembler: false,
            mode: PreprocessMode::Tokens,
            dump: Dump::None,
            no_cfi_asm: false,
            no_line_markers: false,
            keep_comments: false,
            keep_macro_comments: false,
            show_includes: false,
            dependencies: Dependencies::default(),
            macro_prefix_map: Vec::new(),
            reentrant: false,
            tab_stop: 8,
            max_include_depth: 200,
            max_macro_tokens: 0,
            working_directory: false,
            precompile: false,
            embed_dirs: Vec::new(),
        }
    }
}
