//! Decisions as Rust: one function for each operation that rules begin with.
//!
//! What the code is made of belongs to `combine` (`Combiner`, `Rewrite`), which includes it. Names:
//! `v01` is operand 1 of operand 0 of the instruction, `c01` its bits if it is a constant, `d01`
//! the record of its definition, `k01` what is known of it.

use std::fmt::Write;

use crate::syntax::{CONDITIONS, FLAGS, Infix, OPS, Op, Shape};
use crate::tree::{Step, Test, TypeAt, TypeTable, decide};
use crate::typed::*;

/// The code for all rules.
pub fn generate(rules: &[Rule]) -> Result<String, String> {
    let mut out = String::from("// Made by crates/rules from crates/middle/rules.\n\n");
    let _ = writeln!(
        out,
        "/// What statistics and remarks call the rules.\npub(super) static NAMES: [&str; {}] = [",
        rules.len()
    );
    rules.iter().for_each(|rule| _ = writeln!(out, "    \"rule {}\",", rule.name));
    out.push_str("];\n\n/// Applies the first rule that matches.\npub(super) fn visit(cx: &mut Combiner<'_>, inst: Inst, data: InstData) -> Option<Rewrite> {\n    match data.opcode {\n");
    let roots: Vec<&Op> = OPS.iter().filter(|op| rules.iter().any(|rule| rule.root() == *op)).collect();
    for op in &roots {
        let _ = writeln!(out, "        Opcode::{} => {}_rules(cx, inst, data),", op.rust, op.name);
    }
    out.push_str("        _ => None,\n    }\n}\n");
    for op in roots {
        let of_root: Vec<&Rule> = rules.iter().filter(|rule| rule.root() == op).collect();
        let mut table = TypeTable::default();
        let steps = decide(&of_root, &mut table)?;
        let number = |rule: &Rule| rules.iter().position(|r| r.name == rule.name).expect("a rule");
        let mut writer = Writer { out: &mut out, table: &table, number: &number, indent: 1, temporaries: 0 };
        writer.function(op, &steps);
    }
    Ok(out)
}

struct Writer<'a> {
    out: &'a mut String,
    table: &'a TypeTable,
    number: &'a dyn Fn(&Rule) -> usize,
    indent: usize,
    temporaries: u32,
}

fn digits(path: &[u8]) -> String {
    path.iter().map(|d| char::from(b'0' + d)).collect()
}

/// The value at a place.
fn value(path: &[u8]) -> String {
    if path.is_empty() { "cx.func.first_result(inst)".to_string() } else { format!("v{}", digits(path)) }
}

/// The record of the instruction at a place.
fn record(path: &[u8]) -> String {
    if path.is_empty() { "data".to_string() } else { format!("d{}", digits(path)) }
}

fn flag(index: usize) -> String {
    format!("flags::{}", FLAGS[index].1)
}

fn cc(expr: &CcExpr) -> String {
    match expr {
        CcExpr::Fixed(cc) => format!("IntCc::{}", CONDITIONS[*cc].1),
        CcExpr::Of(path) => format!("{}.int_cc()", record(path)),
        CcExpr::Swap(inner) => format!("{}.swapped()", cc(inner)),
        CcExpr::Inverse(inner) => format!("{}.inverse()", cc(inner)),
        CcExpr::Unsigned(inner) => format!("unsigned({})", cc(inner)),
        CcExpr::Signed(inner) => format!("{}.signed()", cc(inner)),
    }
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 4 * self.indent);
    }

    fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.line(text);
    }

    fn function(&mut self, op: &Op, steps: &[Step<'_>]) {
        self.indent = 0;
        self.line("");
        self.open(&format!(
            "fn {}_rules(cx: &mut Combiner<'_>, inst: Inst, data: InstData) -> Option<Rewrite> {{",
            op.name
        ));
        self.operands(op, &[]);
        self.steps(steps);
        self.line("None");
        self.close("}");
    }

    fn operands(&mut self, op: &Op, path: &[u8]) {
        if op.args == 0 {
            return;
        }
        let names: Vec<String> = (0..op.args).map(|index| format!("v{}{index}", digits(path))).collect();
        self.line(&format!("let [{}] = {}.args();", names.join(", "), record(path)));
    }

    fn steps(&mut self, steps: &[Step<'_>]) {
        steps.iter().for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &Step<'_>) {
        match step {
            Step::Shape { path, bits, ops } => self.shape(path, bits, ops),
            Step::Condition { path, arms } => {
                self.open(&format!("match {}.int_cc() {{", record(path)));
                for (cc, steps) in arms {
                    self.open(&format!("IntCc::{} => {{", CONDITIONS[*cc].1));
                    self.steps(steps);
                    self.close("}");
                }
                self.line("_ => {}");
                self.close("}");
            }
            Step::If(test, steps) => {
                match test {
                    Test::Known(path) => {
                        self.open("{");
                        self.line(&format!("let k{} = cx.known({});", digits(path), value(path)));
                    }
                    test => {
                        // Tests that nothing comes between are one condition.
                        let (mut condition, mut rest) = (self.test(test), steps);
                        while let [Step::If(test, inner)] = &rest[..]
                            && !matches!(test, Test::Known(_))
                        {
                            condition = format!("{condition} && {}", self.test(test));
                            rest = inner;
                        }
                        self.open(&format!("if {condition} {{"));
                        self.steps(rest);
                        return self.close("}");
                    }
                }
                self.steps(steps);
                self.close("}");
            }
            Step::Apply(rule, result) => self.apply(rule, result),
        }
    }

    fn shape(&mut self, path: &[u8], bits: &[Step<'_>], ops: &[(&'static Op, Vec<Step<'_>>)]) {
        let (value, digits) = (value(path), digits(path));
        if !bits.is_empty() {
            self.open(&format!("if let Some(c{digits}) = cx.bits({value}) {{"));
            self.steps(bits);
            if ops.is_empty() {
                return self.close("}");
            }
            self.indent -= 1;
        }
        let begin = if bits.is_empty() { "" } else { "} else " };
        if let [(op, steps)] = ops {
            self.open(&format!("{begin}if let Some(d{digits}) = cx.record({value}, Opcode::{}) {{", op.rust));
            self.operands(op, path);
            self.steps(steps);
            return self.close("}");
        }
        self.open(&format!("{begin}if let Some(d{digits}) = cx.definition({value}) {{"));
        self.open(&format!("match d{digits}.opcode {{"));
        for (op, steps) in ops {
            self.open(&format!("Opcode::{} => {{", op.rust));
            self.operands(op, path);
            self.steps(steps);
            self.close("}");
        }
        self.line("_ => {}");
        self.close("}");
        self.close("}");
    }

    // ---- tests

    fn ty(&self, ty: Ty) -> String {
        match self.table.at(ty) {
            TypeAt::Fixed(fixed) => fixed_type(*fixed),
            TypeAt::Of(path) if path.is_empty() => "data.ty".to_string(),
            TypeAt::Of(path) => format!("cx.ty({})", value(path)),
        }
    }

    fn type_at(path: &[u8]) -> String {
        if path.is_empty() { "data.ty".to_string() } else { format!("cx.ty({})", value(path)) }
    }

    fn test(&self, test: &Test) -> String {
        match test {
            Test::IsBits(path) => format!("cx.bits({}).is_some()", value(path)),
            Test::IsOp(path, op) => format!("cx.record({}, Opcode::{}).is_some()", value(path), op.rust),
            Test::Cc(path, cc) => format!("{}.int_cc() == IntCc::{}", record(path), CONDITIONS[*cc].1),
            Test::Literal(path, ty, number) => format!("c{} == {}", digits(path), self.clean(&literal(*ty, *number))),
            Test::Same(a, b) => format!("{} == {}", value(a), value(b)),
            Test::Flag(path, index) => format!("{}.has({})", record(path), flag(*index)),
            Test::IsType(path, fixed) => format!("{} == {}", Self::type_at(path), fixed_type(*fixed)),
            Test::SameType(a, b) => format!("{} == {}", Self::type_at(a), Self::type_at(b)),
            Test::Known(_) => "true".to_string(),
            Test::Cond(cond) => self.cond(cond),
        }
    }

    fn cond(&self, cond: &Cond) -> String {
        match cond {
            Cond::And(a, b) => format!("({} && {})", self.cond(a), self.cond(b)),
            Cond::Or(a, b) => format!("({} || {})", self.cond(a), self.cond(b)),
            Cond::Not(a) => match self.cond(a) {
                // A call is denied as it is.
                call if call.ends_with(')') && !call.starts_with('(') && !call.contains(' ') => format!("!{call}"),
                other => format!("!({other})"),
            },
            Cond::Compare(op, a, b) => {
                let signed = |c: &Const| format!("sign_extend({}, {})", self.ty(c.ty), self.constant(c).0);
                let (sign, a, b) = match op {
                    Infix::Slt | Infix::Sle | Infix::Sgt | Infix::Sge => (op.text(), signed(a), signed(b)),
                    op => (op.text().trim_start_matches('u'), self.clean(a), self.clean(b)),
                };
                format!("{a} {sign} {b}")
            }
            Cond::Holds(constant) => match &constant.kind {
                ConstKind::Eval(..) => self.eval(constant),
                _ => format!("{} == 1", self.clean(constant)),
            },
            Cond::Overflows(op, signed, a, b) => {
                let sign = if *signed { 'S' } else { 'U' };
                let op = format!("{}{}", op[..1].to_uppercase(), &op[1..]);
                let (ty, a, b) = (self.ty(a.ty), self.clean(a), self.clean(b));
                format!("fold::overflow(Opcode::{sign}{op}Overflow, {ty}, {a}, {b}).is_some_and(|r| r.1)")
            }
            Cond::Pow2(constant) => format!("({}).is_power_of_two()", self.clean(constant)),
            Cond::Types(op, a, b) => {
                let ty = |ty: &TypeRef| match ty {
                    TypeRef::Of(ty) => self.ty(*ty),
                    TypeRef::Fixed(fixed) => fixed_type(*fixed),
                };
                let bits = if matches!(op, Infix::Eq | Infix::Ne) { "" } else { ".bits()" };
                format!("{}{bits} {} {}{bits}", ty(a), op.text(), ty(b))
            }
            Cond::IsInt(ty) => format!("{}.is_int()", self.ty(*ty)),
            Cond::OneUse(path) => format!("cx.one_use({})", value(path)),
            Cond::IsConst(path) => format!("cx.func.is_constant({})", value(path)),
            Cond::NonNegative(path) => format!("k{}.is_non_negative()", digits(path)),
            Cond::Flag(path, index) => format!("{}.has({})", record(path), flag(*index)),
            Cond::CcSigned(expr) => format!("{}.is_signed()", cc(expr)),
            Cond::CcEquality(expr) => format!("matches!({}, IntCc::Eq | IntCc::Ne)", cc(expr)),
            Cond::CcIs(expr, is) => format!("{} == IntCc::{}", cc(expr), CONDITIONS[*is].1),
            Cond::Rust(path, args) => format!("super::{path}(cx{})", self.arguments(args)),
        }
    }

    fn arguments(&self, args: &[Argument]) -> String {
        let mut out = String::new();
        for arg in args {
            let arg = match arg {
                Argument::Value(path) => value(path),
                Argument::Const(constant) => self.clean(constant),
                Argument::Cc(expr) => cc(expr),
            };
            let _ = write!(out, ", {arg}");
        }
        out
    }

    // ---- constants

    /// The bits, cut to the type.
    fn clean(&self, constant: &Const) -> String {
        match self.constant(constant) {
            (text, true) => text,
            (text, false) => format!("({text} & {}.mask())", self.ty(constant.ty)),
        }
    }

    fn eval(&self, constant: &Const) -> String {
        let ConstKind::Eval(expr, a, b) = &constant.kind else { return self.clean(constant) };
        format!("{}.eval({}, {}, {}.bits())", cc(expr), self.clean(a), self.clean(b), self.ty(a.ty))
    }

    /// The bits, and whether they are cut to the type.
    fn constant(&self, constant: &Const) -> (String, bool) {
        let ty = self.ty(constant.ty);
        match &constant.kind {
            ConstKind::At(path) => (format!("c{}", digits(path)), true),
            ConstKind::Zero(path) => (format!("k{}.zero", digits(path)), true),
            ConstKind::Number(Number::Bits(1, true)) => (format!("{ty}.mask()"), true),
            ConstKind::Number(Number::Bits(bits, false)) => (bits.to_string(), *bits <= 1),
            ConstKind::Number(Number::Bits(bits, true)) => (format!("{bits}u128.wrapping_neg()"), false),
            ConstKind::Number(Number::Min) => (format!("(1u128 << ({ty}.bits() - 1))"), true),
            ConstKind::Number(Number::Max) => (format!("({ty}.mask() >> 1)"), true),
            ConstKind::Number(Number::Width) => (format!("u128::from({ty}.bits())"), true),
            ConstKind::Neg(a) => (format!("({}).wrapping_neg()", self.constant(a).0), false),
            ConstKind::Not(a) => (format!("!({})", self.constant(a).0), false),
            ConstKind::Zext(a) => (self.clean(a), true),
            ConstKind::Sext(a) => (format!("(sign_extend({}, {}) as u128)", self.ty(a.ty), self.constant(a).0), false),
            ConstKind::Trunc(a) => (self.constant(a).0, false),
            ConstKind::Log2(a) => (format!("u128::from(({}).trailing_zeros())", self.clean(a)), true),
            ConstKind::Eval(..) => (format!("u128::from({})", self.eval(constant)), true),
            ConstKind::Infix(op, a, b) => {
                let ((x, x_clean), (y, y_clean)) = (self.constant(a), self.constant(b));
                match op {
                    Infix::Add => (format!("({x}).wrapping_add({y})"), false),
                    Infix::Sub => (format!("({x}).wrapping_sub({y})"), false),
                    Infix::Mul => (format!("({x}).wrapping_mul({y})"), false),
                    Infix::And => (format!("({x} & {y})"), x_clean || y_clean),
                    Infix::Or => (format!("({x} | {y})"), x_clean && y_clean),
                    Infix::Xor => (format!("({x} ^ {y})"), x_clean && y_clean),
                    Infix::Shl => {
                        let suffix = if x.ends_with(')') || x.starts_with('c') { "" } else { "u128" };
                        (format!("shl({x}{suffix}, {})", self.clean(b)), false)
                    }
                    Infix::LShr => (format!("lshr({}, {})", self.clean(a), self.clean(b)), true),
                    _ => (format!("((sign_extend({ty}, {x}) >> {}) as u128)", self.clean(b)), false),
                }
            }
        }
    }

    // ---- results

    fn apply(&mut self, rule: &Rule, result: &Res) {
        let number = (self.number)(rule);
        self.line(&format!("// {}", rule.text));
        if let Res::Rust(path, args) = result {
            self.open(&format!("if let found @ Some(_) = super::{path}(cx, inst{}) {{", self.arguments(args)));
            self.line(&format!("cx.fired({number});"));
            self.line("return found;");
            return self.close("}");
        }
        self.open(&format!("if cx.fires({number}) {{"));
        match result {
            Res::Op { op, cc: condition, flags, keep, args, .. } => {
                let args: Vec<String> = args.iter().map(|arg| self.operand(arg)).collect();
                let flags = self.flags(flags, *keep);
                let call = match op.shape {
                    Shape::Compare => {
                        let condition = cc(condition.as_ref().expect("comparisons have a condition"));
                        format!("become_icmp(inst, {condition}, {})", args.join(", "))
                    }
                    Shape::Select => {
                        format!(
                            "become_view(inst, InstView::Select {{ cond: {}, a: {}, b: {} }})",
                            args[0], args[1], args[2]
                        )
                    }
                    _ if op.args == 1 => format!("become_unary(inst, Opcode::{}, {})", op.rust, args[0]),
                    _ => format!("become_binary(inst, Opcode::{}, {flags}, {})", op.rust, args.join(", ")),
                };
                self.line(&format!("return cx.{call};"));
            }
            value => {
                let value = self.operand(value);
                self.line(&format!("return Some(Rewrite::Value({value}));"));
            }
        }
        self.close("}");
    }

    fn flags(&self, flags: &[(usize, Option<Cond>)], keep: bool) -> String {
        let mut parts: Vec<String> = flags
            .iter()
            .map(|(index, cond)| match cond {
                Some(cond) => format!("(if {} {{ {} }} else {{ 0 }})", self.cond(cond), flag(*index)),
                None => flag(*index),
            })
            .collect();
        if keep {
            parts.push("data.flags()".to_string());
        }
        if parts.is_empty() { "0".to_string() } else { parts.join(" | ") }
    }

    /// Makes what a result is computed from; its value.
    fn operand(&mut self, result: &Res) -> String {
        let code = match result {
            Res::Value(path) => return value(path),
            Res::Const(constant) => {
                format!("cx.constant_of({}, {})", self.ty(constant.ty), self.constant(constant).0)
            }
            Res::Op { op, ty, cc: condition, flags, args, .. } => {
                let args: Vec<String> = args.iter().map(|arg| self.operand(arg)).collect();
                let (args, flags) = (args.join(", "), self.flags(flags, false));
                match op.shape {
                    Shape::Compare => {
                        let condition = cc(condition.as_ref().expect("comparisons have a condition"));
                        format!("cx.builder(inst).icmp({condition}, {args})")
                    }
                    Shape::Select => format!("cx.builder(inst).select({args})"),
                    Shape::PtrAdd => format!("cx.builder(inst).ptradd({args}, {flags})"),
                    Shape::Convert => {
                        let ty = self.ty(*ty);
                        self.temporaries += 1;
                        let (name, ty_name) = (format!("r{}", self.temporaries), format!("t{}", self.temporaries));
                        self.line(&format!("let {ty_name} = {ty};"));
                        self.line(&format!(
                            "let {name} = cx.builder(inst).unary(Opcode::{}, {ty_name}, {args});",
                            op.rust
                        ));
                        return name;
                    }
                    _ if flags == "0" => format!("cx.builder(inst).binary(Opcode::{}, {args})", op.rust),
                    _ => format!("cx.builder(inst).binary_flags(Opcode::{}, {flags}, {args})", op.rust),
                }
            }
            Res::Rust(..) => unreachable!("functions stand for whole results"),
        };
        self.temporaries += 1;
        let name = format!("r{}", self.temporaries);
        self.line(&format!("let {name} = {code};"));
        name
    }
}

fn literal(ty: Ty, number: Number) -> Const {
    Const { ty, kind: ConstKind::Number(number) }
}

fn fixed_type(fixed: Fixed) -> String {
    match fixed {
        Fixed::Int(bits) => format!("Type::I{bits}"),
        Fixed::Ptr => "Type::PTR".to_string(),
    }
}
