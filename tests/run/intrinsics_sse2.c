// llvm: x86 instructions
// interpreter: instructions of the processor in the intrinsics
#include <stdio.h>
#include <emmintrin.h>

static void ints(__m128i v) {
  int a[4];
  _mm_storeu_si128((__m128i *)a, v);
  printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
}

static void floats(__m128 v) {
  float a[4];
  _mm_storeu_ps(a, v);
  printf("%g %g %g %g\n", a[0], a[1], a[2], a[3]);
}

static int find(const char *s, char c) {
  __m128i needle = _mm_set1_epi8(c), hay = _mm_loadu_si128((const __m128i *)s);
  int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(needle, hay));
  return mask ? __builtin_ctz(mask) : -1;
}

int main(void) {
  __m128 a = _mm_set_ps(4, 3, 2, 1), b = _mm_set1_ps(0.5f);
  floats(_mm_add_ps(a, b));
  floats(_mm_mul_ps(a, _mm_sqrt_ps(_mm_mul_ps(a, a))));
  floats(_mm_shuffle_ps(a, b, _MM_SHUFFLE(0, 1, 2, 3)));
  floats(_mm_max_ps(a, _mm_set_ps(0, 9, 0, 9)));
  floats(_mm_unpacklo_ps(a, b));
  floats(_mm_and_ps(_mm_cmplt_ps(a, _mm_set1_ps(2.5f)), a));
  printf("%d\n", _mm_movemask_ps(_mm_sub_ps(b, a)));
  __m128i i = _mm_setr_epi32(1, -2, 3, -4), j = _mm_set1_epi32(100);
  ints(_mm_add_epi32(i, j));
  ints(_mm_slli_epi32(i, 3));
  ints(_mm_srai_epi32(i, 1));
  ints(_mm_shuffle_epi32(i, 0x1b));
  ints(_mm_unpackhi_epi32(i, j));
  ints(_mm_cmpgt_epi32(i, _mm_setzero_si128()));
  ints(_mm_madd_epi16(_mm_packs_epi32(i, j), _mm_set1_epi16(2)));
  ints(_mm_cvtps_epi32(_mm_mul_ps(a, _mm_set1_ps(1.5f))));
  ints(_mm_slli_si128(i, 4));
  ints(_mm_sad_epu8(i, j));
  __m128d d = _mm_set_pd(2.5, 1.5);
  printf("%g %g %d\n", _mm_cvtsd_f64(_mm_add_pd(d, d)), _mm_cvtsd_f64(_mm_unpackhi_pd(d, d)), _mm_cvtsd_si32(d));
  printf("%d %d\n", find("where is the z here", 'z'), find("nothing here....", 'q'));
  printf("%d %d\n", _mm_extract_epi16(i, 2), _mm_cvtsi128_si32(_mm_insert_epi16(j, 7, 0)));
  return 0;
}
