//! Atomic operations of every width, with and without `cmpxchg16b`, and the rarer intrinsics.

mod common;

use std::fmt::Write;

use platform::options::{Options, X86Features};

const OPS: [(&str, &str); 7] = [
    ("xchg", "y"),
    ("add", "x + y"),
    ("sub", "x - y"),
    ("and", "x & y"),
    ("nand", "~(x & y)"),
    ("or", "x | y"),
    ("xor", "x ^ y"),
];

fn c_type(ty: &str) -> String {
    if ty == "i128" { "unsigned __int128".to_owned() } else { format!("unsigned_{}", &ty[1..]) }
}

#[test]
fn atomics_of_every_width() {
    let mut ir = String::new();
    let mut bodies = String::new();
    let mut driver = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\ntypedef unsigned char unsigned_8; typedef unsigned short unsigned_16; typedef unsigned unsigned_32; typedef unsigned long unsigned_64;\n#define CHECK(e) if (!(e)) { printf(\"%s\\n\", #e); exit(1); }\nint main(void) {\n",
    );
    for ty in ["i8", "i16", "i32", "i64", "i128"] {
        let t = c_type(ty);
        for (op, c) in OPS {
            for (suffix, result) in [("", true), ("_void", false)] {
                let name = format!("{op}_{ty}{suffix}");
                writeln!(ir, "symbol @{name} global function : (ptr, ptr, ptr) -> ()").unwrap();
                let store = if result { "  store v2, v4 align 1\n" } else { "" };
                writeln!(bodies, "func @{name} v0, v1, v2 : (ptr, ptr, ptr) -> () {{\nb0:\n  v3: {ty} = load v1 align 1\n  v4: {ty} = atomic_rmw.seq_cst {op} v0, v3\n{store}  ret\n}}").unwrap();
                let old = if result { "CHECK(o == x);" } else { "" };
                writeln!(driver, "  {{ void {name}(void *, void *, void *); _Alignas(16) {t} m = ({t})0x1234567890abcdefull * 3, x = m, y = 0x77, o = 0; {name}(&m, &y, &o); CHECK(m == ({t})({c})); {old} }}").unwrap();
            }
        }
        for name in [format!("load_{ty}"), format!("store_{ty}"), format!("cas_{ty}")] {
            writeln!(ir, "symbol @{name} global function : (ptr, ptr, ptr) -> (i32)").unwrap();
        }
        writeln!(bodies, "func @load_{ty} v0, v1, v2 : (ptr, ptr, ptr) -> (i32) {{\nb0:\n  v3: {ty} = atomic_load.acquire v0\n  store v1, v3 align 1\n  ret i32 0\n}}").unwrap();
        writeln!(bodies, "func @store_{ty} v0, v1, v2 : (ptr, ptr, ptr) -> (i32) {{\nb0:\n  v3: {ty} = load v1 align 1\n  atomic_store.seq_cst v0, v3\n  atomic_store.release v2, v3\n  fence.seq_cst\n  ret i32 0\n}}").unwrap();
        writeln!(bodies, "func @cas_{ty} v0, v1, v2 : (ptr, ptr, ptr) -> (i32) {{\nb0:\n  v3: {ty} = load v1 align 1\n  v4: {ty} = load v2 align 1\n  v5: {ty}, v6: i1 = cmpxchg.seq_cst.relaxed v0, v3, v4\n  store v1, v5 align 1\n  v7: i32 = zext v6\n  ret v7\n}}").unwrap();
        writeln!(driver, "  {{ int load_{ty}(void *, void *, void *), store_{ty}(void *, void *, void *), cas_{ty}(void *, void *, void *); _Alignas(16) {t} m = 77, o = 0, n = 5; load_{ty}(&m, &o, 0); CHECK(o == 77); _Alignas(16) {t} p = 0; store_{ty}(&m, &n, &p); CHECK(m == 5 && p == 5); o = 6; n = 9; CHECK(cas_{ty}(&m, &o, &n) == 0 && m == 5 && o == 5); CHECK(cas_{ty}(&m, &o, &n) == 1 && m == 9 && o == 5); }}").unwrap();
    }
    driver += "  return 0;\n}\n";
    let text = ir + &bodies;
    let mut options = Options::default();
    options.codegen.features.insert(X86Features::CX16);
    common::run("atomics-cx16", &text, &driver, &options, &["-mcx16", "-latomic"]);
    common::run("atomics", &text, &driver, &Options::default(), &["-latomic"]);
}

#[test]
fn intrinsics_of_control() {
    let ir = r#"
symbol @jump global function : (i32) -> (i32)
symbol @leap local function noinline : (ptr, i32) -> ()
symbol @nested_user global function : (i32) -> (i32)
symbol @nested local function : (ptr chain, i32) -> (i32)
symbol @apply global function : (ptr, i32) -> (i32)
symbol @caller global function : () -> (ptr)
symbol @rounded global function : (f64) -> (f64)
symbol @tick global function : () -> (i64)
func @jump v0 : (i32) -> (i32) {
b0:
  v1: ptr = alloca 40 align 8
  v2: ptr = alloca 4 align 4
  store v2, i32 0 align 4
  v3: i32 = intrinsic setjmp v1
  v4: i1 = icmp.eq v3, i32 0
  v5: i32 = load.volatile v2 align 4
  v6: i32 = add v5, i32 1
  store.volatile v2, v6 align 4
  cond_br v4, b1, b2
b1:
  call @leap(v1, v0) : (ptr, i32) -> () noreturn
  unreachable
b2:
  v7: i32 = load.volatile v2 align 4
  v8: i32 = mul v7, i32 10
  v9: i32 = add v8, v0
  ret v9
}
func @leap v0, v1 : (ptr, i32) -> () {
b0:
  intrinsic longjmp v0
  unreachable
}
func @nested v0, v1 : (ptr chain, i32) -> (i32) {
b0:
  v2: i32 = load v0 align 4
  v3: i32 = add v2, v1
  store v0, v3 align 4
  ret v3
}
func @nested_user v0 : (i32) -> (i32) {
b0:
  v1: ptr = alloca 16 align 16
  v2: ptr = alloca 32 align 16
  store v1, v0 align 4
  intrinsic init_trampoline v2, @nested, v1
  v3: i32 = call @apply(v2, i32 5) : (ptr, i32) -> (i32)
  v4: i32 = call @nested(v1, i32 7) : (ptr chain, i32) -> (i32)
  v5: i32 = mul v3, i32 100
  v6: i32 = add v5, v4
  ret v6
}
func @caller : () -> (ptr) {
b0:
  v0: ptr = intrinsic return_address i32 0
  v1: ptr = intrinsic frame_address i32 0
  v2: ptr = ptradd v1, i64 8
  v3: ptr = load v2 align 8
  v4: i1 = icmp.eq v0, v3
  v5: ptr = select v4, v0, ptr 0
  ret v5
}
func @rounded v0 : (f64) -> (f64) {
b0:
  v1: f64 = intrinsic floor v0
  v2: f64 = intrinsic ceil v0
  v3: f64 = fadd v1, v2
  ret v3
}
func @tick : () -> (i64) {
b0:
  v0: i64 = intrinsic rdtsc
  intrinsic pause
  v1: i64 = intrinsic rdtsc
  v2: i64 = sub v1, v0
  ret v2
}
"#;
    let driver = r#"
#include <stdio.h>
#include <stdlib.h>
#define CHECK(e) if (!(e)) { printf("%s\n", #e); exit(1); }
int jump(int), nested_user(int); void *caller(void); double rounded(double); long tick(void);
int apply(int (*f)(int), int n) { return f(n); }
int main(void) {
  CHECK(jump(3) == 23); CHECK(nested_user(10) == 1500 + 22); CHECK(caller() != 0);
  CHECK(rounded(2.5) == 5); CHECK(rounded(-2.5) == -5); CHECK(tick() > 0);
  return 0;
}
"#;
    common::run("intrinsics", ir, driver, &Options::default(), &[]);
}
