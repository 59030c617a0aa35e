//! The table of warning flags, gcc 12's for C, and the groups that switch several on at once.
//!
//! A flag that this compiler never raises is listed all the same: build systems probe for flags by
//! name.

/// A warning flag, an index into the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WarningId(pub u16);

/// Off unless asked for by name.
const OFF: u8 = 0;
/// On by default.
pub(super) const ON: u8 = 1;
/// Switched on by `-Wall`.
pub(super) const ALL: u8 = 2;
/// Switched on by `-Wextra`.
pub(super) const EXTRA: u8 = 4;
/// Switched on by `-Wpedantic`.
pub(super) const PEDANTIC_GROUP: u8 = 8;

/// Flags with a level, which gcc's diagnostics show with an equals sign.
const WITH_LEVEL: &[&str] = &[
    "alloc-size-larger-than",
    "alloca-larger-than",
    "array-parameter",
    "attribute-alias",
    "bidi-chars",
    "dangling-pointer",
    "format",
    "format-overflow",
    "format-truncation",
    "frame-larger-than",
    "implicit-fallthrough",
    "larger-than",
    "normalized",
    "shift-overflow",
    "stack-usage",
    "stringop-overflow",
    "unused-const-variable",
    "vla-larger-than",
];

/// Flags with a number of bytes, above which they warn.
pub const TAKING_SIZE: &[&str] = &[
    "alloc-size-larger-than",
    "alloca-larger-than",
    "frame-larger-than",
    "larger-than",
    "stack-usage",
    "vla-larger-than",
];

const DESCRIPTIONS: &str = include_str!("descriptions.txt");

macro_rules! warnings {
    ($($id:ident $name:literal $groups:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Index { $($id),* }
        $(
            #[doc = concat!("`-W", $name, "`")]
            pub const $id: WarningId = WarningId(Index::$id as u16);
        )*
        /// Name (without `-W`) and groups of every flag, sorted by name.
        pub(super) const TABLE: &[(&str, u8)] = &[$(($name, $groups)),*];
    };
}

impl WarningId {
    /// The name, without `-W`.
    pub fn name(self) -> &'static str {
        TABLE[self.0 as usize].0
    }

    /// The name after a diagnostic: with `=` for those that gcc shows so because they take a level.
    pub fn shown(self) -> std::borrow::Cow<'static, str> {
        let name = self.name();
        if WITH_LEVEL.contains(&name) { format!("{name}=").into() } else { name.into() }
    }

    /// What it warns of, in a few words: one line of `descriptions.txt` for each flag.
    pub fn description(self) -> &'static str {
        let name = self.name();
        let line = |line: &'static str| line.split_once(' ').filter(|(of, _)| *of == name).map(|(_, text)| text);
        DESCRIPTIONS.lines().find_map(line).unwrap_or_default()
    }

    /// What switches it on besides its own name: `by default`, `-Wall`, `-Wunused`, ...
    pub fn switched_on_by(self) -> Vec<String> {
        let (name, bits) = TABLE[self.0 as usize];
        let groups = [(ON, "by default"), (ALL, "-Wall"), (EXTRA, "-Wextra"), (PEDANTIC_GROUP, "-Wpedantic")];
        let groups = groups.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, text)| text.to_string());
        let umbrellas = UMBRELLAS.iter().filter(|(_, members)| members.contains(&name));
        groups.chain(umbrellas.map(|(umbrella, _)| format!("-W{umbrella}"))).collect()
    }

    /// The flag of this name (without `-W`), if gcc has it for C.
    pub fn from_name(name: &str) -> Option<WarningId> {
        let name = match name {
            "comments" => "comment",
            "missing-noreturn" => "suggest-attribute=noreturn",
            "missing-format-attribute" => "suggest-attribute=format",
            "shadow=global" => "shadow",
            "shadow-local" => "shadow=local",
            "shadow-compatible-local" => "shadow=compatible-local",
            other => other,
        };
        TABLE.iter().position(|&(known, _)| known == name).map(|at| WarningId(at as u16))
    }
}

/// The names of all flags, without `-W`.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|row| row.0)
}

/// Flags that switch on several others: `-Wunused` and its like.
pub(super) const UMBRELLAS: &[(&str, &[&str])] = &[
    (
        "unused",
        &[
            "unused-but-set-variable",
            "unused-function",
            "unused-label",
            "unused-local-typedefs",
            "unused-value",
            "unused-variable",
            "unused-const-variable",
        ],
    ),
    ("unused-variable", &["unused-const-variable"]),
    ("implicit", &["implicit-int", "implicit-function-declaration"]),
    ("format", &["format-contains-nul", "format-extra-args", "format-zero-length", "nonnull"]),
    ("uninitialized", &["maybe-uninitialized"]),
    ("conversion", &["sign-conversion", "float-conversion"]),
    ("c++-compat", &["jump-misses-init"]),
    ("shadow=local", &["shadow=compatible-local"]),
    ("strict-aliasing", &[]),
    ("traditional", &["traditional-conversion"]),
];

warnings! {
    ABI "abi" OFF;
    ABSOLUTE_VALUE "absolute-value" EXTRA;
    ADDRESS "address" ALL;
    ADDRESS_OF_PACKED_MEMBER "address-of-packed-member" ON;
    AGGREGATE_RETURN "aggregate-return" OFF;
    AGGRESSIVE_LOOP_OPTIMIZATIONS "aggressive-loop-optimizations" ON;
    ALLOC_SIZE_LARGER_THAN "alloc-size-larger-than" OFF;
    ALLOC_ZERO "alloc-zero" OFF;
    ALLOCA "alloca" OFF;
    ALLOCA_LARGER_THAN "alloca-larger-than" OFF;
    ARITH_CONVERSION "arith-conversion" OFF;
    ARRAY_BOUNDS "array-bounds" ALL;
    ARRAY_COMPARE "array-compare" ALL;
    ARRAY_PARAMETER "array-parameter" ALL;
    ATTRIBUTE_ALIAS "attribute-alias" ON;
    ATTRIBUTE_WARNING "attribute-warning" ON;
    ATTRIBUTES "attributes" ON;
    BAD_FUNCTION_CAST "bad-function-cast" OFF;
    BIDI_CHARS "bidi-chars" ON;
    BOOL_COMPARE "bool-compare" ALL;
    BOOL_OPERATION "bool-operation" ALL;
    BUILTIN_DECLARATION_MISMATCH "builtin-declaration-mismatch" ON;
    BUILTIN_MACRO_REDEFINED "builtin-macro-redefined" ON;
    CXX_COMPAT "c++-compat" OFF;
    CXX0X_COMPAT "c++0x-compat" OFF;
    CXX1Z_COMPAT "c++1z-compat" OFF;
    CXX2A_COMPAT "c++2a-compat" OFF;
    C11_C2X_COMPAT "c11-c2x-compat" OFF;
    C90_C99_COMPAT "c90-c99-compat" OFF;
    C99_C11_COMPAT "c99-c11-compat" OFF;
    CANNOT_PROFILE "cannot-profile" ON;
    CAST_ALIGN "cast-align" OFF;
    CAST_FUNCTION_TYPE "cast-function-type" EXTRA;
    CAST_QUAL "cast-qual" OFF;
    CHAR_SUBSCRIPTS "char-subscripts" ALL;
    CHKP "chkp" OFF;
    CLOBBERED "clobbered" EXTRA;
    COMMENT "comment" ALL;
    COMMENTS "comments" OFF;
    CONVERSION "conversion" OFF;
    COVERAGE_INVALID_LINE_NUMBER "coverage-invalid-line-number" ON;
    COVERAGE_MISMATCH "coverage-mismatch" ON;
    CPP "cpp" ON;
    DANGLING_ELSE "dangling-else" ALL;
    DANGLING_POINTER "dangling-pointer" ALL;
    DATE_TIME "date-time" OFF;
    DECLARATION_AFTER_STATEMENT "declaration-after-statement" PEDANTIC_GROUP;
    DEPRECATED "deprecated" ON;
    DEPRECATED_DECLARATIONS "deprecated-declarations" ON;
    DESIGNATED_INIT "designated-init" ON;
    DISABLED_OPTIMIZATION "disabled-optimization" OFF;
    DISCARDED_ARRAY_QUALIFIERS "discarded-array-qualifiers" ON;
    DISCARDED_QUALIFIERS "discarded-qualifiers" ON;
    DIV_BY_ZERO "div-by-zero" ON;
    DOUBLE_PROMOTION "double-promotion" OFF;
    DUPLICATE_DECL_SPECIFIER "duplicate-decl-specifier" ALL;
    DUPLICATED_BRANCHES "duplicated-branches" OFF;
    DUPLICATED_COND "duplicated-cond" OFF;
    EMPTY_BODY "empty-body" EXTRA;
    ENDIF_LABELS "endif-labels" ON;
    ENUM_COMPARE "enum-compare" ALL;
    ENUM_CONVERSION "enum-conversion" EXTRA;
    ERROR_IMPLICIT_FUNCTION_DECLARATION "error-implicit-function-declaration" OFF;
    EXPANSION_TO_DEFINED "expansion-to-defined" EXTRA | PEDANTIC_GROUP;
    EXTRA_WARNINGS "extra" EXTRA;
    FLOAT_CONVERSION "float-conversion" OFF;
    FLOAT_EQUAL "float-equal" OFF;
    FORMAT "format" ALL;
    FORMAT_CONTAINS_NUL "format-contains-nul" ALL;
    FORMAT_DIAG "format-diag" ALL;
    FORMAT_EXTRA_ARGS "format-extra-args" ALL;
    FORMAT_NONLITERAL "format-nonliteral" OFF;
    FORMAT_OVERFLOW "format-overflow" ALL;
    FORMAT_SECURITY "format-security" OFF;
    FORMAT_SIGNEDNESS "format-signedness" OFF;
    FORMAT_TRUNCATION "format-truncation" ALL;
    FORMAT_Y2K "format-y2k" OFF;
    FORMAT_ZERO_LENGTH "format-zero-length" ALL;
    FRAME_ADDRESS "frame-address" ALL;
    FRAME_LARGER_THAN "frame-larger-than" OFF;
    FREE_NONHEAP_OBJECT "free-nonheap-object" ON;
    IF_NOT_ALIGNED "if-not-aligned" ON;
    IGNORED_ATTRIBUTES "ignored-attributes" ON;
    IGNORED_QUALIFIERS "ignored-qualifiers" EXTRA;
    IMPLICIT "implicit" ALL;
    IMPLICIT_FALLTHROUGH "implicit-fallthrough" EXTRA;
    IMPLICIT_FUNCTION_DECLARATION "implicit-function-declaration" ON;
    IMPLICIT_INT "implicit-int" ON;
    INCOMPATIBLE_POINTER_TYPES "incompatible-pointer-types" ON;
    INFINITE_RECURSION "infinite-recursion" ALL;
    INIT_SELF "init-self" OFF;
    INLINE "inline" OFF;
    INT_CONVERSION "int-conversion" ON;
    INT_IN_BOOL_CONTEXT "int-in-bool-context" ALL;
    INT_TO_POINTER_CAST "int-to-pointer-cast" ON;
    INVALID_MEMORY_MODEL "invalid-memory-model" ON;
    INVALID_PCH "invalid-pch" OFF;
    INVALID_UTF8 "invalid-utf8" OFF;
    JUMP_MISSES_INIT "jump-misses-init" OFF;
    LARGER_THAN "larger-than" OFF;
    LARGER_THAN_ "larger-than-" OFF;
    LITERAL_SUFFIX "literal-suffix" ON;
    LOGICAL_NOT_PARENTHESES "logical-not-parentheses" ALL;
    LOGICAL_OP "logical-op" OFF;
    LONG_LONG "long-long" PEDANTIC_GROUP;
    LTO_TYPE_MISMATCH "lto-type-mismatch" ON;
    MAIN "main" ALL | PEDANTIC_GROUP;
    MAYBE_UNINITIALIZED "maybe-uninitialized" ALL;
    MEMSET_ELT_SIZE "memset-elt-size" ALL;
    MEMSET_TRANSPOSED_ARGS "memset-transposed-args" ALL;
    MISLEADING_INDENTATION "misleading-indentation" ALL;
    MISMATCHED_DEALLOC "mismatched-dealloc" ALL;
    MISSING_ATTRIBUTES "missing-attributes" ALL;
    MISSING_BRACES "missing-braces" ALL;
    MISSING_DECLARATIONS "missing-declarations" OFF;
    MISSING_FIELD_INITIALIZERS "missing-field-initializers" EXTRA;
    MISSING_FORMAT_ATTRIBUTE "missing-format-attribute" OFF;
    MISSING_INCLUDE_DIRS "missing-include-dirs" OFF;
    MISSING_NORETURN "missing-noreturn" OFF;
    MISSING_PARAMETER_TYPE "missing-parameter-type" EXTRA;
    MISSING_PROFILE "missing-profile" ON;
    MISSING_PROTOTYPES "missing-prototypes" OFF;
    MULTICHAR "multichar" ON;
    MULTISTATEMENT_MACROS "multistatement-macros" ALL;
    NARROWING "narrowing" OFF;
    NESTED_EXTERNS "nested-externs" OFF;
    NO_ALLOC_SIZE_LARGER_THAN "no-alloc-size-larger-than" OFF;
    NO_ALLOCA_LARGER_THAN "no-alloca-larger-than" OFF;
    NO_FRAME_LARGER_THAN "no-frame-larger-than" OFF;
    NO_LARGER_THAN "no-larger-than" OFF;
    NO_STACK_USAGE "no-stack-usage" OFF;
    NO_VLA_LARGER_THAN "no-vla-larger-than" OFF;
    NONNULL "nonnull" ALL;
    NONNULL_COMPARE "nonnull-compare" ALL;
    NORMALIZED "normalized" ON;
    NULL_DEREFERENCE "null-dereference" OFF;
    ODR "odr" ON;
    OLD_STYLE_DECLARATION "old-style-declaration" EXTRA;
    OLD_STYLE_DEFINITION "old-style-definition" OFF;
    OPENACC_PARALLELISM "openacc-parallelism" OFF;
    OPENMP_SIMD "openmp-simd" ALL;
    OVERFLOW "overflow" ON;
    OVERLENGTH_STRINGS "overlength-strings" PEDANTIC_GROUP;
    OVERRIDE_INIT "override-init" EXTRA;
    OVERRIDE_INIT_SIDE_EFFECTS "override-init-side-effects" ON;
    PACKED "packed" OFF;
    PACKED_BITFIELD_COMPAT "packed-bitfield-compat" OFF;
    PACKED_NOT_ALIGNED "packed-not-aligned" ALL;
    PADDED "padded" OFF;
    PARENTHESES "parentheses" ALL;
    PEDANTIC "pedantic" PEDANTIC_GROUP;
    POINTER_ARITH "pointer-arith" PEDANTIC_GROUP;
    POINTER_COMPARE "pointer-compare" ON;
    POINTER_SIGN "pointer-sign" ALL | PEDANTIC_GROUP;
    POINTER_TO_INT_CAST "pointer-to-int-cast" ON;
    PRAGMAS "pragmas" ON;
    PRIO_CTOR_DTOR "prio-ctor-dtor" ON;
    PSABI "psabi" ON;
    REDUNDANT_DECLS "redundant-decls" OFF;
    RESTRICT "restrict" ALL;
    RETURN_LOCAL_ADDR "return-local-addr" ON;
    RETURN_MISMATCH "return-mismatch" ON;
    RETURN_TYPE "return-type" ALL;
    SCALAR_STORAGE_ORDER "scalar-storage-order" ON;
    SEQUENCE_POINT "sequence-point" ALL;
    SHADOW "shadow" OFF;
    SHADOW_COMPATIBLE_LOCAL "shadow=compatible-local" OFF;
    SHADOW_LOCAL "shadow=local" OFF;
    SHIFT_COUNT_NEGATIVE "shift-count-negative" ON;
    SHIFT_COUNT_OVERFLOW "shift-count-overflow" ON;
    SHIFT_NEGATIVE_VALUE "shift-negative-value" EXTRA;
    SHIFT_OVERFLOW "shift-overflow" ON;
    SIGN_COMPARE "sign-compare" EXTRA;
    SIGN_CONVERSION "sign-conversion" OFF;
    SIZEOF_ARRAY_ARGUMENT "sizeof-array-argument" ON;
    SIZEOF_ARRAY_DIV "sizeof-array-div" ALL;
    SIZEOF_POINTER_DIV "sizeof-pointer-div" ALL;
    SIZEOF_POINTER_MEMACCESS "sizeof-pointer-memaccess" ALL;
    STACK_PROTECTOR "stack-protector" OFF;
    STACK_USAGE "stack-usage" OFF;
    STRICT_ALIASING "strict-aliasing" ALL;
    STRICT_OVERFLOW "strict-overflow" ALL;
    STRICT_PROTOTYPES "strict-prototypes" OFF;
    STRING_COMPARE "string-compare" EXTRA;
    STRINGOP_OVERFLOW "stringop-overflow" ON;
    STRINGOP_OVERREAD "stringop-overread" ON;
    STRINGOP_TRUNCATION "stringop-truncation" ALL;
    SUGGEST_ATTRIBUTE "suggest-attribute" OFF;
    SUGGEST_ATTRIBUTE_COLD "suggest-attribute=cold" OFF;
    SUGGEST_ATTRIBUTE_CONST "suggest-attribute=const" OFF;
    SUGGEST_ATTRIBUTE_FORMAT "suggest-attribute=format" OFF;
    SUGGEST_ATTRIBUTE_MALLOC "suggest-attribute=malloc" OFF;
    SUGGEST_ATTRIBUTE_NORETURN "suggest-attribute=noreturn" OFF;
    SUGGEST_ATTRIBUTE_PURE "suggest-attribute=pure" OFF;
    SUGGEST_FINAL_METHODS "suggest-final-methods" OFF;
    SUGGEST_FINAL_TYPES "suggest-final-types" OFF;
    SWITCH "switch" ALL;
    SWITCH_BOOL "switch-bool" ON;
    SWITCH_DEFAULT "switch-default" OFF;
    SWITCH_ENUM "switch-enum" OFF;
    SWITCH_OUTSIDE_RANGE "switch-outside-range" ON;
    SWITCH_UNREACHABLE "switch-unreachable" ON;
    SYNC_NAND "sync-nand" ON;
    SYSTEM_HEADERS "system-headers" OFF;
    TAUTOLOGICAL_COMPARE "tautological-compare" ALL;
    TRADITIONAL "traditional" OFF;
    TRADITIONAL_CONVERSION "traditional-conversion" OFF;
    TRAMPOLINES "trampolines" OFF;
    TRIGRAPHS "trigraphs" ON;
    TRIVIAL_AUTO_VAR_INIT "trivial-auto-var-init" OFF;
    TSAN "tsan" ON;
    TYPE_LIMITS "type-limits" EXTRA;
    UNDEF "undef" OFF;
    UNINITIALIZED "uninitialized" ALL | EXTRA;
    UNKNOWN_PRAGMAS "unknown-pragmas" ALL;
    UNREACHABLE_CODE "unreachable-code" OFF;
    UNSAFE_LOOP_OPTIMIZATIONS "unsafe-loop-optimizations" OFF;
    UNSUFFIXED_FLOAT_CONSTANTS "unsuffixed-float-constants" OFF;
    UNUSED "unused" ALL;
    UNUSED_BUT_SET_PARAMETER "unused-but-set-parameter" EXTRA;
    UNUSED_BUT_SET_VARIABLE "unused-but-set-variable" ALL;
    UNUSED_CONST_VARIABLE "unused-const-variable" ALL;
    UNUSED_FUNCTION "unused-function" ALL;
    UNUSED_LABEL "unused-label" ALL;
    UNUSED_LOCAL_TYPEDEFS "unused-local-typedefs" ALL;
    UNUSED_MACROS "unused-macros" OFF;
    UNUSED_PARAMETER "unused-parameter" EXTRA;
    UNUSED_RESULT "unused-result" ON;
    UNUSED_VALUE "unused-value" ALL;
    UNUSED_VARIABLE "unused-variable" ALL;
    USE_AFTER_FREE "use-after-free" ALL;
    VARARGS "varargs" ON;
    VARIADIC_MACROS "variadic-macros" PEDANTIC_GROUP;
    VECTOR_OPERATION_PERFORMANCE "vector-operation-performance" OFF;
    VLA "vla" PEDANTIC_GROUP;
    VLA_LARGER_THAN "vla-larger-than" OFF;
    VLA_PARAMETER "vla-parameter" ALL;
    VOLATILE_REGISTER_VAR "volatile-register-var" ALL;
    WRITE_STRINGS "write-strings" OFF;
    ZERO_LENGTH_BOUNDS "zero-length-bounds" ALL;
}

/// Flags gcc knows for other languages only.
pub(super) const OTHER_LANGUAGES: &[&str] = &[
    "abi-tag",
    "aliasing",
    "align-commons",
    "aligned-new",
    "ampersand",
    "array-temporaries",
    "assign-intercept",
    "c++11-compat",
    "c++11-extensions",
    "c++14-compat",
    "c++14-extensions",
    "c++17-compat",
    "c++17-extensions",
    "c++20-compat",
    "c++20-extensions",
    "c++23-extensions",
    "c-binding-type",
    "cast-result",
    "catch-value",
    "character-truncation",
    "class-conversion",
    "class-memaccess",
    "comma-subscript",
    "compare-reals",
    "conditionally-supported",
    "conversion-extra",
    "conversion-null",
    "ctad-maybe-unsupported",
    "ctor-dtor-privacy",
    "delete-incomplete",
    "delete-non-virtual-dtor",
    "deprecated-copy",
    "deprecated-copy-dtor",
    "deprecated-enum-enum-conversion",
    "deprecated-enum-float-conversion",
    "do-subscript",
    "effc++",
    "exceptions",
    "extra-semi",
    "function-elimination",
    "implicit-interface",
    "implicit-procedure",
    "inaccessible-base",
    "inherited-variadic-ctor",
    "init-list-lifetime",
    "integer-division",
    "interference-size",
    "intrinsic-shadow",
    "intrinsics-std",
    "invalid-imported-macros",
    "invalid-offsetof",
    "line-truncation",
    "mismatched-new-delete",
    "mismatched-tags",
    "missing-requires",
    "missing-template-keyword",
    "multiple-inheritance",
    "namespaces",
    "noexcept",
    "noexcept-type",
    "non-template-friend",
    "non-virtual-dtor",
    "objc-root-class",
    "old-style-cast",
    "overloaded-virtual",
    "overwrite-recursive",
    "pessimizing-move",
    "placement-new",
    "pmf-conversions",
    "property-assign-default",
    "protocol",
    "range-loop-construct",
    "real-q-constant",
    "realloc-lhs",
    "realloc-lhs-all",
    "redundant-move",
    "redundant-tags",
    "register",
    "reorder",
    "selector",
    "shadow-ivar",
    "sign-promo",
    "sized-deallocation",
    "strict-null-sentinel",
    "strict-selector-match",
    "subobject-linkage",
    "suggest-override",
    "surprising",
    "synth",
    "tabs",
    "target-lifetime",
    "templates",
    "terminate",
    "undeclared-selector",
    "undefined-do-loop",
    "underflow",
    "unused-dummy-argument",
    "use-without-only",
    "useless-cast",
    "vexing-parse",
    "virtual-inheritance",
    "virtual-move-assign",
    "volatile",
    "zero-as-null-pointer-constant",
    "zerotrip",
];

#[cfg(test)]
mod tests {
    use super::{DESCRIPTIONS, TABLE};

    #[test]
    fn every_warning_has_one_description() {
        let described: Vec<&str> = DESCRIPTIONS.lines().filter_map(|line| Some(line.split_once(' ')?.0)).collect();
        let names: Vec<&str> = TABLE.iter().map(|row| row.0).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        let mut expected = described.clone();
        expected.sort_unstable();
        assert_eq!(sorted, expected);
    }
}
