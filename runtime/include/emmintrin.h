/* SSE2: two doubles, and integers in 128 bits. See <xmmintrin.h> for how things are written. */
#ifndef _EMMINTRIN_H_INCLUDED
#define _EMMINTRIN_H_INCLUDED 1

#include <xmmintrin.h>

typedef double __v2df __attribute__((__vector_size__(16)));
typedef long long __v2di __attribute__((__vector_size__(16)));
typedef unsigned long long __v2du __attribute__((__vector_size__(16)));
typedef int __v4si __attribute__((__vector_size__(16)));
typedef unsigned int __v4su __attribute__((__vector_size__(16)));
typedef short __v8hi __attribute__((__vector_size__(16)));
typedef unsigned short __v8hu __attribute__((__vector_size__(16)));
typedef char __v16qi __attribute__((__vector_size__(16)));
typedef signed char __v16qs __attribute__((__vector_size__(16)));
typedef unsigned char __v16qu __attribute__((__vector_size__(16)));

typedef long long __m128i __attribute__((__vector_size__(16), __may_alias__));
typedef double __m128d __attribute__((__vector_size__(16), __may_alias__));
typedef long long __m128i_u __attribute__((__vector_size__(16), __may_alias__, __aligned__(1)));
typedef double __m128d_u __attribute__((__vector_size__(16), __may_alias__, __aligned__(1)));

#define _MM_SHUFFLE2(b, a) (((b) << 1) | (a))

__SSE_FN __m128d _mm_set_sd(double __f) {
  return (__m128d){ __f, 0.0 };
}

__SSE_FN __m128d _mm_set1_pd(double __f) {
  return (__m128d){ __f, __f };
}

__SSE_FN __m128d _mm_set_pd(double __b, double __a) {
  return (__m128d){ __a, __b };
}

__SSE_FN __m128d _mm_setr_pd(double __a, double __b) {
  return (__m128d){ __a, __b };
}

__SSE_FN __m128d _mm_undefined_pd(void) {
  return (__m128d){ 0.0, 0.0 };
}

__SSE_FN __m128d _mm_setzero_pd(void) {
  return (__m128d){ 0.0, 0.0 };
}

__SSE_FN __m128d _mm_move_sd(__m128d __a, __m128d __b) {
  return (__m128d){ __b[0], __a[1] };
}

__SSE_FN __m128d _mm_load_pd(double const *__p) {
  return *(__m128d const *)__p;
}

__SSE_FN __m128d _mm_loadu_pd(double const *__p) {
  return *(__m128d_u const *)__p;
}

__SSE_FN __m128d _mm_load1_pd(double const *__p) {
  return _mm_set1_pd(*__p);
}

__SSE_FN __m128d _mm_load_sd(double const *__p) {
  return _mm_set_sd(*__p);
}

__SSE_FN __m128d _mm_loadr_pd(double const *__p) {
  __m128d __v = *(__m128d const *)__p;
  return (__m128d){ __v[1], __v[0] };
}

__SSE_FN __m128d _mm_loadh_pd(__m128d __a, double const *__p) {
  return (__m128d){ __a[0], *__p };
}

__SSE_FN __m128d _mm_loadl_pd(__m128d __a, double const *__p) {
  return (__m128d){ *__p, __a[1] };
}

__SSE_FN void _mm_store_pd(double *__p, __m128d __a) {
  *(__m128d *)__p = __a;
}

__SSE_FN void _mm_storeu_pd(double *__p, __m128d __a) {
  *(__m128d_u *)__p = __a;
}

__SSE_FN void _mm_store_sd(double *__p, __m128d __a) {
  *__p = __a[0];
}

__SSE_FN double _mm_cvtsd_f64(__m128d __a) {
  return __a[0];
}

__SSE_FN void _mm_storel_pd(double *__p, __m128d __a) {
  *__p = __a[0];
}

__SSE_FN void _mm_storeh_pd(double *__p, __m128d __a) {
  *__p = __a[1];
}

__SSE_FN void _mm_store1_pd(double *__p, __m128d __a) {
  *(__m128d *)__p = (__m128d){ __a[0], __a[0] };
}

__SSE_FN void _mm_storer_pd(double *__p, __m128d __a) {
  *(__m128d *)__p = (__m128d){ __a[1], __a[0] };
}

__SSE_FN __m128d _mm_add_pd(__m128d __a, __m128d __b) {
  return __a + __b;
}

__SSE_FN __m128d _mm_add_sd(__m128d __a, __m128d __b) {
  __a[0] = __a[0] + __b[0];
  return __a;
}

__SSE_FN __m128d _mm_sub_pd(__m128d __a, __m128d __b) {
  return __a - __b;
}

__SSE_FN __m128d _mm_sub_sd(__m128d __a, __m128d __b) {
  __a[0] = __a[0] - __b[0];
  return __a;
}

__SSE_FN __m128d _mm_mul_pd(__m128d __a, __m128d __b) {
  return __a * __b;
}

__SSE_FN __m128d _mm_mul_sd(__m128d __a, __m128d __b) {
  __a[0] = __a[0] * __b[0];
  return __a;
}

__SSE_FN __m128d _mm_div_pd(__m128d __a, __m128d __b) {
  return __a / __b;
}

__SSE_FN __m128d _mm_div_sd(__m128d __a, __m128d __b) {
  __a[0] = __a[0] / __b[0];
  return __a;
}

__SSE_FN __m128d _mm_sqrt_pd(__m128d __a) {
  return (__m128d)__builtin_ia32_sqrtpd((__v2df)__a);
}

__SSE_FN __m128d _mm_sqrt_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_movsd((__v2df)__a, __builtin_ia32_sqrtsd((__v2df)__b));
}

__SSE_FN __m128d _mm_min_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_minpd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_min_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_minsd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_max_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_maxpd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_max_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_maxsd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_and_pd(__m128d __a, __m128d __b) {
  return (__m128d)((__m128i)__a & (__m128i)__b);
}

__SSE_FN __m128d _mm_andnot_pd(__m128d __a, __m128d __b) {
  return (__m128d)(~(__m128i)__a & (__m128i)__b);
}

__SSE_FN __m128d _mm_or_pd(__m128d __a, __m128d __b) {
  return (__m128d)((__m128i)__a | (__m128i)__b);
}

__SSE_FN __m128d _mm_xor_pd(__m128d __a, __m128d __b) {
  return (__m128d)((__m128i)__a ^ (__m128i)__b);
}

__SSE_FN __m128d _mm_cmpeq_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpeqpd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpeq_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpeqsd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmplt_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpltpd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmplt_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpltsd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmple_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmplepd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmple_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmplesd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpgt_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpltpd((__v2df)__b, (__v2df)__a);
}

__SSE_FN __m128d _mm_cmpgt_sd(__m128d __a, __m128d __b) {
  __b = (__m128d)__builtin_ia32_cmpltsd((__v2df)__b, (__v2df)__a);
  return (__m128d){ __b[0], __a[1] };
}

__SSE_FN __m128d _mm_cmpge_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmplepd((__v2df)__b, (__v2df)__a);
}

__SSE_FN __m128d _mm_cmpge_sd(__m128d __a, __m128d __b) {
  __b = (__m128d)__builtin_ia32_cmplesd((__v2df)__b, (__v2df)__a);
  return (__m128d){ __b[0], __a[1] };
}

__SSE_FN __m128d _mm_cmpneq_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpneqpd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpneq_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpneqsd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpnlt_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpnltpd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpnlt_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpnltsd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpnle_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpnlepd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpnle_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpnlesd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpngt_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpnltpd((__v2df)__b, (__v2df)__a);
}

__SSE_FN __m128d _mm_cmpngt_sd(__m128d __a, __m128d __b) {
  __b = (__m128d)__builtin_ia32_cmpnltsd((__v2df)__b, (__v2df)__a);
  return (__m128d){ __b[0], __a[1] };
}

__SSE_FN __m128d _mm_cmpnge_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpnlepd((__v2df)__b, (__v2df)__a);
}

__SSE_FN __m128d _mm_cmpnge_sd(__m128d __a, __m128d __b) {
  __b = (__m128d)__builtin_ia32_cmpnlesd((__v2df)__b, (__v2df)__a);
  return (__m128d){ __b[0], __a[1] };
}

__SSE_FN __m128d _mm_cmpord_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpordpd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpord_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpordsd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpunord_pd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpunordpd((__v2df)__a, (__v2df)__b);
}

__SSE_FN __m128d _mm_cmpunord_sd(__m128d __a, __m128d __b) {
  return (__m128d)__builtin_ia32_cmpunordsd((__v2df)__a, (__v2df)__b);
}

__SSE_FN int _mm_comieq_sd(__m128d __a, __m128d __b) {
  return __a[0] == __b[0];
}

__SSE_FN int _mm_ucomieq_sd(__m128d __a, __m128d __b) {
  return __a[0] == __b[0];
}

__SSE_FN int _mm_comilt_sd(__m128d __a, __m128d __b) {
  return __a[0] < __b[0];
}

__SSE_FN int _mm_ucomilt_sd(__m128d __a, __m128d __b) {
  return __a[0] < __b[0];
}

__SSE_FN int _mm_comile_sd(__m128d __a, __m128d __b) {
  return __a[0] <= __b[0];
}

__SSE_FN int _mm_ucomile_sd(__m128d __a, __m128d __b) {
  return __a[0] <= __b[0];
}

__SSE_FN int _mm_comigt_sd(__m128d __a, __m128d __b) {
  return __a[0] > __b[0];
}

__SSE_FN int _mm_ucomigt_sd(__m128d __a, __m128d __b) {
  return __a[0] > __b[0];
}

__SSE_FN int _mm_comige_sd(__m128d __a, __m128d __b) {
  return __a[0] >= __b[0];
}

__SSE_FN int _mm_ucomige_sd(__m128d __a, __m128d __b) {
  return __a[0] >= __b[0];
}

__SSE_FN int _mm_comineq_sd(__m128d __a, __m128d __b) {
  return __a[0] != __b[0];
}

__SSE_FN int _mm_ucomineq_sd(__m128d __a, __m128d __b) {
  return __a[0] != __b[0];
}

__SSE_FN __m128i _mm_set_epi64x(long long __b, long long __a) {
  return (__m128i){ __a, __b };
}

__SSE_FN __m128i _mm_set_epi64(__m64 __b, __m64 __a) {
  return (__m128i){ ((__v1di)__a)[0], ((__v1di)__b)[0] };
}

__SSE_FN __m128i _mm_set_epi32(int __e3, int __e2, int __e1, int __e0) {
  return (__m128i)(__v4si){ __e0, __e1, __e2, __e3 };
}

__SSE_FN __m128i _mm_setr_epi32(int __e0, int __e1, int __e2, int __e3) {
  return (__m128i)(__v4si){ __e0, __e1, __e2, __e3 };
}

__SSE_FN __m128i _mm_set1_epi32(int __e) {
  return (__m128i)(__v4si){ __e, __e, __e, __e };
}

__SSE_FN __m128i _mm_set_epi16(short __e7, short __e6, short __e5, short __e4, short __e3, short __e2, short __e1, short __e0) {
  return (__m128i)(__v8hi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7 };
}

__SSE_FN __m128i _mm_setr_epi16(short __e0, short __e1, short __e2, short __e3, short __e4, short __e5, short __e6, short __e7) {
  return (__m128i)(__v8hi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7 };
}

__SSE_FN __m128i _mm_set1_epi16(short __e) {
  return (__m128i)(__v8hi){ __e, __e, __e, __e, __e, __e, __e, __e };
}

__SSE_FN __m128i _mm_set_epi8(char __e15, char __e14, char __e13, char __e12, char __e11, char __e10, char __e9, char __e8, char __e7, char __e6, char __e5, char __e4, char __e3, char __e2, char __e1, char __e0) {
  return (__m128i)(__v16qi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7, __e8, __e9, __e10, __e11, __e12, __e13, __e14, __e15 };
}

__SSE_FN __m128i _mm_setr_epi8(char __e0, char __e1, char __e2, char __e3, char __e4, char __e5, char __e6, char __e7, char __e8, char __e9, char __e10, char __e11, char __e12, char __e13, char __e14, char __e15) {
  return (__m128i)(__v16qi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7, __e8, __e9, __e10, __e11, __e12, __e13, __e14, __e15 };
}

__SSE_FN __m128i _mm_set1_epi8(char __e) {
  return (__m128i)(__v16qi){ __e, __e, __e, __e, __e, __e, __e, __e, __e, __e, __e, __e, __e, __e, __e, __e };
}

__SSE_FN __m128i _mm_set1_epi64x(long long __a) {
  return (__m128i){ __a, __a };
}

__SSE_FN __m128i _mm_set1_epi64(__m64 __a) {
  return (__m128i){ ((__v1di)__a)[0], ((__v1di)__a)[0] };
}

__SSE_FN __m128i _mm_setr_epi64(__m64 __a, __m64 __b) {
  return (__m128i){ ((__v1di)__a)[0], ((__v1di)__b)[0] };
}

__SSE_FN __m128i _mm_undefined_si128(void) {
  return (__m128i){ 0, 0 };
}

__SSE_FN __m128i _mm_setzero_si128(void) {
  return (__m128i){ 0, 0 };
}

__SSE_FN __m128i _mm_load_si128(__m128i const *__p) {
  return *__p;
}

__SSE_FN __m128i _mm_loadu_si128(__m128i_u const *__p) {
  return *__p;
}

typedef long long __tcc_di_u __attribute__((__may_alias__, __aligned__(1)));
typedef int __tcc_si_u __attribute__((__may_alias__, __aligned__(1)));
typedef short __tcc_hi_u __attribute__((__may_alias__, __aligned__(1)));

__SSE_FN __m128i _mm_loadl_epi64(__m128i_u const *__p) {
  return (__m128i){ *(__tcc_di_u const *)__p, 0 };
}

__SSE_FN __m128i _mm_loadu_si64(void const *__p) {
  return (__m128i){ *(__tcc_di_u const *)__p, 0 };
}

__SSE_FN __m128i _mm_loadu_si32(void const *__p) {
  return (__m128i)(__v4si){ *(__tcc_si_u const *)__p, 0, 0, 0 };
}

__SSE_FN __m128i _mm_loadu_si16(void const *__p) {
  return (__m128i)(__v8hi){ *(__tcc_hi_u const *)__p, 0, 0, 0, 0, 0, 0, 0 };
}

__SSE_FN void _mm_store_si128(__m128i *__p, __m128i __a) {
  *__p = __a;
}

__SSE_FN void _mm_storeu_si128(__m128i_u *__p, __m128i __a) {
  *__p = __a;
}

__SSE_FN void _mm_storel_epi64(__m128i_u *__p, __m128i __a) {
  *(__tcc_di_u *)__p = __a[0];
}

__SSE_FN void _mm_storeu_si64(void *__p, __m128i __a) {
  *(__tcc_di_u *)__p = __a[0];
}

__SSE_FN void _mm_storeu_si32(void *__p, __m128i __a) {
  *(__tcc_si_u *)__p = ((__v4si)__a)[0];
}

__SSE_FN void _mm_storeu_si16(void *__p, __m128i __a) {
  *(__tcc_hi_u *)__p = ((__v8hi)__a)[0];
}

__SSE_FN __m64 _mm_movepi64_pi64(__m128i __a) {
  return (__m64)(__v1di){ __a[0] };
}

__SSE_FN __m128i _mm_movpi64_epi64(__m64 __a) {
  return (__m128i){ ((__v1di)__a)[0], 0 };
}

__SSE_FN __m128i _mm_move_epi64(__m128i __a) {
  return (__m128i){ __a[0], 0 };
}

__SSE_FN __m128d _mm_cvtepi32_pd(__m128i __a) {
  return (__m128d)__builtin_ia32_cvtdq2pd((__v4si)__a);
}

__SSE_FN __m128 _mm_cvtepi32_ps(__m128i __a) {
  return (__m128)__builtin_ia32_cvtdq2ps((__v4si)__a);
}

__SSE_FN __m128i _mm_cvtpd_epi32(__m128d __a) {
  return (__m128i)__builtin_ia32_cvtpd2dq((__v2df)__a);
}

__SSE_FN __m128 _mm_cvtpd_ps(__m128d __a) {
  return (__m128)__builtin_ia32_cvtpd2ps((__v2df)__a);
}

__SSE_FN __m128i _mm_cvttpd_epi32(__m128d __a) {
  return (__m128i)__builtin_ia32_cvttpd2dq((__v2df)__a);
}

__SSE_FN __m128i _mm_cvtps_epi32(__m128 __a) {
  return (__m128i)__builtin_ia32_cvtps2dq((__v4sf)__a);
}

__SSE_FN __m128i _mm_cvttps_epi32(__m128 __a) {
  return (__m128i)__builtin_ia32_cvttps2dq((__v4sf)__a);
}

__SSE_FN __m128d _mm_cvtps_pd(__m128 __a) {
  return (__m128d)__builtin_ia32_cvtps2pd((__v4sf)__a);
}

__SSE_FN __m64 _mm_cvtpd_pi32(__m128d __a) {
  return _mm_movepi64_pi64(_mm_cvtpd_epi32(__a));
}

__SSE_FN __m64 _mm_cvttpd_pi32(__m128d __a) {
  return _mm_movepi64_pi64(_mm_cvttpd_epi32(__a));
}

__SSE_FN __m128d _mm_cvtpi32_pd(__m64 __a) {
  return (__m128d){ (double)__a[0], (double)__a[1] };
}

__SSE_FN int _mm_cvtsd_si32(__m128d __a) {
  return __builtin_ia32_cvtsd2si((__v2df)__a);
}

__SSE_FN long long _mm_cvtsd_si64(__m128d __a) {
  return __builtin_ia32_cvtsd2si64((__v2df)__a);
}

__SSE_FN int _mm_cvttsd_si32(__m128d __a) {
  return __builtin_ia32_cvttsd2si((__v2df)__a);
}

__SSE_FN long long _mm_cvttsd_si64(__m128d __a) {
  return __builtin_ia32_cvttsd2si64((__v2df)__a);
}

__SSE_FN __m128 _mm_cvtsd_ss(__m128 __a, __m128d __b) {
  __a[0] = (float)__b[0];
  return __a;
}

__SSE_FN __m128d _mm_cvtsi32_sd(__m128d __a, int __b) {
  __a[0] = (double)__b;
  return __a;
}

__SSE_FN __m128d _mm_cvtsi64_sd(__m128d __a, long long __b) {
  __a[0] = (double)__b;
  return __a;
}

__SSE_FN __m128d _mm_cvtss_sd(__m128d __a, __m128 __b) {
  __a[0] = (double)__b[0];
  return __a;
}

__SSE_FN int _mm_cvtsi128_si32(__m128i __a) {
  return ((__v4si)__a)[0];
}

__SSE_FN long long _mm_cvtsi128_si64(__m128i __a) {
  return __a[0];
}

__SSE_FN __m128i _mm_cvtsi32_si128(int __a) {
  return (__m128i)(__v4si){ __a, 0, 0, 0 };
}

__SSE_FN __m128i _mm_cvtsi64_si128(long long __a) {
  return (__m128i){ __a, 0 };
}

__SSE_FN __m128d _mm_castps_pd(__m128 __a) {
  return (__m128d)__a;
}

__SSE_FN __m128i _mm_castps_si128(__m128 __a) {
  return (__m128i)__a;
}

__SSE_FN __m128 _mm_castpd_ps(__m128d __a) {
  return (__m128)__a;
}

__SSE_FN __m128i _mm_castpd_si128(__m128d __a) {
  return (__m128i)__a;
}

__SSE_FN __m128 _mm_castsi128_ps(__m128i __a) {
  return (__m128)__a;
}

__SSE_FN __m128d _mm_castsi128_pd(__m128i __a) {
  return (__m128d)__a;
}

#define _mm_shuffle_pd(a, b, mask) \
  ((__m128d)__builtin_ia32_shufpd((__v2df)(__m128d)(a), (__v2df)(__m128d)(b), (int)(mask)))

#define _mm_shuffle_epi32(a, mask) ((__m128i)__builtin_ia32_pshufd((__v4si)(__m128i)(a), (int)(mask)))

#define _mm_shufflehi_epi16(a, mask) ((__m128i)__builtin_ia32_pshufhw((__v8hi)(__m128i)(a), (int)(mask)))

#define _mm_shufflelo_epi16(a, mask) ((__m128i)__builtin_ia32_pshuflw((__v8hi)(__m128i)(a), (int)(mask)))

__SSE_FN __m128d _mm_unpackhi_pd(__m128d __a, __m128d __b) {
  return (__m128d){ __a[1], __b[1] };
}

__SSE_FN __m128d _mm_unpacklo_pd(__m128d __a, __m128d __b) {
  return (__m128d){ __a[0], __b[0] };
}

__SSE_FN int _mm_movemask_pd(__m128d __a) {
  return __builtin_ia32_movmskpd((__v2df)__a);
}

__SSE_FN int _mm_movemask_epi8(__m128i __a) {
  return __builtin_ia32_pmovmskb128((__v16qi)__a);
}

__SSE_FN __m128i _mm_packs_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_packsswb128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_packs_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_packssdw128((__v4si)__a, (__v4si)__b);
}

__SSE_FN __m128i _mm_packus_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_packuswb128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_unpackhi_epi8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_punpckhbw128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_unpackhi_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_punpckhwd128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_unpackhi_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_punpckhdq128((__v4si)__a, (__v4si)__b);
}

__SSE_FN __m128i _mm_unpackhi_epi64(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_punpckhqdq128((__v2di)__a, (__v2di)__b);
}

__SSE_FN __m128i _mm_unpacklo_epi8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_punpcklbw128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_unpacklo_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_punpcklwd128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_unpacklo_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_punpckldq128((__v4si)__a, (__v4si)__b);
}

__SSE_FN __m128i _mm_unpacklo_epi64(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_punpcklqdq128((__v2di)__a, (__v2di)__b);
}

__SSE_FN __m128i _mm_adds_epi8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_paddsb128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_adds_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_paddsw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_adds_epu8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_paddusb128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_adds_epu16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_paddusw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_subs_epi8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psubsb128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_subs_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psubsw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_subs_epu8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psubusb128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_subs_epu16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psubusw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_madd_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmaddwd128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_mulhi_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmulhw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_mulhi_epu16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmulhuw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_mul_epu32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmuludq128((__v4si)__a, (__v4si)__b);
}

__SSE_FN __m128i _mm_max_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmaxsw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_max_epu8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pmaxub128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_min_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pminsw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_min_epu8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pminub128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_avg_epu8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pavgb128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_avg_epu16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pavgw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_sad_epu8(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psadbw128((__v16qi)__a, (__v16qi)__b);
}

__SSE_FN __m128i _mm_add_epi8(__m128i __a, __m128i __b) {
  return (__m128i)((__v16qu)__a + (__v16qu)__b);
}

__SSE_FN __m128i _mm_add_epi16(__m128i __a, __m128i __b) {
  return (__m128i)((__v8hu)__a + (__v8hu)__b);
}

__SSE_FN __m128i _mm_add_epi32(__m128i __a, __m128i __b) {
  return (__m128i)((__v4su)__a + (__v4su)__b);
}

__SSE_FN __m128i _mm_add_epi64(__m128i __a, __m128i __b) {
  return (__m128i)((__v2du)__a + (__v2du)__b);
}

__SSE_FN __m128i _mm_sub_epi8(__m128i __a, __m128i __b) {
  return (__m128i)((__v16qu)__a - (__v16qu)__b);
}

__SSE_FN __m128i _mm_sub_epi16(__m128i __a, __m128i __b) {
  return (__m128i)((__v8hu)__a - (__v8hu)__b);
}

__SSE_FN __m128i _mm_sub_epi32(__m128i __a, __m128i __b) {
  return (__m128i)((__v4su)__a - (__v4su)__b);
}

__SSE_FN __m128i _mm_sub_epi64(__m128i __a, __m128i __b) {
  return (__m128i)((__v2du)__a - (__v2du)__b);
}

__SSE_FN __m128i _mm_mullo_epi16(__m128i __a, __m128i __b) {
  return (__m128i)((__v8hu)__a * (__v8hu)__b);
}

__SSE_FN __m64 _mm_mul_su32(__m64 __a, __m64 __b) {
  return (__m64)(__v1du){ (unsigned long long)((__v2su)__a)[0] * ((__v2su)__b)[0] };
}

__SSE_FN __m128i _mm_sll_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psllw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_slli_epi16(__m128i __a, int __n) {
  return (__m128i)__builtin_ia32_psllwi128((__v8hi)__a, __n);
}

__SSE_FN __m128i _mm_sll_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pslld128((__v4si)__a, (__v4si)__b);
}

__SSE_FN __m128i _mm_slli_epi32(__m128i __a, int __n) {
  return (__m128i)__builtin_ia32_pslldi128((__v4si)__a, __n);
}

__SSE_FN __m128i _mm_sll_epi64(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psllq128((__v2di)__a, (__v2di)__b);
}

__SSE_FN __m128i _mm_slli_epi64(__m128i __a, int __n) {
  return (__m128i)__builtin_ia32_psllqi128((__v2di)__a, __n);
}

__SSE_FN __m128i _mm_srl_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psrlw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_srli_epi16(__m128i __a, int __n) {
  return (__m128i)__builtin_ia32_psrlwi128((__v8hi)__a, __n);
}

__SSE_FN __m128i _mm_srl_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psrld128((__v4si)__a, (__v4si)__b);
}

__SSE_FN __m128i _mm_srli_epi32(__m128i __a, int __n) {
  return (__m128i)__builtin_ia32_psrldi128((__v4si)__a, __n);
}

__SSE_FN __m128i _mm_srl_epi64(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psrlq128((__v2di)__a, (__v2di)__b);
}

__SSE_FN __m128i _mm_srli_epi64(__m128i __a, int __n) {
  return (__m128i)__builtin_ia32_psrlqi128((__v2di)__a, __n);
}

__SSE_FN __m128i _mm_sra_epi16(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psraw128((__v8hi)__a, (__v8hi)__b);
}

__SSE_FN __m128i _mm_srai_epi16(__m128i __a, int __n) {
  return (__m128i)__builtin_ia32_psrawi128((__v8hi)__a, __n);
}

__SSE_FN __m128i _mm_sra_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psrad128((__v4si)__a, (__v4si)__b);
}

__SSE_FN __m128i _mm_srai_epi32(__m128i __a, int __n) {
  return (__m128i)__builtin_ia32_psradi128((__v4si)__a, __n);
}

#define _mm_bslli_si128(a, n) ((__m128i)__builtin_ia32_pslldqi128((__v2di)(__m128i)(a), (int)(n) * 8))

#define _mm_bsrli_si128(a, n) ((__m128i)__builtin_ia32_psrldqi128((__v2di)(__m128i)(a), (int)(n) * 8))

#define _mm_slli_si128(a, n) _mm_bslli_si128(a, n)
#define _mm_srli_si128(a, n) _mm_bsrli_si128(a, n)

__SSE_FN __m128i _mm_and_si128(__m128i __a, __m128i __b) {
  return __a & __b;
}

__SSE_FN __m128i _mm_andnot_si128(__m128i __a, __m128i __b) {
  return ~__a & __b;
}

__SSE_FN __m128i _mm_or_si128(__m128i __a, __m128i __b) {
  return __a | __b;
}

__SSE_FN __m128i _mm_xor_si128(__m128i __a, __m128i __b) {
  return __a ^ __b;
}

__SSE_FN __m128i _mm_cmpeq_epi8(__m128i __a, __m128i __b) {
  return (__m128i)((__v16qs)__a == (__v16qs)__b);
}

__SSE_FN __m128i _mm_cmpeq_epi16(__m128i __a, __m128i __b) {
  return (__m128i)((__v8hi)__a == (__v8hi)__b);
}

__SSE_FN __m128i _mm_cmpeq_epi32(__m128i __a, __m128i __b) {
  return (__m128i)((__v4si)__a == (__v4si)__b);
}

__SSE_FN __m128i _mm_cmplt_epi8(__m128i __a, __m128i __b) {
  return (__m128i)((__v16qs)__a < (__v16qs)__b);
}

__SSE_FN __m128i _mm_cmplt_epi16(__m128i __a, __m128i __b) {
  return (__m128i)((__v8hi)__a < (__v8hi)__b);
}

__SSE_FN __m128i _mm_cmplt_epi32(__m128i __a, __m128i __b) {
  return (__m128i)((__v4si)__a < (__v4si)__b);
}

__SSE_FN __m128i _mm_cmpgt_epi8(__m128i __a, __m128i __b) {
  return (__m128i)((__v16qs)__a > (__v16qs)__b);
}

__SSE_FN __m128i _mm_cmpgt_epi16(__m128i __a, __m128i __b) {
  return (__m128i)((__v8hi)__a > (__v8hi)__b);
}

__SSE_FN __m128i _mm_cmpgt_epi32(__m128i __a, __m128i __b) {
  return (__m128i)((__v4si)__a > (__v4si)__b);
}

#define _mm_extract_epi16(a, n) ((int)(unsigned short)((__v8hi)(__m128i)(a))[(n) & 7])
#define _mm_insert_epi16(a, d, n)                                                                                            \
  __extension__({                                                                                                            \
    __v8hi __insert_r = (__v8hi)(__m128i)(a);                                                                                \
    __insert_r[(n) & 7] = (short)(d);                                                                                        \
    (__m128i)__insert_r;                                                                                                     \
  })

__SSE_FN void _mm_maskmoveu_si128(__m128i __a, __m128i __b, char *__p) {
  __asm__ __volatile__("maskmovdqu %1, %0" : : "x"(__a), "x"(__b), "D"(__p) : "memory");
}

__SSE_FN void _mm_stream_si32(int *__p, int __a) {
  __asm__ __volatile__("movnti %1, %0" : "=m"(*__p) : "r"(__a));
}

__SSE_FN void _mm_stream_si64(long long *__p, long long __a) {
  __asm__ __volatile__("movnti %1, %0" : "=m"(*__p) : "r"(__a));
}

__SSE_FN void _mm_stream_si128(__m128i *__p, __m128i __a) {
  __asm__ __volatile__("movntdq %1, %0" : "=m"(*__p) : "x"(__a));
}

__SSE_FN void _mm_stream_pd(double *__p, __m128d __a) {
  __asm__ __volatile__("movntpd %1, %0" : "=m"(*(__m128d *)__p) : "x"(__a));
}

__SSE_FN void _mm_clflush(void const *__p) {
  __asm__ __volatile__("clflush %0" : : "m"(*(char const *)__p) : "memory");
}

__SSE_FN void _mm_lfence(void) {
  __asm__ __volatile__("lfence" : : : "memory");
}

__SSE_FN void _mm_mfence(void) {
  __asm__ __volatile__("mfence" : : : "memory");
}

#define _mm_set_pd1 _mm_set1_pd
#define _mm_load_pd1 _mm_load1_pd
#define _mm_store_pd1 _mm_store1_pd
#define _mm_cvtsd_si64x _mm_cvtsd_si64
#define _mm_cvttsd_si64x _mm_cvttsd_si64
#define _mm_cvtsi64x_sd _mm_cvtsi64_sd
#define _mm_cvtsi128_si64x _mm_cvtsi128_si64
#define _mm_cvtsi64x_si128 _mm_cvtsi64_si128

#endif
