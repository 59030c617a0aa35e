//! A program with a compiler inside: objects, diagnostics, code to call.
//!
//! `cargo run -p tcc-rs --example embed`

use tcc_rs::{Compiler, Failure};

const SOURCE: &str = "
extern int base;
int twice(int n) { return base + n * 2; }
";

static BASE: i32 = 100;

/// Diagnostics are values, with places and changes that would mend the source.
fn show_mistake() {
    let failure = Compiler::new().source("mistake.c", "int f(void) { return valeu; }\nint value;\n").compile();
    let failure = failure.expect_err("the name is not declared");
    for diagnostic in &failure.diagnostics {
        let place = diagnostic.place.as_ref().expect("it is somewhere");
        println!("{}:{}:{}: {}", place.file, place.line, place.column, diagnostic.message);
    }
}

/// Runs the example.
pub fn main() -> Result<(), Failure> {
    let compiled = Compiler::new().arg("-O2").arg("-c").source("twice.c", SOURCE).compile()?;
    println!(
        "{}: an object that begins with {:?}",
        compiled.objects[0].name.display(),
        &compiled.objects[0].bytes[1..4]
    );

    let program =
        Compiler::new().arg("-O2").symbol("base", (&raw const BASE).cast()).source("twice.c", SOURCE).load()?;
    let twice = program.symbol("twice").expect("the source defines it");
    // SAFETY: the function has this type, and the program stays.
    let twice: extern "C" fn(i32) -> i32 = unsafe { std::mem::transmute(twice) };
    println!("twice(21) = {}", twice(21));
    show_mistake();
    Ok(())
}
