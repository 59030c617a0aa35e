// llvm: x86 instructions
// interpreter: its processor has none of these instruction sets
// Vectors of 32 bytes as values: operators, loops, lanes and halves, constants, choices, with AVX2 on whole registers and
// with AVX on halves.
#include <immintrin.h>
#include <stdio.h>
#include <string.h>

#define N __attribute__((noinline))

typedef int Ints __attribute__((vector_size(32)));
typedef unsigned Unsigned __attribute__((vector_size(32)));
typedef short Shorts __attribute__((vector_size(32)));
typedef signed char Chars __attribute__((vector_size(32)));
typedef long long Longs __attribute__((vector_size(32)));
typedef float Floats __attribute__((vector_size(32)));
typedef double Doubles __attribute__((vector_size(32)));
typedef int Half __attribute__((vector_size(16)));

static void show(const char *name, const void *p)
{
    unsigned w[8];
    memcpy(w, p, 32);
    printf("%s", name);
    for (int i = 0; i < 8; i++) printf(" %08x", w[i]);
    puts("");
}

#define SHOW(e) do { __typeof__(e) shown = (e); show(#e, &shown); } while (0)

#define OPERATIONS(SUFFIX, TARGET) \
    N TARGET Ints ints##SUFFIX(Ints a, Ints b, int n) \
    { \
        Ints sum = a; \
        for (int i = 0; i < n; i++) sum = (sum * b + 3) ^ (sum >> 5); \
        return (sum < b) & (sum - b) | ~sum % 7; \
    } \
    N TARGET Unsigned words##SUFFIX(Unsigned a, Unsigned b) { return (a > b) & a << 3 | ~(a > b) & b / 3 >> 2; } \
    N TARGET Shorts shorts##SUFFIX(Shorts a, Shorts b, int s) { return (a * b << s) - (a == b) + (b >> 4); } \
    N TARGET Chars chars##SUFFIX(Chars a, Chars b) { return (a * b >> 2) + (a << 1) - -b; } \
    N TARGET Longs longs##SUFFIX(Longs a, Longs b) { return (a * b >> 3) + (a > b) - (b << 7); } \
    N TARGET Floats floats##SUFFIX(Floats a, float x) { return (a + x) * a / (x - a) - (Floats)((Ints)(a < x) & 3); } \
    N TARGET Doubles doubles##SUFFIX(Doubles a, const Doubles *b) { return -a * *b + (Doubles){1, 2, 3, 4}; } \
    N TARGET Ints lanes##SUFFIX(Ints a, int x, int i) \
    { \
        a[5] = x; \
        a[0] = a[7] + 1; \
        a[i & 7] ^= 9; \
        return a + (Ints){x, 1, x, 2, 0, x, x, i}; \
    } \
    N TARGET Ints halves##SUFFIX(Ints a, Half b) \
    { \
        Half parts[2]; \
        memcpy(parts, &a, 32); \
        parts[1] += b; \
        Half swapped[2] = {parts[1], parts[0]}; \
        memcpy(&a, swapped, 32); \
        return a; \
    } \
    N TARGET Ints choose##SUFFIX(int c, Ints a, Ints b) \
    { \
        Ints r = c ? a : b; \
        while (c-- > 0) r = r + r ^ b; \
        return r; \
    } \
    TARGET static void run##SUFFIX(void) \
    { \
        Ints a = {1, -2, 300, -4000, 50000, 6, 0x7fffffff, 8}, b = {7, 6, -5, 4, 3, -2, 1, 9}; \
        Doubles d = {1.5, -2.5, 3.5, 1e9}; \
        SHOW(ints##SUFFIX(a, b, 5)); \
        SHOW(words##SUFFIX((Unsigned)a, (Unsigned)b)); \
        SHOW(shorts##SUFFIX((Shorts)a, (Shorts)b, 3)); \
        SHOW(chars##SUFFIX((Chars)a, (Chars)b)); \
        SHOW(longs##SUFFIX((Longs)a, (Longs)b)); \
        SHOW(floats##SUFFIX(__builtin_convertvector(b, Floats), 2.5f)); \
        SHOW(doubles##SUFFIX(d, &d)); \
        SHOW(lanes##SUFFIX(a, 77, 3)); \
        SHOW(halves##SUFFIX(a, (Half){1, 2, 3, 4})); \
        SHOW(choose##SUFFIX(3, a, b)); \
        SHOW(choose##SUFFIX(0, a, b)); \
    }

OPERATIONS(_avx2, __attribute__((target("avx2"))))
OPERATIONS(_avx, __attribute__((target("avx"))))

__attribute__((target("avx2"))) N unsigned checksum(const unsigned char *p, long n)
{
    __m256i sums = _mm256_setzero_si256(), weighted = sums;
    const __m256i ones = _mm256_set1_epi16(1);
    for (; n >= 32; p += 32, n -= 32) {
        __m256i x = _mm256_loadu_si256((const __m256i *)p);
        sums = _mm256_add_epi32(sums, _mm256_sad_epu8(x, _mm256_setzero_si256()));
        weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(_mm256_maddubs_epi16(x, _mm256_set1_epi8(3)), ones));
    }
    __m256i both = _mm256_add_epi32(sums, weighted);
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return (unsigned)_mm_cvtsi128_si32(half) + (unsigned)_mm_extract_epi16(half, 2);
}

int main(void)
{
    if (__builtin_cpu_supports("avx2")) run_avx2();
    if (__builtin_cpu_supports("avx")) run_avx();
    static unsigned char data[333];
    for (int i = 0; i < 333; i++) data[i] = (unsigned char)(i * 37);
    if (__builtin_cpu_supports("avx2")) printf("%u\n", checksum(data + 1, 331));
}
