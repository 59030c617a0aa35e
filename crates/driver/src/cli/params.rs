//! `--param=NAME=VALUE`: gcc 12's names and bounds.
//!
//! The parameters tune gcc's own heuristics. Those that decide how code is protected are
//! implemented or refused ([`apply`]); the others cannot change what a program means and are
//! checked, as gcc checks them, and accepted.

use super::quote;
use crate::invocation::Invocation;

/// Where the table gives no bound.
const MAX: u64 = i32::MAX as u64;

/// Name, least and greatest value (gcc manual, "Options That Control Optimization", `--param`).
#[rustfmt::skip]
const NUMBERS: &[(&str, u64, u64)] = &[
    ("align-loop-iterations", 0, MAX), ("align-threshold", 1, 65536), ("asan-globals", 0, 1),
    ("asan-instrument-allocas", 0, 1), ("asan-instrument-reads", 0, 1), ("asan-instrument-writes", 0, 1),
    ("asan-instrumentation-with-call-threshold", 0, MAX), ("asan-memintrin", 0, 1), ("asan-stack", 0, 1),
    ("asan-use-after-return", 0, 1), ("avg-loop-niter", 1, 65536), ("avoid-fma-max-bits", 0, 512),
    ("builtin-expect-probability", 0, 100), ("builtin-string-cmp-inline-length", 0, 100),
    ("case-values-threshold", 0, MAX), ("comdat-sharing-probability", 0, MAX),
    ("constructive-interference-size", 0, MAX), ("cxx-max-namespaces-for-diagnostic-help", 0, MAX),
    ("destructive-interference-size", 0, MAX), ("dse-max-alias-queries-per-store", 0, MAX),
    ("dse-max-object-size", 0, MAX), ("early-inlining-insns", 0, MAX), ("evrp-sparse-threshold", 0, MAX),
    ("evrp-switch-limit", 0, MAX), ("fsm-scale-path-blocks", 1, 10), ("fsm-scale-path-stmts", 1, 10),
    ("gcse-after-reload-critical-fraction", 0, MAX), ("gcse-after-reload-partial-fraction", 0, MAX),
    ("gcse-cost-distance-ratio", 0, MAX), ("gcse-unrestricted-cost", 0, MAX), ("ggc-min-expand", 0, MAX),
    ("ggc-min-heapsize", 0, MAX), ("gimple-fe-computed-hot-bb-threshold", 0, MAX),
    ("graphite-allow-codegen-errors", 0, 1), ("graphite-max-arrays-per-scop", 0, MAX),
    ("graphite-max-nb-scop-params", 0, MAX), ("hash-table-verification-limit", 0, MAX),
    ("hot-bb-count-fraction", 0, MAX), ("hot-bb-count-ws-permille", 0, 1000), ("hot-bb-frequency-fraction", 0, MAX),
    ("hwasan-instrument-allocas", 0, 1), ("hwasan-instrument-mem-intrinsics", 0, 1),
    ("hwasan-instrument-reads", 0, 1), ("hwasan-instrument-stack", 0, 1), ("hwasan-instrument-writes", 0, 1),
    ("hwasan-random-frame-tag", 0, 1), ("inline-heuristics-hint-percent", 100, 1000000),
    ("inline-min-speedup", 0, 100), ("inline-unit-growth", 0, MAX), ("integer-share-limit", 2, 65536),
    ("ipa-cp-eval-threshold", 0, MAX), ("ipa-cp-large-unit-insns", 0, MAX), ("ipa-cp-loop-hint-bonus", 0, MAX),
    ("ipa-cp-max-recursive-depth", 0, MAX), ("ipa-cp-min-recursive-probability", 0, MAX),
    ("ipa-cp-profile-count-base", 0, 100), ("ipa-cp-recursion-penalty", 0, 100),
    ("ipa-cp-recursive-freq-factor", 0, MAX), ("ipa-cp-single-call-penalty", 0, 100), ("ipa-cp-unit-growth", 0, MAX),
    ("ipa-cp-value-list-size", 0, MAX), ("ipa-jump-function-lookups", 0, MAX), ("ipa-max-aa-steps", 0, MAX),
    ("ipa-max-agg-items", 0, MAX), ("ipa-max-loop-predicates", 0, MAX), ("ipa-max-param-expr-ops", 0, MAX),
    ("ipa-max-switch-predicate-bounds", 0, MAX), ("ipa-sra-max-replacements", 0, 16),
    ("ipa-sra-ptr-growth-factor", 0, MAX), ("ira-consider-dup-in-all-alts", 0, 1),
    ("ira-loop-reserved-regs", 0, MAX), ("ira-max-conflict-table-size", 0, MAX), ("ira-max-loops-num", 0, MAX),
    ("iv-always-prune-cand-set-bound", 0, MAX), ("iv-consider-all-candidates-bound", 0, MAX),
    ("iv-max-considered-uses", 0, MAX), ("jump-table-max-growth-ratio-for-size", 0, MAX),
    ("jump-table-max-growth-ratio-for-speed", 0, MAX), ("l1-cache-line-size", 0, MAX), ("l1-cache-size", 0, MAX),
    ("l2-cache-size", 0, MAX), ("large-function-growth", 0, MAX), ("large-function-insns", 0, MAX),
    ("large-stack-frame", 0, MAX), ("large-stack-frame-growth", 0, MAX), ("large-unit-insns", 0, MAX),
    ("lazy-modules", 0, MAX), ("lim-expensive", 0, MAX), ("logical-op-non-short-circuit", 0, 1),
    ("loop-block-tile-size", 0, MAX), ("loop-interchange-max-num-stmts", 0, MAX),
    ("loop-interchange-stride-ratio", 0, MAX), ("loop-invariant-max-bbs-in-loop", 0, MAX),
    ("loop-max-datarefs-for-datadeps", 0, MAX), ("loop-versioning-max-inner-insns", 0, MAX),
    ("loop-versioning-max-outer-insns", 0, MAX), ("lra-inheritance-ebb-probability-cutoff", 0, 100),
    ("lra-max-considered-reload-pseudos", 0, MAX), ("lto-max-partition", 0, MAX),
    ("lto-max-streaming-parallelism", 1, 65536), ("lto-min-partition", 0, MAX), ("lto-partitions", 1, 65536),
    ("max-average-unrolled-insns", 0, MAX), ("max-combine-insns", 2, 4),
    ("max-completely-peel-loop-nest-depth", 0, MAX), ("max-completely-peel-times", 0, MAX),
    ("max-completely-peeled-insns", 0, MAX), ("max-crossjump-edges", 0, MAX), ("max-cse-insns", 0, MAX),
    ("max-cse-path-length", 1, 65536), ("max-cselib-memory-locations", 0, MAX), ("max-debug-marker-count", 0, MAX),
    ("max-delay-slot-insn-search", 0, MAX), ("max-delay-slot-live-search", 0, MAX),
    ("max-dse-active-local-stores", 0, MAX), ("max-early-inliner-iterations", 0, MAX),
    ("max-fields-for-field-sensitive", 0, MAX), ("max-find-base-term-values", 0, MAX),
    ("max-fsm-thread-length", 1, 999999), ("max-fsm-thread-path-insns", 1, 999999),
    ("max-gcse-insertion-ratio", 0, MAX), ("max-gcse-memory", 0, MAX), ("max-goto-duplication-insns", 0, MAX),
    ("max-grow-copy-bb-insns", 0, MAX), ("max-hoist-depth", 0, MAX),
    ("max-inline-functions-called-once-insns", 0, MAX), ("max-inline-functions-called-once-loop-depth", 0, MAX),
    ("max-inline-insns-auto", 0, MAX), ("max-inline-insns-recursive", 0, MAX),
    ("max-inline-insns-recursive-auto", 0, MAX), ("max-inline-insns-single", 0, MAX),
    ("max-inline-insns-size", 0, MAX), ("max-inline-insns-small", 0, MAX), ("max-inline-recursive-depth", 0, MAX),
    ("max-inline-recursive-depth-auto", 0, MAX), ("max-isl-operations", 0, MAX),
    ("max-iterations-computation-cost", 0, MAX), ("max-iterations-to-track", 0, MAX),
    ("max-jump-thread-duplication-stmts", 0, MAX), ("max-last-value-rtl", 0, MAX), ("max-loop-header-insns", 0, MAX),
    ("max-modulo-backtrack-attempts", 0, MAX), ("max-partial-antic-length", 0, MAX), ("max-peel-branches", 0, MAX),
    ("max-peel-times", 0, MAX), ("max-peeled-insns", 0, MAX), ("max-pending-list-length", 0, MAX),
    ("max-pipeline-region-blocks", 0, MAX), ("max-pipeline-region-insns", 0, MAX), ("max-pow-sqrt-depth", 1, 32),
    ("max-predicted-iterations", 0, 65536), ("max-reload-search-insns", 0, MAX),
    ("max-rtl-if-conversion-insns", 0, 99), ("max-rtl-if-conversion-predictable-cost", 0, 200),
    ("max-rtl-if-conversion-unpredictable-cost", 0, 200), ("max-sched-extend-regions-iters", 0, MAX),
    ("max-sched-insn-conflict-delay", 1, 10), ("max-sched-ready-insns", 1, 65536),
    ("max-sched-region-blocks", 0, MAX), ("max-sched-region-insns", 0, MAX), ("max-slsr-cand-scan", 1, 999999),
    ("max-speculative-devirt-maydefs", 0, MAX), ("max-ssa-name-query-depth", 1, 10),
    ("max-store-chains-to-track", 1, 65536), ("max-stores-to-merge", 2, 65536), ("max-stores-to-sink", 0, MAX),
    ("max-stores-to-track", 2, 1048576), ("max-tail-merge-comparisons", 0, MAX),
    ("max-tail-merge-iterations", 0, MAX), ("max-tracked-strlens", 0, MAX),
    ("max-tree-if-conversion-phi-args", 2, 65536), ("max-unroll-times", 0, MAX), ("max-unrolled-insns", 0, MAX),
    ("max-unswitch-insns", 0, MAX), ("max-unswitch-level", 0, MAX), ("max-variable-expansions-in-unroller", 0, MAX),
    ("max-vartrack-expr-depth", 0, MAX), ("max-vartrack-reverse-op-size", 0, MAX), ("max-vartrack-size", 0, MAX),
    ("max-vrp-switch-assertions", 0, MAX), ("min-crossjump-insns", 1, 65536),
    ("min-inline-recursive-probability", 0, MAX), ("min-insn-to-prefetch-ratio", 0, MAX),
    ("min-loop-cond-split-prob", 0, 100), ("min-nondebug-insn-uid", 0, MAX), ("min-pagesize", 0, MAX),
    ("min-size-for-stack-sharing", 0, MAX), ("min-spec-prob", 0, MAX), ("min-vect-loop-bound", 0, MAX),
    ("modref-max-accesses", 0, MAX), ("modref-max-adjustments", 0, 254), ("modref-max-bases", 0, MAX),
    ("modref-max-depth", 1, 65536), ("modref-max-escape-points", 0, MAX), ("modref-max-refs", 0, MAX),
    ("modref-max-tests", 0, MAX), ("parloops-chunk-size", 0, MAX), ("parloops-min-per-thread", 2, 65536),
    ("partial-inlining-entry-probability", 0, 100), ("predictable-branch-outcome", 0, 50),
    ("prefetch-dynamic-strides", 0, 1), ("prefetch-latency", 0, MAX), ("prefetch-min-insn-to-mem-ratio", 0, MAX),
    ("prefetch-minimum-stride", 0, MAX), ("profile-func-internal-id", 0, 1), ("ranger-logical-depth", 1, 999),
    ("relation-block-limit", 0, 9999), ("rpo-vn-max-loop-depth", 2, 65536),
    ("sccvn-max-alias-queries-per-access", 0, MAX), ("scev-max-expr-complexity", 0, MAX),
    ("scev-max-expr-size", 0, MAX), ("sched-autopref-queue-depth", 0, MAX), ("sched-mem-true-dep-cost", 0, MAX),
    ("sched-pressure-algorithm", 1, 2), ("sched-spec-prob-cutoff", 0, 100), ("sched-state-edge-prob-cutoff", 0, 100),
    ("selsched-insns-to-rename", 0, MAX), ("selsched-max-lookahead", 0, MAX), ("selsched-max-sched-times", 1, 65536),
    ("simultaneous-prefetches", 0, MAX), ("sink-frequency-threshold", 0, 100), ("sms-dfa-history", 0, 16),
    ("sms-loop-average-count-threshold", 0, MAX), ("sms-max-ii-factor", 1, 16), ("sms-min-sc", 1, 2),
    ("sra-max-propagations", 0, MAX), ("sra-max-scalarization-size-Osize", 0, MAX),
    ("sra-max-scalarization-size-Ospeed", 0, MAX), ("ssa-name-def-chain-limit", 0, MAX),
    ("ssp-buffer-size", 1, 65536), ("stack-clash-protection-guard-size", 12, 30),
    ("stack-clash-protection-probe-interval", 10, 16), ("store-merging-allow-unaligned", 0, 1),
    ("store-merging-max-size", 1, 65536), ("switch-conversion-max-branch-ratio", 1, 65536),
    ("tm-max-aggregate-size", 0, MAX), ("tracer-dynamic-coverage", 0, 100),
    ("tracer-dynamic-coverage-feedback", 0, 100), ("tracer-max-code-growth", 0, MAX),
    ("tracer-min-branch-probability", 0, 100), ("tracer-min-branch-probability-feedback", 0, 100),
    ("tracer-min-branch-ratio", 0, 100), ("tree-reassoc-width", 0, MAX), ("tsan-distinguish-volatile", 0, 1),
    ("tsan-instrument-func-entry-exit", 0, 1), ("uninit-control-dep-attempts", 1, 65536),
    ("uninlined-function-insns", 0, 1000000), ("uninlined-function-time", 0, 1000000),
    ("uninlined-thunk-insns", 0, 1000000), ("uninlined-thunk-time", 0, 1000000),
    ("unlikely-bb-count-fraction", 0, MAX), ("unroll-jam-max-unroll", 0, MAX), ("unroll-jam-min-percent", 0, 100),
    ("use-after-scope-direct-emission-threshold", 0, MAX), ("use-canonical-types", 0, 1),
    ("vect-epilogues-nomask", 0, 1), ("vect-induction-float", 0, MAX), ("vect-inner-loop-cost-factor", 1, 10000),
    ("vect-max-peeling-for-alignment", 0, 64), ("vect-max-version-for-alias-checks", 0, MAX),
    ("vect-max-version-for-alignment-checks", 0, MAX), ("vect-partial-vector-usage", 0, 2),
    ("x86-stlf-window-ninsns", 0, MAX),
];

/// Name, what it is in the message about a wrong word, and its words.
const WORDS: &[(&str, &str, &[&str])] = &[
    ("evrp-mode", "evrp mode", &["legacy", "legacy-first", "ranger", "ranger-first"]),
    ("openacc-kernels", "", &["decompose", "parloops"]),
    ("openacc-privatization", "", &["noisy", "quiet"]),
    ("parloops-schedule", "", &["auto", "dynamic", "guided", "runtime", "static"]),
    ("ranger-debug", "ranger debug mode", &["all", "cache", "gori", "none", "trace", "tracegori"]),
    ("threader-debug", "threader debug mode", &["all", "none"]),
    ("vrp1-mode", "vrp mode", &["ranger", "vrp"]),
    ("vrp2-mode", "vrp mode", &["ranger", "vrp"]),
];

/// Name, least and greatest value of the parameters that are numbers.
pub fn numbers() -> impl Iterator<Item = (&'static str, u64, u64)> {
    NUMBERS.iter().copied()
}

/// `NAME=VALUE` after `--param=` or `--param `.
pub fn set(inv: &mut Invocation, text: &str) -> Result<(), String> {
    let option = format!("--param={}", text.split('=').next().unwrap_or(text));
    let unknown = || format!("unrecognized command-line option {}", quote(&format!("--param={text}")));
    let (name, value) = text.split_once('=').ok_or_else(unknown)?;
    let exists = NUMBERS.iter().any(|row| row.0 == name) || WORDS.iter().any(|row| row.0 == name);
    if value.is_empty() && exists {
        return Err(format!("missing argument to {}", quote(&format!("{option}="))));
    }
    if let Some((_, what, words)) = WORDS.iter().find(|row| row.0 == name) {
        if words.contains(&value) {
            return Ok(());
        }
        let wrong = match *what {
            "" => format!("unrecognized argument in option {}", quote(&format!("{option}={value}"))),
            what => format!("unknown {what} {}", quote(value)),
        };
        let (program, option) = (&inv.program, quote(&format!("{option}=")));
        return Err(format!("{wrong}\n{program}: note: valid arguments to {option} are: {}", words.join(" ")));
    }
    let &(_, least, most) = NUMBERS.iter().find(|row| row.0 == name).ok_or_else(unknown)?;
    let option = quote(&format!("{option}="));
    let number = number(value).ok_or_else(|| format!("argument to {option} should be a non-negative integer"))?;
    if number > MAX {
        return Err(format!("argument to {option} is bigger than {MAX}"));
    }
    if !(least..=most).contains(&number) {
        return Err(format!("argument to {option} is not between {least} and {most}"));
    }
    apply(inv, name, number, &option)
}

/// Decimal, or hexadecimal after `0x`.
fn number(text: &str) -> Option<u64> {
    let digits = |text: &str, radix| u64::from_str_radix(text, radix).ok();
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric());
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(rest) => digits(rest, 16).filter(|_| plain(rest)),
        None => digits(text, 10).filter(|_| plain(text)),
    }
}

/// What changes the code's protection.
fn apply(inv: &mut Invocation, name: &str, number: u64, option: &str) -> Result<(), String> {
    match name {
        "ssp-buffer-size" => inv.options.codegen.stack_protector_buffer = number as u32,
        _ if name.starts_with("asan-") => inv.address_params.push((name.to_owned(), number)),
        // Every page of a frame is touched: the interval is 4,096 bytes, and so is the guard.
        "stack-clash-protection-guard-size" | "stack-clash-protection-probe-interval" if number != 12 => {
            return Err(format!("{option} is not supported: the guard and the interval of probes are a page"));
        }
        _ => {}
    }
    Ok(())
}
