// flags: -c -O2 -fno-diagnostics-show-caret
// Checking functions in place of library functions, as in the Linux kernel: their bodies count, whatever is known of the
// library function, also where a result is not used, and one check after another is decided at compile time.
typedef __SIZE_TYPE__ size_t;
#define UNKNOWN (~(size_t)0)
#define CHECKING extern inline __attribute__((always_inline)) __attribute__((gnu_inline))
#define member_size(p) __builtin_object_size(p, 1)
#define less_than(a, b) (__builtin_constant_p((a) < (b)) && (a) < (b))
#define known_length(p) ({ unsigned char *P = (unsigned char *)(p); size_t R = UNKNOWN; size_t S = member_size(p); \
    if (S != UNKNOWN && __builtin_constant_p(*P)) { size_t L = S - 1; \
        if (__builtin_constant_p(P[L]) && P[L] == '\0') R = __builtin_strlen((const char *)P); } R; })
void read_overflow(void) __attribute__((error("detected read")));
void write_overflow(void) __attribute__((error("detected write")));
void panic(const char *) __attribute__((noreturn, cold));
size_t real_strnlen(const char *, size_t) __asm__("strnlen");
void *memchr(const void *, int, size_t);
int memcmp(const void *, const void *, size_t);
char *strcpy(char *, const char *);
size_t strnlen(const char *, size_t);

CHECKING void *memchr(const void *const p, int c, size_t size)
{
    size_t p_size = __builtin_object_size(p, 0);
    if (less_than(p_size, size)) read_overflow();
    if (p_size < size) panic(__func__);
    return __builtin_memchr(p, c, size);
}
CHECKING int memcmp(const void *const p, const void *const q, size_t size)
{
    size_t p_size = __builtin_object_size(p, 0), q_size = __builtin_object_size(q, 0);
    if (__builtin_constant_p(size)) {
        if (less_than(p_size, size)) read_overflow();
        if (less_than(q_size, size)) read_overflow();
    }
    if (p_size < size || q_size < size) panic(__func__);
    return __builtin_memcmp(p, q, size);
}
CHECKING size_t strnlen(const char *const p, size_t most)
{
    size_t p_size = member_size(p), length = known_length(p), result;
    if (__builtin_constant_p(most) && length != UNKNOWN) {
        if (most >= p_size) return length;
    }
    result = real_strnlen(p, most < p_size ? most : p_size);
    if (p_size <= result && most != result) panic(__func__);
    return result;
}
CHECKING size_t checked_strlen(const char *const p)
{
    size_t result, p_size = member_size(p);
    if (p_size == UNKNOWN) return __builtin_strlen(p);
    result = strnlen(p, p_size);
    if (p_size <= result) panic(__func__);
    return result;
}
CHECKING char *strcpy(char *const p, const char *const q)
{
    size_t p_size = member_size(p), q_size = member_size(q), size;
    if (__builtin_constant_p(p_size) && __builtin_constant_p(q_size) && p_size == UNKNOWN && q_size == UNKNOWN)
        return __builtin_strcpy(p, q);
    size = checked_strlen(q) + 1;
    if (less_than(p_size, size)) write_overflow();
    if (p_size < size) panic(__func__);
    __builtin_memcpy(p, q, size);
    return p;
}

char small[16], large[32];
const char text[32] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
void unused_search(void) { memchr(small, 0x7a, 17); }
void unused_comparison(void) { memcmp(large, small, 17); }
void copy_of_literal(void) { strcpy(small, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"); }
void copy_of_array(void) { strcpy(small, text); }
void fits(void) { memchr(small, 0x7a, 16); memcmp(large, small, 16); strcpy(small, "AAAAAAAAAAAAAAA"); strcpy(large, text); }
