// llvm: x86 instructions
// flags: -mavx
// Vectors of 32 bytes as arguments and results of calls, beside others, and halves of them.
#include <immintrin.h>
#include <stdio.h>

__attribute__((noipa)) static __m256d twice(__m256d a, double b)
{
    return _mm256_add_pd(a, _mm256_set1_pd(b));
}

__attribute__((noipa)) static __m256 mixed(int n, __m256 a, __m128 b, __m256 c)
{
    __m256 r = _mm256_sub_ps(a, c);
    return n ? _mm256_insertf128_ps(r, b, 1) : r;
}

__attribute__((noipa)) static __m128 upper(__m256 a)
{
    return _mm256_extractf128_ps(a, 1);
}

static void show(__m256 v)
{
    for (int i = 0; i < 8; i++)
        printf("%g ", v[i]);
    printf("\n");
}

int main(void)
{
    __m256d d = twice(_mm256_set_pd(4, 3, 2, 1), 0.5);
    d = twice(d, d[3]);
    printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
    __m256 a = _mm256_set_ps(8, 7, 6, 5, 4, 3, 2, 1), c = _mm256_set1_ps(0.25f);
    __m128 b = _mm_set_ps(40, 30, 20, 10);
    __m256 r = mixed(0, a, b, c), s = mixed(1, r, b, a);
    show(r);
    show(s);
    __m128 u = upper(s), w = upper(a);
    printf("%g %g %g %g\n", u[0], u[3], w[0], w[3]);
    show(mixed(1, _mm256_insertf128_ps(a, u, 0), w, mixed(0, s, u, r)));
    __m256 (*volatile call)(int, __m256, __m128, __m256) = mixed;
    show(_mm256_add_ps(call(1, a, u, c), call(0, c, w, a)));
}
