//! What the fuzz targets have in common: a session that keeps its diagnostics to itself, C from
//! memory, no file outside read.

use base::Session;
use base::source_map::SourceText;
use frontend::preprocess::{IncludePaths, Options, Preprocessor};

/// A session whose diagnostics are kept as text.
pub fn session() -> Session {
    let session = frontend::lex::new_session();
    session.diag.capture();
    session
}

/// Tokens of all macros of one input: an instrumented build takes ten times as long over each as
/// the compiler does.
const MACRO_TOKENS: u64 = 4 << 20;

/// A preprocessor that has entered `source`, which finds no header. `None` when it was refused.
pub fn preprocessor<'s>(session: &'s Session, source: &[u8], options: Options) -> Option<Preprocessor<'s>> {
    let paths = IncludePaths { no_current_directory: true, ..IncludePaths::default() };
    let options = Options { max_macro_tokens: MACRO_TOKENS, ..options };
    let mut preprocessor = Preprocessor::new(session, options, paths);
    preprocessor.enter_main_text("input.c", SourceText::from_vec(source.to_vec())).then_some(preprocessor)
}

/// `source` as a module in alloca form, or only checked with `syntax_only`.
pub fn module(source: &[u8], options: &platform::options::Options) -> Option<ir::Module> {
    let session = session();
    let mut preprocessor = preprocessor(&session, source, Options::default())?;
    let module = frontend::compile(&session, options, &mut preprocessor, None);
    assert!(module.is_some() || session.diag.has_errors(), "rejected without a word");
    module
}

/// Every function of the module passes the verifier.
pub fn verify(module: &ir::Module, strictness: ir::verifier::Strictness) {
    for function in module.functions.values() {
        if let Err(errors) = ir::verifier::verify_function(module, function, strictness) {
            panic!("{}", errors.join("\n"));
        }
    }
}
