//! A function is compiled again and swapped while the program that calls it runs.
//!
//! `cargo run -p tcc-rs --example hot_reload`

use std::sync::atomic::{AtomicBool, Ordering};
use tcc_rs::{Compiler, Failure};

/// The program: a loop that another thread runs until it is told to stop.
const PROGRAM: &str = "
int step(int n) { return n + 1; }

int run(volatile const _Bool *stop, int (*seen)(int))
{
    int n = 0;
    while (!*stop)
        n = seen(step(n));
    return n;
}
";

/// Its new `step`.
const BETTER: &str = "int step(int n) { return -1000; }";

static STOP: AtomicBool = AtomicBool::new(false);
static STARTED: AtomicBool = AtomicBool::new(false);

extern "C" fn seen(n: i32) -> i32 {
    STARTED.store(true, Ordering::Relaxed);
    // Once the new function is in use, the program may end.
    if n == -1000 {
        STOP.store(true, Ordering::Relaxed);
    }
    n
}

/// Runs the example.
pub fn main() -> Result<(), Failure> {
    let program = Compiler::new().arg("-O2").replaceable().source("program.c", PROGRAM).load()?;
    let run = program.symbol("run").expect("the source defines it");
    // SAFETY: the function has this type, and the program stays until the thread has ended.
    let run: extern "C" fn(*const AtomicBool, extern "C" fn(i32) -> i32) -> i32 = unsafe { std::mem::transmute(run) };
    let result = std::thread::scope(|scope| {
        let thread = scope.spawn(|| run(&STOP, seen));
        while !STARTED.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        let better = Compiler::new().arg("-O2").source("better.c", BETTER).load()?;
        let step = better.symbol("step").expect("the source defines it");
        // SAFETY: the new function has the old one's type, and `better` stays until the end.
        assert!(unsafe { program.replace("step", step) });
        let result = thread.join().expect("the program ends");
        Ok::<_, Failure>(result)
    })?;
    println!("the program ended with {result}");
    Ok(())
}
