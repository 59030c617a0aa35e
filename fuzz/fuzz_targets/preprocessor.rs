//! Any bytes through the preprocessor, to text with all definitions kept.
#![no_main]

use frontend::preprocess::{DumpMacros, Options, OutputOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let session = tcc_rs_fuzz::session();
    let output = OutputOptions { dump: DumpMacros::Definitions, ..OutputOptions::default() };
    let options = Options { output: Some(output), ..Options::default() };
    if let Some(mut preprocessor) = tcc_rs_fuzz::preprocessor(&session, data, options) {
        preprocessor.write_preprocessed(&mut std::io::sink()).expect("a sink takes everything");
    }
});
