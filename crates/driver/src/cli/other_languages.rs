//! Options that gcc has for other languages: C takes no notice of them, but says so, which is how
//! configure scripts find out what a compiler of C understands.

use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// By the languages, in gcc's spelling, the options' names with the letter of their family.
const TABLE: &[(&str, &str)] = &[
    (
        "C++/ObjC++",
        "
Wabi-tag Waligned-new Wc++11-compat Wc++11-extensions Wc++14-compat Wc++14-extensions Wc++17-compat
Wc++17-extensions Wc++20-compat Wc++20-extensions Wc++23-extensions Wcatch-value Wclass-conversion
Wclass-memaccess Wcomma-subscript Wconditionally-supported Wconversion-null Wctad-maybe-unsupported
Wctor-dtor-privacy Wdelete-incomplete Wdelete-non-virtual-dtor Wdeprecated-copy Wdeprecated-copy-dtor
Wdeprecated-enum-enum-conversion Wdeprecated-enum-float-conversion Weffc++ Wexceptions Wextra-semi
Winaccessible-base Winherited-variadic-ctor Winit-list-lifetime Winterference-size Winvalid-imported-macros
Winvalid-offsetof Wliteral-suffix Wmismatched-new-delete Wmismatched-tags Wmissing-requires
Wmissing-template-keyword Wmultiple-inheritance Wnamespaces Wnoexcept Wnoexcept-type Wnon-template-friend
Wnon-virtual-dtor Wold-style-cast Woverloaded-virtual Wpessimizing-move Wpmf-conversions Wrange-loop-construct
Wredundant-move Wredundant-tags Wregister Wreorder Wsign-promo Wsized-deallocation Wstrict-null-sentinel
Wsubobject-linkage Wsuggest-override Wsynth Wtemplates Wterminate Wuseless-cast Wvexing-parse
Wvirtual-inheritance Wvirtual-move-assign Wvolatile Wzero-as-null-pointer-constant fabi-compat-version
faccess-control faligned-new fchar8_t fconcepts fconcepts-diagnostics-depth fconcepts-ts
fconstexpr-cache-depth fconstexpr-depth fconstexpr-fp-except fconstexpr-loop-limit fconstexpr-ops-limit
fdeclone-ctor-dtor fdiagnostics-show-template-tree felide-constructors felide-type fenforce-eh-specs
fext-numeric-literals fextern-tls-init ffold-simple-inlines fgnu-keywords fimplement-inlines
fimplicit-constexpr fimplicit-inline-templates fimplicit-templates fmodule-header fmodule-implicit-inline
fmodule-lazy fmodule-mapper fmodule-only fmodule-version-ignore fmodules fmodules-ts fnew-inheriting-ctors
fnew-ttp-matching fnonansi-builtins fnothrow-opt foperator-names fpermissive fpretty-templates
fsized-deallocation fstats fstrict-enums ftemplate-backtrace-limit ftemplate-depth fthreadsafe-statics
fuse-cxa-atexit fuse-cxa-get-exception-ptr fvisibility-inlines-hidden fvisibility-ms-compat fweak
",
    ),
    (
        "Fortran",
        "
Waliasing Walign-commons Wampersand Warray-temporaries Wc-binding-type Wcharacter-truncation Wcompare-reals
Wconversion-extra Wdo-subscript Wfunction-elimination Wimplicit-interface Wimplicit-procedure
Winteger-division Wintrinsic-shadow Wintrinsics-std Wline-truncation Woverwrite-recursive Wreal-q-constant
Wrealloc-lhs Wrealloc-lhs-all Wsurprising Wtabs Wtarget-lifetime Wundefined-do-loop Wunderflow
Wunused-dummy-argument Wuse-without-only Wzerotrip
",
    ),
    (
        "ObjC/ObjC++",
        "
Wassign-intercept Wobjc-root-class Wproperty-assign-default Wprotocol Wselector Wshadow-ivar
Wstrict-selector-match Wundeclared-selector flocal-ivars fnil-receivers fobjc-direct-dispatch fobjc-exceptions
fobjc-nilcheck fobjc-sjlj-exceptions fzero-link
",
    ),
    (
        "LTO/ObjC/ObjC++",
        "
fgnu-runtime fnext-runtime fobjc-abi-version fobjc-gc freplace-objc-classes
",
    ),
    (
        "C++",
        "
Wplacement-new flang-info-include-translate flang-info-module-cmi
",
    ),
    (
        "C++/D/ObjC++",
        "
frtti
",
    ),
    (
        "C++/LTO",
        "
fcoroutines
",
    ),
    (
        "D",
        "
Wcast-result
",
    ),
    (
        "Go",
        "
frequire-return-statement
",
    ),
    (
        "ObjC++",
        "
fobjc-call-cxx-cdtors
",
    ),
];

/// Standards of C++ after `-std=`, after `c++` or `gnu++`.
const STANDARDS: &[&str] = &["98", "03", "0x", "11", "1y", "14", "1z", "17", "2a", "20", "2b", "23"];

/// The languages for which gcc has the option `text` (with its hyphen), if C is none of them.
pub fn languages(text: &str) -> Option<&'static str> {
    if let Some(standard) = text.strip_prefix("-std=") {
        let version = standard.strip_prefix("gnu++").or_else(|| standard.strip_prefix("c++"))?;
        return STANDARDS.contains(&version).then_some("C++/ObjC++");
    }
    if text == "-nostdinc++" {
        return Some("C++/ObjC++");
    }
    let name = text.strip_prefix('-').filter(|name| name.starts_with(['W', 'f']))?;
    let name = name.split('=').next().unwrap_or(name);
    match name[1..].strip_prefix("no-") {
        Some(rest) => names().get(&*format!("{}{rest}", &name[..1])).copied(),
        None => names().get(name).copied(),
    }
}

/// The languages of each name.
fn names() -> &'static FxHashMap<&'static str, &'static str> {
    static NAMES: OnceLock<FxHashMap<&'static str, &'static str>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let rows =
            TABLE.iter().flat_map(|(languages, list)| list.split_ascii_whitespace().map(|name| (name, *languages)));
        rows.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::languages;

    #[test]
    fn names_are_found_with_arguments_and_in_both_forms() {
        assert_eq!(languages("-frtti"), Some("C++/D/ObjC++"));
        assert_eq!(languages("-fno-rtti"), Some("C++/D/ObjC++"));
        assert_eq!(languages("-Wno-abi-tag"), Some("C++/ObjC++"));
        assert_eq!(languages("-ftemplate-depth=5"), Some("C++/ObjC++"));
        assert_eq!(languages("-std=gnu++17"), Some("C++/ObjC++"));
        for other in ["-fstrict-aliasing", "-W", "-f", "-Wno-", "-rtti", "-", ""] {
            assert_eq!(languages(other), None, "{other}");
        }
    }
}
