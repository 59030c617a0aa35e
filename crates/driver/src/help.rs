//! `--help=CLASS` and `-Q --help=CLASS`: the options of a class, one a line; with `-Q` whether each
//! is on, in the form that scripts read (`-march=` and an instruction set in `target`, passes in
//! `optimizers`).

use crate::cli;
use crate::invocation::Invocation;
use platform::options::X86Features;
use std::fmt::Write;

/// The lists of classes that the command line has checked; `general` is what `--help` shows.
pub fn text(inv: &Invocation, classes: &str, general: &str) -> String {
    let mut out = String::new();
    for class in classes.split(',') {
        match class {
            "target" => target(&mut out, inv),
            "optimizers" => optimizers(&mut out, inv),
            "warnings" => warnings(&mut out, inv),
            "params" => parameters(&mut out),
            "manual" => out.push_str(&crate::manual::page(general)),
            "common" | "c" | "C" | "undocumented" | "joined" | "separate" => listed(&mut out, inv, class),
            _ => out.push_str(general),
        }
    }
    out
}

/// `  NAME   [enabled]`
fn row(out: &mut String, inv: &Invocation, name: &str, on: bool) {
    let state = if on { "[enabled]" } else { "[disabled]" };
    if inv.show_states { writeln!(out, "  {name:<27} {state}") } else { writeln!(out, "  {name}") }.ok();
}

fn target(out: &mut String, inv: &Invocation) {
    let title = if inv.show_states { "The following options are target specific" } else { "Target options" };
    writeln!(out, "{title}:").ok();
    let features = inv.options.codegen.features;
    let code = &inv.options.codegen;
    let arch = code.march.as_deref().unwrap_or("x86-64");
    match inv.show_states {
        true => {
            let tune = code.mtune.as_deref().unwrap_or(if arch.starts_with("x86-64") { "generic" } else { arch });
            writeln!(out, "  {:<27} {arch}\n  {:<27} {tune}", "-march=", "-mtune=")
        }
        false => writeln!(out, "  -march=\n  -mtune="),
    }
    .ok();
    for name in X86Features::names() {
        let on = match X86Features::named(name) {
            Some(platform::options::features::Named::Known { own, .. }) => features.0 & own == own,
            _ => false,
        };
        row(out, inv, &format!("-m{name}"), on);
    }
    row(out, inv, "-mred-zone", inv.options.codegen.red_zone);
    row(out, inv, "-mgeneral-regs-only", inv.options.codegen.general_regs_only);
}

/// The passes, which are on from the level on that has them, and gcc's names that tune nothing
/// here.
fn optimizers(out: &mut String, inv: &Invocation) {
    let title = if inv.show_states { "The following options control optimizations" } else { "Optimization options" };
    writeln!(out, "{title}:").ok();
    let options = &inv.options;
    let running: Vec<&str> = middle::pipeline::early_passes(options)
        .iter()
        .chain(&middle::pipeline::late_passes(options))
        .map(|p| p.name)
        .collect();
    let mut names: Vec<&str> = middle::pipeline::names().collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        row(out, inv, &format!("-f{name}"), options.optimizing() && running.contains(&name));
    }
    row(out, inv, "-fomit-frame-pointer", options.codegen.omit_frame_pointer);
    row(out, inv, "-foptimize-sibling-calls", options.codegen.sibling_calls);
    row(out, inv, "-fstrict-aliasing", options.codegen.strict_aliasing);
    if !inv.show_states {
        cli::tuning_names().for_each(|name| row(out, inv, &format!("-f{name}"), false));
    }
}

fn warnings(out: &mut String, inv: &Invocation) {
    let title =
        if inv.show_states { "The following options control compiler warning messages" } else { "Warning options" };
    writeln!(out, "{title}:").ok();
    let session = crate::rooms::new_session();
    crate::compile::configure_diagnostics(&session, inv);
    let mut names: Vec<&str> = base::warning::names().collect();
    names.sort_unstable();
    for name in names {
        let on = base::WarningId::from_name(name).is_some_and(|id| session.warning_enabled(id, base::Loc::NONE));
        let what = base::WarningId::from_name(name).map_or("", |id| id.description());
        match inv.show_states {
            true => row(out, inv, &format!("-W{name}"), on),
            false => writeln!(out, "  -W{name:<25} {what}").unwrap_or_default(),
        }
    }
}

/// gcc's classes of options by language or argument. With `-Q` the state of those that are on or
/// off.
fn listed(out: &mut String, inv: &Invocation, class: &str) {
    let title = match class {
        "common" => "are language-independent",
        "undocumented" => "are not documented",
        "joined" => "take joined arguments",
        "separate" => "take separate arguments",
        _ => "are supported by the language C",
    };
    writeln!(out, "The following options {title}:").ok();
    for name in cli::options_of_class(class) {
        match cli::is_on(inv, &name) {
            Some(on) => row(out, inv, &name, on),
            None => writeln!(out, "  {name}").unwrap_or_default(),
        }
    }
}

fn parameters(out: &mut String) {
    out.push_str("The --param options:\n");
    for (name, least, most) in cli::parameters() {
        writeln!(out, "  --param={name}=<{least},{most}>").ok();
    }
}
