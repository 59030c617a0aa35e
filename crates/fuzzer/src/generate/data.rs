//! Types and objects with static storage, and the hash of all of them.

use super::floats::Float;
use super::{Array, Feature, FloatPlace, Generator, Place, RecordPlace, Scope, VectorPlace};
use crate::tree::{Node, Sort};
use crate::types::{BYTE, INT, Int, LONG, Range, STANDARD, UNSIGNED, UNSIGNED_LONG};

/// A structure type.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Its tag, `struct` before it.
    pub(super) name: String,
    fields: Vec<(String, Field)>,
}

#[derive(Clone, Debug)]
enum Field {
    Int(Int),
    /// A bit-field: the type of its value, its range, whether the value has a type of its own.
    Bits(Int, Range, bool),
    Array(Int, usize),
    Float(Float),
}

impl Generator {
    /// Definitions of types and objects.
    pub(super) fn data(&mut self) -> Vec<Node> {
        let mut items = Vec::new();
        if self.has(Feature::Vectors) {
            items.push(Node::text(Sort::Fixed, Generator::vector_types()));
        }
        if self.has(Feature::Structures) || self.has(Feature::BitFields) {
            for _ in 0..1 + self.random.below(2) {
                items.push(self.record());
            }
        }
        let mut globals = Scope::default();
        for _ in 0..2 + self.random.below(3) {
            items.push(self.global_integer(&mut globals));
        }
        for _ in 0..1 + self.random.below(2) {
            items.push(self.global_array(&mut globals));
        }
        if self.has(Feature::MemoryFunctions) {
            let name = self.name("bytes");
            globals.arrays.push(Array {
                text: name.clone(),
                ty: BYTE,
                dimensions: vec![64],
                writable: true,
                global: true,
                member: false,
            });
            items.push(Node::text(Sort::Removable, format!("static unsigned char {name}[64] = \"compiler\";\n")));
        }
        if self.has(Feature::Unions) {
            items.push(self.union(&mut globals));
        }
        if self.has(Feature::Floats) {
            items.extend(self.global_floats(&mut globals));
        }
        for index in 0..self.records.len() {
            let name = self.name("rec");
            items.push(Node::text(Sort::Removable, format!("static {} {name};\n", self.records[index].name)));
            self.reveal(&mut globals, &name, index, true, true);
        }
        if self.has(Feature::Vectors) {
            let ty = self.vector_type();
            let name = self.name("vec");
            let vector = super::vectors::VECTORS[ty].name;
            items.push(Node::text(Sort::Removable, format!("static {vector} {name};\n")));
            globals.vectors.push(VectorPlace { text: name, ty, writable: true, global: true });
        }
        self.globals = globals;
        items
    }

    fn record(&mut self) -> Node {
        let name = format!("struct {}", self.name("S"));
        let mut fields = Vec::new();
        let mut text = format!("{name} {{\n");
        for index in 0..1 + self.random.below(6) {
            let field = format!("f{index}");
            if self.use_of(Feature::BitFields, 55) {
                let unit: Int = *self.random.pick(&[INT, UNSIGNED, UNSIGNED, LONG, UNSIGNED_LONG, BYTE, STANDARD[2]]);
                let width = 1 + self.random.below(usize::from(unit.bits)) as u16;
                let width = if unit.signed { width.max(2) } else { width };
                let values = Int { bits: width, ..unit }.full();
                let promoted = if width < 32 || unit.signed && width == 32 { INT } else { unit };
                text.push_str(&format!("    {unit} {field} : {width};\n"));
                if self.random.chance(10) {
                    text.push_str(&format!("    {unit} : {};\n", self.random.below(2) * 3));
                }
                fields.push((field, Field::Bits(promoted, values, width > 32)));
                continue;
            }
            match self.random.below(10) {
                0 | 1 => {
                    let ty = *self.random.pick(&STANDARD);
                    let length = 2 + self.random.below(7);
                    text.push_str(&format!("    {ty} {field}[{length}];\n"));
                    fields.push((field, Field::Array(ty, length)));
                }
                2 | 3 if self.has(Feature::Floats) => {
                    let ty = self.float_type();
                    text.push_str(&format!("    {} {field};\n", ty.name()));
                    fields.push((field, Field::Float(ty)));
                }
                _ => {
                    let ty = self.int_type();
                    text.push_str(&format!("    {ty} {field};\n"));
                    fields.push((field, Field::Int(ty)));
                }
            }
        }
        text.push_str(if self.random.chance(12) { "} __attribute__((packed));\n" } else { "};\n" });
        self.records.push(Record { name, fields });
        Node::text(Sort::Removable, text)
    }

    /// Makes an object of a structure and its members visible.
    pub(super) fn reveal(&mut self, scope: &mut Scope, text: &str, record: usize, writable: bool, global: bool) {
        for (name, field) in self.records[record].fields.clone() {
            let text = format!("{text}.{name}");
            match field {
                Field::Int(ty) => {
                    scope.places.push(Place { text, ty, range: ty.full(), writable, global, cast: false });
                }
                Field::Bits(ty, range, cast) => scope.places.push(Place { text, ty, range, writable, global, cast }),
                Field::Array(ty, length) => {
                    scope.arrays.push(Array { text, ty, dimensions: vec![length], writable, global, member: true });
                }
                Field::Float(ty) => scope.floats.push(FloatPlace { text, ty, writable, global }),
            }
        }
        scope.records.push(RecordPlace { text: text.to_string(), record, writable, global });
    }

    /// A range for an object of a type: all its values, or few enough that sums stay in the type.
    pub(super) fn range_of_object(&mut self, ty: Int) -> Range {
        let full = ty.full();
        if !self.random.chance(45) {
            return full;
        }
        let most = [1i128, 15, 100, 1000, 40_000, 1 << 20][self.random.below(6)];
        Range::new(full.low.max(-most), full.high.min(most))
    }

    fn global_integer(&mut self, globals: &mut Scope) -> Node {
        let ty = self.int_type();
        let range = self.range_of_object(ty);
        let name = self.name("g");
        let value = self.value_within(range);
        let writable = self.random.chance(85);
        let volatile = if self.use_of(Feature::Volatile, 30) { "volatile " } else { "" };
        let constant = if writable { "" } else { "const " };
        let value = ty.literal(value);
        globals.places.push(Place { text: name.clone(), ty, range, writable, global: true, cast: false });
        Node::text(Sort::Removable, format!("static {volatile}{constant}{ty} {name} = {value};\n"))
    }

    fn global_array(&mut self, globals: &mut Scope) -> Node {
        let ty = if self.random.chance(85) { *self.random.pick(&STANDARD) } else { self.int_type() };
        let name = self.name("a");
        let dimensions = match self.random.below(10) {
            0 | 1 => vec![2 + self.random.below(7), 3 + self.random.below(14)],
            2 => vec![1 + self.random.below(6)],
            3..=5 => vec![8 << self.random.below(4)],
            _ => vec![5 + self.random.below(60)],
        };
        let writable = self.random.chance(80);
        let shape: String = dimensions.iter().map(|n| format!("[{n}]")).collect();
        let count = dimensions.iter().product::<usize>();
        let given = if writable { self.random.below(count.min(5) + 1) } else { count.min(12) };
        let values: Vec<String> = (0..given)
            .map(|_| {
                let value = self.value_within(ty.full());
                ty.literal(value)
            })
            .collect();
        let start = if values.is_empty() { "0".to_string() } else { values.join(", ") };
        let aligned = if self.random.chance(15) { "__attribute__((aligned(32))) " } else { "" };
        let constant = if writable { "" } else { "const " };
        globals.arrays.push(Array { text: name.clone(), ty, dimensions, writable, global: true, member: false });
        Node::text(Sort::Removable, format!("static {constant}{ty} {aligned}{name}{shape} = {{ {start} }};\n"))
    }

    /// A union whose members all fill it: each member written is read as the others.
    fn union(&mut self, globals: &mut Scope) -> Node {
        let name = self.name("u");
        let mut members = vec!["unsigned long whole[2];".to_string()];
        let mut arrays = vec![("whole".to_string(), UNSIGNED_LONG, 2)];
        for index in 0..1 + self.random.below(4) {
            let ty = *self.random.pick(&STANDARD);
            let count = usize::from(128 / ty.bits);
            members.push(format!("{ty} m{index}[{count}];"));
            arrays.push((format!("m{index}"), ty, count));
        }
        for (member, ty, count) in arrays {
            let text = format!("{name}.{member}");
            globals.arrays.push(Array {
                text,
                ty,
                dimensions: vec![count],
                writable: true,
                global: true,
                member: true,
            });
        }
        Node::text(Sort::Removable, format!("static union {{ {} }} {name};\n", members.join(" ")))
    }

    fn global_floats(&mut self, globals: &mut Scope) -> Vec<Node> {
        let mut items = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            let ty = self.float_type();
            let name = self.name("x");
            items.push(Node::text(Sort::Removable, format!("static {} {name} = 1.5;\n", ty.name())));
            globals.floats.push(FloatPlace { text: name, ty, writable: true, global: true });
        }
        for _ in 0..1 + self.random.below(2) {
            let ty = self.float_type();
            let name = self.name("y");
            let length = 4 + self.random.below(40);
            let text = format!("static {} {name}[{length}] = {{ 0.5, -2.0, 3.0, 1e9 }};\n", ty.name());
            items.push(Node::text(Sort::Removable, text));
            globals.float_arrays.push((name, ty, length));
        }
        items
    }

    /// Statements that add every global object to the hash.
    pub(super) fn hashing(&mut self) -> Vec<Node> {
        let globals = self.globals.clone();
        let mut statements = Vec::new();
        for place in &globals.places {
            let text = format!("mix((unsigned long){});\n", place.text);
            statements.push(Node::text(Sort::Removable, text));
        }
        for array in globals.arrays.iter().filter(|a| a.writable) {
            let (i, j) = (self.name("i"), self.name("j"));
            let text = match array.dimensions[..] {
                [n] => format!("for (int {i} = 0; {i} < {n}; {i}++) mix((unsigned long){}[{i}]);\n", array.text),
                _ => format!(
                    "for (int {i} = 0; {i} < {}; {i}++) for (int {j} = 0; {j} < {}; {j}++) mix((unsigned long){}[{i}][{j}]);\n",
                    array.dimensions[0], array.dimensions[1], array.text
                ),
            };
            statements.push(Node::text(Sort::Removable, text));
        }
        for place in &globals.floats {
            statements.push(Node::text(Sort::Removable, format!("mixd((double){});\n", place.text)));
        }
        for (text, _, n) in &globals.float_arrays {
            let i = self.name("i");
            let text = format!("for (int {i} = 0; {i} < {n}; {i}++) mixd((double){text}[{i}]);\n");
            statements.push(Node::text(Sort::Removable, text));
        }
        for place in &globals.vectors {
            statements.push(self.mix_vector(place));
        }
        statements
    }
}
