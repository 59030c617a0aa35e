//! A rule with numbers put in as a program of textual IR: for counterexamples, which the
//! interpreter runs both ways.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::smt::{Case, type_of};
use crate::syntax::{CONDITIONS, FLAGS};
use crate::typed::*;

/// The numbers of a counterexample.
#[derive(Default, Debug)]
pub struct Model {
    /// Values and constants of the pattern, by their names in the formula.
    pub inputs: BTreeMap<String, u128>,
    /// Constants of the result, in order.
    pub constants: Vec<u128>,
    /// Flags that are set, by their names in the formula.
    pub flags: Vec<String>,
}

struct Writer<'a> {
    rule: &'a Rule,
    case: &'a Case,
    model: &'a Model,
    body: String,
    next: u32,
    constant: usize,
    done: BTreeMap<Path, String>,
}

/// `@before` is the pattern, `@after` the result, `main` gives 1 if they differ. `None` for types
/// that are not integers.
pub fn program(rule: &Rule, case: &Case, model: &Model) -> Option<String> {
    let mut params: Vec<(&Node, String)> = Vec::new();
    let mut is_plain = true;
    rule.pattern.each(&mut |node| {
        is_plain &= node.op().is_none_or(|op| !matches!(op.name, "uitofp" | "sitofp" | "bitcast"));
        if node.kind == Kind::Any {
            params.push((node, type_name(rule, case, node.ty)));
        }
    });
    if !is_plain {
        return None;
    }
    let result = type_name(rule, case, rule.pattern.ty);
    let types: Vec<&str> = params.iter().map(|p| p.1.as_str()).collect();
    let signature = format!("({}) -> ({result})", types.join(", "));
    let mut out = format!("; rule {}: {}\n; {}\n", rule.name, rule.text, case.describe(rule));
    for name in ["before", "after"] {
        let _ = writeln!(out, "symbol @{name} local function : {signature}");
    }
    out.push_str("symbol @main global function : () -> (i32)\n");
    for is_result in [false, true] {
        let mut writer = Writer { rule, case, model, body: String::new(), next: 0, constant: 0, done: BTreeMap::new() };
        let mut names = Vec::new();
        for (node, _) in &params {
            let name = writer.fresh();
            writer.done.insert(node.path.clone(), name.clone());
            names.push(name);
        }
        let value = if is_result { writer.result(&rule.result, true) } else { writer.pattern(&rule.pattern) };
        let name = if is_result { "after" } else { "before" };
        let _ = writeln!(
            out,
            "\nfunc @{name} {} : {signature} {{\nb0:\n{}  ret {value}\n}}",
            names.join(", "),
            writer.body
        );
    }
    let args: Vec<String> = params
        .iter()
        .map(|(node, ty)| number(ty, model.inputs.get(&variable(&node.path)).copied().unwrap_or(0)))
        .collect();
    let args = args.join(", ");
    let _ = writeln!(
        out,
        "\nfunc @main : () -> (i32) {{\nb0:\n  v0: {result} = call @before({args}) : {signature}\n  v1: {result} = call \
         @after({args}) : {signature}\n  v2: i1 = icmp.ne v0, v1\n  v3: i32 = zext v2\n  ret v3\n}}"
    );
    Some(out)
}

/// What a value of a pattern is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A parameter of the function.
    Param,
    /// A parameter shifted right by so many bits, so that upper ones are known.
    Shifted(u32),
    /// One whose lowest bits are zero.
    Multiple(u32),
    /// A constant.
    Const(u128),
}

/// A function `@f` that computes the pattern, and the types of its parameters, one for each value:
/// for tests of what the rule does. `None` if there is no such number of the value's type.
pub fn function(rule: &Rule, case: &Case, model: &Model, inputs: &[Input]) -> Option<(String, Vec<String>)> {
    let mut writer = Writer { rule, case, model, body: String::new(), next: 0, constant: 0, done: BTreeMap::new() };
    let mut values: Vec<&Node> = Vec::new();
    rule.pattern.each(&mut |node| {
        if node.kind == Kind::Any {
            values.push(node);
        }
    });
    let types: Vec<String> = values.iter().map(|node| type_name(rule, case, node.ty)).collect();
    let params: Vec<String> = values.iter().map(|_| writer.fresh()).collect();
    for ((node, param), input) in values.iter().zip(&params).zip(inputs) {
        let is_ptr = rule.types.fixed(node.ty) == Some(Fixed::Ptr);
        let value = match input {
            Input::Param => param.clone(),
            _ if is_ptr => return None,
            Input::Shifted(by) => {
                let by = writer.number(node.ty, u128::from(*by));
                writer.emit(node.ty, "lshr", &[param.clone(), by])
            }
            Input::Multiple(by) => {
                let by = writer.number(node.ty, u128::from(*by));
                writer.emit(node.ty, "shl", &[param.clone(), by])
            }
            Input::Const(bits) => writer.number(node.ty, *bits),
        };
        writer.done.insert(node.path.clone(), value);
    }
    let value = writer.pattern(&rule.pattern);
    let result = type_name(rule, case, rule.pattern.ty);
    let signature = format!("({}) -> ({result})", types.join(", "));
    let text = format!(
        "symbol @f global function : {signature}\n\nfunc @f {} : {signature} {{\nb0:\n{}  ret {value}\n}}\n",
        params.join(", "),
        writer.body
    );
    Some((text, types))
}

fn variable(path: &[u8]) -> String {
    format!("v{}", path.iter().map(|d| char::from(b'0' + d)).collect::<String>())
}

fn type_name(rule: &Rule, case: &Case, ty: Ty) -> String {
    match rule.types.fixed(ty) {
        Some(fixed) => fixed.name(),
        None => format!("i{}", case.bits(rule, ty)),
    }
}

fn number(ty: &str, bits: u128) -> String {
    match ty.strip_prefix('i').and_then(|width| width.parse::<u32>().ok()) {
        Some(1) => format!("{ty} {}", bits & 1),
        Some(width) => format!("{ty} {}", ((bits << (128 - width)) as i128) >> (128 - width)),
        None if bits == 0 => "null".to_string(),
        None => format!("{ty} {bits}"),
    }
}

impl Writer<'_> {
    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next - 1)
    }

    fn number(&self, ty: Ty, bits: u128) -> String {
        number(&type_name(self.rule, self.case, ty), bits)
    }

    fn emit(&mut self, ty: Ty, operation: &str, args: &[String]) -> String {
        let (name, ty) = (self.fresh(), type_name(self.rule, self.case, ty));
        let _ = writeln!(self.body, "  {name}: {ty} = {operation} {}", args.join(", "));
        name
    }

    fn pattern(&mut self, node: &Node) -> String {
        let bits = self.case.bits(self.rule, node.ty);
        let value = match &node.kind {
            Kind::Any => return self.done[&node.path].clone(),
            Kind::Again(first) => return self.done[first].clone(),
            Kind::Const => self.number(node.ty, self.model.inputs.get(&variable(&node.path)).copied().unwrap_or(0)),
            Kind::Literal(number) => {
                let value = match *number {
                    Number::Bits(value, false) => value,
                    Number::Bits(value, true) => value.wrapping_neg(),
                    Number::Min => 1 << (bits - 1),
                    Number::Max => (1 << (bits - 1)) - 1,
                    Number::Width => bits.into(),
                };
                self.number(node.ty, value)
            }
            Kind::Op { op, flags, args, .. } => {
                let args: Vec<String> = args.iter().map(|arg| self.pattern(arg)).collect();
                let mut name = op.name.to_string();
                if let Some(&cc) = self.case.conditions.get(&node.path) {
                    name = format!("{name}.{}", CONDITIONS[cc].0);
                }
                let place: String = node.path.iter().map(|d| char::from(b'0' + d)).collect();
                for (index, (flag, _)) in FLAGS.iter().enumerate() {
                    if flags.contains(&index) || self.model.flags.contains(&format!("f{place}_{flag}")) {
                        name = format!("{name}.{flag}");
                    }
                }
                self.emit(node.ty, &name, &args)
            }
        };
        self.done.insert(node.path.clone(), value.clone());
        value
    }

    /// The value at a place of the pattern, computed if it has not been.
    fn place(&mut self, path: &Path) -> String {
        if let Some(done) = self.done.get(path) {
            return done.clone();
        }
        let rule = self.rule;
        self.pattern(rule.node(path))
    }

    fn result(&mut self, result: &Res, is_root: bool) -> String {
        let ty = type_of(self.rule, result);
        match result {
            Res::Value(path) => self.place(path),
            Res::Const(_) => {
                self.constant += 1;
                self.number(ty, self.model.constants.get(self.constant - 1).copied().unwrap_or(0))
            }
            Res::Op { op, ty, cc, flags, keep, args } => {
                let args: Vec<String> = args.iter().map(|arg| self.result(arg, false)).collect();
                let mut name = op.name.to_string();
                if let Some(cc) = cc {
                    name = format!("{name}.{}", CONDITIONS[self.case.cc(cc)].0);
                }
                for (index, (flag, _)) in FLAGS.iter().enumerate() {
                    let kept = *keep && is_root && self.model.flags.contains(&format!("f_{flag}"));
                    if kept || flags.iter().any(|f| f.0 == index && f.1.is_none()) {
                        name = format!("{name}.{flag}");
                    }
                }
                self.emit(*ty, &name, &args)
            }
            Res::Rust(..) => String::new(),
        }
    }
}
