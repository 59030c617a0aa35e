//! Expressions of floating and complex types. They may be infinite or NaN; what is made of them
//! does not depend on a NaN's sign or payload, which the standard leaves open (IEC 60559, 6.2.3).

use super::{Feature, Generator};
use crate::tree::{Node, Sort};
use crate::types::{INT, Int, LONG, Range, STANDARD, UNSIGNED, UNSIGNED_LONG};

/// A floating type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Float {
    Single,
    Double,
    Extended,
}

impl Float {
    /// Its name in C.
    pub(super) fn name(self) -> &'static str {
        match self {
            Float::Single => "float",
            Float::Double => "double",
            Float::Extended => "long double",
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Float::Single => "f",
            Float::Double => "",
            Float::Extended => "L",
        }
    }
}

const VALUES: [&str; 16] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "0.5",
    "2.0",
    "3.25",
    "-7.75",
    "100.0",
    "1e10",
    "-3e-5",
    "1e30",
    "16777217.0",
    "4294967296.0",
    "0.1",
    "9007199254740993.0",
];

impl Generator {
    /// A floating type the program may use.
    pub(super) fn float_type(&mut self) -> Float {
        if self.use_of(Feature::LongDouble, 25) {
            return Float::Extended;
        }
        if self.random.chance(35) { Float::Single } else { Float::Double }
    }

    /// An expression of exactly this floating type.
    pub(super) fn float(&mut self, ty: Float, depth: usize) -> Node {
        let sort = Sort::Value(ty.name());
        if depth == 0 || !self.take_room() {
            return self.float_leaf(ty);
        }
        match self.random.weighted(&[15, 45, 8, 8, 10, 8, 6]) {
            0 => self.float_leaf(ty),
            1 => {
                let operation = self.random.pick(&["+", "-", "*", "/"]);
                let (a, b) = (self.float(ty, depth - 1), self.float(ty, depth - 1));
                Node::new(sort, &format!("(@ {operation} @)"), vec![a, b])
            }
            2 => {
                let a = self.float(ty, depth - 1);
                Node::new(sort, "(-@)", vec![a])
            }
            3 => {
                let function = self.random.pick(&["fabs", "sqrt", "floor", "trunc", "ceil", "rint"]);
                let a = self.float(ty, depth - 1);
                let suffix = ["f", "", "l"][ty as usize];
                Node::new(sort, &format!("__builtin_{function}{suffix}(@)"), vec![a])
            }
            4 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.float(ty, depth - 1), self.float(ty, depth - 1));
                Node::new(sort, "(@ ? @ : @)", vec![condition, a, b])
            }
            5 => {
                let a = self.integer(depth - 1);
                let (from, _) = a.int();
                // Values beyond 64 bits are left to the conversions of a narrower type.
                let a = if from.bits > 64 { super::integers::cast(LONG, a) } else { a };
                Node::new(sort, &format!("(({})@)", ty.name()), vec![a])
            }
            _ => {
                let from = self.float_type();
                let a = if self.use_of(Feature::Complex, 30) {
                    self.complex_part(depth - 1)
                } else {
                    self.float(from, depth - 1)
                };
                Node::new(sort, &format!("(({})@)", ty.name()), vec![a])
            }
        }
    }

    fn float_leaf(&mut self, ty: Float) -> Node {
        let sort = Sort::Value(ty.name());
        let near: Vec<String> = self.scope.floats.iter().filter(|f| f.ty == ty).map(|f| f.text.clone()).collect();
        if !near.is_empty() && self.random.chance(55) {
            return Node::text(sort, self.random.pick(&near).clone());
        }
        let arrays: Vec<_> = self.scope.float_arrays.iter().filter(|(_, t, _)| *t == ty).cloned().collect();
        if !arrays.is_empty() && self.random.chance(60) {
            let (text, _, length) = self.random.pick(&arrays).clone();
            let index = self.index_below(length);
            return Node::new(sort, &format!("{text}[@]"), vec![index]);
        }
        Node::text(sort, format!("({}{})", self.random.pick(&VALUES), ty.suffix()))
    }

    /// An index below a number, see [`Generator::element_place`].
    pub(super) fn index_below(&mut self, length: usize) -> Node {
        let array = super::Array {
            text: String::new(),
            ty: INT,
            dimensions: vec![length],
            writable: false,
            global: false,
            member: true,
        };
        let mut place = self.element_place(&array);
        let index = place.children_mut().next().expect("an element has an index");
        index.clone()
    }

    /// A floating number as an integer: compared before it is converted (C17 6.3.1.4).
    pub(super) fn float_to_integer(&mut self, depth: usize) -> Node {
        let ty = self.float_type();
        let value = self.float(ty, depth);
        let to: Int = *self.random.pick(&[INT, UNSIGNED, LONG, UNSIGNED_LONG, STANDARD[0], STANDARD[3]]);
        let bits = i32::from(to.bits);
        // The largest numbers stay away from the ends, which a float cannot tell from those beyond.
        let (low, high) = if to.signed {
            (format!("-0x0.ffp{}", bits - 1), format!("0x0.ffp{}", bits - 1))
        } else {
            ("-1.0".to_string(), format!("0x0.ffp{bits}"))
        };
        let d = self.name("d");
        let other = self.random.below(100);
        let template =
            format!("({{ {} {d} = @; {d} > {low} && {d} < {high} ? ({to}){d} : ({to}){other}; }})", ty.name());
        let promoted = to.promoted();
        Node::integer(promoted, to.full(), &template, vec![value])
    }

    /// Real or imaginary part of an expression on complex numbers.
    fn complex_part(&mut self, depth: usize) -> Node {
        let part = self.random.pick(&["__real__", "__imag__"]);
        let value = self.complex(depth);
        Node::new(Sort::Value("double"), &format!("({part} @)"), vec![value])
    }

    fn complex(&mut self, depth: usize) -> Node {
        let sort = Sort::Value("_Complex double");
        if depth == 0 || !self.take_room() {
            let (a, b) = (self.float(Float::Double, 0), self.float(Float::Double, 0));
            return Node::new(sort, "__builtin_complex(@, @)", vec![a, b]);
        }
        match self.random.below(5) {
            0 => {
                let a = self.complex(depth - 1);
                Node::new(sort, &format!("({}@)", self.random.pick(&["-", "~"])), vec![a])
            }
            1 => {
                let a = self.float(Float::Double, depth - 1);
                let b = self.complex(depth - 1);
                let operation = self.random.pick(&["+", "-", "*"]);
                Node::new(sort, &format!("(@ {operation} @)"), vec![a, b])
            }
            _ => {
                let operation = self.random.pick(&["+", "-", "*"]);
                let (a, b) = (self.complex(depth - 1), self.complex(depth - 1));
                Node::new(sort, &format!("(@ {operation} @)"), vec![a, b])
            }
        }
    }

    /// Adds a floating number to the hash.
    pub(super) fn mix_float(&mut self, value: Node) -> Node {
        let template = "mixd((double)@);\n";
        Node::statement(template, vec![value])
    }

    /// Whether two complex numbers are equal, or what their sum's part is.
    pub(super) fn complex_equality(&mut self, depth: usize) -> Node {
        let (a, b) = (self.complex(depth), self.complex(depth));
        Node::integer(INT, Range::new(0, 1), "(@ == @)", vec![a, b])
    }
}
