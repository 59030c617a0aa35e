//! `asm` statements: operands against their constraints (gcc manual, "Extended Asm").

use base::{Loc, Symbol};

use super::expressions::{self, LvalueUse};
use super::{Sema, conversions};
use crate::tree::{AsmLabel, AsmOperand, AsmStmt, CastKind, Category, DeclFlags, ExprKind, ExprRef, TypeKind};

/// An operand as written.
#[derive(Clone, Copy)]
pub struct RawOperand<'a> {
    /// `[name]`
    pub name: Option<Symbol>,
    /// Constraint string.
    pub constraint: &'a [u8],
    /// Expression.
    pub expr: ExprRef<'a>,
    /// Location of the statement.
    pub loc: Loc,
}

/// The parts of an `asm` statement as written.
pub struct RawAsm<'a> {
    /// Template.
    pub template: &'a [u8],
    /// No colon followed the template.
    pub basic: bool,
    /// `volatile`
    pub volatile: bool,
    /// `inline`
    pub inline: bool,
    /// `goto`
    pub goto: bool,
    /// Outputs.
    pub outputs: Vec<RawOperand<'a>>,
    /// Inputs.
    pub inputs: Vec<RawOperand<'a>>,
    /// Clobbers.
    pub clobbers: Vec<&'a [u8]>,
    /// Labels.
    pub labels: Vec<AsmLabel>,
    /// Location of `asm`.
    pub loc: Loc,
}

/// Most operands an `asm` may have, gcc's limit.
const MAX_OPERANDS: usize = 30;

/// Checks the operands.
pub fn statement<'a>(cx: &mut Sema<'_, 'a>, mut raw: RawAsm<'a>) -> Option<&'a AsmStmt<'a>> {
    if raw.outputs.len() + raw.inputs.len() + raw.labels.len() > MAX_OPERANDS {
        cx.error(raw.loc, format!("more than {MAX_OPERANDS} operands in 'asm'"));
        return None;
    }
    let mut ok = check_names(cx, &raw) && resolve_names(cx, &mut raw);
    let mut outputs = Vec::new();
    for operand in &raw.outputs {
        match output(cx, operand) {
            Some(o) => outputs.push(o),
            None => ok = false,
        }
    }
    let mut inputs = Vec::new();
    for (index, operand) in raw.inputs.iter().enumerate() {
        match input(cx, operand, raw.outputs.len(), index) {
            Some(o) => inputs.push(o),
            None => ok = false,
        }
    }
    let mut clobbers = Vec::new();
    for &clobber in &raw.clobbers {
        let name = clobber.strip_prefix(b"%").unwrap_or(clobber);
        if is_known_clobber(name) {
            clobbers.push(name);
        } else {
            let text = String::from_utf8_lossy(name).into_owned();
            cx.error(raw.loc, format!("unknown register name '{text}' in 'asm'"));
            ok = false;
        }
    }
    if !ok {
        return None;
    }
    let volatile = raw.volatile || raw.basic || raw.goto || outputs.is_empty();
    let stmt = AsmStmt {
        template: raw.template,
        basic: raw.basic,
        volatile,
        inline: raw.inline,
        outputs: cx.slice(&outputs),
        inputs: cx.slice(&inputs),
        clobbers: cx.slice(&clobbers),
        labels: cx.slice(&raw.labels),
        loc: raw.loc,
    };
    Some(cx.arena.alloc(stmt))
}

/// `"[name]" (x)` as an input: a matching constraint with the operand's number.
fn resolve_names<'a>(cx: &mut Sema<'_, 'a>, raw: &mut RawAsm<'a>) -> bool {
    let names: Vec<Option<Symbol>> = raw.outputs.iter().chain(&raw.inputs).map(|o| o.name).collect();
    for operand in raw.inputs.iter_mut().filter(|o| o.constraint.contains(&b'[')) {
        let mut text = Vec::new();
        let mut rest = operand.constraint;
        while let Some(open) = rest.iter().position(|&c| c == b'[') {
            text.extend_from_slice(&rest[..open]);
            let Some(length) = rest[open + 1..].iter().position(|&c| c == b']') else {
                cx.error(operand.loc, "missing close brace for named operand");
                return false;
            };
            let name = &rest[open + 1..open + 1 + length];
            let wanted = |n: &Option<Symbol>| n.is_some_and(|n| cx.str(n).as_bytes() == name);
            let Some(number) = names.iter().position(wanted) else {
                let name = String::from_utf8_lossy(name).into_owned();
                cx.error(operand.loc, format!("undefined named operand '{name}'"));
                return false;
            };
            text.extend_from_slice(number.to_string().as_bytes());
            rest = &rest[open + length + 2..];
        }
        text.extend_from_slice(rest);
        operand.constraint = cx.slice(&text);
    }
    true
}

fn check_names(cx: &mut Sema<'_, '_>, raw: &RawAsm<'_>) -> bool {
    let mut seen = Vec::new();
    for name in raw.outputs.iter().chain(&raw.inputs).filter_map(|o| o.name).chain(raw.labels.iter().map(|l| l.name)) {
        if seen.contains(&name) {
            let text = cx.str(name);
            cx.error(raw.loc, format!("duplicate 'asm' operand name '{text}'"));
            return false;
        }
        seen.push(name);
    }
    true
}

/// Names accepted in the clobber list: `memory`, `cc`, `redzone` and registers under any of their
/// names.
fn is_known_clobber(name: &[u8]) -> bool {
    let Ok(name) = std::str::from_utf8(name) else { return false };
    const FIXED: &[&str] = &[
        "memory", "cc", "redzone", "flags", "dirflag", "fpsr", "fpcr", "st", "rip", "argp", "frame", "mxcsr", "ax",
        "bx", "cx", "dx", "si", "di", "bp", "sp", "al", "bl", "cl", "dl", "ah", "bh", "ch", "dh", "sil", "dil", "bpl",
        "spl",
    ];
    if FIXED.contains(&name) {
        return true;
    }
    if let Some(rest) = name.strip_prefix(['r', 'e'])
        && FIXED[12..20].contains(&rest)
    {
        return true;
    }
    let numbered = |prefix: &str, limit: u32| {
        name.strip_prefix(prefix)
            .map(|r| r.trim_end_matches(['d', 'w', 'b']))
            .and_then(|r| r.parse::<u32>().ok())
            .is_some_and(|n| n < limit)
    };
    let x87 = name.strip_prefix("st(").and_then(|r| r.strip_suffix(')')).and_then(|r| r.parse::<u32>().ok());
    numbered("r", 16)
        || numbered("xmm", 32)
        || numbered("ymm", 32)
        || numbered("zmm", 32)
        || numbered("mm", 8)
        || numbered("k", 8)
        || x87.is_some_and(|n| n < 8)
        || name.parse::<u32>().is_ok_and(|n| n < 76)
}

/// The name of a register, as a register variable's `asm("name")` may give it.
pub fn is_register(name: &str) -> bool {
    let name = name.strip_prefix(['%', '#']).unwrap_or(name);
    !matches!(name, "memory" | "cc" | "redzone") && is_known_clobber(name.as_bytes())
}

/// The register that the name in a declaration of a `register` variable means, if it is one of
/// those that are known by name.
pub fn register(name: &str) -> Option<platform::registers::Reg> {
    platform::registers::Reg::from_name(name.trim_start_matches(['%', '#']))
}

/// A name of the stack pointer.
pub fn is_stack_pointer(name: &str) -> bool {
    register(name) == Some(platform::registers::RSP)
}

/// Every alternative of the constraint admits memory and nothing else.
pub fn is_memory_only(constraint: &[u8]) -> bool {
    let mut memory = false;
    for &c in constraint {
        match c {
            b'm' | b'o' | b'V' | b'<' | b'>' | b'p' if c != b'p' => memory = true,
            b'=' | b'+' | b'&' | b'%' | b',' | b'*' | b'#' | b'?' | b'!' | b'^' | b'$' | b' ' => {}
            _ => return false,
        }
    }
    memory
}

fn admits_memory(constraint: &[u8]) -> bool {
    constraint.iter().any(|c| matches!(c, b'm' | b'o' | b'V' | b'g' | b'X' | b'<' | b'>'))
}

fn admits_register(constraint: &[u8]) -> bool {
    let mut rest = constraint;
    while let Some((&c, tail)) = rest.split_first() {
        match c {
            b'r' | b'q' | b'Q' | b'R' | b'l' | b'a' | b'b' | b'c' | b'd' | b'S' | b'D' | b'A' | b'U' | b'f' | b't'
            | b'u' | b'x' | b'v' | b'y' | b'Y' | b'g' | b'X' | b'@' | b'k' => return true,
            b'0'..=b'9' | b'[' => return true,
            _ => {}
        }
        rest = tail;
    }
    false
}

/// The object whose value a conversion that keeps the representation yields: `(int)x`, `(a, x)`.
fn addressed<'a>(cx: &Sema<'_, 'a>, mut expr: ExprRef<'a>) -> ExprRef<'a> {
    while let ExprKind::Cast { operand, kind } = expr.kind {
        let keeps = matches!(
            kind,
            CastKind::NoOp | CastKind::LvalueToRvalue | CastKind::Integral | CastKind::Pointer | CastKind::Bitcast
        ) && cx.types().size_of(operand.ty) == cx.types().size_of(expr.ty);
        if !keeps {
            break;
        }
        expr = operand;
    }
    expr
}

/// A value that gcc hands over as memory all the same: of a variable converted to another type, or
/// of a statement expression.
fn is_kept_in_memory<'a>(cx: &Sema<'_, 'a>, mut expr: ExprRef<'a>) -> bool {
    if !cx.types().is_scalar(expr.ty.ty()) && !cx.types().is_record(expr.ty.ty()) {
        return false;
    }
    while let ExprKind::Cast { operand, .. } = expr.kind {
        expr = operand;
    }
    expr.cat == Category::Lvalue || matches!(expr.kind, ExprKind::StmtExpr { .. })
}

/// A register variable has no address to hand over.
fn is_addressable(cx: &mut Sema<'_, '_>, object: ExprRef<'_>) -> bool {
    if let ExprKind::Decl(id) = conversions::root_object(object).kind
        && cx.unit.decls[id].flags.has(DeclFlags::REGISTER)
    {
        let name = cx.dname(id);
        cx.error(object.loc, format!("address of register variable {name} requested"));
        return false;
    }
    true
}

fn output<'a>(cx: &mut Sema<'_, 'a>, raw: &RawOperand<'a>) -> Option<AsmOperand<'a>> {
    let expr = raw.expr;
    if expr.is_error() {
        return None;
    }
    if !matches!(raw.constraint.first(), Some(b'=' | b'+')) {
        if raw.constraint.iter().any(|&c| matches!(c, b'=' | b'+')) {
            cx.sess.warn_always(raw.loc, "output constraint '=' or '+' is not at the beginning").emit();
        } else {
            cx.error(raw.loc, "output operand constraint lacks '='");
            return None;
        }
    }
    // An array has an address, and the bytes that a register may hold.
    let in_register =
        cx.types().is_array(expr.ty.ty()) && matches!(cx.types().size_of(expr.ty.ty()), Some(1 | 2 | 4 | 8));
    let whole = cx.types().is_array(expr.ty.ty()) || cx.kind(expr.ty) == TypeKind::Void;
    let whole = whole && expr.cat == Category::Lvalue && (in_register || admits_memory(raw.constraint));
    if !whole && !expressions::require_modifiable(cx, expr, LvalueUse::AsmOutput, raw.loc) {
        return None;
    }
    if is_memory_only(raw.constraint) && expr.cat != Category::Lvalue {
        cx.error(raw.loc, "memory output of 'asm' is not directly addressable");
        return None;
    }
    if is_memory_only(raw.constraint) && !is_addressable(cx, expr) {
        return None;
    }
    expressions::mark_set(cx, expr);
    // What an `asm` sets counts as used, as in gcc: often only the other outputs matter.
    conversions::mark_referenced(cx, expr);
    if admits_memory(raw.constraint) && !admits_register(raw.constraint) {
        conversions::mark_address_taken(cx, expr);
    }
    Some(AsmOperand { name: raw.name, constraint: raw.constraint, expr })
}

fn input<'a>(cx: &mut Sema<'_, 'a>, raw: &RawOperand<'a>, outputs: usize, index: usize) -> Option<AsmOperand<'a>> {
    if raw.expr.is_error() {
        return None;
    }
    if let Some(&c) = raw.constraint.iter().find(|c| matches!(c, b'=' | b'+' | b'&')) {
        cx.error(raw.loc, format!("input operand constraint contains '{}'", c as char));
        return None;
    }
    let digits: Vec<u8> = raw.constraint.iter().copied().filter(u8::is_ascii_digit).collect();
    if let Some(number) = std::str::from_utf8(&digits).ok().and_then(|d| d.parse::<usize>().ok())
        && number >= outputs
    {
        cx.error(raw.loc, "matching constraint references invalid operand number");
        return None;
    }
    let expr = if is_memory_only(raw.constraint) {
        let object = addressed(cx, raw.expr);
        if object.cat != Category::Lvalue && !is_kept_in_memory(cx, raw.expr) {
            cx.error(raw.expr.loc, format!("memory input {} is not directly addressable", outputs + index));
            return None;
        }
        match object.cat {
            Category::Lvalue if is_addressable(cx, object) => {
                conversions::mark_address_taken(cx, object);
                object
            }
            Category::Lvalue => return None,
            _ => {
                let message = format!("memory input {} is not directly addressable", outputs + index);
                cx.sess.warn_always(raw.expr.loc, message).emit();
                conversions::rvalue(cx, raw.expr)
            }
        }
    } else {
        conversions::rvalue(cx, raw.expr)
    };
    if expr.is_error() {
        return None;
    }
    if cx.kind(expr.ty) == TypeKind::Void && !(expr.cat == Category::Lvalue && is_memory_only(raw.constraint)) {
        cx.error(raw.loc, "invalid use of void expression");
        return None;
    }
    Some(AsmOperand { name: raw.name, constraint: raw.constraint, expr })
}
