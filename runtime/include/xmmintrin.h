/* SSE: four floats.

   Arithmetic is the vector operation of the language; what the language has no operator for is a builtin function, an operation like
   any other to the optimiser. */
#ifndef _XMMINTRIN_H_INCLUDED
#define _XMMINTRIN_H_INCLUDED 1

#include <mmintrin.h>
#include <mm_malloc.h>

typedef float __m128 __attribute__((__vector_size__(16), __may_alias__));
typedef float __m128_u __attribute__((__vector_size__(16), __may_alias__, __aligned__(1)));
typedef float __v4sf __attribute__((__vector_size__(16)));
typedef int __tcc_v4si __attribute__((__vector_size__(16), __may_alias__));

enum _mm_hint {
  _MM_HINT_ET0 = 7,
  _MM_HINT_ET1 = 6,
  _MM_HINT_T0 = 3,
  _MM_HINT_T1 = 2,
  _MM_HINT_T2 = 1,
  _MM_HINT_NTA = 0
};

#define _mm_prefetch(p, hint) __builtin_prefetch((p), ((hint) & 4) >> 2, (hint) & 3)

#define _MM_SHUFFLE(d, c, b, a) (((d) << 6) | ((c) << 4) | ((b) << 2) | (a))

#define _MM_EXCEPT_MASK 0x003f
#define _MM_EXCEPT_INVALID 0x0001
#define _MM_EXCEPT_DENORM 0x0002
#define _MM_EXCEPT_DIV_ZERO 0x0004
#define _MM_EXCEPT_OVERFLOW 0x0008
#define _MM_EXCEPT_UNDERFLOW 0x0010
#define _MM_EXCEPT_INEXACT 0x0020
#define _MM_MASK_MASK 0x1f80
#define _MM_MASK_INVALID 0x0080
#define _MM_MASK_DENORM 0x0100
#define _MM_MASK_DIV_ZERO 0x0200
#define _MM_MASK_OVERFLOW 0x0400
#define _MM_MASK_UNDERFLOW 0x0800
#define _MM_MASK_INEXACT 0x1000
#define _MM_ROUND_MASK 0x6000
#define _MM_ROUND_NEAREST 0x0000
#define _MM_ROUND_DOWN 0x2000
#define _MM_ROUND_UP 0x4000
#define _MM_ROUND_TOWARD_ZERO 0x6000
#define _MM_FLUSH_ZERO_MASK 0x8000
#define _MM_FLUSH_ZERO_ON 0x8000
#define _MM_FLUSH_ZERO_OFF 0x0000

__SSE_FN __m128 _mm_undefined_ps(void) {
  __m128 __y = { 0.0f, 0.0f, 0.0f, 0.0f };
  return __y;
}

__SSE_FN __m128 _mm_setzero_ps(void) {
  return (__m128){ 0.0f, 0.0f, 0.0f, 0.0f };
}

__SSE_FN __m128 _mm_set_ss(float __f) {
  return (__m128){ __f, 0.0f, 0.0f, 0.0f };
}

__SSE_FN __m128 _mm_set1_ps(float __f) {
  return (__m128){ __f, __f, __f, __f };
}

__SSE_FN __m128 _mm_set_ps(float __d, float __c, float __b, float __a) {
  return (__m128){ __a, __b, __c, __d };
}

__SSE_FN __m128 _mm_setr_ps(float __a, float __b, float __c, float __d) {
  return (__m128){ __a, __b, __c, __d };
}

__SSE_FN __m128 _mm_add_ss(__m128 __a, __m128 __b) {
  __a[0] = __a[0] + __b[0];
  return __a;
}

__SSE_FN __m128 _mm_add_ps(__m128 __a, __m128 __b) {
  return __a + __b;
}

__SSE_FN __m128 _mm_sub_ss(__m128 __a, __m128 __b) {
  __a[0] = __a[0] - __b[0];
  return __a;
}

__SSE_FN __m128 _mm_sub_ps(__m128 __a, __m128 __b) {
  return __a - __b;
}

__SSE_FN __m128 _mm_mul_ss(__m128 __a, __m128 __b) {
  __a[0] = __a[0] * __b[0];
  return __a;
}

__SSE_FN __m128 _mm_mul_ps(__m128 __a, __m128 __b) {
  return __a * __b;
}

__SSE_FN __m128 _mm_div_ss(__m128 __a, __m128 __b) {
  __a[0] = __a[0] / __b[0];
  return __a;
}

__SSE_FN __m128 _mm_div_ps(__m128 __a, __m128 __b) {
  return __a / __b;
}

__SSE_FN __m128 _mm_sqrt_ps(__m128 __a) {
  return (__m128)__builtin_ia32_sqrtps((__v4sf)__a);
}

__SSE_FN __m128 _mm_sqrt_ss(__m128 __a) {
  return (__m128)__builtin_ia32_sqrtss((__v4sf)__a);
}

__SSE_FN __m128 _mm_rcp_ps(__m128 __a) {
  return (__m128)__builtin_ia32_rcpps((__v4sf)__a);
}

__SSE_FN __m128 _mm_rcp_ss(__m128 __a) {
  return (__m128)__builtin_ia32_rcpss((__v4sf)__a);
}

__SSE_FN __m128 _mm_rsqrt_ps(__m128 __a) {
  return (__m128)__builtin_ia32_rsqrtps((__v4sf)__a);
}

__SSE_FN __m128 _mm_rsqrt_ss(__m128 __a) {
  return (__m128)__builtin_ia32_rsqrtss((__v4sf)__a);
}

__SSE_FN __m128 _mm_min_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_minss((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_min_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_minps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_max_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_maxss((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_max_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_maxps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_and_ps(__m128 __a, __m128 __b) {
  return (__m128)((__tcc_v4si)__a & (__tcc_v4si)__b);
}

__SSE_FN __m128 _mm_andnot_ps(__m128 __a, __m128 __b) {
  return (__m128)(~(__tcc_v4si)__a & (__tcc_v4si)__b);
}

__SSE_FN __m128 _mm_or_ps(__m128 __a, __m128 __b) {
  return (__m128)((__tcc_v4si)__a | (__tcc_v4si)__b);
}

__SSE_FN __m128 _mm_xor_ps(__m128 __a, __m128 __b) {
  return (__m128)((__tcc_v4si)__a ^ (__tcc_v4si)__b);
}

__SSE_FN __m128 _mm_cmpeq_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpeqss((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpeq_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpeqps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmplt_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpltss((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmplt_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpltps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmple_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpless((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmple_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpleps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpgt_ss(__m128 __a, __m128 __b) {
  __b = (__m128)__builtin_ia32_cmpltss((__v4sf)__b, (__v4sf)__a);
  __m128 __r = __a;
  __r[0] = __b[0];
  return __r;
}

__SSE_FN __m128 _mm_cmpgt_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpltps((__v4sf)__b, (__v4sf)__a);
}

__SSE_FN __m128 _mm_cmpge_ss(__m128 __a, __m128 __b) {
  __b = (__m128)__builtin_ia32_cmpless((__v4sf)__b, (__v4sf)__a);
  __m128 __r = __a;
  __r[0] = __b[0];
  return __r;
}

__SSE_FN __m128 _mm_cmpge_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpleps((__v4sf)__b, (__v4sf)__a);
}

__SSE_FN __m128 _mm_cmpneq_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpneqss((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpneq_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpneqps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpnlt_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpnltss((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpnlt_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpnltps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpnle_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpnless((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpnle_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpnleps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpngt_ss(__m128 __a, __m128 __b) {
  __b = (__m128)__builtin_ia32_cmpnltss((__v4sf)__b, (__v4sf)__a);
  __m128 __r = __a;
  __r[0] = __b[0];
  return __r;
}

__SSE_FN __m128 _mm_cmpngt_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpnltps((__v4sf)__b, (__v4sf)__a);
}

__SSE_FN __m128 _mm_cmpnge_ss(__m128 __a, __m128 __b) {
  __b = (__m128)__builtin_ia32_cmpnless((__v4sf)__b, (__v4sf)__a);
  __m128 __r = __a;
  __r[0] = __b[0];
  return __r;
}

__SSE_FN __m128 _mm_cmpnge_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpnleps((__v4sf)__b, (__v4sf)__a);
}

__SSE_FN __m128 _mm_cmpord_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpordss((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpord_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpordps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpunord_ss(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpunordss((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_cmpunord_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_cmpunordps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN int _mm_comieq_ss(__m128 __a, __m128 __b) {
  return __a[0] == __b[0];
}

__SSE_FN int _mm_ucomieq_ss(__m128 __a, __m128 __b) {
  return __a[0] == __b[0];
}

__SSE_FN int _mm_comilt_ss(__m128 __a, __m128 __b) {
  return __a[0] < __b[0];
}

__SSE_FN int _mm_ucomilt_ss(__m128 __a, __m128 __b) {
  return __a[0] < __b[0];
}

__SSE_FN int _mm_comile_ss(__m128 __a, __m128 __b) {
  return __a[0] <= __b[0];
}

__SSE_FN int _mm_ucomile_ss(__m128 __a, __m128 __b) {
  return __a[0] <= __b[0];
}

__SSE_FN int _mm_comigt_ss(__m128 __a, __m128 __b) {
  return __a[0] > __b[0];
}

__SSE_FN int _mm_ucomigt_ss(__m128 __a, __m128 __b) {
  return __a[0] > __b[0];
}

__SSE_FN int _mm_comige_ss(__m128 __a, __m128 __b) {
  return __a[0] >= __b[0];
}

__SSE_FN int _mm_ucomige_ss(__m128 __a, __m128 __b) {
  return __a[0] >= __b[0];
}

__SSE_FN int _mm_comineq_ss(__m128 __a, __m128 __b) {
  return __a[0] != __b[0];
}

__SSE_FN int _mm_ucomineq_ss(__m128 __a, __m128 __b) {
  return __a[0] != __b[0];
}

__SSE_FN int _mm_cvtss_si32(__m128 __a) {
  return __builtin_ia32_cvtss2si((__v4sf)__a);
}

__SSE_FN long long _mm_cvtss_si64(__m128 __a) {
  return __builtin_ia32_cvtss2si64((__v4sf)__a);
}

__SSE_FN int _mm_cvttss_si32(__m128 __a) {
  return __builtin_ia32_cvttss2si((__v4sf)__a);
}

__SSE_FN long long _mm_cvttss_si64(__m128 __a) {
  return __builtin_ia32_cvttss2si64((__v4sf)__a);
}

__SSE_FN __m128 _mm_cvtsi32_ss(__m128 __a, int __b) {
  __a[0] = (float)__b;
  return __a;
}

__SSE_FN __m128 _mm_cvtsi64_ss(__m128 __a, long long __b) {
  __a[0] = (float)__b;
  return __a;
}

__SSE_FN float _mm_cvtss_f32(__m128 __a) {
  return __a[0];
}

__SSE_FN __m64 _mm_cvtps_pi32(__m128 __a) {
  __tcc_v4si __r;
  __r = (__tcc_v4si)__builtin_ia32_cvtps2dq((__v4sf)__a);
  return (__m64){ __r[0], __r[1] };
}

__SSE_FN __m64 _mm_cvttps_pi32(__m128 __a) {
  __tcc_v4si __r;
  __r = (__tcc_v4si)__builtin_ia32_cvttps2dq((__v4sf)__a);
  return (__m64){ __r[0], __r[1] };
}

__SSE_FN __m128 _mm_cvtpi32_ps(__m128 __a, __m64 __b) {
  return (__m128){ (float)__b[0], (float)__b[1], __a[2], __a[3] };
}

__SSE_FN __m128 _mm_cvtpi16_ps(__m64 __a) {
  return (__m128){ (float)((__v4hi)__a)[0], (float)((__v4hi)__a)[1], (float)((__v4hi)__a)[2], (float)((__v4hi)__a)[3] };
}

__SSE_FN __m128 _mm_cvtpu16_ps(__m64 __a) {
  return (__m128){ (float)((__v4hu)__a)[0], (float)((__v4hu)__a)[1], (float)((__v4hu)__a)[2], (float)((__v4hu)__a)[3] };
}

__SSE_FN __m128 _mm_cvtpi8_ps(__m64 __a) {
  return (__m128){ (float)((__v8qi)__a)[0], (float)((__v8qi)__a)[1], (float)((__v8qi)__a)[2], (float)((__v8qi)__a)[3] };
}

__SSE_FN __m128 _mm_cvtpu8_ps(__m64 __a) {
  return (__m128){ (float)((__v8qu)__a)[0], (float)((__v8qu)__a)[1], (float)((__v8qu)__a)[2], (float)((__v8qu)__a)[3] };
}

__SSE_FN __m128 _mm_cvtpi32x2_ps(__m64 __a, __m64 __b) {
  return (__m128){ (float)__a[0], (float)__a[1], (float)__b[0], (float)__b[1] };
}

__SSE_FN __m64 _mm_cvtps_pi16(__m128 __a) {
  __tcc_v4si __r;
  __r = (__tcc_v4si)__builtin_ia32_cvtps2dq((__v4sf)__a);
  return _mm_packs_pi32((__m64){ __r[0], __r[1] }, (__m64){ __r[2], __r[3] });
}

__SSE_FN __m64 _mm_cvtps_pi8(__m128 __a) {
  return _mm_packs_pi16(_mm_cvtps_pi16(__a), (__m64){ 0, 0 });
}

#define _mm_shuffle_ps(a, b, mask) \
  ((__m128)__builtin_ia32_shufps((__v4sf)(__m128)(a), (__v4sf)(__m128)(b), (int)(mask)))

__SSE_FN __m128 _mm_unpackhi_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_unpckhps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_unpacklo_ps(__m128 __a, __m128 __b) {
  return (__m128)__builtin_ia32_unpcklps((__v4sf)__a, (__v4sf)__b);
}

__SSE_FN __m128 _mm_movehl_ps(__m128 __a, __m128 __b) {
  return (__m128){ __b[2], __b[3], __a[2], __a[3] };
}

__SSE_FN __m128 _mm_movelh_ps(__m128 __a, __m128 __b) {
  return (__m128){ __a[0], __a[1], __b[0], __b[1] };
}

__SSE_FN __m128 _mm_move_ss(__m128 __a, __m128 __b) {
  return (__m128){ __b[0], __a[1], __a[2], __a[3] };
}

__SSE_FN int _mm_movemask_ps(__m128 __a) {
  return __builtin_ia32_movmskps((__v4sf)__a);
}

__SSE_FN __m128 _mm_loadh_pi(__m128 __a, __m64 const *__p) {
  __v2sf __v = *(__v2sf const __attribute__((__may_alias__, __aligned__(1))) *)__p;
  return (__m128){ __a[0], __a[1], __v[0], __v[1] };
}

__SSE_FN __m128 _mm_loadl_pi(__m128 __a, __m64 const *__p) {
  __v2sf __v = *(__v2sf const __attribute__((__may_alias__, __aligned__(1))) *)__p;
  return (__m128){ __v[0], __v[1], __a[2], __a[3] };
}

__SSE_FN void _mm_storeh_pi(__m64 *__p, __m128 __a) {
  *(__v2sf __attribute__((__may_alias__, __aligned__(1))) *)__p = (__v2sf){ __a[2], __a[3] };
}

__SSE_FN void _mm_storel_pi(__m64 *__p, __m128 __a) {
  *(__v2sf __attribute__((__may_alias__, __aligned__(1))) *)__p = (__v2sf){ __a[0], __a[1] };
}

__SSE_FN __m128 _mm_load_ss(float const *__p) {
  return (__m128){ *__p, 0.0f, 0.0f, 0.0f };
}

__SSE_FN __m128 _mm_load1_ps(float const *__p) {
  return _mm_set1_ps(*__p);
}

__SSE_FN __m128 _mm_load_ps(float const *__p) {
  return *(__m128 const *)__p;
}

__SSE_FN __m128 _mm_loadu_ps(float const *__p) {
  return *(__m128_u const *)__p;
}

__SSE_FN __m128 _mm_loadr_ps(float const *__p) {
  __m128 __v = *(__m128 const *)__p;
  return (__m128){ __v[3], __v[2], __v[1], __v[0] };
}

__SSE_FN void _mm_store_ss(float *__p, __m128 __a) {
  *__p = __a[0];
}

__SSE_FN void _mm_store_ps(float *__p, __m128 __a) {
  *(__m128 *)__p = __a;
}

__SSE_FN void _mm_storeu_ps(float *__p, __m128 __a) {
  *(__m128_u *)__p = __a;
}

__SSE_FN void _mm_storer_ps(float *__p, __m128 __a) {
  *(__m128 *)__p = (__m128){ __a[3], __a[2], __a[1], __a[0] };
}

__SSE_FN void _mm_store1_ps(float *__p, __m128 __a) {
  *(__m128 *)__p = _mm_set1_ps(__a[0]);
}

__SSE_FN void _mm_stream_ps(float *__p, __m128 __a) {
  __asm__ __volatile__("movntps %1, %0" : "=m"(*(__m128 *)__p) : "x"(__a));
}

__SSE_FN void _mm_stream_pi(__m64 *__p, __m64 __a) {
  __asm__ __volatile__("movnti %1, %0" : "=m"(*__p) : "r"(((__v1di)__a)[0]));
}

__SSE_FN void _mm_sfence(void) {
  __asm__ __volatile__("sfence" : : : "memory");
}

__SSE_FN void _mm_pause(void) {
  __asm__ __volatile__("pause" : : : "memory");
}

__SSE_FN unsigned int _mm_getcsr(void) {
  unsigned int __r;
  __asm__ __volatile__("stmxcsr %0" : "=m"(__r));
  return __r;
}

__SSE_FN void _mm_setcsr(unsigned int __i) {
  __asm__ __volatile__("ldmxcsr %0" : : "m"(__i) : "memory");
}

__SSE_FN unsigned int _MM_GET_EXCEPTION_STATE(void) {
  return _mm_getcsr() & _MM_EXCEPT_MASK;
}

__SSE_FN void _MM_SET_EXCEPTION_STATE(unsigned int __mask) {
  _mm_setcsr((_mm_getcsr() & ~_MM_EXCEPT_MASK) | __mask);
}

__SSE_FN unsigned int _MM_GET_EXCEPTION_MASK(void) {
  return _mm_getcsr() & _MM_MASK_MASK;
}

__SSE_FN void _MM_SET_EXCEPTION_MASK(unsigned int __mask) {
  _mm_setcsr((_mm_getcsr() & ~_MM_MASK_MASK) | __mask);
}

__SSE_FN unsigned int _MM_GET_ROUNDING_MODE(void) {
  return _mm_getcsr() & _MM_ROUND_MASK;
}

__SSE_FN void _MM_SET_ROUNDING_MODE(unsigned int __mask) {
  _mm_setcsr((_mm_getcsr() & ~_MM_ROUND_MASK) | __mask);
}

__SSE_FN unsigned int _MM_GET_FLUSH_ZERO_MODE(void) {
  return _mm_getcsr() & _MM_FLUSH_ZERO_MASK;
}

__SSE_FN void _MM_SET_FLUSH_ZERO_MODE(unsigned int __mask) {
  _mm_setcsr((_mm_getcsr() & ~_MM_FLUSH_ZERO_MASK) | __mask);
}

#define _mm_extract_pi16(a, n) ((int)(unsigned short)((__v4hi)(a))[(n) & 3])
#define _mm_insert_pi16(a, d, n)                                                                                             \
  __extension__({                                                                                                            \
    __v4hi __insert_r = (__v4hi)(a);                                                                                         \
    __insert_r[(n) & 3] = (short)(d);                                                                                        \
    (__m64)__insert_r;                                                                                                       \
  })
#define _mm_shuffle_pi16(a, n)                                                                                               \
  __extension__({                                                                                                            \
    __v4hi __shuffle_a = (__v4hi)(a);                                                                                        \
    (__m64)(__v4hi){ __shuffle_a[(n) & 3], __shuffle_a[((n) >> 2) & 3], __shuffle_a[((n) >> 4) & 3],                         \
                     __shuffle_a[((n) >> 6) & 3] };                                                                          \
  })

__SSE_FN __m64 _mm_max_pi16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hi){ ((__v4hi)__a)[0] > ((__v4hi)__b)[0] ? ((__v4hi)__a)[0] : ((__v4hi)__b)[0], ((__v4hi)__a)[1] > ((__v4hi)__b)[1] ? ((__v4hi)__a)[1] : ((__v4hi)__b)[1], ((__v4hi)__a)[2] > ((__v4hi)__b)[2] ? ((__v4hi)__a)[2] : ((__v4hi)__b)[2], ((__v4hi)__a)[3] > ((__v4hi)__b)[3] ? ((__v4hi)__a)[3] : ((__v4hi)__b)[3] };
}

__SSE_FN __m64 _mm_max_pu8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qu){ ((__v8qu)__a)[0] > ((__v8qu)__b)[0] ? ((__v8qu)__a)[0] : ((__v8qu)__b)[0], ((__v8qu)__a)[1] > ((__v8qu)__b)[1] ? ((__v8qu)__a)[1] : ((__v8qu)__b)[1], ((__v8qu)__a)[2] > ((__v8qu)__b)[2] ? ((__v8qu)__a)[2] : ((__v8qu)__b)[2], ((__v8qu)__a)[3] > ((__v8qu)__b)[3] ? ((__v8qu)__a)[3] : ((__v8qu)__b)[3], ((__v8qu)__a)[4] > ((__v8qu)__b)[4] ? ((__v8qu)__a)[4] : ((__v8qu)__b)[4], ((__v8qu)__a)[5] > ((__v8qu)__b)[5] ? ((__v8qu)__a)[5] : ((__v8qu)__b)[5], ((__v8qu)__a)[6] > ((__v8qu)__b)[6] ? ((__v8qu)__a)[6] : ((__v8qu)__b)[6], ((__v8qu)__a)[7] > ((__v8qu)__b)[7] ? ((__v8qu)__a)[7] : ((__v8qu)__b)[7] };
}

__SSE_FN __m64 _mm_min_pi16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hi){ ((__v4hi)__a)[0] < ((__v4hi)__b)[0] ? ((__v4hi)__a)[0] : ((__v4hi)__b)[0], ((__v4hi)__a)[1] < ((__v4hi)__b)[1] ? ((__v4hi)__a)[1] : ((__v4hi)__b)[1], ((__v4hi)__a)[2] < ((__v4hi)__b)[2] ? ((__v4hi)__a)[2] : ((__v4hi)__b)[2], ((__v4hi)__a)[3] < ((__v4hi)__b)[3] ? ((__v4hi)__a)[3] : ((__v4hi)__b)[3] };
}

__SSE_FN __m64 _mm_min_pu8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qu){ ((__v8qu)__a)[0] < ((__v8qu)__b)[0] ? ((__v8qu)__a)[0] : ((__v8qu)__b)[0], ((__v8qu)__a)[1] < ((__v8qu)__b)[1] ? ((__v8qu)__a)[1] : ((__v8qu)__b)[1], ((__v8qu)__a)[2] < ((__v8qu)__b)[2] ? ((__v8qu)__a)[2] : ((__v8qu)__b)[2], ((__v8qu)__a)[3] < ((__v8qu)__b)[3] ? ((__v8qu)__a)[3] : ((__v8qu)__b)[3], ((__v8qu)__a)[4] < ((__v8qu)__b)[4] ? ((__v8qu)__a)[4] : ((__v8qu)__b)[4], ((__v8qu)__a)[5] < ((__v8qu)__b)[5] ? ((__v8qu)__a)[5] : ((__v8qu)__b)[5], ((__v8qu)__a)[6] < ((__v8qu)__b)[6] ? ((__v8qu)__a)[6] : ((__v8qu)__b)[6], ((__v8qu)__a)[7] < ((__v8qu)__b)[7] ? ((__v8qu)__a)[7] : ((__v8qu)__b)[7] };
}

__SSE_FN int _mm_movemask_pi8(__m64 __a) {
  unsigned long long __v = ((__v1du)__a)[0] & 0x8080808080808080ull;
  /* The eight sign bits, each moved to its place in the top byte by one multiplication. */
  return (int)(((__v >> 7) * 0x0102040810204080ull) >> 56);
}

__SSE_FN __m64 _mm_mulhi_pu16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hu){ ((unsigned)((__v4hu)__a)[0] * ((__v4hu)__b)[0]) >> 16, ((unsigned)((__v4hu)__a)[1] * ((__v4hu)__b)[1]) >> 16, ((unsigned)((__v4hu)__a)[2] * ((__v4hu)__b)[2]) >> 16, ((unsigned)((__v4hu)__a)[3] * ((__v4hu)__b)[3]) >> 16 };
}

__SSE_FN void _mm_maskmove_si64(__m64 __a, __m64 __n, char *__p) {
  for (int __i = 0; __i < 8; __i++)
    if (((__v8qi)__n)[__i] < 0)
      __p[__i] = ((__v8qi)__a)[__i];
}

__SSE_FN __m64 _mm_avg_pu8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qu){ ((unsigned)((__v8qu)__a)[0] + ((__v8qu)__b)[0] + 1) >> 1, ((unsigned)((__v8qu)__a)[1] + ((__v8qu)__b)[1] + 1) >> 1, ((unsigned)((__v8qu)__a)[2] + ((__v8qu)__b)[2] + 1) >> 1, ((unsigned)((__v8qu)__a)[3] + ((__v8qu)__b)[3] + 1) >> 1, ((unsigned)((__v8qu)__a)[4] + ((__v8qu)__b)[4] + 1) >> 1, ((unsigned)((__v8qu)__a)[5] + ((__v8qu)__b)[5] + 1) >> 1, ((unsigned)((__v8qu)__a)[6] + ((__v8qu)__b)[6] + 1) >> 1, ((unsigned)((__v8qu)__a)[7] + ((__v8qu)__b)[7] + 1) >> 1 };
}

__SSE_FN __m64 _mm_avg_pu16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hu){ ((unsigned)((__v4hu)__a)[0] + ((__v4hu)__b)[0] + 1) >> 1, ((unsigned)((__v4hu)__a)[1] + ((__v4hu)__b)[1] + 1) >> 1, ((unsigned)((__v4hu)__a)[2] + ((__v4hu)__b)[2] + 1) >> 1, ((unsigned)((__v4hu)__a)[3] + ((__v4hu)__b)[3] + 1) >> 1 };
}

__SSE_FN __m64 _mm_sad_pu8(__m64 __a, __m64 __b) {
  int __sum = 0;
  for (int __i = 0; __i < 8; __i++) {
    int __d = ((__v8qu)__a)[__i] - ((__v8qu)__b)[__i];
    __sum += __d < 0 ? -__d : __d;
  }
  return (__m64){ __sum, 0 };
}

#define _MM_TRANSPOSE4_PS(row0, row1, row2, row3)                                                                            \
  do {                                                                                                                       \
    __m128 __r0 = (row0), __r1 = (row1), __r2 = (row2), __r3 = (row3);                                                       \
    __m128 __t0 = _mm_unpacklo_ps(__r0, __r1);                                                                               \
    __m128 __t1 = _mm_unpacklo_ps(__r2, __r3);                                                                               \
    __m128 __t2 = _mm_unpackhi_ps(__r0, __r1);                                                                               \
    __m128 __t3 = _mm_unpackhi_ps(__r2, __r3);                                                                               \
    (row0) = _mm_movelh_ps(__t0, __t1);                                                                                      \
    (row1) = _mm_movehl_ps(__t1, __t0);                                                                                      \
    (row2) = _mm_movelh_ps(__t2, __t3);                                                                                      \
    (row3) = _mm_movehl_ps(__t3, __t2);                                                                                      \
  } while (0)

/* Other names of the same operations. */
#define _mm_set_ps1 _mm_set1_ps
#define _mm_load_ps1 _mm_load1_ps
#define _mm_store_ps1 _mm_store1_ps
#define _mm_cvt_ss2si _mm_cvtss_si32
#define _mm_cvtss_si64x _mm_cvtss_si64
#define _mm_cvtt_ss2si _mm_cvttss_si32
#define _mm_cvttss_si64x _mm_cvttss_si64
#define _mm_cvt_si2ss _mm_cvtsi32_ss
#define _mm_cvtsi64x_ss _mm_cvtsi64_ss
#define _mm_cvt_ps2pi _mm_cvtps_pi32
#define _mm_cvtt_ps2pi _mm_cvttps_pi32
#define _mm_cvt_pi2ps _mm_cvtpi32_ps
#define _m_pextrw _mm_extract_pi16
#define _m_pinsrw _mm_insert_pi16
#define _m_pmaxsw _mm_max_pi16
#define _m_pmaxub _mm_max_pu8
#define _m_pminsw _mm_min_pi16
#define _m_pminub _mm_min_pu8
#define _m_pmovmskb _mm_movemask_pi8
#define _m_pmulhuw _mm_mulhi_pu16
#define _m_pshufw _mm_shuffle_pi16
#define _m_maskmovq _mm_maskmove_si64
#define _m_pavgb _mm_avg_pu8
#define _m_pavgw _mm_avg_pu16
#define _m_psadbw _mm_sad_pu8

#include <emmintrin.h>

#endif
