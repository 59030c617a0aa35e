/* SSE3. */
#ifndef _PMMINTRIN_H_INCLUDED
#define _PMMINTRIN_H_INCLUDED 1

#include <emmintrin.h>

#define __SSE3_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("sse3")))

__SSE3_FN __m128 _mm_addsub_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_addsubps((__v4sf)__a, (__v4sf)__b);
}

__SSE3_FN __m128d _mm_addsub_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_addsubpd((__v2df)__a, (__v2df)__b);
}

__SSE3_FN __m128 _mm_hadd_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_haddps((__v4sf)__a, (__v4sf)__b);
}

__SSE3_FN __m128d _mm_hadd_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_haddpd((__v2df)__a, (__v2df)__b);
}

__SSE3_FN __m128 _mm_hsub_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_hsubps((__v4sf)__a, (__v4sf)__b);
}

__SSE3_FN __m128d _mm_hsub_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_hsubpd((__v2df)__a, (__v2df)__b);
}

__SSE3_FN __m128 _mm_movehdup_ps(__m128 __a) {
  return (__m128)__builtin_ia32_movshdup((__v4sf)__a);
}

__SSE3_FN __m128 _mm_moveldup_ps(__m128 __a) {
  return (__m128)__builtin_ia32_movsldup((__v4sf)__a);
}

__SSE3_FN __m128d _mm_movedup_pd(__m128d __a) {
  return (__m128d){ __a[0], __a[0] };
}

__SSE3_FN __m128d _mm_loaddup_pd(double const *__p) {
  return (__m128d){ *__p, *__p };
}

__SSE3_FN __m128i _mm_lddqu_si128(__m128i const *__p) {
  return *(__m128i_u const *)__p;
}

__SSE3_FN void _mm_monitor(void const *__p, unsigned int __e, unsigned int __h) {
  __asm__ __volatile__("monitor" : : "a"(__p), "c"(__e), "d"(__h));
}

__SSE3_FN void _mm_mwait(unsigned int __e, unsigned int __h) {
  __asm__ __volatile__("mwait" : : "a"(__h), "c"(__e));
}

#define _MM_DENORMALS_ZERO_MASK 0x0040
#define _MM_DENORMALS_ZERO_ON 0x0040
#define _MM_DENORMALS_ZERO_OFF 0x0000
#define _MM_SET_DENORMALS_ZERO_MODE(mode) _mm_setcsr((_mm_getcsr() & ~_MM_DENORMALS_ZERO_MASK) | (mode))
#define _MM_GET_DENORMALS_ZERO_MODE() (_mm_getcsr() & _MM_DENORMALS_ZERO_MASK)

#endif
