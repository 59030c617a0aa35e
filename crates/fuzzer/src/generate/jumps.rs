//! Switches and jumps: fallthrough, ranges, loops with two entries, computed jumps, setjmp.

use super::{Feature, Generator};
use crate::tree::Node;
use crate::types::{INT, LONG, Range, UNSIGNED};

impl Generator {
    /// A switch or something with labels.
    pub(super) fn jumping_statement(&mut self) -> Option<Node> {
        match self.random.below(6) {
            0..=2 if self.has(Feature::Switches) => Some(self.switch()),
            3 if self.has(Feature::Jumps) => Some(self.two_entries()),
            4 if self.has(Feature::Jumps) => Some(self.forward()),
            5 if self.has(Feature::ComputedJumps) => Some(self.dispatch()),
            _ => None,
        }
    }

    fn switch(&mut self) -> Node {
        let most = if self.random.chance(15) { 14 } else { 4 };
        let count = 1 + self.random.below(most);
        let value = self.integer(2);
        let sparse = self.random.chance(30);
        let ty = if self.random.chance(20) { LONG } else { INT };
        let span = if sparse { 100_000 } else { 2 * count as i128 };
        let value = if self.random.chance(70) {
            self.fitted(value, ty, Range::new(-1, span))
        } else {
            self.fitted(value, ty, ty.full())
        };
        let mut template = format!("switch (({ty})@) {{\n");
        let mut children = vec![value];
        let mut next = if sparse { self.random.within(-5, 50) } else { self.random.within(-1, 1) };
        let default = self.random.below(count + 2);
        for index in 0..count {
            if index == default {
                template.push_str("default:\n");
            }
            if self.random.chance(15) {
                let high = next + self.random.within(1, 4);
                template.push_str(&format!("case {next} ... {high}:\n"));
                next = high;
            } else {
                template.push_str(&format!("case {next}:\n"));
            }
            next += if sparse { self.random.within(1, 9000) } else { self.random.within(1, 2) };
            if self.random.chance(80) {
                template.push_str("{\n@}\n");
                children.push(self.block(1, 2));
                if self.random.chance(75) {
                    template.push_str("break;\n");
                }
            }
        }
        template.push_str(";\n}\n");
        Node::statement(&template, children)
    }

    /// A loop that is entered at two places.
    fn two_entries(&mut self) -> Node {
        let (a, b, end, fuel) = (self.name("L"), self.name("L"), self.name("L"), self.name("fuel"));
        let rounds = (1 + self.random.below(8)) as u64;
        let enter = self.condition(2);
        let weight = self.weight;
        self.weight *= rounds;
        let (first, second) = (self.block(1, 2), self.block(1, 2));
        let (again, leave) = (self.condition(2), self.condition(1));
        self.weight = weight;
        let template = format!(
            "{{\nint {fuel} = {rounds};\nif (@) goto {b};\n{a}:;\n{{\n@}}\nif (@) goto {end};\n{b}:;\n{{\n@}}\n\
             if (--{fuel} > 0 && @) goto {a};\n{end}:;\n}}\n"
        );
        // Breaks in the blocks leave what is around this; none is made here.
        Node::statement(&template, vec![enter, first, leave, second, again])
    }

    fn forward(&mut self) -> Node {
        let label = self.name("L");
        let (first, second) = (self.condition(2), self.condition(1));
        let (a, b) = (self.block(1, 2), self.block(1, 2));
        let template = format!("if (@) goto {label};\n{{\n@}}\nif (@) {{\n{{\n@}}\n{label}:;\n}}\n");
        Node::statement(&template, vec![first, a, second, b])
    }

    /// A loop over a table of labels, as interpreters have it.
    fn dispatch(&mut self) -> Node {
        let count = 2 + self.random.below(4);
        let rounds = 2 + self.random.below(8) as u64;
        let labels: Vec<String> = (0..count).map(|_| self.name("L")).collect();
        let (table, state, fuel, end) = (self.name("table"), self.name("pc"), self.name("fuel"), self.name("L"));
        let start = self.integer(2);
        let start = self.fitted(start, UNSIGNED, UNSIGNED.full());
        let weight = self.weight;
        self.weight *= rounds;
        let addresses: Vec<String> = labels.iter().map(|l| format!("&&{l}")).collect();
        let mut template = format!(
            "{{\nstatic void *const {table}[] = {{ {} }};\nunsigned {state} = @;\nint {fuel} = {rounds};\ngoto *{table}[{state} % {count}];\n",
            addresses.join(", ")
        );
        let mut children = vec![start];
        for label in &labels {
            template.push_str(&format!(
                "{label}:;\n{{\n@}}\nif (--{fuel} <= 0) goto {end};\n{state} = {state} * 5 + (unsigned)@;\ngoto *{table}[{state} % {count}];\n"
            ));
            children.push(self.block(1, 1));
            children.push(self.integer(1));
        }
        template.push_str(&format!("{end}:;\n}}\n"));
        self.weight = weight;
        Node::statement(&template, children)
    }

    /// The parts of a function around `setjmp`: what may jump back, and what runs after that.
    pub(super) fn set_jump(&mut self) -> Node {
        let frozen = std::mem::replace(&mut self.frozen, true);
        let body = self.block(1, 3);
        let condition = self.condition(2);
        self.frozen = frozen;
        let after = self.block(1, 2);
        let value = 1 + self.random.below(5);
        let template =
            format!("if (_setjmp(jump) == 0) {{\n{{\n@}}\nif (@) longjmp(jump, {value});\n}} else {{\n@}}\n");
        Node::statement(&template, vec![body, condition, after])
    }
}
