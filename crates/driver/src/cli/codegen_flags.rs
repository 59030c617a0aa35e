//! The `-f` family, where it has an effect. Names without `-f`; a final `=` takes a value.

use super::arguments::non_negative as number;
use super::hardening_flags;
use super::sanitize_flags;
use super::spec::{Spec, equals, flag, refuse, toggle};
use crate::invocation::Invocation;
use base::diagnostics::{ColourChoice, Format};
use platform::options::{
    FpContract, LivePatching, MergeConstants, Padding, PicLevel, TlsModel, UnrollLoops, Visibility, ZeroRegisters,
};
use platform::registers::{RESERVABLE, Reg};
use platform::remarks::RemarkList;
use std::path::PathBuf;

const NO_PROFILE: &str = "there is no profiling";
const NO_OPENMP: &str = "there is no OpenMP";

/// The rows.
#[rustfmt::skip]
pub static TABLE: &[Spec] = &[
    // Position independence.
    flag("pic", |i| set_pic(i, PicLevel::Pic, 1)), flag("PIC", |i| set_pic(i, PicLevel::Pic, 2)),
    flag("pie", |i| set_pic(i, PicLevel::Pie, 1)), flag("PIE", |i| set_pic(i, PicLevel::Pie, 2)),
    flag("no-pic", no_pic), flag("no-PIC", no_pic), flag("no-pie", no_pic), flag("no-PIE", no_pic),
    // A register that is not used at all is as good as saved by callees, and as good as not.
    equals("fixed-", |i, v| reserve(i, "-ffixed-", v)), equals("call-used-", |i, v| reserve(i, "-fcall-used-", v)),
    equals("call-saved-", |i, v| reserve(i, "-fcall-saved-", v)),
    toggle("plt", |i, on| i.options.codegen.plt = on),
    toggle("semantic-interposition", |i, on| i.options.codegen.semantic_interposition = on),
    equals("visibility=", set_visibility),
    equals("tls-model=", set_tls_model),

    // Language.
    toggle("common", |i, on| i.options.language.common = on),
    toggle("signed-char", |i, on| i.options.language.char_signed = on),
    toggle("unsigned-char", |i, on| i.options.language.char_signed = !on),
    toggle("unsigned-bitfields", |i, on| i.options.language.unsigned_bitfields = on),
    toggle("signed-bitfields", |i, on| i.options.language.unsigned_bitfields = !on),
    toggle("allow-parameterless-variadic-functions", |i, on| i.options.language.parameterless_variadic = on),
    toggle("short-enums", |i, on| i.options.language.short_enums = on),
    toggle("short-wchar", |i, on| i.options.language.short_wchar = on),
    toggle("ms-extensions", |i, on| i.options.language.ms_extensions = on),
    toggle("plan9-extensions", |i, on| i.options.language.plan9_extensions = on),
    toggle("dollars-in-identifiers", |i, on| i.options.language.dollars_in_identifiers = on),
    toggle("lax-vector-conversions", |i, on| i.options.language.lax_vector_conversions = on),
    toggle("single-precision-constant", |i, on| i.options.language.single_precision_constant = on),
    toggle("openmp-simd", |i, on| i.options.language.openmp_simd = on),
    toggle("gnu89-inline", |i, on| i.options.language.gnu89_inline = on),
    toggle("asm", |i, on| i.options.language.gnu_keywords = on),
    toggle("freestanding", |i, on| set_hosted(i, !on)),
    toggle("hosted", set_hosted),
    toggle("builtin", |i, on| i.options.language.builtins = on),
    equals("no-builtin-", |i, v| { i.options.language.disabled_builtins.push(v.into()); Ok(()) }),
    equals("builtin-", |_, v| Err(super::arguments::unknown(&format!("-fbuiltin-{v}")))),
    toggle("pack-struct", |i, on| i.options.language.pack_struct = on.then_some(1)),
    equals("pack-struct=", set_pack),
    equals("gnuc-version=", set_gnuc_version),
    equals("bracket-depth=", |i, v| { i.options.language.bracket_depth = number("-fbracket-depth=", v)?.min(1 << 24) as u32; Ok(()) }),
    equals("sso-struct=", set_storage_order),

    // Semantics.
    toggle("wrapv", |i, on| { i.options.codegen.wrapv = on; if on { i.options.codegen.trapv = false } }),
    toggle("wrapv-pointer", |i, on| i.options.codegen.wrapv_pointer = on),
    toggle("strict-overflow", |i, on| { i.options.codegen.wrapv = !on; i.options.codegen.wrapv_pointer = !on; }),
    toggle("trapv", |i, on| { i.options.codegen.trapv = on; if on { i.options.codegen.wrapv = false } }),
    toggle("strict-aliasing", |i, on| i.options.codegen.strict_aliasing = on),
    toggle("delete-null-pointer-checks", |i, on| i.options.codegen.delete_null_pointer_checks = on),
    toggle("exceptions", |i, on| i.options.codegen.exceptions = on),
    toggle("handle-exceptions", |i, on| {
        let [old, new] = ["-fhandle-exceptions", "-fexceptions"].map(super::quote);
        i.notices.push(format!("{old} has been renamed {new} (and is now on by default)"));
        i.options.codegen.exceptions = on;
    }),
    toggle("non-call-exceptions", |i, on| i.options.codegen.exceptions = on || i.options.codegen.exceptions),
    equals("trivial-auto-var-init=", set_auto_var_init),

    // Floating point.
    toggle("fast-math", set_fast_math),
    toggle("unsafe-math-optimizations", set_unsafe_math),
    toggle("math-errno", |i, on| i.options.codegen.float.math_errno = on),
    toggle("trapping-math", |i, on| i.options.codegen.float.trapping_math = on),
    toggle("rounding-math", |i, on| i.options.codegen.float.rounding_math = on),
    toggle("signaling-nans", |i, on| i.options.codegen.float.signaling_nans = on),
    toggle("fp-int-builtin-inexact", |i, on| i.options.codegen.float.int_builtin_inexact = on),
    toggle("finite-math-only", |i, on| i.options.codegen.float.finite_only = on),
    toggle("signed-zeros", |i, on| i.options.codegen.float.signed_zeros = on),
    toggle("associative-math", |i, on| i.options.codegen.float.associative = on),
    toggle("reciprocal-math", |i, on| i.options.codegen.float.reciprocal = on),
    toggle("cx-limited-range", |i, on| i.options.codegen.float.cx_limited_range = on),
    toggle("cx-fortran-rules", |i, on| i.options.codegen.float.cx_limited_range = on),
    equals("fp-contract=", set_contract),
    equals("excess-precision=", |i, v| {
        i.options.language.standard_excess = match v {
            "fast" => Some(false),
            "standard" => Some(true),
            _ => return Err(format!("{} is not supported", super::quote(&format!("-fexcess-precision={v}")))),
        };
        Ok(())
    }),

    // Sections, frames, tables.
    toggle("function-sections", |i, on| i.options.codegen.function_sections = on),
    // Without guesses no function is known to be cold, or to run once.
    toggle("guess-branch-probability", |i, on| if !on { i.options.codegen.reorder_functions = Some(false) }),
    toggle("whole-program", |i, on| i.options.codegen.whole_program = on),
    toggle("reorder-functions", |i, on| i.options.codegen.reorder_functions = Some(on)),
    toggle("data-sections", |i, on| i.options.codegen.data_sections = on),
    toggle("zero-initialized-in-bss", |i, on| i.options.codegen.zero_in_bss = on),
    toggle("merge-constants", |i, on| i.options.codegen.merge_constants = Some(if on { MergeConstants::Unnamed } else { MergeConstants::No })),
    toggle("merge-all-constants", |i, on| i.options.codegen.merge_constants = Some(if on { MergeConstants::All } else { MergeConstants::No })),
    toggle("omit-frame-pointer", |i, on| i.options.codegen.omit_frame_pointer = on),
    toggle("asynchronous-unwind-tables", |i, on| i.options.codegen.unwind_tables = on),
    toggle("unwind-tables", |i, on| i.synchronous_unwind_tables = on),
    toggle("dwarf2-cfi-asm", |i, on| i.preprocess.no_cfi_asm = !on),
    toggle("record-gcc-switches", |i, on| i.record_switches = on),
    toggle("jump-tables", |i, on| i.options.codegen.jump_tables = on),
    toggle("ident", |i, on| i.options.codegen.ident = on),
    toggle("align-functions", |i, on| i.options.codegen.align_functions = if on { 16 } else { 1 }),
    equals("align-functions=", |i, v| { i.options.codegen.align_functions = padding("-falign-functions", v)?.map_or(0, |p| p.to); Ok(()) }),
    toggle("align-loops", |i, on| i.options.codegen.align_loops = unaligned_unless(on)),
    equals("align-loops=", |i, v| { i.options.codegen.align_loops = padding("-falign-loops", v)?; Ok(()) }),
    toggle("align-jumps", |i, on| i.options.codegen.align_jumps = unaligned_unless(on)),
    equals("align-jumps=", |i, v| { i.options.codegen.align_jumps = padding("-falign-jumps", v)?; Ok(()) }),
    toggle("align-labels", |i, on| i.options.codegen.align_labels = unaligned_unless(on)),
    equals("align-labels=", |i, v| { i.options.codegen.align_labels = padding("-falign-labels", v)?; Ok(()) }),
    toggle("instrument-functions", |i, on| i.options.codegen.instrument_functions = on),
    equals("instrument-functions-exclude-file-list=", |i, v| { i.options.codegen.uninstrumented_files.extend(comma_list(v)); Ok(()) }),
    equals("instrument-functions-exclude-function-list=", |i, v| { i.options.codegen.uninstrumented_functions.extend(comma_list(v)); Ok(()) }),
    // Every page of a frame is touched in order, which is what both ask for.
    toggle("stack-check", |i, on| i.options.codegen.stack_clash_protection = on),
    equals("stack-check=", set_stack_check),
    toggle("stack-clash-protection", |i, on| i.options.codegen.stack_clash_protection = on),
    toggle("stack-protector", |i, on| i.options.codegen.stack_protector = on as u8),
    toggle("stack-protector-strong", |i, on| i.options.codegen.stack_protector = if on { 2 } else { 0 }),
    toggle("stack-protector-all", |i, on| i.options.codegen.stack_protector = if on { 3 } else { 0 }),
    toggle("stack-protector-explicit", |i, on| i.options.codegen.stack_protector = if on { 4 } else { 0 }),
    toggle("cf-protection", |i, on| i.options.codegen.cf_protection = if on { 3 } else { 0 }),
    equals("cf-protection=", set_cf_protection),

    // Optimisation choices the pipeline listens to.
    toggle("inline", |i, on| i.options.codegen.inline = on),
    toggle("inline-functions", |i, on| i.options.codegen.inline_functions = on),
    toggle("inline-small-functions", |i, on| i.options.codegen.inline_small_functions = on),
    toggle("inline-functions-called-once", |i, on| i.options.codegen.inline_called_once = on),
    toggle("ipa-cp-clone", |i, on| i.options.codegen.ipa_cp_clone = Some(on)),
    toggle("ipa-modref", |i, on| i.options.codegen.ipa_modref = on),
    toggle("keep-inline-functions", |i, on| i.options.codegen.keep_inline_functions = on),
    toggle("keep-static-functions", |i, on| i.options.codegen.keep_static_functions = on),
    toggle("toplevel-reorder", |i, on| i.options.codegen.toplevel_reorder = Some(on)),
    toggle("unit-at-a-time", |i, on| i.options.codegen.toplevel_reorder = Some(on)),
    toggle("live-patching", |i, on| i.options.codegen.live_patching = on.then_some(LivePatching::InlineClone)),
    equals("live-patching=", set_live_patching),
    equals("stack-reuse=", set_stack_reuse),
    toggle("harden-compares", |i, on| i.options.codegen.harden_compares = on),
    toggle("harden-conditional-branches", |i, on| i.options.codegen.harden_branches = on),
    // gcc's names of what is one pass here.
    toggle("tree-loop-distribute-patterns", |i, on| i.options.passes.push(("loop_idiom".into(), on))),
    toggle("code-hoisting", |i, on| i.options.passes.push(("code_hoisting".into(), on))),
    toggle("tree-sink", |i, on| i.options.passes.push(("sink".into(), on))),
    toggle("if-conversion", |i, on| i.options.passes.push(("if_convert".into(), on))),
    toggle("loop-interchange", |i, on| i.options.passes.push(("loop_interchange".into(), on))),
    toggle("predictive-commoning", |i, on| i.options.passes.push(("predictive_commoning".into(), on))),
    toggle("thread-jumps", |i, on| i.options.passes.push(("jump_threading".into(), on))),
    toggle("tree-ccp", |i, on| i.options.passes.push(("sccp".into(), on))),
    toggle("tree-ch", |i, on| i.options.passes.push(("loop_rotate".into(), on))),
    toggle("tree-dse", |i, on| i.options.passes.push(("dse".into(), on))),
    toggle("store-merging", |i, on| i.options.passes.push(("merge_accesses".into(), on))),
    toggle("tree-fre", |i, on| i.options.passes.push(("gvn".into(), on))),
    toggle("tree-loop-im", |i, on| i.options.passes.push(("licm".into(), on))),
    toggle("tree-reassoc", |i, on| i.options.passes.push(("reassociate".into(), on))),
    toggle("tree-sra", |i, on| i.options.passes.push(("sroa".into(), on))),
    toggle("tree-vrp", |i, on| i.options.passes.push(("correlate".into(), on))),
    toggle("unswitch-loops", |i, on| i.options.passes.push(("loop_unswitch".into(), on))),
    toggle("verbose-asm", |i, on| i.options.codegen.verbose_asm = on),
    equals("compare-debug=", set_compared_debug), equals("emit-struct-debug-detailed=", set_struct_debug),
    flag("callgraph-info", |i| i.call_graph = true), equals("callgraph-info=", set_call_graph),
    toggle("unroll-loops", |i, on| i.options.codegen.unroll_loops = if on { UnrollLoops::Counted } else { UnrollLoops::No }),
    toggle("unroll-all-loops", |i, on| i.options.codegen.unroll_loops = if on { UnrollLoops::All } else { UnrollLoops::No }),
    toggle("tree-vectorize", |i, on| i.options.codegen.vectorize = Some(on)),
    toggle("tree-loop-vectorize", |i, on| i.options.codegen.vectorize = Some(on)),
    toggle("tree-slp-vectorize", |i, on| i.options.codegen.vectorize = Some(on)),
    toggle("optimize-sibling-calls", |i, on| i.options.codegen.sibling_calls = on),
    equals("threads=", |i, v| { i.options.threads = number("-fthreads=", v)? as usize; Ok(()) }),
    toggle("time-report", |i, on| i.options.time_report = on),
    toggle("time-report-details", |i, on| i.options.time_report = on),

    // Paths.
    equals("file-prefix-map=", |i, v| { let m = prefix_map("-ffile-prefix-map=", v)?; i.options.codegen.debug_prefix_map.push(m.clone()); i.preprocess.macro_prefix_map.push(m); Ok(()) }),
    equals("debug-prefix-map=", |i, v| { i.options.codegen.debug_prefix_map.push(prefix_map("-fdebug-prefix-map=", v)?); Ok(()) }),
    equals("macro-prefix-map=", |i, v| { i.preprocess.macro_prefix_map.push(prefix_map("-fmacro-prefix-map=", v)?); Ok(()) }),
    equals("profile-prefix-map=", |_, v| prefix_map("-fprofile-prefix-map=", v).map(drop)),

    // Diagnostics.
    toggle("diagnostics-color", |i, on| { set_color(i, if on { "always" } else { "never" }).ok(); }),
    equals("diagnostics-color=", set_color),
    toggle("diagnostics-show-caret", |i, on| i.diagnostics.look.show_caret = on),
    toggle("diagnostics-show-option", |i, on| i.diagnostics.look.show_option = on),
    toggle("diagnostics-parseable-fixits", |i, on| i.diagnostics.look.parseable_fixits = on),
    toggle("diagnostics-generate-patch", |i, on| i.diagnostics.look.generate_patch = on),
    toggle("show-column", |i, on| i.diagnostics.look.show_column = on),
    equals("macro-backtrace-limit=", |i, v| { i.diagnostics.look.macro_backtrace_limit = number("-fmacro-backtrace-limit=", v)? as u32; Ok(()) }),
    flag("diagnostics-plain-output", |i| { i.diagnostics.look.show_caret = false; set_color(i, "never").ok(); }),
    equals("diagnostics-format=", set_diagnostic_format),
    equals("max-errors=", |i, v| { i.diagnostics.look.max_errors = number("-fmax-errors=", v)? as u32; Ok(()) }),

    // Checks at run time.
    equals("sanitize=", sanitize_flags::enable), equals("no-sanitize=", sanitize_flags::disable),
    equals("sanitize-recover=", sanitize_flags::recover_from), equals("no-sanitize-recover=", sanitize_flags::stop_at),
    toggle("sanitize-recover", sanitize_flags::recover_from_undefined),
    toggle("sanitize-address-use-after-scope", |i, on| i.options.sanitize.use_after_scope = Some(on)),
    equals("sanitize-sections=", |_, _| Ok(())), equals("asan-shadow-offset=", sanitize_flags::shadow_start),
    equals("sanitize-coverage=", sanitize_flags::trace), equals("no-sanitize-coverage=", sanitize_flags::trace_less),
    toggle("sanitize-undefined-trap-on-error", |i, on| i.options.sanitize.trap = on),
    toggle("sanitize-minimal-runtime", |i, on| i.options.sanitize.minimal = on),

    // What gcc 12 cannot do for this processor either.
    toggle("section-anchors", |i, on| if on { no_section_anchors(i) }),
    toggle("delayed-branch", |i, on| if on { i.notices.push("this target machine does not have delayed branches".into()) }),
    toggle("var-tracking", |i, on| i.tracks_variables = on), toggle("var-tracking-uninit", |i, on| i.tracks_variables = on),
    equals("inline-limit-", |_, v| number("-finline-limit=", v).map(drop)),

    // An order of evaluation that C++17 asks for.
    toggle("strong-eval-order", |_, _| {}), equals("strong-eval-order=", |_, _| Ok(())),

    // Link-time optimisation. The number of its threads is that of every compilation.
    toggle("lto", |i, on| i.lto = on), equals("lto=", lto_threads), equals("no-lto=", |i, _| { i.lto = false; Ok(()) }),

    // Coverage.
    toggle("profile-arcs", |i, on| i.options.coverage.counts = on), toggle("test-coverage", |i, on| i.options.coverage.notes = on),
    equals("profile-update=", |i, v| { i.options.coverage.atomic = v != "single"; Ok(()) }),
    equals("profile-dir=", |i, v| { i.options.coverage.directory = Some(v.into()); Ok(()) }),
    equals("profile-note=", |i, v| { i.options.coverage.note_file = Some(v.into()); Ok(()) }),
    // Profiles. Values are not counted: `-fprofile-values` has nothing to add.
    toggle("profile-generate", |i, on| i.options.coverage.counts = on),
    equals("profile-generate=", |i, v| { i.options.coverage.counts = true; i.options.coverage.directory = Some(v.into()); Ok(()) }),
    toggle("profile-use", |i, on| i.options.coverage.use_counts = on), toggle("branch-probabilities", |i, on| i.options.coverage.use_counts = on),
    equals("profile-use=", |i, v| { i.options.coverage.use_counts = true; i.options.coverage.use_from = Some(v.into()); Ok(()) }),
    toggle("profile-values", |_, _| {}),
    equals("profile-filter-files=", |i, v| { i.options.coverage.filter_files = file_patterns("-fprofile-filter-files", v)?; Ok(()) }),
    equals("profile-exclude-files=", |i, v| { i.options.coverage.exclude_files = file_patterns("-fprofile-exclude-files", v)?; Ok(()) }),
    toggle("profile-abs-path", |i, on| i.options.coverage.absolute = on),

    // Not there.
    refuse("openmp", NO_OPENMP), refuse("openacc", "there is no OpenACC"), refuse("openacc-dim=", "there is no OpenACC"),
    refuse("offload=", "there is no offloading"), refuse("offload-abi=", "there is no offloading"), refuse("offload-options=", "there is no offloading"),
    refuse("profile", NO_PROFILE), refuse("auto-profile", NO_PROFILE), refuse("auto-profile=", NO_PROFILE), refuse("profile-info-section", NO_PROFILE),
    equals("profile-reproducible=", |_, _| Ok(())),
    refuse("gnu-tm", "there is no transactional memory"),
    refuse("split-stack", "segmented stacks are not there"),
    refuse("stack-limit-register=", "stack limits are not checked"), refuse("stack-limit-symbol=", "stack limits are not checked"), toggle("stack-limit", |_, _| {}),
    toggle("conserve-stack", |i, on| i.options.codegen.conserve_stack = on),
    flag("stack-usage", |i| i.stack_usage = true),
    flag("time-trace", |i| _ = i.time_trace.get_or_insert_default()),
    equals("time-trace=", |i, path| {
        i.time_trace.get_or_insert_default().path = Some(path.into());
        Ok(())
    }),
    equals("time-trace-granularity=", |i, number| {
        let micros = number.parse().map_err(|_| format!("argument to {} should be a non-negative integer", super::quote("-ftime-trace-granularity=")))?;
        i.time_trace.get_or_insert_default().granularity = std::time::Duration::from_micros(micros);
        Ok(())
    }),
    refuse("plugin=", "gcc plugins cannot be loaded"),
    equals("patchable-function-entry=", hardening_flags::patchable),
    toggle("leading-underscore", |i, on| i.options.codegen.leading_underscore = on),
    refuse("pcc-struct-return", "it changes the ABI"), refuse("reg-struct-return", "it changes the ABI"),
    refuse("inhibit-size-directive", "symbols always carry their size"),
    equals("zero-call-used-regs=", set_zero_registers),
    refuse("vtable-verify=", "that is for C++"), refuse("analyzer", "there is no static analyser"),
    refuse("gimple", "GIMPLE is gcc's own form"), refuse("building-libgcc", "this is not gcc"),
    toggle("save-optimization-record", |i, on| i.remark_record = on.then(Default::default)),
    equals("save-optimization-record=", set_record_format),
    equals("optimization-record-file=", |i, v| { i.remark_record.get_or_insert_default().file = Some(v.into()); Ok(()) }),
    equals("optimization-record-passes=", |i, v| {
        i.remark_record.get_or_insert_default().passes = v.split(['|', ',']).map(String::from).collect();
        Ok(())
    }),
    flag("opt-info", |i| set_opt_info(i, "").expect("no kinds, no file")),
    equals("opt-info-", |i, v| set_opt_info(i, &format!("-{v}"))), equals("opt-info=", |i, v| set_opt_info(i, &format!("={v}"))),
    equals("dump-", |i, v| { i.notices.push(format!("-fdump-{v}: gcc's dump files are not written; see --print-after= and --emit=ir")); Ok(()) }),
];

/// `--coverage`
pub fn cover(inv: &mut Invocation) {
    (inv.options.coverage.counts, inv.options.coverage.notes) = (true, true);
}

/// `-fopt-info`, `-fopt-info-KINDS`, `-fopt-info=FILE`.
fn set_opt_info(inv: &mut Invocation, rest: &str) -> Result<(), String> {
    let (kinds, file) = rest.split_once('=').map_or((rest, None), |(kinds, file)| (kinds, Some(file)));
    let mut list = RemarkList { file: file.map(PathBuf::from), ..RemarkList::default() };
    for kind in kinds.split('-').filter(|kind| !kind.is_empty()) {
        match kind {
            "optimized" => list.passed = true,
            "missed" => list.missed = true,
            "note" => list.analysis = true,
            "all" => (list.passed, list.missed, list.analysis) = (true, true, true),
            "ipa" | "loop" | "inline" | "vec" | "omp" | "optall" => list.groups.push(kind.to_string()),
            "internals" => {}
            _ => {
                let option = format!("-fopt-info{rest}");
                return Err(format!("unrecognized command-line option {}", super::quote(&option)));
            }
        }
    }
    if !(list.passed || list.missed || list.analysis) {
        list.passed = true;
    }
    inv.options.remark_lists.push(list);
    Ok(())
}

/// `-fsave-optimization-record=FORMAT`.
fn set_record_format(inv: &mut Invocation, v: &str) -> Result<(), String> {
    if v != "yaml" {
        return Err(format!("unknown format {} for -fsave-optimization-record=: it is 'yaml'", super::quote(v)));
    }
    inv.remark_record.get_or_insert_default();
    Ok(())
}

fn set_pic(inv: &mut Invocation, pic: PicLevel, value: u8) {
    inv.options.codegen.pic = pic;
    inv.options.codegen.pic_value = value;
}

fn no_section_anchors(inv: &mut Invocation) {
    let option = super::quote("-fsection-anchors");
    inv.notices.push(format!("this target does not support {option} [-fsection-anchors]"));
}

/// The argument of `-fprofile-filter-files=` and `-fprofile-exclude-files=`: expressions between
/// semicolons.
fn file_patterns(option: &str, v: &str) -> Result<Vec<String>, String> {
    let patterns: Vec<String> = v.split(';').filter(|p| !p.is_empty()).map(String::from).collect();
    match patterns.iter().find(|pattern| base::file_patterns::Pattern::new(pattern).is_none()) {
        Some(wrong) => Err(format!("invalid regular expression {} in {}", super::quote(wrong), super::quote(option))),
        None => Ok(patterns),
    }
}

fn no_pic(inv: &mut Invocation) {
    set_pic(inv, PicLevel::None, 0);
}

fn set_hosted(inv: &mut Invocation, on: bool) {
    inv.options.language.hosted = on;
    inv.options.language.builtins = on;
}

/// `-flto=`: how many threads a link may use.
fn lto_threads(inv: &mut Invocation, value: &str) -> Result<(), String> {
    if !matches!(value, "auto" | "jobserver" | "none") && !value.parse::<u32>().is_ok_and(|n| n > 0) {
        return Err(format!("unrecognized argument to {} option: {}", super::quote("-flto="), super::quote(value)));
    }
    inv.lto = true;
    Ok(())
}

/// `-ffast-math`, also the floating-point part of `-Ofast`.
pub fn set_fast_math(inv: &mut Invocation, on: bool) {
    set_unsafe_math(inv, on);
    let f = &mut inv.options.codegen.float;
    f.math_errno = !on;
    f.finite_only = on;
    f.cx_limited_range = on;
    f.rounding_math = false;
    f.signaling_nans = false;
}

fn set_unsafe_math(inv: &mut Invocation, on: bool) {
    let f = &mut inv.options.codegen.float;
    f.unsafe_math = on;
    f.trapping_math = !on;
    f.signed_zeros = !on;
    f.associative = on;
    f.reciprocal = on;
}

/// `-ffixed-REG` and its relatives.
fn reserve(inv: &mut Invocation, option: &str, name: &str) -> Result<(), String> {
    match Reg::from_name(name) {
        Some(reg) if RESERVABLE.contains(reg) => {
            inv.options.codegen.fixed_registers.insert(reg);
            Ok(())
        }
        Some(_) => Err(format!(
            "{} is not supported: generated code cannot do without that register",
            super::quote(&format!("{option}{name}"))
        )),
        None => Err(format!("unknown register name: {name}")),
    }
}

fn bad_argument(option: &str, v: &str) -> String {
    format!("unrecognized argument in option {}", super::quote(&format!("{option}{v}")))
}

fn set_visibility(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.visibility = match v {
        "default" => Visibility::Default,
        "hidden" => Visibility::Hidden,
        "protected" => Visibility::Protected,
        "internal" => Visibility::Internal,
        _ => return Err(format!("unrecognized visibility value {}", super::quote(v))),
    };
    Ok(())
}

fn set_tls_model(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.tls_model = match v {
        "global-dynamic" => TlsModel::GeneralDynamic,
        "local-dynamic" => TlsModel::LocalDynamic,
        "initial-exec" => TlsModel::InitialExec,
        "local-exec" => TlsModel::LocalExec,
        _ => return Err(format!("unknown TLS model {}", super::quote(v))),
    };
    Ok(())
}

/// `all`, `named_vars` or `none`. Temporaries have no markers of their lifetimes: the first two are
/// the same.
fn set_stack_reuse(inv: &mut Invocation, value: &str) -> Result<(), String> {
    inv.options.codegen.stack_reuse = match value {
        "all" | "named_vars" => true,
        "none" => false,
        _ => return Err(bad_argument("-fstack-reuse=", value)),
    };
    Ok(())
}

fn set_contract(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.float.contract = match v {
        "fast" => FpContract::Fast,
        "on" => FpContract::On,
        "off" => FpContract::Off,
        _ => return Err(bad_argument("-ffp-contract=", v)),
    };
    Ok(())
}

/// `-fcompare-debug=`: options of a second compilation, which is not made.
fn set_compared_debug(_: &mut Invocation, v: &str) -> Result<(), String> {
    if v.is_empty() || v.starts_with('-') {
        return Ok(());
    }
    Err(format!("switch {} does not start with {}", super::quote(v), super::quote("-")))
}

/// `-femit-struct-debug-detailed=`: a list of files whose structures are described. All are.
fn set_struct_debug(_: &mut Invocation, v: &str) -> Result<(), String> {
    let wrong = v.split(',').find(|item| {
        let item = item.strip_prefix("dir:").or(item.strip_prefix("ind:")).unwrap_or(item);
        let item = item.strip_prefix("ord:").or(item.strip_prefix("gen:")).unwrap_or(item);
        !matches!(item, "none" | "any" | "base" | "sys")
    });
    let option = super::quote("-femit-struct-debug-detailed");
    wrong.map_or(Ok(()), |item| Err(format!("argument {} to {option} not recognized", super::quote(item))))
}

/// `-fcallgraph-info=`
fn set_call_graph(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.call_graph = true;
    for word in v.split(',') {
        match word {
            "su" => inv.options.codegen.call_graph_stack = true,
            "da" => return Err(format!("{} is not supported", super::quote("-fcallgraph-info=da"))),
            _ => {
                let option = super::quote(&format!("-fcallgraph-info={v}"));
                return Err(format!("unrecognized command-line option {option}"));
            }
        }
    }
    Ok(())
}

fn set_cf_protection(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.cf_protection = match v {
        "full" => 3,
        "branch" => 1,
        "return" => 2,
        "none" | "check" => 0,
        _ => return Err(bad_argument("-fcf-protection=", v)),
    };
    Ok(())
}

/// `-fstack-check=`: `generic` and `specific` differ in who probes, not in what is probed.
fn set_stack_check(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.stack_clash_protection = match v {
        "specific" | "generic" => true,
        "no" => false,
        _ => {
            inv.notices.push(format!("unknown stack check parameter {}", super::quote(v)));
            return Ok(());
        }
    };
    Ok(())
}

/// `-fzero-call-used-regs=`
fn set_zero_registers(inv: &mut Invocation, v: &str) -> Result<(), String> {
    match ZeroRegisters::named(v) {
        Some(choice) => inv.options.codegen.zero_call_used_regs = choice,
        None => {
            let option = super::quote("-fzero-call-used-regs=");
            return Err(format!("unrecognized argument to {option}: {}", super::quote(v)));
        }
    }
    Ok(())
}

/// `a,b\,c`: a backslash keeps the comma in a name.
fn comma_list(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            ',' => names.push(String::new()),
            '\\' => names.last_mut().expect("one at least").extend(characters.next()),
            _ => names.last_mut().expect("one at least").push(c),
        }
    }
    names.retain(|n| !n.is_empty());
    names
}

fn set_auto_var_init(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.auto_var_init = match v {
        "uninitialized" => None,
        "zero" => Some(0),
        "pattern" => Some(0xFE),
        _ => return Err(bad_argument("-ftrivial-auto-var-init=", v)),
    };
    Ok(())
}

/// `-flive-patching=`
fn set_live_patching(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.options.codegen.live_patching = Some(match v {
        "inline-clone" => LivePatching::InlineClone,
        "inline-only-static" => LivePatching::InlineOnlyStatic,
        _ => return Err(bad_argument("-flive-patching=", v)),
    });
    Ok(())
}

/// `-fsso-struct=`
fn set_storage_order(inv: &mut Invocation, value: &str) -> Result<(), String> {
    inv.options.language.reversed_storage = match value {
        "big-endian" => true,
        "little-endian" | "native" => false,
        _ => return Err(format!("unrecognized scalar storage order value '{value}'")),
    };
    Ok(())
}

fn set_pack(inv: &mut Invocation, v: &str) -> Result<(), String> {
    match super::arguments::number(v, false) {
        Some(n @ (1 | 2 | 4 | 8 | 16)) => {
            inv.options.language.pack_struct = Some(n as u32);
            Ok(())
        }
        _ => Err(format!("structure alignment must be a small power of two, not {v}")),
    }
}

fn set_gnuc_version(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let mut parts = v.split('.').map(|p| p.parse::<u32>());
    let mut version = [0; 3];
    for slot in &mut version {
        match parts.next() {
            Some(Ok(n)) => *slot = n,
            Some(Err(_)) => return Err(bad_argument("-fgnuc-version=", v)),
            None => break,
        }
    }
    inv.options.language.gnuc_version = version;
    Ok(())
}

/// `n[:m[:n2[:m2]]]`: only the first number counts.
/// The argument `N:M:N2:M2` of an alignment option: up to M - 1 bytes are skipped for N, else up to
/// M2 - 1 for N2. `None` is the default of the level.
fn padding(option: &str, v: &str) -> Result<Option<Padding>, String> {
    let name = super::quote(option);
    let parts: Vec<&str> = v.split(':').collect();
    if parts.len() > 4 {
        return Err(format!("invalid number of arguments for {name} option: {}", super::quote(v)));
    }
    let mut numbers = [0; 4];
    for (number, part) in numbers.iter_mut().zip(&parts) {
        let value: Option<u64> = part.parse().ok().filter(|_| part.bytes().all(|b| b.is_ascii_digit()));
        let value = value.ok_or_else(|| format!("invalid arguments for {name} option: {}", super::quote(v)))?;
        *number = u32::try_from(value)
            .ok()
            .filter(|&n| n <= 65536)
            .ok_or_else(|| format!("{name} is not between 0 and 65536"))?;
    }
    let [to, skip, second, second_skip] = numbers;
    if to == 0 {
        return Ok(None);
    }
    let at_most = |to: u32, skip: u32| if skip == 0 { to - 1 } else { (skip - 1).min(to - 1) };
    let (to, second) = (to.next_power_of_two(), second.max(1).next_power_of_two());
    Ok(Some(Padding { to, skip: at_most(to, skip), or_to: (second, at_most(second, second_skip)) }))
}

/// No alignment for the `no-` form; the default of the level otherwise.
fn unaligned_unless(on: bool) -> Option<Padding> {
    (!on).then_some(Padding { to: 1, skip: 0, or_to: (1, 0) })
}

fn prefix_map(option: &str, v: &str) -> Result<(String, String), String> {
    match v.split_once('=') {
        Some((old, new)) => Ok((old.to_string(), new.to_string())),
        None => Err(format!("invalid argument {} to {}", super::quote(v), super::quote(option.trim_end_matches('=')))),
    }
}

fn set_diagnostic_format(inv: &mut Invocation, v: &str) -> Result<(), String> {
    let look = &mut inv.diagnostics.look;
    look.to_file = matches!(v, "json-file" | "sarif-file");
    look.format = match v {
        "text" => Format::Text,
        "json" | "json-stderr" | "json-file" => Format::Json,
        "sarif-stderr" | "sarif-file" => Format::Sarif,
        _ => return Err(bad_argument("-fdiagnostics-format=", v)),
    };
    Ok(())
}

/// `-fdiagnostics-color[=when]`.
fn set_color(inv: &mut Invocation, v: &str) -> Result<(), String> {
    inv.diagnostics.look.colour = match v {
        "always" => ColourChoice::Always,
        "never" => ColourChoice::Never,
        "auto" => ColourChoice::Auto,
        _ => {
            return Err(format!(
                "unrecognized argument in option {}",
                super::quote(&format!("-fdiagnostics-color={v}"))
            ));
        }
    };
    Ok(())
}
