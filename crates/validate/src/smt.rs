//! Terms as SMT-LIB.

use std::fmt::Write as _;

use ir::{Linkage, Module, SymbolDef, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::provenance::{Objects, constant_bytes};
use crate::slots::Slots;
use crate::term::{Arena, BOOL, MEMORY, Op, Term, UfKind, Var, mask};

/// The number of bits that are set.
fn ones(arg: &str, width: u32) -> String {
    let bit = |n: u32| format!("((_ zero_extend {}) ((_ extract {n} {n}) {arg}))", width - 1);
    (1..width).fold(bit(0), |sum, n| format!("(bvadd {sum} {})", bit(n)))
}

/// The number of zero bits before the first one.
fn leading_zeros(arg: &str, width: u32) -> String {
    (0..width).fold(number(width.into(), width), |rest, n| {
        let count = number((width - 1 - n).into(), width);
        format!("(ite (= ((_ extract {n} {n}) {arg}) #b1) {count} {rest})")
    })
}

/// A question for a solver, as it is written.
pub struct Script<'a> {
    arena: &'a Arena,
    /// What is written instead of terms.
    instead: &'a FxHashMap<Term, Term>,
    declarations: String,
    text: String,
    done: FxHashSet<Term>,
    functions: FxHashMap<(u32, Vec<u32>, u32), usize>,
    vars: Vec<(Var, String)>,
    /// A block operation was met.
    pub is_incomplete: bool,
}

fn sort(width: u32) -> String {
    match width {
        BOOL => "Bool".to_string(),
        MEMORY => "(Array (_ BitVec 64) (_ BitVec 8))".to_string(),
        _ => format!("(_ BitVec {width})"),
    }
}

fn number(value: u128, width: u32) -> String {
    if width == BOOL { (value != 0).to_string() } else { format!("(_ bv{value} {width})") }
}

impl<'a> Script<'a> {
    /// An empty one.
    pub fn new(arena: &'a Arena, instead: &'a FxHashMap<Term, Term>) -> Script<'a> {
        Script {
            arena,
            instead,
            declarations: String::new(),
            text: String::new(),
            done: FxHashSet::default(),
            functions: FxHashMap::default(),
            vars: Vec::new(),
            is_incomplete: false,
        }
    }

    fn resolve(&self, term: Term) -> Term {
        self.instead.get(&term).copied().unwrap_or(term)
    }

    fn atom(&self, term: Term) -> String {
        let term = self.resolve(term);
        match self.arena.node(term).op {
            Op::Const(value) => number(value, self.arena.width(term)),
            _ => format!("t{}", term.0),
        }
    }

    /// Asserts a truth value.
    pub fn assert(&mut self, term: Term) {
        let name = self.define(term);
        let _ = writeln!(self.text, "(assert {name})");
    }

    /// Asserts that one holds or the other.
    pub fn assert_either(&mut self, a: Term, b: Term) {
        let (a, b) = (self.define(a), self.define(b));
        let _ = writeln!(self.text, "(assert (or {a} {b}))");
    }

    fn define(&mut self, root: Term) -> String {
        let mut stack = vec![(self.resolve(root), false)];
        while let Some((term, is_ready)) = stack.pop() {
            if self.done.contains(&term) || matches!(self.arena.node(term).op, Op::Const(_)) {
                continue;
            }
            if is_ready {
                self.done.insert(term);
                let body = self.body(term);
                let width = self.arena.width(term);
                let _ = writeln!(self.text, "(define-fun t{} () {} {body})", term.0, sort(width));
                continue;
            }
            stack.push((term, true));
            let inner = match self.arena.node(term).op {
                Op::Identity(_) => &[],
                Op::AfterCall(_) | Op::AfterLoop(_) => &self.arena.node(term).args[1..],
                _ => &self.arena.node(term).args[..],
            };
            stack.extend(inner.iter().map(|&arg| (self.resolve(arg), false)));
        }
        self.atom(root)
    }

    fn body(&mut self, term: Term) -> String {
        let node = self.arena.node(term).clone();
        let width = node.width;
        let args: Vec<String> = node.args.iter().map(|&arg| self.atom(arg)).collect();
        let from = node.args.first().map_or(width, |&arg| self.arena.width(arg));
        let apply = |name: &str| format!("({name} {})", args.join(" "));
        match &node.op {
            Op::Const(value) => number(*value, width),
            Op::Var(var) => {
                let name = format!("v{}", term.0);
                let _ = writeln!(self.declarations, "(declare-const {name} {})", sort(width));
                self.vars.push((*var, name.clone()));
                name
            }
            Op::Sum(coefficients, constant) => {
                let mut parts: Vec<String> = args
                    .iter()
                    .zip(coefficients.iter())
                    .map(|(arg, &coefficient)| match coefficient {
                        1 => arg.clone(),
                        c if c == mask(width) => format!("(bvneg {arg})"),
                        c => format!("(bvmul {arg} {})", number(c, width)),
                    })
                    .collect();
                if *constant != 0 || parts.is_empty() {
                    parts.push(number(*constant, width));
                }
                let first = parts.remove(0);
                parts.iter().fold(first, |sum, part| format!("(bvadd {sum} {part})"))
            }
            Op::Mul => apply("bvmul"),
            Op::High(signed) => {
                let extension = if *signed { "sign_extend" } else { "zero_extend" };
                let wide = |arg: &str| format!("((_ {extension} {width}) {arg})");
                let product = format!("(bvmul {} {})", wide(&args[0]), wide(&args[1]));
                format!("((_ extract {} {width}) {product})", 2 * width - 1)
            }
            Op::UDiv => apply("bvudiv"),
            Op::URem => apply("bvurem"),
            Op::SDiv => apply("bvsdiv"),
            Op::SRem => apply("bvsrem"),
            Op::And => apply("bvand"),
            Op::Or => apply("bvor"),
            Op::Xor => apply("bvxor"),
            Op::Shl => apply("bvshl"),
            Op::LShr => apply("bvlshr"),
            Op::AShr => apply("bvashr"),
            Op::Rotl => {
                let (a, b, all) = (&args[0], &args[1], number(width.into(), width));
                format!("(bvor (bvshl {a} {b}) (bvlshr {a} (bvsub {all} {b})))")
            }
            Op::Concat => apply("concat"),
            Op::Extract(low) => format!("((_ extract {} {low}) {})", low + width - 1, args[0]),
            Op::ZExt => format!("((_ zero_extend {}) {})", width - from, args[0]),
            Op::SExt => format!("((_ sign_extend {}) {})", width - from, args[0]),
            Op::Popcount => ones(&args[0], width),
            Op::Ctlz => leading_zeros(&args[0], width),
            Op::Ite => apply("ite"),
            Op::Eq => apply("="),
            Op::Ult => apply("bvult"),
            Op::Slt => apply("bvslt"),
            Op::All => apply("and"),
            Op::Not => apply("not"),
            Op::PtrAdd => apply("bvadd"),
            Op::Uf(uf) => {
                let widths: Vec<u32> = node.args.iter().map(|&arg| self.arena.width(arg)).collect();
                let name = self.function(uf.name, widths, width);
                if args.is_empty() { name } else { apply(&name) }
            }
            Op::Load => {
                let byte = |n: u32| format!("(select {} (bvadd {} {}))", args[0], args[1], number(n.into(), 64));
                (1..width / 8).fold(byte(0), |low, n| format!("(concat {} {low})", byte(n)))
            }
            Op::Store(_) => {
                let value = &args[2];
                (0..self.arena.width(node.args[2]) / 8).fold(args[0].clone(), |memory, n| {
                    let byte = format!("((_ extract {} {}) {value})", n * 8 + 7, n * 8);
                    format!("(store {memory} (bvadd {} {}) {byte})", args[1], number(n.into(), 64))
                })
            }
            Op::AfterCall(_) => {
                let name = self.function(u32::MAX, vec![64], MEMORY);
                format!("({name} {})", args[1])
            }
            Op::AfterLoop(_) => args[1].clone(),
            Op::Identity(_) => {
                let name = format!("id{}", term.0);
                let _ = writeln!(self.declarations, "(declare-const {name} {})", sort(64));
                name
            }
            Op::Fill | Op::Copy => {
                self.is_incomplete = true;
                args[0].clone()
            }
        }
    }

    fn function(&mut self, name: u32, widths: Vec<u32>, width: u32) -> String {
        let next = self.functions.len();
        let key = (name, widths, width);
        if let Some(known) = self.functions.get(&key) {
            return format!("f{known}");
        }
        let sorts: Vec<String> = key.1.iter().map(|&width| sort(width)).collect();
        let _ = writeln!(self.declarations, "(declare-fun f{next} ({}) {})", sorts.join(" "), sort(width));
        self.functions.insert(key, next);
        format!("f{next}")
    }

    /// What holds of the addresses of objects.
    fn axioms(&mut self, module: &Module, objects: &Objects, slots: &Slots) -> String {
        let mut out = String::new();
        let mut ranges: Vec<(String, u128, bool)> = Vec::new();
        let mut labels = Vec::new();
        for (var, name) in &self.vars {
            let (size, align, is_slot) = match *var {
                Var::Slot(key) => {
                    let slot = slots.list[key as usize];
                    (u128::from(slot.size.max(1)), slot.align_log2, true)
                }
                Var::Symbol(id) => match symbol(module, id) {
                    Some((size, align)) if objects.own.contains(&id) => (size, align, false),
                    Some(_) => {
                        let _ = writeln!(out, "(assert (bvuge {name} {}))", number(4096, 64));
                        continue;
                    }
                    None => continue,
                },
                Var::Label(_) => {
                    labels.push(name.clone());
                    continue;
                }
                _ => continue,
            };
            let _ = writeln!(out, "(assert (bvuge {name} {}))", number(4096, 64));
            let _ = writeln!(out, "(assert (bvult {name} {}))", number(1 << 47, 64));
            if align > 0 {
                let _ = writeln!(out, "(assert (= ((_ extract {} 0) {name}) {}))", align - 1, number(0, align));
            }
            for (other, bytes, _) in &ranges {
                let _ = writeln!(
                    out,
                    "(assert (or (bvuge {name} (bvadd {other} {})) (bvuge {other} (bvadd {name} {}))))",
                    number(*bytes, 64),
                    number(size, 64)
                );
            }
            ranges.push((name.clone(), size, is_slot));
        }
        for (var, name) in &self.vars {
            if let Var::Param(_, _, true) = var {
                for (slot, size, _) in ranges.iter().filter(|range| range.2) {
                    let size = number(*size, 64);
                    let _ = writeln!(out, "(assert (bvuge (bvsub {name} {slot}) {size}))");
                }
            }
        }
        for (var, name) in &self.vars {
            if let Var::Constant(id) = *var
                && let Some((_, start)) = self.vars.iter().find(|(var, _)| *var == Var::Symbol(id))
            {
                contents(&mut out, module, SymbolId::from_u32(id), name, start);
            }
        }
        if labels.len() > 1 {
            let _ = writeln!(out, "(assert (distinct {}))", labels.join(" "));
        }
        out
    }

    /// The whole script; it asks for the values of parameters as well if `values`.
    pub fn finish(
        mut self,
        module: &Module,
        objects: &Objects,
        slots: &Slots,
        limit: u32,
    ) -> (String, Vec<(Var, String)>) {
        let axioms = self.axioms(module, objects, slots);
        let text = format!("(set-option :timeout {limit})\n{}{axioms}{}(check-sat)\n", self.declarations, self.text);
        let is_param = |var: &Var| matches!(var, Var::Param(..));
        (text, self.vars.into_iter().filter(|(var, _)| is_param(var)).collect())
    }
}

/// The largest constant data whose bytes the solver is told.
pub const MAX_CONSTANT: u64 = 256;

/// What constant data holds.
fn contents(out: &mut String, module: &Module, symbol: SymbolId, name: &str, start: &str) {
    let SymbolDef::Data(id) = module.symbols[symbol].def else { return };
    for offset in 0..module.data[id].size.min(MAX_CONSTANT) {
        if let Some(byte) = constant_bytes(module, symbol, offset, 1) {
            let (offset, byte) = (number(offset.into(), 64), number(byte, 8));
            let _ = writeln!(out, "(assert (= (select {name} (bvadd {start} {offset})) {byte}))");
        }
    }
}

/// Size and alignment of a symbol's object; none of what may have no address.
fn symbol(module: &Module, id: u32) -> Option<(u128, u32)> {
    let data = &module.symbols[SymbolId::from_u32(id)];
    if data.linkage == Linkage::Weak {
        return None;
    }
    Some(match data.def {
        SymbolDef::Data(id) => {
            let object = &module.data[id];
            (u128::from(object.size.max(1)), object.align.max(1).ilog2())
        }
        SymbolDef::Common { size, align } => (u128::from(size.max(1)), align.max(1).ilog2()),
        _ => (1, 0),
    })
}

/// Terms below others, each once, in the order of their numbers.
pub fn below(arena: &Arena, roots: &[Term]) -> Vec<Term> {
    let mut done: FxHashSet<Term> = FxHashSet::default();
    let mut work = roots.to_vec();
    while let Some(term) = work.pop() {
        if done.insert(term) {
            work.extend(&arena.node(term).args);
        }
    }
    let mut all: Vec<Term> = done.into_iter().collect();
    all.sort_unstable();
    all
}

/// Whether any term below is an operation that is not interpreted.
pub fn has_operations(arena: &Arena, roots: &[Term]) -> bool {
    below(arena, roots).iter().any(|&term| matches!(&arena.node(term).op, Op::Uf(uf) if uf.kind == UfKind::Operation))
}
