//! What `-g3` remembers of the preprocessor: definitions of macros and the files they stand in, in
//! the order in which they were read.

use std::cell::{Cell, Ref, RefCell};

use crate::{Loc, Symbol};

/// A step of the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroEvent {
    /// `#define`.
    Define {
        /// Where the name stands; none for what no file defines.
        at: Loc,
        /// Name, parameters and body, as gcc spaces them.
        text: Box<[u8]>,
    },
    /// `#undef`, of a macro or not.
    Undefine {
        /// Where the name stands; none for what no file says.
        at: Loc,
        /// The name.
        name: Symbol,
    },
    /// A file begins.
    Enter {
        /// Where it is included; none for the main file and those of the command line.
        at: Loc,
        /// Its name.
        file: Symbol,
    },
    /// The innermost file ends.
    Leave,
}

/// The steps so far, if they are wanted.
#[derive(Default)]
pub struct MacroLog {
    events: RefCell<Vec<MacroEvent>>,
    on: Cell<bool>,
}

impl MacroLog {
    /// Remembers what happens from now on.
    pub fn start(&self) {
        self.on.set(true);
    }

    /// Remembers nothing more.
    pub fn stop(&self) {
        self.on.set(false);
    }

    /// Whether anything is remembered.
    pub fn is_on(&self) -> bool {
        self.on.get()
    }

    /// Adds a step, if steps are remembered.
    pub fn push(&self, event: MacroEvent) {
        if self.on.get() {
            self.events.borrow_mut().push(event);
        }
    }

    /// The steps so far.
    pub fn events(&self) -> Ref<'_, [MacroEvent]> {
        Ref::map(self.events.borrow(), Vec::as_slice)
    }
}
