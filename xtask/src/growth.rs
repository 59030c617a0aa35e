//! `cargo xtask growth`: how compile time grows with the size of a function.
//!
//! Each family of generated C is compiled at two sizes; the exponent is the logarithm of the ratio
//! of the costs over that of the sizes: 1 is linear. The cost is the number of instructions in user
//! mode where `perf` can count them, otherwise the least user CPU time of several compilations.

use crate::report::Report;
use crate::tools::{compiler, cpu_time_of_children, has, names, option, run as run_process, work_dir};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);
/// Compilations of which the quickest counts, where time is what is measured.
const RUNS: usize = 5;

/// A kind of program: its name, the text of one of a size, and two sizes.
type Family = (&'static str, fn(usize) -> String, [usize; 2]);

/// The families, with sizes at which the work on the file's own size outweighs the start.
const FAMILIES: [Family; 10] = [
    ("functions", functions, [5_000, 20_000]),
    ("statements", statements, [20_000, 80_000]),
    ("branches", branches, [10_000, 40_000]),
    ("loops", loops, [1_000, 4_000]),
    ("switch", switch, [1_000, 4_000]),
    ("locals", locals, [10_000, 40_000]),
    ("nested", nested, [5_000, 20_000]),
    ("else_if", else_if, [10_000, 40_000]),
    ("array", array, [1_000_000, 4_000_000]),
    ("declarations", declarations, [10_000, 40_000]),
];

/// Measures the families named, or all; `--level -O2`.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let compiler = compiler()?;
    let level = option(arguments, "--level").unwrap_or_else(|| "-O2".to_string());
    let wanted = names(arguments);
    let dir = work_dir(&format!("growth-{}", std::process::id()))?;
    let by_instructions = has("perf") && instructions(Command::new("true"))?.is_some();
    println!("{}", if by_instructions { "by instructions in user mode" } else { "by user CPU time" });
    let mut report = Report::default();
    for (name, generate, sizes) in FAMILIES {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let mut costs = [0.0; 2];
        for (cost, size) in costs.iter_mut().zip(sizes) {
            let source = dir.join("x.c");
            std::fs::write(&source, generate(size)).map_err(|e| format!("{}: {e}", source.display()))?;
            *cost = measure(&compiler, &level, &source, by_instructions)
                .map_err(|e| format!("{name} of size {size}: {e}"))?;
        }
        let exponent = (costs[1] / costs[0].max(1e-9)).ln() / (sizes[1] as f64 / sizes[0] as f64).ln();
        println!("{name:<14} {:>9} {:>9}  exponent {exponent:.2}", sizes[0], sizes[1]);
        report.less(format!("{level} {name}"), (exponent * 100.0).round() / 100.0);
    }
    drop(std::fs::remove_dir_all(&dir));
    Ok(report)
}

/// Instructions or seconds.
fn measure(compiler: &Path, level: &str, source: &Path, by_instructions: bool) -> Result<f64, String> {
    let command = || {
        let mut command = Command::new(compiler);
        command.args([level, "-w", "-fthreads=1", "-c", "-o"]).arg(source.with_extension("o")).arg(source);
        command
    };
    if by_instructions {
        return instructions(command())?.ok_or_else(|| "perf counts no instructions".to_string());
    }
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let before = cpu_time_of_children();
        let outcome = run_process(&mut command(), LIMIT)?;
        if !outcome.ok() {
            return Err(format!("status {:?}", outcome.status));
        }
        least = least.min((cpu_time_of_children().user - before.user).as_secs_f64());
    }
    Ok(least)
}

/// What `perf stat` counts; `None` where it cannot count.
fn instructions(command: Command) -> Result<Option<f64>, String> {
    let mut perf = Command::new("perf");
    perf.args(["stat", "-x,", "-e", "instructions:u", "--"]).arg(command.get_program()).args(command.get_args());
    let outcome = run_process(&mut perf, LIMIT)?;
    let text = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let line = text.lines().find(|l| l.contains("instructions"));
    let count = line.and_then(|l| l.split(',').next()).and_then(|n| n.parse().ok());
    Ok(count.filter(|_| outcome.ok()))
}

/// Sixteen locals, `body` between their definitions and their sum.
fn with_locals(body: &str) -> String {
    let mut out = String::from("int f(int *p, int x) {\n");
    out.extend((0..16).map(|i| format!("  int v{i} = x + {i};\n")));
    out.push_str(body);
    let sum: Vec<String> = (0..16).map(|i| format!("v{i}")).collect();
    out + &format!("  return {};\n}}\n", sum.join(" + "))
}

/// A sequence of numbers below `bound` that looks random (Knuth's multiplicative hashing).
fn scattered(i: usize, bound: usize) -> usize {
    (i.wrapping_mul(2_654_435_761) >> 8) % bound
}

fn functions(n: usize) -> String {
    let mut out = String::from("int ext(int a, int b);\n");
    for i in 0..n {
        let _ = writeln!(
            out,
            "int f{i}(int a, int b) {{ int s = {i}; for (int k = a; k < b; k++) if (k % {} == 0) s += ext(k, b - 1); else s ^= k * {}; return s; }}",
            i % 7 + 2,
            i % 97
        );
    }
    out
}

fn statements(n: usize) -> String {
    let mut body = String::new();
    for i in 0..n {
        let (a, b, c) = (scattered(i, 16), scattered(i + 7, 16), scattered(i + 13, 16));
        let _ = match i % 4 {
            0 => writeln!(body, "  v{a} = v{b} * {} + v{c};", i % 91 + 3),
            1 => writeln!(body, "  p[{}] = v{a} ^ v{b};", i % 64),
            2 => writeln!(body, "  v{a} += p[v{b} & 63];"),
            _ => writeln!(body, "  v{a} = v{b} - v{c} + {i};"),
        };
    }
    with_locals(&body)
}

fn branches(n: usize) -> String {
    let mut body = String::new();
    for i in 0..n {
        let (a, b, c) = (scattered(i, 16), scattered(i + 7, 16), scattered(i + 13, 16));
        let _ = writeln!(body, "  if (v{a} > p[{}]) v{b} += {i}; else v{c} ^= v{a};", i % 32);
    }
    with_locals(&body)
}

fn loops(n: usize) -> String {
    let mut body = String::new();
    for i in 0..n {
        let _ = writeln!(
            body,
            "  for (int i = 0; i < v{}; i++) {{ v{} += p[i] * v{}; if (v{} == i) break; }}",
            i % 16,
            (i + 1) % 16,
            (i + 5) % 16,
            (i + 2) % 16
        );
    }
    with_locals(&body)
}

fn switch(n: usize) -> String {
    let mut body = String::from("  for (;;) switch (*p++) {\n");
    for i in 0..n {
        let (a, b, c) = (scattered(i, 16), scattered(i + 7, 16), scattered(i + 13, 16));
        let end = if i % 3 == 0 { "break" } else { "continue" };
        let _ = writeln!(body, "  case {i}: v{a} = v{b} + v{c} * {i}; if (v{a} == {i}) v{c}--; {end};");
    }
    body.push_str("  default: goto out;\n  }\nout:\n");
    with_locals(&body)
}

fn locals(n: usize) -> String {
    let mut out = String::from("int f(int *p) {\n");
    out.extend((0..n).map(|i| format!("  int v{i} = p[{i}];\n")));
    out.push_str("  int s = 0;\n");
    out.extend((0..n).map(|i| format!("  s = s * 3 + v{i};\n")));
    out + "  return s;\n}\n"
}

fn nested(n: usize) -> String {
    let mut out = String::from("int f(int *p) {\n");
    out.extend((0..n).map(|i| format!("if (p[{}]) {{\n", i % 1000)));
    out + "return 1;\n" + &"}".repeat(n) + "\nreturn 0; }\n"
}

fn else_if(n: usize) -> String {
    let mut out = String::from("int f(int x) {\n");
    out.extend((0..n).map(|i| format!("if (x == {}) return {};\nelse ", i * 3, i * 7 % 1000)));
    out + "return 0;\n}\n"
}

fn array(n: usize) -> String {
    let mut out = String::from("int a[] = {\n");
    out.extend((0..n).map(|i| format!("{},\n", scattered(i, 2_147_483_647))));
    out + "};\n"
}

fn declarations(n: usize) -> String {
    let mut out = String::new();
    for i in 0..n {
        let _ = writeln!(
            out,
            "typedef struct S{i} {{ int a{i}; char b[{}]; struct S{} *prev; }} T{i};\n\
             extern int proto{i}(T{i} *p, const char *s, unsigned long n);\n#define K{i} ({i} + 1)",
            i % 30 + 1,
            i.saturating_sub(1)
        );
    }
    out
}
