//! Statements and declarations of local objects.

use super::{Array, Feature, FloatPlace, Generator, Place, VectorPlace};
use crate::tree::{Node, Sort};
use crate::types::{BYTE, INT, Int, Range, STANDARD, UNSIGNED, UNSIGNED_LONG};

impl Generator {
    /// A few statements in a scope of their own.
    pub(super) fn block(&mut self, low: usize, more: usize) -> Node {
        let statements = self.scoped(|g| g.statements(low, more));
        Node::sequence(statements)
    }

    /// `low` to `low + more - 1` statements.
    pub(super) fn statements(&mut self, low: usize, more: usize) -> Vec<Node> {
        let count = low + self.random.below(more);
        self.depth += 1;
        let mut made = Vec::new();
        for _ in 0..count {
            if self.length == 0 && !made.is_empty() {
                break;
            }
            self.length = self.length.saturating_sub(1);
            self.cost += self.weight;
            self.room = 3 + self.random.below(13);
            made.push(self.statement());
        }
        self.depth -= 1;
        made
    }

    fn statement(&mut self) -> Node {
        let deep = self.depth >= 4 || self.length == 0;
        match self.random.weighted(&[30, 12, 16, 12, 6, 6, 8, 5, 5]) {
            1 => self.declaration(),
            2 if !deep => self.conditional(),
            3 if !deep && self.has(Feature::Loops) => self.loop_statement().unwrap_or_else(|| self.assignment()),
            4 if !deep => self.jumping_statement().unwrap_or_else(|| self.assignment()),
            5 => self.odd_statement().unwrap_or_else(|| self.assignment()),
            6 if !self.functions.is_empty() && !self.alone => {
                let index = self.random.below(self.functions.len());
                let callee = &self.functions[index];
                let dear = self.cost + self.weight * callee.cost > super::COST / 8;
                if dear || (self.pure || self.frozen) && !callee.pure {
                    return self.assignment();
                }
                self.call_statement(index)
            }
            7 if !self.pure => {
                let value = self.integer(2);
                let template = "mix((unsigned long)@);\n";
                Node::statement(template, vec![value])
            }
            8 if self.has(Feature::Floats) => self.float_assignment().unwrap_or_else(|| self.assignment()),
            _ => self.assignment(),
        }
    }

    fn conditional(&mut self) -> Node {
        let condition = self.condition(2);
        let then = self.block(1, 3);
        if self.random.chance(40) {
            let other = self.block(1, 3);
            return Node::statement("if (@) {\n@} else {\n@}\n", vec![condition, then, other]);
        }
        Node::statement("if (@) {\n@}\n", vec![condition, then])
    }

    /// Something that is written to: text as a node, type and range.
    fn target(&mut self) -> Option<(Node, Int, Range)> {
        let array_first = self.random.chance(35);
        for from_array in [array_first, !array_first] {
            if from_array {
                let arrays: Vec<Array> =
                    self.scope.arrays.iter().filter(|a| self.may_write(a.writable, a.global)).cloned().collect();
                if !arrays.is_empty() {
                    let array = self.random.pick(&arrays).clone();
                    let place = self.element_place(&array);
                    return Some((place, array.ty, array.ty.full()));
                }
            } else {
                let places: Vec<Place> =
                    self.scope.places.iter().filter(|p| self.may_write(p.writable, p.global)).cloned().collect();
                if !places.is_empty() {
                    let near = places.len().saturating_sub(8);
                    let from = if self.random.chance(60) { near } else { 0 };
                    let place = places[from + self.random.below(places.len() - from)].clone();
                    return Some((Node::text(Sort::Fixed, place.text), place.ty, place.range));
                }
            }
        }
        None
    }

    /// An assignment, simple or compound.
    pub(super) fn assignment(&mut self) -> Node {
        let Some((target, ty, range)) = self.target() else { return Node::statement(";\n", vec![]) };
        let value = self.integer(3);
        let compound = range == ty.full() && !ty.promoted().signed && !(ty.kind == crate::types::Kind::Bool);
        if compound && self.random.chance(45) {
            let operation = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
            // The value takes no part in a type that is signed and could overflow.
            let value = super::integers::cast(ty, value);
            return Node::statement(&format!("@ {operation}= @;\n"), vec![target, value]);
        }
        if compound && self.random.chance(10) {
            let operation = self.random.pick(&["++", "--"]);
            return Node::statement(&format!("@{operation};\n"), vec![target]);
        }
        let value = self.fitted(value, ty, range);
        Node::statement("@ = @;\n", vec![target, value])
    }

    /// A place that anything may be written to.
    pub(super) fn local(&mut self, text: String, ty: Int, range: Range, writable: bool) {
        self.scope.places.push(Place { text, ty, range, writable, global: false, cast: false });
    }

    /// A local object.
    fn declaration(&mut self) -> Node {
        match self.random.below(12) {
            0 if !self.scope.arrays.is_empty() && self.has(Feature::Pointers) => self.pointer(),
            1 => self.local_array(),
            2 if self.has(Feature::Floats) => {
                let ty = self.float_type();
                let value = self.float(ty, 2);
                let name = self.name("f");
                let node = Node::statement(&format!("{} {name} = @;\n", ty.name()), vec![value]);
                self.scope.floats.push(FloatPlace { text: name, ty, writable: true, global: false });
                node
            }
            3 if self.has(Feature::Vectors) => {
                let ty = self.vector_type();
                let value = self.vector(ty, 2);
                let name = self.name("w");
                let vector = super::vectors::VECTORS[ty].name;
                let node = Node::statement(&format!("{vector} {name} = @;\n"), vec![value]);
                self.scope.vectors.push(VectorPlace { text: name, ty, writable: true, global: false });
                node
            }
            4 | 5 if !self.scope.records.is_empty() => {
                let from = self.scope.records[self.random.below(self.scope.records.len())].clone();
                let made = if self.random.chance(50) { self.made_structure() } else { None };
                let (value, record) = made.unwrap_or((Node::text(Sort::Fixed, from.text), from.record));
                let name = self.name("r");
                let template = format!("{} {name} = @;\n", self.records[record].name);
                let mut scope = std::mem::take(&mut self.scope);
                self.reveal(&mut scope, &name, record, true, false);
                self.scope = scope;
                Node::statement(&template, vec![value])
            }
            _ => {
                let ty = self.int_type();
                let range = self.range_of_object(ty);
                let value = self.integer(2);
                let value = self.fitted(value, ty, range);
                let name = self.name("l");
                let volatile = if self.use_of(Feature::Volatile, 15) { "volatile " } else { "" };
                let node = Node::statement(&format!("{volatile}{ty} {name} = @;\n"), vec![value]);
                self.local(name, ty, range, true);
                node
            }
        }
    }

    /// A pointer to an element: an array of what follows.
    fn pointer(&mut self) -> Node {
        let arrays: Vec<Array> =
            self.scope.arrays.iter().filter(|a| a.dimensions.len() == 1 && !a.member).cloned().collect();
        if arrays.is_empty() {
            return self.local_array();
        }
        let array = self.random.pick(&arrays).clone();
        let name = self.name("p");
        let skip = self.random.below(array.dimensions[0]);
        let constant = if array.writable { "" } else { "const " };
        let same: Vec<Array> = arrays
            .iter()
            .filter(|a| a.ty == array.ty && a.writable == array.writable && a.global == array.global)
            .cloned()
            .collect();
        let other = self.random.pick(&same).clone();
        let (node, length) = if self.random.chance(35) {
            let condition = self.condition(1);
            let template = format!("{constant}{} *{name} = @ ? {} + {skip} : {};\n", array.ty, array.text, other.text);
            (Node::statement(&template, vec![condition]), (array.dimensions[0] - skip).min(other.dimensions[0]))
        } else {
            let text = format!("{constant}{} *{name} = &{}[{skip}];\n", array.ty, array.text);
            (Node::text(Sort::Removable, text), array.dimensions[0] - skip)
        };
        let Array { ty, writable, global, .. } = array;
        self.scope.arrays.push(Array { text: name, ty, dimensions: vec![length], writable, global, member: false });
        node
    }

    fn local_array(&mut self) -> Node {
        let ty = *self.random.pick(&STANDARD);
        let length = 2 + self.random.below(20);
        let name = self.name("b");
        let dimensions = vec![length];
        let array = Array { text: name.clone(), ty, dimensions, writable: true, global: false, member: false };
        let node = if self.use_of(Feature::VariableArrays, 40) {
            let (n, i) = (self.name("n"), self.name("i"));
            let value = self.integer(1);
            let count = self.fitted(value, INT, Range::new(length as i128, length as i128 + 7));
            let template = format!(
                "int {n} = @;\n{ty} {name}[{n}];\nfor (int {i} = 0; {i} < {n}; {i}++) {name}[{i}] = ({ty}){i};\n"
            );
            self.cost += self.weight * length as u64;
            Node::statement(&template, vec![count])
        } else {
            let given = self.random.below(length.min(4)) + 1;
            let values: Vec<Node> = (0..given)
                .map(|_| {
                    let value = self.integer(1);
                    self.fitted(value, ty, ty.full())
                })
                .collect();
            Node::statement(&format!("{ty} {name}[{length}] = {{ {} }};\n", vec!["@"; given].join(", ")), values)
        };
        self.scope.arrays.push(array);
        node
    }

    fn float_assignment(&mut self) -> Option<Node> {
        if self.random.chance(30) && !self.pure {
            let ty = self.float_type();
            let value = self.float(ty, 2);
            return Some(self.mix_float(value));
        }
        if self.random.chance(30) && !self.pure && !self.scope.float_arrays.is_empty() {
            let (text, ty, n) = self.scope.float_arrays[self.random.below(self.scope.float_arrays.len())].clone();
            let index = self.index_below(n);
            let value = self.float(ty, 2);
            return Some(Node::statement(&format!("{text}[@] = @;\n"), vec![index, value]));
        }
        let targets: Vec<FloatPlace> =
            self.scope.floats.iter().filter(|f| self.may_write(f.writable, f.global)).cloned().collect();
        if targets.is_empty() {
            return None;
        }
        let target = self.random.pick(&targets).clone();
        let value = self.float(target.ty, 2);
        let operation = if self.random.chance(60) { "=" } else { self.random.pick(&["+=", "-=", "*="]) };
        Some(Node::statement(&format!("{} {operation} @;\n", target.text), vec![value]))
    }

    /// Statements that few programs have.
    fn odd_statement(&mut self) -> Option<Node> {
        match self.random.below(8) {
            0 if self.has(Feature::Vectors) => self.vector_assignment(),
            1 if self.has(Feature::Assembly) => Some(self.assembly()),
            2 if self.has(Feature::Atomics) => self.atomic(),
            3 | 4 if self.has(Feature::MemoryFunctions) => self.memory_call(),
            5 if self.has(Feature::Cleanup) && !self.pure => {
                let value = self.integer(2);
                let name = self.name("c");
                let cleanup = "clean";
                self.local(name.clone(), UNSIGNED, UNSIGNED.full(), true);
                let block = self.block(1, 2);
                self.scope.places.pop();
                let template = format!("{{\nunsigned {name} __attribute__((cleanup({cleanup}))) = @;\n@}}\n");
                Some(Node::statement(&template, vec![value, block]))
            }
            6 if !self.scope.nested.is_empty() && !self.pure && !self.frozen => {
                let nested = self.random.pick(&self.scope.nested.clone()).clone();
                let argument = self.integer(2);
                let argument = self.fitted(argument, INT, INT.full());
                let template = format!("mix({nested}(@));\n");
                Some(Node::statement(&template, vec![argument]))
            }
            7 if self.has(Feature::Structures) && self.scope.records.len() > 1 => {
                let from = self.scope.records[self.random.below(self.scope.records.len())].clone();
                let same = |r: &&super::RecordPlace| {
                    r.record == from.record && r.text != from.text && self.may_write(r.writable, r.global)
                };
                let to = self.scope.records.iter().find(same)?.text.clone();
                Some(Node::text(Sort::Removable, format!("{to} = {};\n", from.text)))
            }
            _ if self.has(Feature::Complex) && self.has(Feature::Floats) && !self.pure => {
                let value = self.complex_equality(2);
                let template = "mix(@);\n";
                Some(Node::statement(template, vec![value]))
            }
            _ => None,
        }
    }

    fn vector_assignment(&mut self) -> Option<Node> {
        let targets: Vec<VectorPlace> =
            self.scope.vectors.iter().filter(|v| self.may_write(v.writable, v.global)).cloned().collect();
        if targets.is_empty() {
            return None;
        }
        let target = self.random.pick(&targets).clone();
        let v = &super::vectors::VECTORS[target.ty];
        if let (Some(int), true) = (v.int, self.random.chance(30)) {
            let lane = self.index_below(v.lanes);
            let value = self.integer(2);
            let value = self.fitted(value, int, int.full());
            return Some(Node::statement(&format!("{}[@] = @;\n", target.text), vec![lane, value]));
        }
        let value = self.vector(target.ty, 2);
        Some(Node::statement(&format!("{} = @;\n", target.text), vec![value]))
    }

    /// Inline assembly whose effect is known: an operand that is read and written, one that is
    /// tied.
    fn assembly(&mut self) -> Node {
        let ty = if self.random.chance(50) { UNSIGNED } else { UNSIGNED_LONG };
        let suffix = if ty == UNSIGNED { "l" } else { "q" };
        let (a, b) = (self.integer(2), self.integer(1));
        let (x, y) = (self.name("x"), self.name("y"));
        let operation = self.random.pick(&["add", "xor", "sub", "or", "and"]);
        let text = match self.random.below(5) {
            0 => format!("__asm__(\"{operation}{suffix} %1, %0\" : \"+r\"({x}) : \"r\"({y}) : \"cc\");"),
            1 => format!("__asm__(\"{operation}{suffix} %2, %0\" : \"=r\"({x}) : \"0\"({x}), \"rm\"({y}) : \"cc\");"),
            2 => format!("__asm__ volatile(\"\" : \"+r\"({x}), \"+m\"({y}) : : \"memory\");"),
            3 => format!("__asm__(\"{operation}{suffix} $7, %0\" : \"+rm\"({x}) : : \"cc\", \"rcx\", \"rdx\");"),
            _ => format!("__asm__(\"mov %1, %0\" : \"=&a\"({x}) : \"g\"({y}));"),
        };
        let template = format!("{ty} {x} = @, {y} = @;\n{text}\n");
        self.local(x, ty, ty.full(), true);
        self.local(y, ty, ty.full(), true);
        Node::statement(&template, vec![a, b])
    }

    fn atomic(&mut self) -> Option<Node> {
        let fits = |p: &&Place| {
            p.ty.kind == crate::types::Kind::Standard
                && p.ty.bits <= 64
                && p.range == p.ty.full()
                && !p.text.contains('.')
                && self.may_write(p.writable, p.global)
        };
        let places: Vec<Place> = self.scope.places.iter().filter(fits).cloned().collect();
        if places.is_empty() {
            return None;
        }
        let place = self.random.pick(&places).clone();
        let value = self.integer(2);
        let value = self.fitted(value, place.ty, place.range);
        let (ty, text) = (place.ty, place.text);
        let l = self.name("l");
        let operation = self.random.pick(&[
            "fetch_add",
            "fetch_sub",
            "fetch_or",
            "fetch_xor",
            "fetch_and",
            "exchange_n",
            "add_fetch",
            "nand_fetch",
        ]);
        let node = if self.random.chance(20) {
            let template = format!("{ty} {l} = {text};\n__atomic_compare_exchange_n(&{text}, &{l}, @, 0, 5, 0);\n");
            Node::statement(&template, vec![value])
        } else {
            Node::statement(&format!("{ty} {l} = __atomic_{operation}(&{text}, @, 5);\n"), vec![value])
        };
        self.local(l, ty, ty.full(), true);
        Some(node)
    }

    /// memcpy, memmove, memset, memcmp and strlen on arrays of bytes.
    fn memory_call(&mut self) -> Option<Node> {
        let bytes: Vec<Array> = self
            .scope
            .arrays
            .iter()
            .filter(|a| a.ty == BYTE && a.dimensions.len() == 1 && !a.member)
            .cloned()
            .collect();
        let writable: Vec<Array> = bytes.iter().filter(|a| self.may_write(a.writable, a.global)).cloned().collect();
        if writable.is_empty() {
            return None;
        }
        let (to, from) = (self.random.pick(&writable).clone(), self.random.pick(&bytes).clone());
        let most = to.dimensions[0].min(from.dimensions[0]);
        let shift = self.random.below(to.dimensions[0].min(4));
        let value = self.integer(1);
        let size = if self.random.chance(50) {
            let n = self.random.within(0, (most - shift.min(most)) as i128);
            super::integers::literal(INT, n)
        } else {
            self.fitted(value, INT, Range::new(0, (most - shift.min(most)) as i128))
        };
        match self.random.below(6) {
            4 if !self.pure => Some(self.string_call(&to)),
            0 => {
                let value = self.integer(1);
                Some(Node::statement(
                    &format!("__builtin_memset({} + {shift}, @ & 255, @);\n", to.text),
                    vec![value, size],
                ))
            }
            1 | 2 => Some(Node::statement(
                &format!("__builtin_memmove({} + {shift}, {}, @);\n", to.text, from.text),
                vec![size],
            )),
            _ if !self.pure => {
                let template = format!("mix(__builtin_memcmp({}, {}, @) < 0);\n", to.text, from.text);
                Some(Node::statement(&template, vec![size]))
            }
            _ => None,
        }
    }

    /// A function of strings on an array that is given an end.
    fn string_call(&mut self, array: &Array) -> Node {
        let (text, size) = (&array.text, array.dimensions[0]);
        let end = format!("{text}[{}] = 0;\n", size - 1);
        let word = *self.random.pick(&["", "a", "comp", "compiler", "\\377x"]);
        let p = self.name("p");
        let value = self.integer(1);
        let value = self.fitted(value, INT, INT.full());
        let call = match self.random.below(6) {
            0 => format!("mix(__builtin_strlen((char *){text}) + @);\n"),
            1 => format!(
                "char *{p} = __builtin_strchr((char *){text}, @ & 127);\nmix({p} ? {p} - (char *){text} : -1);\n"
            ),
            2 => format!("mix(__builtin_strcmp((char *){text}, \"{word}\") < 0);\nmix(@);\n"),
            3 => format!("mix(__builtin_strncmp((char *){text}, \"{word}\", @ & 7) == 0);\n"),
            4 if size > word.len() => format!("__builtin_strcpy((char *){text}, \"{word}\");\nmix(@);\n"),
            _ => format!("mix(__builtin_snprintf((char *){text}, {size}, \"{word}%d\", (int)(@)));\n"),
        };
        Node::statement(&format!("{end}{call}"), vec![value])
    }
}
