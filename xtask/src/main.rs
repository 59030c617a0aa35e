//! Project tasks: `cargo xtask <task>`.

mod abi;
mod bench;
mod ci;
mod debug_report;
mod diagnostics;
mod fuzz;
mod intrinsics;
mod like_gcc;
mod projects;
mod recipes;
mod ssa;
mod suite;
mod tidy;
mod tools;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  ci                      what .ci/run does: format, lints, tidy, tests
  tidy                    the house rules that no compiler checks
  bless                   rewrite the golden files of tests/
  suite [--path DIR] [--level -O2] [--run]
                          the c-testsuite (DIR is a checkout of it), then our own cases in its format
  projects [--path DIR] [--level -O2] [--args '--backend=full'] [NAME...]
                          build real programs with tcc-rs and run their own tests; DIR holds their sources
  bench [--with gcc-O2,tcc-rs-O2] [--reference gcc-O2] [--runs N] [--base OTHER-TCC-RS] [--args FLAGS] [--compile FILE.c] [NAME...]
                          run time, compile time and code size of the programs of bench/ beside gcc and others
  intrinsics [--only PART] [--count N] [--flags '-mavx2']
                          the intrinsics of our headers on random inputs, compared with gcc
  fuzz [--csmith N] [--yarpgen N] [--loops N] [--seed N] [--level -O0,-O2] [--args FLAGS] [--csmith-args FLAGS] [--jobs N]
       [--references 'gcc -O0,clang -O0'] [--run-limit SECONDS]
                          random programs at every level, compared with gcc and clang; --seed 0 goes on with the last run. What the
                          references say is kept: the same seeds again, with another tcc-rs, take a fraction of the time
  fuzz --target NAME|all [--seconds N]
                          coverage-guided fuzzing of what reads text (fuzz/fuzz_targets), with cargo-fuzz
  like-gcc [--flags '-O0,-O2 -g'] PATH...
                          C files compiled by gcc and tcc-rs with equal flags: sections, symbols, pointers, groups, warnings compared
  diagnostics             docs/diagnostics.md anew: our messages, gcc's and clang's for common mistakes
  abi [--count N] [--seed N] [--functions N] [--with clang-19]
                          random signatures across object files of gcc (or clang, with _BitInt) and tcc-rs, every member checked
  mem2reg-vs-llvm [--path DIR:DIR]
                          promotions and phis of mem2reg beside LLVM's, function by function; tests/run under lli
  interpret-stages [NAME...]
                          tests/run under the interpreter at three stages
  debug-report [--path DIR:DIR] [--only-paths] [--level -Og,-O2] [--with tcc-rs,gcc,clang-19] [--functions N]
                          what a debugger sees of optimised code: arguments, bytes covered, inlined calls, sizes, compile time
  ssa-report [--path DIR:DIR]
                          what promotion to SSA form gains: memory operations, stack, run time, its cost
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    let result = match arguments.first().map(String::as_str) {
        Some("ci") => ci::run(),
        Some("tidy") => tidy::run(),
        Some("bless") => ci::bless(rest),
        Some("suite") => suite::run(rest),
        Some("projects") => projects::run(rest),
        Some("bench") => bench::run(rest),
        Some("fuzz") => fuzz::run(rest),
        Some("intrinsics") => intrinsics::run(rest),
        Some("like-gcc") => like_gcc::run(rest),
        Some("diagnostics") => diagnostics::run(rest),
        Some("abi") => abi::run(rest),
        Some("mem2reg-vs-llvm") => ssa::compare_with_llvm(rest),
        Some("interpret-stages") => ssa::interpret_stages(rest),
        Some("debug-report") => debug_report::run(rest),
        Some("ssa-report") => ssa::report(rest),
        _ => {
            print!("{HELP}");
            return ExitCode::from(u8::from(!arguments.is_empty()));
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
