//! Project tasks: `cargo xtask <task>`.

mod abi;
mod bench;
mod buggy;
mod build_tools;
mod ci;
mod debug_report;
mod diagnostics;
mod dist;
mod explore;
mod faults;
mod fuzz;
mod gates;
mod growth;
mod hot;
mod intrinsics;
mod kernel;
mod like_as;
mod like_gcc;
mod mutants;
mod objects;
mod option_sweep;
mod packages;
mod projects;
mod prove;
mod recipes;
mod report;
mod ssa;
mod suite;
mod tidy;
mod tinycc;
mod tools;
mod validate;

use report::Report;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  ci                      what .ci/run does: format, lints, tidy, tests
  tidy                    the house rules that no compiler checks
  dist [--cc] [--built DIR]
                          archive and Debian package of program, library, manual page and completions; --cc offers it as cc, DIR has
                          the built program and libraries
  bless                   rewrite the golden files of tests/
  gates [--list] [--quick] [--update] [--allow-missing] [--path DIR] [NAME...]
                          the slow checks beside the figures expected of them (xtask/gates.txt); --quick takes a sample of each, --update
                          writes figures that are better, DIR holds the data (--list says which)
  suite [NAME...] [--path DIR] [--level -O0,-O2,run] [--sample N] [--only PART] [--jobs N]
                          c-testsuite, own, torture-execute, torture-compile, gcc-dg-run, gcc-dg-reject, ubsan, ubsan-dg, tests2; without a name the
                          first two. DIR is the suite's folder (or C_TESTSUITE, GCC_TESTSUITE, TCC_TESTS2); every Nth case with --sample
  tinycc [--path TINYCC] [--runs N]
                          TinyCC's programs that embed libtcc, with libtccrs in its place; start-up of the library and of 'run' beside
                          TinyCC's. TCC_RS_LIBRARY names a libtccrs.so
  projects [--path DIR] [--level -O2] [--args '-fno-gvn'] [NAME...]
                          build real programs with tcc-rs and run their own tests; DIR holds their sources
  tools [--list] [--online] [NAME...]
                          small projects built by CMake, meson, autotools, perl, ruby, Go, node-gyp, ccache, ... with tcc-rs as C compiler;
                          --online: also what fetches packages (cargo, pip)
  packages [--list] [--table] [--jobs N] [--limit SECONDS] [--keep] [NAME...]
                          Debian's source packages with gcc and with tcc-rs in its place: tests, hardening, warnings
  prove [--all] [--open] [--limit SECONDS] [--widest BITS] [RULE...]
                          has z3 (and cvc5, if there) prove the rewrite rules of crates/middle/rules that have changed (or all, or those named); with TCC_RS
                          the interpreter runs counterexamples
  validate [--level -O1,-O2] [--seconds N] [--minutes N] [--sample N] [--jobs N] [--update] [PATH...]
                          has z3 check every pass over every function (of tests/run and bench without paths); --update writes the table into
                          docs/validation.md
  mutants [--count N] [--seed N] [--fuzz SECONDS] [--part PATH] [--kind NAME] [--mutant PATH:LINE:NUMBER,...] [--sample N] [--minutes N] [--again RESULT] [--list]
                          small wrong changes of passes, selection, register allocation and folding, each tried by the tests of its crate,
                          programs of tests/run and the native fuzzer; shows what survives
  kernel [--config tiny|sanitized|defconfig|hardened] [--path LINUX_SOURCE] [--jobs N] [--cc gcc] [--run]
         [--selftests [--only FOLDER,...]]
                          build Linux with tcc-rs (or gcc, to compare), count warnings, boot it in qemu; --run boots what was built;
                          --selftests: with what the kernel's own tests need, which are built by gcc and tcc-rs, run there and compared
  bench [--with gcc-O2,tcc-rs-O2] [--reference gcc-O2] [--runs N] [--base OTHER-TCC-RS] [--args FLAGS] [--compile FILE.c] [NAME...]
                          run time, compile time and code size of the programs of bench/ beside gcc and others
  bench --predictors [NAME...]
                          how often the static branch predictors are right about the programs of bench/ (runs them with counters)
  intrinsics [--only PART] [--count N] [--flags '-mavx2']
                          the intrinsics of our headers on random inputs, compared with gcc
  fuzz [--csmith N] [--yarpgen N] [--loops N] [--types N] [--seed N] [--level -O0,-O2] [--args FLAGS] [--csmith-args FLAGS]
       [--jobs N] [--references 'gcc -O0,clang -O0'] [--run-limit SECONDS]
                          random programs (of csmith, of yarpgen, loops, memory that changes its type) at every level, compared
                          with gcc and clang; --seed 0 goes on with the last run. What the references say is kept: the same
                          seeds again, with another tcc-rs, take a fraction of the time
  fuzz --native [--count N] [--minutes N] [--seed N] [--jobs N] [--counters] [--folder DIR]
                          programs made, compiled at several levels and run in one process: a hundred times as many a second; what
                          differs is cut down and traced to its pass or rule
  fuzz --target NAME|all [--seconds N]
                          coverage-guided fuzzing of what reads text (fuzz/fuzz_targets), with cargo-fuzz
  faults [--only SCENARIO] [--kind KIND] [--at N] [--jobs N] [--verbose]
                          small compilations, links and runs in which every system call that can fail fails in turn: memory, files,
                          space, processes
  explore [FILE.c...]     the pages of 'tcc-rs explore' in a headless Chromium: every view shows something
  like-as [--flags FLAGS] [--kbuild TREE] [PATH...]
                          .s and .S files (with --kbuild those of a built Linux tree, with its commands) assembled by GNU as and tcc-rs:
                          sections, bytes, relocations, symbols compared
  like-gcc [--flags '-O0,-O2 -g'] [--sample N] PATH...
                          C files compiled by gcc and tcc-rs with equal flags: sections, symbols, pointers, groups, warnings compared
  option-sweep --path GCC-12-SOURCE/gcc [--only '-fw*'] [--level -O2]
                          every option of gcc's option files, given to gcc and tcc-rs: status, messages, macros, objects compared
  diagnostics             docs/diagnostics.md anew: our messages, gcc's and clang's for common mistakes
  abi [--count N] [--seed N] [--functions N] [--with clang-19]
                          random signatures across object files of gcc (or clang, with _BitInt) and tcc-rs, every member checked
  objects [--only debug|determinism] [--sample N]
                          objects of tests/run and bench: again the same, code the same with -g, debug information well formed
  growth [--level -O2] [NAME...]
                          compile time over the size of generated functions
  hot FILE.c...           the functions that compiling these files at -O0 runs, for the linker: crates/driver/hot.txt (valgrind; TCC_RS: a
                          release build)
  mem2reg-vs-llvm [--path DIR:DIR] [--sample N] [NAME...]
                          promotions and phis of mem2reg beside LLVM's, function by function; tests/run under lli
  interpret-stages [--sample N] [NAME...]
                          tests/run under the interpreter at three stages
  buggy [CLASS...]        the small wrong programs of tests/buggy and their correct twins: what the interpreter, our sanitizers and gcc's find
  debug-report [--path DIR:DIR] [--only-paths] [--level -Og,-O2] [--with tcc-rs,gcc,clang-19] [--functions N]
               [--locals N [--only-locals] [--verbose]] [--guality GCC_TESTSUITE/gcc.dg/guality]
               [--types [--sample N] [--verbose]]
                          what a debugger sees of optimised code: arguments, bytes covered, inlined calls, sizes, compile time
  ssa-report [--path DIR:DIR] [--sample N]
                          what promotion to SSA form gains: memory operations, stack, run time, its cost

Any task takes --figures FILE and writes there what it counted and measured.
";

/// The entries of [`HELP`] for one task: their first lines name it, the others are indented deeper.
/// All of it where there is no such task.
fn help_of(task: &str) -> String {
    let mut within = false;
    let entry: String = HELP
        .split_inclusive('\n')
        .filter(|line| {
            if let Some(name) = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')) {
                within = name.split_whitespace().next() == Some(task);
            }
            within && line.starts_with("  ")
        })
        .collect();
    if entry.is_empty() { HELP.to_string() } else { entry }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rest = arguments.get(1..).unwrap_or_default();
    if let Some(task) = arguments.first()
        && rest.iter().any(|argument| argument == "--help" || argument == "-h")
    {
        print!("{}", help_of(task));
        return ExitCode::SUCCESS;
    }
    let silent = |result: Result<(), String>| result.map(|()| Report::default());
    let result = match arguments.first().map(String::as_str) {
        Some("ci") => silent(ci::run()),
        Some("tidy") => silent(tidy::run()),
        Some("bless") => silent(ci::bless(rest)),
        Some("gates") => silent(gates::run(rest)),
        Some("objects") => objects::run(rest),
        Some("growth") => growth::run(rest),
        Some("hot") => silent(hot::run(rest)),
        Some("suite") => suite::run(rest),
        Some("packages") => silent(packages::run(rest)),
        Some("prove") => prove::run(rest),
        Some("tinycc") => tinycc::tests(rest),
        Some("projects") => projects::run(rest),
        Some("tools") => build_tools::run(rest),
        Some("kernel") => kernel::run(rest),
        Some("bench") => bench::run(rest),
        Some("explore") => silent(explore::run(rest)),
        Some("faults") => faults::run(rest),
        Some("fuzz") => fuzz::run(rest),
        Some("intrinsics") => intrinsics::run(rest),
        Some("like-as") => like_as::run(rest),
        Some("like-gcc") => like_gcc::run(rest),
        Some("dist") => silent(dist::run(rest)),
        Some("diagnostics") => silent(diagnostics::run(rest)),
        Some("option-sweep") => silent(option_sweep::run(rest)),
        Some("abi") => abi::run(rest),
        Some("mem2reg-vs-llvm") => ssa::compare_with_llvm(rest),
        Some("interpret-stages") => ssa::interpret_stages(rest),
        Some("buggy") => buggy::run(rest),
        Some("debug-report") => debug_report::run(rest),
        Some("mutants") => mutants::run(rest),
        Some("validate") => validate::run(rest),
        Some("ssa-report") => ssa::report(rest),
        _ => {
            print!("{HELP}");
            return ExitCode::from(u8::from(!arguments.is_empty()));
        }
    };
    let finished = result.and_then(|report| {
        if let Some(file) = tools::option(rest, "--figures") {
            report::write_figures(&report.figures, Path::new(&file))?;
        }
        report.wrong.map_or(Ok(()), Err)
    });
    match finished {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
