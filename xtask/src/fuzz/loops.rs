//! Random loops and nests of two loops over arrays, for the vectoriser: every type, steps up and
//! down, pairs of elements, loops unrolled by hand, loops that only add, known and unknown counts, rows, columns and
//! diagonals, indices that are loaded, values that are carried or were stored before, stores that
//! some iterations run, accesses that meet in other iterations. The arithmetic is on unsigned
//! numbers (or floating ones, where NaNs are hashed alike), all indices lie within the arrays: no
//! program has undefined behaviour.

use crate::abi::types::Random;
use std::fmt::Write as _;

/// Rows and columns of the two-dimensional arrays; the one-dimensional ones are four times as long.
const SIDE: usize = 64;

const INTEGERS: [&str; 8] = ["uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t", "uint64_t", "int64_t"];
const FLOATS: [&str; 2] = ["float", "double"];

/// Elements by which pointers into one array may lie apart.
const AWAY: usize = 8;

/// Functions of one program.
const KERNELS: usize = 6;

/// The arrays of a program and how its expressions are made.
struct Shape {
    random: Random,
    types: Vec<&'static str>,
    floating: bool,
    /// Sources come first and are only read by most kernels; the rest are only written by those.
    sources: usize,
    /// Whether this kernel keeps to accesses that line up in memory.
    tidy: bool,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let floating = chance(&mut random, 30);
    let pool: &[&'static str] = if floating { &FLOATS } else { &INTEGERS };
    let usual = pick(&mut random, pool);
    let arrays = 3 + below(&mut random, 4);
    let types: Vec<&'static str> =
        (0..arrays).map(|_| if chance(&mut random, 60) { usual } else { pick(&mut random, pool) }).collect();
    let sources = arrays.div_ceil(2);
    let mut shape = Shape { random, types, floating, sources, tidy: false };
    let mut out = String::from("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n");
    for (index, ty) in shape.types.iter().enumerate() {
        let _ = writeln!(out, "static {ty} A{index}[{SIDE}][{SIDE}], B{index}[{}];", 4 * SIDE + AWAY);
    }
    out.push_str("static volatile int away;\n");
    for index in 0..KERNELS {
        kernel(&mut shape, index, usual, &mut out);
    }
    driver(&shape, &mut out);
    out
}

fn below(random: &mut Random, n: usize) -> usize {
    random.below(n)
}

fn chance(random: &mut Random, percent: usize) -> bool {
    random.below(100) < percent
}

fn pick<T: Copy>(random: &mut Random, list: &[T]) -> T {
    list[below(random, list.len())]
}

impl Shape {
    fn constant(&mut self, n: usize) -> usize {
        below(&mut self.random, n)
    }

    /// An element that iterations of the outer loop line up, or all share; `inner` is whether there
    /// is a counter k.
    fn aligned(&mut self, arrays: std::ops::Range<usize>, inner: bool) -> String {
        let a = arrays.start + below(&mut self.random, arrays.len());
        let c = self.constant(4);
        let forms: Vec<String> = if inner {
            vec![
                format!("A{a}[k][j]"),
                format!("A{a}[k + {c}][j + 1]"),
                format!("A{a}[k][k]"),
                format!("A{a}[{c}][k]"),
                format!("B{a}[j + k]"),
                format!("B{a}[j + 2 * k]"),
                format!("B{a}[k]"),
                format!("B{a}[j]"),
            ]
        } else {
            vec![
                format!("B{a}[j]"),
                format!("B{a}[j + {c}]"),
                format!("B{a}[2 * j + {}]", c & 1),
                format!("B{a}[{} - j]", 40 + c),
                format!("A{a}[{c}][j]"),
                format!("A{a}[{c}][3]"),
                format!("A{a}[j][j + {c}]"),
            ]
        };
        forms[below(&mut self.random, forms.len())].clone()
    }

    /// Any element.
    fn element(&mut self, inner: bool) -> String {
        let all = 0..self.types.len();
        if chance(&mut self.random, 50) {
            return self.aligned(all, inner);
        }
        let a = below(&mut self.random, all.len());
        let index = |s: &mut Shape| {
            let v = if inner && chance(&mut s.random, 50) { "k" } else { "j" };
            let c = s.constant(4);
            match s.constant(4) {
                0 => v.to_string(),
                1 => format!("{v} + {c}"),
                2 => format!("40 - {v}"),
                _ => format!("2 * {v} + {c}"),
            }
        };
        let (x, y) = (index(self), index(self));
        if chance(&mut self.random, 60) { format!("A{a}[{x}][{y}]") } else { format!("B{a}[{x}]") }
    }

    /// An element whose index is loaded or computed.
    fn elsewhere(&mut self) -> String {
        let (a, b) = (below(&mut self.random, self.types.len()), below(&mut self.random, self.types.len()));
        let (c, all) = (self.constant(4), 4 * SIDE);
        match self.constant(4) {
            0 => format!("B{a}[(j + {c}) * j % {all}]"),
            1 => format!("B{a}[(j + {c}) / 2]"),
            _ if self.floating => format!("B{a}[(7 * j + {c}) & 63]"),
            _ => format!("B{a}[(uint8_t)B{b}[j + {c}]]"),
        }
    }

    fn source(&mut self, inner: bool) -> String {
        if chance(&mut self.random, 10) {
            return self.elsewhere();
        }
        if self.tidy { self.aligned(0..self.sources, inner) } else { self.element(inner) }
    }

    fn target(&mut self, inner: bool) -> String {
        if self.tidy { self.aligned(self.sources..self.types.len(), inner) } else { self.element(inner) }
    }

    fn expression(&mut self, depth: usize, inner: bool, scalars: &[String]) -> String {
        if depth == 0 || chance(&mut self.random, 30) {
            return match self.constant(10) {
                0 => format!("{}", self.constant(100)),
                1 if inner => "k".to_string(),
                1 => format!("(int32_t)(j + {})", self.constant(4)),
                2 | 3 if !scalars.is_empty() => scalars[below(&mut self.random, scalars.len())].clone(),
                _ => self.source(inner),
            };
        }
        let a = self.expression(depth - 1, inner, scalars);
        let b = self.expression(depth - 1, inner, scalars);
        if chance(&mut self.random, 10) {
            let cc = pick(&mut self.random, &["<", ">", "<=", "=="]);
            return format!("({a} {cc} {b} ? {a} : {b})");
        }
        if self.floating {
            return format!("({a} {} {b})", pick(&mut self.random, &["+", "-", "*"]));
        }
        // With a signed 64-bit operand, unsigned int would not win.
        let wide = self.types.contains(&"int64_t") || chance(&mut self.random, 30);
        let unsigned = if wide { "1ull *" } else { "1u *" };
        let signed = pick(&mut self.random, &["", "", "(int32_t)", "(int16_t)", "(uint8_t)"]);
        match self.constant(12) {
            0 => format!("({unsigned} {a} >> {})", 1 + self.constant(6)),
            1 => format!("({unsigned} {a} << {})", 1 + self.constant(6)),
            2 => format!("({unsigned} {a} % {})", pick(&mut self.random, &[3, 7, 10, 255, 1000])),
            _ => {
                let operator = pick(&mut self.random, &["+", "-", "*", "&", "|", "^", "+"]);
                format!("({signed}({unsigned} {a} {operator} {unsigned} {b}))")
            }
        }
    }
}

/// A function with one loop, or two in each other.
fn kernel(s: &mut Shape, index: usize, usual: &str, out: &mut String) {
    s.tidy = chance(&mut s.random, 70);
    if chance(&mut s.random, 30) {
        return unrolled(s, index, usual, out);
    }
    if chance(&mut s.random, 10) {
        return sums_alone(s, index, out);
    }
    if chance(&mut s.random, 15) {
        return stored_before(s, index, usual, out);
    }
    let nested = chance(&mut s.random, 60);
    let unknown = chance(&mut s.random, 40);
    let (n, m) = if unknown {
        ("n".to_string(), "m".to_string())
    } else {
        let (n, m) = (pick(&mut s.random, &[4, 5, 8, 13, 16, 24]), pick(&mut s.random, &[1, 2, 3, 7, 16, 20]));
        (n.to_string(), m.to_string())
    };
    let counter = pick(&mut s.random, &["int", "long", "unsigned"]);
    let down = chance(&mut s.random, 15);
    let step = pick(&mut s.random, &[1, 1, 1, 1, 2]);
    let _ = writeln!(out, "__attribute__((noinline)) static void f{index}(int n, int m)\n{{");
    let _ = match down {
        true => writeln!(out, "    for (int j = {n} - 1; j >= 0; j--) {{"),
        false => writeln!(out, "    for ({counter} j = 0; j < ({counter}){n}; j += {step}) {{"),
    };
    let scalars: Vec<String> = (0..1 + s.constant(2)).map(|i| format!("s{i}")).collect();
    for name in &scalars {
        let start = if chance(&mut s.random, 50) { "0".to_string() } else { s.source(false) };
        let _ = writeln!(out, "        {usual} {name} = {start};");
    }
    if nested {
        let step = pick(&mut s.random, &[1, 1, 1, 2]);
        let _ = writeln!(out, "        for (int k = 0; k < {m}; k += {step}) {{");
    }
    let indent = if nested { "            " } else { "        " };
    for name in &scalars {
        let value = s.expression(2, nested, &scalars);
        let _ = match s.constant(3) {
            0 => writeln!(out, "{indent}{name} = {value};"),
            _ if s.floating => writeln!(out, "{indent}{name} = {name} + {value};"),
            _ => writeln!(out, "{indent}{name} = 1ull * {name} + {value};"),
        };
    }
    if !nested || chance(&mut s.random, 35) {
        let value = s.expression(2, nested, &scalars);
        let _ = writeln!(out, "{indent}{} = {value};", s.target(nested));
    }
    if chance(&mut s.random, 30) {
        conditional_stores(s, nested, &scalars, indent, out);
    }
    if !nested && chance(&mut s.random, 20) {
        // Two stores that fill each other's gaps.
        let a = s.sources + below(&mut s.random, s.types.len() - s.sources);
        for place in 0..2 {
            let value = s.expression(2, false, &scalars);
            let _ = writeln!(out, "{indent}B{a}[2 * j + {place}] = {value};");
        }
    }
    if nested {
        out.push_str("        }\n");
    }
    for name in &scalars {
        if chance(&mut s.random, 80) {
            let _ = writeln!(out, "        {} = {name};", s.target(false));
        }
    }
    out.push_str("    }\n}\n");
}

/// A function with a loop unrolled by hand.
fn unrolled(s: &mut Shape, index: usize, usual: &str, out: &mut String) {
    let copies = 2 + s.constant(5);
    let down = chance(&mut s.random, 15);
    let counter = pick(&mut s.random, &["int", "long", "unsigned"]);
    let n = if chance(&mut s.random, 60) { "n" } else { pick(&mut s.random, &["6", "12", "20", "24"]) };
    let _ = writeln!(out, "__attribute__((noinline)) static void f{index}(int n, int m)\n{{");
    let _ = writeln!(out, "    {usual} s0 = m, s1 = 3;\n    {} *p = B0 + away % {AWAY}, *q = B0;", s.types[0]);
    let _ = match down {
        true => writeln!(out, "    for (int j = {n} + {copies}; j >= {copies}; j -= {copies}) {{"),
        false => writeln!(out, "    for ({counter} j = 0; j < ({counter}){n}; j += {copies}) {{"),
    };
    let pointers = chance(&mut s.random, 40);
    let invariant = ["s1".to_string()];
    let sums = if chance(&mut s.random, 50) { 1 } else { 0 };
    let statements: Vec<String> = (0..1 + s.constant(2))
        .map(|at| {
            let value = s.expression(2, false, &invariant);
            let operator = pick(&mut s.random, &["+", "+", "-", "^"]);
            let statement = match at {
                _ if at >= sums => format!("{} = {value};", s.target(false)),
                _ if s.floating => format!("s0 = s0 + {value};"),
                _ => format!("s0 = 1ull * s0 {operator} {value};"),
            };
            if pointers { statement.replace("B0[", "p[").replace("B1[", "q[") } else { statement }
        })
        .collect();
    let odd = if chance(&mut s.random, 15) { s.constant(copies) } else { 0 };
    let in_order = chance(&mut s.random, 80);
    for place in 0..copies * statements.len() {
        let (copy, statement) = match in_order {
            true => (place / statements.len(), place % statements.len()),
            false => (place % copies, place / copies),
        };
        let by = if copy == odd && odd > 0 { odd - 1 } else { copy };
        let there = if down { format!("(j - {by})") } else { format!("(j + {by})") };
        let text = &statements[statement];
        let _ = writeln!(out, "        {}", if by == 0 { text.clone() } else { text.replace('j', &there) });
    }
    let _ = writeln!(out, "    }}\n    {} = s0;\n}}", s.target(false).replace('j', "3"));
}

/// A function with a loop that loads what the iteration before has stored, among other stores.
fn stored_before(s: &mut Shape, index: usize, usual: &str, out: &mut String) {
    let counter = pick(&mut s.random, &["int", "long", "unsigned"]);
    let (down, n) = (chance(&mut s.random, 25), pick(&mut s.random, &["n", "n", "n", "13", "24"]));
    let _ = writeln!(out, "__attribute__((noinline)) static void f{index}(int n, int m)\n{{\n    {usual} s0 = m;");
    let _ = match down {
        true => writeln!(out, "    for (int j = {n}; j > 0; j--) {{"),
        false => writeln!(out, "    for ({counter} j = 0; j < ({counter}){n}; j++) {{"),
    };
    let scalars = ["s0".to_string()];
    let (a, c) = (below(&mut s.random, s.types.len()), s.constant(4));
    let (stored, loaded) = if down { (c, c + 1) } else { (c + 1, c) };
    let mut statements = vec![format!("B{a}[j + {stored}] = {};", s.expression(2, false, &scalars))];
    let other = s.expression(1, false, &scalars);
    let operator = if s.floating { "+" } else { "+ 1ull *" };
    statements.push(format!("{} = B{a}[j + {loaded}] {operator} {other};", s.target(false)));
    if chance(&mut s.random, 50) {
        statements.push(format!("s0 = B{a}[j + {loaded}];"));
    }
    if chance(&mut s.random, 50) {
        statements.push(format!("{} = {};", s.target(false), s.expression(1, false, &scalars)));
    }
    let turned = s.constant(statements.len());
    statements.rotate_left(turned);
    statements.iter().for_each(|text| out.push_str(&format!("        {text}\n")));
    if chance(&mut s.random, 30) {
        conditional_stores(s, false, &scalars, "        ", out);
    }
    let _ = writeln!(out, "    }}\n    {} = s0;\n}}", s.target(false).replace('j', "3"));
}

/// A function whose loops only count and add: what they end with can be computed without them.
fn sums_alone(s: &mut Shape, index: usize, out: &mut String) {
    let _ = writeln!(out, "__attribute__((noinline)) static void f{index}(int n, int m)\n{{");
    let counters = &INTEGERS[..];
    let _ = writeln!(out, "    {} j = 1, k = 2;", pick(&mut s.random, counters));
    for x in 0..3 {
        let _ = writeln!(
            out,
            "    {} x{x} = {};",
            pick(&mut s.random, counters),
            pick(&mut s.random, &["n", "m", "0", "77"])
        );
    }
    let nested = chance(&mut s.random, 50);
    for counter in ["j", "k"] {
        let by = pick(&mut s.random, &["1", "1", "2", "3", "7"]);
        let (low, high) = pick(&mut s.random, &[("0", "n"), ("m", "n"), ("n", "30"), ("n / 2", "n + 9")]);
        let _ = match s.constant(5) {
            1 => writeln!(out, "    for ({counter} = {high} + {by}; {counter} > {low} + {by}; {counter} -= {by}) {{"),
            2 => writeln!(out, "    for ({counter} = {low}; {counter} <= {high}; {counter} += {by}) {{"),
            3 => writeln!(out, "    for ({counter} = {low}; {counter} != {low} + n; {counter}++) {{"),
            _ => writeln!(out, "    for ({counter} = {low}; {counter} < {high}; {counter} += {by}) {{"),
        };
        if nested && counter == "j" {
            out.push_str("    x1 = 1ull * x1 + j;\n");
            continue;
        }
        for _ in 0..1 + s.constant(2) {
            let (x, other, factor) = (s.constant(3), s.constant(3), s.constant(1000));
            let added = match s.constant(5) {
                1 => format!("{factor}"),
                2 => format!("({factor}ull * n + m)"),
                3 => format!("({factor}ull * j - k)"),
                4 => format!("{factor}ull * (uint8_t)k"),
                _ => format!("3ull * x{other}"),
            };
            let _ = writeln!(out, "        x{x} = 1ull * x{x} {} {added};", pick(&mut s.random, &["+", "-"]));
        }
        out.push_str("    }\n");
    }
    out.push_str(if nested { "    }\n" } else { "" });
    let element = s.types[0];
    let _ = writeln!(out, "    {element} *p = B0;\n    p[0] = x0, p[1] = x1, p[2] = x2, p[3] = j, p[4] = k;\n}}");
}

/// A store that some iterations run, with another one for some of the others or for all of them.
fn conditional_stores(s: &mut Shape, nested: bool, scalars: &[String], indent: &str, out: &mut String) {
    let condition = |s: &mut Shape| {
        let cc = pick(&mut s.random, &["<", ">", "<=", ">=", "==", "!="]);
        format!("{} {cc} {}", scalars[below(&mut s.random, scalars.len())], s.constant(30))
    };
    let value = |s: &mut Shape| {
        let scalar = &scalars[below(&mut s.random, scalars.len())];
        if chance(&mut s.random, 50) { scalar.clone() } else { format!("1u * {scalar} + {}", s.constant(9)) }
    };
    if chance(&mut s.random, 25) {
        // Read and written in some iterations, in one place.
        let (a, c) = (below(&mut s.random, s.types.len()), s.constant(4));
        let (place, unsigned) = (format!("A{a}[{c}][3]"), if s.floating { "" } else { "1ull * " });
        let _ = writeln!(out, "{indent}if ({})\n{indent}    {place} = {unsigned}{place} + {};", condition(s), value(s));
    }
    let first = s.target(nested);
    let _ = writeln!(out, "{indent}if ({})\n{indent}    {first} = {};", condition(s), value(s));
    let second = if chance(&mut s.random, 60) { first } else { s.target(nested) };
    let _ = match s.constant(4) {
        0 => writeln!(out, "{indent}else if ({})\n{indent}    {second} = {};", condition(s), value(s)),
        1 => writeln!(out, "{indent}else\n{indent}    {second} = {};", value(s)),
        2 => writeln!(out, "{indent}if ({})\n{indent}    {second} = {};", condition(s), value(s)),
        _ => Ok(()),
    };
}

/// Fills the arrays, calls each function for several counts and prints a number of everything in
/// memory.
fn driver(s: &Shape, out: &mut String) {
    out.push_str("static void fill(void)\n{\n    unsigned x = 7;\n");
    let _ = writeln!(out, "    for (int i = 0; i < {SIDE}; i++)\n        for (int j = 0; j < {SIDE}; j++) {{");
    out.push_str("            x = x * 1103515245u + 12345u;\n");
    for index in 0..s.types.len() {
        let _ = writeln!(out, "            A{index}[i][j] = (x >> {}) % 19;", index + 9);
        let _ = writeln!(out, "            B{index}[(i * {SIDE} + j) % {}] = (x >> {}) % 23;", 4 * SIDE, index + 12);
    }
    out.push_str("        }\n}\nstatic uint64_t hash(void)\n{\n    uint64_t h = 1;\n");
    for (index, ty) in s.types.iter().enumerate() {
        for (array, elements) in [("A", SIDE * SIDE), ("B", 4 * SIDE)] {
            let _ = writeln!(out, "    for (int i = 0; i < {elements}; i++) {{");
            let _ = writeln!(out, "        {ty} v = (({ty} *){array}{index})[i];\n        uint64_t bits = 0;");
            out.push_str(
                "        if (v == v)\n            memcpy(&bits, &v, sizeof v);\n        h = h * 31 + bits;\n    }\n",
            );
        }
    }
    out.push_str("    return h;\n}\nint main(void)\n{\n    for (int n = 0; n < 24; n++) {\n");
    for index in 0..KERNELS {
        let _ = writeln!(
            out,
            "        fill(), away = n % 5, f{index}(n, n * 5 % 17), printf(\"%d {index} %llx\\n\", n, (unsigned long long)hash());"
        );
    }
    out.push_str("    }\n    return 0;\n}\n");
}
