//! From rules in order to decisions: rules that ask the same are asked together.
//!
//! Each rule is a list of tests. The first test of the first rule is made a question; the rules
//! after it that ask the same question, up to the first that does not, share the answer. Answers
//! exclude each other (a value is one kind of instruction, or a constant), so that the first rule
//! that matches still is the one that is applied.

use crate::syntax::{Cc, Op};
use crate::typed::*;

/// A question about the instructions at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Test {
    /// The value is constant bits.
    IsBits(Path),
    /// The value is the result of this operation.
    IsOp(Path, &'static Op),
    /// The comparison's condition.
    Cc(Path, Cc),
    /// The constant, of this type of the table, is this number.
    Literal(Path, Ty, Number),
    /// Two values are the same.
    Same(Path, Path),
    /// The instruction has the flag.
    Flag(Path, usize),
    /// The value is of the type.
    IsType(Path, Fixed),
    /// Two values are of one type.
    SameType(Path, Path),
    /// What is known of the value is needed. Always true.
    Known(Path),
    /// A condition of the rule; its types are those of a [`TypeTable`].
    Cond(Cond),
}

/// What types are at run time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypeAt {
    /// This one.
    Fixed(Fixed),
    /// That of the value at a place.
    Of(Path),
}

/// The types that decisions speak of. Type variables are those of one rule; in decisions, which
/// rules share, they are numbers of this table.
#[derive(Default, Debug)]
pub struct TypeTable(Vec<TypeAt>);

impl TypeTable {
    fn number(&mut self, at: TypeAt) -> Ty {
        let known = self.0.iter().position(|t| *t == at);
        known.unwrap_or_else(|| {
            self.0.push(at);
            self.0.len() - 1
        })
    }

    /// What a number stands for.
    pub fn at(&self, ty: Ty) -> &TypeAt {
        &self.0[ty]
    }
}

/// A decision.
#[derive(Debug)]
pub enum Step<'r> {
    /// By what a value is: constant bits, or the result of an operation.
    Shape {
        /// The value.
        path: Path,
        /// If it is constant bits.
        bits: Vec<Step<'r>>,
        /// If it is the result of one of these.
        ops: Vec<(&'static Op, Vec<Step<'r>>)>,
    },
    /// By the condition of a comparison.
    Condition {
        /// The comparison.
        path: Path,
        /// If it is one of these.
        arms: Vec<(Cc, Vec<Step<'r>>)>,
    },
    /// If the test says yes.
    If(Test, Vec<Step<'r>>),
    /// The rule applies, with this result.
    Apply(&'r Rule, Res),
}

/// A rule with the operands of some operations swapped: the places of its parts.
#[derive(Clone, Debug)]
struct Variant(Vec<(Path, Path)>);

impl Variant {
    /// Where a part of the pattern is in this variant.
    fn place(&self, path: &[u8]) -> Path {
        self.0.iter().find(|(from, _)| from == path).map_or_else(|| path.to_vec(), |(_, to)| to.clone())
    }
}

/// A rule on its way through the decisions.
#[derive(Clone)]
struct Candidate<'r> {
    rule: &'r Rule,
    result: Res,
    tests: Vec<Test>,
}

/// The decisions for rules whose root is the same operation, in order. An error names the rule.
pub fn decide<'r>(rules: &[&'r Rule], table: &mut TypeTable) -> Result<Vec<Step<'r>>, String> {
    let mut candidates = Vec::new();
    // Rules with operands in either order, one after the other: first all as written, then all
    // turned around, as a loop over both orders would do it.
    let mut rest = rules;
    while let Some(&first) = rest.first() {
        let count = variants(first).len();
        let run = rest.iter().take_while(|rule| variants(rule).len() == count).count();
        let (together, after) = rest.split_at(run);
        for index in 0..count {
            for &rule in together {
                let variant = variants(rule).swap_remove(index);
                candidates.push(candidate(rule, &variant, table).map_err(|e| format!("rule {}: {e}", rule.name))?);
            }
        }
        rest = after;
    }
    Ok(build(candidates))
}

/// Every choice of orders for the operations marked `~`.
fn variants(rule: &Rule) -> Vec<Variant> {
    let mut swapped: Vec<Vec<Path>> = vec![Vec::new()];
    rule.pattern.each(&mut |node| {
        if let Kind::Op { either: true, .. } = node.kind {
            let more: Vec<Vec<Path>> =
                swapped.iter().map(|paths| paths.iter().chain([&node.path]).cloned().collect()).collect();
            swapped.extend(more);
        }
    });
    swapped.iter().map(|paths| places(rule, paths)).collect()
}

fn places(rule: &Rule, swapped: &[Path]) -> Variant {
    let mut places = Vec::new();
    rule.pattern.each(&mut |node| {
        let place = (0..node.path.len()).map(|at| {
            let turned = swapped.iter().any(|path| *path == node.path[..at]);
            if turned { 1 - node.path[at] } else { node.path[at] }
        });
        places.push((node.path.clone(), place.collect()));
    });
    Variant(places)
}

fn candidate<'r>(rule: &'r Rule, variant: &Variant, table: &mut TypeTable) -> Result<Candidate<'r>, String> {
    let mut tests = Vec::new();
    let mut mover = Mover { rule, variant, table, known: Vec::new() };
    mover.node_tests(&rule.pattern, &mut tests)?;
    type_tests(rule, variant, &mut tests);
    for cond in &rule.conditions {
        let cond = mover.cond(cond)?;
        for path in mover.known.drain(..) {
            if !tests.contains(&Test::Known(path.clone())) {
                tests.push(Test::Known(path));
            }
        }
        tests.push(Test::Cond(cond));
    }
    let result = mover.result(&rule.result)?;
    Ok(Candidate { rule, result, tests })
}

/// What the rule says of types beyond what the operations do.
fn type_tests(rule: &Rule, variant: &Variant, tests: &mut Vec<Test>) {
    let mut seen: Vec<(Ty, Ty, Path)> = Vec::new();
    rule.pattern.each(&mut |node| {
        let (implied, class) = (rule.implied.find(node.ty), rule.types.find(node.ty));
        if seen.iter().any(|s| s.0 == implied) {
            return;
        }
        let place = variant.place(&node.path);
        if let Some(fixed) = rule.types.fixed(class) {
            if rule.implied.fixed(implied).is_none() {
                tests.push(Test::IsType(place.clone(), fixed));
            }
        } else if let Some(first) = seen.iter().find(|s| s.1 == class) {
            tests.push(Test::SameType(first.2.clone(), place.clone()));
        }
        seen.push((implied, class, place));
    });
}

/// Copies conditions and results, with the places of a variant and the types of the table.
struct Mover<'a> {
    rule: &'a Rule,
    variant: &'a Variant,
    table: &'a mut TypeTable,
    /// Places of values of which something must be known.
    known: Vec<Path>,
}

impl Mover<'_> {
    fn node_tests(&mut self, node: &Node, tests: &mut Vec<Test>) -> Result<(), String> {
        let place = self.place(&node.path);
        match &node.kind {
            Kind::Any => {}
            Kind::Again(first) => tests.push(Test::Same(self.place(first), place)),
            Kind::Const => tests.push(Test::IsBits(place)),
            Kind::Literal(number) => {
                let ty = self.ty(node.ty)?;
                tests.extend([Test::IsBits(place.clone()), Test::Literal(place, ty, *number)]);
            }
            Kind::Op { op, cc, flags, args, .. } => {
                if !place.is_empty() {
                    tests.push(Test::IsOp(place.clone(), op));
                }
                tests.extend(cc.map(|cc| Test::Cc(place.clone(), cc)));
                tests.extend(flags.iter().map(|&flag| Test::Flag(place.clone(), flag)));
                // Constants first: most rules have one, and it is soon seen. Equal values last:
                // both must have been met.
                let rank = |node: &&Node| match node.kind {
                    Kind::Const | Kind::Literal(_) => 0,
                    Kind::Again(_) => 2,
                    _ => 1,
                };
                for turn in 0..3 {
                    for arg in args.iter().filter(|arg| rank(arg) == turn) {
                        self.node_tests(arg, tests)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn ty(&mut self, ty: Ty) -> Result<Ty, String> {
        let class = self.rule.types.find(ty);
        if let Some(fixed) = self.rule.types.fixed(class) {
            return Ok(self.table.number(TypeAt::Fixed(fixed)));
        }
        let mut place: Option<Path> = None;
        self.rule.pattern.each(&mut |node| {
            if place.is_none() && self.rule.types.find(node.ty) == class {
                place = Some(self.variant.place(&node.path));
            }
        });
        let place = place.ok_or("a constant's type follows from nothing")?;
        Ok(self.table.number(TypeAt::Of(place)))
    }

    fn place(&self, path: &Path) -> Path {
        self.variant.place(path)
    }

    fn known(&mut self, path: &Path) -> Path {
        let place = self.variant.place(path);
        self.known.push(place.clone());
        place
    }

    fn type_ref(&mut self, ty: TypeRef) -> Result<TypeRef, String> {
        Ok(match ty {
            TypeRef::Of(ty) => TypeRef::Of(self.ty(ty)?),
            fixed => fixed,
        })
    }

    fn cond(&mut self, cond: &Cond) -> Result<Cond, String> {
        Ok(match cond {
            Cond::And(a, b) => Cond::And(Box::new(self.cond(a)?), Box::new(self.cond(b)?)),
            Cond::Or(a, b) => Cond::Or(Box::new(self.cond(a)?), Box::new(self.cond(b)?)),
            Cond::Not(a) => Cond::Not(Box::new(self.cond(a)?)),
            Cond::Compare(op, a, b) => Cond::Compare(*op, self.constant(a)?, self.constant(b)?),
            Cond::Holds(a) => Cond::Holds(self.constant(a)?),
            Cond::Overflows(op, signed, a, b) => Cond::Overflows(op, *signed, self.constant(a)?, self.constant(b)?),
            Cond::Pow2(a) => Cond::Pow2(self.constant(a)?),
            Cond::Types(op, a, b) => Cond::Types(*op, self.type_ref(*a)?, self.type_ref(*b)?),
            Cond::IsInt(ty) => Cond::IsInt(self.ty(*ty)?),
            Cond::OneUse(path) => Cond::OneUse(self.place(path)),
            Cond::IsConst(path) => Cond::IsConst(self.place(path)),
            Cond::NonNegative(path) => Cond::NonNegative(self.known(path)),
            Cond::Flag(path, flag) => Cond::Flag(self.place(path), *flag),
            Cond::CcSigned(cc) => Cond::CcSigned(self.cc(cc)),
            Cond::CcEquality(cc) => Cond::CcEquality(self.cc(cc)),
            Cond::CcIs(cc, is) => Cond::CcIs(self.cc(cc), *is),
            Cond::Rust(path, args) => Cond::Rust(path.clone(), self.arguments(args)?),
        })
    }

    fn arguments(&mut self, args: &[Argument]) -> Result<Vec<Argument>, String> {
        args.iter()
            .map(|arg| {
                Ok(match arg {
                    Argument::Value(path) => Argument::Value(self.place(path)),
                    Argument::Const(constant) => Argument::Const(self.constant(constant)?),
                    Argument::Cc(cc) => Argument::Cc(self.cc(cc)),
                })
            })
            .collect()
    }

    fn constant(&mut self, constant: &Const) -> Result<Const, String> {
        use ConstKind::*;
        let kind = match &constant.kind {
            Number(number) => Number(*number),
            Infix(op, a, b) => Infix(*op, self.boxed(a)?, self.boxed(b)?),
            Neg(a) => Neg(self.boxed(a)?),
            Not(a) => Not(self.boxed(a)?),
            Zext(a) => Zext(self.boxed(a)?),
            Sext(a) => Sext(self.boxed(a)?),
            Trunc(a) => Trunc(self.boxed(a)?),
            Log2(a) => Log2(self.boxed(a)?),
            At(path) => At(self.place(path)),
            Zero(path) => Zero(self.known(path)),
            Eval(cc, a, b) => Eval(self.cc(cc), self.boxed(a)?, self.boxed(b)?),
        };
        Ok(Const { ty: self.ty(constant.ty)?, kind })
    }

    fn boxed(&mut self, constant: &Const) -> Result<Box<Const>, String> {
        self.constant(constant).map(Box::new)
    }

    fn cc(&self, cc: &CcExpr) -> CcExpr {
        let inner = |cc: &CcExpr| Box::new(self.cc(cc));
        match cc {
            CcExpr::Fixed(cc) => CcExpr::Fixed(*cc),
            CcExpr::Of(path) => CcExpr::Of(self.place(path)),
            CcExpr::Swap(cc) => CcExpr::Swap(inner(cc)),
            CcExpr::Inverse(cc) => CcExpr::Inverse(inner(cc)),
            CcExpr::Unsigned(cc) => CcExpr::Unsigned(inner(cc)),
            CcExpr::Signed(cc) => CcExpr::Signed(inner(cc)),
        }
    }

    fn result(&mut self, result: &Res) -> Result<Res, String> {
        Ok(match result {
            Res::Value(path) => Res::Value(self.place(path)),
            Res::Const(constant) => Res::Const(self.constant(constant)?),
            Res::Op { op, ty, cc, flags, keep, args } => {
                let mut conditional = Vec::new();
                for (flag, cond) in flags {
                    let cond = match cond {
                        Some(cond) => Some(self.cond(cond)?),
                        None => None,
                    };
                    conditional.push((*flag, cond));
                }
                Res::Op {
                    op,
                    ty: self.ty(*ty)?,
                    cc: cc.as_ref().map(|cc| self.cc(cc)),
                    flags: conditional,
                    keep: *keep,
                    args: args.iter().map(|arg| self.result(arg)).collect::<Result<_, _>>()?,
                }
            }
            Res::Rust(path, args) => Res::Rust(path.clone(), self.arguments(args)?),
        })
    }
}

/// What a test asks; tests that ask the same exclude each other or are the same.
#[derive(PartialEq)]
enum Question {
    Shape(Path),
    Condition(Path),
    Other(Test),
}

fn question(test: &Test) -> Question {
    match test {
        Test::IsBits(path) | Test::IsOp(path, _) => Question::Shape(path.clone()),
        Test::Cc(path, _) => Question::Condition(path.clone()),
        other => Question::Other(other.clone()),
    }
}

/// The test of a candidate that answers the question, if it can be made before all others: it may
/// come after tests that do not lead to it.
fn answer(candidate: &Candidate<'_>, asked: &Question) -> Option<usize> {
    let index = candidate.tests.iter().position(|test| question(test) == *asked)?;
    let leads_to = |path: &Path, to: &Path| path.len() < to.len() && to.starts_with(path);
    let ready = match asked {
        Question::Shape(to) | Question::Condition(to) => !candidate.tests[..index].iter().any(|test| match test {
            Test::IsOp(path, _) => leads_to(path, to) || path == to,
            _ => false,
        }),
        Question::Other(_) => index == 0,
    };
    ready.then_some(index)
}

fn build(mut candidates: Vec<Candidate<'_>>) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    while !candidates.is_empty() {
        let Some(first) = candidates[0].tests.first() else {
            let done = candidates.remove(0);
            steps.push(Step::Apply(done.rule, done.result));
            continue;
        };
        let asked = question(first);
        let count = candidates.iter().take_while(|c| answer(c, &asked).is_some()).count();
        let together: Vec<Candidate<'_>> = candidates.drain(..count).collect();
        // By answer, in order of first mention.
        let mut arms: Vec<(Test, Vec<Candidate<'_>>)> = Vec::new();
        for mut candidate in together {
            let test = candidate.tests.remove(answer(&candidate, &asked).expect("it answers"));
            match arms.iter_mut().find(|arm| arm.0 == test) {
                Some(arm) => arm.1.push(candidate),
                None => arms.push((test, vec![candidate])),
            }
        }
        steps.push(step(asked, arms));
    }
    steps
}

fn step<'r>(asked: Question, arms: Vec<(Test, Vec<Candidate<'r>>)>) -> Step<'r> {
    match asked {
        Question::Shape(path) => {
            let (mut bits, mut ops) = (Vec::new(), Vec::new());
            for (test, candidates) in arms {
                match test {
                    Test::IsOp(_, op) => ops.push((op, build(candidates))),
                    _ => bits = build(candidates),
                }
            }
            Step::Shape { path, bits, ops }
        }
        Question::Condition(path) => {
            let cc = |test: Test| match test {
                Test::Cc(_, cc) => cc,
                _ => 0,
            };
            Step::Condition { path, arms: arms.into_iter().map(|(test, c)| (cc(test), build(c))).collect() }
        }
        Question::Other(test) => {
            let all = arms.into_iter().flat_map(|arm| arm.1).collect();
            Step::If(test, build(all))
        }
    }
}
