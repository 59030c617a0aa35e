// llvm: x86 instructions
// interpreter: its processor has none of these instruction sets
// AVX, AVX2, FMA and F16C: 256-bit vectors in registers, arguments, results and memory; gathers and masked accesses.
#include <immintrin.h>
#include <stdarg.h>
#include <stdio.h>

#pragma GCC target("avx2,fma,f16c")

typedef struct { __m256 v; } Whole;
typedef struct { __m256i v; int n; } Large;

static void show(char const *name, __m256 v) {
  printf("%s", name);
  for (int i = 0; i < 8; i++) printf(" %g", v[i]);
  puts("");
}

__attribute__((noinline)) static __m256 mixed(__m256 a, int x, __m256d b, double c, __m256i d) {
  return _mm256_add_ps(_mm256_add_ps(a, _mm256_cvtepi32_ps(d)), _mm256_set1_ps((float)(x + c + b[2])));
}

__attribute__((noinline)) static Whole whole(Whole a, __m256 b) {
  a.v = _mm256_addsub_ps(a.v, b);
  return a;
}

__attribute__((noinline)) static Large large(Large a, __m256 b) {
  a.v = _mm256_sub_epi32(_mm256_abs_epi32(a.v), _mm256_cvtps_epi32(b));
  a.n++;
  return a;
}

__attribute__((noinline)) static __m256 many(__m256 a, __m256 b, __m256 c, __m256 d, __m256 e, __m256 f, __m256 g, __m256 h, __m256 i) {
  return _mm256_sub_ps(_mm256_hadd_ps(a, h), _mm256_fmadd_ps(i, b, _mm256_add_ps(_mm256_mul_ps(c, d), _mm256_fnmsub_ps(e, f, g))));
}

__attribute__((noinline)) static __m256d variadic(int n, ...) {
  va_list ap;
  va_start(ap, n);
  __m256d sum = _mm256_setzero_pd();
  for (int i = 0; i < n; i++) {
    sum = _mm256_add_pd(sum, va_arg(ap, __m256d));
    sum[1] += va_arg(ap, double);
  }
  va_end(ap);
  return sum;
}

__attribute__((noinline)) static float dot(float const *a, float const *b, int n) {
  __m256 sum = _mm256_setzero_ps();
  for (int i = 0; i < n; i += 8) sum = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sum);
  __m128 half = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
  half = _mm_hadd_ps(half, half);
  return _mm_cvtss_f32(_mm_hadd_ps(half, half));
}

/* More values than registers, and calls in between. */
__attribute__((noinline)) static __m256i pressure(__m256i const *p, int (*f)(int)) {
  __m256i v[20];
  for (int i = 0; i < 20; i++) v[i] = _mm256_shuffle_epi8(p[i % 4], _mm256_set1_epi8((char)i));
  int x = f(1);
  __m256i a = v[0], b = v[1], c = v[2], d = v[3], e = v[4];
  for (int i = 5; i < 20; i++) {
    a = _mm256_adds_epi16(a, v[i]), b = _mm256_maddubs_epi16(b, v[i]), c = _mm256_sign_epi8(c, a), d = _mm256_avg_epu8(d, b);
    if (i % 7 == 0) e = _mm256_permutevar8x32_epi32(e, _mm256_set1_epi32(f(i)));
    e = _mm256_alignr_epi8(e, c, 5);
  }
  return _mm256_xor_si256(_mm256_add_epi64(a, b), _mm256_sub_epi32(_mm256_xor_si256(c, d), _mm256_slli_epi32(e, x)));
}

static int next(int x) { return (x * 5 + 2) & 7; }

static int test(void) {
  __m256 a = _mm256_setr_ps(1, 2, 3, 4, 5, 6, 7, 8), b = _mm256_set1_ps(0.5f);
  __m256d d = _mm256_setr_pd(1, 2, 3, 4);
  __m256i i = _mm256_setr_epi32(1, -2, 3, -4, 5, -6, 7, -8);
  show("mixed", mixed(a, 3, d, 2.5, i));
  Whole w = { a };
  show("whole", whole(w, b).v);
  Large l = { i, 5 };
  l = large(l, b);
  show("large", _mm256_cvtepi32_ps(l.v));
  show("many", many(a, b, a, b, a, b, a, _mm256_mul_ps(a, b), a));
  d = variadic(3, d, 1.5, d, 2.5, _mm256_mul_pd(d, d), 0.25);
  printf("variadic %g %g %g %g\n", d[0], d[1], d[2], d[3]);
  float x[24], y[24];
  for (int k = 0; k < 24; k++) x[k] = (float)k, y[k] = (float)(k % 5);
  printf("dot %g\n", dot(x, y, 24));
  __m256i p[4] = { i, _mm256_set1_epi8(3), _mm256_setr_epi64x(1, -1, 77, 5), _mm256_set1_epi16(-300) };
  __m256i r = pressure(p, next);
  printf("pressure %016llx %016llx %016llx %016llx\n", r[0], r[1], r[2], r[3]);
  show("gather", _mm256_i32gather_ps(x, _mm256_and_si256(i, _mm256_set1_epi32(15)), 4));
  show("masked gather", _mm256_mask_i32gather_ps(b, x, _mm256_and_si256(i, _mm256_set1_epi32(7)), a - 4.5f, 4));
  __m256d g = _mm256_i32gather_pd((double const *)(void *)p, _mm_setr_epi32(4, 5, 6, 7), 8);
  printf("gather %016llx\n", ((__m256i)g)[1]);
  _mm256_maskstore_ps(x + 1, i, b);
  show("maskload", _mm256_maskload_ps(x, i));
  show("half", _mm256_cvtph_ps(_mm256_cvtps_ph(_mm256_div_ps(a, _mm256_set1_ps(3)), 0)));
  printf("tests %d %d %d\n", _mm256_testz_si256(i, p[3]), _mm256_movemask_epi8(p[2]), _mm256_movemask_ps(a - 4.5f));
  _mm256_zeroupper();
  return 0;
}

#pragma GCC reset_options

int main(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v3")) return test();
  puts("this processor lacks AVX2");
  return 0;
}
