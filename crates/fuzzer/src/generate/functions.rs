//! Functions and calls.

use super::floats::Float;
use super::{Array, Feature, FloatPlace, Generator, Place};
use crate::tree::{Node, Part, Sort};
use crate::types::{INT, Int, LONG, Range, STANDARD, UNSIGNED_LONG};

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Function {
    name: String,
    parameters: Vec<Parameter>,
    result: Int,
    range: Range,
    /// Whether it writes nothing that others see.
    pub(super) pure: bool,
    /// Statements that a call runs, about.
    pub(super) cost: u64,
    /// Calls name its arguments' types by numbers, after the count.
    variadic: bool,
}

#[derive(Clone, Debug)]
enum Parameter {
    Int(Int, Range),
    Float(Float),
    /// Type, number of elements, whether it is written, whether nothing else is the same memory.
    Pointer(Int, usize, bool, bool),
    Record(usize),
    /// How deep a recursion goes.
    Fuel(i128),
}

impl Generator {
    /// A function, added to those that can be called.
    pub(super) fn function(&mut self) -> Node {
        if self.use_of(Feature::VariadicCalls, 15) {
            return self.variadic();
        }
        let pure = self.random.chance(40);
        self.begin_function(pure);
        let restricted = self.has(Feature::Pointers) && self.random.chance(25);
        if restricted {
            // Nothing but its parameters: they are the only names of what they point to.
            self.scope.arrays.clear();
            self.alone = true;
        }
        let recursive = !restricted && self.use_of(Feature::Recursion, 20);
        let (parameters, declared) = self.parameters(restricted, recursive);
        let name = self.name("f");
        let result = self.int_type();
        let range = self.range_of_object(result);
        let mut statements = Vec::new();
        if self.use_of(Feature::NestedFunctions, 40) && !pure {
            statements.push(self.nested());
        }
        statements.extend(self.statements(1, 3));
        if recursive {
            statements.push(self.recursion(&name, &parameters, result, range));
        }
        if self.use_of(Feature::SetJump, 50) && !pure && !restricted {
            statements.push(self.set_jump());
        }
        statements.extend(self.statements(1, 4));
        let value = self.integer(3);
        let value = self.fitted(value, result, range);
        let attribute = match self.random.below(12) {
            0 => "__attribute__((noinline)) ",
            1 => "__attribute__((always_inline)) inline ",
            2 => "__attribute__((noipa)) ",
            3 => "inline ",
            _ => "",
        };
        // What sets a jump, has labels as values or functions inside, or calls itself, cannot
        // always be inlined.
        let hard = [Feature::SetJump, Feature::ComputedJumps, Feature::NestedFunctions];
        let hard = recursive || hard.iter().any(|&feature| self.has(feature));
        let attribute = if attribute.contains("always") && hard { "" } else { attribute };
        let head = format!("static {attribute}{result} {name}({}) {{\n@return @;\n}}\n", declared.join(", "));
        let cost = self.cost * if recursive { 6 } else { 1 };
        self.functions.push(Function { name, parameters, result, range, pure, cost, variadic: false });
        Node::statement(&head, vec![Node::sequence(statements), value])
    }

    /// Parameters and their declarations; they are visible from now on.
    fn parameters(&mut self, restricted: bool, recursive: bool) -> (Vec<Parameter>, Vec<String>) {
        let (mut parameters, mut declared) = (Vec::new(), Vec::new());
        // Some lie on the stack.
        let most = if self.random.chance(12) { 14 } else { 4 };
        for _ in 0..1 + self.random.below(most) {
            let name = self.name("a");
            match self.random.below(10) {
                0 | 1 if self.has(Feature::Pointers) => {
                    let ty = *self.random.pick(&STANDARD);
                    let length = 4 + self.random.below(20);
                    let writable = !self.pure && self.random.chance(60);
                    let star = if restricted { "*restrict" } else { "*" };
                    let constant = if writable { "" } else { "const " };
                    declared.push(format!("{constant}{ty} {star} {name}"));
                    let dimensions = vec![length];
                    self.scope.arrays.push(Array { text: name, ty, dimensions, writable, global: true, member: false });
                    parameters.push(Parameter::Pointer(ty, length, writable, restricted));
                }
                2 if self.has(Feature::Floats) => {
                    let ty = self.float_type();
                    declared.push(format!("{} {name}", ty.name()));
                    self.scope.floats.push(FloatPlace { text: name, ty, writable: true, global: false });
                    parameters.push(Parameter::Float(ty));
                }
                3 | 4 if !self.records.is_empty() && self.has(Feature::Structures) => {
                    let record = self.random.below(self.records.len());
                    declared.push(format!("{} {name}", self.records[record].name));
                    let mut scope = std::mem::take(&mut self.scope);
                    self.reveal(&mut scope, &name, record, true, false);
                    self.scope = scope;
                    parameters.push(Parameter::Record(record));
                }
                _ => {
                    let ty = self.int_type();
                    let range = self.range_of_object(ty);
                    declared.push(format!("{ty} {name}"));
                    self.local(name, ty, range, true);
                    parameters.push(Parameter::Int(ty, range));
                }
            }
        }
        if recursive {
            let name = self.name("fuel");
            declared.push(format!("int {name}"));
            self.local(name, INT, Range::new(0, 5), false);
            parameters.push(Parameter::Fuel(5));
        }
        (parameters, declared)
    }

    /// `if (fuel > 0) r = f(..., fuel - 1);`
    fn recursion(&mut self, name: &str, parameters: &[Parameter], result: Int, range: Range) -> Node {
        let fuel = self.scope.places.iter().rev().find(|p| p.text.contains("fuel")).expect("it has fuel").text.clone();
        let mut template = Vec::new();
        let mut children = Vec::new();
        for parameter in parameters {
            template.push("@".to_string());
            children.push(match parameter {
                Parameter::Fuel(_) => Node::text(Sort::Fixed, format!("{fuel} - 1")),
                other => self.argument(other, &mut Vec::new()),
            });
        }
        let variable = self.name("r");
        let call = format!("{result} {variable} = 0;\nif ({fuel} > 0) {variable} = {name}({});\n", template.join(", "));
        self.local(variable, result, range.union(Range::new(0, 0)), false);
        Node::statement(&call, children)
    }

    /// A function whose result is a structure.
    pub(super) fn maker(&mut self) -> Node {
        self.begin_function(true);
        let name = self.name("make");
        let record = self.random.below(self.records.len());
        let count = 1 + self.random.below(3);
        let mut declared = Vec::new();
        for _ in 0..count {
            let argument = self.name("a");
            declared.push(format!("int {argument}"));
            self.local(argument, INT, INT.full(), false);
        }
        let from = self.globals.records.iter().find(|r| r.record == record).expect("there is one of each");
        let (start, result) = (from.text.clone(), self.name("r"));
        let mut scope = std::mem::take(&mut self.scope);
        self.reveal(&mut scope, &result, record, true, false);
        self.scope = scope;
        let statements = self.statements(1, 3);
        let ty = self.records[record].name.clone();
        let attribute = if self.random.chance(40) { "__attribute__((noinline)) " } else { "" };
        let head = format!(
            "static {attribute}{ty} {name}({}) {{\n{ty} {result} = {start};\n@return {result};\n}}\n",
            declared.join(", ")
        );
        self.makers.push((name, record, count));
        Node::statement(&head, vec![Node::sequence(statements)])
    }

    /// A structure that a function has made: the call, and the number of its type.
    pub(super) fn made_structure(&mut self) -> Option<(Node, usize)> {
        if self.makers.is_empty() || self.alone {
            return None;
        }
        let (name, record, count) = self.random.pick(&self.makers).clone();
        let arguments: Vec<Node> = (0..count)
            .map(|_| {
                let value = self.integer(1);
                self.fitted(value, INT, INT.full())
            })
            .collect();
        self.cost += self.weight * 4;
        let template = format!("{name}({})", vec!["@"; count].join(", "));
        Some((Node::fixed(&template, arguments), record))
    }

    /// A function inside this one that reads and writes its variables.
    fn nested(&mut self) -> Node {
        let name = self.name("nested");
        let argument = self.name("a");
        // It is called from loops, too.
        self.weight = 20;
        let body = self.scoped(|g| {
            g.local(argument.clone(), INT, INT.full(), true);
            let statements = g.statements(1, 2);
            let value = g.integer(2);
            let value = g.fitted(value, INT, INT.full());
            Node::fixed("@return @;\n", vec![Node::sequence(statements), value])
        });
        self.weight = 1;
        self.scope.nested.push(name.clone());
        Node::statement(&format!("int {name}(int {argument}) {{\n@}}\n"), vec![body])
    }

    /// A function of a variable number of arguments: pairs of a kind and a value.
    fn variadic(&mut self) -> Node {
        let name = self.name("f");
        let floats = self.has(Feature::Floats);
        let mut cases = String::from(
            "case 0: r = r * 31 + (unsigned)__builtin_va_arg(ap, int); break;\n\
             case 1: r = r * 31 + (unsigned long)__builtin_va_arg(ap, long); break;\n",
        );
        if floats {
            cases.push_str("case 2: { double d = __builtin_va_arg(ap, double); r = r * 31 + (d < 3.0); } break;\n");
        }
        let text = format!(
            "static unsigned long {name}(int n, ...) {{\nunsigned long r = 1;\n__builtin_va_list ap;\n__builtin_va_start(ap, n);\n\
             for (int i = 0; i < n; i++) switch (__builtin_va_arg(ap, int)) {{\n{cases}}}\n__builtin_va_end(ap);\nreturn r;\n}}\n"
        );
        self.functions.push(Function {
            name,
            parameters: Vec::new(),
            result: UNSIGNED_LONG,
            range: UNSIGNED_LONG.full(),
            pure: true,
            cost: 12,
            variadic: true,
        });
        Node::text(Sort::Removable, text)
    }

    /// An argument for a parameter; `taken` are the arrays that the call names already.
    fn argument(&mut self, parameter: &Parameter, taken: &mut Vec<String>) -> Node {
        match parameter {
            Parameter::Int(ty, range) => {
                let value = self.integer(2);
                self.fitted(value, *ty, *range)
            }
            Parameter::Fuel(most) => {
                let most = self.random.within(0, *most);
                super::integers::literal(INT, most)
            }
            Parameter::Float(ty) => self.float(*ty, 1),
            Parameter::Record(record) => {
                let same: Vec<String> =
                    self.scope.records.iter().filter(|r| r.record == *record).map(|r| r.text.clone()).collect();
                let text = if same.is_empty() {
                    format!("({}){{0}}", self.records[*record].name)
                } else {
                    self.random.pick(&same).clone()
                };
                Node::text(Sort::Fixed, text)
            }
            Parameter::Pointer(ty, length, writable, restricted) => {
                let fits = |a: &&Array| {
                    a.ty == *ty
                        && a.dimensions.len() == 1
                        && a.dimensions[0] >= *length
                        && !a.member
                        && (!writable || a.writable)
                        && (!restricted || !taken.contains(&a.text))
                };
                let global = |a: &&Array| !restricted || self.globals.arrays.iter().any(|g| g.text == a.text);
                let arrays: Vec<Array> = self.scope.arrays.iter().filter(fits).filter(global).cloned().collect();
                if arrays.is_empty() || self.random.chance(10) {
                    return Node::text(Sort::Fixed, format!("({ty}[{length}]){{ 1, 2, 3 }}"));
                }
                let array = self.random.pick(&arrays).clone();
                taken.push(array.text.clone());
                let skip = self.random.below(array.dimensions[0] - length + 1);
                Node::text(Sort::Fixed, if skip == 0 { array.text } else { format!("{} + {skip}", array.text) })
            }
        }
    }

    fn call(&mut self, index: usize) -> Node {
        let function = self.functions[index].clone();
        self.cost += self.weight * function.cost;
        let mut children = Vec::new();
        if function.variadic {
            let count = self.random.below(9);
            let mut template = format!("{}({count}", function.name);
            for _ in 0..count {
                let kind = self.random.below(if self.has(Feature::Floats) { 3 } else { 2 });
                template.push_str(&format!(", {kind}, @"));
                children.push(match kind {
                    2 => self.float(Float::Double, 1),
                    _ => {
                        let ty = [INT, LONG][kind];
                        let value = self.integer(1);
                        super::integers::cast(ty, value)
                    }
                });
            }
            return Node::integer(function.result, function.range, &format!("{template})"), children);
        }
        let mut taken = Vec::new();
        for parameter in &function.parameters {
            children.push(self.argument(parameter, &mut taken));
        }
        let template = format!("{}({})", function.name, vec!["@"; children.len()].join(", "));
        Node::integer(function.result, function.range, &template, children)
    }

    /// A call inside an expression: only of what has no effects, since the order of operands is
    /// open.
    pub(super) fn call_within(&mut self, _depth: usize) -> Option<Node> {
        if self.alone {
            return None;
        }
        let affordable = |f: &Function| f.pure && self.cost + self.weight * f.cost <= super::COST / 8;
        let candidates: Vec<usize> = (0..self.functions.len()).filter(|&i| affordable(&self.functions[i])).collect();
        if candidates.is_empty() {
            return None;
        }
        let index = *self.random.pick(&candidates);
        Some(self.call(index))
    }

    /// A call as a statement, its result kept.
    pub(super) fn call_statement(&mut self, index: usize) -> Node {
        let (result, range) = (self.functions[index].result, self.functions[index].range);
        let call = self.call(index);
        let name = self.name("r");
        if self.use_of(Feature::FunctionPointers, 25) && !self.functions[index].variadic {
            // Through a variable that the optimiser may or may not see through.
            let function = self.functions[index].name.clone();
            let pointer = self.name("fp");
            let volatile = if self.random.chance(50) { "volatile " } else { "" };
            let text = call.parts.iter().map(|part| match part {
                Part::Text(text) => text.replace(&format!("{function}("), &format!("{pointer}(")),
                Part::Node(_) => "@".to_string(),
            });
            let text: String = text.collect();
            let children: Vec<Node> = call.children().cloned().collect();
            let template =
                format!("__typeof__({function}) *{volatile}{pointer} = {function};\n{result} {name} = {text};\n");
            self.local(name, result, range, false);
            return Node::statement(&template, children);
        }
        let node = Node::statement(&format!("{result} {name} = @;\n"), vec![call]);
        self.scope.places.push(Place { text: name, ty: result, range, writable: true, global: false, cast: false });
        node
    }
}
