//! What functions take from the stack: `-fstack-usage`'s file, `-Wstack-usage=` and
//! `-Wframe-larger-than=`, in gcc's form (invoke.texi, "Developer Options").

use super::Job;
use crate::output::{self, Kind};
use crate::report::Failed;
use backend::FunctionStack;
use base::{Loc, warning};
use object::StackKind;
use std::fmt::Write;

/// Reports the functions that `emitter` has emitted so far.
pub fn report(job: &Job<'_>, emitter: &backend::ModuleEmitter<'_>, module: &ir::Module) -> Result<(), Failed> {
    for function in emitter.stack_uses() {
        warn(job, function);
    }
    let Some(path) = &job.options.codegen.stack_usage else { return Ok(()) };
    let mut text = String::new();
    for function in emitter.stack_uses() {
        describe(job, module, function, &mut text);
    }
    output::write(path, text.as_bytes(), Kind::Data).map_err(|error| {
        let message = format!("cannot open '{}' for writing: {error}", path.display());
        job.session.fatal(Loc::NONE, message).emit();
        Failed
    })
}

fn warn(job: &Job<'_>, function: &FunctionStack) {
    let (code, used) = (&job.options.codegen, &function.used);
    if used.kind == StackKind::Dynamic && code.stack_usage_larger_than != u64::MAX {
        let message = "stack usage might be unbounded";
        job.session.warn(warning::STACK_USAGE, function.loc, message).emit();
    } else if used.total > code.stack_usage_larger_than {
        let verb = if used.kind == StackKind::Static { "is" } else { "might be" };
        let message = format!("stack usage {verb} {} bytes", used.total);
        job.session.warn(warning::STACK_USAGE, function.loc, message).emit();
    }
    if used.locals > code.frame_larger_than {
        let limit = code.frame_larger_than;
        let message = format!("the frame size of {} bytes is larger than {limit} bytes", used.locals);
        job.session.warn(warning::FRAME_LARGER_THAN, function.end, message).emit();
    }
}

/// What is known of the size.
pub fn kind(function: &FunctionStack) -> &'static str {
    match function.used.kind {
        StackKind::Static => "static",
        StackKind::Bounded => "dynamic,bounded",
        StackKind::Dynamic => "dynamic",
    }
}

/// One line: place, name, bytes, kind.
fn describe(job: &Job<'_>, module: &ir::Module, function: &FunctionStack, text: &mut String) {
    let sources = &job.session.sources;
    let (file, line, column) = match sources.presumed(function.loc) {
        Some(at) => (job.session.str(at.file).to_string(), at.line, at.column),
        None => (job.options.input_name.clone(), 0, 0),
    };
    let kind = kind(function);
    let name = &module.symbols[function.symbol].name;
    writeln!(text, "{file}:{line}:{column}:{name}\t{}\t{kind}", function.used.total)
        .expect("a string takes everything");
}
