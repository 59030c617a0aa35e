//! Rules as SMT-LIB: for every choice of types and conditions one query, which is unsatisfiable if
//! the result refines the pattern.
//!
//! The semantics are those of `docs/ir.md`. The pattern may be undefined (violated flags, division
//! by zero): then anything goes. Shifts by the width or more give a value of the compiler's choice
//! in the pattern, any value in the result; an undefined value is chosen as well, since rules ask
//! that nobody else sees it. So the claim is: for all inputs, and all that the result's shifts may
//! give, there are choices in the pattern for which it is undefined, or the result is defined and
//! equal. Where there is nothing to choose, or it does not matter, that is without quantifiers.
//!
//! What is known of a value (`zero`, `nonneg`) is any bits that are zero in it. Questions of cost
//! (`one_use`, `const`, functions of the pass) are answered in every way.
//!
//! Addresses are numbers of 64 bits; `inbounds` says that an address stays within its object,
//! whose size is below 2^63 and which does not wrap around.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::syntax::{CONDITIONS, Cc, FLAGS, Infix, Op};
use crate::typed::*;

/// Changes when proofs have to be made anew: how rules are read as formulas.
pub const SEMANTICS: u32 = 1;

/// Widths that rules are proved at.
pub const WIDTHS: [u32; 6] = [1, 8, 16, 32, 64, 128];

/// One claim.
pub struct Query {
    /// Types and conditions.
    pub case: Case,
    /// The claim without choices: the pattern's unspecified values may be anything.
    pub strong: String,
    /// The claim with them, if there are any.
    pub weak: Option<String>,
    /// The claim with choices made: as the result, or so that they make up for what the rest of the
    /// pattern gives. If one of these holds, the weak claim does.
    pub witnesses: Vec<String>,
    /// The strong claim with shifts to the left as products, if there are any: solvers see that
    /// products are the same in another order.
    pub products: Option<String>,
    /// What a counterexample is made of: name, term.
    pub terms: Vec<(String, String)>,
    /// Cases that together are all: of constants that shift, and of powers of two. What is hard for
    /// all of them at once is easy for each.
    pub splits: Vec<Vec<String>>,
}

/// A choice of types and conditions.
#[derive(Clone, Debug)]
pub struct Case {
    /// Bits of each class of types.
    pub widths: BTreeMap<Ty, u32>,
    /// Condition of each comparison of the pattern.
    pub conditions: BTreeMap<Path, Cc>,
}

impl Case {
    /// The widest type.
    pub fn widest(&self) -> u32 {
        self.widths.values().copied().max().unwrap_or(64)
    }

    /// Bits of a type of the rule.
    pub fn bits(&self, rule: &Rule, ty: Ty) -> u32 {
        let class = rule.types.find(ty);
        rule.types.fixed(class).map_or_else(|| self.widths.get(&class).copied().unwrap_or(64), Fixed::bits)
    }

    /// The condition that an expression gives.
    pub fn cc(&self, expr: &CcExpr) -> Cc {
        // In the order of `CONDITIONS`.
        match expr {
            CcExpr::Fixed(cc) => *cc,
            CcExpr::Of(path) => self.conditions[path],
            CcExpr::Swap(inner) => [0, 1, 4, 5, 2, 3, 8, 9, 6, 7][self.cc(inner)],
            CcExpr::Inverse(inner) => [1, 0, 5, 4, 3, 2, 9, 8, 7, 6][self.cc(inner)],
            CcExpr::Unsigned(inner) => [0, 1, 6, 7, 8, 9, 6, 7, 8, 9][self.cc(inner)],
            CcExpr::Signed(inner) => [0, 1, 2, 3, 4, 5, 2, 3, 4, 5][self.cc(inner)],
        }
    }

    /// For people: `iN = i8, iT = i32, ult`.
    pub fn describe(&self, rule: &Rule) -> String {
        let name = |ty: Ty| rule.type_names.iter().find(|n| rule.types.find(*n.1) == ty).map(|n| n.0.as_str());
        let mut parts: Vec<String> = self
            .widths
            .iter()
            .map(|(&ty, bits)| name(ty).map_or(format!("i{bits}"), |n| format!("{n} = i{bits}")))
            .collect();
        parts.extend(self.conditions.values().map(|&cc| CONDITIONS[cc].0.to_string()));
        parts.join(", ")
    }
}

/// Every choice of types and conditions that the rule may meet, in order of width.
pub fn cases(rule: &Rule) -> Vec<Case> {
    let (mut classes, mut comparisons) = (Vec::new(), Vec::new());
    rule.pattern.each(&mut |node| {
        let class = rule.types.find(node.ty);
        if !classes.contains(&class) {
            classes.push(class);
        }
        if let Kind::Op { op, cc, .. } = &node.kind
            && op.name == "icmp"
        {
            comparisons.push((node.path.clone(), *cc));
        }
    });
    let mut cases = vec![Case { widths: BTreeMap::new(), conditions: BTreeMap::new() }];
    for class in classes {
        let widths = rule.types.fixed(class).map_or(WIDTHS.to_vec(), |fixed| vec![fixed.bits()]);
        cases = cases.iter().flat_map(|case| widths.iter().map(|&bits| with_width(case, class, bits))).collect();
    }
    for (path, fixed) in comparisons {
        let conditions: Vec<Cc> = fixed.map_or((0..CONDITIONS.len()).collect(), |cc| vec![cc]);
        cases = cases.iter().flat_map(|case| conditions.iter().map(|&cc| with_condition(case, &path, cc))).collect();
    }
    cases.retain(|case| is_possible(rule, case));
    cases.sort_by_key(Case::widest);
    cases
}

fn with_width(case: &Case, class: Ty, bits: u32) -> Case {
    let mut case = case.clone();
    case.widths.insert(class, bits);
    case
}

fn with_condition(case: &Case, path: &Path, cc: Cc) -> Case {
    let mut case = case.clone();
    case.conditions.insert(path.clone(), cc);
    case
}

/// Whether the conversions are ones that there are, and no condition is known to fail.
fn is_possible(rule: &Rule, case: &Case) -> bool {
    let mut possible = true;
    rule.pattern.each(&mut |node| {
        if let Kind::Op { op, args, .. } = &node.kind
            && op.name == "select"
        {
            // A vector of conditions chooses lane by lane, each of them like this.
            possible &= case.bits(rule, args[0].ty) == 1;
        }
        if let Kind::Op { op, args, .. } = &node.kind
            && let [from] = &args[..]
        {
            let (from, to) = (case.bits(rule, from.ty), case.bits(rule, node.ty));
            possible &= match op.name {
                "zext" | "sext" => from < to,
                "trunc" => from > to,
                "bitcast" => from == to,
                _ => true,
            };
        }
    });
    possible && rule.conditions.iter().all(|cond| known(rule, case, cond) != Some(false))
}

/// The truth of a condition on types and conditions alone.
fn known(rule: &Rule, case: &Case, cond: &Cond) -> Option<bool> {
    Some(match cond {
        Cond::And(a, b) => match (known(rule, case, a), known(rule, case, b)) {
            (Some(false), _) | (_, Some(false)) => false,
            (Some(true), Some(true)) => true,
            _ => return None,
        },
        Cond::Or(a, b) => match (known(rule, case, a), known(rule, case, b)) {
            (Some(true), _) | (_, Some(true)) => true,
            (Some(false), Some(false)) => false,
            _ => return None,
        },
        Cond::Not(a) => !known(rule, case, a)?,
        Cond::Types(op, a, b) => {
            let bits = |ty: &TypeRef| match ty {
                TypeRef::Of(ty) => case.bits(rule, *ty),
                TypeRef::Fixed(fixed) => fixed.bits(),
            };
            let (a, b) = (bits(a), bits(b));
            match op {
                Infix::Eq => a == b,
                Infix::Ne => a != b,
                Infix::Slt | Infix::Ult => a < b,
                Infix::Sle | Infix::Ule => a <= b,
                Infix::Sgt | Infix::Ugt => a > b,
                _ => a >= b,
            }
        }
        Cond::IsInt(_) => true,
        Cond::CcSigned(cc) => (2..6).contains(&case.cc(cc)),
        Cond::CcEquality(cc) => case.cc(cc) < 2,
        Cond::CcIs(cc, is) => case.cc(cc) == *is,
        _ => return None,
    })
}

/// The claim for a case. `None` if a function of the pass makes the result.
pub fn query(rule: &Rule, case: &Case) -> Option<Query> {
    if rule.is_by_hand() {
        return None;
    }
    let query = claim(rule, case, false);
    let products = query.strong.contains("(bvshl ").then(|| claim(rule, case, true).strong);
    Some(Query { products, ..query })
}

fn claim(rule: &Rule, case: &Case, as_products: bool) -> Query {
    let mut cx = Context::new(rule, case, as_products);
    let before = cx.pattern(&rule.pattern);
    let conditions: Vec<String> = rule.conditions.iter().map(|cond| cx.cond(cond)).collect();
    let mut after_defined = Vec::new();
    let after = cx.result(&rule.result, true, &mut after_defined);
    let assumed = and(conditions.iter().chain(&cx.defined));
    let refined = and(after_defined.iter().chain([&format!("(= {before} {after})")]));
    let declarations = cx.declarations.clone();
    let choices: String = cx.choices.iter().map(|(name, sort)| format!("(declare-const {name} {sort})\n")).collect();
    let strong = format!("{declarations}{choices}(assert {assumed})\n(assert (not {refined}))\n");
    let weak = (!cx.choices.is_empty()).then(|| {
        let bound: String = cx.choices.iter().map(|(name, sort)| format!("({name} {sort})")).collect();
        format!("{declarations}(assert (forall ({bound}) (and {assumed} (not {refined}))))\n")
    });
    let mut witnesses = Vec::new();
    if !cx.choices.is_empty() {
        let bits = cx.bits(rule.pattern.ty);
        let zero = bits_term(0, bits);
        let nothing: String =
            cx.choices.iter().map(|(name, sort)| format!("({name} (_ bv0 {}))", sort_bits(sort))).collect();
        let missing = format!("(bvxor {after} (let ({nothing}) {before}))");
        for (first, others) in [(&after, &after), (&missing, &zero), (&zero, &zero)] {
            let chosen = |index: usize| if index == 0 { first } else { others };
            let same = cx.choices.iter().all(|choice| choice.1 == sort(bits));
            let choices: String = (cx.choices.iter().enumerate())
                .map(|(index, (name, sort))| format!("(define-fun {name} () {sort} {})\n", chosen(index)))
                .collect();
            if same {
                witnesses.push(format!("{declarations}{choices}(assert {assumed})\n(assert (not {refined}))\n"));
            }
        }
    }
    let mut terms = cx.inputs.clone();
    terms.push(("before".to_string(), before));
    terms.push(("after".to_string(), after));
    Query { case: case.clone(), strong, weak, witnesses, products: None, terms, splits: splits(rule, case) }
}

/// The cases of each input that shifts something, or is a constant that is a power of two.
fn splits(rule: &Rule, case: &Case) -> Vec<Vec<String>> {
    let (mut amounts, mut variables, mut powers) = (Vec::new(), Vec::new(), Vec::new());
    rule.pattern.each(&mut |node| {
        if let Kind::Op { op, args, .. } = &node.kind
            && matches!(op.name, "shl" | "lshr" | "ashr")
        {
            args[1].each(&mut |part| match part.kind {
                Kind::Const => amounts.push(part.path.clone()),
                Kind::Any => variables.push(part.path.clone()),
                _ => {}
            });
        }
    });
    for cond in &rule.conditions {
        match cond {
            Cond::Pow2(Const { kind: ConstKind::At(path), .. }) => powers.push((path.clone(), false)),
            Cond::Pow2(Const { kind: ConstKind::Neg(inner), .. }) => {
                if let ConstKind::At(path) = &inner.kind {
                    powers.push((path.clone(), true));
                }
            }
            _ => {}
        }
    }
    let all = |path: &Path, number: &dyn Fn(u32) -> u128| {
        let (name, bits) = (format!("v{}", digits(path)), case.bits(rule, rule.node(path).ty));
        let mut cases: Vec<String> = (0..bits).map(|n| format!("(= {name} {})", bits_term(number(n), bits))).collect();
        cases.push(format!("(not (or false {}))", cases.join(" ")));
        cases
    };
    // A value is often masked before it shifts: its low bits, with and without something above.
    let masked = |path: &Path| {
        let (name, bits) = (format!("v{}", digits(path)), case.bits(rule, rule.node(path).ty));
        let (mask, width) = (bits_term(u128::from(bits) - 1, bits), bits_term(bits.into(), bits));
        let low = |n: u32| format!("(= (bvand {name} {mask}) {})", bits_term(n.into(), bits));
        let both = |n: u32| {
            [format!("(bvult {name} {width})"), format!("(bvuge {name} {width})")]
                .map(|above| format!("(and {} {above})", low(n)))
        };
        (0..bits).flat_map(both).collect()
    };
    let amounts = amounts.iter().map(|path| all(path, &|n| u128::from(n)));
    let powers = powers
        .iter()
        .map(|(path, negative)| all(path, &|n| if *negative { (1u128 << n).wrapping_neg() } else { 1 << n }));
    amounts.chain(powers).chain(variables.iter().map(masked)).collect()
}

fn and<'s>(parts: impl Iterator<Item = &'s String>) -> String {
    let parts: Vec<&str> = parts.map(String::as_str).filter(|part| *part != "true").collect();
    match &parts[..] {
        [] => "true".to_string(),
        [one] => one.to_string(),
        _ => format!("(and {})", parts.join(" ")),
    }
}

fn sort(bits: u32) -> String {
    format!("(_ BitVec {bits})")
}

/// The bits of a sort that [`sort`] has written.
fn sort_bits(sort: &str) -> &str {
    sort.trim_start_matches("(_ BitVec ").trim_end_matches(')')
}

fn bits_term(value: u128, bits: u32) -> String {
    let value = if bits < 128 { value & ((1 << bits) - 1) } else { value };
    format!("(_ bv{value} {bits})")
}

fn digits(path: &[u8]) -> String {
    path.iter().map(|d| char::from(b'0' + d)).collect()
}

struct Context<'a> {
    rule: &'a Rule,
    case: &'a Case,
    declarations: String,
    /// Unspecified values of the pattern: name, sort.
    choices: Vec<(String, String)>,
    /// When the pattern is defined.
    defined: Vec<String>,
    /// Terms of the parts of the pattern.
    terms: BTreeMap<Path, String>,
    /// Name and term of what a counterexample is made of.
    inputs: Vec<(String, String)>,
    /// What has been declared.
    declared: Vec<String>,
    /// Shifts to the left become products.
    as_products: bool,
}

impl<'a> Context<'a> {
    fn new(rule: &'a Rule, case: &'a Case, as_products: bool) -> Context<'a> {
        Context {
            rule,
            case,
            declarations: String::new(),
            choices: Vec::new(),
            defined: Vec::new(),
            terms: BTreeMap::new(),
            inputs: Vec::new(),
            declared: Vec::new(),
            as_products,
        }
    }

    /// `a << b`; 0 where nothing of `a` is left.
    fn shifted_left(&self, a: &str, b: &str, bits: u32) -> String {
        if self.as_products {
            format!("(bvmul {a} (bvshl {} {b}))", bits_term(1, bits))
        } else {
            format!("(bvshl {a} {b})")
        }
    }

    /// The term of an operation with operands of `from` bits and a result of `to` bits.
    fn operation(&self, op: &Op, cc: Option<Cc>, args: &[String], from: u32, to: u32) -> String {
        match op.name {
            "shl" => self.shifted_left(&args[0], &args[1], from),
            _ => operation(op, cc, args, from, to),
        }
    }

    fn bits(&self, ty: Ty) -> u32 {
        self.case.bits(self.rule, ty)
    }

    /// Declares a constant once; its name.
    fn declare(&mut self, name: String, sort: &str) -> String {
        if !self.declared.contains(&name) {
            let _ = writeln!(self.declarations, "(declare-const {name} {sort})");
            self.declared.push(name.clone());
        }
        name
    }

    // ---- the pattern

    fn pattern(&mut self, node: &Node) -> String {
        let bits = self.bits(node.ty);
        let term = match &node.kind {
            Kind::Any | Kind::Const => {
                let name = self.declare(format!("v{}", digits(&node.path)), &sort(bits));
                let written = self.rule.names.iter().find(|n| *n.1 == node.path).map_or(name.as_str(), |n| n.0);
                self.inputs.push((written.to_string(), name.clone()));
                name
            }
            Kind::Again(first) => self.terms[first].clone(),
            Kind::Literal(number) => number_term(*number, bits),
            Kind::Op { op, flags, args, .. } => {
                let terms: Vec<String> = args.iter().map(|arg| self.pattern(arg)).collect();
                let from = args.first().map_or(bits, |arg| self.bits(arg.ty));
                let asked: Vec<usize> = (0..FLAGS.len()).filter(|&f| self.is_asked(&node.path, f)).collect();
                for flag in asked {
                    let promise = self.promise(op, flag, &terms, from, &node.path, false);
                    let set = if flags.contains(&flag) { None } else { Some(self.flag(&node.path, flag)) };
                    self.defined.push(set.map_or(promise.clone(), |set| format!("(=> {set} {promise})")));
                }
                self.defined.extend(divides(op, &terms, from));
                let cc = self.case.conditions.get(&node.path).copied();
                let term = self.operation(op, cc, &terms, from, bits);
                self.specified(op, term, &terms, bits)
            }
        };
        self.terms.insert(node.path.clone(), term.clone());
        term
    }

    /// The term, with a choice where it is not specified.
    fn specified(&mut self, op: &Op, term: String, terms: &[String], bits: u32) -> String {
        let is_shift = matches!(op.name, "shl" | "lshr" | "ashr");
        if !is_shift && op.name != "undef" {
            return term;
        }
        let name = format!("u{}", self.choices.len());
        self.choices.push((name.clone(), sort(bits)));
        if is_shift { within(&terms[1], &term, &name, bits) } else { name }
    }

    /// Whether a flag of the pattern matters: it is asked for, or the result's flags depend on it.
    fn is_asked(&self, path: &Path, flag: usize) -> bool {
        let node = self.rule.node(path);
        let Kind::Op { op, flags, .. } = &node.kind else { return false };
        let keeps = path.is_empty() && matches!(&self.rule.result, Res::Op { keep: true, .. });
        flags.contains(&flag) || applies(op, flag) && (keeps || mentions(self.rule, path, flag))
    }

    fn flag(&mut self, path: &Path, flag: usize) -> String {
        self.declare(format!("f{}_{}", digits(path), FLAGS[flag].0), "Bool")
    }

    /// What a flag promises. In the pattern nothing is concluded where shifts are unspecified, in
    /// the
    /// result they must not be.
    fn promise(&mut self, op: &Op, flag: usize, terms: &[String], bits: u32, path: &[u8], after: bool) -> String {
        let (a, b) = (&terms[0], &terms[1]);
        match (op.name, FLAGS[flag].0) {
            ("add" | "sub" | "mul", "nsw") => format!("(not {})", overflows(op.name, true, a, b, bits)),
            ("add" | "sub" | "mul", "nuw") => format!("(not {})", overflows(op.name, false, a, b, bits)),
            ("shl" | "ashr" | "lshr", name) => {
                let back = match (op.name, name) {
                    ("shl", "nsw") => "ashr",
                    ("shl", _) => "lshr",
                    _ => "shl",
                };
                let fits = format!("(= (bv{back} (bv{} {a} {b}) {b}) {a})", op.name);
                let within = format!("(bvult {b} {})", number_term(Number::Width, bits));
                if after { format!("(and {within} {fits})") } else { format!("(=> {within} {fits})") }
            }
            ("sdiv", "exact") => format!("(= (bvsrem {a} {b}) (_ bv0 {bits}))"),
            ("udiv", "exact") => format!("(= (bvurem {a} {b}) (_ bv0 {bits}))"),
            ("ptradd", "inbounds") => self.in_object(a, b, path),
            _ => "true".to_string(),
        }
    }

    /// That base and base plus offset lie in one object.
    fn in_object(&mut self, base: &str, offset: &str, path: &[u8]) -> String {
        // The object is that of the pointer at the beginning of the chain.
        let mut of = path.to_vec();
        while self.rule.node(&of).op().is_some_and(|op| op.name == "ptradd") {
            of.push(0);
        }
        if let Kind::Again(first) = &self.rule.node(&of).kind {
            of = first.clone();
        }
        let (low, high) = (format!("lo{}", digits(&of)), format!("hi{}", digits(&of)));
        if !self.declared.contains(&low) {
            self.declare(low.clone(), &sort(64));
            self.declare(high.clone(), &sort(64));
            let size = format!("(bvult (bvsub {high} {low}) {})", number_term(Number::Min, 64));
            self.defined.extend([format!("(bvule {low} {high})"), size]);
        }
        // Since sizes are below 2^63, an offset that leads out of the object and around is no
        // signed
        // number of 64 bits: sums need not be exact.
        let inside = |address: &str| format!("(bvule (bvsub {address} {low}) (bvsub {high} {low}))");
        format!("(and {} {})", inside(base), inside(&format!("(bvadd {base} {offset})")))
    }

    // ---- conditions

    fn cond(&mut self, cond: &Cond) -> String {
        if let Some(known) = known(self.rule, self.case, cond) {
            return known.to_string();
        }
        match cond {
            Cond::And(a, b) => format!("(and {} {})", self.cond(a), self.cond(b)),
            Cond::Or(a, b) => format!("(or {} {})", self.cond(a), self.cond(b)),
            Cond::Not(a) => format!("(not {})", self.cond(a)),
            Cond::Compare(op, a, b) => {
                let (a, b) = (self.constant(a), self.constant(b));
                match op {
                    Infix::Eq => format!("(= {a} {b})"),
                    Infix::Ne => format!("(distinct {a} {b})"),
                    op => format!("({} {a} {b})", order(*op)),
                }
            }
            Cond::Holds(a) => format!("(= {} #b1)", self.constant(a)),
            Cond::Overflows(op, signed, a, b) => {
                let bits = self.bits(a.ty);
                let (a, b) = (self.constant(a), self.constant(b));
                overflows(op, *signed, &a, &b, bits)
            }
            Cond::Pow2(a) => {
                let bits = self.bits(a.ty);
                let a = self.constant(a);
                let (zero, one) = (bits_term(0, bits), bits_term(1, bits));
                format!("(and (distinct {a} {zero}) (= (bvand {a} (bvsub {a} {one})) {zero}))")
            }
            Cond::NonNegative(path) => {
                let known = self.declare(format!("positive{}", digits(path)), "Bool");
                let bits = self.bits(self.rule.node(path).ty);
                let (value, zero) = (self.terms[path].clone(), bits_term(0, bits));
                self.defined.push(format!("(=> {known} (bvsge {value} {zero}))"));
                known
            }
            Cond::Flag(path, flag) => self.flag(path, *flag),
            Cond::OneUse(path) => self.declare(format!("one_use{}", digits(path)), "Bool"),
            Cond::IsConst(path) => self.declare(format!("is_const{}", digits(path)), "Bool"),
            Cond::Rust(..) => {
                let name = format!("cost{}", self.declared.len());
                self.declare(name, "Bool")
            }
            Cond::Types(..) | Cond::IsInt(_) | Cond::CcSigned(_) | Cond::CcEquality(_) | Cond::CcIs(..) => {
                "true".to_string()
            }
        }
    }

    fn constant(&mut self, constant: &Const) -> String {
        let bits = self.bits(constant.ty);
        match &constant.kind {
            ConstKind::At(path) => self.terms[path].clone(),
            ConstKind::Number(number) => number_term(*number, bits),
            ConstKind::Neg(a) => format!("(bvneg {})", self.constant(a)),
            ConstKind::Not(a) => format!("(bvnot {})", self.constant(a)),
            ConstKind::Infix(Infix::Shl, a, b) => {
                let (a, b) = (self.constant(a), self.constant(b));
                self.shifted_left(&a, &b, bits)
            }
            ConstKind::Infix(op, a, b) => {
                let op = match op {
                    Infix::Add => "bvadd",
                    Infix::Sub => "bvsub",
                    Infix::Mul => "bvmul",
                    Infix::And => "bvand",
                    Infix::Or => "bvor",
                    Infix::Xor => "bvxor",
                    Infix::LShr => "bvlshr",
                    _ => "bvashr",
                };
                format!("({op} {} {})", self.constant(a), self.constant(b))
            }
            ConstKind::Zext(a) => resized("zero_extend", &self.constant(a), self.bits(a.ty), bits),
            ConstKind::Sext(a) => resized("sign_extend", &self.constant(a), self.bits(a.ty), bits),
            ConstKind::Trunc(a) => resized("zero_extend", &self.constant(a), self.bits(a.ty), bits),
            ConstKind::Log2(a) => {
                let a = self.constant(a);
                (0..bits).rev().fold(bits_term(bits.into(), bits), |rest, bit| {
                    format!("(ite (= ((_ extract {bit} {bit}) {a}) #b1) {} {rest})", bits_term(bit.into(), bits))
                })
            }
            ConstKind::Zero(path) => {
                let name = self.declare(format!("zero{}", digits(path)), &sort(bits));
                let value = self.terms[path].clone();
                self.defined.push(format!("(= (bvand {value} {name}) {})", bits_term(0, bits)));
                name
            }
            ConstKind::Eval(cc, a, b) => {
                let (a, b) = (self.constant(a), self.constant(b));
                compare(self.case.cc(cc), &a, &b)
            }
        }
    }

    // ---- the result

    fn result(&mut self, result: &Res, is_root: bool, defined: &mut Vec<String>) -> String {
        match result {
            Res::Value(path) => self.terms.get(path).cloned().unwrap_or_default(),
            Res::Const(constant) => {
                let term = self.constant(constant);
                let number = self.inputs.iter().filter(|i| i.0.starts_with('=')).count();
                self.inputs.push((format!("={number}"), term.clone()));
                term
            }
            Res::Op { op, ty, cc, flags, keep, args } => {
                let terms: Vec<String> = args.iter().map(|arg| self.result(arg, false, defined)).collect();
                let bits = self.bits(*ty);
                let from = args.first().map_or(bits, |arg| self.bits(type_of(self.rule, arg)));
                for (flag, cond) in flags {
                    let promise = self.promise(op, *flag, &terms, from, &[], true);
                    let cond = cond.as_ref().map(|cond| self.cond(cond));
                    defined.push(cond.map_or(promise.clone(), |cond| format!("(=> {cond} {promise})")));
                }
                if *keep && is_root {
                    for flag in (0..FLAGS.len()).filter(|&flag| applies(op, flag)) {
                        let promise = self.promise(op, flag, &terms, from, &[], true);
                        let set = self.flag(&Vec::new(), flag);
                        defined.push(format!("(=> {set} {promise})"));
                    }
                }
                defined.extend(divides(op, &terms, from));
                let term = self.operation(op, cc.as_ref().map(|cc| self.case.cc(cc)), &terms, from, bits);
                if matches!(op.name, "shl" | "lshr" | "ashr") {
                    let any = self.declare(format!("any{}", self.declared.len()), &sort(bits));
                    return within(&terms[1], &term, &any, bits);
                }
                term
            }
            Res::Rust(..) => String::new(),
        }
    }
}

/// The type of a part of a result.
pub fn type_of(rule: &Rule, result: &Res) -> Ty {
    match result {
        Res::Value(path) => rule.node(path).ty,
        Res::Const(constant) => constant.ty,
        Res::Op { ty, .. } => *ty,
        Res::Rust(..) => rule.pattern.ty,
    }
}

/// Whether an operation can have the flag.
pub fn applies(op: &Op, flag: usize) -> bool {
    match FLAGS[flag].0 {
        "nsw" | "nuw" => matches!(op.name, "add" | "sub" | "mul" | "shl"),
        "exact" => matches!(op.name, "sdiv" | "udiv" | "ashr" | "lshr"),
        "inbounds" => op.name == "ptradd",
        _ => false,
    }
}

/// Whether a condition, of the rule or of a flag of its result, asks for the flag.
fn mentions(rule: &Rule, path: &Path, flag: usize) -> bool {
    fn cond(c: &Cond, path: &Path, flag: usize) -> bool {
        match c {
            Cond::And(a, b) | Cond::Or(a, b) => cond(a, path, flag) || cond(b, path, flag),
            Cond::Not(a) => cond(a, path, flag),
            Cond::Flag(p, f) => p == path && *f == flag,
            _ => false,
        }
    }
    fn result(r: &Res, path: &Path, flag: usize) -> bool {
        match r {
            Res::Op { flags, args, .. } => {
                flags.iter().filter_map(|f| f.1.as_ref()).any(|c| cond(c, path, flag))
                    || args.iter().any(|arg| result(arg, path, flag))
            }
            _ => false,
        }
    }
    rule.conditions.iter().any(|c| cond(c, path, flag)) || result(&rule.result, path, flag)
}

fn number_term(number: Number, bits: u32) -> String {
    bits_term(
        match number {
            Number::Bits(value, false) => value,
            Number::Bits(value, true) => value.wrapping_neg(),
            Number::Min => 1 << (bits - 1),
            Number::Max => (1 << (bits - 1)) - 1,
            Number::Width => bits.into(),
        },
        bits,
    )
}

fn resized(extension: &str, term: &str, from: u32, to: u32) -> String {
    match from.cmp(&to) {
        std::cmp::Ordering::Equal => term.to_string(),
        std::cmp::Ordering::Less => format!("((_ {extension} {}) {term})", to - from),
        std::cmp::Ordering::Greater => format!("((_ extract {} 0) {term})", to - 1),
    }
}

fn within(amount: &str, term: &str, otherwise: &str, bits: u32) -> String {
    format!("(ite (bvult {amount} {}) {term} {otherwise})", number_term(Number::Width, bits))
}

fn order(op: Infix) -> &'static str {
    match op {
        Infix::Slt => "bvslt",
        Infix::Sle => "bvsle",
        Infix::Sgt => "bvsgt",
        Infix::Sge => "bvsge",
        Infix::Ult => "bvult",
        Infix::Ule => "bvule",
        Infix::Ugt => "bvugt",
        _ => "bvuge",
    }
}

fn compare(cc: Cc, a: &str, b: &str) -> String {
    let holds = match CONDITIONS[cc].0 {
        "eq" => format!("(= {a} {b})"),
        "ne" => format!("(distinct {a} {b})"),
        name => format!("(bv{name} {a} {b})"),
    };
    format!("(ite {holds} #b1 #b0)")
}

/// Whether an operation on exact numbers leaves the type.
fn overflows(op: &str, signed: bool, a: &str, b: &str, bits: u32) -> String {
    let (extension, more) = (if signed { "sign_extend" } else { "zero_extend" }, if op == "mul" { bits } else { 1 });
    let wide = |term: &str| format!("((_ {extension} {more}) {term})");
    let exact = format!("(bv{op} {} {})", wide(a), wide(b));
    format!("(distinct {exact} {})", wide(&format!("(bv{op} {a} {b})")))
}

/// When a division is defined.
fn divides(op: &Op, terms: &[String], bits: u32) -> Vec<String> {
    if !matches!(op.name, "sdiv" | "srem" | "udiv" | "urem") {
        return Vec::new();
    }
    let (a, b) = (&terms[0], &terms[1]);
    let mut defined = vec![format!("(distinct {b} {})", bits_term(0, bits))];
    if op.name.starts_with('s') {
        let (min, ones) = (number_term(Number::Min, bits), bits_term(u128::MAX, bits));
        defined.push(format!("(not (and (= {a} {min}) (= {b} {ones})))"));
    }
    defined
}

/// The term of an operation with operands of `from` bits and a result of `to` bits.
fn operation(op: &Op, cc: Option<Cc>, args: &[String], from: u32, to: u32) -> String {
    let two = |name: &str| format!("({name} {} {})", args[0], args[1]);
    let chosen = |order: &str| format!("(ite ({order} {0} {1}) {0} {1})", args[0], args[1]);
    let high = |extension: &str| {
        let wide = |term: &str| format!("((_ {extension} {from}) {term})");
        format!("((_ extract {} {from}) (bvmul {} {}))", 2 * from - 1, wide(&args[0]), wide(&args[1]))
    };
    match op.name {
        "add" | "sub" | "mul" | "sdiv" | "udiv" | "srem" | "urem" | "and" | "or" | "xor" | "shl" | "lshr" | "ashr" => {
            two(&format!("bv{}", op.name))
        }
        "ptradd" => two("bvadd"),
        "smulh" => high("sign_extend"),
        "umulh" => high("zero_extend"),
        "rotl" | "rotr" => {
            let (there, back) = if op.name == "rotl" { ("bvshl", "bvlshr") } else { ("bvlshr", "bvshl") };
            let width = number_term(Number::Width, from);
            let amount = format!("(bvurem {} {width})", args[1]);
            format!("(bvor ({there} {0} {amount}) ({back} {0} (bvsub {width} {amount})))", args[0])
        }
        "smin" => chosen("bvslt"),
        "smax" => chosen("bvsgt"),
        "umin" => chosen("bvult"),
        "umax" => chosen("bvugt"),
        "icmp" => compare(cc.unwrap_or(0), &args[0], &args[1]),
        "trunc" | "zext" => resized("zero_extend", &args[0], from, to),
        "sext" => resized("sign_extend", &args[0], from, to),
        "select" => format!("(ite (= {} #b1) {} {})", args[0], args[1], args[2]),
        "bswap" => {
            let bytes: Vec<String> =
                (0..from / 8).map(|n| format!("((_ extract {} {}) {})", n * 8 + 7, n * 8, args[0])).collect();
            format!("(concat {})", bytes.join(" "))
        }
        // The number that is converted decides, whatever it is converted to.
        "uitofp" => format!("({} ((_ zero_extend 1) {}))", rounding(from, to), args[0]),
        "sitofp" => format!("({} ((_ sign_extend 1) {}))", rounding(from, to), args[0]),
        // The same bits; an undefined value is replaced by a choice.
        _ => args.first().cloned().unwrap_or_default(),
    }
}

/// The name of the function from integers of one bit more than `from` to floats.
fn rounding(from: u32, to: u32) -> String {
    format!("rounded_{from}_{to}")
}

/// Declares the conversions of integers to floats that a formula names: functions nothing else is
/// known of.
pub fn declare_conversions(formula: &str) -> String {
    let mut out = String::new();
    for from in WIDTHS {
        for to in WIDTHS {
            let name = rounding(from, to);
            if formula.contains(&format!("({name} ")) {
                let _ = writeln!(out, "(declare-fun {name} ({}) {})", sort(from + 1), sort(to));
            }
        }
    }
    out
}
