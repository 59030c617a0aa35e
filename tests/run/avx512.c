// llvm: x86 instructions
// interpreter: its processor has none of these instruction sets
// Intrinsics of AVX-512, whose instructions are not generated: masks, comparisons, memory by mask, sums, permutations, dot products,
// and vectors of 64 bytes in assembly statements without text.
#include <immintrin.h>
#include <stdio.h>
#include <string.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

static void show(const char *name, const void *p, int words)
{
    unsigned w[16];
    memcpy(w, p, 4 * (size_t)words);
    printf("%s", name);
    for (int i = 0; i < words; i++) printf(" %08x", w[i]);
    puts("");
}

#define SHOW(e) do { __typeof__(e) shown = (e); show(#e, &shown, sizeof shown / 4); } while (0)

TARGET static unsigned adler(const unsigned char *p, int n)
{
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i sums = _mm512_setzero_si512(), bytes = _mm512_setzero_si512();
    for (; n >= 64; p += 64, n -= 64) {
        __m512i x = _mm512_loadu_si512(p);
        sums = _mm512_dpbusd_epi32(sums, x, ones);
        bytes = _mm512_add_epi64(bytes, _mm512_sad_epu8(x, _mm512_setzero_si512()));
        __asm__("" : "+v"(sums), "+v"(bytes));
    }
    __m512i rest = _mm512_maskz_loadu_epi8(((__mmask64)1 << n) - 1, p);
    sums = _mm512_dpbusd_epi32(sums, rest, ones);
    return (unsigned)_mm512_reduce_add_epi32(sums) + 3 * (unsigned)_mm512_reduce_add_epi64(bytes);
}

TARGET static void masks(const int *p)
{
    __m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 16);
    printf("%04x %08x %016llx\n", _mm512_cmpgt_epi32_mask(a, b), _mm512_cmple_epu16_mask(a, b), _mm512_cmpeq_epi8_mask(a, b));
    printf("%02x %02x\n", _mm256_cmp_epi32_mask(_mm512_castsi512_si256(a), _mm512_castsi512_si256(b), _MM_CMPINT_NLT),
           _mm512_test_epi64_mask(a, b));
    SHOW(_mm512_mask_add_epi32(a, 0x5a5a, a, b));
    SHOW(_mm512_maskz_sub_epi16(0xf0f01234, a, b));
    SHOW(_mm512_mask_blend_epi8(0x123456789abcdef0, a, b));
    SHOW(_mm256_maskz_mullo_epi32(0x35, _mm512_castsi512_si256(a), _mm512_castsi512_si256(b)));
    int out[16] = {0};
    _mm512_mask_storeu_epi32(out, 0x1234, a);
    show("stored", out, 16);
    printf("%d %d\n", _mm512_kortestz(0, 0), _cvtmask32_u32(_kxnor_mask32(5, 9)) == ~12u);
}

TARGET static void lanes(const int *p)
{
    __m512i a = _mm512_loadu_si512(p), b = _mm512_loadu_si512(p + 16);
    SHOW(_mm512_ternarylogic_epi32(a, b, _mm512_set1_epi32(0x0ff0), 0xca));
    SHOW(_mm512_ror_epi32(a, 7));
    SHOW(_mm512_permutexvar_epi32(b, a));
    SHOW(_mm512_shuffle_i32x4(a, b, 0x4e));
    SHOW(_mm512_unpackhi_epi16(a, b));
    SHOW(_mm512_extracti32x4_epi32(a, 2));
    SHOW(_mm512_inserti64x4(a, _mm256_set1_epi32(7), 1));
    SHOW(_mm512_srai_epi64(a, 9));
    SHOW(_mm512_cvtepi32_epi8(a));
    SHOW(_mm512_cvtepu8_epi32(_mm512_castsi512_si128(b)));
    SHOW(_mm512_fmadd_ps(_mm512_cvtepi32_ps(a), _mm512_set1_ps(.5f), _mm512_set1_ps(3)));
    printf("%g %d\n", _mm512_reduce_add_ps(_mm512_cvtepi32_ps(b)), _mm512_reduce_max_epi32(a));
}

int main(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 0;
    static unsigned char data[1000];
    int words[32];
    for (int i = 0; i < 1000; i++) data[i] = (unsigned char)(i * 73 >> 2);
    for (int i = 0; i < 32; i++) words[i] = (i % 5 - 2) * 123457 * (i + 1) ^ i << 27;
    printf("%u\n", adler(data, 999));
    masks(words);
    lanes(words);
}
