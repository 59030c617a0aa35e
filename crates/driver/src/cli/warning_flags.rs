//! The `-W` family: names gcc 12 knows for C, and what is done with the others.

use crate::invocation::{WarningFlag, WarningState};

/// Names of warnings for C, groups included. Whether a warning is implemented is the business of the room that gives it; a
/// name that is known and never given is accepted, as gcc accepts names whose analysis does not fire.
const NAMES: &str = "
abi absolute-value address address-of-packed-member aggregate-return aggressive-loop-optimizations all alloc-size-larger-than
alloc-zero alloca alloca-larger-than arith-conversion array-bounds array-compare array-parameter attribute-alias
attribute-warning attributes bad-function-cast bidi-chars bool-compare bool-operation builtin-declaration-mismatch
builtin-macro-redefined c++-compat c11-c2x-compat c90-c99-compat c99-c11-compat c11-c23-compat calloc-transposed-args
cannot-profile cast-align cast-function-type cast-qual char-subscripts clobbered comment comments conversion
coverage-invalid-line-number coverage-mismatch cpp dangling-else dangling-pointer date-time
declaration-after-statement declaration-missing-parameter-type deprecated deprecated-declarations deprecated-non-prototype
designated-init disabled-optimization discarded-array-qualifiers
discarded-qualifiers div-by-zero double-promotion duplicate-decl-specifier duplicated-branches duplicated-cond
empty-body endif-labels enum-compare enum-conversion enum-int-mismatch everything expansion-to-defined extra
flex-array-member-not-at-end float-conversion float-equal
format format-contains-nul format-diag format-extra-args format-nonliteral format-overflow format-security
format-signedness format-truncation format-y2k format-zero-length frame-address frame-larger-than free-nonheap-object
hardened hsa if-not-aligned ignored-attributes ignored-qualifiers implicit implicit-fallthrough
implicit-function-declaration implicit-int incompatible-pointer-types infinite-recursion init-self inline int-conversion
int-in-bool-context int-to-pointer-cast invalid-memory-model invalid-pch invalid-utf8 jump-misses-init larger-than
larger-than- logical-not-parentheses logical-op long-long lto-type-mismatch main maybe-uninitialized memset-elt-size
memset-transposed-args misleading-indentation mismatched-dealloc missing-attributes missing-braces missing-declarations
missing-field-initializers missing-format-attribute missing-include-dirs missing-noreturn missing-parameter-type
missing-profile missing-prototypes missing-variable-declarations multichar multistatement-macros nested-externs nonnull
nonnull-compare normalized null-dereference odr
old-style-declaration old-style-definition openacc-parallelism openmp-simd overflow overlength-strings override-init
override-init-side-effects overwrite-recursive packed packed-bitfield-compat packed-not-aligned padded parentheses
pedantic pointer-arith pointer-compare pointer-sign pointer-to-int-cast pragmas prio-ctor-dtor psabi
redundant-decls restrict return-local-addr return-mismatch return-type scalar-storage-order sequence-point shadow
shadow-compatible-local
shadow-local shadow-ivar shift-count-negative shift-count-overflow shift-negative-value shift-overflow sign-compare sign-conversion
sizeof-array-argument sizeof-array-div sizeof-pointer-div sizeof-pointer-memaccess stack-protector stack-usage
strict-aliasing strict-flex-arrays strict-overflow strict-prototypes string-compare stringop-overflow stringop-overread
stringop-truncation
suggest-attribute suggest-final-methods suggest-final-types switch switch-bool switch-default switch-enum
switch-outside-range switch-unreachable sync-nand system-headers tautological-compare traditional traditional-conversion
trampolines trigraphs trivial-auto-var-init tsan type-limits undef unicode uninitialized unknown-pragmas unreachable-code
unsafe-loop-optimizations unsuffixed-float-constants unused unused-but-set-parameter unused-but-set-variable
unused-const-variable unused-function unused-label unused-local-typedefs unused-macros unused-parameter unused-result
unused-value unused-variable use-after-free useless-cast varargs variadic-macros vector-operation-performance vla
vla-larger-than vla-parameter volatile-register-var write-strings xor-used-as-pow zero-length-bounds
";

/// Names gcc knows for C++ and other languages: accepted without effect when compiling C, as gcc does with a warning that is
/// only seen when something else is diagnosed.
const OTHER_LANGUAGES: &str = "
abi-tag aligned-new catch-value class-conversion class-memaccess comma-subscript conditionally-supported conversion-null
ctad-maybe-unsupported ctor-dtor-privacy delete-incomplete delete-non-virtual-dtor deprecated-copy deprecated-copy-dtor
deprecated-enum-enum-conversion deprecated-enum-float-conversion effc++ exceptions extra-semi inherited-variadic-ctor
inaccessible-base init-list-lifetime interference-size invalid-imported-macros invalid-offsetof literal-suffix
mismatched-new-delete mismatched-tags missing-requires missing-template-keyword multiple-inheritance namespaces narrowing
noexcept noexcept-type non-template-friend non-virtual-dtor old-style-cast overloaded-virtual pessimizing-move
placement-new pmf-conversions protocol range-loop-construct redundant-move redundant-tags register reorder selector
sign-promo sized-deallocation strict-null-sentinel strict-selector-match subobject-linkage suggest-override synth
templates terminate undeclared-selector vexing-parse virtual-inheritance virtual-move-assign volatile
zero-as-null-pointer-constant objc-root-class property-assign-default assign-intercept
";

/// Why a flag was not understood.
pub enum Unknown {
    /// `-Wno-something`: gcc stays silent.
    Silent,
    /// gcc's message for a wrong argument.
    Message(String),
    /// "unrecognized command-line option".
    Option,
}

fn known(name: &str) -> bool {
    let in_list = |list: &str| list.split_ascii_whitespace().any(|n| n == name);
    in_list(NAMES) || in_list(OTHER_LANGUAGES) || name.starts_with("analyzer-")
}

/// Take apart the text after `-W`.
pub fn parse(text: &str) -> Result<Vec<WarningFlag>, Unknown> {
    let one = |name: &str, state, value: Option<&str>| {
        vec![WarningFlag { name: name.to_string(), state, value: value.map(String::from) }]
    };
    if text.is_empty() {
        return Ok(one("extra", WarningState::On, None));
    }
    if let Some(rest) = text.strip_prefix("error-") {
        // `-Werror-implicit-function-declaration`, the spelling of gcc 3.
        return if known(rest) { Ok(one(rest, WarningState::Error, None)) } else { Err(Unknown::Option) };
    }
    match text {
        "error" => return Ok(one("error", WarningState::On, None)),
        "no-error" => return Ok(one("error", WarningState::Off, None)),
        "fatal-errors" => return Ok(one("fatal-errors", WarningState::On, None)),
        "no-fatal-errors" => return Ok(one("fatal-errors", WarningState::Off, None)),
        _ => {}
    }
    if let Some(rest) = text.strip_prefix("error=") {
        return with_value(rest, WarningState::Error).ok_or_else(|| no_option("-Werror=", rest));
    }
    if let Some(rest) = text.strip_prefix("no-error=") {
        return with_value(rest, WarningState::NoError).ok_or_else(|| no_option("-Wno-error=", rest));
    }
    if let Some(rest) = text.strip_prefix("no-") {
        return with_value(rest, WarningState::Off).ok_or(Unknown::Silent);
    }
    with_value(text, WarningState::On).ok_or(Unknown::Option)
}

fn with_value(text: &str, state: WarningState) -> Option<Vec<WarningFlag>> {
    if let Some(size) = text.strip_prefix("larger-than-") {
        return Some(vec![WarningFlag { name: "larger-than".into(), state, value: Some(size.to_string()) }]);
    }
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_string())),
        None => (text, None),
    };
    known(name).then(|| {
        let name = if name == "comments" { "comment" } else { name };
        vec![WarningFlag { name: name.to_string(), state, value }]
    })
}

fn no_option(option: &str, name: &str) -> Unknown {
    Unknown::Message(format!(
        "{}: no option {}",
        super::quote(&format!("{option}{name}")),
        super::quote(&format!("-W{name}"))
    ))
}
