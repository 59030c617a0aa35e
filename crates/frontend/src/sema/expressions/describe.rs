//! Expressions as text, for messages that quote them (`called object 'p->x' is not a function`).

use crate::sema::Sema;
use crate::tree::{CastKind, ExprKind, ExprRef, UnaryOp};

/// A short rendering close to the source. Parts that say nothing to a reader are dropped.
pub fn text(cx: &Sema<'_, '_>, expr: ExprRef<'_>) -> String {
    render(cx, expr, 0)
}

/// Nesting beyond this is abbreviated.
const MAX_DEPTH: u32 = 12;

fn render(cx: &Sema<'_, '_>, expr: ExprRef<'_>, depth: u32) -> String {
    if depth > MAX_DEPTH {
        return "...".into();
    }
    let sub = |e: ExprRef<'_>| render(cx, e, depth + 1);
    match expr.kind {
        ExprKind::Decl(id) => cx.unit.decls[id].name.map_or("<anonymous>".into(), |n| cx.str(n).to_string()),
        ExprKind::Int(bits) => bits.signed().to_string(),
        ExprKind::String(_) => "\"...\"".into(),
        ExprKind::Cast { kind, operand } => match kind {
            CastKind::LvalueToRvalue | CastKind::ArrayToPointer | CastKind::FunctionToPointer | CastKind::NoOp => {
                sub(operand)
            }
            _ => sub(operand),
        },
        ExprKind::Unary { op, operand } => {
            let op = match op {
                UnaryOp::Neg => "-",
                UnaryOp::Not => "~",
                UnaryOp::LogicalNot => "!",
                UnaryOp::Real => "__real__ ",
                UnaryOp::Imag => "__imag__ ",
            };
            format!("{op}{}", sub(operand))
        }
        ExprKind::AddrOf(operand) => format!("&{}", sub(operand)),
        ExprKind::Deref(pointer) => match pointer.kind {
            ExprKind::PtrAdd { ptr, index, negate: false, .. } => format!("{}[{}]", sub(ptr), sub(index)),
            _ => format!("*{}", sub(pointer)),
        },
        ExprKind::Member { base, record, field } => {
            let name = cx.types().records[record].field(field).name.map_or("<anonymous>", |n| cx.str(n));
            match base.kind {
                ExprKind::Deref(pointer) if !matches!(pointer.kind, ExprKind::PtrAdd { .. }) => {
                    format!("{}->{name}", sub(pointer))
                }
                _ => format!("{}.{name}", sub(base)),
            }
        }
        ExprKind::Binary { op, lhs, rhs } => format!("{} {} {}", sub(lhs), op.spelling(), sub(rhs)),
        ExprKind::PtrAdd { ptr, index, negate, .. } => {
            format!("{} {} {}", sub(ptr), if negate { '-' } else { '+' }, sub(index))
        }
        ExprKind::Call { callee, args } => {
            let args: Vec<String> = args.iter().map(|a| sub(a)).collect();
            format!("{}({})", sub(callee), args.join(", "))
        }
        ExprKind::Comma { rhs, .. } => sub(rhs),
        ExprKind::Assign { lhs, rhs } => format!("{} = {}", sub(lhs), sub(rhs)),
        _ => "<expression>".into(),
    }
}
