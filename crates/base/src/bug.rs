//! Our own faults. [`bug!`](crate::bug!) panics with a [`Bug`] that carries what was being
//! compiled; the driver catches it and prints `internal compiler error: in <function>, pass <pass>:
//! <message>` and exits with status 4. The thread-local context says what the thread is doing; set
//! it with [`enter_function`] and [`enter_pass`], whose guards restore what was there.

use std::cell::RefCell;
use std::fmt;

/// Exit status of the driver after an internal error.
pub const EXIT_STATUS: i32 = 4;

/// The payload of the panic that [`bug!`](crate::bug!) raises.
#[derive(Clone, Debug)]
pub struct Bug {
    /// What went wrong.
    pub message: String,
    /// Where in the compiler's source.
    pub at: &'static str,
    /// The C function being compiled, if any.
    pub function: Option<String>,
    /// The pass or stage that was running, if any.
    pub pass: Option<String>,
}

impl fmt::Display for Bug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "internal compiler error: ")?;
        if let Some(function) = &self.function {
            write!(f, "in {function}, ")?;
        }
        if let Some(pass) = &self.pass {
            write!(f, "pass {pass}: ")?;
        }
        write!(f, "{} ({})", self.message, self.at)
    }
}

#[derive(Default)]
struct Context {
    function: Option<String>,
    pass: Option<String>,
}

thread_local! {
    static CONTEXT: RefCell<Context> = RefCell::default();
}

/// Restores the context that was there before it was made.
pub struct ContextGuard {
    field: Field,
    before: Option<String>,
}

enum Field {
    Function,
    Pass,
}

impl Drop for ContextGuard {
    fn drop(&mut self) {
        // While a panic unwinds the context stays as it was at the fault, for whoever reports it.
        if !std::thread::panicking() {
            set(&self.field, self.before.take());
        }
    }
}

fn set(field: &Field, value: Option<String>) -> Option<String> {
    CONTEXT.with_borrow_mut(|context| match field {
        Field::Function => std::mem::replace(&mut context.function, value),
        Field::Pass => std::mem::replace(&mut context.pass, value),
    })
}

/// Says which C function this thread works on until the guard is dropped.
pub fn enter_function(name: &str) -> ContextGuard {
    let before = set(&Field::Function, Some(name.to_owned()));
    ContextGuard { field: Field::Function, before }
}

/// Says which pass this thread runs until the guard is dropped.
pub fn enter_pass(name: &str) -> ContextGuard {
    let before = set(&Field::Pass, Some(name.to_owned()));
    ContextGuard { field: Field::Pass, before }
}

/// Forgets the context of this thread, after a caught fault.
pub fn reset_context() {
    CONTEXT.with_borrow_mut(|context| *context = Context::default());
}

/// Raises a [`Bug`]; called by the macro.
#[cold]
#[inline(never)]
pub fn raise(message: fmt::Arguments<'_>, at: &'static str) -> ! {
    std::panic::panic_any(describe(message.to_string(), at))
}

/// A [`Bug`] with this thread's context. The driver uses it for ordinary panics (an index out of
/// bounds is a bug too).
pub fn describe(message: String, at: &'static str) -> Bug {
    CONTEXT.with_borrow(|context| Bug { message, at, function: context.function.clone(), pass: context.pass.clone() })
}

/// Turns the payload of a caught panic into a [`Bug`], whatever raised it.
pub fn from_panic(payload: Box<dyn std::any::Any + Send>) -> Bug {
    match payload.downcast::<Bug>() {
        Ok(bug) => *bug,
        Err(payload) => {
            let message = match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
                (Some(text), _) => (*text).to_owned(),
                (_, Some(text)) => text.clone(),
                _ => "panic".to_owned(),
            };
            describe(message, PANIC_PLACE.get().unwrap_or("unknown place"))
        }
    }
}

thread_local! {
    static PANIC_PLACE: std::cell::Cell<Option<&'static str>> = const { std::cell::Cell::new(None) };
    static IN_JOB: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs a compiler's job in a program that has panics of its own: those of the job are remembered
/// for [`from_panic`], all others go to the hook that was there. The calling thread is to be the
/// job's alone.
pub fn in_job<R>(job: impl FnOnce() -> R) -> R {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| if IN_JOB.get() { remember_place(info) } else { before(info) }));
    });
    IN_JOB.set(true);
    let result = job();
    IN_JOB.set(false);
    result
}

fn remember_place(info: &std::panic::PanicHookInfo<'_>) {
    if let Some(place) = info.location() {
        // A panic is the end of the process or of one job: the few bytes leaked here do not matter.
        PANIC_PLACE.set(Some(Box::leak(format!("{}:{}", place.file(), place.line()).into_boxed_str())));
    }
}

/// Replaces the standard panic message by silence and remembers the place, so that [`from_panic`]
/// can name it. The driver installs this once; it prints the [`Bug`] itself.
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(remember_place));
}

/// Reports a fault of the compiler itself: names the function and pass, never a silent wrong
/// program.
#[macro_export]
macro_rules! bug {
    ($($arg:tt)*) => {
        $crate::bug::raise(format_args!($($arg)*), concat!(file!(), ":", line!()))
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_names_function_and_pass() {
        let caught = std::panic::catch_unwind(|| {
            let _function = enter_function("main");
            let _pass = enter_pass("gvn");
            crate::bug!("value {} has no type", 7);
        });
        let bug = from_panic(caught.unwrap_err());
        reset_context();
        assert!(
            bug.to_string().starts_with("internal compiler error: in main, pass gvn: value 7 has no type ("),
            "{bug}"
        );
    }
}
