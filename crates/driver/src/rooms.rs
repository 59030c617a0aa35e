//! How the driver calls the other crates: the whole compiler in one screen.

mod preprocessing;

use crate::compile::{Job, Produced};
use crate::invocation::{PreprocessMode, Stop};
use crate::output::{self, Kind};
use crate::report::Failed;
use base::source_map::SourceText;
use base::{Loc, Session};
use frontend::preprocess::Preprocessor;
use std::path::Path;

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
    let mut preprocessor =
        Preprocessor::new(job.session, preprocessing::options(job), preprocessing::include_paths(job));
    let name = job.path.to_string_lossy();
    let entered = match job.text {
        Some(text) => preprocessor.enter_main_text(&name, SourceText::Static(text)),
        None => preprocessor.enter_main_file(&name),
    };
    if !entered {
        return Err(Failed);
    }
    if job.stop == Stop::Preprocess {
        return preprocess(job, &mut preprocessor);
    }
    job.session.fatal(Loc::NONE, "not supported: compiling").emit();
    Err(Failed)
}

/// `-E`, `-M`.
fn preprocess(job: &Job<'_>, preprocessor: &mut Preprocessor<'_>) -> Result<Produced, Failed> {
    let mut text = Vec::new();
    preprocessor.write_preprocessed(&mut text).expect("a vector takes everything");
    let rule = write_dependencies(job, preprocessor)?;
    match job.preprocess.mode {
        PreprocessMode::Rule => Ok(rule.map_or(Produced::Nothing, Produced::Text)),
        _ => Ok(Produced::Text(text)),
    }
}

/// Write the dependency rule to its file; without a file it is the result.
fn write_dependencies(job: &Job<'_>, preprocessor: &Preprocessor<'_>) -> Result<Option<Vec<u8>>, Failed> {
    let wanted = &job.preprocess.dependencies;
    if !wanted.wanted || job.session.diag.has_errors() {
        return Ok(None);
    }
    let rule = preprocessor.dependencies_text().into_bytes();
    let Some(file) = &wanted.file else { return Ok(Some(rule)) };
    if let Err(error) = output::write(Path::new(file), &rule, Kind::Data) {
        job.session.fatal(Loc::NONE, format!("opening dependency file {}: {error}", file.display())).emit();
        return Err(Failed);
    }
    Ok(None)
}
