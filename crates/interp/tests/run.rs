//! Small modules with a `main`, their output, and the traps that undefined behaviour must give.

use interp::{Outcome, Trap, run};
use ir::text::parse_module;

fn execute(source: &str) -> Result<Outcome, Trap> {
    let module = parse_module(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    run(&module, &["program"], 100_000)
}

#[test]
fn loops_calls_memory_and_printf() {
    let outcome = execute(
        r#"
symbol @printf global function : (ptr, ...) -> (i32)
data @format size 16 align 1 const = "%d|%5.2f|%s|%c\0a\00"
data @word size 3 align 1 const = "hi\00"
func @square v0 : (i32) -> (i32) {
b0:
  v1: i32 = mul.nsw v0, v0
  ret v1
}
func @main : () -> (i32) {
b0:
  v0: ptr = alloca 4 align 4
  store v0, i32 0 align 4
  br b1
b1:
  v1: i32 = phi [i32 0, b0], [v6, b1]
  v2: i32 = call @square(v1) : (i32) -> (i32)
  v3: i32 = load v0 align 4
  v4: i32 = add v3, v2
  store v0, v4 align 4
  v6: i32 = add.nsw v1, i32 1
  v7: i1 = icmp.slt v6, i32 5
  cond_br v7, b1, b2
b2:
  v8: i32 = load v0 align 4
  v9: f64 = sitofp v8
  v10: f64 = fdiv v9, f64 0x4020000000000000
  v11: i32 = call @printf(@format, v8, v10, @word, i32 33) : (ptr, i32, f64, ptr, i32, ...) -> (i32)
  ret i32 3
}
"#,
    )
    .expect("runs");
    assert_eq!(String::from_utf8_lossy(&outcome.stdout), "30| 3.75|hi|!\n");
    assert_eq!(outcome.status, 3);
}

#[test]
fn undefined_behaviour_traps() {
    const CASES: &[(&str, &str)] = &[
        ("v0: i32 = sdiv i32 1, i32 0\n ret v0", "sdiv by zero"),
        ("v0: i32 = add.nsw i32 2147483647, i32 1\n ret v0", "add overflows"),
        ("v0: i32 = load null align 4\n ret v0", "through the null pointer"),
        (
            "v0: ptr = alloca 4 align 4\n v1: ptr = ptradd v0, i64 4\n v2: i32 = load v1 align 4\n ret v2",
            "offset 4, beyond local",
        ),
        ("store @constant, i32 1 align 4\n ret i32 0", "write to constant"),
        ("unreachable", "unreachable code"),
        (
            "v0: ptr = stack_save\n v1: ptr = dyn_alloca i64 8 align 8\n stack_restore v0\n v2: i32 = load v1 align 4\n ret v2",
            "after its lifetime",
        ),
        ("v0: i32 = call @constant() : () -> (i32)\n ret v0", "no function"),
    ];
    for (body, expected) in CASES {
        let source = format!("data @constant size 4 align 4 const\nfunc @main : () -> (i32) {{\nb0:\n {body}\n}}\n");
        match execute(&source) {
            Err(Trap::Undefined(what)) => assert!(what.contains(expected), "{body}: {what}"),
            other => panic!("{body}: {other:?}"),
        }
    }
}

#[test]
fn what_is_not_modelled_is_named() {
    let source = "symbol @frob global function\nfunc @main : () -> (i32) {\nb0:\n v0: i32 = call @frob() : () -> (i32)\n ret v0\n}\n";
    assert_eq!(execute(source), Err(Trap::Unsupported("library function frob".into())));
    let endless = "func @main : () -> (i32) {\nb0:\n br b1\nb1:\n br b1\n}\n";
    assert_eq!(execute(endless), Err(Trap::Fuel));
}
