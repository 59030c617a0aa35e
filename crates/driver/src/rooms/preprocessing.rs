//! The command line in the preprocessor's terms.

use super::Job;
use crate::invocation::{Dump, MacroAction, PreprocessMode, Preprocessing};
use frontend::lex::dialect::{Dialect, Standard};
use frontend::preprocess::options::{
    Action, DependencyOptions, DumpMacros, IncludePaths, Options, OutputOptions, StackProtector, TargetMacros,
};
use platform::options as asked;
use platform::options::{CodeModel, OptLevel, PicLevel, Sanitizers, X86Features};

/// Options of one run of the preprocessor.
pub fn options(job: &Job<'_>) -> Options {
    let pp = job.preprocess;
    let language = &job.options.language;
    let text = pp.mode == PreprocessMode::Text;
    Options {
        dialect: dialect(job),
        actions: actions(job),
        undef: pp.undef,
        preprocessed: pp.preprocessed,
        directives_only: pp.directives_only,
        untracked_expansion: job.session.diag.untracked_expansion(),
        traditional: pp.traditional && !pp.preprocessed,
        gnuc_version: Some(language.gnuc_version.into()),
        target: target_macros(job.options, pp),
        source_date_epoch: std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|v| v.parse().ok()),
        macro_prefix_map: pp.macro_prefix_map.clone(),
        output: match () {
            () if text => Some(output(job)),
            // What is compiled is its text.
            () if pp.traditional && !pp.preprocessed => Some(OutputOptions::default()),
            () => None,
        },
        precompile: pp.precompile,
        dependencies: DependencyOptions {
            enabled: pp.dependencies.wanted,
            user_only: pp.dependencies.skip_system,
            missing_are_generated: pp.dependencies.missing_generated,
            phony_targets: pp.dependencies.phony,
            // They were quoted when the command line was read.
            targets: pp.dependencies.targets.iter().map(|t| (t.clone(), false)).collect(),
        },
        charsets: job.options.language.charsets.clone(),
        max_include_depth: pp.max_include_depth,
        max_macro_tokens: pp.max_macro_tokens,
        show_includes: pp.show_includes,
        timeline: job.options.timeline.clone(),
    }
}

/// Where `#include` looks.
pub fn include_paths(job: &Job<'_>) -> IncludePaths {
    let pp = job.preprocess;
    IncludePaths {
        quote: pp.quote_dirs.clone(),
        angled: pp.user_dirs.clone(),
        system: pp.system_dirs.clone(),
        builtin: pp.builtin_headers,
        builtin_name: crate::toolchain::BUILTIN_INCLUDE_DIR.to_string(),
        standard: pp.standard_dirs.clone(),
        after: pp.after_dirs.clone(),
        embed: pp.embed_dirs.clone(),
        no_current_directory: false,
    }
}

fn dialect(job: &Job<'_>) -> Dialect {
    let language = &job.options.language;
    let standard = match language.standard {
        asked::Standard::C89 => Standard::C89,
        asked::Standard::C94 => Standard::C94,
        asked::Standard::C99 => Standard::C99,
        asked::Standard::C11 => Standard::C11,
        asked::Standard::C17 => Standard::C17,
        asked::Standard::C23 => Standard::C23,
        asked::Standard::C2Y => Standard::C2Y,
    };
    Dialect {
        assembler: job.preprocess.assembler,
        trigraphs: language.trigraphs,
        asm_keywords: language.gnu_keywords,
        dollars: language.dollars_in_identifiers && !job.preprocess.assembler,
        freestanding: !language.hosted,
        published: language.published,
        unsigned_char: !language.char_signed,
        openmp_simd: language.openmp_simd,
        ..Dialect::new(standard, language.gnu)
    }
}

/// gcc's order: the macros, then what `-imacros` reads, then what `-include` reads.
fn actions(job: &Job<'_>) -> Vec<Action> {
    let pp = job.preprocess;
    let name = |p: &std::path::PathBuf| p.to_string_lossy().into_owned();
    let macros = pp.macros.iter().map(|m| match m {
        MacroAction::Define(text) => Action::Define(text.clone()),
        MacroAction::Undefine(text) => Action::Undefine(text.clone()),
    });
    let imacros = pp.imacros.iter().map(|p| Action::ImportMacros(name(p)));
    let includes = pp.includes.iter().map(|p| Action::Include(name(p)));
    macros.chain(imacros).chain(includes).collect()
}

fn output(job: &Job<'_>) -> OutputOptions {
    let pp = job.preprocess;
    let working_directory = pp.working_directory || job.options.codegen.debug_level > 0;
    // As in gcc, so that what is made of the text has macros in its debug information.
    let macros = job.options.codegen.debug_level >= super::MACROS_LEVEL && !pp.precompile;
    OutputOptions {
        no_line_markers: pp.no_line_markers,
        builtin_directory: crate::toolchain::BUILTIN_INCLUDE_DIR.to_string(),
        keep_comments: pp.keep_comments,
        keep_macro_comments: pp.keep_macro_comments,
        dump: match pp.dump {
            Dump::None | Dump::Includes if macros => DumpMacros::Definitions,
            Dump::None | Dump::Includes => DumpMacros::No,
            Dump::MacrosOnly => DumpMacros::Only,
            Dump::Definitions => DumpMacros::Definitions,
            Dump::Names => DumpMacros::Names,
            Dump::Used => DumpMacros::Used,
        },
        dump_includes: pp.dump == Dump::Includes,
        working_directory: working_directory
            .then(|| std::env::current_dir().map(|d| d.display().to_string()).unwrap_or_default()),
    }
}

fn target_macros(options: &asked::Options, asked: &Preprocessing) -> TargetMacros {
    let code = &options.codegen;
    let float = &code.float;
    let names = X86Features::TABLE.iter().filter(|row| code.features.0 & row.2 != 0).map(|row| row.0);
    TargetMacros {
        cfi_asm: (code.unwind_tables || code.exceptions || code.debug_level > 0) && !asked.no_cfi_asm,
        signaling_nans: float.signaling_nans,
        mixed_math: code.mixed_math,
        math_387: code.features.has(X86Features::MATH_387) || !code.features.has(X86Features::SSE),
        fast_excess: !options.language.gnu && (code.mixed_math || !options.standard_excess()),
        soft_float: !code.x87,
        leading_underscore: code.leading_underscore,
        optimize: match options.level {
            OptLevel::O0 => 0,
            OptLevel::O1 => 1,
            OptLevel::O2 => 2,
            OptLevel::O3 => 3,
        },
        optimize_size: options.optimize_size,
        pic: code.pic_value,
        pie: if code.pic == PicLevel::Pie { code.pic_value } else { 0 },
        no_inline: !code.inline || !options.optimizing(),
        fast_math: float.is_fast_math() && options.language.standard_excess != Some(true),
        finite_math_only: float.finite_only,
        no_math_errno: !float.math_errno,
        reciprocal_math: float.reciprocal,
        no_signed_zeros: !float.signed_zeros,
        no_trapping_math: !float.trapping_math,
        single_precision_constant: options.language.single_precision_constant,
        cx_limited_range: float.cx_limited_range,
        associative_math: float.associative,
        rounding_math: float.rounding_math,
        reentrant: asked.reentrant,
        stack_protector: match code.stack_protector {
            0 => StackProtector::None,
            1 => StackProtector::Basic,
            2 => StackProtector::Strong,
            3 => StackProtector::All,
            _ => StackProtector::Explicit,
        },
        cf_protection: code.cf_protection,
        exceptions: code.exceptions,
        code_model: match code.code_model {
            CodeModel::Small => "small",
            CodeModel::Kernel => "kernel",
            CodeModel::Medium => "medium",
            CodeModel::Large => "large",
        }
        .to_string(),
        features: names.map(String::from).collect(),
        no_sse: match () {
            () if !code.features.has(X86Features::SSE) => 1,
            () if !code.features.has(X86Features::SSE2) => 2,
            () => 0,
        },
        arch: code.march.clone().unwrap_or_else(|| "x86-64".to_string()),
        tune: code.mtune.clone(),
        short_wchar: options.language.short_wchar,
        gnu89_inline: options.language.gnu89_inline,
        sanitize_address: options.sanitize.checks(Sanitizers::ANY_ADDRESS),
        sanitize_thread: options.sanitize.checks(Sanitizers::THREAD),
        char8: false,
        fp_fast_fma: code.features.has(X86Features::FMA),
    }
}
