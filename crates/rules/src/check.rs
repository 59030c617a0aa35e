//! From what is written to typed rules: names found, types inferred, families spelled out.

use std::collections::BTreeMap;

use crate::syntax::{Entry, Expr, FLAGS, Infix, Op, Shape, condition, is_constant, is_type};
use crate::typed::*;

/// The rules of an entry, one for each operation of its family.
pub fn rules(entry: &Entry) -> Result<Vec<Rule>, String> {
    let at = |error: String| format!("{}: rule {}: {error}", entry.line, entry.name);
    match &entry.family {
        None => Ok(vec![rule(entry, None).map_err(at)?]),
        Some((variable, members)) => members.iter().map(|op| rule(entry, Some((variable, op))).map_err(at)).collect(),
    }
}

struct Checker<'a> {
    family: Option<(&'a str, &'a str)>,
    implied: Classes,
    types: Classes,
    type_names: BTreeMap<String, Ty>,
    names: BTreeMap<String, Path>,
    conditions: BTreeMap<String, Path>,
    nodes: BTreeMap<Path, (Ty, bool)>,
    /// Type variables of the pattern; what comes later may not make two of them one.
    of_pattern: usize,
    /// Types that the pattern's operations are for integers only.
    integers: Vec<Ty>,
    /// Types that the result's operations are for integers only.
    computed: Vec<Ty>,
}

fn rule(entry: &Entry, family: Option<(&String, &String)>) -> Result<Rule, String> {
    let family = family.map(|(variable, op)| (variable.as_str(), op.as_str()));
    let mut cx = Checker {
        family,
        implied: Classes::default(),
        types: Classes::default(),
        type_names: BTreeMap::new(),
        names: BTreeMap::from([("root".to_string(), Vec::new())]),
        conditions: BTreeMap::new(),
        nodes: BTreeMap::new(),
        of_pattern: 0,
        integers: Vec::new(),
        computed: Vec::new(),
    };
    let ty = cx.fresh();
    let pattern = cx.pattern(&entry.pattern, Vec::new(), ty)?;
    if pattern.op().is_none() {
        return Err("the pattern is no operation".to_string());
    }
    cx.of_pattern = cx.types.len();
    let before = cx.classes_of_pattern();
    let mut conditions = Vec::new();
    if let Some(condition) = &entry.condition {
        split(cx.condition(condition)?, &mut conditions);
    }
    let result = cx.result(&entry.result, ty)?;
    if cx.classes_of_pattern() != before {
        return Err("the result or a condition takes types for the same that the pattern does not".to_string());
    }
    cx.integers.extend(conditions.iter().filter_map(|condition| match condition {
        Cond::IsInt(ty) => Some(*ty),
        _ => None,
    }));
    if cx.computed.iter().any(|&ty| !cx.is_integer(ty)) {
        return Err("what the result computes with may be an address: 'is_int' is missing".to_string());
    }
    let (mut name, mut text) = (entry.name.clone(), entry.body.clone());
    if let Some((variable, op)) = family {
        name = format!("{name}.{op}");
        text = replace_word(&text, variable, op);
    }
    let Checker { implied, types, type_names, names, .. } = cx;
    let (entry_name, written) = (entry.name.clone(), entry.body.clone());
    let (doc, file) = (entry.doc.clone(), String::new());
    Ok(Rule {
        name,
        entry: entry_name,
        file,
        written,
        doc,
        text,
        implied,
        types,
        type_names,
        names,
        pattern,
        conditions,
        result,
    })
}

/// The text of one member of a family: without `for ... in ...`, the variable replaced.
fn replace_word(text: &str, variable: &str, by: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(if word == variable { by } else { &word });
        word.clear();
        out.push(c);
    }
    out.trim_end().to_string()
}

/// The parts of a conjunction.
fn split(cond: Cond, out: &mut Vec<Cond>) {
    match cond {
        Cond::And(a, b) => {
            split(*a, out);
            split(*b, out);
        }
        other => out.push(other),
    }
}

fn flag(name: &str) -> Result<usize, String> {
    FLAGS.iter().position(|f| f.0 == name).ok_or_else(|| format!("'{name}' is no flag"))
}

fn fixed(name: &str) -> Option<Fixed> {
    if name == "ptr" { Some(Fixed::Ptr) } else { name[1..].parse().ok().map(Fixed::Int) }
}

/// The operator that computes what an operation does, of constants.
fn const_op(name: &str) -> Option<Infix> {
    Some(match name {
        "add" => Infix::Add,
        "sub" => Infix::Sub,
        "mul" => Infix::Mul,
        "and" => Infix::And,
        "or" => Infix::Or,
        "xor" => Infix::Xor,
        "shl" => Infix::Shl,
        "lshr" => Infix::LShr,
        "ashr" => Infix::AShr,
        _ => return None,
    })
}

fn number(expr: &Expr) -> Option<Number> {
    match expr {
        Expr::Int(n) => Some(Number::Bits(*n, false)),
        Expr::Prefix('-', inner) => match **inner {
            Expr::Int(n) => Some(Number::Bits(n, true)),
            _ => None,
        },
        Expr::Name(name) => match name.as_str() {
            "min" => Some(Number::Min),
            "max" => Some(Number::Max),
            "width" => Some(Number::Width),
            _ => None,
        },
        _ => None,
    }
}

impl Checker<'_> {
    fn fresh(&mut self) -> Ty {
        self.implied.fresh();
        self.types.fresh()
    }

    /// What the types of the pattern are: known ones, or one variable for all that are the same.
    fn classes_of_pattern(&self) -> Vec<Result<Fixed, Ty>> {
        (0..self.of_pattern).map(|ty| self.types.fixed(ty).ok_or(self.types.find(ty))).collect()
    }

    fn named_type(&mut self, name: &str) -> Result<Ty, String> {
        if let Some(&ty) = self.type_names.get(name) {
            return Ok(ty);
        }
        let ty = self.fresh();
        match fixed(name) {
            Some(fixed) => self.types.fix(ty, fixed)?,
            None => {
                self.type_names.insert(name.to_string(), ty);
            }
        }
        Ok(ty)
    }

    fn op(&self, name: &str) -> Option<&'static Op> {
        let name = self.family.filter(|f| f.0 == name).map_or(name, |f| f.1);
        Op::named(name)
    }

    /// Operations make types equal, wherever they stand.
    fn both(&mut self, in_pattern: bool, a: Ty, b: Ty) -> Result<(), String> {
        if in_pattern {
            self.implied.join(a, b)?;
        }
        self.types.join(a, b)
    }

    fn is(&mut self, in_pattern: bool, ty: Ty, fixed: Fixed) -> Result<(), String> {
        if in_pattern {
            self.implied.fix(ty, fixed)?;
        }
        self.types.fix(ty, fixed)
    }

    /// The types of the operands of an operation whose result is of type `ty`.
    fn operand_types(&mut self, op: &Op, ty: Ty, in_pattern: bool) -> Result<Vec<Ty>, String> {
        let of_integers = match op.shape {
            Shape::Same => true,
            Shape::Convert => matches!(op.name, "zext" | "sext" | "trunc"),
            _ => false,
        };
        if of_integers {
            if in_pattern { &mut self.integers } else { &mut self.computed }.push(ty);
        }
        Ok(match op.shape {
            Shape::Same => vec![ty; op.args],
            Shape::Compare => {
                self.is(in_pattern, ty, Fixed::Int(1))?;
                vec![self.fresh(); 2]
            }
            Shape::Convert => {
                let from = self.fresh();
                match op.name {
                    "ptrtoint" => {
                        self.is(in_pattern, from, Fixed::Ptr)?;
                        self.is(in_pattern, ty, Fixed::Int(64))?;
                    }
                    "inttoptr" => {
                        self.is(in_pattern, ty, Fixed::Ptr)?;
                        self.is(in_pattern, from, Fixed::Int(64))?;
                    }
                    "bitcast" => {}
                    _ if in_pattern => self.integers.push(from),
                    _ => self.computed.push(from),
                }
                vec![from]
            }
            Shape::Select => {
                let cond = self.fresh();
                vec![cond, ty, ty]
            }
            Shape::PtrAdd => {
                self.is(in_pattern, ty, Fixed::Ptr)?;
                let offset = self.fresh();
                self.is(in_pattern, offset, Fixed::Int(64))?;
                vec![ty, offset]
            }
            Shape::Nullary => Vec::new(),
        })
    }

    fn is_integer(&self, ty: Ty) -> bool {
        match self.types.fixed(ty) {
            Some(fixed) => matches!(fixed, Fixed::Int(_)),
            None => self.integers.iter().any(|&other| self.types.find(other) == self.types.find(ty)),
        }
    }

    fn bind(&mut self, name: &str, path: &Path) -> Result<(), String> {
        match self.names.insert(name.to_string(), path.clone()) {
            Some(_) => Err(format!("'{name}' is bound twice")),
            None => Ok(()),
        }
    }

    fn pattern(&mut self, expr: &Expr, path: Path, ty: Ty) -> Result<Node, String> {
        let is_const = matches!(expr, Expr::Name(name) if is_constant(name)) || number(expr).is_some();
        self.nodes.entry(path.clone()).or_insert((ty, is_const)).1 |= is_const;
        let kind = match expr {
            Expr::Typed(inner, name) => {
                let named = self.named_type(name)?;
                self.types.join(ty, named)?;
                return self.pattern(inner, path, ty);
            }
            Expr::Bound(name, inner) => {
                self.bind(name, &path)?;
                return self.pattern(inner, path, ty);
            }
            _ if number(expr).is_some() => Kind::Literal(number(expr).expect("a number")),
            Expr::Name(name) => match self.names.get(name).cloned() {
                Some(first) if !is_constant(name) => {
                    let other = self.nodes[&first].0;
                    self.both(true, ty, other)?;
                    Kind::Again(first)
                }
                Some(_) => return Err(format!("'{name}' is bound twice; ask for equality in a condition")),
                None => {
                    self.bind(name, &path)?;
                    if is_constant(name) { Kind::Const } else { Kind::Any }
                }
            },
            Expr::Call { name, either, flags, brackets, args } => {
                let op = self.op(name).ok_or_else(|| format!("'{name}' is no operation"))?;
                let types = self.operand_types(op, ty, true)?;
                if args.len() != types.len() {
                    return Err(format!("'{name}' has {} operands", types.len()));
                }
                let cc = match &brackets[..] {
                    [] => None,
                    [(None, Expr::Name(cc))] if op.shape == Shape::Compare => {
                        if condition(cc).is_none() {
                            self.conditions.insert(cc.clone(), path.clone());
                        }
                        condition(cc)
                    }
                    _ => return Err(format!("'{name}' has no brackets in a pattern")),
                };
                let flags = flags.iter().map(|f| flag(f)).collect::<Result<_, _>>()?;
                let mut nodes = Vec::new();
                for (index, (arg, ty)) in args.iter().zip(types).enumerate() {
                    let mut path = path.clone();
                    path.push(index as u8);
                    nodes.push(self.pattern(arg, path, ty)?);
                }
                Kind::Op { op, cc, flags, either: *either, args: nodes }
            }
            _ => return Err("no pattern".to_string()),
        };
        Ok(Node { path, ty, kind })
    }

    fn value(&self, expr: &Expr) -> Result<Path, String> {
        match expr {
            Expr::Name(name) => self.names.get(name).cloned().ok_or_else(|| format!("'{name}' is not in the pattern")),
            _ => Err("expected the name of a value".to_string()),
        }
    }

    fn type_of(&self, path: &Path) -> Ty {
        self.nodes[path].0
    }

    // ---- constants

    fn is_const(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Name(name) => is_constant(name) || number(expr).is_some(),
            Expr::Int(_) => true,
            Expr::Call { name, args, .. } => {
                matches!(name.as_str(), "zero" | "log2" | "eval")
                    || self.op(name).is_some() && !args.is_empty() && args.iter().all(|arg| self.is_const(arg))
            }
            Expr::Typed(inner, _) | Expr::Prefix('-' | '~', inner) => self.is_const(inner),
            Expr::Infix(op, ..) => !op.compares() && !matches!(op, Infix::AndAlso | Infix::OrElse),
            _ => false,
        }
    }

    fn constant(&mut self, expr: &Expr, ty: Ty) -> Result<Const, String> {
        if let Some(number) = number(expr) {
            return Ok(Const { ty, kind: ConstKind::Number(number) });
        }
        let kind = match expr {
            Expr::Name(name) if is_constant(name) => {
                let path = self.value(expr)?;
                self.types.join(ty, self.type_of(&path)).map_err(|e| format!("'{name}': {e}"))?;
                ConstKind::At(path)
            }
            Expr::Typed(inner, name) => {
                let named = self.named_type(name)?;
                self.types.join(ty, named)?;
                return self.constant(inner, ty);
            }
            Expr::Prefix('-', inner) => ConstKind::Neg(Box::new(self.constant(inner, ty)?)),
            Expr::Prefix('~', inner) => ConstKind::Not(Box::new(self.constant(inner, ty)?)),
            Expr::Infix(op, a, b) if self.is_const(expr) => {
                ConstKind::Infix(*op, Box::new(self.constant(a, ty)?), Box::new(self.constant(b, ty)?))
            }
            Expr::Call { name, brackets, args, .. } => {
                match (self.op(name).map_or(name.as_str(), |op| op.name), &args[..]) {
                    ("zero", [value]) => {
                        let path = self.value(value)?;
                        self.types.join(ty, self.type_of(&path))?;
                        ConstKind::Zero(path)
                    }
                    ("log2", [inner]) => ConstKind::Log2(Box::new(self.constant(inner, ty)?)),
                    ("zext" | "sext" | "trunc", [inner]) => {
                        let from = self.fresh();
                        let inner = Box::new(self.constant(inner, from)?);
                        match self.op(name).map_or(name.as_str(), |op| op.name) {
                            "zext" => ConstKind::Zext(inner),
                            "sext" => ConstKind::Sext(inner),
                            _ => ConstKind::Trunc(inner),
                        }
                    }
                    ("eval", [a, b]) => {
                        self.types.fix(ty, Fixed::Int(1))?;
                        let [(None, cc)] = &brackets[..] else { return Err("eval[cc](a, b)".to_string()) };
                        let cc = self.cc(cc)?;
                        let of = self.fresh();
                        ConstKind::Eval(cc, Box::new(self.constant(a, of)?), Box::new(self.constant(b, of)?))
                    }
                    (name, [a, b]) => {
                        let op = self.op(name).and_then(|op| const_op(op.name));
                        let op = op.ok_or_else(|| format!("'{name}' computes no constant"))?;
                        ConstKind::Infix(op, Box::new(self.constant(a, ty)?), Box::new(self.constant(b, ty)?))
                    }
                    _ => return Err(format!("'{name}' computes no constant")),
                }
            }
            _ => return Err("no constant".to_string()),
        };
        Ok(Const { ty, kind })
    }

    fn cc(&self, expr: &Expr) -> Result<CcExpr, String> {
        match expr {
            Expr::Name(name) => match (condition(name), self.conditions.get(name)) {
                (Some(cc), _) => Ok(CcExpr::Fixed(cc)),
                (None, Some(path)) => Ok(CcExpr::Of(path.clone())),
                (None, None) => Err(format!("'{name}' is no condition")),
            },
            Expr::Call { name, args, .. } if args.len() == 1 => {
                let inner = Box::new(self.cc(&args[0])?);
                match name.as_str() {
                    "swap" => Ok(CcExpr::Swap(inner)),
                    "inverse" => Ok(CcExpr::Inverse(inner)),
                    "unsigned" => Ok(CcExpr::Unsigned(inner)),
                    "signed" => Ok(CcExpr::Signed(inner)),
                    _ => Err(format!("'{name}' gives no condition")),
                }
            }
            _ => Err("no condition".to_string()),
        }
    }

    // ---- conditions

    fn condition(&mut self, expr: &Expr) -> Result<Cond, String> {
        match expr {
            Expr::Infix(Infix::AndAlso, a, b) => {
                Ok(Cond::And(Box::new(self.condition(a)?), Box::new(self.condition(b)?)))
            }
            Expr::Infix(Infix::OrElse, a, b) => {
                Ok(Cond::Or(Box::new(self.condition(a)?), Box::new(self.condition(b)?)))
            }
            Expr::Prefix('!', inner) => Ok(Cond::Not(Box::new(self.condition(inner)?))),
            Expr::Infix(op, a, b) if op.compares() => self.comparison(*op, a, b),
            Expr::Rust(path, args) => Ok(Cond::Rust(path.clone(), self.arguments(args)?)),
            Expr::Call { name, args, .. } => self.predicate(name, args, expr),
            _ => Err("no condition".to_string()),
        }
    }

    fn comparison(&mut self, op: Infix, a: &Expr, b: &Expr) -> Result<Cond, String> {
        if let (Expr::Name(x), Expr::Name(y)) = (a, b)
            && is_type(x)
            && is_type(y)
        {
            let (x, y) = (self.type_ref(x)?, self.type_ref(y)?);
            return Ok(Cond::Types(op, x, y));
        }
        if let (Expr::Name(cc), Expr::Name(is)) = (a, b)
            && let Some(is) = condition(is)
            && self.conditions.contains_key(cc)
        {
            let is = Cond::CcIs(self.cc(a)?, is);
            return Ok(if op == Infix::Eq { is } else { Cond::Not(Box::new(is)) });
        }
        let ty = self.fresh();
        Ok(Cond::Compare(op, self.constant(a, ty)?, self.constant(b, ty)?))
    }

    fn type_ref(&mut self, name: &str) -> Result<TypeRef, String> {
        match (fixed(name), self.type_names.get(name)) {
            (Some(fixed), _) => Ok(TypeRef::Fixed(fixed)),
            (None, Some(&ty)) => Ok(TypeRef::Of(ty)),
            (None, None) => Err(format!("no part of the pattern is of type '{name}'")),
        }
    }

    fn predicate(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Result<Cond, String> {
        let one = |args: &[Expr]| match args {
            [arg] => Ok(arg.clone()),
            _ => Err(format!("'{name}' takes one operand")),
        };
        if FLAGS.iter().any(|f| f.0 == name) {
            return Ok(Cond::Flag(self.value(&one(args)?)?, flag(name)?));
        }
        if let Some(op) = name.strip_suffix("_overflows") {
            let signed = op.starts_with('s');
            let op = ["add", "sub", "mul"].into_iter().find(|o| op.get(1..) == Some(o));
            let (Some(op), [a, b]) = (op, args) else { return Err(format!("'{name}' is no condition")) };
            let ty = self.fresh();
            return Ok(Cond::Overflows(op, signed, self.constant(a, ty)?, self.constant(b, ty)?));
        }
        match name {
            "eval" => {
                let ty = self.fresh();
                Ok(Cond::Holds(self.constant(expr, ty)?))
            }
            "pow2" => {
                let ty = self.fresh();
                Ok(Cond::Pow2(self.constant(&one(args)?, ty)?))
            }
            "one_use" => Ok(Cond::OneUse(self.value(&one(args)?)?)),
            "const" => Ok(Cond::IsConst(self.value(&one(args)?)?)),
            "nonneg" => Ok(Cond::NonNegative(self.value(&one(args)?)?)),
            "signed" => Ok(Cond::CcSigned(self.cc(&one(args)?)?)),
            "equality" => Ok(Cond::CcEquality(self.cc(&one(args)?)?)),
            "is_int" => match one(args)? {
                Expr::Name(ty) if is_type(&ty) => match self.type_ref(&ty)? {
                    TypeRef::Of(ty) => Ok(Cond::IsInt(ty)),
                    TypeRef::Fixed(_) => Err("that type is known".to_string()),
                },
                _ => Err("'is_int' takes a type".to_string()),
            },
            _ => Err(format!("'{name}' is no condition")),
        }
    }

    fn arguments(&mut self, args: &[Expr]) -> Result<Vec<Argument>, String> {
        args.iter()
            .map(|arg| match arg {
                Expr::Name(name) if self.conditions.contains_key(name) => Ok(Argument::Cc(self.cc(arg)?)),
                _ if self.is_const(arg) => {
                    let ty = self.fresh();
                    Ok(Argument::Const(self.constant(arg, ty)?))
                }
                _ => Ok(Argument::Value(self.value(arg)?)),
            })
            .collect()
    }

    // ---- results

    fn result(&mut self, expr: &Expr, ty: Ty) -> Result<Res, String> {
        if self.is_const(expr) {
            return Ok(Res::Const(self.constant(expr, ty)?));
        }
        match expr {
            Expr::Typed(inner, name) => {
                let named = self.named_type(name)?;
                self.types.join(ty, named)?;
                self.result(inner, ty)
            }
            Expr::Name(_) => {
                let path = self.value(expr)?;
                self.types.join(ty, self.type_of(&path))?;
                Ok(Res::Value(path))
            }
            Expr::Rust(path, args) => Ok(Res::Rust(path.clone(), self.arguments(args)?)),
            Expr::Call { name, brackets, args, .. } => {
                let op = self.op(name).ok_or_else(|| format!("'{name}' is no operation"))?;
                let types = self.operand_types(op, ty, false)?;
                if op.shape == Shape::Select {
                    self.types.fix(types[0], Fixed::Int(1))?;
                }
                if args.len() != types.len() {
                    return Err(format!("'{name}' has {} operands", types.len()));
                }
                let (mut cc, mut keep, mut flags) = (None, false, Vec::new());
                for (label, item) in brackets {
                    match (label, item) {
                        (None, Expr::Name(word)) if word == "keep" => keep = true,
                        (None, Expr::Name(word)) if flag(word).is_ok() => flags.push((flag(word)?, None)),
                        (None, _) if op.shape == Shape::Compare => cc = Some(self.cc(item)?),
                        (Some(label), _) => flags.push((flag(label)?, Some(self.condition(item)?))),
                        _ => return Err("no flag".to_string()),
                    }
                }
                let args = args.iter().zip(types).map(|(arg, ty)| self.result(arg, ty)).collect::<Result<_, _>>()?;
                Ok(Res::Op { op, ty, cc, flags, keep, args })
            }
            _ => Err("no result".to_string()),
        }
    }
}
