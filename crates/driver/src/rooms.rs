//! How the driver calls the other crates: the whole compiler in one screen.

mod preprocessing;

use crate::compile::{Job, Produced};
use crate::report::Failed;
use base::Session;

/// Names of the middle end's passes, for `-f<pass>` and `--passes=`.
pub fn pass_names() -> &'static [&'static str] {
    &[]
}

/// A session with the front end's keywords interned.
pub fn new_session() -> Session {
    frontend::lex::new_session()
}

/// One source as far as the job says.
pub fn compile(job: &Job<'_>) -> Result<Produced, Failed> {
    let mut preprocessor = frontend::preprocess::Preprocessor::new(
        job.session,
        preprocessing::options(job),
        preprocessing::include_paths(job),
    );
    if !preprocessor.enter_main_file(&job.path.to_string_lossy()) {
        return Err(Failed);
    }
    job.session.fatal(base::Loc::NONE, "not supported: compiling").emit();
    Err(Failed)
}
