//! What is known of the C library's functions.

use platform::options::Standard;

use super::Sema;
use crate::tree::{DeclFlags, DeclId, DeclKind, Linkage};

/// Functions that the C library has since C99; strict C89 leaves their names to the program.
const SINCE_C99: &[&str] = &["snprintf", "vsnprintf", "vscanf", "vfscanf", "vsscanf"];

/// The name of a declared function if it is the C library's of that name, without `__builtin_`.
pub fn library_name<'x>(cx: &Sema<'x, '_>, id: DeclId) -> Option<&'x str> {
    let decl = cx.unit.decls[id];
    if decl.kind != DeclKind::Function || decl.linkage != Linkage::External {
        return None;
    }
    let name = decl.name.map(|name| cx.str(name))?;
    if let Some(plain) = name.strip_prefix("__builtin_") {
        return Some(plain);
    }
    // What a call with the prefix refers to.
    if decl.flags.has(DeclFlags::BUILTIN_DECL) {
        return Some(name);
    }
    let known = cx.lang.gnu || !name.ends_with("_unlocked") && (cx.since(Standard::C99) || !SINCE_C99.contains(&name));
    (known && cx.lang.is_builtin_enabled(name)).then_some(name)
}

/// Functions of the C library whose pointers must not be null, and which parameters these are, as
/// bits.
const NONNULL: &[(&[&str], u64)] = &[
    (&["strlen", "strnlen", "strdup", "strndup", "puts", "fputs_unlocked", "memset", "memchr", "strchr", "strrchr"], 1),
    (&["memcpy", "memmove", "mempcpy", "memcmp", "strcpy", "stpcpy", "strcat", "strncpy", "stpncpy", "strncat"], 3),
    (&["strcmp", "strncmp", "strcasecmp", "strncasecmp", "strstr", "strspn", "strcspn", "strpbrk", "fputs"], 3),
    (&["fprintf", "vfprintf", "sprintf", "vsprintf"], 3),
    (&["printf", "vprintf"], 1),
    (&["snprintf", "vsnprintf"], 4),
    (&["putc", "fputc"], 2),
    (&["fwrite"], 9),
];

/// The parameters of a library function that must not be null, as bits.
pub fn library_nonnull(name: &str) -> u64 {
    NONNULL.iter().find(|f| f.0.contains(&name)).map_or(0, |f| f.1)
}
