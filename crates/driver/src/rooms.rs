//! How the driver calls the other crates: the whole compiler in one screen.

use crate::compile::{Job, Produced};
use crate::report::Failed;
use base::Session;

/// Names of the middle end's passes, for `-f<pass>` and `--passes=`.
pub fn pass_names() -> &'static [&'static str] {
    &[]
}

/// A session with the front end's keywords interned.
pub fn new_session() -> Session {
    Session::new(&[])
}

/// One source as far as the job says.
pub fn compile(job: &Job<'_>) -> Result<Produced, Failed> {
    job.session.fatal(base::Loc::default(), "not supported: the front end is not linked in").emit();
    Err(Failed)
}
