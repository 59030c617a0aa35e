// flags: -P
__has_attribute(packed) __has_attribute(__noreturn__) __has_attribute(no_such) __has_attribute(gnu::unused)
__has_c_attribute(fallthrough) __has_c_attribute(nodiscard) __has_c_attribute(gnu::packed) __has_c_attribute(packed)
__has_builtin(__builtin_expect) __has_builtin(__builtin_no_such) __has_builtin(__builtin_offsetof)
#if __has_attribute(always_inline)
yes
#endif
#define meant deprecated
#define scope gnu
__has_c_attribute(meant) __has_attribute(meant) __has_c_attribute(scope::packed)
