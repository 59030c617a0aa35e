//! Designators: `.name`, `[index]`, `[low ... high]`.

use base::Loc;

use super::{InitBuilder, LevelKind, leave_implicit, make_level, slot};
use crate::sema::{Sema, suggestions};
use crate::tree::Name;

/// The first designator of a list: back to the level of the enclosing braces.
pub fn start_designation(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, loc: Loc) {
    leave_implicit(cx, b, loc);
}

/// A further designator: goes into the object designated so far.
pub fn continue_designation(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>) {
    let Some(level) = b.stack.last() else { return };
    if let Some(slot) = slot(cx, level) {
        let level = make_level(cx, &b.stack, slot, false);
        b.stack.push(level);
    }
}

/// `.name`
pub fn designate_field(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, name: Name) {
    let Some(level) = b.stack.last_mut() else { return };
    let LevelKind::Record { id, .. } = level.kind else {
        if !matches!(level.kind, LevelKind::Ignore) {
            cx.error(name.loc, "field name not in record or union initializer");
            b.failed = true;
        }
        return;
    };
    let Some(path) = cx.types().find_field(id, name.symbol) else {
        suggestions::no_member(cx, id, &cx.tname(level.written.unqualified()), name, name.loc);
        b.failed = true;
        return;
    };
    for (step, &index) in path.iter().enumerate() {
        if step > 0 {
            continue_designation(cx, b);
        }
        if let Some(level) = b.stack.last_mut() {
            level.watched.designate();
            level.next = index as u64;
        }
    }
}

/// `[low]`, `[low ... high]`
pub fn designate_index(cx: &mut Sema<'_, '_>, b: &mut InitBuilder<'_>, low: i128, high: i128, loc: Loc) {
    let Some(level) = b.stack.last_mut() else { return };
    let len = match level.kind {
        LevelKind::Array { len, .. } => len,
        LevelKind::Vector { lanes, .. } => Some(lanes),
        LevelKind::Ignore => return,
        _ => {
            cx.error(loc, "array index in non-array initializer");
            b.failed = true;
            return;
        }
    };
    let limit = len.map_or(i64::MAX as i128, |n| n as i128);
    if low < 0 || low >= limit || high >= limit {
        cx.error(loc, "array index in initializer exceeds array bounds");
        b.failed = true;
        return;
    }
    if high < low {
        cx.error(loc, "empty index range in initializer");
        b.failed = true;
        return;
    }
    level.watched.designate();
    level.next = low as u64;
    if high > low && level.repeat.is_full() {
        cx.error(loc, "not supported: range designators nested this deep");
        b.failed = true;
        return;
    }
    level.range = (high - low + 1) as u64;
}
