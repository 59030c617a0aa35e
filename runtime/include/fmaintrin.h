/* Fused multiply-add. */
#ifndef _FMAINTRIN_H_INCLUDED
#define _FMAINTRIN_H_INCLUDED 1

#include <avxintrin.h>

#define __FMA_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("fma")))

__FMA_FN __m128 _mm_fmadd_ps(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfmaddps((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m256 _mm256_fmadd_ps(__m256 __a, __m256 __b, __m256 __c) {
  return (__m256)__builtin_ia32_vfmaddps256((__v8sf)__a, (__v8sf)__b, (__v8sf)__c);
}

__FMA_FN __m128d _mm_fmadd_pd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfmaddpd((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m256d _mm256_fmadd_pd(__m256d __a, __m256d __b, __m256d __c) {
  return (__m256d)__builtin_ia32_vfmaddpd256((__v4df)__a, (__v4df)__b, (__v4df)__c);
}

__FMA_FN __m128 _mm_fmsub_ps(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfmsubps((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m256 _mm256_fmsub_ps(__m256 __a, __m256 __b, __m256 __c) {
  return (__m256)__builtin_ia32_vfmsubps256((__v8sf)__a, (__v8sf)__b, (__v8sf)__c);
}

__FMA_FN __m128d _mm_fmsub_pd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfmsubpd((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m256d _mm256_fmsub_pd(__m256d __a, __m256d __b, __m256d __c) {
  return (__m256d)__builtin_ia32_vfmsubpd256((__v4df)__a, (__v4df)__b, (__v4df)__c);
}

__FMA_FN __m128 _mm_fnmadd_ps(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfnmaddps((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m256 _mm256_fnmadd_ps(__m256 __a, __m256 __b, __m256 __c) {
  return (__m256)__builtin_ia32_vfnmaddps256((__v8sf)__a, (__v8sf)__b, (__v8sf)__c);
}

__FMA_FN __m128d _mm_fnmadd_pd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfnmaddpd((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m256d _mm256_fnmadd_pd(__m256d __a, __m256d __b, __m256d __c) {
  return (__m256d)__builtin_ia32_vfnmaddpd256((__v4df)__a, (__v4df)__b, (__v4df)__c);
}

__FMA_FN __m128 _mm_fnmsub_ps(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfnmsubps((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m256 _mm256_fnmsub_ps(__m256 __a, __m256 __b, __m256 __c) {
  return (__m256)__builtin_ia32_vfnmsubps256((__v8sf)__a, (__v8sf)__b, (__v8sf)__c);
}

__FMA_FN __m128d _mm_fnmsub_pd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfnmsubpd((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m256d _mm256_fnmsub_pd(__m256d __a, __m256d __b, __m256d __c) {
  return (__m256d)__builtin_ia32_vfnmsubpd256((__v4df)__a, (__v4df)__b, (__v4df)__c);
}

__FMA_FN __m128 _mm_fmaddsub_ps(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfmaddsubps((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m256 _mm256_fmaddsub_ps(__m256 __a, __m256 __b, __m256 __c) {
  return (__m256)__builtin_ia32_vfmaddsubps256((__v8sf)__a, (__v8sf)__b, (__v8sf)__c);
}

__FMA_FN __m128d _mm_fmaddsub_pd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfmaddsubpd((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m256d _mm256_fmaddsub_pd(__m256d __a, __m256d __b, __m256d __c) {
  return (__m256d)__builtin_ia32_vfmaddsubpd256((__v4df)__a, (__v4df)__b, (__v4df)__c);
}

__FMA_FN __m128 _mm_fmsubadd_ps(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfmsubaddps((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m256 _mm256_fmsubadd_ps(__m256 __a, __m256 __b, __m256 __c) {
  return (__m256)__builtin_ia32_vfmsubaddps256((__v8sf)__a, (__v8sf)__b, (__v8sf)__c);
}

__FMA_FN __m128d _mm_fmsubadd_pd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfmsubaddpd((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m256d _mm256_fmsubadd_pd(__m256d __a, __m256d __b, __m256d __c) {
  return (__m256d)__builtin_ia32_vfmsubaddpd256((__v4df)__a, (__v4df)__b, (__v4df)__c);
}

__FMA_FN __m128 _mm_fmadd_ss(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfmaddss3((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m128d _mm_fmadd_sd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfmaddsd3((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m128 _mm_fmsub_ss(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfmsubss3((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m128d _mm_fmsub_sd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfmsubsd3((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m128 _mm_fnmadd_ss(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfnmaddss3((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m128d _mm_fnmadd_sd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfnmaddsd3((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__FMA_FN __m128 _mm_fnmsub_ss(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_vfnmsubss3((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__FMA_FN __m128d _mm_fnmsub_sd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_vfnmsubsd3((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

#endif
