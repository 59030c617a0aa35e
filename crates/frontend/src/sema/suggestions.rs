//! "did you mean": declared names that are near to one that is not (gcc's `lookup_name_fuzzy`), and
//! headers that declare a name of the C library (gcc's `known-headers.cc`).

use base::diagnostics::DiagnosticBuilder;
use base::spelling;

use super::Sema;
use crate::tree::{DeclFlags, DeclKind, Name, RecordId, TypeKind, Types};

/// What a missing name stood for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// An operand.
    Value,
    /// The function of a call.
    Function,
    /// A type.
    Type,
}

/// An error for a name that nothing declares: `message`, with the nearest declared name or the
/// header that has it.
pub fn undeclared<'s>(cx: &Sema<'s, '_>, name: Name, wanted: Wanted, message: String) -> DiagnosticBuilder<'s> {
    add(cx, cx.sess.error(name.loc, message), name, wanted)
}

/// Adds to a diagnostic about an undeclared name what may have been meant.
pub fn add<'s>(cx: &Sema<'s, '_>, builder: DiagnosticBuilder<'s>, name: Name, wanted: Wanted) -> DiagnosticBuilder<'s> {
    let text = cx.str(name.symbol);
    if let Some(header) = header(text, wanted) {
        let note = match wanted {
            Wanted::Function => format!("include '<{header}>' or provide a declaration of '{text}'"),
            _ => format!("'{text}' is defined in header '<{header}>'; did you forget to '#include <{header}>'?"),
        };
        return builder.note(name.loc, note);
    }
    match near(cx, text, wanted) {
        Some(near) => builder.extend(&format!("; did you mean '{near}'?")).fixit(name.loc, near),
        None => builder,
    }
}

/// Reports a type name that nothing declares.
pub fn unknown_type(cx: &Sema<'_, '_>, name: Name) {
    let text = cx.str(name.symbol);
    if let Some(keyword) = tag_of(cx, name) {
        let message = format!("unknown type name '{text}'; use '{keyword}' keyword to refer to the type");
        cx.sess.error(name.loc, message).fixit_insert(name.loc, format!("{keyword} ")).emit();
        return;
    }
    undeclared(cx, name, Wanted::Type, format!("unknown type name '{text}'")).emit();
}

/// `struct`, `union` or `enum` if such a tag has the name.
fn tag_of(cx: &Sema<'_, '_>, name: Name) -> Option<&'static str> {
    Some(match cx.scopes.lookup_tag(name.symbol)? {
        super::scope::Tag::Record(id) => cx.types().records[id].kind.keyword(),
        super::scope::Tag::Enum(_) => "enum",
    })
}

/// The declared name nearest to `text` among those that can stand where it stands.
fn near<'x>(cx: &Sema<'x, '_>, text: &str, wanted: Wanted) -> Option<&'x str> {
    let reserved = |name: &str| {
        let mut bytes = name.bytes();
        bytes.next() == Some(b'_') && bytes.next().is_some_and(|b| b == b'_' || b.is_ascii_uppercase())
    };
    let own_reserved = reserved(text);
    let declared = cx.scopes.ordinary().filter_map(|(symbol, id)| {
        let decl = &cx.unit.decls[id];
        if decl.flags.has(DeclFlags::IMPLICIT) || decl.flags.has(DeclFlags::BUILTIN_DECL) {
            return None;
        }
        let fits = match wanted {
            Wanted::Value => true,
            Wanted::Type => decl.kind == DeclKind::Typedef,
            Wanted::Function => decl.kind == DeclKind::Function || is_function_pointer(cx.types(), decl.ty.ty()),
        };
        let name = cx.str(symbol);
        (fits && (own_reserved || !reserved(name))).then_some(name)
    });
    let keywords: &[&str] = if wanted == Wanted::Type { &TYPE_KEYWORDS } else { &[] };
    spelling::closest(text, declared.chain(keywords.iter().copied()))
}

/// Keywords that begin a type.
const TYPE_KEYWORDS: [&str; 18] = [
    "int", "char", "short", "long", "unsigned", "signed", "float", "double", "void", "struct", "union", "enum",
    "const", "volatile", "static", "extern", "register", "typeof",
];

fn is_function_pointer(types: &Types, ty: crate::tree::Ty) -> bool {
    types.pointee(ty).is_some_and(|pointee| matches!(types.qkind(pointee), TypeKind::Function(_)))
}

/// Reports a member that a structure or union of type `ty` (in quotes) does not have.
pub fn no_member(cx: &Sema<'_, '_>, record: RecordId, ty: &str, name: Name, loc: base::Loc) {
    let text = cx.str(name.symbol);
    let mut names = Vec::new();
    member_names(cx, record, &mut names);
    match spelling::closest(text, names.into_iter()) {
        Some(near) => {
            let message = format!("{ty} has no member named '{text}'; did you mean '{near}'?");
            cx.sess.error(name.loc, message).fixit(name.loc, near).emit();
        }
        None => drop(cx.sess.error(loc, format!("{ty} has no member named '{text}'")).emit()),
    }
}

/// Names of the members, those of unnamed structures and unions in it as well.
fn member_names<'x>(cx: &Sema<'x, '_>, record: RecordId, names: &mut Vec<&'x str>) {
    let mut work = vec![record];
    while let Some(record) = work.pop() {
        for field in &cx.types().records[record].fields {
            match (field.name, cx.kind(field.ty)) {
                (Some(name), _) => names.push(cx.str(name)),
                (None, TypeKind::Record(inner)) if field.bits.is_none() => work.push(inner),
                (None, _) => {}
            }
        }
    }
}

/// The header of the C library that declares a name.
pub fn header(name: &str, wanted: Wanted) -> Option<&'static str> {
    let functions = (wanted != Wanted::Type).then_some(FUNCTIONS).into_iter();
    let others = (wanted != Wanted::Function).then_some(OTHERS).into_iter();
    functions.chain(others).flatten().find(|(_, names)| names.split(' ').any(|n| n == name)).map(|(header, _)| *header)
}

/// Functions by header (C23 clause 7, and what POSIX adds to the same headers).
const FUNCTIONS: &[(&str, &str)] = &[
    ("assert.h", "assert"),
    (
        "ctype.h",
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower \
         toupper",
    ),
    (
        "math.h",
        "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor \
         fma fmax fmin fmod frexp hypot ilogb ldexp lgamma log log10 log1p log2 logb lrint lround modf nan nearbyint \
         nextafter pow remainder rint round scalbn sin sinh sqrt tan tanh tgamma trunc sqrtf sinf cosf powf fabsf \
         floorf ceilf expf logf roundf truncf fmodf",
    ),
    ("setjmp.h", "longjmp setjmp"),
    ("signal.h", "raise signal"),
    ("stdarg.h", "va_arg va_copy va_end va_start"),
    ("stddef.h", "offsetof"),
    (
        "stdio.h",
        "clearerr fclose feof ferror fflush fgetc fgets fopen fprintf fputc fputs fread freopen fscanf fseek ftell \
         fwrite getc getchar gets perror printf putc putchar puts remove rename rewind scanf setbuf setvbuf snprintf \
         sprintf sscanf tmpfile tmpnam ungetc vfprintf vprintf vsnprintf vsprintf vscanf vsscanf vfscanf getline",
    ),
    (
        "stdlib.h",
        "abort abs aligned_alloc atexit atof atoi atol atoll bsearch calloc div exit free getenv labs ldiv llabs \
         malloc mblen mbstowcs mbtowc qsort rand realloc srand strtod strtof strtol strtold strtoll strtoul strtoull \
         system wctomb wcstombs _Exit quick_exit",
    ),
    (
        "string.h",
        "memccpy memchr memcmp memcpy memmove memset stpcpy strcat strchr strcmp strcoll strcpy strcspn strdup \
         strerror strlen strncat strncmp strncpy strndup strpbrk strrchr strspn strstr strtok strxfrm strnlen",
    ),
    ("strings.h", "strcasecmp strncasecmp"),
    ("time.h", "asctime clock ctime difftime gmtime localtime mktime strftime time"),
    ("wchar.h", "wcscat wcschr wcscmp wcscpy wcslen wcsncmp wcsncpy wprintf"),
    ("wctype.h", "iswalnum iswalpha iswdigit iswspace towlower towupper"),
];

/// Macros, types and objects by header.
const OTHERS: &[(&str, &str)] = &[
    ("errno.h", "errno EDOM EILSEQ ERANGE"),
    (
        "float.h",
        "DBL_DIG DBL_EPSILON DBL_MANT_DIG DBL_MAX DBL_MAX_EXP DBL_MIN DBL_MIN_EXP FLT_DIG FLT_EPSILON FLT_MANT_DIG \
         FLT_MAX FLT_MIN FLT_RADIX LDBL_DIG LDBL_EPSILON LDBL_MAX LDBL_MIN",
    ),
    (
        "inttypes.h",
        "PRId8 PRId16 PRId32 PRId64 PRIu8 PRIu16 PRIu32 PRIu64 PRIx8 PRIx16 PRIx32 PRIx64 PRIdPTR PRIuPTR PRIxPTR \
         PRIdMAX PRIuMAX SCNd32 SCNd64 SCNu32 SCNu64",
    ),
    (
        "limits.h",
        "CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN MB_LEN_MAX SCHAR_MAX \
         SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX UINT_MAX ULLONG_MAX ULONG_MAX USHRT_MAX",
    ),
    ("math.h", "HUGE_VAL HUGE_VALF HUGE_VALL INFINITY NAN M_PI M_E"),
    ("setjmp.h", "jmp_buf"),
    ("signal.h", "SIGABRT SIGFPE SIGILL SIGINT SIGSEGV SIGTERM SIG_DFL SIG_ERR SIG_IGN sig_atomic_t"),
    ("stdarg.h", "va_list"),
    ("stdbool.h", "bool true false"),
    ("stddef.h", "NULL max_align_t ptrdiff_t size_t wchar_t"),
    (
        "stdint.h",
        "INT8_MAX INT8_MIN INT16_MAX INT16_MIN INT32_MAX INT32_MIN INT64_MAX INT64_MIN INTMAX_MAX INTMAX_MIN \
         INTPTR_MAX INTPTR_MIN PTRDIFF_MAX PTRDIFF_MIN SIZE_MAX UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX UINTMAX_MAX \
         UINTPTR_MAX int8_t int16_t int32_t int64_t intmax_t intptr_t uint8_t uint16_t uint32_t uint64_t uintmax_t \
         uintptr_t int_least8_t int_least16_t int_least32_t int_least64_t uint_least8_t uint_least16_t uint_least32_t \
         uint_least64_t int_fast8_t int_fast16_t int_fast32_t int_fast64_t uint_fast8_t uint_fast16_t uint_fast32_t \
         uint_fast64_t",
    ),
    ("stdio.h", "BUFSIZ EOF FILE FILENAME_MAX FOPEN_MAX SEEK_CUR SEEK_END SEEK_SET fpos_t stderr stdin stdout"),
    ("stdlib.h", "EXIT_FAILURE EXIT_SUCCESS MB_CUR_MAX RAND_MAX div_t ldiv_t"),
    ("sys/types.h", "off_t pid_t ssize_t mode_t uid_t gid_t"),
    ("time.h", "CLOCKS_PER_SEC clock_t time_t"),
    ("wchar.h", "WCHAR_MAX WCHAR_MIN wint_t mbstate_t"),
];

#[cfg(test)]
mod tests {
    use super::{Wanted, header};

    #[test]
    fn headers() {
        assert_eq!(header("strlen", Wanted::Function), Some("string.h"));
        assert_eq!(header("NULL", Wanted::Value), Some("stddef.h"));
        assert_eq!(header("uint8_t", Wanted::Type), Some("stdint.h"));
        assert_eq!(header("strlen", Wanted::Type), None);
        assert_eq!(header("whatever", Wanted::Value), None);
    }
}
