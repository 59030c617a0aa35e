//! Any text as IR; what the reader and the verifier accept prints as text that reads back as
//! itself.
#![no_main]

use ir::text::{module_to_string, parse_module};
use ir::verifier::{Strictness, verify_function};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(module) = parse_module(text) else { return };
    if module.functions.values().any(|f| verify_function(&module, f, Strictness::Alloca).is_err()) {
        return;
    }
    let printed = module_to_string(&module);
    match parse_module(&printed) {
        Ok(again) => assert_eq!(module_to_string(&again), printed),
        Err(error) => panic!("{error}\n{printed}"),
    }
});
