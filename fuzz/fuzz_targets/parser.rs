//! Any bytes as C, checked as `-fsyntax-only` does, with every warning on.
#![no_main]

use libfuzzer_sys::fuzz_target;
use platform::options::Options;

fuzz_target!(|data: &[u8]| {
    let mut options = Options::default();
    options.language.syntax_only = true;
    let session = tcc_rs_fuzz::session();
    for group in ["all", "extra", "pedantic"] {
        session.diag.warning_flag(group);
    }
    if let Some(mut preprocessor) = tcc_rs_fuzz::preprocessor(&session, data, Default::default()) {
        let module = frontend::compile(&session, &options, &mut preprocessor, None);
        assert!(module.is_some() || session.diag.has_errors(), "rejected without a word");
    }
});
