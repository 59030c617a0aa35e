//! Expressions of vector types (GNU C). Signed elements are only compared and shifted: their sums
//! may not overflow.

use super::{Feature, Generator, VectorPlace};
use crate::tree::{Node, Sort};
use crate::types::{INT, Int, STANDARD};

/// A vector type of the prelude.
pub(super) struct Vector {
    /// Its name.
    pub(super) name: &'static str,
    /// Name of its elements' type.
    pub(super) element: &'static str,
    /// The elements' type, if they are integers.
    pub(super) int: Option<Int>,
    /// Number of elements.
    pub(super) lanes: usize,
}

const fn vector(name: &'static str, element: &'static str, int: Option<Int>, lanes: usize) -> Vector {
    Vector { name, element, int, lanes }
}

/// The vector types; of one width the unsigned type comes before the signed one.
pub(super) const VECTORS: [Vector; 11] = [
    vector("v16u8", "unsigned char", Some(STANDARD[1]), 16),
    vector("v8u16", "unsigned short", Some(STANDARD[3]), 8),
    vector("v8s16", "short", Some(STANDARD[2]), 8),
    vector("v4u32", "unsigned", Some(STANDARD[5]), 4),
    vector("v4s32", "int", Some(STANDARD[4]), 4),
    vector("v2u64", "unsigned long", Some(STANDARD[7]), 2),
    vector("v4f32", "float", None, 4),
    vector("v2f64", "double", None, 2),
    vector("v8f16", "_Float16", None, 8),
    vector("v8u32", "unsigned", Some(STANDARD[5]), 8),
    vector("v2u32", "unsigned", Some(STANDARD[5]), 2),
];

impl Vector {
    /// Of all elements.
    fn bits(&self) -> usize {
        let bits = match (self.int, self.element) {
            (Some(int), _) => usize::from(int.bits),
            (None, "_Float16") => 16,
            (None, "float") => 32,
            (None, _) => 64,
        };
        bits * self.lanes
    }

    /// Another vector type of as many elements of the same size, which is of floats or not.
    fn beside(&self, floats: bool) -> Option<usize> {
        let fits = |w: &Vector| w.int.is_none() == floats && (w.lanes, w.bits()) == (self.lanes, self.bits());
        VECTORS.iter().position(fits)
    }
}

impl Generator {
    /// Definitions of the vector types.
    pub(super) fn vector_types() -> String {
        let define =
            |v: &Vector| format!("typedef {} {} __attribute__((vector_size({})));\n", v.element, v.name, v.bits() / 8);
        VECTORS.iter().map(define).collect()
    }

    /// An expression of a vector type.
    pub(super) fn vector(&mut self, ty: usize, depth: usize) -> Node {
        let v = &VECTORS[ty];
        let sort = Sort::Value(v.name);
        let near: Vec<String> = self.scope.vectors.iter().filter(|p| p.ty == ty).map(|p| p.text.clone()).collect();
        if depth == 0 || !self.take_room() {
            if !near.is_empty() && self.random.chance(60) {
                return Node::text(sort, self.random.pick(&near).clone());
            }
            return self.vector_of_elements(ty);
        }
        let Some(int) = v.int else {
            return self.float_vector(ty, depth);
        };
        let name = v.name;
        match self.random.below(9) {
            0 | 1 if !int.signed => {
                let operation = self.random.pick(&["+", "-", "*"]);
                let (a, b) = (self.vector(ty, depth - 1), self.vector(ty, depth - 1));
                Node::new(sort, &format!("(@ {operation} @)"), vec![a, b])
            }
            2 => {
                let amount = self.random.below(usize::from(int.bits));
                let operation = if int.signed { ">>" } else { self.random.pick(&["<<", ">>"]) };
                let a = self.vector(ty, depth - 1);
                Node::new(sort, &format!("(@ {operation} {amount})"), vec![a])
            }
            3 => {
                let operation = self.random.pick(&["<", "==", ">", "!=", "<=", ">="]);
                let floats = v.beside(true).filter(|_| self.use_of(Feature::Floats, 40));
                let compared = floats.unwrap_or(ty);
                let (a, b) = (self.vector(compared, depth - 1), self.vector(compared, depth - 1));
                Node::new(sort, &format!("(({name})(@ {operation} @))"), vec![a, b])
            }
            4 => {
                let a = self.vector(ty, depth - 1);
                Node::new(sort, "(~@)", vec![a])
            }
            5 => {
                let a = self.vector(ty, depth - 1);
                let b = self.vector(ty, depth - 1);
                let lanes: Vec<String> = (0..v.lanes).map(|_| self.random.below(2 * v.lanes).to_string()).collect();
                Node::new(sort, &format!("__builtin_shufflevector(@, @, {})", lanes.join(", ")), vec![a, b])
            }
            6 => {
                // The same bytes as another type.
                let size = usize::from(int.bits) * v.lanes;
                let same = |w: &Vector| w.int.is_some_and(|t| usize::from(t.bits) * w.lanes == size);
                let others: Vec<usize> = (0..VECTORS.len()).filter(|&w| same(&VECTORS[w])).collect();
                let other = *self.random.pick(&others);
                let a = self.vector(other, depth - 1);
                Node::new(sort, &format!("(({name})@)"), vec![a])
            }
            7 if !int.signed && int.bits <= 32 => {
                let value = self.random.within(0, int.full().high.min(200));
                let operation = self.random.pick(&["/", "%", "*", "+"]);
                let a = self.vector(ty, depth - 1);
                Node::new(sort, &format!("(@ {operation} ({}){})", v.element, value.max(1)), vec![a])
            }
            _ => {
                let operation = self.random.pick(&["&", "|", "^"]);
                let (a, b) = (self.vector(ty, depth - 1), self.vector(ty, depth - 1));
                Node::new(sort, &format!("(@ {operation} @)"), vec![a, b])
            }
        }
    }

    fn float_vector(&mut self, ty: usize, depth: usize) -> Node {
        let v = &VECTORS[ty];
        let sort = Sort::Value(v.name);
        match (self.random.below(6), v.beside(false)) {
            (0, Some(integers)) => {
                let a = self.vector(integers, depth - 1);
                Node::new(sort, &format!("__builtin_convertvector(@, {})", v.name), vec![a])
            }
            (1, _) => {
                let a = self.vector(ty, depth - 1);
                Node::new(sort, "(-@)", vec![a])
            }
            _ => {
                let operation = self.random.pick(&["+", "-", "*", "/"]);
                let (a, b) = (self.vector(ty, depth - 1), self.vector(ty, depth - 1));
                Node::new(sort, &format!("(@ {operation} @)"), vec![a, b])
            }
        }
    }

    fn vector_of_elements(&mut self, ty: usize) -> Node {
        let v = &VECTORS[ty];
        let name = v.name;
        let elements: Vec<Node> = (0..v.lanes)
            .map(|_| match v.int {
                Some(int) if self.random.chance(30) => {
                    let value = self.integer(0);
                    super::integers::cast(int, value)
                }
                Some(int) => self.constant(int),
                None if v.element != "double" => self.float(super::floats::Float::Single, 0),
                None => self.float(super::floats::Float::Double, 0),
            })
            .collect();
        let template = format!("(({name}){{{}}})", vec!["@"; v.lanes].join(", "));
        Node::new(Sort::Value(v.name), &template, elements)
    }

    /// A type of the vectors that the program may use.
    pub(super) fn vector_type(&mut self) -> usize {
        loop {
            let ty = self.random.below(VECTORS.len());
            if VECTORS[ty].int.is_some() || self.has(Feature::Floats) {
                return ty;
            }
        }
    }

    /// An element of a vector of integers.
    pub(super) fn vector_element(&mut self, depth: usize) -> Node {
        let ty = self.vector_type();
        let Some(int) = VECTORS[ty].int else { return self.constant(INT) };
        let value = self.vector(ty, depth);
        let lane = self.index_below(VECTORS[ty].lanes);
        let name = self.name("v");
        let template = format!("({{ {} {name} = @; {name}[@]; }})", VECTORS[ty].name);
        Node::integer(int, int.full(), &template, vec![value, lane])
    }

    /// Adds all elements of a vector to the hash.
    pub(super) fn mix_vector(&mut self, place: &VectorPlace) -> Node {
        let v = &VECTORS[place.ty];
        let i = self.name("i");
        let mix = if v.int.is_some() { "mix" } else { "mixd" };
        let text = format!("for (int {i} = 0; {i} < {}; {i}++) {mix}({}[{i}]);\n", v.lanes, place.text);
        Node::text(Sort::Removable, text)
    }
}
