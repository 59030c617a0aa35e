/* SSE4.1; what SSE4.2 adds follows at the end, as programs expect. */
#ifndef _SMMINTRIN_H_INCLUDED
#define _SMMINTRIN_H_INCLUDED 1

#include <tmmintrin.h>

#define __SSE41_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("sse4.1")))

#define _MM_FROUND_TO_NEAREST_INT 0x00
#define _MM_FROUND_TO_NEG_INF 0x01
#define _MM_FROUND_TO_POS_INF 0x02
#define _MM_FROUND_TO_ZERO 0x03
#define _MM_FROUND_CUR_DIRECTION 0x04
#define _MM_FROUND_RAISE_EXC 0x00
#define _MM_FROUND_NO_EXC 0x08
#define _MM_FROUND_NINT (_MM_FROUND_TO_NEAREST_INT | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_FLOOR (_MM_FROUND_TO_NEG_INF | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_CEIL (_MM_FROUND_TO_POS_INF | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_TRUNC (_MM_FROUND_TO_ZERO | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_RINT (_MM_FROUND_CUR_DIRECTION | _MM_FROUND_RAISE_EXC)
#define _MM_FROUND_NEARBYINT (_MM_FROUND_CUR_DIRECTION | _MM_FROUND_NO_EXC)

__SSE41_FN __m128 _mm_blend_ps(__m128 __a, __m128 __b, int __imm) {
  return (__m128)__builtin_ia32_blendps((__v4sf)__a, (__v4sf)__b, __imm);
}

__SSE41_FN __m128d _mm_blend_pd(__m128d __a, __m128d __b, int __imm) {
  return (__m128d)__builtin_ia32_blendpd((__v2df)__a, (__v2df)__b, __imm);
}

__SSE41_FN __m128i _mm_blend_epi16(__m128i __a, __m128i __b, int __imm) {
  return (__m128i)__builtin_ia32_pblendw128((__v8hi)__a, (__v8hi)__b, __imm);
}

__SSE41_FN __m128 _mm_dp_ps(__m128 __a, __m128 __b, int __imm) {
  return (__m128)__builtin_ia32_dpps((__v4sf)__a, (__v4sf)__b, __imm);
}

__SSE41_FN __m128d _mm_dp_pd(__m128d __a, __m128d __b, int __imm) {
  return (__m128d)__builtin_ia32_dppd((__v2df)__a, (__v2df)__b, __imm);
}

__SSE41_FN __m128 _mm_insert_ps(__m128 __a, __m128 __b, int __imm) {
  return (__m128)__builtin_ia32_insertps128((__v4sf)__a, (__v4sf)__b, __imm);
}

__SSE41_FN __m128i _mm_mpsadbw_epu8(__m128i __a, __m128i __b, int __imm) {
  return (__m128i)__builtin_ia32_mpsadbw128((__v16qi)__a, (__v16qi)__b, __imm);
}

__SSE41_FN __m128 _mm_blendv_ps(__m128 __a, __m128 __b, __m128 __c) {
  return (__m128)__builtin_ia32_blendvps((__v4sf)__a, (__v4sf)__b, (__v4sf)__c);
}

__SSE41_FN __m128d _mm_blendv_pd(__m128d __a, __m128d __b, __m128d __c) {
  return (__m128d)__builtin_ia32_blendvpd((__v2df)__a, (__v2df)__b, (__v2df)__c);
}

__SSE41_FN __m128i _mm_blendv_epi8(__m128i __a, __m128i __b, __m128i __c) {
  return (__m128i)__builtin_ia32_pblendvb128((__v16qi)__a, (__v16qi)__b, (__v16qi)__c);
}

__SSE41_FN __m128i _mm_max_epi8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmaxsb128((__v16qi)__a, (__v16qi)__b);
}

__SSE41_FN __m128i _mm_min_epi8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pminsb128((__v16qi)__a, (__v16qi)__b);
}

__SSE41_FN __m128i _mm_max_epu16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmaxuw128((__v8hi)__a, (__v8hi)__b);
}

__SSE41_FN __m128i _mm_min_epu16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pminuw128((__v8hi)__a, (__v8hi)__b);
}

__SSE41_FN __m128i _mm_max_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmaxsd128((__v4si)__a, (__v4si)__b);
}

__SSE41_FN __m128i _mm_min_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pminsd128((__v4si)__a, (__v4si)__b);
}

__SSE41_FN __m128i _mm_max_epu32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmaxud128((__v4si)__a, (__v4si)__b);
}

__SSE41_FN __m128i _mm_min_epu32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pminud128((__v4si)__a, (__v4si)__b);
}

__SSE41_FN __m128i _mm_mul_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmuldq128((__v4si)__a, (__v4si)__b);
}

__SSE41_FN __m128i _mm_packus_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_packusdw128((__v4si)__a, (__v4si)__b);
}

__SSE41_FN __m128i _mm_mullo_epi32(__m128i __a, __m128i __b) {
  return (__m128i)((__v4su)__a * (__v4su)__b);
}

__SSE41_FN __m128i _mm_cmpeq_epi64(__m128i __a, __m128i __b) {
  return (__m128i)((__v2di)__a == (__v2di)__b);
}

__SSE41_FN __m128i _mm_minpos_epu16(__m128i __a) {
  return (__m128i)__builtin_ia32_phminposuw128((__v8hi)__a);
}

__SSE41_FN __m128i _mm_cvtepi8_epi16(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovsxbw128((__v16qi)__a);
}

__SSE41_FN __m128i _mm_cvtepi8_epi32(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovsxbd128((__v16qi)__a);
}

__SSE41_FN __m128i _mm_cvtepi8_epi64(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovsxbq128((__v16qi)__a);
}

__SSE41_FN __m128i _mm_cvtepi16_epi32(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovsxwd128((__v8hi)__a);
}

__SSE41_FN __m128i _mm_cvtepi16_epi64(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovsxwq128((__v8hi)__a);
}

__SSE41_FN __m128i _mm_cvtepi32_epi64(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovsxdq128((__v4si)__a);
}

__SSE41_FN __m128i _mm_cvtepu8_epi16(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovzxbw128((__v16qi)__a);
}

__SSE41_FN __m128i _mm_cvtepu8_epi32(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovzxbd128((__v16qi)__a);
}

__SSE41_FN __m128i _mm_cvtepu8_epi64(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovzxbq128((__v16qi)__a);
}

__SSE41_FN __m128i _mm_cvtepu16_epi32(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovzxwd128((__v8hi)__a);
}

__SSE41_FN __m128i _mm_cvtepu16_epi64(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovzxwq128((__v8hi)__a);
}

__SSE41_FN __m128i _mm_cvtepu32_epi64(__m128i __a) {
  return (__m128i)__builtin_ia32_pmovzxdq128((__v4si)__a);
}

__SSE41_FN __m128 _mm_round_ps(__m128 __a, int __imm) {
  return (__m128)__builtin_ia32_roundps((__v4sf)__a, __imm);
}

__SSE41_FN __m128d _mm_round_pd(__m128d __a, int __imm) {
  return (__m128d)__builtin_ia32_roundpd((__v2df)__a, __imm);
}

__SSE41_FN __m128 _mm_round_ss(__m128 __a, __m128 __b, int __imm) {
  return (__m128)__builtin_ia32_roundss((__v4sf)__a, (__v4sf)__b, __imm);
}

__SSE41_FN __m128d _mm_round_sd(__m128d __a, __m128d __b, int __imm) {
  return (__m128d)__builtin_ia32_roundsd((__v2df)__a, (__v2df)__b, __imm);
}

__SSE41_FN __m128 _mm_floor_ps(__m128 __a) {
  return _mm_round_ps(__a, _MM_FROUND_FLOOR);
}

__SSE41_FN __m128 _mm_ceil_ps(__m128 __a) {
  return _mm_round_ps(__a, _MM_FROUND_CEIL);
}

__SSE41_FN __m128d _mm_floor_pd(__m128d __a) {
  return _mm_round_pd(__a, _MM_FROUND_FLOOR);
}

__SSE41_FN __m128d _mm_ceil_pd(__m128d __a) {
  return _mm_round_pd(__a, _MM_FROUND_CEIL);
}

__SSE41_FN __m128 _mm_floor_ss(__m128 __a, __m128 __b) {
  return _mm_round_ss(__a, __b, _MM_FROUND_FLOOR);
}

__SSE41_FN __m128 _mm_ceil_ss(__m128 __a, __m128 __b) {
  return _mm_round_ss(__a, __b, _MM_FROUND_CEIL);
}

__SSE41_FN __m128d _mm_floor_sd(__m128d __a, __m128d __b) {
  return _mm_round_sd(__a, __b, _MM_FROUND_FLOOR);
}

__SSE41_FN __m128d _mm_ceil_sd(__m128d __a, __m128d __b) {
  return _mm_round_sd(__a, __b, _MM_FROUND_CEIL);
}

__SSE41_FN int _mm_testz_si128(__m128i __a, __m128i __b) {
  return __builtin_ia32_ptestz128((__v2di)__a, (__v2di)__b);
}

__SSE41_FN int _mm_testc_si128(__m128i __a, __m128i __b) {
  return __builtin_ia32_ptestc128((__v2di)__a, (__v2di)__b);
}

__SSE41_FN int _mm_testnzc_si128(__m128i __a, __m128i __b) {
  return __builtin_ia32_ptestnzc128((__v2di)__a, (__v2di)__b);
}

__SSE41_FN int _mm_test_all_zeros(__m128i __a, __m128i __b) {
  return _mm_testz_si128(__a, __b);
}

__SSE41_FN int _mm_test_mix_ones_zeros(__m128i __a, __m128i __b) {
  return _mm_testnzc_si128(__a, __b);
}

__SSE41_FN int _mm_test_all_ones(__m128i __a) {
  return _mm_testc_si128(__a, (__m128i){ -1, -1 });
}

__SSE41_FN __m128i _mm_stream_load_si128(__m128i *__p) {
  return (__m128i)__builtin_ia32_movntdqa((void *)__p);
}

__SSE41_FN int _mm_extract_epi8(__m128i __a, int __imm) {
  return (int)(unsigned char)((__v16qi)__a)[__imm & 15];
}

__SSE41_FN int _mm_extract_epi32(__m128i __a, int __imm) {
  return ((__v4si)__a)[__imm & 3];
}

__SSE41_FN long long _mm_extract_epi64(__m128i __a, int __imm) {
  return ((__v2di)__a)[__imm & 1];
}

__SSE41_FN int _mm_extract_ps(__m128 __a, int __imm) {
  return ((__v4si)__a)[__imm & 3];
}

__SSE41_FN __m128i _mm_insert_epi8(__m128i __a, int __b, int __imm) {
  __v16qi __v = (__v16qi)__a;
  __v[__imm & 15] = (char)__b;
  return (__m128i)__v;
}

__SSE41_FN __m128i _mm_insert_epi32(__m128i __a, int __b, int __imm) {
  __v4si __v = (__v4si)__a;
  __v[__imm & 3] = (int)__b;
  return (__m128i)__v;
}

__SSE41_FN __m128i _mm_insert_epi64(__m128i __a, long long __b, int __imm) {
  __v2di __v = (__v2di)__a;
  __v[__imm & 1] = (long long)__b;
  return (__m128i)__v;
}

#define _MM_EXTRACT_FLOAT(d, s, n) { (d) = ((__v4sf)(s))[(n) & 3]; }
#define _MM_EXTRACT_TO_FLOAT(d, s, n) _MM_EXTRACT_FLOAT(d, s, n)
#define _MM_MK_INSERTPS_NDX(s, d, m) (((s) << 6) | ((d) << 4) | (m))
#define _MM_PICK_OUT_PS(x, n) _mm_insert_ps(_mm_setzero_ps(), (x), _MM_MK_INSERTPS_NDX((n), 0, 0x0e))

#include <nmmintrin.h>

#endif
