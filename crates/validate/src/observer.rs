//! Validates every pass that the middle end runs.

use std::sync::{Arc, Mutex, PoisonError};

use ir::{Function, Module};

use crate::refine::{Limits, Verdict, refines};

/// Bytes of stack for one question: terms are walked recursively.
const STACK: usize = 512 << 20;

/// What was found of one run of a pass.
#[derive(Clone, Debug)]
pub struct Record {
    /// The function.
    pub function: Box<str>,
    /// The pass.
    pub pass: &'static str,
    /// What was found.
    pub verdict: Verdict,
}

/// What was found so far, by all threads, and errors.
pub type Records = Arc<Mutex<Vec<Result<Record, String>>>>;

/// Asks about each pass, or one.
pub struct Observer {
    /// The only pass that is asked about.
    pub pass: Option<String>,
    /// How.
    pub limits: Limits,
    /// What was found.
    pub records: Records,
}

impl ir::observer::Observer for Observer {
    fn wants(&self, pass: &str) -> bool {
        self.pass.as_ref().is_none_or(|wanted| wanted == pass)
    }

    fn changed(&self, module: &Module, pass: &'static str, before: &Function, after: &Function) {
        let function = module.symbols[before.symbol].name.clone();
        let verdict = on_large_stack(|| refines(module, before, after, &self.limits));
        let record = match verdict {
            Ok(Verdict::Unchanged) => return,
            Ok(verdict) => Ok(Record { function, pass, verdict }),
            Err(error) => Err(error),
        };
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }
}

/// Runs something that is deeply recursive.
pub fn on_large_stack<T: Send>(run: impl FnOnce() -> Result<T, String> + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let thread = thread.map_err(|e| format!("no thread: {e}"))?;
        thread.join().unwrap_or_else(|_| Err("the validator has failed".to_string()))
    })
}
