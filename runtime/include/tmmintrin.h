/* SSSE3. */
#ifndef _TMMINTRIN_H_INCLUDED
#define _TMMINTRIN_H_INCLUDED 1

#include <pmmintrin.h>

#define __SSSE3_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("ssse3")))

__SSSE3_FN __m128i _mm_hadd_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_phaddw128((__v8hi)__a, (__v8hi)__b);
}

__SSSE3_FN __m128i _mm_hadd_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_phaddd128((__v4si)__a, (__v4si)__b);
}

__SSSE3_FN __m128i _mm_hadds_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_phaddsw128((__v8hi)__a, (__v8hi)__b);
}

__SSSE3_FN __m128i _mm_hsub_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_phsubw128((__v8hi)__a, (__v8hi)__b);
}

__SSSE3_FN __m128i _mm_hsub_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_phsubd128((__v4si)__a, (__v4si)__b);
}

__SSSE3_FN __m128i _mm_hsubs_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_phsubsw128((__v8hi)__a, (__v8hi)__b);
}

__SSSE3_FN __m128i _mm_maddubs_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmaddubsw128((__v16qi)__a, (__v16qi)__b);
}

__SSSE3_FN __m128i _mm_mulhrs_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmulhrsw128((__v8hi)__a, (__v8hi)__b);
}

__SSSE3_FN __m128i _mm_shuffle_epi8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pshufb128((__v16qi)__a, (__v16qi)__b);
}

__SSSE3_FN __m128i _mm_sign_epi8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psignb128((__v16qi)__a, (__v16qi)__b);
}

__SSSE3_FN __m128i _mm_sign_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psignw128((__v8hi)__a, (__v8hi)__b);
}

__SSSE3_FN __m128i _mm_sign_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psignd128((__v4si)__a, (__v4si)__b);
}

__SSSE3_FN __m128i _mm_abs_epi8(__m128i __a) {
  return (__m128i)__builtin_ia32_pabsb128((__v16qi)__a);
}

__SSSE3_FN __m128i _mm_abs_epi16(__m128i __a) {
  return (__m128i)__builtin_ia32_pabsw128((__v8hi)__a);
}

__SSSE3_FN __m128i _mm_abs_epi32(__m128i __a) {
  return (__m128i)__builtin_ia32_pabsd128((__v4si)__a);
}

__SSSE3_FN __m128i _mm_alignr_epi8(__m128i __a, __m128i __b, int __imm) {
  return __imm >= 32 ? (__m128i){ 0, 0 } : (__m128i)__builtin_ia32_palignr128((__v2di)__a, (__v2di)__b, (__imm & 31) * 8);
}

#define __SSSE3_WIDE(x) ((__m128i){ (long long)(x), 0 })
#define __SSSE3_NARROW(x) ((__m64)((__m128i)(x))[0])
#define __SSSE3_BOTH(x, y) ((__m128i){ (long long)(x), (long long)(y) })

__SSSE3_FN __m64 _mm_hadd_pi16(__m64 __a, __m64 __b) {
  __m128i __x = __SSSE3_BOTH(__a, __b);
  return __SSSE3_NARROW(__builtin_ia32_phaddw128((__v8hi)__x, (__v8hi)__x));
}

__SSSE3_FN __m64 _mm_hadd_pi32(__m64 __a, __m64 __b) {
  __m128i __x = __SSSE3_BOTH(__a, __b);
  return __SSSE3_NARROW(__builtin_ia32_phaddd128((__v4si)__x, (__v4si)__x));
}

__SSSE3_FN __m64 _mm_hadds_pi16(__m64 __a, __m64 __b) {
  __m128i __x = __SSSE3_BOTH(__a, __b);
  return __SSSE3_NARROW(__builtin_ia32_phaddsw128((__v8hi)__x, (__v8hi)__x));
}

__SSSE3_FN __m64 _mm_hsub_pi16(__m64 __a, __m64 __b) {
  __m128i __x = __SSSE3_BOTH(__a, __b);
  return __SSSE3_NARROW(__builtin_ia32_phsubw128((__v8hi)__x, (__v8hi)__x));
}

__SSSE3_FN __m64 _mm_hsub_pi32(__m64 __a, __m64 __b) {
  __m128i __x = __SSSE3_BOTH(__a, __b);
  return __SSSE3_NARROW(__builtin_ia32_phsubd128((__v4si)__x, (__v4si)__x));
}

__SSSE3_FN __m64 _mm_hsubs_pi16(__m64 __a, __m64 __b) {
  __m128i __x = __SSSE3_BOTH(__a, __b);
  return __SSSE3_NARROW(__builtin_ia32_phsubsw128((__v8hi)__x, (__v8hi)__x));
}

__SSSE3_FN __m64 _mm_maddubs_pi16(__m64 __a, __m64 __b) {
  return __SSSE3_NARROW(__builtin_ia32_pmaddubsw128((__v16qi)__SSSE3_WIDE(__a), (__v16qi)__SSSE3_WIDE(__b)));
}

__SSSE3_FN __m64 _mm_mulhrs_pi16(__m64 __a, __m64 __b) {
  return __SSSE3_NARROW(__builtin_ia32_pmulhrsw128((__v8hi)__SSSE3_WIDE(__a), (__v8hi)__SSSE3_WIDE(__b)));
}

__SSSE3_FN __m64 _mm_sign_pi8(__m64 __a, __m64 __b) {
  return __SSSE3_NARROW(__builtin_ia32_psignb128((__v16qi)__SSSE3_WIDE(__a), (__v16qi)__SSSE3_WIDE(__b)));
}

__SSSE3_FN __m64 _mm_sign_pi16(__m64 __a, __m64 __b) {
  return __SSSE3_NARROW(__builtin_ia32_psignw128((__v8hi)__SSSE3_WIDE(__a), (__v8hi)__SSSE3_WIDE(__b)));
}

__SSSE3_FN __m64 _mm_sign_pi32(__m64 __a, __m64 __b) {
  return __SSSE3_NARROW(__builtin_ia32_psignd128((__v4si)__SSSE3_WIDE(__a), (__v4si)__SSSE3_WIDE(__b)));
}

__SSSE3_FN __m64 _mm_shuffle_pi8(__m64 __a, __m64 __b) {
  __m128i __pick = __SSSE3_WIDE((long long)__b & 0x8787878787878787LL);
  return __SSSE3_NARROW(__builtin_ia32_pshufb128((__v16qi)__SSSE3_WIDE(__a), (__v16qi)__pick));
}

__SSSE3_FN __m64 _mm_abs_pi8(__m64 __a) {
  return __SSSE3_NARROW(__builtin_ia32_pabsb128((__v16qi)__SSSE3_WIDE(__a)));
}

__SSSE3_FN __m64 _mm_abs_pi16(__m64 __a) {
  return __SSSE3_NARROW(__builtin_ia32_pabsw128((__v8hi)__SSSE3_WIDE(__a)));
}

__SSSE3_FN __m64 _mm_abs_pi32(__m64 __a) {
  return __SSSE3_NARROW(__builtin_ia32_pabsd128((__v4si)__SSSE3_WIDE(__a)));
}

__SSSE3_FN __m64 _mm_alignr_pi8(__m64 __a, __m64 __b, int __imm) {
  unsigned long long __high = (unsigned long long)__a, __low = (unsigned long long)__b;
  if (__imm == 0) return __b;
  if (__imm < 8) return (__m64)(__low >> 8 * __imm | __high << (64 - 8 * __imm));
  return __imm < 16 ? (__m64)(__high >> 8 * (__imm - 8)) : (__m64)0LL;
}

#endif
