//! Who is shown every function before and after each pass that changed it (`--validate`).

use std::sync::OnceLock;

use crate::{Function, Module};

/// What looks at passes. Functions come from several threads.
pub trait Observer: Send + Sync {
    /// Whether it wants to see what the pass does.
    fn wants(&self, pass: &str) -> bool;

    /// A pass has changed a function of the module.
    fn changed(&self, module: &Module, pass: &'static str, before: &Function, after: &Function);
}

static OBSERVER: OnceLock<Box<dyn Observer>> = OnceLock::new();

/// Installs the observer of the process. Only the first one is.
pub fn install(observer: Box<dyn Observer>) {
    drop(OBSERVER.set(observer));
}

/// The observer, if it wants to see the pass.
pub fn of(pass: &str) -> Option<&'static dyn Observer> {
    OBSERVER.get().map(|observer| &**observer).filter(|observer| observer.wants(pass))
}
