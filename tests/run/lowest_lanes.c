/* Operations on the lowest lane keep the others of their first operand, whichever operand is needed again. */
#include <emmintrin.h>
#include <stdio.h>

static void show(const char *name, __m128 v) {
    float lanes[4];
    _mm_storeu_ps(lanes, v);
    printf("%s %g %g %g %g\n", name, lanes[0], lanes[1], lanes[2], lanes[3]);
}

static void show_double(const char *name, __m128d v) {
    double lanes[2];
    _mm_storeu_pd(lanes, v);
    printf("%s %g %g\n", name, lanes[0], lanes[1]);
}

__attribute__((noinline)) static __m128 sum(__m128 a, __m128 b) {
    return _mm_sub_ps(_mm_add_ss(a, b), _mm_mul_ps(a, a));
}

__attribute__((noinline)) static __m128 product(__m128 a, __m128 b) {
    return _mm_sub_ps(_mm_mul_ss(a, b), _mm_mul_ps(a, a));
}

__attribute__((noinline)) static __m128d sum_double(__m128d a, __m128d b) {
    return _mm_sub_pd(_mm_add_sd(a, b), _mm_mul_pd(a, a));
}

__attribute__((noinline)) static __m128d product_double(__m128d a, __m128d b) {
    return _mm_sub_pd(_mm_mul_sd(a, b), _mm_mul_pd(a, a));
}

int main(void) {
    __m128 a = _mm_setr_ps(1, 2, 3, 4), b = _mm_setr_ps(10, 20, 30, 40);
    __m128d c = _mm_setr_pd(3, 5), d = _mm_setr_pd(7, 9);
    show("add_ss", sum(a, b));
    show("mul_ss", product(a, b));
    show_double("add_sd", sum_double(c, d));
    show_double("mul_sd", product_double(c, d));
    return 0;
}
