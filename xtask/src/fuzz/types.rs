//! Random functions whose memory changes its effective type, for what alias analysis concludes from
//! types: pointers to scalars and to records lead into one block of `malloc`, which straight code,
//! branches and loops store to and load from.
//!
//! A program is made without a thought for types, then run by a model that knows for each byte
//! with which type it was stored last ([`Model`]). A load that any call would make through another
//! type becomes a number. What is left is valid, also for compilers that look at records: a load has
//! the scalar type of the store, and is the same member of a record, or one of both is no member.

use crate::abi::types::Random;
use std::fmt::Write as _;

/// Bytes of the block, and where in it the pointers lead: counters reach [`CALLS`].
const BLOCK: i64 = 2048;
const BASE: i64 = 512;

/// Calls of each function, with counts from zero on.
const CALLS: i64 = 24;

/// Functions of one program, of straight code and of loops.
const STRAIGHT: usize = 5;
const LOOPS: usize = 6;

/// A type; those of one class may stand for each other.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Scalar {
    name: &'static str,
    size: i64,
    class: u8,
}

const fn scalar(name: &'static str, size: i64, class: u8) -> Scalar {
    Scalar { name, size, class }
}

/// The class that may load everything, where it is no member.
const CHARACTER: u8 = 0;

const SCALARS: [Scalar; 10] = [
    scalar("unsigned char", 1, CHARACTER),
    scalar("short", 2, 1),
    scalar("unsigned short", 2, 1),
    scalar("int", 4, 2),
    scalar("unsigned", 4, 2),
    scalar("float", 4, 3),
    scalar("long", 8, 4),
    scalar("unsigned long", 8, 4),
    scalar("long long", 8, 5),
    scalar("double", 8, 6),
];

/// A scalar member, also of a record inside, with all records that it is in, the outermost first,
/// and the offset in each. A scalar that is no member is in none.
#[derive(Clone)]
struct Member {
    path: String,
    offset: i64,
    scalar: Scalar,
    owners: Vec<(usize, i64)>,
}

impl Member {
    /// Whether a load may find what was stored through another place: the outermost record of one
    /// is among those of the other, or one of them is no member.
    fn may_share(&self, other: &Member) -> bool {
        match (self.owners.first(), other.owners.first()) {
            (Some(own), Some(others)) => other.owners.contains(own) || self.owners.contains(others),
            _ => true,
        }
    }
}

struct Record {
    declaration: String,
    members: Vec<Member>,
    size: i64,
}

/// What a parameter leads to: elements of this size, each with these members (a scalar is its own).
struct Pointer {
    name: String,
    declaration: String,
    size: i64,
    shift: i64,
    members: Vec<Member>,
}

/// An access: an element, `step` times a counter and `plus`, and a member of it.
#[derive(Clone)]
struct Place {
    pointer: usize,
    member: usize,
    counter: usize,
    step: i64,
    plus: i64,
}

enum Value {
    Number(String),
    /// The number of a load among those of the function, and what is added.
    Load(usize, Place, usize),
}

enum Statement {
    Store(Place, Value),
    Sum(Value),
    If(Condition, Vec<Statement>, Vec<Statement>),
    For(Loop, Vec<Statement>),
}

/// A bit of `k`, or of a counter.
struct Condition {
    counter: Option<usize>,
    bit: i64,
}

/// `count` is a number or, if there is none, `n`.
struct Loop {
    counter: usize,
    count: Option<i64>,
    down: bool,
}

const COUNTERS: [&str; 2] = ["i", "j"];

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let mut records: Vec<Record> = Vec::new();
    for _ in 0..3 + random.below(2) {
        let record = record(&mut random, &records);
        records.push(record);
    }
    let mut out = String::from("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    for (number, record) in records.iter().enumerate() {
        let _ = writeln!(out, "struct r{number} {{{} }};", record.declaration);
        let _ = writeln!(out, "_Static_assert(sizeof(struct r{number}) == {}, \"layout\");", record.size);
    }
    let mut calls = String::new();
    for number in 0..STRAIGHT + LOOPS {
        let loops = number >= STRAIGHT;
        let pointers = pointers(&mut random, &records, loops);
        let mut function = Function { random, pointers, stored: Vec::new(), loads: 0 };
        let body = if loops { function.one_loop() } else { function.straight() };
        let wrong = wrong_loads(&function, &body);
        write_function(number, &mut function, &body, &wrong, &mut out);
        write_calls(number, &function, &mut calls);
        random = function.random;
    }
    out + &driver(&calls)
}

fn below(random: &mut Random, n: usize) -> usize {
    random.below(n)
}

fn chance(random: &mut Random, percent: usize) -> bool {
    random.below(100) < percent
}

/// At most 32 bytes of scalars, short arrays and an earlier record.
fn record(random: &mut Random, earlier: &[Record]) -> Record {
    let number = earlier.len();
    let mut made = Record { declaration: String::new(), members: Vec::new(), size: 0 };
    for member in 0..2 + below(random, 4) {
        let inner = below(random, 1 + earlier.len() * 3);
        let (ty, size, align, count, inside) = match earlier.get(inner) {
            Some(inside) => (format!("struct r{inner}"), inside.size, 8, 1, inside.members.clone()),
            None => {
                let scalar = *random.pick(&SCALARS);
                let own = Member { path: String::new(), offset: 0, scalar, owners: Vec::new() };
                (scalar.name.to_string(), scalar.size, scalar.size, 1 + below(random, 5).saturating_sub(2), vec![own])
            }
        };
        let offset = (made.size + align - 1) / align * align;
        if offset + size * count as i64 > 32 {
            continue;
        }
        let brackets = if count > 1 { format!("[{count}]") } else { String::new() };
        let _ = write!(made.declaration, " {ty} m{member}{brackets};");
        for element in 0..count {
            let index = if count > 1 { format!("[{element}]") } else { String::new() };
            made.members.extend(inside.iter().map(|m| {
                let place = offset + element as i64 * size;
                Member {
                    path: format!(".m{member}{index}{}", m.path),
                    offset: place + m.offset,
                    scalar: m.scalar,
                    owners: [&[(number, place + m.offset)], &m.owners[..]].concat(),
                }
            }));
        }
        made.size = offset + size * count as i64;
    }
    // All records have the alignment of a word, so that one in another lies where it says.
    let _ = write!(made.declaration, " long last __attribute__((aligned(8)));");
    let offset = (made.size + 7) / 8 * 8;
    let owners = vec![(number, offset)];
    made.members.push(Member { path: ".last".to_string(), offset, scalar: scalar("long", 8, 4), owners });
    made.size = offset + 8;
    made
}

/// Parameters: some or all of the scalars and records, into one place or (for loops) near to it.
fn pointers(random: &mut Random, records: &[Record], loops: bool) -> Vec<Pointer> {
    let all = SCALARS.len() + records.len();
    let count = if loops { 2 + below(random, 2) } else { all };
    // Types of one size meet element by element: half of the loops take one of three such lists.
    let alike: Option<std::ops::Range<usize>> = match below(random, 6) {
        _ if !loops => None,
        0 | 1 => Some(6..10),
        2 => Some(3..6),
        _ => None,
    };
    (0..count)
        .map(|number| {
            let kind = match &alike {
                _ if !loops => number,
                Some(range) => range.start + below(random, range.len()),
                None => below(random, all),
            };
            let name = format!("p{number}");
            let shift = if loops { 8 * (below(random, 13) as i64 - 6) } else { 0 };
            match kind.checked_sub(SCALARS.len()) {
                None => {
                    let scalar = SCALARS[kind];
                    let own = Member { path: String::new(), offset: 0, scalar, owners: Vec::new() };
                    let declaration = format!("{} *", scalar.name);
                    Pointer { name, declaration, size: scalar.size, shift, members: vec![own] }
                }
                Some(record) => {
                    let members = records[record].members.clone();
                    let declaration = format!("struct r{record} *");
                    Pointer { name, declaration, size: records[record].size, shift, members }
                }
            }
        })
        .collect()
}

/// A function while it is made.
struct Function {
    random: Random,
    pointers: Vec<Pointer>,
    /// Places of stores, the newest last.
    stored: Vec<Place>,
    loads: usize,
}

impl Function {
    fn member(&self, place: &Place) -> &Member {
        &self.pointers[place.pointer].members[place.member]
    }

    /// The address as bytes for each round of the counter and at its start.
    fn address(&self, place: &Place) -> (i64, i64) {
        let pointer = &self.pointers[place.pointer];
        let start = pointer.shift + place.plus * pointer.size + self.member(place).offset;
        (place.step * pointer.size, start)
    }

    /// Any place near the start, or one that moves with a counter.
    fn place(&mut self, counters: &[usize]) -> Place {
        let pointer = below(&mut self.random, self.pointers.len());
        let member = below(&mut self.random, self.pointers[pointer].members.len());
        let most = if self.pointers[pointer].size < 16 { 5 } else { 2 };
        let plus = below(&mut self.random, most) as i64;
        if counters.is_empty() || chance(&mut self.random, 10) {
            return Place { pointer, member, counter: 0, step: 0, plus };
        }
        let counter = *self.random.pick(counters);
        let step = if self.pointers[pointer].size < 16 && chance(&mut self.random, 15) { 2 } else { 1 };
        let plus = if chance(&mut self.random, 60) { 0 } else { plus - 2 };
        Place { pointer, member, counter, step, plus }
    }

    /// All ways to name the address of a place with a type that is wanted.
    fn names(&self, place: &Place, wanted: impl Fn(&Member) -> bool) -> Vec<Place> {
        let (step, start) = self.address(place);
        let mut names = Vec::new();
        for (number, pointer) in self.pointers.iter().enumerate() {
            for (member, what) in pointer.members.iter().enumerate() {
                let rest = start - pointer.shift - what.offset;
                if wanted(what) && rest % pointer.size == 0 && step % pointer.size == 0 {
                    let (step, plus) = (step / pointer.size, rest / pointer.size);
                    names.push(Place { pointer: number, member, counter: place.counter, step, plus });
                }
            }
        }
        names
    }

    /// The place of one of the last stores that the counters here can name.
    fn recent(&mut self, counters: &[usize]) -> Option<Place> {
        let known = |place: &&Place| place.step == 0 || counters.contains(&place.counter);
        let seen: Vec<Place> = self.stored.iter().rev().filter(known).take(5).cloned().collect();
        (!seen.is_empty()).then(|| self.random.pick(&seen).clone())
    }

    /// Where to store: often what was stored before, through a type of the same size.
    fn target(&mut self, counters: &[usize]) -> Place {
        let again = if chance(&mut self.random, 60) { self.recent(counters) } else { None };
        let place = again.and_then(|place| {
            let size = self.member(&place).scalar.size;
            let names = self.names(&place, |m| m.scalar.size == size);
            (!names.is_empty()).then(|| self.random.pick(&names).clone())
        });
        place.unwrap_or_else(|| self.place(counters))
    }

    /// What to load: mostly what was stored before, under any name.
    fn source(&mut self, counters: &[usize]) -> Place {
        let again = if chance(&mut self.random, 75) { self.recent(counters) } else { None };
        let place = again.and_then(|place| {
            let class = self.member(&place).scalar.class;
            let names = self.names(&place, |m| m.scalar.class == class || m.scalar.class == CHARACTER);
            (!names.is_empty()).then(|| self.random.pick(&names).clone())
        });
        place.unwrap_or_else(|| self.place(counters))
    }

    fn load(&mut self, counters: &[usize]) -> Value {
        let place = self.source(counters);
        self.loads += 1;
        Value::Load(self.loads - 1, place, below(&mut self.random, 4))
    }

    fn number(&mut self, counters: &[usize]) -> Value {
        let constant = 1 + below(&mut self.random, 50);
        Value::Number(match (below(&mut self.random, 4), counters.last()) {
            (0, _) => constant.to_string(),
            (1, _) | (_, None) => format!("k + {constant}"),
            (2, Some(counter)) => format!("{} * {constant} + k", COUNTERS[*counter]),
            (_, Some(counter)) => format!("{} + {constant}", COUNTERS[*counter]),
        })
    }

    fn store(&mut self, counters: &[usize]) -> Statement {
        let value = if chance(&mut self.random, 30) { self.load(counters) } else { self.number(counters) };
        let place = self.target(counters);
        self.stored.push(place.clone());
        Statement::Store(place, value)
    }

    fn block(&mut self, counters: &[usize], count: usize) -> Vec<Statement> {
        (0..count).map(|_| self.statement(counters)).collect()
    }

    fn statement(&mut self, counters: &[usize]) -> Statement {
        match below(&mut self.random, 100) {
            0..50 => self.store(counters),
            50..80 => Statement::Sum(self.load(counters)),
            80..92 => {
                let condition = self.condition(counters);
                let (then, other) = (1 + below(&mut self.random, 3), below(&mut self.random, 3));
                Statement::If(condition, self.block(counters, then), self.block(counters, other))
            }
            _ if counters.len() < COUNTERS.len() => {
                let count = 2 + below(&mut self.random, 4);
                self.looped(counters, count)
            }
            _ => Statement::Sum(self.load(counters)),
        }
    }

    fn condition(&mut self, counters: &[usize]) -> Condition {
        let counter = counters.last().copied().filter(|_| chance(&mut self.random, 50));
        Condition { counter, bit: 1 << below(&mut self.random, 3) }
    }

    fn looped(&mut self, counters: &[usize], statements: usize) -> Statement {
        let counter = counters.len();
        let count = [None, Some(3), Some(8), Some(17)][below(&mut self.random, 4)];
        let down = chance(&mut self.random, 15);
        let inside = [counters, &[counter]].concat();
        let mut body = self.block(&inside, statements);
        if chance(&mut self.random, 50) {
            body.push(Statement::Sum(self.load(&inside)));
        }
        Statement::For(Loop { counter, count, down }, body)
    }

    fn straight(&mut self) -> Vec<Statement> {
        let count = 4 + below(&mut self.random, 9);
        self.block(&[], count)
    }

    /// A loop that a vectoriser may take: few stores and loads, seldom a branch.
    fn one_loop(&mut self) -> Vec<Statement> {
        let count = 2 + below(&mut self.random, 3);
        let mut body: Vec<Statement> = Vec::new();
        for _ in 0..count {
            let statement = match below(&mut self.random, 100) {
                0..65 => self.store(&[0]),
                65..90 => Statement::Sum(self.load(&[0])),
                _ => {
                    let condition = self.condition(&[0]);
                    Statement::If(condition, vec![self.store(&[0])], Vec::new())
                }
            };
            body.push(statement);
        }
        let count = if chance(&mut self.random, 75) { None } else { Some(16) };
        let down = chance(&mut self.random, 15);
        let mut all = vec![Statement::For(Loop { counter: 0, count, down }, body)];
        if chance(&mut self.random, 30) {
            all.push(Statement::Sum(self.load(&[])));
        }
        all
    }
}

/// What is known of a byte: nothing but its value, or through what it was stored and as which byte
/// of it.
#[derive(Clone, Copy)]
enum Byte<'a> {
    Plain,
    Stored(&'a Member, usize),
}

/// The types of the block's bytes while a function runs.
struct Model<'a> {
    function: &'a Function,
    bytes: Vec<Byte<'a>>,
    wrong: &'a mut [bool],
    n: i64,
    k: i64,
    counters: [i64; 2],
}

/// For each load whether some call makes it through another type than that of the last store.
fn wrong_loads(function: &Function, body: &[Statement]) -> Vec<bool> {
    let mut wrong = vec![false; function.loads];
    for n in 0..CALLS {
        let bytes = vec![Byte::Plain; BLOCK as usize];
        let mut model = Model { function, bytes, wrong: &mut wrong, n, k: n * K.0 % K.1, counters: [0; 2] };
        model.run(body);
    }
    wrong
}

/// The last argument of a call is `n * K.0 % K.1`.
const K: (i64, i64) = (5, 16);

impl<'a> Model<'a> {
    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Store(place, value) => {
                    self.value(value);
                    let member = self.function.member(place);
                    for (index, at) in self.bytes_of(place).enumerate() {
                        self.bytes[at] = Byte::Stored(member, index);
                    }
                }
                Statement::Sum(value) => self.value(value),
                Statement::If(condition, then, other) => {
                    let of = condition.counter.map_or(self.k, |counter| self.counters[counter]);
                    self.run(if of & condition.bit != 0 { then } else { other });
                }
                Statement::For(head, body) => {
                    let count = head.count.unwrap_or(self.n);
                    for round in 0..count {
                        self.counters[head.counter] = if head.down { count - 1 - round } else { round };
                        self.run(body);
                    }
                }
            }
        }
    }

    fn bytes_of(&self, place: &Place) -> std::ops::Range<usize> {
        let (step, start) = self.function.address(place);
        let at = (BASE + start + step * self.counters[place.counter]) as usize;
        at..at + self.function.member(place).scalar.size as usize
    }

    fn value(&mut self, value: &Value) {
        let Value::Load(number, place, _) = value else { return };
        let member = self.function.member(place);
        let bytes = &self.bytes[self.bytes_of(place)];
        let fits = |(at, byte): (usize, &Byte<'_>)| match *byte {
            Byte::Plain => false,
            Byte::Stored(by, index) => by.scalar.class == member.scalar.class && index == at && member.may_share(by),
        };
        let valid = (member.scalar.class == CHARACTER && member.owners.is_empty())
            || bytes.iter().all(|byte| matches!(byte, Byte::Plain))
            || bytes.iter().enumerate().all(fits);
        self.wrong[*number] |= !valid;
    }
}

/// Writes a function; every second one may be inlined where all pointers are seen to be one.
fn write_function(number: usize, function: &mut Function, body: &[Statement], wrong: &[bool], out: &mut String) {
    let attribute = if chance(&mut function.random, 70) { "__attribute__((noipa)) " } else { "" };
    let _ = write!(out, "{attribute}static unsigned long f{number}(");
    for pointer in &function.pointers {
        let _ = write!(out, "{}{}, ", pointer.declaration, pointer.name);
    }
    out.push_str("int n, int k)\n{\n    unsigned long sum = 0;\n");
    write_statements(function, body, wrong, 1, out);
    out.push_str("    return sum;\n}\n");
}

fn write_statements(function: &Function, statements: &[Statement], wrong: &[bool], depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    for statement in statements {
        let _ = match statement {
            Statement::Store(place, value) => {
                let ty = function.member(place).scalar.name;
                writeln!(out, "{indent}{} = ({ty})({});", name(function, place), written(function, value, wrong))
            }
            Statement::Sum(value) => writeln!(out, "{indent}sum = sum * 3 + ({});", written(function, value, wrong)),
            Statement::If(condition, then, other) => {
                let of = condition.counter.map_or("k", |counter| COUNTERS[counter]);
                let _ = writeln!(out, "{indent}if ({of} & {}) {{", condition.bit);
                write_statements(function, then, wrong, depth + 1, out);
                if !other.is_empty() {
                    let _ = writeln!(out, "{indent}}} else {{");
                    write_statements(function, other, wrong, depth + 1, out);
                }
                writeln!(out, "{indent}}}")
            }
            Statement::For(head, body) => {
                let count = head.count.map_or("n".to_string(), |count| count.to_string());
                let c = COUNTERS[head.counter];
                let _ = match head.down {
                    true => writeln!(out, "{indent}for (int {c} = {count} - 1; {c} >= 0; {c}--) {{"),
                    false => writeln!(out, "{indent}for (int {c} = 0; {c} < {count}; {c}++) {{"),
                };
                write_statements(function, body, wrong, depth + 1, out);
                writeln!(out, "{indent}}}")
            }
        };
    }
}

/// A place as an lvalue.
fn name(function: &Function, place: &Place) -> String {
    let pointer = &function.pointers[place.pointer];
    let counter = COUNTERS[place.counter];
    let index = match (place.step, place.plus) {
        (0, plus) => plus.to_string(),
        (1, 0) => counter.to_string(),
        (1, plus) => format!("{counter} + {plus}"),
        (step, plus) => format!("{step} * {counter} + {plus}"),
    };
    format!("{}[{index}]{}", pointer.name, function.member(place).path)
}

/// A value as a `long`: no floating number here is out of its range, and nothing overflows.
fn written(function: &Function, value: &Value, wrong: &[bool]) -> String {
    match value {
        Value::Number(text) => text.clone(),
        Value::Load(number, _, plus) if wrong[*number] => format!("k + {plus}"),
        Value::Load(_, place, 0) => format!("(long){}", name(function, place)),
        Value::Load(_, place, plus) => format!("(long){} + {plus}", name(function, place)),
    }
}

/// The calls of a function, each in a block of its own that is filled before and summed up after.
fn write_calls(number: usize, function: &Function, out: &mut String) {
    let _ = writeln!(out, "    for (int n = 0; n < {CALLS}; n++) {{");
    let _ = writeln!(out, "        unsigned char *block = malloc({BLOCK});\n        memset(block, n, {BLOCK});");
    let _ = write!(out, "        unsigned long sum = f{number}(");
    for pointer in &function.pointers {
        let _ = write!(out, "({})(block + {}), ", pointer.declaration, BASE + pointer.shift);
    }
    let _ = writeln!(out, "n, n * {} % {});", K.0, K.1);
    let _ = writeln!(out, "        for (int at = 0; at < {BLOCK}; at++)\n            sum = sum * 31 + block[at];");
    let _ = writeln!(out, "        printf(\"f{number} %d %lx\\n\", n, sum);\n        free(block);\n    }}");
}

fn driver(calls: &str) -> String {
    format!("int main(void)\n{{\n{calls}    return 0;\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stores through `p0`, an `int`, and a load of the same bytes through another parameter.
    fn loads_as(scalar: Scalar) -> bool {
        let pointer = |name: &str, scalar: Scalar| Pointer {
            name: name.to_string(),
            declaration: String::new(),
            size: scalar.size,
            shift: 0,
            members: vec![Member { path: String::new(), offset: 0, scalar, owners: Vec::new() }],
        };
        let pointers = vec![pointer("p0", SCALARS[3]), pointer("p1", scalar)];
        let function = Function { random: Random(1), pointers, stored: Vec::new(), loads: 1 };
        let place = |pointer| Place { pointer, member: 0, counter: 0, step: 0, plus: 0 };
        let store = Statement::Store(place(0), Value::Number("1".to_string()));
        !wrong_loads(&function, &[store, Statement::Sum(Value::Load(0, place(1), 0))])[0]
    }

    #[test]
    fn loads_of_another_type_are_found() {
        let valid: Vec<&str> = SCALARS.iter().filter(|s| loads_as(**s)).map(|s| s.name).collect();
        assert_eq!(valid, ["unsigned char", "int", "unsigned"]);
    }

    #[test]
    fn a_seed_is_one_program() {
        assert_eq!(program(7), program(7));
        assert_ne!(program(7), program(8));
    }
}
