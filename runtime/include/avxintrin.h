/* AVX: 256-bit floating point, and what moves 256 bits. */
#ifndef _AVXINTRIN_H_INCLUDED
#define _AVXINTRIN_H_INCLUDED 1

#include <smmintrin.h>

#define __AVX_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("avx")))

typedef float __m256 __attribute__((__vector_size__(32), __may_alias__));
typedef double __m256d __attribute__((__vector_size__(32), __may_alias__));
typedef long long __m256i __attribute__((__vector_size__(32), __may_alias__));
typedef float __m256_u __attribute__((__vector_size__(32), __may_alias__, __aligned__(1)));
typedef double __m256d_u __attribute__((__vector_size__(32), __may_alias__, __aligned__(1)));
typedef long long __m256i_u __attribute__((__vector_size__(32), __may_alias__, __aligned__(1)));
typedef float __v8sf __attribute__((__vector_size__(32)));
typedef double __v4df __attribute__((__vector_size__(32)));
typedef long long __v4di __attribute__((__vector_size__(32)));
typedef unsigned long long __v4du __attribute__((__vector_size__(32)));
typedef int __v8si __attribute__((__vector_size__(32)));
typedef unsigned int __v8su __attribute__((__vector_size__(32)));
typedef short __v16hi __attribute__((__vector_size__(32)));
typedef unsigned short __v16hu __attribute__((__vector_size__(32)));
typedef char __v32qi __attribute__((__vector_size__(32)));
typedef signed char __v32qs __attribute__((__vector_size__(32)));
typedef unsigned char __v32qu __attribute__((__vector_size__(32)));

#define _CMP_EQ_OQ 0x00
#define _CMP_LT_OS 0x01
#define _CMP_LE_OS 0x02
#define _CMP_UNORD_Q 0x03
#define _CMP_NEQ_UQ 0x04
#define _CMP_NLT_US 0x05
#define _CMP_NLE_US 0x06
#define _CMP_ORD_Q 0x07
#define _CMP_EQ_UQ 0x08
#define _CMP_NGE_US 0x09
#define _CMP_NGT_US 0x0a
#define _CMP_FALSE_OQ 0x0b
#define _CMP_NEQ_OQ 0x0c
#define _CMP_GE_OS 0x0d
#define _CMP_GT_OS 0x0e
#define _CMP_TRUE_UQ 0x0f
#define _CMP_EQ_OS 0x10
#define _CMP_LT_OQ 0x11
#define _CMP_LE_OQ 0x12
#define _CMP_UNORD_S 0x13
#define _CMP_NEQ_US 0x14
#define _CMP_NLT_UQ 0x15
#define _CMP_NLE_UQ 0x16
#define _CMP_ORD_S 0x17
#define _CMP_EQ_US 0x18
#define _CMP_NGE_UQ 0x19
#define _CMP_NGT_UQ 0x1a
#define _CMP_FALSE_OS 0x1b
#define _CMP_NEQ_OS 0x1c
#define _CMP_GE_OQ 0x1d
#define _CMP_GT_OQ 0x1e
#define _CMP_TRUE_US 0x1f

__AVX_FN __m256 _mm256_add_ps(__m256 __a, __m256 __b) {
  return __a + __b;
}

__AVX_FN __m256 _mm256_sub_ps(__m256 __a, __m256 __b) {
  return __a - __b;
}

__AVX_FN __m256 _mm256_mul_ps(__m256 __a, __m256 __b) {
  return __a * __b;
}

__AVX_FN __m256 _mm256_div_ps(__m256 __a, __m256 __b) {
  return __a / __b;
}

__AVX_FN __m256 _mm256_and_ps(__m256 __a, __m256 __b) {
  return (__m256)((__v4du)__a & (__v4du)__b);
}

__AVX_FN __m256 _mm256_or_ps(__m256 __a, __m256 __b) {
  return (__m256)((__v4du)__a | (__v4du)__b);
}

__AVX_FN __m256 _mm256_xor_ps(__m256 __a, __m256 __b) {
  return (__m256)((__v4du)__a ^ (__v4du)__b);
}

__AVX_FN __m256 _mm256_andnot_ps(__m256 __a, __m256 __b) {
  return (__m256)(~(__v4du)__a & (__v4du)__b);
}

__AVX_FN __m256 _mm256_addsub_ps(__m256 __a, __m256 __b) {
  return (__m256)__builtin_ia32_addsubps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN __m256 _mm256_hadd_ps(__m256 __a, __m256 __b) {
  return (__m256)__builtin_ia32_haddps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN __m256 _mm256_hsub_ps(__m256 __a, __m256 __b) {
  return (__m256)__builtin_ia32_hsubps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN __m256 _mm256_max_ps(__m256 __a, __m256 __b) {
  return (__m256)__builtin_ia32_maxps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN __m256 _mm256_min_ps(__m256 __a, __m256 __b) {
  return (__m256)__builtin_ia32_minps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN __m256 _mm256_sqrt_ps(__m256 __a) {
  return (__m256)__builtin_ia32_sqrtps256((__v8sf)__a);
}

__AVX_FN __m256 _mm256_round_ps(__m256 __a, int __imm) {
  return (__m256)__builtin_ia32_roundps256((__v8sf)__a, __imm);
}

__AVX_FN __m256 _mm256_floor_ps(__m256 __a) {
  return _mm256_round_ps(__a, _MM_FROUND_FLOOR);
}

__AVX_FN __m256 _mm256_ceil_ps(__m256 __a) {
  return _mm256_round_ps(__a, _MM_FROUND_CEIL);
}

__AVX_FN __m256 _mm256_blend_ps(__m256 __a, __m256 __b, int __imm) {
  return (__m256)__builtin_ia32_blendps256((__v8sf)__a, (__v8sf)__b, __imm);
}

__AVX_FN __m256 _mm256_blendv_ps(__m256 __a, __m256 __b, __m256 __c) {
  return (__m256)__builtin_ia32_blendvps256((__v8sf)__a, (__v8sf)__b, (__v8sf)__c);
}

__AVX_FN __m256 _mm256_shuffle_ps(__m256 __a, __m256 __b, int __imm) {
  return (__m256)__builtin_ia32_shufps256((__v8sf)__a, (__v8sf)__b, __imm);
}

__AVX_FN __m256 _mm256_unpackhi_ps(__m256 __a, __m256 __b) {
  return (__m256)__builtin_ia32_unpckhps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN __m256 _mm256_unpacklo_ps(__m256 __a, __m256 __b) {
  return (__m256)__builtin_ia32_unpcklps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN __m256 _mm256_cmp_ps(__m256 __a, __m256 __b, int __imm) {
  return (__m256)__builtin_ia32_cmpps256((__v8sf)__a, (__v8sf)__b, __imm);
}

__AVX_FN __m128 _mm_cmp_ps(__m128 __a, __m128 __b, int __imm) {
  return (__m128)__builtin_ia32_cmpps((__v4sf)__a, (__v4sf)__b, __imm);
}

__AVX_FN __m128 _mm_cmp_ss(__m128 __a, __m128 __b, int __imm) {
  return (__m128)__builtin_ia32_cmpss((__v4sf)__a, (__v4sf)__b, __imm);
}

__AVX_FN int _mm256_movemask_ps(__m256 __a) {
  return __builtin_ia32_movmskps256((__v8sf)__a);
}

__AVX_FN __m128 _mm_permutevar_ps(__m128 __a, __m128i __b) {
  return (__m128)__builtin_ia32_vpermilvarps((__v4sf)__a, (__v4si)__b);
}

__AVX_FN __m256 _mm256_permutevar_ps(__m256 __a, __m256i __b) {
  return (__m256)__builtin_ia32_vpermilvarps256((__v8sf)__a, (__v8si)__b);
}

__AVX_FN __m128 _mm_permute_ps(__m128 __a, int __imm) {
  return (__m128)__builtin_ia32_vpermilps((__v4sf)__a, __imm);
}

__AVX_FN __m256 _mm256_permute_ps(__m256 __a, int __imm) {
  return (__m256)__builtin_ia32_vpermilps256((__v8sf)__a, __imm);
}

__AVX_FN __m256 _mm256_permute2f128_ps(__m256 __a, __m256 __b, int __imm) {
  return (__m256)__builtin_ia32_vperm2f128_ps256((__v8sf)__a, (__v8sf)__b, __imm);
}

__AVX_FN int _mm_testz_ps(__m128 __a, __m128 __b) {
  return __builtin_ia32_vtestzps((__v4sf)__a, (__v4sf)__b);
}

__AVX_FN int _mm256_testz_ps(__m256 __a, __m256 __b) {
  return __builtin_ia32_vtestzps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN int _mm_testc_ps(__m128 __a, __m128 __b) {
  return __builtin_ia32_vtestcps((__v4sf)__a, (__v4sf)__b);
}

__AVX_FN int _mm256_testc_ps(__m256 __a, __m256 __b) {
  return __builtin_ia32_vtestcps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN int _mm_testnzc_ps(__m128 __a, __m128 __b) {
  return __builtin_ia32_vtestnzcps((__v4sf)__a, (__v4sf)__b);
}

__AVX_FN int _mm256_testnzc_ps(__m256 __a, __m256 __b) {
  return __builtin_ia32_vtestnzcps256((__v8sf)__a, (__v8sf)__b);
}

__AVX_FN __m128 _mm256_extractf128_ps(__m256 __a, int __imm) {
  return ((__m128 *)&__a)[__imm & 1];
}

__AVX_FN __m256 _mm256_insertf128_ps(__m256 __a, __m128 __b, int __imm) {
  ((__m128 *)&__a)[__imm & 1] = __b;
  return __a;
}

__AVX_FN __m256 _mm256_set_m128(__m128 __b, __m128 __a) {
  __m256 __r;
  ((__m128 *)&__r)[0] = __a;
  ((__m128 *)&__r)[1] = __b;
  return __r;
}

__AVX_FN __m256 _mm256_setr_m128(__m128 __a, __m128 __b) {
  return _mm256_set_m128(__b, __a);
}

__AVX_FN __m128 _mm256_castps256_ps128(__m256 __a) {
  return *(__m128 *)&__a;
}

__AVX_FN __m256 _mm256_castps128_ps256(__m128 __a) {
  return _mm256_set_m128(_mm_setzero_ps(), __a);
}

__AVX_FN __m256 _mm256_zextps128_ps256(__m128 __a) {
  return _mm256_set_m128(_mm_setzero_ps(), __a);
}

__AVX_FN __m256 _mm256_load_ps(float const *__p) {
  return *(__m256 const *)__p;
}

__AVX_FN __m256 _mm256_loadu_ps(float const *__p) {
  return *(__m256_u const *)__p;
}

__AVX_FN void _mm256_store_ps(float *__p, __m256 __a) {
  *(__m256 *)__p = __a;
}

__AVX_FN void _mm256_storeu_ps(float *__p, __m256 __a) {
  *(__m256_u *)__p = __a;
}

__AVX_FN void _mm256_stream_ps(float *__p, __m256 __a) {
  *(__m256 *)__p = __a;
}

__AVX_FN __m256 _mm256_set1_ps(float __x) {
  __m128 __h = _mm_set1_ps(__x);
  return _mm256_set_m128(__h, __h);
}

__AVX_FN __m256 _mm256_broadcast_ss(float const *__p) {
  return _mm256_set1_ps(*__p);
}

__AVX_FN __m128 _mm_broadcast_ss(float const *__p) {
  return (__m128){ *__p, *__p, *__p, *__p };
}

__AVX_FN __m256 _mm256_broadcast_ps(__m128 const *__p) {
  __m128 __x = *(__m128_u const *)__p;
  return _mm256_set_m128(__x, __x);
}

__AVX_FN __m256 _mm256_set_ps(float __e7, float __e6, float __e5, float __e4, float __e3, float __e2, float __e1, float __e0) {
  return (__m256){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7 };
}

__AVX_FN __m256 _mm256_setr_ps(float __e0, float __e1, float __e2, float __e3, float __e4, float __e5, float __e6, float __e7) {
  return (__m256){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7 };
}

__AVX_FN __m256 _mm256_setzero_ps(void) {
  return (__m256){ 0 };
}

__AVX_FN __m256 _mm256_undefined_ps(void) {
  return (__m256){ 0 };
}

__AVX_FN __m128 _mm_maskload_ps(float const *__p, __m128i __mask) {
  __v4si __m = (__v4si)__mask;
  __m128 __r = { 0 };
  for (int __i = 0; __i < 4; __i++)
    if (__m[__i] < 0) __r[__i] = __p[__i];
  return __r;
}

__AVX_FN void _mm_maskstore_ps(float *__p, __m128i __mask, __m128 __a) {
  __v4si __m = (__v4si)__mask;
  for (int __i = 0; __i < 4; __i++)
    if (__m[__i] < 0) __p[__i] = __a[__i];
}

__AVX_FN __m256 _mm256_maskload_ps(float const *__p, __m256i __mask) {
  __v8si __m = (__v8si)__mask;
  __m256 __r = { 0 };
  for (int __i = 0; __i < 8; __i++)
    if (__m[__i] < 0) __r[__i] = __p[__i];
  return __r;
}

__AVX_FN void _mm256_maskstore_ps(float *__p, __m256i __mask, __m256 __a) {
  __v8si __m = (__v8si)__mask;
  for (int __i = 0; __i < 8; __i++)
    if (__m[__i] < 0) __p[__i] = __a[__i];
}

__AVX_FN __m256 _mm256_loadu2_m128(float const *__high, float const *__low) {
  return _mm256_set_m128(_mm_loadu_ps(__high), _mm_loadu_ps(__low));
}

__AVX_FN __m256d _mm256_add_pd(__m256d __a, __m256d __b) {
  return __a + __b;
}

__AVX_FN __m256d _mm256_sub_pd(__m256d __a, __m256d __b) {
  return __a - __b;
}

__AVX_FN __m256d _mm256_mul_pd(__m256d __a, __m256d __b) {
  return __a * __b;
}

__AVX_FN __m256d _mm256_div_pd(__m256d __a, __m256d __b) {
  return __a / __b;
}

__AVX_FN __m256d _mm256_and_pd(__m256d __a, __m256d __b) {
  return (__m256d)((__v4du)__a & (__v4du)__b);
}

__AVX_FN __m256d _mm256_or_pd(__m256d __a, __m256d __b) {
  return (__m256d)((__v4du)__a | (__v4du)__b);
}

__AVX_FN __m256d _mm256_xor_pd(__m256d __a, __m256d __b) {
  return (__m256d)((__v4du)__a ^ (__v4du)__b);
}

__AVX_FN __m256d _mm256_andnot_pd(__m256d __a, __m256d __b) {
  return (__m256d)(~(__v4du)__a & (__v4du)__b);
}

__AVX_FN __m256d _mm256_addsub_pd(__m256d __a, __m256d __b) {
  return (__m256d)__builtin_ia32_addsubpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN __m256d _mm256_hadd_pd(__m256d __a, __m256d __b) {
  return (__m256d)__builtin_ia32_haddpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN __m256d _mm256_hsub_pd(__m256d __a, __m256d __b) {
  return (__m256d)__builtin_ia32_hsubpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN __m256d _mm256_max_pd(__m256d __a, __m256d __b) {
  return (__m256d)__builtin_ia32_maxpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN __m256d _mm256_min_pd(__m256d __a, __m256d __b) {
  return (__m256d)__builtin_ia32_minpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN __m256d _mm256_sqrt_pd(__m256d __a) {
  return (__m256d)__builtin_ia32_sqrtpd256((__v4df)__a);
}

__AVX_FN __m256d _mm256_round_pd(__m256d __a, int __imm) {
  return (__m256d)__builtin_ia32_roundpd256((__v4df)__a, __imm);
}

__AVX_FN __m256d _mm256_floor_pd(__m256d __a) {
  return _mm256_round_pd(__a, _MM_FROUND_FLOOR);
}

__AVX_FN __m256d _mm256_ceil_pd(__m256d __a) {
  return _mm256_round_pd(__a, _MM_FROUND_CEIL);
}

__AVX_FN __m256d _mm256_blend_pd(__m256d __a, __m256d __b, int __imm) {
  return (__m256d)__builtin_ia32_blendpd256((__v4df)__a, (__v4df)__b, __imm);
}

__AVX_FN __m256d _mm256_blendv_pd(__m256d __a, __m256d __b, __m256d __c) {
  return (__m256d)__builtin_ia32_blendvpd256((__v4df)__a, (__v4df)__b, (__v4df)__c);
}

__AVX_FN __m256d _mm256_shuffle_pd(__m256d __a, __m256d __b, int __imm) {
  return (__m256d)__builtin_ia32_shufpd256((__v4df)__a, (__v4df)__b, __imm);
}

__AVX_FN __m256d _mm256_unpackhi_pd(__m256d __a, __m256d __b) {
  return (__m256d)__builtin_ia32_unpckhpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN __m256d _mm256_unpacklo_pd(__m256d __a, __m256d __b) {
  return (__m256d)__builtin_ia32_unpcklpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN __m256d _mm256_cmp_pd(__m256d __a, __m256d __b, int __imm) {
  return (__m256d)__builtin_ia32_cmppd256((__v4df)__a, (__v4df)__b, __imm);
}

__AVX_FN __m128d _mm_cmp_pd(__m128d __a, __m128d __b, int __imm) {
  return (__m128d)__builtin_ia32_cmppd((__v2df)__a, (__v2df)__b, __imm);
}

__AVX_FN __m128d _mm_cmp_sd(__m128d __a, __m128d __b, int __imm) {
  return (__m128d)__builtin_ia32_cmpsd((__v2df)__a, (__v2df)__b, __imm);
}

__AVX_FN int _mm256_movemask_pd(__m256d __a) {
  return __builtin_ia32_movmskpd256((__v4df)__a);
}

__AVX_FN __m128d _mm_permutevar_pd(__m128d __a, __m128i __b) {
  return (__m128d)__builtin_ia32_vpermilvarpd((__v2df)__a, (__v2di)__b);
}

__AVX_FN __m256d _mm256_permutevar_pd(__m256d __a, __m256i __b) {
  return (__m256d)__builtin_ia32_vpermilvarpd256((__v4df)__a, (__v4di)__b);
}

__AVX_FN __m128d _mm_permute_pd(__m128d __a, int __imm) {
  return (__m128d)__builtin_ia32_vpermilpd((__v2df)__a, __imm);
}

__AVX_FN __m256d _mm256_permute_pd(__m256d __a, int __imm) {
  return (__m256d)__builtin_ia32_vpermilpd256((__v4df)__a, __imm);
}

__AVX_FN __m256d _mm256_permute2f128_pd(__m256d __a, __m256d __b, int __imm) {
  return (__m256d)__builtin_ia32_vperm2f128_pd256((__v4df)__a, (__v4df)__b, __imm);
}

__AVX_FN int _mm_testz_pd(__m128d __a, __m128d __b) {
  return __builtin_ia32_vtestzpd((__v2df)__a, (__v2df)__b);
}

__AVX_FN int _mm256_testz_pd(__m256d __a, __m256d __b) {
  return __builtin_ia32_vtestzpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN int _mm_testc_pd(__m128d __a, __m128d __b) {
  return __builtin_ia32_vtestcpd((__v2df)__a, (__v2df)__b);
}

__AVX_FN int _mm256_testc_pd(__m256d __a, __m256d __b) {
  return __builtin_ia32_vtestcpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN int _mm_testnzc_pd(__m128d __a, __m128d __b) {
  return __builtin_ia32_vtestnzcpd((__v2df)__a, (__v2df)__b);
}

__AVX_FN int _mm256_testnzc_pd(__m256d __a, __m256d __b) {
  return __builtin_ia32_vtestnzcpd256((__v4df)__a, (__v4df)__b);
}

__AVX_FN __m128d _mm256_extractf128_pd(__m256d __a, int __imm) {
  return ((__m128d *)&__a)[__imm & 1];
}

__AVX_FN __m256d _mm256_insertf128_pd(__m256d __a, __m128d __b, int __imm) {
  ((__m128d *)&__a)[__imm & 1] = __b;
  return __a;
}

__AVX_FN __m256d _mm256_set_m128d(__m128d __b, __m128d __a) {
  __m256d __r;
  ((__m128d *)&__r)[0] = __a;
  ((__m128d *)&__r)[1] = __b;
  return __r;
}

__AVX_FN __m256d _mm256_setr_m128d(__m128d __a, __m128d __b) {
  return _mm256_set_m128d(__b, __a);
}

__AVX_FN __m128d _mm256_castpd256_pd128(__m256d __a) {
  return *(__m128d *)&__a;
}

__AVX_FN __m256d _mm256_castpd128_pd256(__m128d __a) {
  return _mm256_set_m128d(_mm_setzero_pd(), __a);
}

__AVX_FN __m256d _mm256_zextpd128_pd256(__m128d __a) {
  return _mm256_set_m128d(_mm_setzero_pd(), __a);
}

__AVX_FN __m256d _mm256_load_pd(double const *__p) {
  return *(__m256d const *)__p;
}

__AVX_FN __m256d _mm256_loadu_pd(double const *__p) {
  return *(__m256d_u const *)__p;
}

__AVX_FN void _mm256_store_pd(double *__p, __m256d __a) {
  *(__m256d *)__p = __a;
}

__AVX_FN void _mm256_storeu_pd(double *__p, __m256d __a) {
  *(__m256d_u *)__p = __a;
}

__AVX_FN void _mm256_stream_pd(double *__p, __m256d __a) {
  *(__m256d *)__p = __a;
}

__AVX_FN __m256d _mm256_set1_pd(double __x) {
  __m128d __h = _mm_set1_pd(__x);
  return _mm256_set_m128d(__h, __h);
}

__AVX_FN __m256d _mm256_broadcast_sd(double const *__p) {
  return _mm256_set1_pd(*__p);
}

__AVX_FN __m256d _mm256_broadcast_pd(__m128d const *__p) {
  __m128d __x = *(__m128d_u const *)__p;
  return _mm256_set_m128d(__x, __x);
}

__AVX_FN __m256d _mm256_set_pd(double __e3, double __e2, double __e1, double __e0) {
  return (__m256d){ __e0, __e1, __e2, __e3 };
}

__AVX_FN __m256d _mm256_setr_pd(double __e0, double __e1, double __e2, double __e3) {
  return (__m256d){ __e0, __e1, __e2, __e3 };
}

__AVX_FN __m256d _mm256_setzero_pd(void) {
  return (__m256d){ 0 };
}

__AVX_FN __m256d _mm256_undefined_pd(void) {
  return (__m256d){ 0 };
}

__AVX_FN __m128d _mm_maskload_pd(double const *__p, __m128i __mask) {
  __v2di __m = (__v2di)__mask;
  __m128d __r = { 0 };
  for (int __i = 0; __i < 2; __i++)
    if (__m[__i] < 0) __r[__i] = __p[__i];
  return __r;
}

__AVX_FN void _mm_maskstore_pd(double *__p, __m128i __mask, __m128d __a) {
  __v2di __m = (__v2di)__mask;
  for (int __i = 0; __i < 2; __i++)
    if (__m[__i] < 0) __p[__i] = __a[__i];
}

__AVX_FN __m256d _mm256_maskload_pd(double const *__p, __m256i __mask) {
  __v4di __m = (__v4di)__mask;
  __m256d __r = { 0 };
  for (int __i = 0; __i < 4; __i++)
    if (__m[__i] < 0) __r[__i] = __p[__i];
  return __r;
}

__AVX_FN void _mm256_maskstore_pd(double *__p, __m256i __mask, __m256d __a) {
  __v4di __m = (__v4di)__mask;
  for (int __i = 0; __i < 4; __i++)
    if (__m[__i] < 0) __p[__i] = __a[__i];
}

__AVX_FN __m256d _mm256_loadu2_m128d(double const *__high, double const *__low) {
  return _mm256_set_m128d(_mm_loadu_pd(__high), _mm_loadu_pd(__low));
}

__AVX_FN __m256 _mm256_dp_ps(__m256 __a, __m256 __b, int __imm) {
  return (__m256)__builtin_ia32_dpps256((__v8sf)__a, (__v8sf)__b, __imm);
}

__AVX_FN __m256 _mm256_rcp_ps(__m256 __a) {
  return (__m256)__builtin_ia32_rcpps256((__v8sf)__a);
}

__AVX_FN __m256 _mm256_rsqrt_ps(__m256 __a) {
  return (__m256)__builtin_ia32_rsqrtps256((__v8sf)__a);
}

__AVX_FN __m256 _mm256_movehdup_ps(__m256 __a) {
  return (__m256)__builtin_ia32_movshdup256((__v8sf)__a);
}

__AVX_FN __m256 _mm256_moveldup_ps(__m256 __a) {
  return (__m256)__builtin_ia32_movsldup256((__v8sf)__a);
}

__AVX_FN __m256d _mm256_movedup_pd(__m256d __a) {
  return (__m256d){ __a[0], __a[0], __a[2], __a[2] };
}

__AVX_FN __m256d _mm256_cvtepi32_pd(__m128i __a) {
  return (__m256d)__builtin_ia32_cvtdq2pd256((__v4si)__a);
}

__AVX_FN __m256 _mm256_cvtepi32_ps(__m256i __a) {
  return (__m256)__builtin_ia32_cvtdq2ps256((__v8si)__a);
}

__AVX_FN __m128 _mm256_cvtpd_ps(__m256d __a) {
  return (__m128)__builtin_ia32_cvtpd2ps256((__v4df)__a);
}

__AVX_FN __m256i _mm256_cvtps_epi32(__m256 __a) {
  return (__m256i)__builtin_ia32_cvtps2dq256((__v8sf)__a);
}

__AVX_FN __m256d _mm256_cvtps_pd(__m128 __a) {
  return (__m256d)__builtin_ia32_cvtps2pd256((__v4sf)__a);
}

__AVX_FN __m128i _mm256_cvttpd_epi32(__m256d __a) {
  return (__m128i)__builtin_ia32_cvttpd2dq256((__v4df)__a);
}

__AVX_FN __m128i _mm256_cvtpd_epi32(__m256d __a) {
  return (__m128i)__builtin_ia32_cvtpd2dq256((__v4df)__a);
}

__AVX_FN __m256i _mm256_cvttps_epi32(__m256 __a) {
  return (__m256i)__builtin_ia32_cvttps2dq256((__v8sf)__a);
}

__AVX_FN float _mm256_cvtss_f32(__m256 __a) {
  return __a[0];
}

__AVX_FN double _mm256_cvtsd_f64(__m256d __a) {
  return __a[0];
}

__AVX_FN int _mm256_cvtsi256_si32(__m256i __a) {
  return ((__v8si)__a)[0];
}

__AVX_FN __m256i _mm256_permute2f128_si256(__m256i __a, __m256i __b, int __imm) {
  return (__m256i)__builtin_ia32_vperm2f128_si256((__v8si)__a, (__v8si)__b, __imm);
}

__AVX_FN int _mm256_testz_si256(__m256i __a, __m256i __b) {
  return __builtin_ia32_ptestz256((__v4di)__a, (__v4di)__b);
}

__AVX_FN int _mm256_testc_si256(__m256i __a, __m256i __b) {
  return __builtin_ia32_ptestc256((__v4di)__a, (__v4di)__b);
}

__AVX_FN int _mm256_testnzc_si256(__m256i __a, __m256i __b) {
  return __builtin_ia32_ptestnzc256((__v4di)__a, (__v4di)__b);
}

__AVX_FN __m128i _mm256_extractf128_si256(__m256i __a, int __imm) {
  return ((__m128i *)&__a)[__imm & 1];
}

__AVX_FN __m256i _mm256_insertf128_si256(__m256i __a, __m128i __b, int __imm) {
  ((__m128i *)&__a)[__imm & 1] = __b;
  return __a;
}

__AVX_FN __m256i _mm256_set_m128i(__m128i __b, __m128i __a) {
  __m256i __r;
  ((__m128i *)&__r)[0] = __a;
  ((__m128i *)&__r)[1] = __b;
  return __r;
}

__AVX_FN __m256i _mm256_setr_m128i(__m128i __a, __m128i __b) {
  return (__m256i){ __a[0], __a[1], __b[0], __b[1] };
}

__AVX_FN __m128i _mm256_castsi256_si128(__m256i __a) {
  return *(__m128i *)&__a;
}

__AVX_FN __m256i _mm256_castsi128_si256(__m128i __a) {
  return _mm256_set_m128i(_mm_setzero_si128(), __a);
}

__AVX_FN __m256i _mm256_zextsi128_si256(__m128i __a) {
  return _mm256_set_m128i(_mm_setzero_si128(), __a);
}

__AVX_FN __m256d _mm256_castps_pd(__m256 __a) {
  return (__m256d)__a;
}

__AVX_FN __m256i _mm256_castps_si256(__m256 __a) {
  return (__m256i)__a;
}

__AVX_FN __m256 _mm256_castpd_ps(__m256d __a) {
  return (__m256)__a;
}

__AVX_FN __m256i _mm256_castpd_si256(__m256d __a) {
  return (__m256i)__a;
}

__AVX_FN __m256 _mm256_castsi256_ps(__m256i __a) {
  return (__m256)__a;
}

__AVX_FN __m256d _mm256_castsi256_pd(__m256i __a) {
  return (__m256d)__a;
}

__AVX_FN __m256i _mm256_load_si256(__m256i const *__p) {
  return *__p;
}

__AVX_FN __m256i _mm256_loadu_si256(__m256i_u const *__p) {
  return *__p;
}

__AVX_FN __m256i _mm256_lddqu_si256(__m256i_u const *__p) {
  return *__p;
}

__AVX_FN void _mm256_store_si256(__m256i *__p, __m256i __a) {
  *__p = __a;
}

__AVX_FN void _mm256_storeu_si256(__m256i_u *__p, __m256i __a) {
  *__p = __a;
}

__AVX_FN void _mm256_stream_si256(__m256i *__p, __m256i __a) {
  *__p = __a;
}

__AVX_FN __m256i _mm256_setzero_si256(void) {
  return (__m256i){ 0 };
}

__AVX_FN __m256i _mm256_undefined_si256(void) {
  return (__m256i){ 0 };
}

__AVX_FN __m256i _mm256_loadu2_m128i(__m128i_u const *__high, __m128i_u const *__low) {
  return _mm256_set_m128i(*__high, *__low);
}

__AVX_FN __m256i _mm256_set1_epi8(char __x) {
  __m128i __h = _mm_set1_epi8(__x);
  return _mm256_set_m128i(__h, __h);
}

__AVX_FN __m256i _mm256_set_epi8(char __e31, char __e30, char __e29, char __e28, char __e27, char __e26, char __e25, char __e24, char __e23, char __e22, char __e21, char __e20, char __e19, char __e18, char __e17, char __e16, char __e15, char __e14, char __e13, char __e12, char __e11, char __e10, char __e9, char __e8, char __e7, char __e6, char __e5, char __e4, char __e3, char __e2, char __e1, char __e0) {
  return (__m256i)(__v32qi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7, __e8, __e9, __e10, __e11, __e12, __e13, __e14, __e15, __e16, __e17, __e18, __e19, __e20, __e21, __e22, __e23, __e24, __e25, __e26, __e27, __e28, __e29, __e30, __e31 };
}

__AVX_FN __m256i _mm256_setr_epi8(char __e0, char __e1, char __e2, char __e3, char __e4, char __e5, char __e6, char __e7, char __e8, char __e9, char __e10, char __e11, char __e12, char __e13, char __e14, char __e15, char __e16, char __e17, char __e18, char __e19, char __e20, char __e21, char __e22, char __e23, char __e24, char __e25, char __e26, char __e27, char __e28, char __e29, char __e30, char __e31) {
  return (__m256i)(__v32qi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7, __e8, __e9, __e10, __e11, __e12, __e13, __e14, __e15, __e16, __e17, __e18, __e19, __e20, __e21, __e22, __e23, __e24, __e25, __e26, __e27, __e28, __e29, __e30, __e31 };
}

__AVX_FN int _mm256_extract_epi8(__m256i __a, int __imm) {
  return (unsigned char)((__v32qi)__a)[__imm & 31];
}

__AVX_FN __m256i _mm256_insert_epi8(__m256i __a, int __b, int __imm) {
  __v32qi __v = (__v32qi)__a;
  __v[__imm & 31] = (char)__b;
  return (__m256i)__v;
}

__AVX_FN __m256i _mm256_set1_epi16(short __x) {
  __m128i __h = _mm_set1_epi16(__x);
  return _mm256_set_m128i(__h, __h);
}

__AVX_FN __m256i _mm256_set_epi16(short __e15, short __e14, short __e13, short __e12, short __e11, short __e10, short __e9, short __e8, short __e7, short __e6, short __e5, short __e4, short __e3, short __e2, short __e1, short __e0) {
  return (__m256i)(__v16hi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7, __e8, __e9, __e10, __e11, __e12, __e13, __e14, __e15 };
}

__AVX_FN __m256i _mm256_setr_epi16(short __e0, short __e1, short __e2, short __e3, short __e4, short __e5, short __e6, short __e7, short __e8, short __e9, short __e10, short __e11, short __e12, short __e13, short __e14, short __e15) {
  return (__m256i)(__v16hi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7, __e8, __e9, __e10, __e11, __e12, __e13, __e14, __e15 };
}

__AVX_FN int _mm256_extract_epi16(__m256i __a, int __imm) {
  return (unsigned short)((__v16hi)__a)[__imm & 15];
}

__AVX_FN __m256i _mm256_insert_epi16(__m256i __a, int __b, int __imm) {
  __v16hi __v = (__v16hi)__a;
  __v[__imm & 15] = (short)__b;
  return (__m256i)__v;
}

__AVX_FN __m256i _mm256_set1_epi32(int __x) {
  __m128i __h = _mm_set1_epi32(__x);
  return _mm256_set_m128i(__h, __h);
}

__AVX_FN __m256i _mm256_set_epi32(int __e7, int __e6, int __e5, int __e4, int __e3, int __e2, int __e1, int __e0) {
  return (__m256i)(__v8si){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7 };
}

__AVX_FN __m256i _mm256_setr_epi32(int __e0, int __e1, int __e2, int __e3, int __e4, int __e5, int __e6, int __e7) {
  return (__m256i)(__v8si){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7 };
}

__AVX_FN int _mm256_extract_epi32(__m256i __a, int __imm) {
  return ((__v8si)__a)[__imm & 7];
}

__AVX_FN __m256i _mm256_insert_epi32(__m256i __a, int __b, int __imm) {
  __v8si __v = (__v8si)__a;
  __v[__imm & 7] = (int)__b;
  return (__m256i)__v;
}

__AVX_FN __m256i _mm256_set1_epi64x(long long __x) {
  __m128i __h = _mm_set1_epi64x(__x);
  return _mm256_set_m128i(__h, __h);
}

__AVX_FN __m256i _mm256_set_epi64x(long long __e3, long long __e2, long long __e1, long long __e0) {
  return (__m256i)(__v4di){ __e0, __e1, __e2, __e3 };
}

__AVX_FN __m256i _mm256_setr_epi64x(long long __e0, long long __e1, long long __e2, long long __e3) {
  return (__m256i)(__v4di){ __e0, __e1, __e2, __e3 };
}

__AVX_FN long long _mm256_extract_epi64(__m256i __a, int __imm) {
  return ((__v4di)__a)[__imm & 3];
}

__AVX_FN __m256i _mm256_insert_epi64(__m256i __a, long long __b, int __imm) {
  __v4di __v = (__v4di)__a;
  __v[__imm & 3] = (long long)__b;
  return (__m256i)__v;
}

__AVX_FN void _mm256_zeroall(void) {
  __asm__ __volatile__("vzeroall" : : : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

__AVX_FN void _mm256_zeroupper(void) {
  __asm__ __volatile__("vzeroupper" : : : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

#endif
