//! Loops: every one ends, and its counter keeps a range that indices are made of.

use super::{Feature, Generator, Place};
use crate::tree::{Node, Sort};
use crate::types::{BYTE, INT, Int, LONG, Range, STANDARD, UNSIGNED, UNSIGNED_LONG};

/// Most executions of a loop's body within one call of the function.
const TRIPS: u64 = 600;

impl Generator {
    /// A loop, if the loops around leave room for one. What is inside may leave the outermost one.
    pub(super) fn loop_statement(&mut self) -> Option<Node> {
        if self.exit.is_some() {
            return self.inner_loop();
        }
        let label = self.name("L");
        self.exit = Some(label.clone());
        let made = self.inner_loop();
        self.exit = None;
        let made = made?;
        let is_left = made.to_string().contains(&format!("goto {label};"));
        Some(if is_left { Node::statement(&format!("@{label}:;\n"), vec![made]) } else { made })
    }

    fn inner_loop(&mut self) -> Option<Node> {
        let room = (TRIPS / self.weight).min((super::COST / 6).saturating_sub(self.cost) / self.weight.max(1));
        if room < 2 {
            return None;
        }
        let lengths = [2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 24, 31, 32, 33, 48, 64, 100];
        let fitting = lengths.iter().filter(|&&n| n <= room).count();
        let trips = lengths[self.random.below(fitting.max(1))];
        match self.random.below(10) {
            0 => Some(self.while_loop(trips)),
            1 if self.has(Feature::Pointers) => self.walk(),
            2 if self.has(Feature::Reductions) => Some(self.sum(trips)),
            _ => Some(self.counted(trips)),
        }
    }

    /// The body of a loop that runs so often, with its counter.
    fn body(&mut self, counter: Place, trips: u64) -> Node {
        let weight = self.weight;
        self.weight *= trips;
        let body = self.scoped(|g| {
            g.scope.counters.push(counter);
            // Made first, since it may come to stand before the declarations of the body.
            let exit = if g.use_of(Feature::EarlyExits, 40) { Some(g.condition(2)) } else { None };
            let mut statements = Vec::new();
            if g.random.chance(60) {
                for _ in 0..1 + g.random.below(3) {
                    statements.push(g.element_statement());
                }
            }
            if statements.is_empty() || g.random.chance(45) {
                statements.extend(g.statements(1, 3));
            }
            if let Some(condition) = exit {
                let way = match (g.random.below(10), &g.exit) {
                    (0..=5, _) => "break".to_string(),
                    (6..=7, Some(label)) => format!("goto {label}"),
                    _ => "continue".to_string(),
                };
                let at = g.random.below(statements.len() + 1);
                statements.insert(at, Node::statement(&format!("if (@) {way};\n"), vec![condition]));
            }
            Node::sequence(statements)
        });
        self.weight = weight;
        body
    }

    /// `a[i] = ...`, `s += a[i]` and the like.
    fn element_statement(&mut self) -> Node {
        self.cost += self.weight;
        let arrays: Vec<_> =
            self.scope.arrays.iter().filter(|a| self.may_write(a.writable, a.global)).cloned().collect();
        let sums: Vec<Place> = self
            .scope
            .places
            .iter()
            .filter(|p| self.may_write(p.writable, p.global) && p.range == p.ty.full() && p.ty.bits > 1)
            .cloned()
            .collect();
        if !sums.is_empty() && self.use_of(Feature::Reductions, 45) {
            return self.reduction(&sums);
        }
        if self.has(Feature::Floats)
            && !self.pure
            && self.random.chance(30)
            && let Some((text, ty, n)) = self.scope.float_arrays.last().cloned()
        {
            let index = self.index_below(n);
            let value = self.float(ty, 2);
            return Node::statement(&format!("{text}[@] = @;\n"), vec![index, value]);
        }
        if arrays.is_empty() {
            return self.assignment();
        }
        let array = self.random.pick(&arrays).clone();
        let target = self.element_place(&array);
        let value = self.integer(2);
        let value = super::integers::cast(array.ty, value);
        if !array.ty.promoted().signed && self.random.chance(30) {
            let operation = self.random.pick(&["+", "^", "-", "|", "&", "*"]);
            return Node::statement(&format!("@ {operation}= @;\n"), vec![target, value]);
        }
        if self.random.chance(20) {
            let condition = self.condition(1);
            return Node::statement("if (@) @ = @;\n", vec![condition, target, value]);
        }
        Node::statement("@ = @;\n", vec![target, value])
    }

    fn reduction(&mut self, sums: &[Place]) -> Node {
        let sum = self.random.pick(sums).clone();
        let value = match self.scope.arrays.is_empty() {
            false => {
                let index = self.random.below(self.scope.arrays.len());
                self.element(index)
            }
            true => self.integer(1),
        };
        let old = super::integers::read(&sum);
        match self.random.below(6) {
            0 => {
                let value = super::integers::cast(sum.ty, value);
                let order = self.random.pick(&["<", ">"]);
                let template = format!("if (@ {order} {}) {} = @;\n", sum.text, sum.text);
                Node::statement(&template, vec![value.clone(), value])
            }
            1 => {
                let condition = self.condition(1);
                let new = self.binary("+", old, value);
                let new = self.fitted(new, sum.ty, sum.range);
                Node::statement(&format!("if (@) {} = @;\n", sum.text), vec![condition, new])
            }
            n => {
                let operation = ["+", "^", "|", "&", "-", "*"][if n < 4 { 0 } else { self.random.below(6) }];
                let value = if self.random.chance(30) {
                    let other = self.integer(1);
                    self.binary("*", value, other)
                } else {
                    value
                };
                let new = self.binary(operation, old, value);
                let new = self.fitted(new, sum.ty, sum.range);
                Node::statement(&format!("{} = @;\n", sum.text), vec![new])
            }
        }
    }

    /// A `for` loop up or down, by one or more, to a known or unknown end.
    fn counted(&mut self, trips: u64) -> Node {
        let types: [Int; 8] = [INT, INT, INT, UNSIGNED, LONG, UNSIGNED_LONG, STANDARD[2], BYTE];
        let ty = *self.random.pick(&types);
        let name = self.name("i");
        let step = if self.use_of(Feature::Strides, 35) { 1 + self.random.below(4) as i128 } else { 1 };
        let first = if self.random.chance(65) { 0 } else { self.random.within(1, 5) };
        let last = first + step * (trips as i128 - 1);
        if last + step > ty.full().high {
            return self.while_loop(trips);
        }
        let counter = |low: i128, high: i128| Place {
            text: name.clone(),
            ty,
            range: Range::new(low, high),
            writable: false,
            global: false,
            cast: false,
        };
        if self.random.chance(25) {
            // Down.
            let body = self.body(counter(first, last), trips);
            let head = if first == 0 && step == 1 && self.random.chance(50) {
                format!("for ({ty} {name} = {}; {name}-- > 0;) {{\n@}}\n", last + 1)
            } else if ty.signed {
                format!("for ({ty} {name} = {last}; {name} >= {first}; {name} -= {step}) {{\n@}}\n")
            } else {
                format!(
                    "for ({ty} {name} = {last}; {name} + 1 > {first} && {name} <= {last}; {name} -= {step}) {{\n@}}\n"
                )
            };
            return Node::statement(&head, vec![body]);
        }
        let unknown = self.random.chance(40);
        let end = if unknown {
            let value = self.integer(2);
            self.fitted(value, ty, Range::new(0, last + 1))
        } else {
            super::integers::literal(ty, last + 1)
        };
        let body = self.body(counter(first, last), trips);
        // The end is computed once: the body may change what it is made of.
        let n = self.name("n");
        let comparison = if self.random.chance(15) && !unknown && step == 1 { "!=" } else { "<" };
        let template =
            format!("{ty} {n} = @;\nfor ({ty} {name} = {first}; {name} {comparison} {n}; {name} += {step}) {{\n@}}\n");
        Node::statement(&format!("{{\n{template}}}\n"), vec![end, body])
    }

    /// A loop that a condition ends, or a number of rounds.
    fn while_loop(&mut self, trips: u64) -> Node {
        let name = self.name("k");
        let counter = Place {
            text: name.clone(),
            ty: INT,
            range: Range::new(0, trips as i128 - 1),
            writable: false,
            global: false,
            cast: false,
        };
        let condition = self.condition(2);
        let body = self.body(counter, trips);
        // `continue` comes to the step.
        let template = match self.random.below(3) {
            0 => format!("{{\nint {name} = 0;\nfor (; {name} < {trips} && @; {name}++) {{\n@}}\n}}\n"),
            1 => format!("{{\nint {name} = -1;\nwhile (++{name} < {trips} && @) {{\n@}}\n}}\n"),
            _ => {
                let template = format!("{{\nint {name} = 0;\ndo {{\n@}} while (++{name} < {trips} && @);\n}}\n");
                return Node::statement(&template, vec![body, condition]);
            }
        };
        Node::statement(&template, vec![condition, body])
    }

    /// A loop that moves a pointer over an array.
    fn walk(&mut self) -> Option<Node> {
        let arrays: Vec<_> =
            self.scope.arrays.iter().filter(|a| a.dimensions.len() == 1 && !a.member).cloned().collect();
        if arrays.is_empty() {
            return None;
        }
        let array = self.random.pick(&arrays).clone();
        let trips = array.dimensions[0];
        if trips as u64 * self.weight > TRIPS {
            return None;
        }
        let name = self.name("q");
        let counter = Place {
            text: format!("((int)({name} - {}))", array.text),
            ty: INT,
            range: Range::new(0, trips as i128 - 1),
            writable: false,
            global: false,
            cast: false,
        };
        let element = Place {
            text: format!("(*{name})"),
            ty: array.ty,
            range: array.ty.full(),
            writable: array.writable,
            global: array.global,
            cast: false,
        };
        let places = self.scope.places.len();
        self.scope.places.push(element);
        let body = self.body(counter, trips as u64);
        self.scope.places.remove(places);
        let constant = if array.writable { "" } else { "const " };
        let text = &array.text;
        let template = if self.random.chance(70) {
            format!("for ({constant}{} *{name} = {text}; {name} != {text} + {trips}; {name}++) {{\n@}}\n", array.ty)
        } else {
            let last = trips - 1;
            format!(
                "for ({constant}{} *{name} = {text} + {last};; {name}--) {{\n@if ({name} == {text}) break;\n}}\n",
                array.ty
            )
        };
        if template.contains(";; ") && body.to_string().contains("continue;") {
            // It would pass by the end.
            return None;
        }
        Some(Node::statement(&template, vec![body]))
    }

    /// A sum of small numbers, which cannot overflow.
    fn sum(&mut self, trips: u64) -> Node {
        let (name, i) = (self.name("t"), self.name("i"));
        let ty = if self.random.chance(60) { INT } else { LONG };
        let counter = Place {
            text: i.clone(),
            ty: INT,
            range: Range::new(0, trips as i128 - 1),
            writable: false,
            global: false,
            cast: false,
        };
        let term = self.scoped(|g| {
            g.scope.counters.push(counter.clone());
            let value = if g.scope.arrays.is_empty() || g.random.chance(30) {
                g.integer(2)
            } else {
                let index = g.random.below(g.scope.arrays.len());
                g.element(index)
            };
            let (from, range) = value.int();
            if range.within(Range::new(-70_000, 70_000)) && from.bits <= 32 {
                value
            } else {
                g.fitted(value, ty, Range::new(-1000, 1023))
            }
        });
        self.cost += self.weight * trips;
        let range = term.int().1;
        let total = Range::new(range.low.min(0) * trips as i128, range.high.max(0) * trips as i128);
        let template = format!("{ty} {name} = 0;\nfor (int {i} = 0; {i} < {trips}; {i}++)\n{name} += @;\n");
        let node = Node::new(Sort::Removable, &template, vec![term]);
        self.local(name, ty, total, false);
        node
    }
}
