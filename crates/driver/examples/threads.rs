//! Several compilers in several threads: they share nothing.
//!
//! `cargo run -p tcc-rs --example threads`

use tcc_rs::{Compiler, Failure};

const THREADS: i32 = 8;

/// Compiles a function for a number, and calls it.
fn compile_and_call(number: i32) -> Result<i32, Failure> {
    let source = "int f(void) { int sum = 0; for (int i = 1; i <= N; i++) sum += i; return sum; }";
    let program = Compiler::new().arg("-O2").arg(format!("-DN={number}")).source("sum.c", source).load()?;
    let function = program.symbol("f").expect("the source defines it");
    // SAFETY: the function has this type, and the program stays during the call.
    let function: extern "C" fn() -> i32 = unsafe { std::mem::transmute(function) };
    Ok(function())
}

/// Runs the example.
pub fn main() -> Result<(), Failure> {
    let results: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|number| scope.spawn(move || compile_and_call(number))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    for (number, result) in results.into_iter().enumerate() {
        let sum = result?;
        println!("1 + ... + {number} = {sum}");
        assert_eq!(sum, (number * (number + 1) / 2) as i32);
    }
    Ok(())
}
