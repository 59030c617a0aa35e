//! Expressions of integer types.

use super::{Feature, Generator, Place};
use crate::tree::{Node, Sort};
use crate::types::{BOOL, BYTE, HUGE, INT, Int, Kind, LONG, Range, STANDARD, UNSIGNED, UNSIGNED_LONG};

const OPERATIONS: [&str; 10] = ["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"];
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// Builtins of one argument: name, type of the argument, result's range.
const BUILTINS: [(&str, Int, Int, i128, i128); 9] = [
    ("popcount", UNSIGNED, INT, 0, 32),
    ("popcountl", UNSIGNED_LONG, INT, 0, 64),
    ("ffs", INT, INT, 0, 32),
    ("ffsl", LONG, INT, 0, 64),
    ("parityl", UNSIGNED_LONG, INT, 0, 1),
    ("clrsb", INT, INT, 0, 31),
    ("bswap16", UNSIGNED, Int { bits: 16, signed: false, kind: Kind::Standard }, 0, 0xffff),
    ("bswap32", UNSIGNED, UNSIGNED, 0, 0xffff_ffff),
    ("bswap64", UNSIGNED_LONG, UNSIGNED_LONG, 0, 0xffff_ffff_ffff_ffff),
];

impl Generator {
    /// A random integer type of those the program may use.
    pub(super) fn int_type(&mut self) -> Int {
        if self.use_of(Feature::BitInts, 30) {
            let widths = [2u16, 3, 5, 7, 8, 9, 15, 17, 24, 31, 32, 33, 40, 48, 63, 64, 65, 77, 100, 127, 128, 129, 200];
            let bits = *self.random.pick(&widths);
            return Int::bit_int(bits, self.random.chance(50));
        }
        if self.use_of(Feature::Huge, 25) {
            return *self.random.pick(&HUGE);
        }
        if self.random.chance(5) { BOOL } else { *self.random.pick(&STANDARD) }
    }

    /// A constant of a range.
    pub(super) fn value_within(&mut self, range: Range) -> i128 {
        let bit = 1i128 << self.random.below(100);
        let special = [0, 1, -1, 2, 3, 7, 10, range.low, range.high, bit, bit - 1, -bit, 255, 128, 1000];
        for _ in 0..3 {
            let value = *self.random.pick(&special);
            if range.has(value) {
                return value;
            }
        }
        let narrow = Range::new(range.low.max(-300), range.high.min(300));
        let range = if narrow.low <= narrow.high && self.random.chance(60) { narrow } else { range };
        self.random.within(range.low, range.high)
    }

    /// A constant of a type.
    pub(super) fn constant(&mut self, ty: Int) -> Node {
        let value = self.value_within(ty.full());
        literal(ty, value)
    }

    /// Any integer expression with at most so many levels.
    pub(super) fn integer(&mut self, depth: usize) -> Node {
        if depth == 0 || !self.take_room() {
            return self.leaf();
        }
        match self.random.weighted(&[12, 44, 10, 10, 8, 6, 6, 8, 6]) {
            0 => self.leaf(),
            1 => {
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                let count = if self.has(Feature::Division) { 10 } else { 8 };
                let operation = OPERATIONS[self.random.below(count)];
                self.binary(operation, a, b)
            }
            2 => self.unary(depth - 1),
            3 => self.comparison(depth - 1),
            4 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.integer(depth - 1), self.integer(depth - 1));
                choice(condition, a, b)
            }
            5 => {
                let a = self.integer(depth - 1);
                let ty = self.int_type();
                cast(ty, a)
            }
            6 => self.idiom(depth - 1),
            7 => self.call_within(depth - 1).unwrap_or_else(|| self.leaf()),
            _ if self.has(Feature::StatementExpressions) => self.statement_expression(depth - 1),
            _ => self.leaf(),
        }
    }

    /// What an `if` or a loop asks.
    pub(super) fn condition(&mut self, depth: usize) -> Node {
        if self.random.chance(75) { self.comparison(depth) } else { self.integer(depth) }
    }

    fn leaf(&mut self) -> Node {
        match self.random.weighted(&[20, 45, 25, 10]) {
            0 => {
                let ty = self.int_type();
                self.constant(ty)
            }
            1 if !self.scope.places.is_empty() => {
                let near = self.scope.places.len().min(12);
                let from = if self.random.chance(60) { self.scope.places.len() - near } else { 0 };
                let index = from + self.random.below(self.scope.places.len() - from);
                read(&self.scope.places[index])
            }
            2 if !self.scope.arrays.is_empty() => {
                let index = self.random.below(self.scope.arrays.len());
                self.element(index)
            }
            _ if self.has(Feature::Floats) && self.random.chance(40) => self.float_to_integer(0),
            _ if self.has(Feature::Vectors) && self.random.chance(40) => self.vector_element(0),
            _ => match self.scope.counters.last() {
                Some(counter) => read(counter),
                None => self.constant(INT),
            },
        }
    }

    /// An element of an array that can be named here.
    pub(super) fn element(&mut self, index: usize) -> Node {
        let array = self.scope.arrays[index].clone();
        let place = self.element_place(&array);
        Node::integer(array.ty, array.ty.full(), "@", vec![place])
    }

    /// The text of an element, as a node that cannot be left out.
    pub(super) fn element_place(&mut self, array: &super::Array) -> Node {
        let indices: Vec<Node> = array.dimensions.iter().map(|&n| self.index(n)).collect();
        match (&indices[..], self.random.below(4)) {
            ([index], 0) if !array.member => Node::fixed(&format!("(*({} + @))", array.text), vec![index.clone()]),
            _ => {
                let template = format!("{}{}", array.text, "[@]".repeat(indices.len()));
                Node::fixed(&template, indices)
            }
        }
    }

    /// An index below a number: of a counter of the loops around, if one fits, or made to fit.
    fn index(&mut self, below: usize) -> Node {
        let limit = Range::new(0, below as i128 - 1);
        if self.random.chance(85) && !self.scope.counters.is_empty() {
            for _ in 0..4 {
                let counter = self.scope.counters[self.random.below(self.scope.counters.len())].clone();
                let mut node = read(&counter);
                if self.use_of(Feature::Strides, 25) {
                    let factor = self.random.within(2, 5);
                    node = self.binary("*", node, literal(INT, factor));
                }
                if self.random.chance(40) {
                    let offset = self.random.within(0, 4);
                    let operation = if self.random.chance(50) { "+" } else { "-" };
                    node = self.binary(operation, node, literal(INT, offset));
                } else if self.use_of(Feature::Strides, 20) {
                    node = self.binary("-", literal(INT, below as i128 - 1), node);
                }
                if node.int().1.within(limit) {
                    return node;
                }
            }
        }
        if self.room == 0 || self.random.chance(30) {
            let value = self.random.within(0, limit.high);
            return literal(INT, value);
        }
        let node = self.integer(1);
        self.fitted(node, INT, limit)
    }

    /// The expression, or one made of it, with values of a range after conversion to a type.
    pub(super) fn fitted(&mut self, node: Node, ty: Int, range: Range) -> Node {
        let (from, values) = node.int();
        let converted = values.converted(ty);
        if ty.kind != Kind::Bool && converted.within(range) {
            return if ty == from { node } else { Node::integer(ty, converted, "@", vec![node]) };
        }
        if ty.kind == Kind::Bool {
            return cast(ty, node);
        }
        let span = range.high.wrapping_sub(range.low);
        if !range.bounded() || !(0..1 << 62).contains(&span) {
            return cast(ty, node);
        }
        if range.low == 0 && (span + 1).count_ones() == 1 {
            return Node::integer(ty, range, &format!("({ty})(@ & {span}L)"), vec![node]);
        }
        let template = match range.low {
            0 => format!("({ty})((unsigned long)@ % {}UL)", span + 1),
            // The sum is made where it can be: the type holds both ends, not always their distance.
            low => format!("({ty})((__int128)((unsigned long)@ % {}UL) + {})", span + 1, literal(LONG, low)),
        };
        Node::integer(ty, range, &template, vec![node])
    }

    /// An operation on two expressions, done on unsigned numbers where it could overflow.
    pub(super) fn binary(&mut self, operation: &str, a: Node, b: Node) -> Node {
        if operation == "<<" || operation == ">>" {
            return self.shift(operation, a, b);
        }
        let ((ta, ra), (tb, rb)) = (a.int(), b.int());
        let ty = ta.common(tb);
        let (mut ra, mut rb) = (ra.converted(ty), rb.converted(ty));
        let (mut a, mut b) = (a, b);
        if operation == "/" || operation == "%" {
            if rb.has(0) || !rb.bounded() {
                let most = ty.full().high.min(1 << 40);
                let value = if self.random.chance(70) { self.random.within(1, most.min(300)) } else { most };
                (b, rb) = (literal(ty, value), Range::new(value, value));
            }
            if ty.signed && rb.has(-1) && ra.low <= ty.full().low {
                a = Node::integer(ty, ra, "(@ >> 1)", vec![cast(ty, a)]);
                ra = Range::new(ty.full().low >> 1, ty.full().high >> 1);
            }
            if ty.signed && ty.bits > 128 && !ra.bounded() {
                return a;
            }
        }
        let template = format!("(@ {operation} @)");
        match ra.apply(operation, rb) {
            Some(range) if range.within(ty.full()) => Node::integer(ty, range, &template, vec![a, b]),
            _ if !ty.signed || matches!(operation, "&" | "|" | "^" | "/" | "%") => {
                Node::integer(ty, ty.full(), &template, vec![a, b])
            }
            _ => {
                let unsigned = ty.unsigned();
                let template = format!("(({ty})(({unsigned})@ {operation} ({unsigned})@))");
                Node::integer(ty, ty.full(), &template, vec![a, b])
            }
        }
    }

    fn shift(&mut self, operation: &str, a: Node, b: Node) -> Node {
        let (ta, ra) = a.int();
        let ty = ta.promoted();
        let limit = (1i128 << (15 - ty.bits.leading_zeros())) - 1;
        let b = match b.int().1.within(Range::new(0, i128::from(ty.bits) - 1)) {
            true => b,
            false => {
                let kind = b.int().0.common(INT);
                Node::integer(kind, Range::new(0, limit), &format!("(@ & {limit})"), vec![b])
            }
        };
        // A signed _BitInt of few bits has no values for its own shift amounts, but a constant has.
        let rb = b.int().1;
        match ra.apply(operation, rb) {
            Some(range) if range.within(ty.full()) && (ra.low >= 0 || operation == ">>") => {
                Node::integer(ty, range, &format!("(@ {operation} @)"), vec![a, b])
            }
            _ if !ty.signed || operation == ">>" => {
                Node::integer(ty, ty.full(), &format!("(@ {operation} @)"), vec![a, b])
            }
            _ => {
                let template = format!("(({ty})(({})@ << @))", ty.unsigned());
                Node::integer(ty, ty.full(), &template, vec![a, b])
            }
        }
    }

    fn unary(&mut self, depth: usize) -> Node {
        let a = self.integer(depth);
        let (from, range) = a.int();
        let ty = from.promoted();
        match self.random.below(3) {
            0 => match Range::new(0, 0).apply("-", range) {
                Some(range) if range.within(ty.full()) => Node::integer(ty, range, "(-@)", vec![a]),
                _ if !ty.signed => Node::integer(ty, ty.full(), "(-@)", vec![a]),
                _ => {
                    let template = format!("(({ty})-({})@)", ty.unsigned());
                    Node::integer(ty, ty.full(), &template, vec![a])
                }
            },
            1 if ty.signed => Node::integer(ty, Range::new(!range.high, !range.low), "(~@)", vec![a]),
            1 => Node::integer(ty, ty.full(), "(~@)", vec![a]),
            _ => Node::integer(INT, Range::new(0, 1), "(!@)", vec![a]),
        }
    }

    fn comparison(&mut self, depth: usize) -> Node {
        let template = match self.random.below(10) {
            0 => "(@ && @)".to_string(),
            1 => "(@ || @)".to_string(),
            _ => format!("(@ {} @)", self.random.pick(&COMPARISONS)),
        };
        if self.use_of(Feature::Floats, 20) && !template.contains("&&") && !template.contains("||") {
            let (ty, other) = (self.float_type(), self.float_type());
            let (a, b) = (self.float(ty, depth), self.float(other, depth));
            return Node::integer(INT, Range::new(0, 1), &template, vec![a, b]);
        }
        let a = self.integer(depth);
        let b = if self.random.chance(35) {
            let (ty, _) = a.int();
            self.constant(ty)
        } else {
            self.integer(depth)
        };
        Node::integer(INT, Range::new(0, 1), &template, vec![a, b])
    }

    /// Shapes that compilers look for: rotations, minima, absolute values, overflow tests, bytes
    /// put together, counts of bits.
    fn idiom(&mut self, depth: usize) -> Node {
        let a = self.integer(depth);
        match self.random.below(8) {
            0 if self.has(Feature::Builtins) => self.counting(a),
            1 if self.has(Feature::Overflow) => {
                let b = self.integer(depth);
                self.overflow(a, b)
            }
            2 => self.rotation(a),
            3 => {
                let b = self.integer(depth);
                let ty = *self.random.pick(&STANDARD);
                let operation = self.random.pick(&COMPARISONS[..4]);
                let (x, y) = (self.name("x"), self.name("y"));
                let template = format!("({{ {ty} {x} = @, {y} = @; {x} {operation} {y} ? {x} : {y}; }})");
                let ty = ty.promoted();
                Node::integer(ty, ty.full(), &template, vec![a, b])
            }
            4 => {
                let ty = if self.random.chance(50) { INT } else { LONG };
                let high = ty.full().high;
                let a = self.fitted(a, ty, ty.full());
                let x = self.name("x");
                let low = ty.literal(-high);
                let template = format!("({{ {ty} {x} = @; {x} < {low} ? {x} + 1 : {x} < 0 ? -{x} : {x}; }})");
                Node::integer(ty, ty.full(), &template, vec![a])
            }
            5 if self.has(Feature::MemoryFunctions) => self.memory_read(),
            6 => {
                // A saturating sum.
                let ty = if self.random.chance(50) { UNSIGNED } else { UNSIGNED_LONG };
                let b = self.integer(depth);
                let (x, y) = (self.name("x"), self.name("y"));
                let template = format!("({{ {ty} {x} = @, {y} = {x} + ({ty})@; {y} < {x} ? ({ty})-1 : {y}; }})");
                Node::integer(ty, ty.full(), &template, vec![a, b])
            }
            _ => Node::integer(LONG, a.int().1.converted(LONG), "__builtin_expect(@, 1)", vec![a]),
        }
    }

    fn counting(&mut self, a: Node) -> Node {
        match self.random.below(12) {
            9 => Node::integer(INT, Range::new(0, 31), "__builtin_clz((unsigned)@ | 1u)", vec![a]),
            10 => Node::integer(INT, Range::new(0, 63), "__builtin_ctzl((unsigned long)@ | 1UL << 63)", vec![a]),
            11 => Node::integer(INT, Range::new(0, 63), "__builtin_clzl((unsigned long)@ | 1UL)", vec![a]),
            n => {
                let (name, argument, ty, low, high) = BUILTINS[n];
                let a = cast(argument, a);
                Node::integer(ty, Range::new(low, high), &format!("__builtin_{name}(@)"), vec![a])
            }
        }
    }

    fn overflow(&mut self, a: Node, b: Node) -> Node {
        let operation = *self.random.pick(&["add", "sub", "mul"]);
        let ty = if self.use_of(Feature::Huge, 20) { *self.random.pick(&HUGE) } else { *self.random.pick(&STANDARD) };
        let (r, o) = (self.name("r"), self.name("o"));
        let other = self.constant(ty);
        let call = format!("__builtin_{operation}_overflow(@, @, &{r})");
        let template = format!("({{ {ty} {r}; int {o} = {call}; {o} ? @ : {r}; }})");
        // No _Bool, no _BitInt: gcc 12 has no checked arithmetic on the first, other compilers none
        // on mixed widths of the second.
        let (a, b) = (plain(a), plain(b));
        let ty = ty.promoted();
        Node::integer(ty, ty.full(), &template, vec![a, b, other])
    }

    fn rotation(&mut self, a: Node) -> Node {
        let types = [BYTE, STANDARD[3], UNSIGNED, UNSIGNED_LONG];
        let ty = *self.random.pick(&types);
        let mask = ty.bits - 1;
        let amount = self.integer(0);
        let (x, n) = (self.name("x"), self.name("n"));
        let (left, right) = if self.random.chance(50) { ("<<", ">>") } else { (">>", "<<") };
        let template = format!(
            "({{ {ty} {x} = @; int {n} = @ & {mask}; ({ty})({x} {left} {n} | {x} {right} (-{n} & {mask})); }})"
        );
        // A left shift of a promoted byte or short stays below 2^31.
        Node::integer(ty, ty.full(), &template, vec![a, amount])
    }

    /// Bytes of an array read as a number.
    fn memory_read(&mut self) -> Node {
        let bytes: Vec<_> = self
            .scope
            .arrays
            .iter()
            .filter(|a| a.ty == BYTE && a.dimensions.len() == 1 && a.dimensions[0] >= 16 && !a.member)
            .cloned()
            .collect();
        if bytes.is_empty() {
            return self.leaf();
        }
        let array = self.random.pick(&bytes).clone();
        let ty = STANDARD[2 + self.random.below(6)];
        let size = usize::from(ty.bits / 8);
        let index = self.index(array.dimensions[0] - size + 1);
        let t = self.name("t");
        if self.random.chance(50) {
            let template = format!("({{ {ty} {t}; __builtin_memcpy(&{t}, {} + @, {size}); {t}; }})", array.text);
            return Node::integer(ty, ty.full(), &template, vec![index]);
        }
        // Written out, in one order or the other.
        let unsigned = if size == 8 { UNSIGNED_LONG } else { UNSIGNED };
        let swapped = self.random.chance(50);
        let terms: Vec<String> = (0..size)
            .map(|i| format!("({unsigned}){}[{t} + {i}] << {}", array.text, 8 * if swapped { size - 1 - i } else { i }))
            .collect();
        let template = format!("({{ int {t} = @; {}; }})", terms.join(" | "));
        Node::integer(unsigned, unsigned.full(), &template, vec![index])
    }

    fn statement_expression(&mut self, depth: usize) -> Node {
        let ty = self.int_type();
        let value = self.integer(depth);
        let (_, range) = value.int();
        let range = range.converted(ty);
        let value = self.fitted(value, ty, range);
        let name = self.name("s");
        self.scoped(|g| {
            let place = Place { text: name.clone(), ty, range, writable: false, global: false, cast: false };
            g.scope.places.push(place);
            let result = g.integer(depth);
            let (ty_of_all, range_of_all) = result.int();
            Node::integer(ty_of_all, range_of_all, &format!("({{ {ty} {name} = @; @; }})"), vec![value, result])
        })
    }
}

/// A constant.
pub(super) fn literal(ty: Int, value: i128) -> Node {
    Node::text(Sort::Integer(ty, Range::new(value, value)), ty.literal(value))
}

/// A place's value.
pub(super) fn read(place: &Place) -> Node {
    let text = if place.cast { format!("({}){}", place.ty, place.text) } else { place.text.clone() };
    Node::text(Sort::Integer(place.ty, place.range), text)
}

/// A conversion.
pub(super) fn cast(ty: Int, node: Node) -> Node {
    let range = node.int().1.converted(ty);
    Node::integer(ty, range, &format!("(({ty})@)"), vec![node])
}

/// An operand of a standard type.
fn plain(node: Node) -> Node {
    match node.int().0.kind {
        Kind::Standard => node,
        _ => cast(LONG, node),
    }
}

fn choice(condition: Node, a: Node, b: Node) -> Node {
    let ((ta, ra), (tb, rb)) = (a.int(), b.int());
    let ty = ta.common(tb);
    let range = ra.converted(ty).union(rb.converted(ty));
    Node::integer(ty, range, "(@ ? @ : @)", vec![condition, a, b])
}
