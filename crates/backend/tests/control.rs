//! Control flow, calls and addresses through the quick path, under every model of addressing.

mod common;

use platform::options::{CodeModel, Options, PicLevel, X86Features};

/// The ways by which code may be generated and linked.
fn models() -> Vec<(&'static str, Options, &'static [&'static str])> {
    let with = |change: &dyn Fn(&mut Options)| {
        let mut options = Options { input_name: "test.c".to_owned(), ..Options::default() };
        change(&mut options);
        options
    };
    vec![
        ("pie", with(&|_| {}), &["-pie", "-fPIE"]),
        ("static", with(&|o| o.codegen.pic = PicLevel::None), &["-no-pie", "-fno-pie", "-static"]),
        ("no-pie", with(&|o| o.codegen.pic = PicLevel::None), &["-no-pie", "-fno-pie"]),
        ("pic", with(&|o| o.codegen.pic = PicLevel::Pic), &["-pie", "-fPIC"]),
        (
            "no-plt",
            with(&|o| {
                o.codegen.pic = PicLevel::Pic;
                o.codegen.plt = false;
            }),
            &["-pie", "-fPIC"],
        ),
        (
            "large",
            with(&|o| {
                o.codegen.pic = PicLevel::None;
                o.codegen.code_model = CodeModel::Large;
            }),
            &["-no-pie", "-fno-pie"],
        ),
        ("large-pie", with(&|o| o.codegen.code_model = CodeModel::Large), &["-pie", "-fPIE"]),
        (
            "hardened",
            with(&|o| {
                o.codegen.stack_protector = 3;
                o.codegen.stack_clash_protection = true;
                o.codegen.cf_protection = 3;
                o.codegen.jump_tables = false;
                o.codegen.function_sections = true;
                o.codegen.data_sections = true;
                o.codegen.debug_level = 1;
            }),
            &["-pie", "-fPIE"],
        ),
        ("v3", with(&|o| o.codegen.features = X86Features::V3), &["-pie", "-fPIE", "-march=x86-64-v3"]),
    ]
}

fn check(name: &str, ir: &str, driver: &str) {
    for (model, options, flags) in models() {
        common::run(&format!("{name}-{model}"), ir, driver, &options, flags);
    }
}

#[test]
fn phis_copy_in_parallel() {
    // The swap problem, the lost-copy problem, phis of every class, an edge of a switch, and a
    // critical edge.
    let ir = r#"
symbol @swap global function : (i32, i32, i32) -> (i32)
symbol @lost global function : (i32) -> (i32)
symbol @wide global function : (i32, ptr) -> ()
symbol @which global function : (i32) -> (i32)
func @swap v0, v1, v2 : (i32, i32, i32) -> (i32) {
b0:
  br b1
b1:
  v3: i32 = phi [v0, b0], [v4, b2]
  v4: i32 = phi [v1, b0], [v3, b2]
  v5: i32 = phi [v2, b0], [v7, b2]
  v6: i1 = icmp.eq v5, i32 0
  cond_br v6, b3, b2
b2:
  v7: i32 = sub v5, i32 1
  br b1
b3:
  v8: i32 = mul v3, i32 1000
  v9: i32 = add v8, v4
  ret v9
}
func @lost v0 : (i32) -> (i32) {
b0:
  br b1
b1:
  v1: i32 = phi [i32 1, b0], [v2, b1]
  v2: i32 = add v1, i32 3
  v3: i1 = icmp.slt v2, v0
  cond_br v3, b1, b2
b2:
  ret v1
}
func @wide v0, v1 : (i32, ptr) -> () {
b0:
  v2: i128 = zext v0
  v3: f80 = sitofp v0
  v4: f64 = sitofp v0
  v5: <4 x i32> = splat v0
  br b1
b1:
  v6: i128 = phi [v2, b0], [i128 7, b1]
  v7: i128 = phi [i128 9, b0], [v6, b1]
  v8: f80 = phi [v3, b0], [v9, b1]
  v9: f80 = phi [f80 0x3fff8000000000000000, b0], [v8, b1]
  v10: f64 = phi [v4, b0], [v11, b1]
  v11: f64 = phi [f64 0x3ff0000000000000, b0], [v10, b1]
  v12: <4 x i32> = phi [v5, b0], [v13, b1]
  v13: <4 x i32> = phi [<4 x i32> 0x01000000020000000300000004000000, b0], [v12, b1]
  v14: i32 = phi [i32 0, b0], [v15, b1]
  v15: i32 = add v14, i32 1
  v16: i1 = icmp.slt v15, i32 3
  cond_br v16, b1, b2
b2:
  store v1, v6 align 16
  v17: ptr = ptradd v1, i64 16
  store v17, v7 align 16
  v18: ptr = ptradd v1, i64 32
  store v18, v8 align 16
  v19: ptr = ptradd v1, i64 48
  store v19, v9 align 16
  v20: ptr = ptradd v1, i64 64
  store v20, v10 align 8
  v21: ptr = ptradd v1, i64 72
  store v21, v11 align 8
  v22: ptr = ptradd v1, i64 80
  store v22, v12 align 16
  ret
}
func @which v0 : (i32) -> (i32) {
b0:
  switch v0 default b1 [1, b1] [2, b1] [3, b2] [4294967295, b1]
b1:
  v1: i32 = phi [i32 10, b0], [v3, b2]
  ret v1
b2:
  v2: i32 = phi [i32 20, b0]
  v3: i32 = add v2, v0
  br b1
}
"#;
    let driver = r#"
#include <stdio.h>
#include <stdlib.h>
int swap(int, int, int), lost(int), which(int);
void wide(int, void *);
#define CHECK(e) if (!(e)) { printf("%s\n", #e); exit(1); }
int main(void) {
  CHECK(swap(1, 2, 0) == 1002); CHECK(swap(1, 2, 1) == 2001); CHECK(swap(1, 2, 2) == 1002); CHECK(swap(5, 6, 7) == 6005);
  CHECK(lost(10) == 7); CHECK(lost(0) == 1);
  CHECK(which(0) == 10); CHECK(which(1) == 10); CHECK(which(3) == 23); CHECK(which(-1) == 10);
  struct { __int128 a, b; long double c, d; double e, f; int g[4]; } s;
  wide(3, &s);
  CHECK(s.a == 7); CHECK(s.b == 7); CHECK(s.c == 3); CHECK(s.d == 1); CHECK(s.e == 3); CHECK(s.f == 1); CHECK(s.g[0] == 3 && s.g[3] == 3);
  return 0;
}
"#;
    check("phis", ir, driver);
}

#[test]
fn computed_gotos_keep_their_phis() {
    let ir = r#"
symbol @run global function : (ptr, i32) -> (i32)
symbol @labels global function : (i32) -> (i32)
symbol @table local
data @table size 24 align 8 const
  reloc 0 8 label @labels 0 0
  reloc 8 8 label @labels 1 0
  reloc 16 4 label_difference @labels 1 0 0
func @run v0, v1 : (ptr, i32) -> (i32) {
b0:
  v2: ptr = block_addr 0
  v3: ptr = block_addr 1
  v4: i1 = icmp.eq v1, i32 0
  v5: ptr = select v4, v2, v3
  indirect_br v5, b1, b2
b1 label 0:
  v6: i32 = phi [i32 1, b0], [v9, b2]
  v7: i32 = phi [i32 100, b0], [v8, b2]
  v20: i32 = add v6, v7
  ret v20
b2 label 1:
  v8: i32 = phi [v1, b0], [v9, b2]
  v9: i32 = phi [i32 5, b0], [v8, b2]
  v10: i32 = load v0 align 4
  v11: i32 = sub v10, i32 1
  store v0, v11 align 4
  v12: i1 = icmp.sgt v11, i32 0
  v13: ptr = select v12, v3, v2
  indirect_br v13, b1, b2
}
func @labels v0 : (i32) -> (i32) {
b0:
  v1: i64 = sext v0
  v2: i64 = mul v1, i64 8
  v3: ptr = ptradd @table, v2
  v4: ptr = load v3 align 8
  indirect_br v4, b1, b2
b1 label 0:
  ret i32 11
b2 label 1:
  ret i32 22
}
"#;
    let driver = r#"
#include <stdio.h>
#include <stdlib.h>
int run(int *, int), labels(int);
#define CHECK(e) if (!(e)) { printf("%s\n", #e); exit(1); }
int main(void) {
  int n = 1;
  CHECK(run(&n, 0) == 101);
  n = 1; CHECK(run(&n, 3) == 5 + 3);
  n = 2; CHECK(run(&n, 3) == 3 + 5);
  CHECK(labels(0) == 11); CHECK(labels(1) == 22);
  return 0;
}
"#;
    check("gotos", ir, driver);
}

#[test]
fn switches_of_all_shapes() {
    let mut ir = String::from(
        "symbol @dense global function : (i32) -> (i32)\nsymbol @sparse global function : (i64) -> (i32)\nsymbol @small global function : (i32) -> (i32)\n",
    );
    let mut cases = String::new();
    let mut blocks = String::new();
    for i in 0..40 {
        let value = (i as i64 - 5) as u32;
        cases += &format!(" [{value}, b{}]", i + 2);
        blocks += &format!("b{}:\n  ret i32 {}\n", i + 2, i * 3);
    }
    // Cases ascend as unsigned numbers: the negative ones come last.
    let mut list: Vec<&str> = cases.split(" [").filter(|s| !s.is_empty()).collect();
    list.sort_by_key(|s| s.split(',').next().unwrap().parse::<u32>().unwrap());
    let cases: String = list.iter().map(|s| format!(" [{}", s.trim_end())).collect();
    ir += &format!(
        "func @dense v0 : (i32) -> (i32) {{\nb0:\n  switch v0 default b1{cases}\nb1:\n  ret i32 -1\n{blocks}}}\n"
    );
    let values: Vec<u64> = (0..30u64).map(|i| i * i * i * 1_000_003 + if i > 20 { 1 << 63 } else { 0 }).collect();
    let cases: String = values.iter().enumerate().map(|(i, v)| format!(" [{v}, b{}]", i + 2)).collect();
    let blocks: String = (0..30).map(|i| format!("b{}:\n  ret i32 {i}\n", i + 2)).collect();
    ir += &format!(
        "func @sparse v0 : (i64) -> (i32) {{\nb0:\n  switch v0 default b1{cases}\nb1:\n  ret i32 -1\n{blocks}}}\n"
    );
    ir += "func @small v0 : (i32) -> (i32) {\nb0:\n  v1: i8 = trunc v0\n  switch v1 default b1 [3, b2] [200, b3] [255, b4]\nb1:\n  ret i32 0\nb2:\n  ret i32 1\nb3:\n  ret i32 2\nb4:\n  ret i32 3\n}\n";
    let driver = r#"
#include <stdio.h>
#include <stdlib.h>
int dense(int), sparse(long), small(int);
#define CHECK(e) if (!(e)) { printf("%s i=%d\n", #e, i); exit(1); }
int main(void) {
  for (int i = -100; i < 100; i++) CHECK(dense(i) == (i >= -5 && i < 35 ? (i + 5) * 3 : -1));
  for (int i = 0; i < 30; i++) {
    unsigned long v = (unsigned long)(i * i * i) * 1000003 + (i > 20 ? 1ul << 63 : 0);
    CHECK(sparse(v) == i); CHECK(sparse(v + 1) == -1);
  }
  for (int i = 0; i < 600; i++) CHECK(small(i) == ((i & 255) == 3 ? 1 : (i & 255) == 200 ? 2 : (i & 255) == 255 ? 3 : 0));
  return 0;
}
"#;
    check("switches", &ir, driver);
}

#[test]
fn calls_follow_the_abi() {
    let ir = r#"
symbol @many global function : (i32, i64, f32, f64, i32, i32, i32, i32, i32, f80, i32) -> (i64)
symbol @c_many global function : (i32, i64, f32, f64, i32, i32, i32, i32, i32, f80, i32) -> (i64)
symbol @reverse global function : (i64, i64, i64, i64, i64, i64) -> (i64)
symbol @c_six global function : (i64, i64, i64, i64, i64, i64) -> (i64)
symbol @pairs global function : (i64, i64) -> (i64, i64)
symbol @c_pairs global function : (i64, i64) -> (i64, i64)
symbol @floats global function : (f64, f64) -> (f64, f64)
symbol @c_floats global function : (f64, f64) -> (f64, f64)
symbol @long_double global function : (f80) -> (f80)
symbol @c_long_double global function : (f80) -> (f80)
symbol @by_value global function : (ptr byval 40 8, i32) -> (i64)
symbol @c_by_value global function : (ptr byval 40 8, i32) -> (i64)
symbol @big global function : (ptr byval 1000 64) -> (i64)
symbol @c_big global function : (ptr byval 1000 64) -> (i64)
symbol @structure global function : (ptr sret, i32) -> (ptr)
symbol @vectors global function : (<4 x f32>, <2 x i32>) -> (<4 x f32>)
symbol @c_vectors global function : (<4 x f32>, <2 x i32>) -> (<4 x f32>)
symbol @print global function : (ptr, i32, f64) -> (i32)
symbol @sprintf global function : (ptr, ptr, ...) -> (i32)
symbol @sum global function : (i32, ...) -> (f64)
symbol @pointer global function : (ptr, i32) -> (i32)
symbol @.LC0 local
data @.LC0 size 12 align 1 const unnamed_addr string 1 = "%d %.3f %s\0a\00"
symbol @.LC1 local
data @.LC1 size 4 align 1 const unnamed_addr string 1 = "end\00"
func @many v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10 : (i32, i64, f32, f64, i32, i32, i32, i32, i32, f80, i32) -> (i64) {
b0:
  v11: i32 = add v0, i32 1
  v12: i64 = call @c_many(v11, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10) : (i32, i64, f32, f64, i32, i32, i32, i32, i32, f80, i32) -> (i64)
  ret v12
}
func @reverse v0, v1, v2, v3, v4, v5 : (i64, i64, i64, i64, i64, i64) -> (i64) {
b0:
  v6: i64 = call @c_six(v5, v4, v3, v2, v1, v0) : (i64, i64, i64, i64, i64, i64) -> (i64)
  v7: i64 = call @c_six(v1, v2, v3, v4, v5, v0) : (i64, i64, i64, i64, i64, i64) -> (i64)
  v8: i64 = sub v6, v7
  v9: i64 = add v8, v0
  ret v9
}
func @pairs v0, v1 : (i64, i64) -> (i64, i64) {
b0:
  v2: i64, v3: i64 = call @c_pairs(v1, v0) : (i64, i64) -> (i64, i64)
  ret v3, v2
}
func @floats v0, v1 : (f64, f64) -> (f64, f64) {
b0:
  v2: f64, v3: f64 = call @c_floats(v1, v0) : (f64, f64) -> (f64, f64)
  ret v3, v2
}
func @long_double v0 : (f80) -> (f80) {
b0:
  v1: f80 = call @c_long_double(v0) : (f80) -> (f80)
  v2: f80 = fadd v1, v0
  ret v2
}
func @by_value v0, v1 : (ptr byval 40 8, i32) -> (i64) {
b0:
  v2: i64 = load v0 align 8
  v3: ptr = ptradd v0, i64 32
  store v3, v2 align 8
  v4: i64 = call @c_by_value(v0, v1) : (ptr byval 40 8, i32) -> (i64)
  v5: i64 = add v4, v2
  ret v5
}
func @big v0 : (ptr byval 1000 64) -> (i64) {
b0:
  v1: i64 = ptrtoint v0
  v2: i64 = and v1, i64 63
  v3: i64 = call @c_big(v0) : (ptr byval 1000 64) -> (i64)
  v4: i64 = add v2, v3
  ret v4
}
func @structure v0, v1 : (ptr sret, i32) -> (ptr) {
b0:
  store v0, v1 align 4
  v2: ptr = ptradd v0, i64 4
  v3: i32 = mul v1, i32 2
  store v2, v3 align 4
  ret v0
}
func @vectors v0, v1 : (<4 x f32>, <2 x i32>) -> (<4 x f32>) {
b0:
  v2: <4 x f32> = fadd v0, v0
  v3: <4 x f32> = call @c_vectors(v2, v1) : (<4 x f32>, <2 x i32>) -> (<4 x f32>)
  ret v3
}
func @print v0, v1, v2 : (ptr, i32, f64) -> (i32) {
b0:
  v3: i32 = call @sprintf(v0, @.LC0, v1, v2, @.LC1) : (ptr, ptr, i32, f64, ptr, ...) -> (i32)
  ret v3
}
func @sum v0 : (i32, ...) -> (f64) {
b0:
  v1: ptr = alloca 24 align 16
  va_start v1
  br b1
b1:
  v2: i32 = phi [i32 0, b0], [v20, b2]
  v3: f64 = phi [f64 0, b0], [v21, b2]
  v4: i1 = icmp.slt v2, v0
  cond_br v4, b2, b3
b2:
  v5: i32 = load v1 align 4
  v6: ptr = ptradd v1, i64 16
  v7: ptr = load v6 align 8
  v8: i64 = zext v5
  v9: ptr = ptradd v7, v8
  v10: i64 = load v9 align 8
  v11: i32 = add v5, i32 8
  store v1, v11 align 4
  v12: ptr = ptradd v1, i64 4
  v13: i32 = load v12 align 4
  v14: i64 = zext v13
  v15: ptr = ptradd v7, v14
  v16: f64 = load v15 align 8
  v17: i32 = add v13, i32 16
  store v12, v17 align 4
  v18: f64 = sitofp v10
  v19: f64 = fmul v18, v16
  v20: i32 = add v2, i32 1
  v21: f64 = fadd v3, v19
  br b1
b3:
  ret v3
}
func @pointer v0, v1 : (ptr, i32) -> (i32) {
b0:
  v2: i32 = call v0(v1, v1) : (i32, i32) -> (i32)
  v3: i32 = add v2, v1
  ret v3
}
"#;
    let driver = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
typedef float v4f __attribute__((vector_size(16)));
typedef int v2i __attribute__((vector_size(8)));
typedef struct { long a, b; } pair;
typedef struct { double a, b; } fpair;
typedef struct { long a[5]; } five;
typedef struct { _Alignas(64) char c[960]; } big64;
typedef struct { int a[6]; } six_ints;
long many(int, long, float, double, int, int, int, int, int, long double, int);
long c_many(int a, long b, float c, double d, int e, int f, int g, int h, int i, long double j, int k) {
  return a + 2 * b + 3 * (long)c + 4 * (long)d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * (long)j + 11 * k;
}
long reverse(long, long, long, long, long, long);
long c_six(long a, long b, long c, long d, long e, long f) { return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f; }
pair pairs(long, long);
pair c_pairs(long a, long b) { return (pair){ a + 1, b + 2 }; }
fpair floats(double, double);
fpair c_floats(double a, double b) { return (fpair){ a + 1, b + 2 }; }
long double long_double(long double);
long double c_long_double(long double x) { return x * 2; }
long by_value(five, int);
long c_by_value(five s, int n) { long r = n; for (int i = 0; i < 5; i++) r = r * 10 + s.a[i]; s.a[0] = 99; return r; }
six_ints structure(int);
v4f vectors(v4f, v2i);
v4f c_vectors(v4f a, v2i b) { a[0] += b[0]; a[1] += b[1]; return a; }
int print(char *, int, double);
double sum(int, ...);
int pointer(int (*)(int, int), int);
static int mul(int a, int b) { return a * b; }
typedef struct { _Alignas(64) char c[1024]; } huge;
long c_big(int unused) { return 5; }
#define CHECK(e) if (!(e)) { printf("%s\n", #e); exit(1); }
int main(void) {
  CHECK(many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) == c_many(2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
  CHECK(reverse(1, 2, 3, 4, 5, 6) == c_six(6, 5, 4, 3, 2, 1) - c_six(2, 3, 4, 5, 6, 1) + 1);
  pair p = pairs(10, 20); CHECK(p.a == 12 && p.b == 21);
  fpair f = floats(10, 20); CHECK(f.a == 12 && f.b == 21);
  CHECK(long_double(1.5L) == 4.5L);
  five v = { { 1, 2, 3, 4, 5 } }; CHECK(by_value(v, 7) == 712341 + 1);
  six_ints s; ((void *(*)(void *, int))structure)(&s, 21); CHECK(s.a[0] == 21 && s.a[1] == 42);
  v4f x = vectors((v4f){ 1, 2, 3, 4 }, (v2i){ 10, 20 }); CHECK(x[0] == 12 && x[1] == 24 && x[2] == 6 && x[3] == 8);
  char buf[100]; print(buf, 42, 2.5); CHECK(!strcmp(buf, "42 2.500 end\n"));
  CHECK(sum(3, 1l, 2.0, 3l, 4.0, 5l, 6.0) == 2 + 12 + 30);
  CHECK(pointer(mul, 6) == 42);
  return 0;
}
"#;
    check("calls", ir, driver);
}

#[test]
fn addresses_and_frames() {
    let ir = r#"
symbol @counter global align 4
symbol @own local align 4
symbol @c_counter global
symbol @tls_own global tls_gd
symbol @c_tls global tls_gd
symbol @tls_zero local tls_gd
symbol @text global
symbol @.LC0 local
symbol @weak weak function : () -> (i32)
symbol @aliased global function alias @main_one : () -> (i32)
symbol @main_one global function : () -> (i32)
symbol @aligned global function : (i64) -> (i64)
symbol @dynamic global function : (i64) -> (i64)
symbol @scaled global function : (ptr, i64) -> (i32)
symbol @huge_offset global function : (ptr) -> (i64)
symbol @tls global function : (i32) -> (i32)
symbol @call_weak global function : () -> (i32)
symbol @copy global function : (ptr, ptr) -> ()
symbol @started global
symbol @start local function : () -> ()
symbol @pressure global function : (ptr) -> (i64)
symbol @use_all global function : (i64) -> (i64)
constructor @start 101
data @counter size 4 align 4 = "\05\00\00\00"
data @own size 4 align 4
data @tls_own size 4 align 4 = "\07\00\00\00"
data @tls_zero size 4 align 4
data @text size 8 align 8
  reloc 0 8 @.LC0 1
data @.LC0 size 6 align 1 const unnamed_addr string 1 = "hello\00"
data @started size 4 align 4
func @start : () -> () {
b0:
  store @started, i32 1 align 4
  ret
}
func @main_one : () -> (i32) {
b0:
  v0: i32 = load @counter align 4
  v1: i32 = load @c_counter align 4
  v2: i32 = add v0, v1
  store @own, v2 align 4
  store @counter, i32 6 align 4
  v3: i32 = load @own align 4
  ret v3
}
func @aligned v0 : (i64) -> (i64) {
b0:
  v1: ptr = alloca 4 align 4
  v2: ptr = alloca 100 align 64
  v3: ptr = alloca 4096 align 4096
  v4: i64 = ptrtoint v2
  v5: i64 = and v4, i64 63
  v6: i64 = ptrtoint v3
  v7: i64 = and v6, i64 4095
  v8: i64 = or v5, v7
  store v1, i32 1 align 4
  store v3, v0 align 8
  v9: i64 = load v3 align 8
  v10: i64 = sub v9, v0
  v11: i64 = or v8, v10
  ret v11
}
func @dynamic v0 : (i64) -> (i64) {
b0:
  v1: ptr = stack_save
  v2: ptr = dyn_alloca v0 align 16
  v3: ptr = dyn_alloca v0 align 128
  v4: i64 = ptrtoint v3
  v5: i64 = and v4, i64 127
  memset v2, i8 1, v0 align 1
  memset v3, i8 2, v0 align 1
  v6: i8 = load v2 align 1
  v7: i64 = zext v6
  v8: i64 = add v5, v7
  stack_restore v1
  v9: i64 = call @use_all(v8) : (i64) -> (i64)
  ret v9
}
func @use_all v0 : (i64) -> (i64) {
b0:
  ret v0
}
func @scaled v0, v1 : (ptr, i64) -> (i32) {
b0:
  v2: i64 = mul v1, i64 4
  v3: ptr = ptradd v0, v2
  v4: ptr = ptradd v3, i64 8
  v5: i32 = load v4 align 4
  v6: i64 = shl v1, i64 2
  v7: ptr = ptradd v4, v6
  v8: i32 = load v7 align 4
  v9: i32 = add v5, v8
  store v3, v9 align 4
  ret v9
}
func @huge_offset v0 : (ptr) -> (i64) {
b0:
  v1: ptr = ptradd v0, i64 8589934592
  v2: ptr = ptradd v1, i64 -8589934584
  v3: i64 = load v2 align 8
  ret v3
}
func @tls v0 : (i32) -> (i32) {
b0:
  v1: ptr = tls_addr @tls_own
  v2: ptr = tls_addr @c_tls
  v3: ptr = tls_addr @tls_zero
  v4: i32 = load v1 align 4
  v5: i32 = load v2 align 4
  v6: i32 = load v3 align 4
  v7: i32 = add v4, v5
  v8: i32 = add v7, v6
  store v3, v0 align 4
  v9: i32 = add v8, v0
  ret v9
}
func @call_weak : () -> (i32) {
b0:
  v0: i1 = icmp.eq @weak, ptr 0
  cond_br v0, b1, b2
b1:
  ret i32 -1
b2:
  v1: i32 = call @weak() : () -> (i32)
  ret v1
}
func @copy v0, v1 : (ptr, ptr) -> () {
b0:
  memcpy v0, v1, i64 100 align 1
  v2: ptr = ptradd v0, i64 100
  v3: ptr = ptradd v1, i64 100
  memcpy v2, v3, i64 333 align 1
  v4: ptr = ptradd v0, i64 433
  v5: ptr = ptradd v1, i64 433
  memcpy v4, v5, i64 5000 align 1
  v6: ptr = ptradd v0, i64 10
  memmove v6, v0, i64 50 align 1
  v7: ptr = ptradd v0, i64 200
  memset v7, i8 0, i64 77 align 1
  v8: ptr = ptradd v0, i64 300
  memset v8, i8 9, i64 200 align 1
  ret
}
func @pressure v0 : (ptr) -> (i64) {
b0:
  v1: i64 = load v0 align 8
  v2: i64 = add v1, i64 1
  v3: i64 = add v1, i64 2
  v4: i64 = add v1, i64 3
  v5: i64 = add v1, i64 4
  v6: i64 = add v1, i64 5
  v7: i64 = add v1, i64 6
  v8: i64 = add v1, i64 7
  v9: i64 = add v1, i64 8
  v10: i64 = add v1, i64 9
  v11: i64 = add v1, i64 10
  v12: i64 = add v1, i64 11
  v13: i64 = mul v2, v3
  v14: i64 = sdiv v13, v4
  v15: i64 = shl v5, v6
  v16: i64 = mul v7, v8
  v17: i64 = call @use_all(v9) : (i64) -> (i64)
  v18: i64 = xor v10, v11
  v19: i64 = sub v12, v13
  v20: i64 = add v14, v15
  v21: i64 = xor v16, v17
  v22: i64 = sub v18, v19
  v23: i64 = mul v20, v21
  v24: i64 = add v22, v23
  v25: i64 = add v24, v1
  v26: i64 = add v25, v2
  ret v26
}
"#;
    let driver = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int counter, started, tls_marker; extern char *text; int c_counter = 10;
extern __thread int tls_own; __thread int c_tls = 20;
int main_one(void), aliased(void), tls(int), scaled(int *, long), call_weak(void);
long aligned(long), dynamic(long), huge_offset(void *), use_all(long), pressure(long *);
void copy(char *, char *);
#define CHECK(e) if (!(e)) { printf("%s\n", #e); exit(1); }
int main(void) {
  CHECK(started == 1);
  CHECK(main_one() == 15); CHECK(counter == 6); CHECK(aliased() == 16); CHECK(!strcmp(text, "ello"));
  CHECK(aligned(77) == 0); CHECK(dynamic(100) == 1); CHECK(dynamic(10000) == 1);
  int a[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }; CHECK(scaled(a, 2) == 4 + 6); CHECK(a[2] == 10);
  long l[] = { 1, 2 }; CHECK(huge_offset(l) == 2);
  CHECK(tls(5) == 7 + 20 + 0 + 5); CHECK(tls(6) == 7 + 20 + 5 + 6); tls_own = 8; CHECK(tls(0) == 8 + 20 + 6);
  CHECK(call_weak() == -1);
  static char from[6000], to[6000], want[6000];
  for (int i = 0; i < 6000; i++) from[i] = i * 7 + i / 256;
  memcpy(want, from, 5433); memmove(want + 10, want, 50); memset(want + 200, 0, 77); memset(want + 300, 9, 200);
  copy(to, from); CHECK(!memcmp(to, want, 6000));
  for (long v = 1; v < 50; v++) {
    long v1 = v, v13 = (v1 + 1) * (v1 + 2), v14 = v13 / (v1 + 3), v15 = (v1 + 4) << ((v1 + 5) & 63), v16 = (v1 + 6) * (v1 + 7), v17 = v1 + 8;
    long r = (((v1 + 9) ^ (v1 + 10)) - (v1 + 11 - v13)) + (v14 + v15) * (v16 ^ v17) + v1 + (v1 + 1);
    CHECK(pressure(&v) == r);
  }
  return 0;
}
"#;
    check("addresses", ir, driver);
}
