//! How the driver calls the other crates: the whole compiler in one screen.

pub mod assembling;
mod call_graph;
mod clock;
mod coverage;
pub mod link_time;
pub mod predictors;
mod preprocessing;
mod remarks;
mod stack_usage;
mod trace;
mod warnings;
pub(crate) mod whole_program;

use crate::invocation::{AssemblerOptions, Emit, Language, PreprocessMode, Preprocessing, Stop};
use crate::output::{self, Kind};
use crate::report::Failed;
use base::source_map::SourceText;
use base::{Loc, Session, warning};
use clock::Clock;
use frontend::preprocess::Preprocessor;
use platform::options::{Options, StatsForm};
use std::path::Path;
use std::sync::Arc;

/// `DW_AT_producer` of what is generated.
const PRODUCER: &str = concat!("tcc-rs ", env!("CARGO_PKG_VERSION"));

/// Level of `-g` from which macros are described.
pub const MACROS_LEVEL: u8 = 3;

/// The result of a compilation.
pub enum Produced {
    /// Nothing to write (`-fsyntax-only`, `-M -MF file`).
    Nothing,
    /// Text for `-o` or standard output.
    Text(Vec<u8>),
    /// An ELF relocatable.
    Object(Vec<u8>),
}

/// A source and what is done with it.
pub struct Job<'a> {
    /// Diagnostics, names, sources.
    pub session: &'a Session,
    /// Options of this translation unit.
    pub options: &'a Options,
    /// Its preprocessor's options.
    pub preprocess: &'a Preprocessing,
    /// The input; `-` is standard input.
    pub path: &'a Path,
    /// Its text, when it is in memory.
    pub text: Option<&'a Arc<SourceText>>,
    /// `-Wa,`.
    pub assembler: &'a AssemblerOptions,
    /// What it holds.
    pub language: Language,
    /// Last stage.
    pub stop: Stop,
    /// For looking inside.
    pub emit: Emit,
}

/// A session with the front end's keywords interned.
pub fn new_session() -> Session {
    frontend::lex::new_session()
}

/// One source as far as the job says.
pub fn compile(job: &Job<'_>) -> Result<Produced, Failed> {
    match job.language {
        Language::Assembler => return assembling::file(job),
        Language::Ir => return ir_text(job),
        _ => {}
    }
    let mut preprocessor =
        Preprocessor::new(job.session, preprocessing::options(job), preprocessing::include_paths(job));
    if let Some(files) = &job.preprocess.shared_files {
        preprocessor.share_files(files.clone());
    }
    if job.options.codegen.debug_level >= MACROS_LEVEL && job.stop != Stop::Preprocess {
        job.session.macros.start();
    }
    let name = job.path.to_string_lossy();
    let entered = match job.text {
        Some(text) => preprocessor.enter_main_text(&name, SourceText::Shared(text.clone())),
        None => preprocessor.enter_main_file(&name),
    };
    if !entered {
        return Err(Failed);
    }
    if job.stop == Stop::Preprocess {
        return preprocess(job, &mut preprocessor);
    }
    if job.preprocess.preprocessed {
        return preprocessed(job, preprocessor);
    }
    if job.language == Language::AssemblerWithCpp {
        let text = preprocessed_text(job, &mut preprocessor)?;
        return if job.stop == Stop::Assembly { Ok(Produced::Text(text)) } else { assembling::text(job, &text) };
    }
    if job.preprocess.traditional {
        return traditional(job, preprocessor);
    }
    translation_unit(job, &mut preprocessor)
}

/// A text as far as the front end goes.
pub fn module(job: &Job<'_>) -> Result<ir::Module, Failed> {
    let mut preprocessor =
        Preprocessor::new(job.session, preprocessing::options(job), preprocessing::include_paths(job));
    let name = job.path.to_string_lossy();
    let entered = match job.text {
        Some(text) => preprocessor.enter_main_text(&name, SourceText::Shared(text.clone())),
        None => preprocessor.enter_main_file(&name),
    };
    if !entered {
        return Err(Failed);
    }
    frontend::compile(job.session, job.options, &mut preprocessor, None).ok_or(Failed)
}

/// Text that is preprocessed already, under the name and in the directory that its first lines say.
fn preprocessed(job: &Job<'_>, mut preprocessor: Preprocessor<'_>) -> Result<Produced, Failed> {
    let (name, directory) = preprocessor.original_names();
    let mut options = job.options.clone();
    options.input_name = name.unwrap_or(options.input_name);
    options.working_directory = directory;
    translation_unit(&Job { options: &options, ..*job }, &mut preprocessor)
}

/// `-traditional-cpp`: the result of the preprocessor is text, which is read again.
fn traditional(job: &Job<'_>, mut preprocessor: Preprocessor<'_>) -> Result<Produced, Failed> {
    let text = preprocessed_text(job, &mut preprocessor)?;
    let mut preprocess = job.preprocess.clone();
    preprocess.preprocessed = true;
    job.session.macros.stop();
    // They were written already.
    preprocess.dependencies.wanted = false;
    let job = Job { preprocess: &preprocess, ..*job };
    let mut preprocessor =
        Preprocessor::new(job.session, preprocessing::options(&job), preprocessing::include_paths(&job));
    if !preprocessor.enter_main_text(&job.path.to_string_lossy(), SourceText::from_vec(text)) {
        return Err(Failed);
    }
    translation_unit(&job, &mut preprocessor)
}

/// C from the preprocessor to the end. At `-O0` each function is emitted as soon as it is lowered,
/// and freed.
fn translation_unit(job: &Job<'_>, preprocessor: &mut Preprocessor<'_>) -> Result<Produced, Failed> {
    let (session, options) = (job.session, job.options);
    let mut clock = Clock::new(options);
    let has_passes = options.optimizing() || options.pass_list.is_some();
    let streams = !has_passes && job.emit == Emit::Normal;
    // What runs without optimisation, too, runs on all functions when they are there.
    let holds = middle::pipeline::needs_passes(options) || options.coverage.is_on();
    let mut held = Vec::new();
    if !streams {
        let mut module = frontend::compile(session, options, preprocessor, None).ok_or(Failed)?;
        write_dependencies(job, preprocessor)?;
        clock.stage("front end");
        if job.stop == Stop::Check {
            clock.print(job);
            return Ok(Produced::Nothing);
        }
        warnings::of_module(job, &module);
        clock.stage("warnings by data flow");
        if session.diag.has_errors() {
            return Err(Failed);
        }
        whole_program::close(&mut module, options);
        coverage::add(job, &mut module)?;
        return finish_module(job, module, clock);
    }
    let mut emitter = backend::ModuleEmitter::new(options);
    let mut expander = middle::Expander::new(options);
    let mut graph = Vec::new();
    let mut sink = |module: &ir::Module, function: ir::Function| {
        warnings::of_function(job, module, &function);
        session.sources.passed(function.loc);
        if job.stop == Stop::Check {
            return Some(function);
        }
        let function = expander.accept(module, function)?;
        if holds {
            held.push(function);
            return None;
        }
        surviving_calls(job, module, &function);
        graph.extend(call_graph::calls(options, module, &function));
        emitter.function(module, &function);
        Some(function)
    };
    let mut module = frontend::compile(session, options, preprocessor, Some(&mut sink)).ok_or(Failed)?;
    write_dependencies(job, preprocessor)?;
    clock.stage(if job.stop == Stop::Check { "front end" } else { "front end and code" });
    if job.stop == Stop::Check {
        clock.print(job);
        return Ok(Produced::Nothing);
    }
    let (late, errors) = expander.finish(&mut module);
    report_errors(job, errors)?;
    whole_program::close(&mut module, options);
    if holds {
        held.into_iter().chain(late).for_each(|function| define(&mut module, function));
        coverage::add(job, &mut module)?;
        return optimized_object(job, module, clock);
    }
    for function in late.iter().chain(module.functions.values()) {
        surviving_calls(job, &module, function);
        graph.extend(call_graph::calls(options, &module, function));
    }
    if job.session.diag.has_errors() {
        return Err(Failed);
    }
    late.iter().for_each(|function| emitter.function(&module, function));
    emitter.functions(&module);
    stack_usage::report(job, &emitter, &module)?;
    call_graph::write(job, &emitter, &module, &graph)?;
    remarks::report(job, &[])?;
    clock.stage("functions emitted last");
    clock.parts(emitter.times());
    finish_object(job, with_source(job, |source| emitter.finish(&module, Some(source))), None, clock)
}

/// Defines a function that is emitted, in place of an inline body under its name.
fn define(module: &mut ir::Module, function: ir::Function) {
    let symbol = &mut module.symbols[function.symbol];
    symbol.attrs.0 &= !ir::FnAttrs::AVAILABLE_EXTERNALLY;
    if let ir::SymbolDef::Function(inline) = symbol.def {
        module.take_function(inline);
    }
    module.define_function(function);
}

/// Several objects' modules as one.
pub fn merged(job: &Job<'_>, module: ir::Module) -> Result<Produced, Failed> {
    finish_module(job, module, Clock::new(job.options))
}

/// A module in the textual form of the IR: the middle end and the back end alone.
fn ir_text(job: &Job<'_>) -> Result<Produced, Failed> {
    let source = read(job)?;
    let complaint = match ir::text::parse_module(&source) {
        Ok(module) => match first_violation(&module) {
            None => return finish_module(job, module, Clock::new(job.options)),
            Some(violation) => violation,
        },
        Err(error) => error.to_string(),
    };
    job.session.fatal(Loc::NONE, format!("{}: {complaint}", job.options.input_name)).emit();
    Err(Failed)
}

/// What the verifier has to say of the first invalid function.
fn first_violation(module: &ir::Module) -> Option<String> {
    module.functions.values().find_map(|function| {
        ir::verifier::verify_function(module, function, ir::verifier::Strictness::Alloca)
            .err()
            .map(|errors| errors.join("; "))
    })
}

/// From a complete module in alloca form to the result.
fn finish_module(job: &Job<'_>, mut module: ir::Module, mut clock: Clock) -> Result<Produced, Failed> {
    if job.emit == Emit::IrBeforePasses {
        return Ok(Produced::Text(ir::text::module_to_string(&module).into_bytes()));
    }
    match job.emit {
        Emit::Normal => return optimized_object(job, module, clock),
        Emit::Trace => return trace::produce(job, module),
        _ => {}
    }
    let mut report = middle::optimize(&mut module, job.options);
    instrument::asan::globals::protect(&mut module, job.options, |loc| presumed(job, loc));
    report_errors(job, std::mem::take(&mut report.errors))?;
    clock.stage("passes");
    print_report(job, &report)?;
    clock.parts(std::mem::take(&mut report.times));
    clock.print(job);
    print_statistics(job, report.statistics.sorted());
    let text = match job.emit {
        Emit::Ir => ir::text::module_to_string(&module),
        Emit::Dot => ir::dot::control_flow(&module),
        Emit::DotDominators => ir::dot::dominators(&module),
        Emit::Svg => ir::svg::control_flow(&module),
        Emit::SvgDominators => ir::svg::dominators(&module),
        Emit::Llvm => match ir::llvm::export(&module) {
            Ok(text) => text,
            Err(what) => {
                let message = format!("{}: {what}", job.options.input_name);
                job.session.fatal(Loc::NONE, message).emit();
                return Err(Failed);
            }
        },
        Emit::Normal | Emit::IrBeforePasses | Emit::Trace => base::bug!("no text is wanted"),
    };
    Ok(Produced::Text(text.into_bytes()))
}

/// The module through the middle end and the back end. From inlining on, each function goes all the
/// way to its code at once, while it is in the cache.
fn optimized_object(job: &Job<'_>, mut module: ir::Module, mut clock: Clock) -> Result<Produced, Failed> {
    let text = link_time::text(job, &module);
    let (mut report, late) = middle::inline(&mut module, job.options);
    instrument::asan::globals::protect(&mut module, job.options, |loc| presumed(job, loc));
    report_errors(job, std::mem::take(&mut report.errors))?;
    clock.stage("early passes and inlining");
    let mut emitter = backend::ModuleEmitter::new(job.options);
    let options = job.options;
    let optimize = |module: &ir::Module, function: &mut ir::Function| {
        let report = late.run(module, function);
        (report, noted_calls(module, function), call_graph::calls(options, module, function))
    };
    let mut graph = Vec::new();
    emitter.consume_functions(&mut module, optimize, |(late, calls, all_calls)| {
        report.merge(late);
        graph.extend(all_calls);
        calls.into_iter().for_each(|call| report_call(job, &call));
    });
    clock.stage("late passes and code");
    print_report(job, &report)?;
    clock.parts(std::mem::take(&mut report.times));
    clock.parts(emitter.times());
    if job.session.diag.has_errors() {
        return Err(Failed);
    }
    stack_usage::report(job, &emitter, &module)?;
    call_graph::write(job, &emitter, &module, &graph)?;
    let counters = report.statistics.sorted().into_iter().chain(emitter.statistics());
    print_statistics(job, counters.collect());
    finish_object(job, with_source(job, |source| emitter.finish(&module, Some(source))), text, clock)
}

/// File, line and column of a position in the source.
fn presumed(job: &Job<'_>, loc: Loc) -> Option<instrument::asan::globals::Place> {
    let sources = &job.session.sources;
    let at = sources.presumed(sources.expansion_point(loc))?;
    Some(instrument::asan::globals::Place { file: job.session.str(at.file).into(), line: at.line, column: at.column })
}

/// The attributes `error` and `warning`: calls that nothing has removed, in a function that is
/// about to be emitted.
fn surviving_calls(job: &Job<'_>, module: &ir::Module, function: &ir::Function) {
    if backend::is_emitted(module, function) {
        noted_calls(module, function).into_iter().for_each(|call| report_call(job, &call));
    }
}

/// A call to a function with the attribute `error` or `warning`.
struct NotedCall {
    loc: Loc,
    note: ir::CallNote,
}

fn noted_calls(module: &ir::Module, function: &ir::Function) -> Vec<NotedCall> {
    let calls = module.noted_calls(function);
    calls.map(|(call, note)| NotedCall { loc: function.inst_locs[call], note: note.clone() }).collect()
}

fn report_call(job: &Job<'_>, NotedCall { loc, note }: &NotedCall) {
    let (name, text) = (&note.function, &note.message);
    if note.is_error {
        job.session.error(*loc, format!("call to '{name}' declared with attribute error: {text}")).emit();
    } else {
        let message = format!("call to '{name}' declared with attribute warning: {text}");
        job.session.warn(warning::ATTRIBUTE_WARNING, *loc, message).even_in_system_headers().emit();
    }
}

/// What the passes leave to be read: dumps and remarks.
fn print_report(job: &Job<'_>, report: &middle::Report) -> Result<(), Failed> {
    job.session.diag.write_raw(&report.dumps);
    remarks::report(job, &report.remarks)
}

/// `--stats`: the counters by name, as a table or one JSON object.
fn print_statistics(job: &Job<'_>, counters: Vec<(&'static str, u64)>) {
    match job.options.stats {
        None => {}
        Some(StatsForm::Table) => {
            for (name, value) in counters {
                job.session.diag.write_raw(&format!("{value:>9} {name}\n"));
            }
        }
        Some(StatsForm::Json) => {
            let members: Vec<String> = counters.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
            job.session.diag.write_raw(&format!("{{{}}}\n", members.join(", ")));
        }
    }
}

/// What only the middle end can see to be wrong with the program.
fn report_errors(job: &Job<'_>, errors: Vec<(Loc, String)>) -> Result<(), Failed> {
    if errors.is_empty() {
        return Ok(());
    }
    for (loc, message) in errors {
        job.session.error(loc, message).emit();
    }
    Err(Failed)
}

/// What debug information needs to know of the source.
fn with_source<R>(job: &Job<'_>, emit: impl FnOnce(&backend::debug::Source<'_>) -> R) -> R {
    let current = || std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default();
    let directory = job.options.working_directory.clone().unwrap_or_else(current);
    let map = job.session.sources.data();
    emit(&backend::debug::Source {
        map: &map,
        interner: &job.session.interner,
        macros: &job.session.macros.events(),
        directory: &directory,
        producer: PRODUCER,
    })
}

/// The back end's object, or its errors, as the result; with the text of its IR for `-flto`.
fn finish_object(
    job: &Job<'_>,
    emitted: Result<object::ObjectBuilder, Vec<backend::BackendError>>,
    text: Option<String>,
    mut clock: Clock,
) -> Result<Produced, Failed> {
    let mut builder = built(job, emitted)?;
    if let Some(text) = text.filter(|_| job.stop != Stop::Assembly) {
        link_time::add(job, &mut builder, &text);
    }
    let produced = match job.stop {
        Stop::Assembly => {
            let map = job.session.sources.data();
            let line = |location: u32| {
                let place = map.presumed(map.expansion_point(Loc(location)))?;
                Some((job.session.interner.resolve(place.file).to_string(), place.line))
            };
            let source = |location: u32| {
                let loc = map.expansion_point(Loc(location));
                let place = map.presumed(loc)?;
                let (text, _) = map.line_text(loc)?;
                let file = job.session.interner.resolve(place.file);
                // A comment ends with its line.
                let text = String::from_utf8_lossy(text).replace(['\r', '\n'], " ");
                Some(format!("{file}:{}: {}", place.line, text.trim_end()))
            };
            let verbose = job.options.codegen.verbose_asm;
            let mut text = if verbose { verbose_head(job) } else { String::new() };
            text.push_str(&assembler::listing::print(&builder, &line, verbose.then_some(&source)));
            Ok(Produced::Text(text.into_bytes()))
        }
        _ => write_object(job, builder),
    };
    clock.stage("data, symbols, object file");
    clock.print(job);
    produced
}

/// The back end's object; its errors are reported.
fn built(
    job: &Job<'_>,
    emitted: Result<object::ObjectBuilder, Vec<backend::BackendError>>,
) -> Result<object::ObjectBuilder, Failed> {
    emitted.map_err(|errors| {
        for error in errors {
            let mut diagnostic = job.session.error(error.loc, error.message);
            if let Some((loc, text)) = error.note {
                diagnostic = diagnostic.note(loc, text);
            }
            diagnostic.emit();
        }
        Failed
    })
}

/// The comments at the top of `-S -fverbose-asm`.
fn verbose_head(job: &Job<'_>) -> String {
    let (options, code) = (job.options, &job.options.codegen);
    let level = match options.level {
        _ if options.optimize_size => "s".to_string(),
        level => (level as u8).to_string(),
    };
    let march = code.march.as_deref().unwrap_or("x86-64");
    let version = env!("CARGO_PKG_VERSION");
    format!("# tcc-rs {version} ({}), -O{level} -march={march}\n", job.path.display())
}

/// ELF bytes.
fn write_object(job: &Job<'_>, mut builder: object::ObjectBuilder) -> Result<Produced, Failed> {
    let options = job.assembler;
    if options.stack_note {
        builder.add_stack_note(options.executable_stack);
    }
    builder.output = object::OutputOptions {
        keep_locals: options.keep_locals,
        strip_local_absolute: options.strip_local_absolute,
        stt_common: options.stt_common,
        plain_got: options.plain_got,
    };
    builder.compress_debug = job.options.codegen.compress_debug;
    let split = job.options.codegen.split_debug.as_ref().and_then(|path| Some((path, builder.take_split()?)));
    match builder.write() {
        Ok(mut bytes) => {
            if let Some((path, split)) = split {
                write_split(job, path, split)?;
            }
            if job.options.link_time.is_some() {
                link_time::seal(&mut bytes);
            }
            Ok(Produced::Object(bytes))
        }
        Err(message) => {
            job.session.fatal(Loc::NONE, message).emit();
            Err(Failed)
        }
    }
}

/// The other file of `-gsplit-dwarf`.
fn write_split(job: &Job<'_>, path: &Path, split: object::ObjectBuilder) -> Result<(), Failed> {
    let message = match split.write() {
        Ok(bytes) => match output::write(path, &bytes, Kind::Data) {
            Ok(()) => return Ok(()),
            Err(error) => format!("cannot open '{}' for writing: {error}", path.display()),
        },
        Err(message) => message,
    };
    job.session.fatal(Loc::NONE, message).emit();
    Err(Failed)
}

/// The input's text, for the forms that are not preprocessed.
fn read(job: &Job<'_>) -> Result<String, Failed> {
    let bytes = match (job.text, job.path.as_os_str().to_str()) {
        // Without the NUL at its end.
        (Some(text), _) => Ok(text.bytes()[..text.bytes().len() - 1].to_vec()),
        (None, Some("-")) => {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes).map(|_| bytes)
        }
        _ => std::fs::read(job.path),
    };
    // Bytes that are no UTF-8 can only stand in comments and strings; they are kept apart as
    // replacement characters.
    bytes.map(|b| String::from_utf8_lossy(&b).into_owned()).map_err(|error| {
        job.session.fatal(Loc::NONE, format!("{}: {error}", job.path.display())).emit();
        Failed
    })
}

/// The preprocessor's output with its line markers.
fn preprocessed_text(job: &Job<'_>, preprocessor: &mut Preprocessor<'_>) -> Result<Vec<u8>, Failed> {
    let mut text = Vec::new();
    preprocessor.write_preprocessed(&mut text).expect("a vector takes everything");
    if job.session.diag.has_errors() {
        return Err(Failed);
    }
    write_dependencies(job, preprocessor)?;
    Ok(text)
}

/// `-E`, `-M`.
fn preprocess(job: &Job<'_>, preprocessor: &mut Preprocessor<'_>) -> Result<Produced, Failed> {
    let mut text = Vec::new();
    preprocessor.write_preprocessed(&mut text).expect("a vector takes everything");
    if job.preprocess.precompile {
        let mut head = preprocessor.precompiled_head(job.path);
        head.append(&mut text);
        return Ok(Produced::Text(head));
    }
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
