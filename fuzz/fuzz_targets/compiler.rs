//! Any bytes as C; what is accepted becomes an object at `-O0` and at `-O2`, valid after every
//! pass.
#![no_main]

use libfuzzer_sys::fuzz_target;
use platform::options::{OptLevel, Options};

fuzz_target!(|data: &[u8]| {
    for level in [OptLevel::O0, OptLevel::O2] {
        let options = Options { level, verify: true, ..Options::default() };
        let Some(mut module) = tcc_rs_fuzz::module(data, &options) else { return };
        let report = middle::optimize(&mut module, &options);
        if report.errors.is_empty() {
            let _ = backend::emit(&module, &options);
        }
    }
});
