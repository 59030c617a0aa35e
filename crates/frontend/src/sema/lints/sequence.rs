//! `-Wsequence-point`: a variable that is changed and used, or changed twice, without a sequence
//! point between (C23 6.5.1 paragraph 2). After `verify_tree` of gcc's `c-common.cc`, for
//! variables, members and what pointers lead to, where the same path names them.

use std::rc::Rc;

use base::{Loc, warning};

use crate::sema::Sema;
use crate::sema::expressions::describe;
use crate::tree::walk::{Node, walk};
use crate::tree::{CastKind, DeclId, DeclKind, Expr, ExprKind, ExprRef, Update};

/// Expressions nested deeper are not looked at.
const MAX_DEPTH: usize = 64;

/// A step from a variable to an object: two expressions with the same steps are the same object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Variable(DeclId),
    Deref,
    Member(u32),
    Element(i128),
    ElementBy(DeclId),
}

/// A use of an object; `writer` is where it is changed.
#[derive(Clone)]
struct Use<'e> {
    path: Rc<[Step]>,
    expr: &'e Expr<'e>,
    writer: Option<Loc>,
}

struct Checker<'c, 'u, 'a, 'e> {
    cx: &'c Sema<'u, 'a>,
    /// What is to be reported, with the place.
    found: Vec<(Use<'e>, Loc)>,
    too_deep: bool,
}

/// Checks a full expression.
pub fn check(cx: &mut Sema<'_, '_>, expr: ExprRef<'_>) {
    if !cx.sess.warning_enabled(warning::SEQUENCE_POINT, expr.loc) || !has_inner_writes(expr) {
        return;
    }
    let mut checker = Checker { cx, found: Vec::new(), too_deep: false };
    let (mut before, mut open) = (Vec::new(), Vec::new());
    checker.visit(expr, &mut before, &mut open, None, 0);
    checker.collisions(&open);
    checker.collisions(&before);
    let (found, too_deep) = (checker.found, checker.too_deep);
    if too_deep {
        return;
    }
    for (object, loc) in found {
        let name = match object.expr.kind {
            ExprKind::Decl(id) => cx.dname(id).to_string(),
            _ => format!("'{}'", describe::text(cx, object.expr)),
        };
        cx.warn(warning::SEQUENCE_POINT, loc, format!("operation on {name} may be undefined"));
    }
}

/// Something is changed below the outermost operator.
fn has_inner_writes(expr: ExprRef<'_>) -> bool {
    let is_write = |e: ExprRef<'_>| matches!(e.kind, ExprKind::Assign { .. } | ExprKind::Update(_));
    let mut writes = 0;
    walk([Node::Expr(expr)], |node| match node {
        Node::Expr(e) => {
            writes += usize::from(is_write(e));
            true
        }
        Node::Stmt(_) => false,
    });
    writes > usize::from(is_write(expr))
}

/// Adds uses, one for each object.
fn merge<'e>(to: &mut Vec<Use<'e>>, add: &[Use<'e>]) {
    for new in add {
        match to.iter_mut().find(|old| old.path == new.path) {
            Some(old) => old.writer = old.writer.or(new.writer),
            None => to.push(new.clone()),
        }
    }
}

/// Adds all uses but those of one writer.
fn add_without<'e>(to: &mut Vec<Use<'e>>, add: &[Use<'e>], writer: Loc) {
    to.extend(add.iter().filter(|new| new.writer != Some(writer)).cloned());
}

/// The operand below conversions that keep the value.
fn unconverted<'e>(mut expr: &'e Expr<'e>) -> &'e Expr<'e> {
    while let ExprKind::Cast { kind: CastKind::Integral | CastKind::NoOp, operand } = expr.kind {
        expr = operand;
    }
    expr
}

impl<'e> Checker<'_, '_, '_, 'e> {
    /// Reports uses of an object that `writer` changes.
    fn collide(&mut self, object: &Use<'e>, writer: Loc, list: &[Use<'e>], only_writes: bool) {
        let is_hit =
            |u: &Use<'_>| u.path == object.path && u.writer != Some(writer) && (!only_writes || u.writer.is_some());
        if list.iter().any(is_hit) && !self.found.iter().any(|f| f.0.path == object.path) {
            self.found.push((object.clone(), writer));
        }
    }

    fn collisions(&mut self, list: &[Use<'e>]) {
        for one in list {
            if let Some(writer) = one.writer {
                self.collide(one, writer, list, false);
            }
        }
    }

    /// The object that an lvalue is, if there is a path to it that has no effects.
    fn candidate(&self, expr: &'e Expr<'e>, writer: Option<Loc>) -> Option<Use<'e>> {
        if self.cx.types().is_array(expr.ty.ty()) {
            return None;
        }
        let mut path = Vec::new();
        self.steps(expr, &mut path)?;
        Some(Use { path: path.into(), expr, writer })
    }

    /// Adds the steps to an lvalue, the last one first.
    fn steps(&self, mut expr: &'e Expr<'e>, path: &mut Vec<Step>) -> Option<()> {
        loop {
            if path.len() > MAX_DEPTH {
                return None;
            }
            expr = match expr.kind {
                ExprKind::Decl(id) => {
                    path.push(Step::Variable(self.variable(id)?));
                    return Some(());
                }
                ExprKind::Member { base, field, .. } => {
                    path.push(Step::Member(field));
                    base
                }
                ExprKind::Deref(pointer) => match pointer.kind {
                    ExprKind::PtrAdd { ptr, index, negate: false, .. } => {
                        path.push(self.element(index)?);
                        self.pointer(ptr, path)?
                    }
                    _ => {
                        path.push(Step::Element(0));
                        self.pointer(pointer, path)?
                    }
                },
                _ => return None,
            };
        }
    }

    /// Where a pointer's value comes from: the array, or the variable that is read.
    fn pointer(&self, pointer: &'e Expr<'e>, path: &mut Vec<Step>) -> Option<&'e Expr<'e>> {
        match pointer.kind {
            ExprKind::Cast { kind: CastKind::ArrayToPointer, operand } => Some(operand),
            ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } => {
                path.push(Step::Deref);
                Some(operand)
            }
            _ => None,
        }
    }

    fn element(&self, index: &'e Expr<'e>) -> Option<Step> {
        let index = unconverted(index);
        match (index.int_value(), index.kind) {
            (Some(number), _) => Some(Step::Element(number)),
            (None, ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand }) => {
                Some(Step::ElementBy(self.variable(operand.decl()?)?))
            }
            _ => None,
        }
    }

    fn variable(&self, id: DeclId) -> Option<DeclId> {
        matches!(self.cx.unit.decls[id].kind, DeclKind::Variable | DeclKind::Parameter).then_some(id)
    }

    /// Notes what `expr` uses: in `before` what a sequence point follows, in `open` the rest.
    fn visit(
        &mut self,
        expr: ExprRef<'e>,
        before: &mut Vec<Use<'e>>,
        open: &mut Vec<Use<'e>>,
        writer: Option<Loc>,
        depth: usize,
    ) {
        if depth > MAX_DEPTH {
            self.too_deep = true;
            return;
        }
        let mut work = vec![(expr, writer)];
        while let Some((expr, writer)) = work.pop() {
            if let Some(used) = self.candidate(expr, writer) {
                open.push(used);
            }
            match expr.kind {
                ExprKind::Comma { lhs, rhs } | ExprKind::Logical { lhs, rhs, .. } => {
                    self.in_order(lhs, &[rhs], before, open, depth);
                }
                ExprKind::Conditional { cond, then, els } => self.in_order(cond, &[then, els], before, open, depth),
                ExprKind::ConditionalOmitted { common, els, .. } => self.in_order(common, &[els], before, open, depth),
                ExprKind::Update(&Update { lhs, rhs: None, .. }) => {
                    let mut own = Vec::new();
                    self.visit(lhs, &mut Vec::new(), &mut own, Some(expr.loc), depth + 1);
                    open.extend(own);
                }
                ExprKind::Update(&Update { lhs, rhs: Some((_, rhs)), .. }) | ExprKind::Assign { lhs, rhs } => {
                    self.assignment(lhs, rhs, expr.loc, before, open, depth);
                }
                ExprKind::Call { callee, args } => {
                    let mut all = Vec::new();
                    for &arg in args {
                        let (mut inner_before, mut inner) = (Vec::new(), Vec::new());
                        self.visit(arg, &mut inner_before, &mut inner, None, depth + 1);
                        merge(&mut inner, &inner_before);
                        all.extend(inner);
                    }
                    let mut function = Vec::new();
                    self.visit(callee, &mut all, &mut function, None, depth + 1);
                    all.extend(function);
                    self.collisions(&all);
                    before.extend(all);
                }
                ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } | ExprKind::Deref(operand) => {
                    work.push((operand, None));
                }
                // The address of an object is no use of it, and neither is a member.
                ExprKind::AddrOf(object) | ExprKind::Member { base: object, .. } => {
                    let mut object = object;
                    while let ExprKind::Member { base, .. } = object.kind {
                        object = base;
                    }
                    match object.kind {
                        ExprKind::Decl(_) => {}
                        ExprKind::Deref(pointer) => work.push((pointer, None)),
                        _ => work.push((object, None)),
                    }
                }
                ExprKind::PtrDiff { lhs, rhs, .. } => work.extend([(rhs, None), (lhs, None)]),
                ExprKind::Binary { lhs, rhs, .. } => work.extend([(rhs, None), (lhs, None)]),
                ExprKind::PtrAdd { ptr, index, .. } => work.extend([(index, None), (ptr, None)]),
                _ => {}
            }
        }
    }

    /// `first`, a sequence point, then one of the others.
    fn in_order(
        &mut self,
        first: ExprRef<'e>,
        then: &[ExprRef<'e>],
        before: &mut Vec<Use<'e>>,
        open: &mut Vec<Use<'e>>,
        depth: usize,
    ) {
        let (mut first_before, mut first_open) = (Vec::new(), Vec::new());
        self.visit(first, &mut first_before, &mut first_open, None, depth + 1);
        self.collisions(&first_open);
        merge(before, &first_before);
        merge(before, &first_open);
        let mut last = Vec::new();
        for &expr in then {
            let (mut inner_before, mut inner_open) = (Vec::new(), Vec::new());
            self.visit(expr, &mut inner_before, &mut inner_open, None, depth + 1);
            self.collisions(&inner_before);
            merge(before, &inner_before);
            self.collisions(&inner_open);
            merge(&mut last, &inner_open);
        }
        open.extend(last);
    }

    fn assignment(
        &mut self,
        lhs: ExprRef<'e>,
        rhs: ExprRef<'e>,
        loc: Loc,
        before: &mut Vec<Use<'e>>,
        open: &mut Vec<Use<'e>>,
        depth: usize,
    ) {
        let (mut right_before, mut right, mut left) = (Vec::new(), Vec::new(), Vec::new());
        self.visit(rhs, &mut right_before, &mut right, None, depth + 1);
        self.visit(lhs, &mut Vec::new(), &mut left, Some(loc), depth + 1);
        // What stands on the left is not ordered with sequence points on the right: `*a = (a++,
        // 2)`.
        for list in [&right_before, &right] {
            let mut across = list.clone();
            add_without(&mut across, &left, loc);
            self.collisions(&across);
        }
        merge(before, &right_before);
        add_without(open, &left, loc);
        // Without the left side itself: `a = a` is fine.
        let target = self.candidate(lhs, Some(loc));
        if let Some(target) = &target {
            self.collide(target, loc, &right, true);
        }
        merge(open, &right);
        if let Some(target) = target {
            merge(open, &[target]);
        }
    }
}
