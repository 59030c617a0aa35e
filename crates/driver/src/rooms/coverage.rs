//! `--coverage`: counters in the module, and the `.gcno` file beside the object.

use super::Job;
use crate::output::{self, Kind};
use crate::report::Failed;

use base::{Loc, warning};
use std::path::{Path, PathBuf};

/// Adds what the options ask for.
pub fn add(job: &Job<'_>, module: &mut ir::Module) -> Result<(), Failed> {
    let wanted = &job.options.coverage;
    if !wanted.is_on() {
        return Ok(());
    }
    let current = || std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default();
    let directory = job.options.working_directory.clone().unwrap_or_else(current);
    let data_file = wanted.counts.then(|| data_file(&wanted.base, &directory, wanted.directory.as_deref()));
    let [files, excluded] =
        [&wanted.filter_files, &wanted.exclude_files].map(|list| base::file_patterns::compile(list));
    let request = ::coverage::Request {
        data_file: data_file.as_deref(),
        atomic: wanted.atomic,
        directory: &directory,
        files: &files,
        excluded: &excluded,
    };
    let place = |loc: Loc| {
        let sources = &job.session.sources;
        let at = sources.presumed(sources.expansion_point(loc))?;
        let name = job.session.str(at.file);
        let file = if wanted.absolute { Path::new(&directory).join(name).display().to_string() } else { name.into() };
        Some(::coverage::Place { file: file.into(), line: at.line, column: at.column })
    };
    if wanted.use_counts {
        use_counts(job, module, &directory, &place);
        super::predictors::report(job, module);
    } else if wanted.copies() {
        middle::expand_module(module, job.options);
    }
    if !wanted.counts && !wanted.notes {
        return Ok(());
    }
    let notes = ::coverage::cover(module, &request, &place);
    if !wanted.notes {
        return Ok(());
    }
    let beside = || wanted.base.with_added_extension("gcno");
    let file = wanted.note_file.clone().unwrap_or_else(beside);
    output::write(&file, &notes, Kind::Data).map_err(|error| {
        job.session.fatal(Loc::NONE, format!("cannot open {}: {error}", file.display())).emit();
        Failed
    })
}

/// `-fprofile-use`: reads the counts, or says that they are not there.
fn use_counts(
    job: &Job<'_>,
    module: &mut ir::Module,
    directory: &str,
    place: &dyn Fn(Loc) -> Option<::coverage::Place>,
) {
    let wanted = &job.options.coverage;
    let given = wanted.use_from.as_deref();
    let file = match given {
        Some(path) if Path::new(path).is_file() => path.to_owned(),
        _ => data_file(&wanted.base, directory, given.or(wanted.directory.as_deref())),
    };
    let first = module.functions.values().next().map_or(Loc::NONE, |func| func.loc);
    let Ok(bytes) = std::fs::read(&file) else {
        let message = format!("'{file}' profile count data file not found");
        job.session.warn(warning::MISSING_PROFILE, first, message).emit();
        return;
    };
    // What `--coverage` counted are the functions as they stand.
    if wanted.copies() && !::coverage::is_of(module, &bytes, place) {
        middle::expand_module(module, job.options);
    }
    let Some(complaints) = ::coverage::use_profile(module, &bytes, place) else {
        let message = format!("'{file}' is not a gcov data file of gcc 12");
        job.session.warn(warning::MISSING_PROFILE, first, message).emit();
        return;
    };
    for complaint in complaints {
        job.session.warn(warning::COVERAGE_MISMATCH, complaint.loc, complaint.message).emit();
    }
}

/// Where the program writes: beside the object, or in a folder of its own under a name that holds
/// the whole path (gcc's `mangle_path`).
fn data_file(base: &Path, directory: &str, folder: Option<&str>) -> String {
    let named = base.with_added_extension("gcda");
    let path = match folder {
        _ if base.is_absolute() => named,
        None => Path::new(directory).join(named),
        Some(folder) => {
            let whole = Path::new(directory).join(named).display().to_string();
            let parts: Vec<&str> = whole.split('/').map(|part| if part == ".." { "^" } else { part }).collect();
            PathBuf::from(folder).join(parts.join("#"))
        }
    };
    path.display().to_string()
}
