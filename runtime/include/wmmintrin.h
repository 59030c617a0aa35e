/* AES and carry-less multiplication. */
#ifndef _WMMINTRIN_H_INCLUDED
#define _WMMINTRIN_H_INCLUDED 1

#include <emmintrin.h>

#define __AES_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("aes")))

__AES_FN __m128i _mm_aesenc_si128(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_aesenc128((__v2di)__a, (__v2di)__b);
}

__AES_FN __m128i _mm_aesenclast_si128(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_aesenclast128((__v2di)__a, (__v2di)__b);
}

__AES_FN __m128i _mm_aesdec_si128(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_aesdec128((__v2di)__a, (__v2di)__b);
}

__AES_FN __m128i _mm_aesdeclast_si128(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_aesdeclast128((__v2di)__a, (__v2di)__b);
}

__AES_FN __m128i _mm_aesimc_si128(__m128i __a) {
  return (__m128i)__builtin_ia32_aesimc128((__v2di)__a);
}

__AES_FN __m128i _mm_aeskeygenassist_si128(__m128i __a, int __imm) {
  return (__m128i)__builtin_ia32_aeskeygenassist128((__v2di)__a, __imm);
}

#define __PCLMUL_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("pclmul")))

__PCLMUL_FN __m128i _mm_clmulepi64_si128(__m128i __a, __m128i __b, int __imm) {
  return (__m128i)__builtin_ia32_pclmulqdq128((__v2di)__a, (__v2di)__b, __imm);
}

#endif
