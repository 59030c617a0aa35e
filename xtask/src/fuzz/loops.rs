//! Random loops for the vectoriser and the unroller: arrays of all types, accesses at small distances, sums, choices, conversions, counters in all
//! directions. The program prints a checksum of all memory after each call; signed overflow and conversions out of range do not occur.

use std::fmt::Write as _;

/// Types of arrays: the integers, then the floats.
const TYPES: [&str; 10] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "float",
    "double",
];

/// Index of the first floating type.
const FLOATS: usize = 8;

/// Arrays of a program.
const ARRAYS: usize = 5;

/// Elements beyond the rounds that a loop runs.
const MARGIN: usize = 64;

/// A linear congruential generator (Knuth's constants).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

struct Generator {
    random: Random,
    /// Names of the arrays that the loop at hand sees, and their types.
    arrays: Vec<(String, usize)>,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut g = Generator { random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)), arrays: Vec::new() };
    for _ in 0..20 {
        g.random.below(2);
    }
    let rounds = [64, 100, 128, 37, 256][g.random.below(5)];
    let size = rounds + MARGIN;
    let mut out = String::from("#include <stdio.h>\n");
    let globals: Vec<(String, usize)> = (0..ARRAYS).map(|i| (format!("g{i}"), g.random.below(TYPES.len()))).collect();
    for (name, ty) in &globals {
        let _ = writeln!(out, "static {} {name}[{size}];", TYPES[*ty]);
    }
    let _ = writeln!(
        out,
        "static unsigned long state = {};\nstatic unsigned next(void) {{ state = state * 6364136223846793005UL + \
         1442695040888963407UL; return state >> 33; }}",
        seed.wrapping_add(1)
    );
    let _ = writeln!(out, "static void fill(void) {{ for (int i = 0; i < {size}; i++) {{");
    for (name, ty) in &globals {
        let value = if *ty >= FLOATS { "(int)(next() % 2001 - 1000) * 0.25" } else { "next() >> (i & 3) * 4" };
        let _ = writeln!(out, "  {name}[i] = ({})({value});", TYPES[*ty]);
    }
    out.push_str("} }\nstatic unsigned long sum(void) { unsigned long h = 1; unsigned char *p;\n");
    for (name, _) in &globals {
        let _ = writeln!(
            out,
            "  p = (unsigned char *){name}; for (unsigned k = 0; k < sizeof {name}; k++) h = h * 31 + p[k];"
        );
    }
    out.push_str("return h; }\n");
    let mut calls = String::new();
    for number in 0..8 {
        g.function(&mut out, &mut calls, number, rounds, &globals);
    }
    let _ = writeln!(out, "int main(void) {{ unsigned long h = 0;\n{calls}return 0; }}");
    out
}

impl Generator {
    fn function(
        &mut self,
        out: &mut String,
        calls: &mut String,
        number: usize,
        rounds: usize,
        globals: &[(String, usize)],
    ) {
        let pointers = self.random.one_in(2);
        let restrict = pointers && self.random.one_in(3);
        let mut from: Vec<usize> = (0..ARRAYS).collect();
        let chosen: Vec<usize> = (0..3).map(|_| from.swap_remove(self.random.below(from.len()))).collect();
        let mut parameters = String::new();
        self.arrays = globals.to_vec();
        if pointers {
            self.arrays = chosen.iter().enumerate().map(|(i, &c)| (format!("p{i}"), globals[c].1)).collect();
            for (name, ty) in &self.arrays {
                let _ = write!(parameters, "{} *{}{name}, ", TYPES[*ty], if restrict { "restrict " } else { "" });
            }
        }
        let known = self.random.one_in(2);
        let counts = [rounds, 16, 32, 48, rounds - 1, 17, 8, 4];
        let bound = if known { counts[self.random.below(8)].to_string() } else { "n".to_string() };
        let first = self.random.pick(&["0", "0", "1", "3"]);
        let head = match self.random.below(7) {
            0 => format!("for (int i = {bound} - 1; i >= {first}; i--)"),
            1 => format!("for (long i = {first}; i < {bound}; i++)"),
            2 => format!("for (unsigned i = {first}; i < (unsigned){bound}; i++)"),
            3 => format!("for (int i = {first}; i < {bound}; i += {})", 1 + self.random.below(3)),
            4 => format!("for (unsigned long i = 0; i != (unsigned long){bound}; i++)"),
            _ => format!("for (int i = {first}; i < {bound}; i++)"),
        };
        let statements: String = (0..1 + self.random.below(2)).map(|_| self.statement()).collect();
        let _ = writeln!(
            out,
            "__attribute__((noinline)) static unsigned long f{number}({parameters}int n, int x, long y, int s) {{\n\
             unsigned r = 1; long l = 2; int m = -5; unsigned char c = 9;\n{head} {{\n{statements}}}\n\
             return r * 31ul + l * 7 + m + c; }}"
        );
        let tries: &[usize] = if known { &[1] } else { &[0, 1, 2, 3, 7, 15, 16, 17, 31, 33, 37] };
        for &n in tries {
            let mut arguments = String::new();
            for (index, &c) in chosen.iter().enumerate().take(if pointers { 3 } else { 0 }) {
                // Often into an array of another parameter, if the type is the same.
                let twin = chosen[..index].iter().copied().find(|&o| globals[o].1 == globals[c].1);
                let c = twin.filter(|_| !restrict && self.random.one_in(2)).unwrap_or(c);
                let _ = write!(arguments, "{} + {}, ", globals[c].0, self.random.below(21));
            }
            let (x, y, s) =
                (self.random.below(100) as i64 - 50, self.random.below(1000) as i64 - 500, self.random.below(15));
            let _ = writeln!(
                calls,
                "fill(); h = h * 1000003 + f{number}({arguments}{n}, {x}, {y}, {s}); h = h * 37 + sum(); \
                 printf(\"{number} {n} %lx\\n\", h);"
            );
        }
    }

    fn statement(&mut self) -> String {
        let (array, ty) = self.arrays[self.random.below(self.arrays.len())].clone();
        let float = ty >= FLOATS;
        let depth = 1 + self.random.below(3);
        match self.random.below(6) {
            0 => {
                let value = self.integer(2);
                let sums = [
                    "r += (unsigned)(V);",
                    "r ^= (V);",
                    "r |= (unsigned char)(V);",
                    "m = m > (V) ? m : (V);",
                    "c -= (V);",
                ];
                format!("  {}\n", self.random.pick(&sums).replace('V', &value))
            }
            1 => {
                let condition = self.condition();
                let sum = self.random.pick(&["r += 3u;", "c++;", "l += 5;", "m = m < (int)i ? (int)i : m;"]);
                format!("  if ({condition}) {sum}\n")
            }
            2 => {
                let (condition, place) = (self.condition(), self.place(&array));
                let (a, b) = (self.value(depth, float), self.value(1, float));
                let (temporary, scale) = if float { ("double", " * 0.0625") } else { ("int", "") };
                format!(
                    "  {{ {temporary} v; if ({condition}) v = {a}; else v = {b}; {place} = ({})v{scale}; }}\n",
                    TYPES[ty]
                )
            }
            _ => {
                let (place, value) = (self.place(&array), self.value(depth, float));
                // Values that go from round to round do not grow to infinity.
                let scale = if float { " * 0.0625" } else { "" };
                format!("  {place} = ({})({value}){scale};\n", TYPES[ty])
            }
        }
    }

    fn place(&mut self, array: &str) -> String {
        let ahead = ["", "", "", " + 1", " + 2", " + 3", " + 5", " + 8", " + 16"];
        format!("{array}[i{}]", self.random.pick(&ahead))
    }

    fn condition(&mut self) -> String {
        let operator = self.random.pick(&["<", ">", "==", "!=", "<=", ">="]);
        format!("{} {operator} {}", self.integer(1), self.integer(0))
    }

    fn value(&mut self, depth: usize, float: bool) -> String {
        if float { self.float(depth) } else { self.integer(depth) }
    }

    /// An element of an array of integers or of floats.
    fn element(&mut self, float: bool) -> Option<String> {
        let fitting: Vec<String> =
            self.arrays.iter().filter(|a| (a.1 >= FLOATS) == float).map(|a| a.0.clone()).collect();
        if fitting.is_empty() || self.random.one_in(4) {
            return None;
        }
        let array = fitting[self.random.below(fitting.len())].clone();
        Some(self.place(&array))
    }

    fn float(&mut self, depth: usize) -> String {
        if depth == 0 {
            let element = self.element(true);
            return element.unwrap_or_else(|| self.random.pick(&["1.5", "0.5f", "(float)x", "(double)y"]).to_string());
        }
        match self.random.below(8) {
            0 => format!("(-{})", self.float(depth - 1)),
            1 => format!("({} ? {} : {})", self.condition(), self.float(depth - 1), self.float(depth - 1)),
            2 => {
                let (a, b) = (self.float(0), self.float(0));
                format!("({a} {} {b} ? {a} : {b})", self.random.pick(&["<", ">"]))
            }
            3 => {
                let (to, from) = (self.random.pick(&["float", "double"]), self.random.pick(&TYPES[..5]));
                format!("({to})({from})({})", self.integer(depth - 1))
            }
            _ => {
                let operator = self.random.pick(&["+", "-", "* 0.5f +"]);
                format!("({} {operator} {})", self.float(depth - 1), self.float(depth - 1))
            }
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 {
            let element = self.element(false);
            return element.unwrap_or_else(|| match self.random.below(5) {
                0 => (self.random.below(500) as i64 - 200).to_string(),
                _ => self.random.pick(&["x", "(int)y", "(unsigned char)x", "(int)i"]).to_string(),
            });
        }
        let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
        match self.random.below(12) {
            0..=3 => format!("(int)((unsigned)({a}) {} (unsigned)({b}))", self.random.pick(&["+", "-", "*"])),
            4 => format!("({a} {} {b})", self.random.pick(&["&", "|", "^"])),
            5 => format!("(int)((unsigned)({a}) << {})", self.random.pick(&["1", "2", "7", "8", "15", "20", "s"])),
            6 => {
                let ty = self.random.pick(&["int", "unsigned", "short", "unsigned short", "unsigned char"]);
                format!("(({ty})({a}) >> {})", self.random.pick(&["1", "2", "7", "8", "15", "s"]))
            }
            7 => format!("({} ? {a} : {b})", self.condition()),
            8 => format!("(({})({a}))", self.random.pick(&TYPES[..FLOATS])),
            9 => {
                let (a, b) = (self.integer(0), self.integer(0));
                format!("({a} {} {b} ? {a} : {b})", self.random.pick(&["<", ">"]))
            }
            10 => {
                let ty = self.random.pick(&["int", "unsigned", "unsigned char", "short"]);
                format!("(({ty})({a}) / {})", self.random.pick(&["3", "7", "8", "10", "255"]))
            }
            _ => {
                let a = self.integer(0);
                format!("(int)((unsigned)({a}) << 5 | (unsigned)({a}) >> 27)")
            }
        }
    }
}
