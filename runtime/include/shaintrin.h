/* SHA-1 and SHA-256. */
#ifndef _SHAINTRIN_H_INCLUDED
#define _SHAINTRIN_H_INCLUDED 1

#include <emmintrin.h>

#define __SHA_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("sha")))

__SHA_FN __m128i _mm_sha1rnds4_epu32(__m128i __a, __m128i __b, int __imm) {
  return (__m128i)__builtin_ia32_sha1rnds4((__v4si)__a, (__v4si)__b, __imm);
}

__SHA_FN __m128i _mm_sha1nexte_epu32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_sha1nexte((__v4si)__a, (__v4si)__b);
}

__SHA_FN __m128i _mm_sha1msg1_epu32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_sha1msg1((__v4si)__a, (__v4si)__b);
}

__SHA_FN __m128i _mm_sha1msg2_epu32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_sha1msg2((__v4si)__a, (__v4si)__b);
}

__SHA_FN __m128i _mm_sha256msg1_epu32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_sha256msg1((__v4si)__a, (__v4si)__b);
}

__SHA_FN __m128i _mm_sha256msg2_epu32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_sha256msg2((__v4si)__a, (__v4si)__b);
}

__SHA_FN __m128i _mm_sha256rnds2_epu32(__m128i __a, __m128i __b, __m128i __c) {
  return (__m128i)__builtin_ia32_sha256rnds2((__v4si)__a, (__v4si)__b, (__v4si)__c);
}

#endif
