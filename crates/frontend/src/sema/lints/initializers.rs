//! Initialisers: `-Woverride-init`, `-Wmissing-braces`, `-Wmissing-field-initializers`, and what a
//! bit-field cannot hold.

use std::ops::Range;

use base::{Loc, warning};

use crate::sema::Sema;
use crate::tree::{Field, QualType, RecordId};

/// What is remembered of an initialiser while it is read.
pub struct Watched {
    /// Places of the open braces.
    braces: Vec<Loc>,
    /// An object was begun without a brace of its own.
    lacks_braces: bool,
    /// Values so far, and whether all of them are 0.
    values: u64,
    is_zero: bool,
    /// The value being given is a plain zero.
    zero: bool,
    /// Places of a static object that were passed over, before the furthest one that was given.
    gaps: Vec<(u64, u64)>,
}

impl Default for Watched {
    fn default() -> Watched {
        Watched { braces: Vec::new(), lacks_braces: false, values: 0, is_zero: true, zero: false, gaps: Vec::new() }
    }
}

/// What is remembered of an object whose parts are being initialised.
#[derive(Clone, Copy, Default)]
pub struct WatchedLevel {
    /// A designator was used at this level or around it.
    designated: bool,
    /// Values given at this level, and whether the last of them was a plain zero.
    values: u64,
    zero: bool,
}

impl WatchedLevel {
    /// An object inside another one.
    pub fn inside(around: Option<WatchedLevel>) -> WatchedLevel {
        WatchedLevel { designated: around.is_some_and(|level| level.designated), ..WatchedLevel::default() }
    }

    /// A designator names a part.
    pub fn designate(&mut self) {
        self.designated = true;
    }

    /// `-Wmissing-field-initializers`: the first member of a structure, from `next` on, that is
    /// left at zero, unless a designator says that this is meant. `{}` and `{0}` initialise
    /// anything.
    pub fn record_finished(self, cx: &mut Sema<'_, '_>, id: RecordId, next: u64, ty: QualType, loc: Loc) {
        if self.designated || self.values == 0 || (self.values == 1 && self.zero) {
            return;
        }
        let record = &cx.types().records[id];
        let has_size =
            |field: &Field| cx.types().size_of(field.ty) != Some(0) && !cx.types().is_incomplete(field.ty.ty());
        let left = (next as usize..record.fields.len())
            .find(|&index| record.is_initialisable(index) && has_size(&record.fields[index]));
        let Some(field) = left.map(|index| record.fields[index]) else { return };
        if cx.sess.warning_enabled(warning::MISSING_FIELD_INITIALIZERS, loc) {
            let (name, ty) = (field.name.map_or("({anonymous})", |name| cx.str(name)), cx.tname(ty.unqualified()));
            let message = format!("missing initializer for field '{name}' of {ty}");
            let note = format!("'{name}' declared here");
            cx.sess.warn(warning::MISSING_FIELD_INITIALIZERS, loc, message).note(field.loc, note).emit();
        }
    }
}

/// More gaps than designators make: nothing is said about tables with padding in every element.
const MAX_GAPS: usize = 1000;

impl Watched {
    /// `{`
    pub fn brace_opened(&mut self, loc: Loc) {
        self.braces.push(loc);
    }

    /// `}`; `{0}` initialises anything.
    pub fn brace_closed(&mut self, cx: &mut Sema<'_, '_>) {
        let universal = self.values == 1 && self.is_zero;
        if let Some(brace) = self.braces.pop()
            && self.lacks_braces
            && !universal
        {
            self.lacks_braces = false;
            cx.warn(warning::MISSING_BRACES, brace, "missing braces around initializer");
        }
    }

    /// A value is for the first part of an object.
    pub fn begun_without_brace(&mut self) {
        self.lacks_braces = true;
    }

    /// A value stands there.
    #[inline]
    pub fn value(&mut self, zero: bool) {
        self.values += 1;
        self.zero = zero;
        self.is_zero &= zero;
    }

    /// A part of an object has been given.
    #[inline]
    pub fn part_given(&mut self, level: &mut WatchedLevel) {
        level.values += 1;
        level.zero = std::mem::replace(&mut self.zero, false);
    }

    /// An object is complete, which is a part of the one around it.
    pub fn leave(&mut self, level: WatchedLevel) {
        self.zero = level.values == 1 && level.zero;
    }

    /// What follows goes to `start` of a static object, which has been given up to `high_water`.
    #[inline]
    pub fn note_gap(&mut self, cx: &Sema<'_, '_>, start: u64, high_water: u64) {
        if start > high_water && self.gaps.len() <= MAX_GAPS && cx.sess.diag.is_on_somewhere(warning::OVERRIDE_INIT) {
            self.gaps.push((high_water, start));
        }
    }

    /// `-Woverride-init`: a value of a static object is given. What lies before `high_water` has
    /// been given before, unless it is in a gap.
    pub fn given(&mut self, cx: &mut Sema<'_, '_>, place: Range<u64>, high_water: u64, bits: bool, loc: Loc) {
        let (start, end) = (place.start, place.end);
        if start >= high_water {
            return self.note_gap(cx, start, high_water);
        }
        if bits || self.gaps.len() > MAX_GAPS {
            return;
        }
        match self.gaps.iter().position(|gap| gap.0 <= start && end <= gap.1) {
            Some(index) => {
                let gap = self.gaps.swap_remove(index);
                self.gaps.extend([(gap.0, start), (end, gap.1)].into_iter().filter(|rest| rest.0 < rest.1));
            }
            None => check_overwritten(cx, loc),
        }
    }

    /// Braces begin anew what lies below `high_water` in a static object: it is a gap then.
    pub fn begun_anew(&mut self, cx: &mut Sema<'_, '_>, place: Range<u64>, high_water: u64, loc: Loc) {
        let enabled = cx.sess.diag.is_on_somewhere(warning::OVERRIDE_INIT);
        let (start, end) = (place.start, place.end);
        if self.gaps.len() > MAX_GAPS || !enabled || self.gaps.iter().any(|gap| gap.0 <= start && end <= gap.1) {
            return;
        }
        check_overwritten(cx, loc);
        self.gaps.push((start, end.min(high_water)));
    }
}

/// `-Woverride-init`: a value replaces an earlier one.
pub fn check_overwritten(cx: &mut Sema<'_, '_>, loc: Loc) {
    cx.warn(warning::OVERRIDE_INIT, loc, "initialized field overwritten");
}
