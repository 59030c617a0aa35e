//! Any bytes as C; what is accepted lowers to valid alloca-form IR.
#![no_main]

use ir::verifier::Strictness;
use libfuzzer_sys::fuzz_target;
use platform::options::Options;

fuzz_target!(|data: &[u8]| {
    if let Some(module) = tcc_rs_fuzz::module(data, &Options::default()) {
        tcc_rs_fuzz::verify(&module, Strictness::Alloca);
    }
});
