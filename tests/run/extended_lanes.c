// flags: -fwrapv
// llvm: x86 instructions
// interpreter: its processor has none of these instruction sets
/* Vectors with wider and narrower lanes, and other conversions, at every width and number of lanes, with
   and without the instructions that do it at once, from registers and from memory at the end of an
   object; products of words. */
#include <stdio.h>
#include <string.h>

static unsigned hash;
static unsigned failures;
static unsigned seed = 12345;

static unsigned random_bits(void) {
    seed = seed * 1103515245u + 12345u;
    return seed >> 8;
}

#define CONVERT(from, to, lanes, target, name)                                                                         \
    typedef from from_##name __attribute__((vector_size(sizeof(from) * lanes)));                                       \
    typedef to to_##name __attribute__((vector_size(sizeof(to) * lanes)));                                             \
    target __attribute__((noipa)) static void convert_##name(const from_##name *a, to_##name *out, int add) {          \
        *out = __builtin_convertvector(*a, to_##name);                                                                 \
        from_##name more = *a + (from)add;                                                                             \
        out[1] = __builtin_convertvector(more, to_##name);                                                             \
    }                                                                                                                  \
    static void test_##name(void) {                                                                                    \
        for (int round = 0; round < 8; round++) {                                                                      \
            from_##name a;                                                                                             \
            to_##name out[2];                                                                                          \
            from each[lanes];                                                                                          \
            to result[2][lanes];                                                                                       \
            for (int i = 0; i < lanes; i++)                                                                            \
                each[i] = (from)(round < 2 ? random_bits() % 100 : random_bits());                                     \
            memcpy(&a, each, sizeof a);                                                                                \
            convert_##name(&a, out, round);                                                                            \
            memcpy(result, out, sizeof result);                                                                        \
            for (int i = 0; i < lanes; i++) {                                                                          \
                from more = each[i] + (from)round;                                                                     \
                failures += result[0][i] != (to)each[i] || result[1][i] != (to)more;                                   \
                hash = hash * 31 + (unsigned)(long)result[0][i];                                                       \
            }                                                                                                          \
        }                                                                                                              \
    }

#define PLAIN
#define SSE4 __attribute__((target("sse4.1")))
#define AVX __attribute__((target("avx")))
#define AVX2 __attribute__((target("avx2")))

#define PAIRS(m, lanes, target, suffix)                                                                                \
    m(signed char, short, lanes, target, a##lanes##suffix) m(unsigned char, short, lanes, target, b##lanes##suffix)    \
    m(signed char, int, lanes, target, c##lanes##suffix) m(unsigned char, unsigned, lanes, target, d##lanes##suffix)   \
    m(signed char, long, lanes, target, e##lanes##suffix) m(unsigned char, long, lanes, target, f##lanes##suffix)      \
    m(short, int, lanes, target, g##lanes##suffix) m(unsigned short, int, lanes, target, h##lanes##suffix)             \
    m(short, long, lanes, target, i##lanes##suffix) m(unsigned short, unsigned long, lanes, target, j##lanes##suffix)  \
    m(int, long, lanes, target, k##lanes##suffix) m(unsigned, long, lanes, target, l##lanes##suffix)                   \
    m(long, int, lanes, target, w##lanes##suffix) m(int, short, lanes, target, n##lanes##suffix)                       \
    m(int, signed char, lanes, target, o##lanes##suffix) m(short, unsigned char, lanes, target, p##lanes##suffix)      \
    m(int, float, lanes, target, q##lanes##suffix) m(int, double, lanes, target, r##lanes##suffix)                     \
    m(float, int, lanes, target, s##lanes##suffix) m(float, double, lanes, target, t##lanes##suffix)                   \
    m(double, float, lanes, target, u##lanes##suffix) m(double, int, lanes, target, v##lanes##suffix)

#define LANES(m, target, suffix)                                                                                       \
    PAIRS(m, 2, target, suffix) PAIRS(m, 4, target, suffix) PAIRS(m, 8, target, suffix) PAIRS(m, 16, target, suffix)

PAIRS(CONVERT, 8, PLAIN, plain)
LANES(CONVERT, SSE4, sse4)
PAIRS(CONVERT, 8, AVX, avx)
LANES(CONVERT, AVX2, avx2)

/* Products of words in their whole width. */
#define PRODUCTS(type, wide, target, name)                                                                             \
    target __attribute__((noipa)) static void name(const type *a, const type *b, wide *out, int n) {                   \
        for (int i = 0; i < n; i++)                                                                                    \
            out[i] = (wide)a[i] * (wide)b[i];                                                                          \
    }                                                                                                                  \
    target __attribute__((noipa)) static long name##_sum(const type *a, const type *b, int n) {                        \
        long sum = 0;                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            sum += (wide)a[i] * (wide)b[i];                                                                            \
        return sum;                                                                                                    \
    }                                                                                                                  \
    static void test_##name(void) {                                                                                    \
        static const type edges[] = {(type)0x8000, 0x7fff, (type)0xffff, 0, 1, (type)0x8001, (type)0xff00, 0x00ff};    \
        type a[48], b[48];                                                                                             \
        wide out[49];                                                                                                  \
        for (int n = 0; n <= 48; n++) {                                                                                \
            long sum = 0;                                                                                              \
            for (int i = 0; i < 48; i++) {                                                                             \
                a[i] = n % 3 ? (type)random_bits() : edges[(i + n) % 8];                                               \
                b[i] = n % 3 ? (type)random_bits() : edges[(i / 8 + i + n / 3) % 8];                                   \
            }                                                                                                          \
            out[n] = 77;                                                                                               \
            name(a, b, out, n);                                                                                        \
            for (int i = 0; i < n; i++) {                                                                              \
                wide product = (wide)a[i] * (wide)b[i];                                                                \
                failures += out[i] != product;                                                                         \
                sum += product;                                                                                        \
            }                                                                                                          \
            failures += out[n] != 77 || name##_sum(a, b, n) != sum;                                                    \
            hash = hash * 31 + (unsigned)sum;                                                                          \
        }                                                                                                              \
    }

#define ALL_PRODUCTS(target, suffix)                                                                                   \
    PRODUCTS(short, int, target, words_##suffix)                                                                       \
    PRODUCTS(unsigned short, unsigned, target, unsigned_words_##suffix)                                                \
    PRODUCTS(short, long, target, longs_##suffix)

ALL_PRODUCTS(PLAIN, plain)
ALL_PRODUCTS(SSE4, sse4)
ALL_PRODUCTS(AVX2, avx2)

#define TEST(from, to, lanes, target, name) test_##name();
#define TEST_PRODUCTS(suffix) test_words_##suffix(), test_unsigned_words_##suffix(), test_longs_##suffix();

int main(void) {
    PAIRS(TEST, 8, PLAIN, plain)
    TEST_PRODUCTS(plain)
    printf("%08x %u\n", hash, failures);
    if (__builtin_cpu_supports("sse4.1")) {
        LANES(TEST, SSE4, sse4)
        TEST_PRODUCTS(sse4)
    }
    if (__builtin_cpu_supports("avx")) {
        PAIRS(TEST, 8, AVX, avx)
    }
    if (__builtin_cpu_supports("avx2")) {
        LANES(TEST, AVX2, avx2)
        TEST_PRODUCTS(avx2)
    }
    printf("%u\n", failures);
    return 0;
}
