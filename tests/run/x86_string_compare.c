// llvm: x86 instructions
// interpreter: its processor has none of these instruction sets
// flags: -msse4.2
// The instructions of SSE4.2 that compare strings: lengths in registers or zero-terminated, an index,
// a mask or a flag as result.
#include <nmmintrin.h>
#include <stdio.h>

__attribute__((noipa)) static __m128i load(const char *text)
{
    return _mm_loadu_si128((const __m128i *)text);
}

int main(void)
{
    __m128i a = load("aeiou\0zzzzzzzzzz"), b = load("xylophon with e\0");
    __attribute__((aligned(16))) unsigned char mask[16];
    for (volatile int n = 1; n <= 16; n *= 4) {
        printf("%d %d\n", _mm_cmpestri(a, 5, b, n, _SIDD_CMP_EQUAL_ANY),
               _mm_cmpestri(a, 2, b, n, _SIDD_CMP_RANGES | _SIDD_MOST_SIGNIFICANT));
        printf("%d %d %d %d %d\n", _mm_cmpestra(a, 5, b, n, 0), _mm_cmpestrc(a, 5, b, n, 0),
               _mm_cmpestro(a, 5, b, n, 0), _mm_cmpestrs(a, n, b, 9, 0), _mm_cmpestrz(a, 9, b, n, 0));
        _mm_store_si128((__m128i *)mask, _mm_cmpestrm(a, 5, b, n, _SIDD_UNIT_MASK));
        for (int i = 0; i < 16; i++)
            printf("%d", mask[i] & 1);
        printf("\n");
    }
    printf("%d %d\n", _mm_cmpistri(a, b, _SIDD_CMP_EQUAL_ANY), _mm_cmpistri(b, b, _SIDD_CMP_EQUAL_EACH));
    printf("%d %d %d %d %d\n", _mm_cmpistra(a, b, 0), _mm_cmpistrc(a, b, 0), _mm_cmpistro(a, b, 0),
           _mm_cmpistrs(a, b, 0), _mm_cmpistrz(a, b, 0));
    _mm_store_si128((__m128i *)mask, _mm_cmpistrm(a, b, _SIDD_BIT_MASK));
    printf("%d %d\n", mask[0], mask[1]);
}
