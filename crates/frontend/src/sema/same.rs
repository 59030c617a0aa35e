//! Whether two expressions are the same computation.

use smallvec::SmallVec;

use crate::tree::{ElementSize, ExprKind, ExprRef, Stmt, StmtKind, Unit};

/// Deeper expressions are not compared.
const MAX_NODES: usize = 200;

/// Both expressions read the same objects and do the same with them, without effects: where one
/// stands the other could.
pub fn same_value(unit: &Unit, a: ExprRef<'_>, b: ExprRef<'_>) -> bool {
    same(unit, a, b, false)
}

/// Both statements do the same. Those that declare, jump to labels or loop are not compared.
pub fn same_statement(unit: &Unit, a: &Stmt<'_>, b: &Stmt<'_>) -> bool {
    let mut work = vec![(a, b)];
    while let Some((a, b)) = work.pop() {
        match (a.kind, b.kind) {
            (StmtKind::Expr(x), StmtKind::Expr(y)) | (StmtKind::Return(Some(x)), StmtKind::Return(Some(y))) => {
                if !same(unit, x, y, true) {
                    return false;
                }
            }
            (StmtKind::Return(None), StmtKind::Return(None))
            | (StmtKind::Break(0), StmtKind::Break(0))
            | (StmtKind::Continue(0), StmtKind::Continue(0)) => {}
            (StmtKind::Block(x), StmtKind::Block(y)) => {
                if x.stmts.len() != y.stmts.len() || x.stmts.is_empty() {
                    return false;
                }
                work.extend(x.stmts.iter().zip(y.stmts));
            }
            (StmtKind::Block(block), _) if block.stmts.len() == 1 => work.push((&block.stmts[0], b)),
            (_, StmtKind::Block(block)) if block.stmts.len() == 1 => work.push((a, &block.stmts[0])),
            _ => return false,
        }
    }
    true
}

fn same(unit: &Unit, a: ExprRef<'_>, b: ExprRef<'_>, effects: bool) -> bool {
    let mut work: SmallVec<[(ExprRef<'_>, ExprRef<'_>); 8]> = SmallVec::new();
    work.push((a, b));
    let mut left = MAX_NODES;
    while let Some((a, b)) = work.pop() {
        left = left.saturating_sub(1);
        if left == 0 || a.ty.quals().is_volatile() || b.ty.quals().is_volatile() {
            return false;
        }
        let canonical = |e: ExprRef<'_>| unit.types.canonical(e.ty.ty());
        if canonical(a) != canonical(b) {
            return false;
        }
        match (a.kind, b.kind) {
            (ExprKind::Wide(x), ExprKind::Wide(y)) if x == y => {}
            (ExprKind::Int(x), ExprKind::Int(y)) | (ExprKind::Float(x), ExprKind::Float(y)) if x == y => {}
            (ExprKind::Decl(x), ExprKind::Decl(y)) if x == y => {}
            (ExprKind::Cast { kind: k, operand: x }, ExprKind::Cast { kind: l, operand: y }) if k == l => {
                work.push((x, y));
            }
            (ExprKind::Unary { op: o, operand: x }, ExprKind::Unary { op: p, operand: y }) if o == p => {
                work.push((x, y));
            }
            (ExprKind::AddrOf(x), ExprKind::AddrOf(y)) | (ExprKind::Deref(x), ExprKind::Deref(y)) => work.push((x, y)),
            (ExprKind::Binary { op: o, lhs: la, rhs: ra }, ExprKind::Binary { op: p, lhs: lb, rhs: rb }) if o == p => {
                work.extend([(la, lb), (ra, rb)])
            }
            (ExprKind::Logical { and: o, lhs: la, rhs: ra }, ExprKind::Logical { and: p, lhs: lb, rhs: rb })
                if o == p =>
            {
                work.extend([(la, lb), (ra, rb)])
            }
            (
                ExprKind::PtrAdd { ptr: pa, index: ia, size: ElementSize::Constant(sa), negate: na },
                ExprKind::PtrAdd { ptr: pb, index: ib, size: ElementSize::Constant(sb), negate: nb },
            ) if sa == sb && na == nb => work.extend([(pa, pb), (ia, ib)]),
            (ExprKind::Member { base: x, record: r, field: f }, ExprKind::Member { base: y, record: s, field: g })
                if r == s && f == g =>
            {
                work.push((x, y))
            }
            (ExprKind::Assign { lhs: la, rhs: ra }, ExprKind::Assign { lhs: lb, rhs: rb }) if effects => {
                work.extend([(la, lb), (ra, rb)]);
            }
            (ExprKind::Call { callee: x, args: p }, ExprKind::Call { callee: y, args: q })
                if effects && p.len() == q.len() =>
            {
                work.push((x, y));
                work.extend(p.iter().copied().zip(q.iter().copied()));
            }
            (ExprKind::String(x), ExprKind::String(y)) if effects && x.bytes == y.bytes => {}
            (
                ExprKind::Conditional { cond: ca, then: ta, els: ea },
                ExprKind::Conditional { cond: cb, then: tb, els: eb },
            ) => work.extend([(ca, cb), (ta, tb), (ea, eb)]),
            _ => return false,
        }
    }
    true
}
