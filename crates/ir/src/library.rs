//! The C library's functions that passes know: their types, and which may take another's place.
//!
//! A call is a library call if it carries [`FnAttrs::LIBRARY`]: the front end says so unless
//! `-fno-builtin` or a declaration of another type forbids it.

use crate::{FnAttrs, Function, Inst, Opcode, Type};

/// The functions: (name, result and parameters, functions that may take its place). `v` void, `i`
/// i32, `l` i64, `p` pointer, `f` f32, `d` f64, `e` f80, `.` variable arguments. ISO C (C23 7.12,
/// 7.24, 7.26), POSIX, and the Linux Standard Base for the checked variants.
#[rustfmt::skip]
pub const FUNCTIONS: &[(&str, &str, &[&str])] = &[
    ("memcmp", "ippl", &[]), ("bcmp", "ippl", &[]), ("memchr", "ppil", &[]), ("bcopy", "vppl", &[]),
    ("strlen", "lp", &[]), ("strnlen", "lpl", &[]), ("strcmp", "ipp", &[]), ("strncmp", "ippl", &[]),
    ("strcpy", "ppp", &[]), ("stpcpy", "ppp", &["strcpy"]), ("strncpy", "pppl", &[]), ("stpncpy", "pppl", &["strncpy"]),
    ("strcat", "ppp", &["strlen"]), ("strncat", "pppl", &["strcat"]),
    ("strchr", "ppi", &["strlen"]), ("index", "ppi", &["strlen"]),
    ("strrchr", "ppi", &["strchr"]), ("rindex", "ppi", &["strchr"]),
    ("strstr", "ppp", &["strchr"]), ("strpbrk", "ppp", &["strchr"]), ("strspn", "lpp", &[]), ("strcspn", "lpp", &["strlen"]),
    ("__memcpy_chk", "pppll", &[]), ("__memmove_chk", "pppll", &[]), ("__memset_chk", "ppill", &[]),
    ("__mempcpy_chk", "pppll", &["__memcpy_chk"]),
    ("__strcpy_chk", "pppl", &["strcpy", "__memcpy_chk"]), ("__stpcpy_chk", "pppl", &["stpcpy", "__strcpy_chk"]),
    ("__strncpy_chk", "pppll", &["strncpy"]), ("__stpncpy_chk", "pppll", &["stpncpy", "__strncpy_chk"]),
    ("__strcat_chk", "pppl", &["strcat"]), ("__strncat_chk", "pppll", &["strncat", "__strcat_chk"]),
    ("__sprintf_chk", "ipilp.", &["sprintf"]), ("__snprintf_chk", "iplilp.", &["snprintf"]),
    ("__vsprintf_chk", "ipilpp", &["vsprintf"]), ("__vsnprintf_chk", "iplilpp", &["vsnprintf"]),
    ("printf", "ip.", &["puts", "putchar"]), ("vprintf", "ipp", &["puts", "putchar"]),
    ("__printf_chk", "iip.", &["puts", "putchar"]), ("__vprintf_chk", "iipp", &["puts", "putchar"]),
    ("fprintf", "ipp.", &["fputs", "fputc", "fwrite"]), ("vfprintf", "ippp", &["fputs", "fputc", "fwrite"]),
    ("__fprintf_chk", "ipip.", &["fputs", "fputc", "fwrite"]), ("__vfprintf_chk", "ipipp", &["fputs", "fputc", "fwrite"]),
    ("fputs", "ipp", &["fputc", "fwrite"]), ("fputs_unlocked", "ipp", &[]),
    ("printf_unlocked", "ip.", &[]), ("fprintf_unlocked", "ipp.", &[]),
    ("sprintf", "ipp.", &["strcpy"]), ("vsprintf", "ippp", &["strcpy"]),
    ("snprintf", "iplp.", &[]), ("vsnprintf", "iplpp", &[]),
    ("puts", "ip", &[]), ("putchar", "ii", &[]), ("fputc", "iip", &[]), ("fwrite", "lpllp", &[]),
    ("isdigit", "ii", &[]), ("isascii", "ii", &[]), ("toascii", "ii", &[]),
    ("floor", "dd", &["floorf"]), ("ceil", "dd", &["ceilf"]), ("trunc", "dd", &["truncf"]), ("round", "dd", &["roundf"]),
    ("rint", "dd", &["rintf"]), ("nearbyint", "dd", &["nearbyintf"]),
    ("floorf", "ff", &[]), ("ceilf", "ff", &[]), ("truncf", "ff", &[]), ("roundf", "ff", &[]), ("rintf", "ff", &[]),
    ("nearbyintf", "ff", &[]),
    ("sin", "dd", &["sincos"]), ("cos", "dd", &["sincos"]), ("sincos", "vdpp", &[]),
    ("sinf", "ff", &["sincosf"]), ("cosf", "ff", &["sincosf"]), ("sincosf", "vfpp", &[]),
    ("sinl", "ee", &["sincosl"]), ("cosl", "ee", &["sincosl"]), ("sincosl", "vepp", &[]),
];

/// Whether a pass or the code generator may make calls of a function by its name.
pub fn may_be_called(name: &str) -> bool {
    const COPIES: [&str; 3] = ["memcpy", "memmove", "memset"];
    is_known(name) || COPIES.contains(&name) || name == "abort"
}

/// The calls in a function that the front end knows to be of library functions.
pub fn library_calls(func: &Function) -> impl Iterator<Item = Inst> + '_ {
    func.insts_with(|opcode| opcode == Opcode::Call).into_iter().filter(|&call| is_call(func, call))
}

/// Whether an instruction is a call that the front end knows to be of a library function.
pub fn is_call(func: &Function, inst: Inst) -> bool {
    func.insts[inst].opcode == Opcode::Call && func.call_info(inst).attrs.has(FnAttrs::LIBRARY)
}

/// Whether a call has the arguments and the result that the library function of this name takes and
/// gives.
pub fn has_expected_types(func: &Function, call: Inst, name: &str) -> bool {
    let Some(row) = find(name) else { return false };
    let (result, params) = row.1.split_at(1);
    let variadic = params.ends_with('.');
    let params = params.trim_end_matches('.');
    let args = &func.list(call)[1..];
    let count = if variadic { args.len() >= params.len() } else { args.len() == params.len() };
    let result = result.chars().map(letter).filter(|&t| t != Type::VOID);
    count
        && params.chars().map(letter).zip(args).all(|(ty, &arg)| func.value_type(arg) == ty)
        && func.results(call).map(|r| func.value_type(r)).eq(result)
}

/// Whether the function is one of those that the passes know, none of which frees memory.
pub fn is_known(name: &str) -> bool {
    find(name).is_some()
}

/// The row of a function.
pub fn find(name: &str) -> Option<&'static (&'static str, &'static str, &'static [&'static str])> {
    FUNCTIONS.iter().find(|r| r.0 == name)
}

/// The type that a letter of the table stands for.
pub fn letter(c: char) -> Type {
    match c {
        'i' => Type::I32,
        'l' => Type::I64,
        'p' => Type::PTR,
        'f' => Type::F32,
        'd' => Type::F64,
        'e' => Type::F80,
        _ => Type::VOID,
    }
}
