//! Names of options that tune how gcc works and cannot change what a program means: accepted, with
//! and without `no-`, with any `=value`. A name that is not here and in no table is an error.

/// After `-f`.
pub const F: &str = "
abi-version compare-debug compare-debug-second dbg-cnt dbg-cnt-list emit-struct-debug-baseonly emit-struct-debug-detailed
emit-struct-debug-reduced
aggressive-loop-optimizations analyzer-call-summaries analyzer-checker analyzer-feasibility analyzer-fine-grained
analyzer-show-duplicate-count analyzer-state-merge analyzer-state-purge analyzer-transitivity analyzer-verbose-edges
analyzer-verbose-state-changes analyzer-verbosity allocation-dce allow-store-data-races auto-inc-dec bit-tests
branch-count-reg branch-target-load-optimize caller-saves canonical-system-headers checking
combine-stack-adjustments compare-elim cprop-registers crossjumping
cse-follow-jumps cse-skip-blocks debug-types-section defer-pop delete-dead-exceptions devirtualize
devirtualize-at-ltrans devirtualize-speculatively 
diagnostics-column-origin diagnostics-column-unit diagnostics-escape-format diagnostics-minimum-margin-width
diagnostics-path-format diagnostics-show-cwe diagnostics-show-labels diagnostics-show-line-numbers
diagnostics-show-location diagnostics-show-path-depths diagnostics-urls
dump-noaddr dump-unnumbered early-inlining eliminate-unused-debug-symbols eliminate-unused-debug-types
expensive-optimizations extended-identifiers fat-lto-objects finite-loops force-addr forward-propagate function-cse
gcse gcse-after-reload gcse-las gcse-lm gcse-sm gnu-unique graphite graphite-identity
hoist-adjacent-loads if-conversion2 indirect-inlining inline-atomics inline-limit ipa-bit-cp
ipa-cp ipa-cp-alignment ipa-icf ipa-icf-functions ipa-icf-variables ipa-profile ipa-pta ipa-pure-const
ipa-ra ipa-reference ipa-reference-addressable ipa-sra ipa-stack-alignment ipa-strict-aliasing ipa-vrp ira-algorithm
ira-hoist-pressure ira-loop-pressure ira-region ira-share-save-slots ira-share-spill-slots
isolate-erroneous-paths-attribute isolate-erroneous-paths-dereference ivopts keep-gc-roots-live keep-static-consts
large-source-files lifetime-dse limit-function-alignment live-range-shrinkage
loop-block loop-nest-optimize loop-optimize loop-parallelize-all loop-strip-mine loop-unroll-and-jam lra-remat
lto-compression-level lto-odr-type-merging lto-partition memory-report merge-debug-strings message-length
modulo-sched modulo-sched-allow-regmoves move-loop-invariants move-loop-stores mem-report mem-report-wpa
optimize-register-move optimize-strlen partial-inlining
peel-loops peephole peephole2 post-ipa-mem-report pre-ipa-mem-report prefetch-loop-arrays
printf-return-value profile-partial-training profile-reorder-functions random-seed ree
regmove rename-registers reorder-blocks reorder-blocks-algorithm reorder-blocks-and-partition  report-bug
rerun-cse-after-loop rerun-loop-opt reschedule-modulo-scheduled-loops
sched-critical-path-heuristic sched-dep-count-heuristic sched-group-heuristic sched-interblock
sched-last-insn-heuristic sched-pressure sched-rank-heuristic sched-spec sched-spec-insn-heuristic sched-spec-load
sched-spec-load-dangerous sched-stalled-insns sched-stalled-insns-dep sched-verbose sched2-use-superblocks sched2-use-traces
schedule-fusion schedule-insns schedule-insns2 sel-sched-pipelining
sel-sched-pipelining-outer-loops sel-sched-reschedule-pipelined selective-scheduling selective-scheduling2
shrink-wrap shrink-wrap-separate simd-cost-model split-ivs-in-unroller split-loops split-paths
split-wide-types split-wide-types-early ssa-backprop ssa-phiopt stdarg-opt
signed-bitfields strength-reduce strict-volatile-bitfields sync-libcalls tracer trampolines
tree-bit-ccp tree-builtin-call-dce tree-coalesce-inlined-vars tree-coalesce-vars tree-copy-prop
tree-copyrename tree-cselim tree-dce tree-dominator-opts tree-forwprop
tree-loop-distribution tree-loop-if-convert tree-loop-if-convert-stores tree-loop-ivcanon tree-loop-linear
tree-loop-optimize tree-lrs tree-partial-pre tree-phiprop tree-pre tree-pta tree-salias
tree-parallelize-loops tree-scev-cprop tree-slsr tree-store-ccp tree-store-copy-prop tree-switch-conversion
tree-tail-merge tree-ter tree-vect-loop-version tree-vectorizer-verbose unconstrained-commons 
unsafe-loop-optimizations use-linker-plugin var-tracking-assignments
var-tracking-assignments-toggle variable-expansion-in-unroller vect-cost-model
version-loops-for-strides vpt web float-store excess-precision plugin-arg- pch-deps pch-preprocess
permitted-flt-eval-methods  cond-mismatch
strict-overflow argument-alias argument-noalias profile-correction
debug-cpp bounds-check check-new emit-class-debug-always vtv-counts vtv-debug ira-verbose
lto-report lto-report-wpa profile-report unroll-completely-grow-size gnat-encodings ada-spec-parent profile-prefix-path
";

/// After `-m`.
pub const M: &str = "
tune-ctrl 64 128bit-long-double 8bit-idiv accumulate-outgoing-args align-stringops
avx256-split-unaligned-load avx256-split-unaligned-store branch-cost cld dispatch-scheduler fancy-math-387
fused-madd glibc ieee-fp inline-all-stringops inline-stringops-dynamically
force-drap memcpy-strategy memset-strategy move-max omit-leaf-frame-pointer prefer-avx128
push-args relax-cmpxchg-loop store-max stringop-strategy stv tls-dialect=gnu
tls-direct-seg-refs vzeroupper direct-extern-access recip long-double-80 long-calls
partial-vector-fp-math call-ms2sysv-xlogues vect8-ret-in-mem
";

/// After `-f`, with more of the name after: gcc's own passes by their kind and name, and its
/// reports of them.
const F_PREFIXES: &[&str] =
    &["disable-tree-", "disable-ipa-", "disable-rtl-", "enable-tree-", "enable-ipa-", "enable-rtl-"];

/// Whether `text` (after `-f`) begins with a name that takes more after a hyphen.
pub fn open_ended(text: &str) -> bool {
    F_PREFIXES.iter().any(|p| text.len() > p.len() && text.starts_with(p))
}

/// Whether `text` (after `-f` or `-m`) is `name`, `no-name` or `name=value` for a name in `list`.
pub fn contains(list: &str, text: &str) -> bool {
    let known = |t: &str| list.split_ascii_whitespace().any(|n| n == t);
    let stem = text.split('=').next().unwrap_or(text);
    known(text) || known(stem) || stem.strip_prefix("no-").is_some_and(known)
}
