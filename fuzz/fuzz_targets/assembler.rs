//! Any text as assembly, in either syntax to begin with.
#![no_main]

use assembler::{Options, Syntax, assemble};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for syntax in [Syntax::Att, Syntax::Intel { naked_registers: true }, Syntax::Intel { naked_registers: false }] {
        let options = Options { syntax, ..Options::default() };
        let _ = assemble(text, &options);
    }
});
