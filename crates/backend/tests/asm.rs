//! Inline assembly with every kind of operand, file-scope assembly, and the target's vector
//! operations.

mod common;

use platform::options::Options;

const DRIVER_HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#define CHECK(e) if (!(e)) { printf(\"%s\\n\", #e); exit(1); }\n";

#[test]
fn operands_of_all_kinds() {
    let ir = r#"
asm ".globl from_asm\0afrom_asm: lea 1(%rdi), %rax\0a ret"
symbol @add global function : (i64, i64) -> (i64)
symbol @from_asm global function : (i64) -> (i64)
symbol @call_asm global function : (i64) -> (i64)
symbol @fixed global function : (i32, i32) -> (i32, i32)
symbol @memory global function : (ptr) -> (i32)
symbol @variable global
data @variable size 4 align 4 = "\2a\00\00\00"
symbol @flags global function : (i32, i32) -> (i32)
symbol @x87 global function : (f80, f80) -> (f80)
symbol @sse global function : (f64, f64) -> (f64)
symbol @imm global function : () -> (i64)
symbol @jump global function : (i32) -> (i32)
symbol @jump_out global function : (i32) -> (i32)
symbol @callee_saved global function : (i64) -> (i64)
symbol @many global function : (i64, i64, i64, i64, i64, i64) -> (i64)
symbol @loop global function : (i64) -> (i64)
func @add v0, v1 : (i64, i64) -> (i64) {
b0:
  v2: i64 = asm v0, v1 "add %2, %0" out r i64 result 0 in tied 0 i64 input 0 in r i64 input 1 flags
  ret v2
}
func @call_asm v0 : (i64) -> (i64) {
b0:
  v1: i64 = call @from_asm(v0) : (i64) -> (i64)
  ret v1
}
func @fixed v0, v1 : (i32, i32) -> (i32, i32) {
b0:
  v2: i32, v3: i32 = asm v1, v0, v0 "xor %%edx, %%edx; divl %4" out fixed 0 i32 result 0 out fixed 2 i32 result 1 in tied 0 i32 input 1 in tied 1 i32 input 2 in r i32 name "d" input 0 flags
  v4: i32 = add v2, v3
  v5: i32 = asm.volatile v4 "mov %1, %0" out r i32 early result 0 in ri i32 input 0 flags
  ret v5, v3
}
func @memory v0 : (ptr) -> (i32) {
b0:
  v1: ptr = alloca 4 align 4
  store v1, i32 5 align 4
  asm.volatile v1, v0, @variable "mov %1, %%eax; add %2, %%eax; add %%eax, %0" out m i32 input 0 in m i32 input 1 in m i32 input 2 clobber 0 memory flags
  v2: i32 = load v1 align 4
  ret v2
}
func @flags v0, v1 : (i32, i32) -> (i32) {
b0:
  v2: i8, v3: i8 = asm v0, v1 "cmp %3, %2" out cc 4 i8 result 0 out cc 12 i8 result 1 in r i32 input 0 in r i32 input 1 flags
  v4: i32 = zext v2
  v5: i32 = zext v3
  v6: i32 = mul v5, i32 10
  v7: i32 = add v4, v6
  ret v7
}
func @x87 v0, v1 : (f80, f80) -> (f80) {
b0:
  v2: f80 = asm v0, v1 "fsubrp" out st 0 f80 result 0 in tied 0 f80 input 0 in st 1 f80 input 1 clobber 33
  v3: f80 = asm v2 "fsqrt" out st 0 f80 result 0 in tied 0 f80 input 0
  ret v3
}
func @sse v0, v1 : (f64, f64) -> (f64) {
b0:
  v2: f64 = fadd v0, v1
  v3: f64 = asm v2, v1 "mulsd %2, %0" out x f64 result 0 in tied 0 f64 input 0 in x f64 input 1
  ret v3
}
func @imm : () -> (i64) {
b0:
  v0: i64 = asm i32 40, @variable "lea %c1+2(%%rip), %0; sub $%c1, %0" out r i64 result 0 in i i32 input 0 in i ptr input 1 flags
  v1: i64 = asm i64 1234 "mov %1, %0" out r i64 result 0 in ri i64 input 0
  ret v1
}
func @jump v0 : (i32) -> (i32) {
b0:
  asm_br.volatile v0 "test %0, %0; jz %l1; js %l[neg]" in r i32 input 0 flags to b1 label b2 "zero" label b3 "neg"
b1:
  ret i32 1
b2:
  ret i32 0
b3:
  ret i32 -1
}
func @jump_out v0 : (i32) -> (i32) {
b0:
  v1: i32 = asm_br.volatile v0 "lea 7(%1), %0; test %1, %1; jz %l2" out r i32 early result 0 in r i32 input 0 flags to b1 label b2 "zero"
b1:
  v2: i32 = phi [v1, b0]
  ret v2
b2:
  v3: i32 = phi [v1, b0]
  v4: i32 = add v3, i32 1000
  ret v4
}
func @callee_saved v0 : (i64) -> (i64) {
b0:
  v1: i64 = asm v0 "mov %1, %%rbx; mov %%rbx, %%r12; mov %%r12, %0" out fixed 15 i64 result 0 in r i64 input 0 clobber 3 clobber 12 flags
  ret v1
}
func @many v0, v1, v2, v3, v4, v5 : (i64, i64, i64, i64, i64, i64) -> (i64) {
b0:
  v6: i64, v7: i64, v8: i64 = asm v0, v1, v2, v3, v4, v5 "mov %3, %0; add %4, %0; mov %5, %1; add %6, %1; mov %7, %2; add %8, %2" out r i64 early result 0 out r i64 early result 1 out r i64 early result 2 in r i64 input 0 in r i64 input 1 in r i64 input 2 in r i64 input 3 in r i64 input 4 in r i64 input 5 flags
  v9: i64 = mul v6, v7
  v10: i64 = mul v9, v8
  ret v10
}
func @loop v0 : (i64) -> (i64) {
b0:
  v1: i64, v2: i64 = asm v0, i64 0 "1: add %0, %1\0a\09dec %0\0a\09jnz 1b" out r i64 result 0 out r i64 result 1 in tied 0 i64 input 0 in tied 1 i64 input 1 flags
  ret v2
}
"#;
    let driver = format!(
        "{DRIVER_HEAD}{}",
        r#"
long add(long, long), call_asm(long), imm(void), callee_saved(long), many(long, long, long, long, long, long), loop(long);
typedef struct { int a, b; } two;
int memory(int *), flags(int, int), jump(int), jump_out(int);
long double x87(long double, long double);
double sse(double, double);
int main(void) {
  CHECK(add(40, 2) == 42); CHECK(call_asm(5) == 6);
  int q, r; asm volatile("call fixed" : "=a"(q), "=d"(r) : "D"(47), "S"(10) : "rcx", "r8", "r9", "r10", "r11", "memory");
  CHECK(q == 4 + 7 && r == 7);
  int n = 3; CHECK(memory(&n) == 5 + 3 + 42);
  CHECK(flags(1, 1) == 1); CHECK(flags(1, 2) == 10); CHECK(flags(3, 2) == 0);
  CHECK(x87(5, 30) == 5); CHECK(sse(2, 3) == 15);
  CHECK(jump(5) == 1); CHECK(jump(0) == 0); CHECK(jump(-5) == -1);
  CHECK(jump_out(5) == 12); CHECK(jump_out(0) == 1007);
  CHECK(callee_saved(77) == 77); CHECK(many(1, 2, 3, 4, 5, 6) == 3 * 7 * 11); CHECK(loop(10) == 55);
  return 0;
}
"#
    );
    let mut options = Options::default();
    options.codegen.pic = platform::options::PicLevel::None;
    let no_imm = ir.replace("sub $%c1, %0", "nop");
    common::run("asm-static", ir, &driver, &options, &["-no-pie", "-fno-pie"]);
    common::run("asm-pie", &no_imm, &driver, &Options::default(), &[]);
}

#[test]
fn vector_builtins() {
    let number = |name: &str| ir::x86::find(name).expect("operation exists");
    let mut ir = String::new();
    let mut body = String::new();
    let mut c = String::new();
    let binary =
        ["addss", "packuswb", "pmaddwd", "psadbw", "cmpps 1", "cmpps swapped 5", "andnps", "pavgb", "psllw", "movsd"];
    let builtins = [
        "(v)__builtin_ia32_addss((f)a, (f)b)",
        "(v)__builtin_ia32_packuswb128((s)a, (s)b)",
        "(v)__builtin_ia32_pmaddwd128((s)a, (s)b)",
        "(v)__builtin_ia32_psadbw128((c)a, (c)b)",
        "(v)__builtin_ia32_cmpltps((f)a, (f)b)",
        "(v)__builtin_ia32_cmpngtps((f)a, (f)b)",
        "(v)__builtin_ia32_andnps((f)a, (f)b)",
        "(v)__builtin_ia32_pavgb128((c)a, (c)b)",
        "(v)__builtin_ia32_psllw128((s)a, (s)(v){ 3, 0 })",
        "(v)__builtin_ia32_movsd((d)a, (d)b)",
    ];
    for (index, (name, builtin)) in binary.iter().zip(builtins).enumerate() {
        ir += &format!("symbol @f{index} global function : (ptr, ptr, ptr) -> ()\n");
        let load_b =
            if *name == "psllw" { "v4: <8 x i16> = load v2 align 1" } else { "v4: <8 x i16> = load v1 align 1" };
        body += &format!(
            "func @f{index} v0, v1, v2 : (ptr, ptr, ptr) -> () {{\nb0:\n  v3: <8 x i16> = load v0 align 1\n  {load_b}\n  v5: <8 x i16> = intrinsic x86 i32 {}, v3, v4\n  store v2, v5 align 1\n  ret\n}}\n",
            number(name)
        );
        let third = if *name == "psllw" { "r = (v){ 3, 0 };" } else { "" };
        c += &format!(
            "  {{ void f{index}(void *, void *, void *); v r; {third} f{index}(&a, &b, &r); v w = {builtin}; CHECK(!memcmp(&r, &w, 16) && {index} >= 0); }}\n"
        );
    }
    ir += "symbol @imm global function : (ptr, ptr, i32) -> (i32)\n";
    body += &format!(
        "func @imm v0, v1, v2 : (ptr, ptr, i32) -> (i32) {{\nb0:\n  v3: <4 x f32> = load v0 align 1\n  v4: <4 x f32> = load v1 align 1\n  v5: <4 x f32> = intrinsic x86 i32 {}, v3, v4, i32 27\n  v6: <4 x i32> = bitcast v5\n  v7: <4 x i32> = intrinsic x86 i32 {}, v6, v2\n  store v0, v7 align 1\n  v8: <2 x i64> = bitcast v7\n  v9: <2 x i64> = intrinsic x86 i32 {}, v8, i32 32\n  store v1, v9 align 1\n  v10: i32 = intrinsic x86 i32 {}, v3, v4\n  v11: i32 = intrinsic movemask v3\n  v12: i32 = mul v11, i32 2\n  v13: i32 = add v10, v12\n  ret v13\n}}\n",
        number("shufps"),
        number("pslld imm"),
        number("psrldq"),
        number("ucomiss lt")
    );
    let driver = format!(
        "{DRIVER_HEAD}typedef long long v __attribute__((vector_size(16)));\ntypedef float f __attribute__((vector_size(16)));\ntypedef double d __attribute__((vector_size(16)));\ntypedef short s __attribute__((vector_size(16)));\ntypedef char c __attribute__((vector_size(16)));\ntypedef int i4 __attribute__((vector_size(16)));\nint imm(void *, void *, int);\nint main(void) {{\n  v a, b; f fa = {{ 1, -2, 3.5f, 4 }}, fb = {{ 5, -6, 7.25f, -8 }}; memcpy(&a, &fa, 16); memcpy(&b, &fb, 16);\n{c}\n  f x = fa, y = fb; int r = imm(&x, &y, 4);\n  CHECK(r == 1 + 2 * 2);\n  i4 w = __builtin_ia32_pslldi128((i4)__builtin_ia32_shufps(fa, fb, 27), 4); CHECK(!memcmp(&x, &w, 16));\n  v z = __builtin_ia32_psrldqi128((v)w, 32); CHECK(!memcmp(&y, &z, 16));\n  return 0;\n}}\n"
    );
    common::run("x86", &format!("{ir}{body}"), &driver, &Options::default(), &["-msse2"]);
}
