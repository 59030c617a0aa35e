//! A walk over everything in a function body, by an explicit worklist.

use super::*;

/// A statement or an expression.
#[derive(Clone, Copy)]
pub enum Node<'a> {
    /// Statement.
    Stmt(&'a Stmt<'a>),
    /// Expression.
    Expr(ExprRef<'a>),
}

/// Calls `visit` for every node below `roots`; `false` keeps the walk out of the node. Nested
/// functions are visited as statements but not entered.
pub fn walk<'a>(roots: impl IntoIterator<Item = Node<'a>>, mut visit: impl FnMut(Node<'a>) -> bool) {
    let mut work: Vec<Node<'a>> = roots.into_iter().collect();
    while let Some(node) = work.pop() {
        if visit(node) {
            match node {
                Node::Stmt(stmt) => push_stmt(stmt, &mut work),
                Node::Expr(e) => push_expr(e, &mut work),
            }
        }
    }
}

fn push_stmt<'a>(stmt: &'a Stmt<'a>, work: &mut Vec<Node<'a>>) {
    match stmt.kind {
        StmtKind::Expr(e) | StmtKind::GotoComputed(e) | StmtKind::Return(Some(e)) => work.push(Node::Expr(e)),
        StmtKind::Block(block) => work.extend(block.stmts.iter().map(Node::Stmt)),
        StmtKind::If { arms, els } => {
            for arm in arms {
                work.push(Node::Expr(arm.cond));
                work.push(Node::Stmt(arm.then));
            }
            work.extend(els.map(Node::Stmt));
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            work.push(Node::Expr(cond));
            work.push(Node::Stmt(body));
        }
        StmtKind::For(parts) => {
            work.extend(parts.init.iter().map(Node::Stmt));
            work.extend(parts.cond.into_iter().chain(parts.step).map(Node::Expr));
            work.push(Node::Stmt(parts.body));
        }
        StmtKind::Switch(parts) => {
            work.push(Node::Expr(parts.cond));
            work.push(Node::Stmt(parts.body));
        }
        StmtKind::Decl(decl) => {
            work.extend(decl.bounds.iter().map(|b| Node::Expr(b.len)));
            if let Some(init) = decl.init {
                push_init(init, work);
            }
        }
        StmtKind::Bounds(bounds) => work.extend(bounds.iter().map(|b| Node::Expr(b.len))),
        StmtKind::Asm(asm) => work.extend(asm.outputs.iter().chain(asm.inputs).map(|o| Node::Expr(o.expr))),
        _ => {}
    }
}

fn push_init<'a>(init: &'a Initializer<'a>, work: &mut Vec<Node<'a>>) {
    match init {
        Initializer::Value(e) => work.push(Node::Expr(e)),
        Initializer::Aggregate(aggregate) => work.extend(aggregate.items.iter().map(|i| Node::Expr(i.value))),
        Initializer::Constant(_) => {}
    }
}

fn push_expr<'a>(e: ExprRef<'a>, work: &mut Vec<Node<'a>>) {
    let mut expr = |e: ExprRef<'a>| work.push(Node::Expr(e));
    match e.kind {
        ExprKind::Cast { operand, .. } | ExprKind::Unary { operand, .. } => expr(operand),
        ExprKind::AddrOf(operand) | ExprKind::Deref(operand) => expr(operand),
        ExprKind::Binary { lhs, rhs, .. }
        | ExprKind::Logical { lhs, rhs, .. }
        | ExprKind::Assign { lhs, rhs }
        | ExprKind::Comma { lhs, rhs } => {
            expr(lhs);
            expr(rhs);
        }
        ExprKind::PtrAdd { ptr: a, index: b, size, .. } | ExprKind::PtrDiff { lhs: a, rhs: b, size } => {
            expr(a);
            expr(b);
            if let ElementSize::Variable(size) = size {
                expr(size);
            }
        }
        ExprKind::Conditional { cond, then, els } => {
            [cond, then, els].into_iter().for_each(expr);
        }
        ExprKind::ConditionalOmitted { common, cond, then, els, .. } => {
            [common, cond, then, els].into_iter().for_each(expr);
        }
        ExprKind::Update(update) => {
            expr(update.lhs);
            expr(update.value);
            if let Some((_, rhs)) = update.rhs {
                expr(rhs);
            }
        }
        ExprKind::Call { callee, args } => {
            expr(callee);
            args.iter().copied().for_each(expr);
        }
        ExprKind::Builtin { args, .. } | ExprKind::VectorBuild(args) => args.iter().copied().for_each(expr),
        ExprKind::Atomic(atomic) => {
            [atomic.ptr, atomic.value, atomic.expected].into_iter().flatten().for_each(expr);
        }
        ExprKind::Overflow(overflow) => {
            [Some(overflow.lhs), Some(overflow.rhs), overflow.result].into_iter().flatten().for_each(expr);
        }
        ExprKind::VaArg { ap } => expr(ap),
        ExprKind::Member { base, .. } => expr(base),
        ExprKind::VectorElement { base, index } => {
            expr(base);
            expr(index);
        }
        ExprKind::Shuffle { a, b, .. } | ExprKind::ComplexBuild { re: a, im: b } => {
            expr(a);
            expr(b);
        }
        ExprKind::CompoundLiteral { init, .. } => push_init(init, work),
        ExprKind::StmtExpr { body, result } => {
            work.extend(body.iter().map(Node::Stmt));
            work.extend(result.map(Node::Expr));
        }
        ExprKind::WithBounds { bounds, value } => {
            bounds.iter().for_each(|b| expr(b.len));
            expr(value);
        }
        ExprKind::Error
        | ExprKind::Int(_)
        | ExprKind::Wide(_)
        | ExprKind::Float(_)
        | ExprKind::Complex(_)
        | ExprKind::String(_)
        | ExprKind::Decl(_)
        | ExprKind::Opaque(_)
        | ExprKind::LabelAddr(_)
        | ExprKind::VlaLen(_) => {}
    }
}

/// Whether evaluating an expression does more than compute a value.
pub fn has_side_effects(e: ExprRef<'_>) -> bool {
    has_side_effects_besides(e, &|_| false)
}

/// The same where some functions are known to do nothing but compute a value.
pub fn has_side_effects_besides(e: ExprRef<'_>, only_computes: &dyn Fn(DeclId) -> bool) -> bool {
    let mut found = false;
    walk([Node::Expr(e)], |node| {
        found |= match node {
            Node::Stmt(_) => true,
            Node::Expr(e) => match e.kind {
                ExprKind::Assign { .. }
                | ExprKind::Update(_)
                | ExprKind::Atomic(_)
                | ExprKind::Overflow(_)
                | ExprKind::VaArg { .. }
                | ExprKind::StmtExpr { .. }
                | ExprKind::CompoundLiteral { .. }
                | ExprKind::WithBounds { .. } => true,
                ExprKind::Call { callee, .. } => !callee.callee_decl().is_some_and(only_computes),
                ExprKind::Builtin { builtin, .. } => !builtin.only_computes(),
                ExprKind::Cast { kind: CastKind::LvalueToRvalue, operand } => operand.ty.quals().is_volatile(),
                _ => false,
            },
        };
        !found
    });
    found
}
