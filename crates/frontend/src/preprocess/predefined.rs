//! Predefined macros: gcc 12's for x86-64 Linux, minus those of features this compiler does not
//! have (named address spaces).
//!
//! What never changes is a list in `predefined.txt`, a definition a line; what depends on options
//! is put together here.

use super::options::{Action, Options, StackProtector, TargetMacros};
use crate::lex::Standard;
use platform::options::X86Features;
use platform::options::processors::{Processor, tuned_for};

/// The definitions that hold under all options.
const FIXED: &str = include_str!("predefined.txt");
/// Those of `_Float16`, which needs SSE2.
const FLOAT16: &str = include_str!("predefined_float16.txt");

/// gcc's version as claimed by default.
const DEFAULT_GNUC: (u32, u32, u32) = (12, 2, 0);

struct Text(String);

impl Text {
    fn define(&mut self, name: &str, value: impl std::fmt::Display) {
        self.0.push_str(&format!("#define {name} {value}\n"));
    }

    fn flag(&mut self, condition: bool, name: &str) {
        if condition {
            self.define(name, 1);
        }
    }
}

/// The text of the pseudo file `<built-in>`.
pub(super) fn text(options: &Options) -> String {
    let mut text = Text(String::with_capacity(16 << 10));
    standard(options, &mut text);
    if options.undef {
        return text.0;
    }
    text.0.push_str(FIXED);
    version(options, &mut text);
    language(options, &mut text);
    floating(&options.target, &mut text);
    code(&options.target, &mut text);
    processor(&options.target, &mut text);
    text.0
}

fn standard(options: &Options, text: &mut Text) {
    let dialect = &options.dialect;
    if !options.traditional {
        text.define("__STDC__", 1);
    }
    text.define("__STDC_HOSTED__", u8::from(!dialect.freestanding));
    let value = match dialect.standard {
        Standard::C89 => None,
        Standard::C94 => Some("199409L"),
        Standard::C99 => Some("199901L"),
        Standard::C11 => Some("201112L"),
        Standard::C17 => Some("201710L"),
        Standard::C23 if dialect.published => Some("202311L"),
        Standard::C23 => Some("202000L"),
        Standard::C2Y => Some("202500L"),
    };
    if dialect.assembler {
        text.define("__ASSEMBLER__", 1);
    } else {
        if let Some(value) = value {
            text.define("__STDC_VERSION__", value);
        }
        let unicode = dialect.standard >= Standard::C11 || (dialect.gnu && dialect.standard >= Standard::C99);
        text.flag(unicode, "__STDC_UTF_16__");
        text.flag(unicode, "__STDC_UTF_32__");
        if dialect.c23() {
            // The results of __has_embed.
            text.define("__STDC_EMBED_NOT_FOUND__", 0);
            text.define("__STDC_EMBED_FOUND__", 1);
            text.define("__STDC_EMBED_EMPTY__", 2);
        }
    }
    text.flag(!dialect.gnu, "__STRICT_ANSI__");
}

fn version(options: &Options, text: &mut Text) {
    let (major, minor, patch) = options.gnuc_version.unwrap_or(DEFAULT_GNUC);
    if major == 0 {
        return;
    }
    text.define("__GNUC__", major);
    text.define("__GNUC_MINOR__", minor);
    text.define("__GNUC_PATCHLEVEL__", patch);
    text.define("__VERSION__", format!("\"{major}.{minor}.{patch}\""));
}

fn language(options: &Options, text: &mut Text) {
    let (dialect, target) = (&options.dialect, &options.target);
    let gnu_inline = target.gnu89_inline || dialect.standard < Standard::C99;
    text.define(if gnu_inline { "__GNUC_GNU_INLINE__" } else { "__GNUC_STDC_INLINE__" }, 1);
    if dialect.gnu {
        text.define("linux", 1);
        text.define("unix", 1);
    }
    text.flag(dialect.unsigned_char, "__CHAR_UNSIGNED__");
    let (size, width, max, min, kind, charset) = match target.short_wchar {
        false => (4, 32, "0x7fffffff", "(-__WCHAR_MAX__ - 1)", "int", "UTF-32LE"),
        true => (2, 16, "0xffff", "0", "short unsigned int", "UTF-16LE"),
    };
    text.define("__SIZEOF_WCHAR_T__", size);
    text.define("__WCHAR_WIDTH__", width);
    text.define("__WCHAR_MAX__", max);
    text.define("__WCHAR_MIN__", min);
    text.define("__WCHAR_TYPE__", kind);
    let named = |set: &Option<String>, usual: &str| format!("\"{}\"", set.as_deref().unwrap_or(usual));
    text.define("__GNUC_WIDE_EXECUTION_CHARSET_NAME", named(&options.charsets.wide, charset));
    text.define("__GNUC_EXECUTION_CHARSET_NAME", named(&options.charsets.narrow, "UTF-8"));
    if target.char8 {
        text.define("__CHAR8_TYPE__", "unsigned char");
    }
}

fn floating(target: &TargetMacros, text: &mut Text) {
    let fast = target.fast_math;
    let finite = fast || target.finite_math_only;
    let no_zeros = fast || target.no_signed_zeros;
    let reciprocal = fast || target.reciprocal_math;
    text.define("__FINITE_MATH_ONLY__", u8::from(finite));
    let method = match target.no_sse {
        _ if target.mixed_math => -1,
        _ if target.soft_float => 0,
        _ if target.math_387 => 2,
        0 => 0,
        _ => -1,
    };
    let inexact = target.fast_excess && method != 0 || target.math_387 && target.soft_float;
    let iec = if finite || no_zeros || reciprocal || target.single_precision_constant || inexact { 0 } else { 2 };
    text.define("__GCC_IEC_559", iec);
    text.define("__GCC_IEC_559_COMPLEX", if target.cx_limited_range { 0 } else { iec });
    text.flag(fast, "__FAST_MATH__");
    text.flag(fast || target.no_math_errno, "__NO_MATH_ERRNO__");
    text.flag(no_zeros, "__NO_SIGNED_ZEROS__");
    text.flag(reciprocal, "__RECIPROCAL_MATH__");
    text.flag(fast || target.no_trapping_math, "__NO_TRAPPING_MATH__");
    // gcc obeys -fassociative-math only without signed zeros and traps.
    let associative = target.associative_math && target.no_signed_zeros && target.no_trapping_math;
    text.flag(fast || associative, "__ASSOCIATIVE_MATH__");
    text.flag(target.rounding_math, "__ROUNDING_MATH__");
    text.flag(target.signaling_nans, "__SUPPORT_SNAN__");
    text.define("__FLT_EVAL_METHOD__", method);
    text.define("__FLT_EVAL_METHOD_TS_18661_3__", method);
    if target.no_sse == 0 {
        text.0.push_str(FLOAT16);
    }
}

fn code(target: &TargetMacros, text: &mut Text) {
    text.flag(target.soft_float, "_SOFT_FLOAT");
    text.define("__USER_LABEL_PREFIX__", if target.leading_underscore { "_" } else { "" });
    text.flag(target.optimize > 0 || target.optimize_size, "__OPTIMIZE__");
    text.flag(target.optimize_size, "__OPTIMIZE_SIZE__");
    text.flag(target.no_inline, "__NO_INLINE__");
    let pic = target.pic.max(target.pie);
    for (level, names) in [(pic, ["__PIC__", "__pic__"]), (target.pie, ["__PIE__", "__pie__"])] {
        if level > 0 {
            for name in names {
                text.define(name, level);
            }
        }
    }
    text.flag(target.reentrant, "_REENTRANT");
    text.define("__SEG_FS", 1);
    text.define("__SEG_GS", 1);
    match target.stack_protector {
        StackProtector::None => {}
        StackProtector::Basic => text.define("__SSP__", 1),
        StackProtector::All => text.define("__SSP_ALL__", 2),
        StackProtector::Strong => text.define("__SSP_STRONG__", 3),
        StackProtector::Explicit => text.define("__SSP_EXPLICIT__", 4),
    }
    if target.cf_protection > 0 {
        text.define("__CET__", target.cf_protection);
    }
    text.flag(target.sanitize_address, "__SANITIZE_ADDRESS__");
    text.flag(target.sanitize_thread, "__SANITIZE_THREAD__");
    text.flag(target.exceptions, "__EXCEPTIONS");
    text.flag(target.cfi_asm, "__GCC_HAVE_DWARF2_CFI_ASM");
    text.define(&format!("__code_model_{}__", target.code_model), 1);
}

fn processor(target: &TargetMacros, text: &mut Text) {
    // Every processor has it; `-mno-mmx` takes it away.
    text.flag(target.features.is_empty() || target.features.iter().any(|name| name == "mmx"), "__MMX__");
    if target.no_sse != 1 {
        text.define("__SSE__", 1);
        text.flag(!target.math_387, "__SSE_MATH__");
    }
    if target.no_sse == 0 {
        text.define("__SSE2__", 1);
        text.flag(!target.math_387, "__SSE2_MATH__");
        text.define("__MMX_WITH_SSE__", 1);
    }
    let has = |name: &str| target.features.iter().any(|known| known == name);
    for (name, define, ..) in X86Features::TABLE {
        // Those of the baseline stand above.
        text.flag(has(name) && !matches!(*name, "mmx" | "sse" | "sse2"), define);
    }
    let alignment = if has("avx512f") {
        64
    } else if has("avx") {
        32
    } else {
        16
    };
    text.define("__BIGGEST_ALIGNMENT__", alignment);
    if (has("fma") || has("avx512f") || target.fp_fast_fma) && !target.math_387 {
        for name in ["", "F", "F32", "F32x", "F64"] {
            text.define(&format!("__FP_FAST_FMA{name}"), 1);
        }
    }
    let arch = Processor::named(&target.arch).or_else(|| Processor::named("x86-64"));
    for name in arch.into_iter().flat_map(Processor::macros) {
        text.define(&format!("__{name}"), 1);
        text.define(&format!("__{name}__"), 1);
    }
    for name in tuned_for(&target.arch, target.tune.as_deref()) {
        text.define(&format!("__tune_{name}__"), 1);
    }
}

/// The text of the pseudo file `<command-line>`: `-D` and `-U` as directives, in order.
pub(super) fn command_line(options: &Options) -> String {
    let mut text = String::new();
    for action in &options.actions {
        match action {
            Action::Define(definition) => {
                // What follows a newline in the argument is ignored, as in gcc.
                let definition = definition.split('\n').next().unwrap_or_default();
                match definition.split_once('=') {
                    Some((name, value)) => text.push_str(&format!("#define {name} {value}\n")),
                    None => text.push_str(&format!("#define {definition} 1\n")),
                }
            }
            Action::Undefine(name) => text.push_str(&format!("#undef {name}\n")),
            Action::Include(_) | Action::ImportMacros(_) => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_imply_their_parts() {
        let mut options = Options::default();
        options.target.arch = "x86-64-v3".to_owned();
        options.target.features = ["avx2", "sse4.1", "fma", "avx", "xsave"].map(String::from).into();
        let text = text(&options);
        for name in
            ["__AVX2__ 1", "__SSE4_1__ 1", "__BIGGEST_ALIGNMENT__ 32", "__k8 1", "__FP_FAST_FMA 1", "__XSAVE__ 1"]
        {
            assert!(text.contains(&format!("#define {name}\n")), "{name}");
        }
    }
}
