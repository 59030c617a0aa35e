//! The compiler as a library: what comes back, and what a program sees of code in its memory.

use tcc_rs::{Compiler, Program, Severity};

#[path = "../examples/embed.rs"]
mod embed;
#[path = "../examples/hot_reload.rs"]
mod hot_reload;
#[path = "../examples/threads.rs"]
mod threads;

#[test]
fn examples_run() {
    embed::main().unwrap();
    threads::main().unwrap();
    hot_reload::main().unwrap();
}

fn load(options: &[&str], source: &str) -> Program {
    Compiler::new().args(options.iter().copied()).source("f.c", source).load().unwrap_or_else(|e| panic!("{e}"))
}

/// Calls a function that takes nothing and gives an `int`.
fn call(program: &Program, name: &str) -> i32 {
    let function = program.symbol(name).unwrap_or_else(|| panic!("no {name}"));
    // SAFETY: the sources of these tests define such functions.
    unsafe { std::mem::transmute::<*const (), extern "C" fn() -> i32>(function)() }
}

#[test]
fn the_calling_thread_can_compile() {
    let job = || {
        let here = |source: &str| Compiler::new().on_this_thread().source("f.c", source).load();
        // What only routines of our own provide is compiled once.
        let source = "__int128 n = 100; volatile int d = 7; int f(void) { return (int)(n / d); }";
        let values = [here(source), here(source)].map(|program| call(&program.unwrap(), "f"));
        assert_eq!(values, [14, 14]);
        // A failure is the failure of one compilation.
        assert_eq!(here("int f(void) { return x; }").err().unwrap().diagnostics.len(), 1);
        assert_eq!(call(&here("int f(void) { return 3; }").unwrap(), "f"), 3);
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(job).unwrap().join().unwrap();
}

#[test]
fn diagnostics_are_values() {
    let source = "int f(int n) {\n\tlong unused = 1;\n\treturn n.x;\n}\n";
    let failure = Compiler::new().arg("-Wall").source("d.c", source).compile().unwrap_err();
    assert!(failure.internal.is_none());
    let error = failure.diagnostics.iter().find(|d| d.severity == Severity::Error).unwrap();
    let place = error.place.as_ref().unwrap();
    assert_eq!((&place.file[..], place.line, place.byte_column), ("d.c", 3, 10), "{error:?}");
    assert!(error.rendered.contains("return n.x;"), "{}", error.rendered);
    let compiled = Compiler::new().arg("-Wall").source("d.c", "int f(void) { long unused; return 0; }").compile();
    let warnings = compiled.unwrap().diagnostics;
    assert_eq!(warnings[0].option.as_deref(), Some("-Wunused-variable"));
    assert_eq!(warnings[0].severity, Severity::Warning);
}

#[test]
fn suggested_changes_have_their_bytes() {
    let source = "struct s { int value; };\nint f(struct s *p) { return p->valeu; }\n";
    let failure = Compiler::new().source("d.c", source).compile().unwrap_err();
    let change = failure.diagnostics.iter().flat_map(|d| &d.fixits).next().expect("a suggestion");
    assert_eq!(change.text, "value");
    let line = source.lines().nth(change.start.line as usize - 1).unwrap();
    assert_eq!(&line[change.start.byte_column as usize - 1..change.end.byte_column as usize - 1], "valeu");
}

#[test]
fn wrong_arguments_are_diagnostics() {
    let failure = Compiler::new().arg("-fno-such-thing").source("f.c", "int x;").compile().unwrap_err();
    assert!(failure.diagnostics[0].message.contains("-fno-such-thing"), "{failure}");
}

#[test]
fn code_runs_at_every_level() {
    let source = "#include <string.h>\n#include <stdio.h>\n\
        static int table[4] = { 1, 2, 3, 4 }; int *p = table + 3; double d = 2.5;\n\
        int f(void) { char text[20]; snprintf(text, 20, \"%d-%.1f\", *p, d); return strcmp(text, \"4-2.5\") + 7; }\n";
    for level in ["-O0", "-O1", "-O2", "-O3", "-Os"] {
        assert_eq!(call(&load(&[level], source), "f"), 7, "{level}");
    }
}

#[test]
fn thread_local_variables_are_a_threads() {
    let source = "static _Thread_local int n = 5; _Thread_local int zero;\n\
        int next(void) { return ++n + zero++; }\n";
    let program = load(&["-O1"], source);
    assert_eq!((call(&program, "next"), call(&program, "next")), (6, 8));
    let other = std::thread::scope(|scope| scope.spawn(|| call(&program, "next")).join().unwrap());
    assert_eq!((other, call(&program, "next")), (6, 10));
}

static LOG: std::sync::Mutex<Vec<i32>> = std::sync::Mutex::new(Vec::new());

extern "C" fn log(n: i32) {
    LOG.lock().unwrap().push(n);
}

#[test]
fn constructors_destructors_and_atexit_run_in_order() {
    let source = "void log_(int); int atexit(void (*)(void)); static void last(void) { log_(3); }\n\
        __attribute__((constructor(102))) static void b(void) { log_(2); }\n\
        __attribute__((constructor(101))) static void a(void) { log_(1); atexit(last); }\n\
        __attribute__((destructor)) static void c(void) { log_(4); }\n";
    let program = Compiler::new().symbol("log_", log as *const ()).source("c.c", source).load().unwrap();
    assert_eq!(*LOG.lock().unwrap(), [1, 2]);
    drop(program);
    assert_eq!(*LOG.lock().unwrap(), [1, 2, 3, 4]);
}

#[test]
fn several_sources_and_objects_are_one_program() {
    let object = Compiler::new().arg("-fPIC").source("g.c", "int g(void) { return 40; }").compile().unwrap();
    let program = Compiler::new()
        .object("g.o", object.objects[0].bytes.clone())
        .source("f.c", "int g(void), h(void); int f(void) { return g() + h(); }")
        .source("h.c", "__attribute__((weak)) int g(void) { return 0; } int h(void) { return 2; }")
        .load();
    assert_eq!(call(&program.unwrap_or_else(|e| panic!("{e}")), "f"), 42);
}

#[test]
fn missing_and_double_symbols_are_named() {
    let failure = Compiler::new().source("f.c", "int missing(void); int f(void) { return missing(); }").load();
    assert!(failure.err().unwrap().to_string().contains("undefined symbol 'missing'"));
    let twice = Compiler::new().source("a.c", "int f(void) { return 1; }").source("b.c", "int f(void) { return 2; }");
    assert!(twice.load().err().unwrap().to_string().contains("multiple definition of 'f'"));
}

#[test]
fn addresses_have_functions_and_lines() {
    let program = load(&["-g"], "int f(void)\n{\n    return 1;\n}\n\nint g(void)\n{\n    return 2;\n}\n");
    let g = program.symbol("g").unwrap();
    assert_eq!(program.function_at(g).as_deref(), Some("g"));
    let line = program.line_at(g).unwrap();
    assert_eq!((&line.file[..], line.line), ("f.c", 6));
}

#[test]
fn what_libraries_do_not_have_is_ours() {
    let source = "typedef unsigned __int128 wide; wide a = 1000, b = 7; int f(void) { return (int)(a / b); }";
    assert_eq!(call(&load(&["-O0"], source), "f"), 142);
}

#[test]
fn libraries_are_opened() {
    let source = "#include <math.h>\ndouble x = 16; int f(void) { return (int)sqrt(x) + (int)cbrt(x * 4); }";
    assert_eq!(call(&load(&["-lm", "-fno-builtin"], source), "f"), 8);
}

#[test]
fn a_deep_source_is_an_error_not_a_crash() {
    let source = format!("int x = {}1{};", "(".repeat(200_000), ")".repeat(200_000));
    assert!(Compiler::new().source("deep.c", source).compile().is_err());
}

#[test]
fn a_damaged_object_is_an_error() {
    let object = Compiler::new().arg("-fPIC").source("g.c", "int v; int g(void) { return v; }").compile().unwrap();
    let bytes = &object.objects[0].bytes;
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        // Whatever is wrong with it: an error, or code that nobody calls.
        drop(Compiler::new().object("g.o", damaged).prepare());
    }
    for length in (0..bytes.len()).step_by(31) {
        drop(Compiler::new().object("g.o", bytes[..length].to_vec()).prepare());
    }
}

#[test]
fn a_program_is_linked_to_a_file() {
    let path = std::env::temp_dir().join(format!("tcc-rs-library-{}", std::process::id()));
    Compiler::new().source("m.c", "int main(void) { return 3; }").link(&path).unwrap_or_else(|e| panic!("{e}"));
    let status = std::process::Command::new(&path).status().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(status.code(), Some(3));
}
