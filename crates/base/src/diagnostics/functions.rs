//! Which function a diagnostic is in: text form begins with "In function 'f':" when that is another
//! one than the last diagnostic's, as gcc's does.

use crate::{Loc, Symbol};

/// A body that has been read.
struct Body {
    start: Loc,
    end: Loc,
    name: Symbol,
}

/// Functions of a unit as far as it has been read.
#[derive(Default)]
pub(super) struct Functions {
    /// Bodies that are being read, the innermost last.
    open: Vec<(Symbol, Loc)>,
    /// Bodies that have been read, in order of their ends: a nested function comes before the one
    /// around it.
    bodies: Vec<Body>,
    /// The function of the last diagnostic.
    last: Option<Symbol>,
}

impl Functions {
    pub fn enter(&mut self, name: Symbol, loc: Loc) {
        self.open.push((name, loc));
    }

    pub fn leave(&mut self, end: Loc) {
        if let Some((name, start)) = self.open.pop() {
            self.bodies.push(Body { start, end, name });
        }
    }

    /// The function a diagnostic at `loc` is in, when that is not the last one's: the one that is
    /// being read; after the unit, the one whose body is around `loc`.
    pub fn changed(&mut self, loc: Loc) -> Option<Option<Symbol>> {
        let now = self.now(loc);
        (now != self.last).then(|| {
            self.last = now;
            now
        })
    }

    /// The function a diagnostic at `loc` is in.
    pub fn now(&self, loc: Loc) -> Option<Symbol> {
        match self.open.last() {
            Some(&(name, _)) => Some(name),
            None => self.around(loc),
        }
    }

    fn around(&self, loc: Loc) -> Option<Symbol> {
        let body = self.bodies.iter().find(|body| body.start.0 <= loc.0 && loc.0 <= body.end.0)?;
        Some(body.name)
    }
}
