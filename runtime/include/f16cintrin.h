/* Conversions of binary16. */
#ifndef _F16CINTRIN_H_INCLUDED
#define _F16CINTRIN_H_INCLUDED 1

#include <avxintrin.h>

#define __F16C_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("f16c")))

__F16C_FN __m128 _mm_cvtph_ps(__m128i __a) {
  return (__m128)__builtin_ia32_vcvtph2ps((__v8hi)__a);
}

__F16C_FN __m256 _mm256_cvtph_ps(__m128i __a) {
  return (__m256)__builtin_ia32_vcvtph2ps256((__v8hi)__a);
}

__F16C_FN __m128i _mm_cvtps_ph(__m128 __a, int __imm) {
  return (__m128i)__builtin_ia32_vcvtps2ph((__v4sf)__a, __imm);
}

__F16C_FN __m128i _mm256_cvtps_ph(__m256 __a, int __imm) {
  return (__m128i)__builtin_ia32_vcvtps2ph256((__v8sf)__a, __imm);
}

__F16C_FN float _cvtsh_ss(unsigned short __x) {
  __v8hi __v = { (short)__x };
  return __builtin_ia32_vcvtph2ps(__v)[0];
}

__F16C_FN unsigned short _cvtss_sh(float __x, int __imm) {
  __v4sf __v = { __x };
  return (unsigned short)__builtin_ia32_vcvtps2ph(__v, __imm)[0];
}

#endif
