//! Every operation on every type, against gcc: for each a function in IR and one in C work on the
//! same bytes.

mod common;

use std::fmt::Write;

use platform::options::Options;

/// One operation: `result = op(a, b, c)`, all in memory.
struct Case {
    name: String,
    /// IR types of the operands.
    args: Vec<String>,
    /// Instructions that make `%r` of type `result` from `%0`, `%1`, `%2`, one per line.
    body: Vec<String>,
    result: String,
    /// The same in C: from `x`, `y`, `z`.
    c: String,
    /// Operands for which the result is not defined.
    skip: String,
}

fn c_type(ty: &str) -> String {
    if let Some(rest) = ty.strip_prefix('<') {
        let (lanes, lane) = rest.trim_end_matches('>').split_once(" x ").expect("vector type");
        return format!("v{lanes}{lane}");
    }
    match ty {
        "i8" => "int8_t",
        "i16" => "int16_t",
        "i32" => "int32_t",
        "i64" => "int64_t",
        "i128" => "__int128",
        "f16" => "_Float16",
        "f32" => "float",
        "f64" => "double",
        "f80" => "long double",
        "f128" => "__float128",
        _ => panic!("no C type for {ty}"),
    }
    .to_owned()
}

fn unsigned(ty: &str) -> String {
    match ty {
        "i128" => "unsigned __int128".to_owned(),
        _ => format!("u{}", c_type(ty)),
    }
}

fn size(ty: &str) -> usize {
    if let Some(rest) = ty.strip_prefix('<') {
        let (lanes, lane) = rest.trim_end_matches('>').split_once(" x ").expect("vector type");
        return lanes.parse::<usize>().expect("lane count") * size(lane);
    }
    if ty == "f80" { 10 } else { ty[1..].parse::<usize>().expect("width") / 8 }
}

struct Suite {
    cases: Vec<Case>,
}

impl Suite {
    fn add(&mut self, name: &str, args: &[&str], body: &[&str], result: &str, c: &str, skip: &str) {
        let clean = |s: &str| s.replace(['<', '>', ' '], "");
        let name = format!("{name}_{}_{}", args.iter().map(|a| clean(a)).collect::<Vec<_>>().join("_"), clean(result));
        self.cases.push(Case {
            name,
            args: args.iter().map(|a| a.to_string()).collect(),
            body: body.iter().map(|b| b.to_string()).collect(),
            result: result.to_owned(),
            c: c.to_owned(),
            skip: skip.to_owned(),
        });
    }

    fn ir(&self) -> String {
        let mut out = String::new();
        for case in &self.cases {
            writeln!(out, "symbol @{} global function : (ptr, ptr, ptr, ptr) -> ()", case.name).unwrap();
        }
        for case in &self.cases {
            writeln!(out, "func @{} v0, v1, v2, v3 : (ptr, ptr, ptr, ptr) -> () {{\nb0:", case.name).unwrap();
            for (i, ty) in case.args.iter().enumerate() {
                writeln!(out, "  v{}: {ty} = load v{} align 1", 4 + i, 1 + i).unwrap();
            }
            for line in &case.body {
                let line = line.replace("%0", "v4").replace("%1", "v5").replace("%2", "v6");
                writeln!(out, "  {}", line.replace("%r", "v100").replace("%t", "v101").replace("%u", "v102")).unwrap();
            }
            writeln!(out, "  store v0, v100 align 1\n  ret\n}}").unwrap();
        }
        out
    }

    fn driver(&self) -> String {
        let mut out = String::from(DRIVER_HEAD);
        for case in &self.cases {
            writeln!(out, "extern void {}(void *, void *, void *, void *);", case.name).unwrap();
            writeln!(out, "static int ref_{}(void *r, void *a, void *b, void *c) {{", case.name).unwrap();
            for (i, ty) in case.args.iter().enumerate() {
                let (var, from) = (["x", "y", "z"][i], ["a", "b", "c"][i]);
                writeln!(
                    out,
                    "  {} {var}; memset(&{var}, 0, sizeof {var}); memcpy(&{var}, {from}, {});",
                    c_type(ty),
                    size(ty)
                )
                .unwrap();
            }
            if !case.skip.is_empty() {
                writeln!(out, "  if ({}) return 0;", case.skip).unwrap();
            }
            writeln!(
                out,
                "  {} w; {}; memcpy(r, &w, {}); return 1; }}",
                c_type(&case.result),
                case.c,
                size(&case.result)
            )
            .unwrap();
        }
        writeln!(out, "int main(void) {{").unwrap();
        for case in &self.cases {
            let sizes: Vec<usize> = (0..3).map(|i| case.args.get(i).map_or(0, |a| size(a))).collect();
            let kind = if case.result.contains('f') { &case.result[case.result.find('f').unwrap()..] } else { "i" };
            writeln!(
                out,
                "  check(\"{0}\", {0}, ref_{0}, {1}, {2}, {3}, {4}, '{5}', {6});",
                case.name,
                sizes[0],
                sizes[1],
                sizes[2],
                size(&case.result),
                if kind == "i" { 'i' } else { 'f' },
                if kind == "i" { 1 } else { size(kind.trim_end_matches('>')) },
            )
            .unwrap();
        }
        writeln!(out, "  return failures != 0;\n}}").unwrap();
        out
    }

    fn run(&self, name: &str, options: &Options, flags: &[&str]) {
        common::run(name, &self.ir(), &self.driver(), options, flags);
    }
}

const DRIVER_HEAD: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#define V(n, t, c) typedef c v##n##t __attribute__((vector_size(n * sizeof(c))));
V(2, i8, int8_t) V(4, i8, int8_t) V(8, i8, int8_t) V(16, i8, int8_t) V(32, i8, int8_t)
V(4, i16, int16_t) V(8, i16, int16_t) V(16, i16, int16_t)
V(2, i32, int32_t) V(4, i32, int32_t) V(8, i32, int32_t)
V(2, i64, int64_t) V(4, i64, int64_t)
V(2, f32, float) V(4, f32, float) V(2, f64, double) V(4, f64, double) V(8, f32, float)
static int failures;
static uint64_t state = 88172645463325252ull;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static const uint64_t nice[] = { 0, 1, -1, 2, 3, 7, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
  0x8000000000000000, 0x3f80000000000000, 0x3ff0000000000000, 0xbff8000000000000, 0x7ff0000000000000, 0x7ff8000000000000, 0x3f800000,
  0xbfc000003f800000, 0x7f8000007fc00000, 0x4090000000000000, 0x43e0000000000000, 0x5f0000005f7fffff, 0x3c003c003c00bc00, 0x41f00000, 100, -100 };
static void fill(unsigned char *p, int n) {
  for (int i = 0; i < 64; i += 8) {
    uint64_t v = next() & 1 ? nice[next() % (sizeof nice / sizeof *nice)] : next() >> (next() % 64);
    memcpy(p + i, &v, 8);
  }
  if (n == 10) { /* a valid x87 number */
    static const long double some[] = { 0, 1, -1, 0.5, -2.75, 1e10, -1e10, 1e300, 18446744073709551615.0L, 9223372036854775808.0L, INFINITY, -INFINITY, NAN, 3, 100 };
    long double v = some[next() % 15];
    if (next() & 1) v = (long double)(int64_t)next() / 1024;
    memcpy(p, &v, 10);
  }
}
static int is_nan(const unsigned char *p, int n) {
  if (n == 2) { _Float16 v; memcpy(&v, p, 2); return v != v; }
  if (n == 4) { float v; memcpy(&v, p, 4); return v != v; }
  if (n == 8) { double v; memcpy(&v, p, 8); return v != v; }
  if (n == 10) { long double v; memcpy(&v, p, 10); return v != v; }
  __float128 v; memcpy(&v, p, 16); return v != v;
}
static void check(const char *name, void (*f)(void *, void *, void *, void *), int (*ref)(void *, void *, void *, void *),
                  int n0, int n1, int n2, int n, int kind, int lane) {
  unsigned char a[3][64] __attribute__((aligned(16))), got[64], want[64];
  int sizes[3] = { n0, n1, n2 };
  for (int round = 0; round < 200; round++) {
    for (int i = 0; i < 3; i++) fill(a[i], sizes[i]);
    memset(got, 0xaa, 64); memset(want, 0xaa, 64);
    if (!ref(want, a[0], a[1], a[2])) continue;
    f(got, a[0], a[1], a[2]);
    if (!memcmp(got, want, 64)) continue;
    int bad = memcmp(got + n, want + n, 64 - n) != 0;
    for (int i = 0; i < n; i += lane)
      if (memcmp(got + i, want + i, lane) && !(kind == 'f' && is_nan(got + i, lane) && is_nan(want + i, lane))) bad = 1;
    if (!bad) continue;
    failures++;
    printf("%s:", name);
    for (int k = 0; k < 3; k++) { for (int i = sizes[k]; i-- > 0;) printf("%02x", a[k][i]); printf(" "); }
    printf("\n  got  "); for (int i = n; i-- > 0;) printf("%02x", got[i]);
    printf("\n  want "); for (int i = n; i-- > 0;) printf("%02x", want[i]);
    printf("\n");
    return;
  }
}
"#;

const INTS: [&str; 5] = ["i8", "i16", "i32", "i64", "i128"];

fn bits(ty: &str) -> usize {
    size(ty) * 8
}

fn integer_cases(suite: &mut Suite) {
    for ty in INTS {
        let (t, u, n) = (c_type(ty), unsigned(ty), bits(ty));
        let two = [ty, ty];
        for (op, c) in [("add", "+"), ("sub", "-"), ("mul", "*"), ("and", "&"), ("or", "|"), ("xor", "^")] {
            suite.add(op, &two, &[&format!("%r: {ty} = {op} %0, %1")], ty, &format!("w = ({u})x {c} ({u})y"), "");
            suite.add(
                &format!("{op}_const"),
                &[ty],
                &[&format!("%r: {ty} = {op} %0, {ty} 37")],
                ty,
                &format!("w = ({u})x {c} ({u})37"),
                "",
            );
            suite.add(
                &format!("{op}_same"),
                &[ty],
                &[&format!("%r: {ty} = {op} %0, %0")],
                ty,
                &format!("w = ({u})x {c} ({u})x"),
                "",
            );
        }
        let zero = format!("y == 0 || (y == -1 && x == ({t})(({u})1 << {}))", n - 1);
        suite.add("sdiv", &two, &[&format!("%r: {ty} = sdiv %0, %1")], ty, "w = x / y", &zero);
        suite.add("srem", &two, &[&format!("%r: {ty} = srem %0, %1")], ty, "w = x % y", &zero);
        suite.add("udiv", &two, &[&format!("%r: {ty} = udiv %0, %1")], ty, &format!("w = ({u})x / ({u})y"), "y == 0");
        suite.add("urem", &two, &[&format!("%r: {ty} = urem %0, %1")], ty, &format!("w = ({u})x % ({u})y"), "y == 0");
        suite.add("udiv16", &[ty], &[&format!("%r: {ty} = udiv %0, {ty} 16")], ty, &format!("w = ({u})x / 16"), "");
        suite.add("urem16", &[ty], &[&format!("%r: {ty} = urem %0, {ty} 16")], ty, &format!("w = ({u})x % 16"), "");
        suite.add("sdiv7", &[ty], &[&format!("%r: {ty} = sdiv %0, {ty} 7")], ty, "w = x / 7", "");
        for (op, c) in [
            ("shl", format!("w = ({u})x << y")),
            ("lshr", format!("w = ({u})x >> y")),
            ("ashr", "w = x >> y".to_owned()),
        ] {
            suite.add(
                op,
                &two,
                &[&format!("%t: {ty} = and %1, {ty} {}", n - 1), &format!("%r: {ty} = {op} %0, %t")],
                ty,
                &format!("y &= {}; {c}", n - 1),
                "",
            );
            suite.add(
                &format!("{op}5"),
                &[ty],
                &[&format!("%r: {ty} = {op} %0, {ty} 5")],
                ty,
                &format!("int y = 5; {c}"),
                "",
            );
        }
        let m = n - 1;
        let rotl = format!("w = (({u})x << (y & {m})) | (({u})x >> (-y & {m}))");
        let rotr = format!("w = (({u})x >> (y & {m})) | (({u})x << (-y & {m}))");
        suite.add("rotl", &two, &[&format!("%r: {ty} = rotl %0, %1")], ty, &rotl, "");
        suite.add("rotr", &two, &[&format!("%r: {ty} = rotr %0, %1")], ty, &rotr, "");
        suite.add("rotl3", &[ty], &[&format!("%r: {ty} = rotl %0, {ty} 3")], ty, &format!("int y = 3; {rotl}"), "");
        for (op, ct, c) in [("smin", &t, "<"), ("smax", &t, ">"), ("umin", &u, "<"), ("umax", &u, ">")] {
            suite.add(
                op,
                &two,
                &[&format!("%r: {ty} = {op} %0, %1")],
                ty,
                &format!("w = ({ct})x {c} ({ct})y ? x : y"),
                "",
            );
        }
        for (op, builtin) in [("add", "add"), ("sub", "sub"), ("mul", "mul")] {
            for (sign, ct) in [("s", &t), ("u", &u)] {
                let name = format!("{sign}{op}_overflow");
                let line = format!("%r: {ty}, %t: i1 = {name} %0, %1");
                suite.add(
                    &name,
                    &two,
                    &[&line],
                    ty,
                    &format!("{ct} q; __builtin_{builtin}_overflow(({ct})x, ({ct})y, &q); w = q"),
                    "",
                );
                let flag = [line.replace("%r", "%u"), "%r: i8 = zext %t".to_owned()];
                suite.add(
                    &format!("{name}_flag"),
                    &two,
                    &[&flag[0], &flag[1]],
                    "i8",
                    &format!("{ct} q; w = __builtin_{builtin}_overflow(({ct})x, ({ct})y, &q)"),
                    "",
                );
            }
        }
        for cc in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"] {
            let ct = if cc.starts_with('u') { &u } else { &t };
            let c = match &cc[cc.len() - 2..] {
                "eq" => "==",
                "ne" => "!=",
                "lt" => "<",
                "le" => "<=",
                "gt" => ">",
                _ => ">=",
            };
            suite.add(
                cc,
                &two,
                &[&format!("%t: i1 = icmp.{cc} %0, %1"), "%r: i8 = zext %t"],
                "i8",
                &format!("w = ({ct})x {c} ({ct})y"),
                "",
            );
            suite.add(
                &format!("{cc}_const"),
                &[ty],
                &[&format!("%t: i1 = icmp.{cc} %0, {ty} 100"), "%r: i8 = zext %t"],
                "i8",
                &format!("w = ({ct})x {c} ({ct})100"),
                "",
            );
            suite.add(
                &format!("{cc}_sel"),
                &[ty, ty, "i64"],
                &[&format!("%t: i1 = icmp.{cc} %0, %1"), "%r: i64 = select %t, %2, i64 5"],
                "i64",
                &format!("w = ({ct})x {c} ({ct})y ? z : 5"),
                "",
            );
        }
        let high =
            if n == 128 { None } else { Some(format!("w = (unsigned __int128)(__int128)x * (__int128)y >> {n}")) };
        if let Some(high) = high {
            suite.add("smulh", &two, &[&format!("%r: {ty} = smulh %0, %1")], ty, &high, "");
            suite.add(
                "umulh",
                &two,
                &[&format!("%r: {ty} = umulh %0, %1")],
                ty,
                &format!("w = (unsigned __int128)({u})x * ({u})y >> {n}"),
                "",
            );
        } else {
            suite.add(
                "umulh",
                &two,
                &["%r: i128 = umulh %0, %1"],
                ty,
                &"w = umulh128(x, y)".to_string().replace("umulh128(x, y)", UMULH),
                "",
            );
        }
        let clz = if n == 128 {
            "w = x == 0 ? 128 : (uint64_t)(x >> 64) ? __builtin_clzll(x >> 64) : 64 + __builtin_clzll(x)".to_owned()
        } else {
            format!("w = x == 0 ? {n} : __builtin_clzll(({u})x) - {}", 64 - n)
        };
        let ctz = if n == 128 {
            "w = x == 0 ? 128 : (uint64_t)x ? __builtin_ctzll(x) : 64 + __builtin_ctzll(x >> 64)".to_owned()
        } else {
            format!("w = x == 0 ? {n} : __builtin_ctzll(({u})x)")
        };
        suite.add("ctlz", &[ty], &[&format!("%r: {ty} = ctlz %0")], ty, &clz, "");
        suite.add("cttz", &[ty], &[&format!("%r: {ty} = cttz %0")], ty, &ctz, "");
        let pop = if n == 128 {
            "w = __builtin_popcountll(x) + __builtin_popcountll(x >> 64)".to_owned()
        } else {
            format!("w = __builtin_popcountll(({u})x)")
        };
        suite.add("popcount", &[ty], &[&format!("%r: {ty} = popcount %0")], ty, &pop, "");
        let reverse = "unsigned char *p = (void *)&x, *q = (void *)&w; for (unsigned i = 0; i < sizeof x; i++) q[i] = p[sizeof x - 1 - i]";
        suite.add("bswap", &[ty], &[&format!("%r: {ty} = bswap %0")], ty, reverse, "");
        for to in INTS {
            let tc = c_type(to);
            if size(to) > size(ty) {
                suite.add("zext", &[ty], &[&format!("%r: {to} = zext %0")], to, &format!("w = ({tc})({u})x"), "");
                suite.add("sext", &[ty], &[&format!("%r: {to} = sext %0")], to, &format!("w = ({tc})x"), "");
            } else if size(to) < size(ty) {
                suite.add("trunc", &[ty], &[&format!("%r: {to} = trunc %0")], to, &format!("w = ({tc})x"), "");
            }
        }
    }
}

/// The high half of the product of two 128-bit numbers, from 64-bit pieces.
const UMULH: &str = "0; { unsigned __int128 a = (uint64_t)x, b = (unsigned __int128)x >> 64, c = (uint64_t)y, d = (unsigned __int128)y >> 64; \
  unsigned __int128 m = a * d, k = b * c, l = a * c; unsigned __int128 mid = (l >> 64) + (uint64_t)m + (uint64_t)k; \
  w = b * d + (m >> 64) + (k >> 64) + (mid >> 64); }";

const FLOATS: [&str; 5] = ["f16", "f32", "f64", "f80", "f128"];

fn float_cases(suite: &mut Suite) {
    for ty in FLOATS {
        let two = [ty, ty];
        for (op, c) in [
            ("fadd", "x + y"),
            ("fsub", "x - y"),
            ("fmul", "x * y"),
            ("fdiv", "x / y"),
            ("fmin", "x < y ? x : y"),
            ("fmax", "x > y ? x : y"),
        ] {
            suite.add(op, &two, &[&format!("%r: {ty} = {op} %0, %1")], ty, &format!("w = {c}"), "");
        }
        let n = size(ty);
        let top = n - 1;
        suite.add(
            "fneg",
            &[ty],
            &[&format!("%r: {ty} = fneg %0")],
            ty,
            &format!("w = x; ((unsigned char *)&w)[{top}] ^= 0x80"),
            "",
        );
        suite.add(
            "fabs",
            &[ty],
            &[&format!("%r: {ty} = fabs %0")],
            ty,
            &format!("w = x; ((unsigned char *)&w)[{top}] &= 0x7f"),
            "",
        );
        suite.add("copysign", &two, &[&format!("%r: {ty} = copysign %0, %1")], ty, &format!("w = x; ((unsigned char *)&w)[{top}] = ((unsigned char *)&w)[{top}] & 0x7f | ((unsigned char *)&y)[{top}] & 0x80"), "");
        match ty {
            "f32" => suite.add("sqrt", &[ty], &["%r: f32 = sqrt %0"], ty, "w = sqrtf(x)", ""),
            "f64" => suite.add("sqrt", &[ty], &["%r: f64 = sqrt %0"], ty, "w = sqrt(x)", ""),
            "f80" => suite.add("sqrt", &[ty], &["%r: f80 = sqrt %0"], ty, "w = sqrtl(x)", ""),
            "f16" => suite.add("sqrt", &[ty], &["%r: f16 = sqrt %0"], ty, "w = (_Float16)sqrtf((float)x)", ""),
            _ => {}
        }
        match ty {
            "f32" => suite.add("fma", &[ty, ty, ty], &["%r: f32 = fma %0, %1, %2"], ty, "w = fmaf(x, y, z)", ""),
            "f64" => suite.add("fma", &[ty, ty, ty], &["%r: f64 = fma %0, %1, %2"], ty, "w = fma(x, y, z)", ""),
            "f80" => suite.add("fma", &[ty, ty, ty], &["%r: f80 = fma %0, %1, %2"], ty, "w = fmal(x, y, z)", ""),
            _ => {}
        }
        for (cc, c) in [
            ("oeq", "x == y"),
            ("olt", "x < y"),
            ("ole", "x <= y"),
            ("ogt", "x > y"),
            ("oge", "x >= y"),
            ("one", "x < y || x > y"),
            ("ord", "x == x && y == y"),
            ("uno", "x != x || y != y"),
            ("ueq", "!(x < y || x > y)"),
            ("ult", "!(x >= y)"),
            ("ule", "!(x > y)"),
            ("ugt", "!(x <= y)"),
            ("uge", "!(x < y)"),
            ("une", "x != y"),
        ] {
            suite.add(
                cc,
                &two,
                &[&format!("%t: i1 = fcmp.{cc} %0, %1"), "%r: i8 = zext %t"],
                "i8",
                &format!("w = {c}"),
                "",
            );
            suite.add(
                &format!("{cc}_self"),
                &[ty],
                &[&format!("%t: i1 = fcmp.{cc} %0, %0"), "%r: i8 = zext %t"],
                "i8",
                &format!("{} y = x; w = {c}", c_type(ty)),
                "",
            );
            suite.add(
                &format!("{cc}_sel"),
                &[ty, ty, ty],
                &[&format!("%t: i1 = fcmp.{cc}.signaling %0, %1"), &format!("%r: {ty} = select %t, %2, %0")],
                ty,
                &format!("w = ({c}) ? z : x"),
                "",
            );
        }
        for int in INTS {
            let (t, u) = (c_type(int), unsigned(int));
            suite.add("sitofp", &[int], &[&format!("%r: {ty} = sitofp %0")], ty, "w = x", "");
            suite.add("uitofp", &[int], &[&format!("%r: {ty} = uitofp %0")], ty, &format!("w = ({u})x"), "");
            let power = |p: usize| format!("(__float128)((unsigned __int128)1 << {p})");
            let n = bits(int) - 1;
            let range = format!("x != x || !((__float128)x > -{0} - 1 && (__float128)x < {0})", power(n));
            suite.add("fptosi", &[ty], &[&format!("%r: {int} = fptosi %0")], int, &format!("w = ({t})x"), &range);
            let range = format!("x != x || !((__float128)x > -1 && (__float128)x < {} * 2)", power(n));
            suite.add("fptoui", &[ty], &[&format!("%r: {int} = fptoui %0")], int, &format!("w = ({u})x"), &range);
        }
        for to in FLOATS {
            let tc = c_type(to);
            let wider = FLOATS.iter().position(|f| *f == to) > FLOATS.iter().position(|f| *f == ty);
            if to != ty {
                let op = if wider { "fpext" } else { "fptrunc" };
                suite.add(op, &[ty], &[&format!("%r: {to} = {op} %0")], to, &format!("w = ({tc})x"), "");
            }
        }
    }
    for (from, to) in [
        ("f32", "i32"),
        ("i32", "f32"),
        ("f64", "i64"),
        ("i64", "f64"),
        ("i16", "f16"),
        ("f16", "i16"),
        ("i128", "f128"),
        ("f128", "i128"),
    ] {
        suite.add("bitcast", &[from], &[&format!("%r: {to} = bitcast %0")], to, "memcpy(&w, &x, sizeof w)", "");
    }
}

fn vector_cases(suite: &mut Suite) {
    for ty in [
        "<2 x i8>",
        "<4 x i8>",
        "<8 x i8>",
        "<16 x i8>",
        "<32 x i8>",
        "<4 x i16>",
        "<8 x i16>",
        "<16 x i16>",
        "<2 x i32>",
        "<4 x i32>",
        "<8 x i32>",
        "<2 x i64>",
        "<4 x i64>",
    ] {
        let t = c_type(ty);
        let (lanes, lane) = ty[1..ty.len() - 1].split_once(" x ").unwrap();
        let (lt, lu) = (c_type(lane), unsigned(lane));
        let n = bits(lane);
        let two = [ty, ty];
        for (op, c) in
            [("add", "x + y"), ("sub", "x - y"), ("mul", "x * y"), ("and", "x & y"), ("or", "x | y"), ("xor", "x ^ y")]
        {
            suite.add(op, &two, &[&format!("%r: {ty} = {op} %0, %1")], ty, &format!("w = {c}"), "");
        }
        let each =
            |expr: &str| format!("for (int i = 0; i < {lanes}; i++) {{ {lt} p = x[i], q = y[i]; w[i] = {expr}; }}");
        let any_zero = format!("({{ int z = 0; for (int i = 0; i < {lanes}; i++) z |= y[i] == 0 || y[i] == -1; z; }})");
        suite.add("sdiv", &two, &[&format!("%r: {ty} = sdiv %0, %1")], ty, "w = x / y", &any_zero);
        suite.add(
            "urem",
            &two,
            &[&format!("%r: {ty} = urem %0, %1")],
            ty,
            &each(&format!("({lu})p % ({lu})q")),
            &any_zero,
        );
        let mask = format!("for (int i = 0; i < {lanes}; i++) y[i] &= {};", n - 1);
        let and = format!("%t: {ty} = and %1, %u");
        let splat = format!("%u: {ty} = splat {lane} {}", n - 1);
        for (op, expr) in
            [("shl", format!("({lu})p << q")), ("lshr", format!("({lu})p >> q")), ("ashr", "p >> q".to_owned())]
        {
            suite.add(
                op,
                &two,
                &[&splat, &and, &format!("%r: {ty} = {op} %0, %t")],
                ty,
                &format!("{mask} {}", each(&expr)),
                "",
            );
        }
        for (op, ct, c) in [("smin", &lt, "<"), ("smax", &lt, ">"), ("umin", &lu, "<"), ("umax", &lu, ">")] {
            suite.add(
                op,
                &two,
                &[&format!("%r: {ty} = {op} %0, %1")],
                ty,
                &each(&format!("({ct})p {c} ({ct})q ? p : q")),
                "",
            );
        }
        for (cc, ct, c) in [
            ("eq", &lt, "=="),
            ("ne", &lt, "!="),
            ("slt", &lt, "<"),
            ("sge", &lt, ">="),
            ("ule", &lu, "<="),
            ("ugt", &lu, ">"),
            ("ult", &lu, "<"),
            ("sgt", &lt, ">"),
        ] {
            suite.add(
                cc,
                &two,
                &[&format!("%r: {ty} = icmp.{cc} %0, %1")],
                ty,
                &each(&format!("({ct})p {c} ({ct})q ? -1 : 0")),
                "",
            );
        }
        suite.add(
            "vselect",
            &[ty, ty, ty],
            &[&format!("%t: {ty} = icmp.slt %0, %1"), &format!("%r: {ty} = select %t, %2, %0")],
            ty,
            &format!("for (int i = 0; i < {lanes}; i++) w[i] = x[i] < y[i] ? z[i] : x[i]"),
            "",
        );
        suite.add("extract", &[ty], &[&format!("%r: {lane} = extract_lane %0, i32 1")], lane, "w = x[1]", "");
        suite.add(
            "insert",
            &[ty, lane],
            &[&format!("%r: {ty} = insert_lane %0, %1, i32 1")],
            ty,
            "w = x; w[1] = y",
            "",
        );
        let last = lanes.parse::<u32>().unwrap() - 1;
        let at = format!("y & {last}");
        let (extract, insert) =
            (format!("%r: {lane} = extract_lane %0, %1"), format!("%r: {ty} = insert_lane %0, %1, %2"));
        suite.add("extract_at", &[ty, "i32"], &[&extract], lane, &format!("w = x[{at}]"), "");
        let stored = format!("w = x; w[z & {last}] = y");
        suite.add("insert_at", &[ty, lane, "i32"], &[&insert], ty, &stored, "");
        suite.add(
            "splat",
            &[lane],
            &[&format!("%r: {ty} = splat %0")],
            ty,
            &format!("for (int i = 0; i < {lanes}; i++) w[i] = x"),
            "",
        );
        let _ = &t;
    }
    for ty in ["<2 x f32>", "<4 x f32>", "<8 x f32>", "<2 x f64>", "<4 x f64>"] {
        let (lanes, lane) = ty[1..ty.len() - 1].split_once(" x ").unwrap();
        let lt = c_type(lane);
        let int = format!("<{lanes} x i{}>", bits(lane));
        let two = [ty, ty];
        for (op, c) in [("fadd", "x + y"), ("fsub", "x - y"), ("fmul", "x * y"), ("fdiv", "x / y")] {
            suite.add(op, &two, &[&format!("%r: {ty} = {op} %0, %1")], ty, &format!("w = {c}"), "");
        }
        let each =
            |expr: &str| format!("for (int i = 0; i < {lanes}; i++) {{ {lt} p = x[i], q = y[i]; w[i] = {expr}; }}");
        for (cc, c) in [
            ("oeq", "p == q"),
            ("olt", "p < q"),
            ("oge", "p >= q"),
            ("une", "p != q"),
            ("ult", "!(p >= q)"),
            ("one", "p < q || p > q"),
            ("uno", "p != p || q != q"),
        ] {
            suite.add(
                cc,
                &two,
                &[&format!("%r: {int} = fcmp.{cc} %0, %1")],
                &int,
                &each(&format!("({c}) ? -1 : 0")),
                "",
            );
        }
        suite.add("fneg", &[ty], &[&format!("%r: {ty} = fneg %0")], ty, "w = -x", "");
        suite.add("fmin", &two, &[&format!("%r: {ty} = fmin %0, %1")], ty, &each("p < q ? p : q"), "");
    }
    suite.add(
        "shuffle",
        &["<4 x i32>", "<4 x i32>"],
        &["%r: <4 x i32> = shuffle %0, %1 mask 3 5 0 7"],
        "<4 x i32>",
        "w[0] = x[3]; w[1] = y[1]; w[2] = x[0]; w[3] = y[3]",
        "",
    );
    suite.add(
        "widen",
        &["<4 x i16>"],
        &["%r: <4 x i32> = sext %0"],
        "<4 x i32>",
        "for (int i = 0; i < 4; i++) w[i] = x[i]",
        "",
    );
    suite.add(
        "narrow",
        &["<4 x i32>"],
        &["%r: <4 x i16> = trunc %0"],
        "<4 x i16>",
        "for (int i = 0; i < 4; i++) w[i] = x[i]",
        "",
    );
    suite.add(
        "tofloat",
        &["<4 x i32>"],
        &["%r: <4 x f32> = sitofp %0"],
        "<4 x f32>",
        "for (int i = 0; i < 4; i++) w[i] = x[i]",
        "",
    );
}

#[test]
fn integers_agree_with_gcc() {
    let mut suite = Suite { cases: Vec::new() };
    integer_cases(&mut suite);
    suite.run("integers", &Options::default(), &["-O1"]);
}

#[test]
fn floats_agree_with_gcc() {
    let mut suite = Suite { cases: Vec::new() };
    float_cases(&mut suite);
    suite.run("floats", &Options::default(), &["-O0"]);
}

#[test]
fn vectors_agree_with_gcc() {
    let mut suite = Suite { cases: Vec::new() };
    vector_cases(&mut suite);
    suite.run("vectors", &Options::default(), &["-O0"]);
}
