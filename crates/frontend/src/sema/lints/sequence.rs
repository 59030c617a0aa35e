//! `-Wsequence-point`: a variable that is changed and used, or changed twice, without a sequence
//! point between (C23 6.5.1 paragraph 2). After `verify_tree` of gcc's `c-common.cc`, for
//! variables.

use base::{Loc, warning};

use crate::sema::Sema;
use crate::tree::walk::{Node, walk};
use crate::tree::{DeclId, DeclKind, ExprKind, ExprRef, Update};

/// Expressions nested deeper are not looked at.
const MAX_DEPTH: usize = 64;

/// A use of a variable; `writer` is where it is changed.
#[derive(Clone, Copy)]
struct Use {
    decl: DeclId,
    writer: Option<Loc>,
}

struct Checker<'c, 'u, 'a> {
    cx: &'c Sema<'u, 'a>,
    /// Variables to be reported, with the place.
    found: Vec<(DeclId, Loc)>,
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
    for (decl, loc) in found {
        let name = cx.dname(decl);
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

/// Adds uses, one for each variable.
fn merge(to: &mut Vec<Use>, add: &[Use]) {
    for new in add {
        match to.iter_mut().find(|old| old.decl == new.decl) {
            Some(old) => old.writer = old.writer.or(new.writer),
            None => to.push(*new),
        }
    }
}

/// Adds all uses but those of one writer.
fn add_without(to: &mut Vec<Use>, add: &[Use], writer: Loc) {
    to.extend(add.iter().filter(|new| new.writer != Some(writer)));
}

impl Checker<'_, '_, '_> {
    /// Reports uses of `decl`, which `writer` changes.
    fn collide(&mut self, decl: DeclId, writer: Loc, list: &[Use], only_writes: bool) {
        let hit =
            list.iter().any(|u| u.decl == decl && u.writer != Some(writer) && (!only_writes || u.writer.is_some()));
        if hit && !self.found.iter().any(|f| f.0 == decl) {
            self.found.push((decl, writer));
        }
    }

    fn collisions(&mut self, list: &[Use]) {
        for one in list {
            if let Some(writer) = one.writer {
                self.collide(one.decl, writer, list, false);
            }
        }
    }

    /// The variable that an lvalue is.
    fn candidate(&self, expr: ExprRef<'_>) -> Option<DeclId> {
        match expr.kind {
            ExprKind::Decl(id) => {
                let variable = matches!(self.cx.unit.decls[id].kind, DeclKind::Variable | DeclKind::Parameter);
                (variable && !self.cx.types().is_array(expr.ty.ty())).then_some(id)
            }
            _ => None,
        }
    }

    /// Notes what `expr` uses: in `before` what a sequence point follows, in `open` the rest.
    fn visit(
        &mut self,
        expr: ExprRef<'_>,
        before: &mut Vec<Use>,
        open: &mut Vec<Use>,
        writer: Option<Loc>,
        depth: usize,
    ) {
        if depth > MAX_DEPTH {
            self.too_deep = true;
            return;
        }
        let mut work = vec![(expr, writer)];
        while let Some((expr, writer)) = work.pop() {
            if let Some(decl) = self.candidate(expr) {
                open.push(Use { decl, writer });
                continue;
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
                ExprKind::Cast { operand, .. }
                | ExprKind::Unary { operand, .. }
                | ExprKind::Deref(operand)
                | ExprKind::AddrOf(operand) => {
                    // The address of a variable is no use of it.
                    if !(matches!(expr.kind, ExprKind::AddrOf(_)) && self.candidate(operand).is_some()) {
                        work.push((operand, None));
                    }
                }
                ExprKind::Member { base, .. } if self.candidate(base).is_none() => work.push((base, None)),
                ExprKind::Binary { lhs, rhs, .. } => work.extend([(rhs, None), (lhs, None)]),
                ExprKind::PtrAdd { ptr, index, .. } => work.extend([(index, None), (ptr, None)]),
                _ => {}
            }
        }
    }

    /// `first`, a sequence point, then one of the others.
    fn in_order(
        &mut self,
        first: ExprRef<'_>,
        then: &[ExprRef<'_>],
        before: &mut Vec<Use>,
        open: &mut Vec<Use>,
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
        lhs: ExprRef<'_>,
        rhs: ExprRef<'_>,
        loc: Loc,
        before: &mut Vec<Use>,
        open: &mut Vec<Use>,
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
        let target = self.candidate(lhs);
        if let Some(decl) = target {
            self.collide(decl, loc, &right, true);
        }
        merge(open, &right);
        if let Some(decl) = target {
            merge(open, &[Use { decl, writer: Some(loc) }]);
        }
    }
}
