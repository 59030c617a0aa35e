//! Random functions in SSA form, with loops, phis, memory and calls: the program must print what
//! the interpreter prints.

mod common;

use std::fmt::Write;

use platform::options::{Options, PicLevel};

/// A small deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const INTS: [&str; 5] = ["i8", "i16", "i32", "i64", "i128"];
const FLOATS: [&str; 3] = ["f32", "f64", "f80"];

fn bits(ty: &str) -> usize {
    ty[1..].parse().expect("width")
}

/// A function being written: values that dominate the current point, by type.
struct Writer<'r> {
    random: &'r mut Random,
    out: String,
    values: Vec<(String, &'static str)>,
    next_value: usize,
    next_block: usize,
    current: usize,
    depth: usize,
    /// Functions that may be called: number and parameter types.
    callees: &'r [(usize, Vec<&'static str>)],
}

impl Writer<'_> {
    fn fresh(&mut self) -> String {
        self.next_value += 1;
        format!("v{}", self.next_value)
    }

    fn constant(&mut self, ty: &str) -> String {
        if ty.starts_with('f') {
            // Small numbers: exact in every type, so that nothing depends on rounding of
            // intermediate results.
            let number = self.random.below(64) as f64;
            return match ty {
                "f32" => format!("f32 {:#010x}", (number as f32).to_bits()),
                "f64" => format!("f64 {:#018x}", number.to_bits()),
                _ => "f80 0x4000c000000000000000".to_owned(),
            };
        }
        let number = match self.random.below(4) {
            0 => self.random.below(4) as i64,
            1 => -(self.random.below(300) as i64),
            2 => self.random.next() as i32 as i64,
            _ => self.random.next() as i64,
        };
        let number = if bits(ty) < 64 { number << (64 - bits(ty)) >> (64 - bits(ty)) } else { number };
        format!("{ty} {number}")
    }

    fn value(&mut self, ty: &'static str) -> String {
        let known: Vec<usize> = (0..self.values.len()).filter(|&i| self.values[i].1 == ty).collect();
        if known.is_empty() || self.random.below(8) == 0 {
            return self.constant(ty);
        }
        // Recent values are more likely, old ones stay alive.
        let index = if self.random.below(2) == 0 {
            known[known.len() - 1 - self.random.below(known.len().min(3))]
        } else {
            self.random.pick(&known)
        };
        self.values[index].0.clone()
    }

    fn define(&mut self, ty: &'static str, text: String) -> String {
        let name = self.fresh();
        writeln!(self.out, "  {name}: {ty} = {text}").unwrap();
        self.values.push((name.clone(), ty));
        name
    }

    fn instruction(&mut self) {
        match self.random.below(20) {
            0..=6 => self.arithmetic(),
            7 => self.shift(),
            8 => self.division(),
            9 | 10 => self.compare(),
            11 | 12 => self.cast(),
            13 | 14 => self.float(),
            15 | 16 => self.store(),
            17 | 18 => self.load(),
            _ => self.call(),
        }
    }

    fn arithmetic(&mut self) {
        let ty = self.random.pick(&INTS);
        let op = self.random.pick(&["add", "sub", "mul", "and", "or", "xor", "smin", "umax", "add", "sub"]);
        let (a, b) = (self.value(ty), self.value(ty));
        self.define(ty, format!("{op} {a}, {b}"));
    }

    fn shift(&mut self) {
        let ty = self.random.pick(&INTS);
        let (a, b) = (self.value(ty), self.value(ty));
        let amount = if self.random.below(2) == 0 {
            format!("{ty} {}", self.random.below(bits(ty)))
        } else {
            self.define(ty, format!("and {b}, {ty} {}", bits(ty) - 1))
        };
        let op = self.random.pick(&["shl", "lshr", "ashr", "rotl", "rotr"]);
        self.define(ty, format!("{op} {a}, {amount}"));
    }

    fn division(&mut self) {
        let ty = self.random.pick(&INTS);
        let (a, b) = (self.value(ty), self.value(ty));
        let op = self.random.pick(&["udiv", "urem", "sdiv", "srem"]);
        // An odd divisor of small magnitude that is not -1.
        let b = self.define(ty, format!("and {b}, {ty} 62"));
        let b = self.define(ty, format!("or {b}, {ty} 1"));
        self.define(ty, format!("{op} {a}, {b}"));
    }

    fn compare(&mut self) {
        let ty = self.random.pick(&INTS);
        let cc = self.random.pick(&["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]);
        let (a, b) = (self.value(ty), self.value(ty));
        let cond = self.fresh();
        writeln!(self.out, "  {cond}: i1 = icmp.{cc} {a}, {b}").unwrap();
        let to = self.random.pick(&INTS);
        match self.random.below(3) {
            0 => {
                self.define(to, format!("zext {cond}"));
            }
            1 => {
                self.define(to, format!("sext {cond}"));
            }
            _ => {
                let to = if self.random.below(4) == 0 { self.random.pick(&FLOATS) } else { to };
                let (x, y) = (self.value(to), self.value(to));
                self.define(to, format!("select {cond}, {x}, {y}"));
            }
        }
    }

    fn cast(&mut self) {
        let (from, to) = (self.random.pick(&INTS), self.random.pick(&INTS));
        let a = self.value(from);
        let op = match bits(from).cmp(&bits(to)) {
            std::cmp::Ordering::Less => self.random.pick(&["zext", "sext"]),
            std::cmp::Ordering::Greater => "trunc",
            std::cmp::Ordering::Equal => return,
        };
        self.define(to, format!("{op} {a}"));
    }

    fn float(&mut self) {
        // The interpreter does not compute with f80: that type is only moved about.
        let ty = self.random.pick(&FLOATS[..2]);
        match self.random.below(4) {
            0 => {
                let int = self.value("i8");
                self.define(ty, format!("sitofp {int}"));
            }
            1 => {
                // Kept small by way of an integer, so that it stays exact.
                let a = self.value(ty);
                let b = self.constant(ty);
                let sum = self.define(ty, format!("fadd {a}, {b}"));
                let int = self.fresh();
                writeln!(self.out, "  {int}: i64 = fptosi {sum}").unwrap();
                let small = self.fresh();
                writeln!(self.out, "  {small}: i64 = and {int}, i64 1023").unwrap();
                self.values.pop();
                self.define(ty, format!("sitofp {small}"));
            }
            2 => {
                let (a, b) = (self.value(ty), self.value(ty));
                let cond = self.fresh();
                let cc = self.random.pick(&["oeq", "olt", "oge", "une", "ult"]);
                writeln!(self.out, "  {cond}: i1 = fcmp.{cc} {a}, {b}").unwrap();
                self.define("i32", format!("zext {cond}"));
            }
            _ => {
                let a = self.value(ty);
                self.define("i64", format!("fptosi {a}"));
            }
        }
    }

    /// An address in the function's array of 128 bytes.
    fn address(&mut self, size: usize) -> String {
        if self.random.below(2) == 0 {
            let offset = self.random.below(128 / size) * size;
            let name = self.fresh();
            writeln!(self.out, "  {name}: ptr = ptradd v0, i64 {offset}").unwrap();
            return name;
        }
        let index = self.value("i64");
        let (masked, scaled, name) = (self.fresh(), self.fresh(), self.fresh());
        writeln!(self.out, "  {masked}: i64 = and {index}, i64 {}", 128 / size - 1).unwrap();
        writeln!(self.out, "  {scaled}: i64 = mul {masked}, i64 {size}").unwrap();
        writeln!(self.out, "  {name}: ptr = ptradd v0, {scaled}").unwrap();
        name
    }

    fn store(&mut self) {
        let ty = self.random.pick(&INTS);
        let value = self.value(ty);
        let address = self.address(bits(ty) / 8);
        writeln!(self.out, "  store {address}, {value} align 1").unwrap();
    }

    fn load(&mut self) {
        let ty = self.random.pick(&INTS);
        let address = self.address(bits(ty) / 8);
        self.define(ty, format!("load {address} align 1"));
    }

    fn call(&mut self) {
        if self.callees.is_empty() {
            return;
        }
        let (number, params) = self.callees[self.random.below(self.callees.len())].clone();
        let args: Vec<String> = params.iter().map(|&ty| self.value(ty)).collect();
        self.define("i64", format!("call @f{number}({}) : {}", args.join(", "), signature(&params)));
    }

    fn block(&mut self) -> usize {
        self.next_block += 1;
        self.next_block
    }

    fn start(&mut self, block: usize) {
        writeln!(self.out, "b{block}:").unwrap();
        self.current = block;
    }

    fn region(&mut self) {
        for _ in 0..3 + self.random.below(8) {
            self.instruction();
        }
        if self.depth == 0 {
            return;
        }
        self.depth -= 1;
        match self.random.below(3) {
            0 => self.diamond(),
            1 => self.counted_loop(),
            _ => self.switch(),
        }
        for _ in 0..self.random.below(6) {
            self.instruction();
        }
        self.depth += 1;
    }

    /// Values made inside a branch are dropped at its end; some are merged by phis.
    fn diamond(&mut self) {
        let a = self.value("i32");
        let cond = self.fresh();
        writeln!(self.out, "  {cond}: i1 = icmp.slt {a}, i32 {}", self.random.below(100)).unwrap();
        let (then, otherwise, join) = (self.block(), self.block(), self.block());
        writeln!(self.out, "  cond_br {cond}, b{then}, b{otherwise}").unwrap();
        let types: Vec<&'static str> = (0..3)
            .map(|_| if self.random.below(3) == 0 { self.random.pick(&FLOATS) } else { self.random.pick(&INTS) })
            .collect();
        let mut arms = Vec::new();
        for block in [then, otherwise] {
            self.start(block);
            let before = self.values.len();
            self.region();
            let merged: Vec<String> = types.iter().map(|&ty| self.value(ty)).collect();
            writeln!(self.out, "  br b{join}").unwrap();
            arms.push((self.current, merged));
            self.values.truncate(before);
        }
        self.start(join);
        for (index, &ty) in types.iter().enumerate() {
            let text = format!("phi [{}, b{}], [{}, b{}]", arms[0].1[index], arms[0].0, arms[1].1[index], arms[1].0);
            self.define(ty, text);
        }
    }

    /// A loop with phis that may use each other.
    fn counted_loop(&mut self) {
        let (header, exit) = (self.block(), self.block());
        let before = self.current;
        let types: Vec<&'static str> = (0..3)
            .map(|_| if self.random.below(4) == 0 { self.random.pick(&FLOATS) } else { self.random.pick(&INTS) })
            .collect();
        let starts: Vec<String> = types.iter().map(|&ty| self.value(ty)).collect();
        writeln!(self.out, "  br b{header}").unwrap();
        self.start(header);
        let names: Vec<String> = types.iter().map(|_| self.fresh()).collect();
        let counter = self.fresh();
        // The phis are written when the values of the back edge are known.
        let at = self.out.len();
        let outer = self.values.len();
        for (name, &ty) in names.iter().zip(&types) {
            self.values.push((name.clone(), ty));
        }
        self.region();
        let nexts: Vec<String> = types
            .iter()
            .map(|&ty| {
                // Often another phi of the same loop: swaps and lost copies.
                let same: Vec<&String> = names.iter().zip(&types).filter(|(_, t)| **t == ty).map(|(n, _)| n).collect();
                if self.random.below(2) == 0 { same[self.random.below(same.len())].clone() } else { self.value(ty) }
            })
            .collect();
        let (next, cond) = (self.fresh(), self.fresh());
        writeln!(self.out, "  {next}: i32 = add {counter}, i32 1").unwrap();
        writeln!(self.out, "  {cond}: i1 = icmp.slt {next}, i32 {}", 1 + self.random.below(4)).unwrap();
        writeln!(self.out, "  cond_br {cond}, b{header}, b{exit}").unwrap();
        let latch = self.current;
        let mut phis = String::new();
        for index in 0..types.len() {
            writeln!(
                phis,
                "  {}: {} = phi [{}, b{before}], [{}, b{latch}]",
                names[index], types[index], starts[index], nexts[index]
            )
            .unwrap();
        }
        writeln!(phis, "  {counter}: i32 = phi [i32 0, b{before}], [{next}, b{latch}]").unwrap();
        self.out.insert_str(at, &phis);
        // What the body defined dominates the exit as well.
        let _ = outer;
        self.start(exit);
    }

    fn switch(&mut self) {
        let ty = self.random.pick(&["i8", "i32", "i64"]);
        let value = self.value(ty);
        let small = self.define(ty, format!("and {value}, {ty} 15"));
        let cases: Vec<usize> = (0..16).filter(|_| self.random.below(2) == 0).collect();
        let blocks: Vec<usize> = (0..3).map(|_| self.block()).collect();
        let join = self.block();
        let list: String = cases.iter().map(|c| format!(" [{c}, b{}]", blocks[c % 3])).collect();
        // The default goes straight to the join: an edge with copies.
        let from = self.current;
        let first = self.value("i64");
        writeln!(self.out, "  switch {small} default b{join}{list}").unwrap();
        let mut entries = vec![(first, from)];
        for &block in &blocks {
            if !cases.iter().any(|c| blocks[c % 3] == block) {
                continue;
            }
            self.start(block);
            let before = self.values.len();
            for _ in 0..self.random.below(5) {
                self.instruction();
            }
            entries.push((self.value("i64"), self.current));
            writeln!(self.out, "  br b{join}").unwrap();
            self.values.truncate(before);
        }
        self.start(join);
        let text = entries.iter().map(|(v, b)| format!("[{v}, b{b}]")).collect::<Vec<_>>().join(", ");
        self.define("i64", format!("phi {text}"));
    }

    /// All values folded into one number.
    fn result(&mut self) {
        let mut sum = "i64 0".to_owned();
        for (name, ty) in self.values.clone() {
            let wide = match ty {
                "i64" => name,
                "i128" => self.define("i64", format!("trunc {name}")),
                "f32" | "f64" => self.define("i64", format!("fptosi {name}")),
                "f80" => {
                    writeln!(self.out, "  store v0, {name} align 1").unwrap();
                    self.define("i64", "load v0 align 1".to_owned())
                }
                _ => self.define("i64", format!("zext {name}")),
            };
            let rotated = self.define("i64", format!("rotl {sum}, i64 5"));
            sum = self.define("i64", format!("xor {rotated}, {wide}"));
        }
        writeln!(self.out, "  ret {sum}\n}}").unwrap();
    }
}

fn signature(params: &[&str]) -> String {
    format!("({}) -> (i64)", params.join(", "))
}

fn module(seed: u64) -> String {
    let mut random = Random(seed);
    let mut symbols = String::from(
        "symbol @printf global function : (ptr, ...) -> (i32)\nsymbol @main global function : () -> (i32)\nsymbol @.LC0 local\n",
    );
    let mut bodies = String::new();
    let mut callees: Vec<(usize, Vec<&'static str>)> = Vec::new();
    for number in 0..6 {
        let params: Vec<&'static str> =
            (0..random.below(10)).map(|_| random.pick(&["i32", "i64", "f32", "f64", "f80", "i32"])).collect();
        writeln!(symbols, "symbol @f{number} local function : {}", signature(&params)).unwrap();
        let mut writer = Writer {
            random: &mut random,
            out: String::new(),
            values: Vec::new(),
            next_value: params.len(),
            next_block: 0,
            current: 0,
            depth: 3,
            callees: &callees,
        };
        let names: Vec<String> = (1..=params.len()).map(|i| format!("v{i}")).collect();
        writeln!(writer.out, "func @f{number} {} : {} {{\nb0:\n  v0: ptr = alloca 128 align 16\n  memset v0, i8 {number}, i64 128 align 16", names.join(", "), signature(&params)).unwrap();
        for (name, &ty) in names.iter().zip(&params) {
            writer.values.push((name.clone(), ty));
        }
        writer.region();
        writer.region();
        writer.result();
        bodies += &writer.out;
        callees.push((number, params));
    }
    let mut main = String::from("func @main : () -> (i32) {\nb0:\n");
    let mut value = 0;
    for (number, params) in &callees {
        for round in 0..3 {
            let args: Vec<String> = params
                .iter()
                .enumerate()
                .map(|(i, ty)| match *ty {
                    "f32" => format!("f32 {:#010x}", ((i + round) as f32).to_bits()),
                    "f64" => format!("f64 {:#018x}", ((i * round) as f64).to_bits()),
                    "f80" => "f80 0x40008000000000000000".to_owned(),
                    ty => format!("{ty} {}", (i as i64 - 2) * 37 * round as i64),
                })
                .collect();
            writeln!(main, "  v{value}: i64 = call @f{number}({}) : {}", args.join(", "), signature(params)).unwrap();
            writeln!(main, "  v{}: i32 = call @printf(@.LC0, v{value}) : (ptr, i64, ...) -> (i32)", value + 1).unwrap();
            value += 2;
        }
    }
    main += "  ret i32 0\n}\n";
    format!("{symbols}data @.LC0 size 5 align 1 const string 1 = \"%lx\\0a\\00\"\n{bodies}{main}")
}

/// The module with its blocks laid out in random order (the entry first): uses may come before
/// definitions in the text.
fn shuffled(mut module: ir::Module, seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95) | 1);
    for func in module.functions.values_mut() {
        let mut blocks: Vec<ir::Block> = func.blocks().skip(1).collect();
        for &block in &blocks {
            func.unplace_block(block);
        }
        while !blocks.is_empty() {
            let block = blocks.swap_remove(random.below(blocks.len()));
            func.append_block(block);
        }
    }
    ir::text::module_to_string(&module)
}

/// Seeds that are tried; `RANDOM_SEEDS=first..last` tries others.
fn seeds() -> std::ops::Range<u64> {
    match std::env::var("RANDOM_SEEDS").ok().and_then(|s| {
        let (first, last) = s.split_once("..")?;
        Some(first.parse().ok()?..last.parse().ok()?)
    }) {
        Some(range) => range,
        None => 1..40,
    }
}

#[test]
fn random_programs_agree_with_the_interpreter() {
    let mut compared = 0;
    for seed in seeds() {
        let text = module(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let parsed = ir::text::parse_module(&text).unwrap_or_else(|e| panic!("seed {seed}: {e:?}\n{text}"));
        let expected = match interp::run(&parsed, &[], 10_000_000) {
            Ok(outcome) => String::from_utf8_lossy(&outcome.stdout).into_owned(),
            Err(trap @ (interp::Trap::Unsupported(_) | interp::Trap::Fuel)) => {
                println!("seed {seed}: {trap}");
                continue;
            }
            Err(trap) => panic!("seed {seed}: {trap}\n{text}"),
        };
        let mut options = Options::default();
        if seed % 2 == 0 {
            options.codegen.pic = PicLevel::None;
        }
        let flags: &[&str] = if seed % 2 == 0 { &["-no-pie"] } else { &[] };
        let text = if seed % 3 == 0 { shuffled(parsed, seed) } else { text };
        if seed % 3 == 0 {
            let again = ir::text::parse_module(&text).unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
            let outcome = interp::run(&again, &[], 10_000_000).unwrap_or_else(|t| panic!("seed {seed}: {t}"));
            assert_eq!(String::from_utf8_lossy(&outcome.stdout), expected, "seed {seed}: shuffled");
        }
        let Some(got) = common::run(&format!("random-{seed}"), &text, "", &options, flags) else { return };
        assert_eq!(got, expected, "seed {seed}");
        compared += 1;
    }
    assert!(compared > 0, "no program could be compared");
}
