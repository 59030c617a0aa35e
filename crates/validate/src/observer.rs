//! Validates every pass that the middle end runs.

use std::collections::BTreeMap;
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

/// Chooses one of so many changes, the same ones each time: by the function, the pass, and how
/// often that pass has changed that function.
pub struct Sample {
    every: u64,
    seed: u64,
    seen: Mutex<BTreeMap<(Box<str>, &'static str), u64>>,
}

impl Sample {
    /// One of `every`; other seeds choose others.
    pub fn new(every: u64, seed: u64) -> Sample {
        Sample { every: every.max(1), seed, seen: Mutex::default() }
    }

    fn has(&self, function: &str, pass: &'static str) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let count = seen.entry((function.into(), pass)).or_default();
        *count += 1;
        // FNV-1a; its upper bits are the mixed ones.
        let bytes = self.seed.to_le_bytes().into_iter().chain(count.to_le_bytes());
        let bytes = bytes.chain(pass.bytes()).chain(function.bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3_u64));
        (hash >> 24) % self.every == 0
    }
}

/// Asks about each pass, or one.
pub struct Observer {
    /// The only pass that is asked about.
    pub pass: Option<String>,
    /// How.
    pub limits: Limits,
    /// Which changes are asked about, if not all.
    pub sample: Option<Sample>,
    /// What was found.
    pub records: Records,
}

impl ir::observer::Observer for Observer {
    fn wants(&self, pass: &str) -> bool {
        self.pass.as_ref().is_none_or(|wanted| wanted == pass)
    }

    fn changed(&self, module: &Module, pass: &'static str, before: &Function, after: &Function) {
        let function = module.symbols[before.symbol].name.clone();
        if self.sample.as_ref().is_some_and(|sample| !sample.has(&function, pass)) {
            return;
        }
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
