//! `tcc-rs explore [options] file.c [-o report.html]`: one HTML file that shows what the compiler
//! made of each function: source, IR and machine code side by side, what each pass changed, how
//! variables left memory, control flow, and who holds which register. It needs no network and no
//! other file. The data is that of `--emit=trace`; the page is built from the files beside this
//! one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::invocation::{Emit, Input, Language};
use crate::output::{self, Kind};
use crate::report::{self, Stopped};

/// The page with places for its parts.
const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPTS: [&str; 7] = [
    include_str!("model.js"),
    include_str!("code.js"),
    include_str!("passes.js"),
    include_str!("graph.js"),
    include_str!("ssa.js"),
    include_str!("registers.js"),
    include_str!("main.js"),
];

/// Writes the report; without `-o` beside the source's name with `.html`.
pub fn main(program: &str, arguments: &[OsString], nesting: u32) -> ExitCode {
    let Ok(mut inv) = crate::parse(program, arguments.to_vec(), nesting) else { return ExitCode::FAILURE };
    crate::toolchain::fill_include_paths(&mut inv);
    let inputs: Vec<_> = inv
        .inputs
        .iter()
        .filter_map(|input| match input {
            Input::File { path, language } => Some((path.clone(), *language)),
            _ => None,
        })
        .collect();
    let [(path, language)] = &inputs[..] else {
        report::fatal(program, if inputs.is_empty() { "no input files" } else { "'explore' shows one source" });
        return ExitCode::FAILURE;
    };
    if path.as_os_str() == "-" || !matches!(language, Language::C | Language::PreprocessedC) {
        report::error(program, "'explore' shows a C source in a file");
        return ExitCode::FAILURE;
    }
    inv.options.time_report = true;
    let trace = match crate::compile::ir_text(&inv, path, *language, Emit::Trace) {
        Ok(text) => text,
        Err(Stopped::Bug(_)) => return ExitCode::from(base::bug::EXIT_STATUS as u8),
        Err(_) => return ExitCode::FAILURE,
    };
    let target = inv.output.clone().map_or_else(|| beside(path), PathBuf::from);
    match output::write(&target, page(&path.to_string_lossy(), &trace).as_bytes(), Kind::Data) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::fatal(program, &format!("cannot write '{}': {error}", target.display()));
            ExitCode::FAILURE
        }
    }
}

/// `file.html` in the current folder.
fn beside(path: &std::path::Path) -> PathBuf {
    PathBuf::from(path.file_name().unwrap_or_default()).with_extension("html")
}

fn page(title: &str, trace: &str) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    // Nothing in the data may end the element that holds it.
    let trace = trace.replace("</", "<\\/").replace("<!--", "<\\u0021--");
    let mut out = String::with_capacity(trace.len() + (64 << 10));
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        out.push_str(before);
        match name {
            "title" => out.push_str(&title),
            "style" => out.push_str(STYLE),
            "trace" => out.push_str(&trace),
            "script" => SCRIPTS.iter().for_each(|script| out.push_str(script)),
            _ => base::bug!("the page has an unknown part {name}"),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}
