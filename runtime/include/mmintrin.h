/* MMX operations on 64-bit vectors.

   They are written on generic vectors: no MMX register is touched, so _mm_empty has nothing to do and floating point on the x87 unit
   is never disturbed. */
#ifndef _MMINTRIN_H_INCLUDED
#define _MMINTRIN_H_INCLUDED 1

typedef int __m64 __attribute__((__vector_size__(8), __may_alias__));
typedef int __m64_u __attribute__((__vector_size__(8), __may_alias__, __aligned__(1)));
typedef int __v2si __attribute__((__vector_size__(8)));
typedef unsigned int __v2su __attribute__((__vector_size__(8)));
typedef short __v4hi __attribute__((__vector_size__(8)));
typedef unsigned short __v4hu __attribute__((__vector_size__(8)));
typedef signed char __v8qi __attribute__((__vector_size__(8)));
typedef unsigned char __v8qu __attribute__((__vector_size__(8)));
typedef long long __v1di __attribute__((__vector_size__(8)));
typedef unsigned long long __v1du __attribute__((__vector_size__(8)));
typedef float __v2sf __attribute__((__vector_size__(8)));

#ifndef __SSE_FN
#define __SSE_FN static __inline __attribute__((__always_inline__, __artificial__))
#endif

__SSE_FN void _mm_empty(void) {
}

__SSE_FN __m64 _mm_cvtsi32_si64(int __i) {
  return (__m64){ __i, 0 };
}

__SSE_FN int _mm_cvtsi64_si32(__m64 __m) {
  return __m[0];
}

__SSE_FN __m64 _mm_cvtsi64_m64(long long __i) {
  return (__m64)(__v1di){ __i };
}

__SSE_FN long long _mm_cvtm64_si64(__m64 __m) {
  return ((__v1di)__m)[0];
}

__SSE_FN __m64 _mm_cvtsi64x_si64(long long __i) {
  return (__m64)(__v1di){ __i };
}

__SSE_FN long long _mm_cvtsi64_si64x(__m64 __m) {
  return ((__v1di)__m)[0];
}

/* The nearest value of a narrower type. */
#define __MM_CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))

__SSE_FN __m64 _mm_packs_pi16(__m64 __a, __m64 __b) {
  return (__m64)(__v8qi){ __MM_CLAMP(((__v4hi)__a)[0], -128, 127), __MM_CLAMP(((__v4hi)__a)[1], -128, 127), __MM_CLAMP(((__v4hi)__a)[2], -128, 127), __MM_CLAMP(((__v4hi)__a)[3], -128, 127),
                       __MM_CLAMP(((__v4hi)__b)[0], -128, 127), __MM_CLAMP(((__v4hi)__b)[1], -128, 127), __MM_CLAMP(((__v4hi)__b)[2], -128, 127), __MM_CLAMP(((__v4hi)__b)[3], -128, 127) };
}

__SSE_FN __m64 _mm_packs_pi32(__m64 __a, __m64 __b) {
  return (__m64)(__v4hi){ __MM_CLAMP(((__v2si)__a)[0], -32768, 32767), __MM_CLAMP(((__v2si)__a)[1], -32768, 32767),
                       __MM_CLAMP(((__v2si)__b)[0], -32768, 32767), __MM_CLAMP(((__v2si)__b)[1], -32768, 32767) };
}

__SSE_FN __m64 _mm_packs_pu16(__m64 __a, __m64 __b) {
  return (__m64)(__v8qu){ __MM_CLAMP(((__v4hi)__a)[0], 0, 255), __MM_CLAMP(((__v4hi)__a)[1], 0, 255), __MM_CLAMP(((__v4hi)__a)[2], 0, 255), __MM_CLAMP(((__v4hi)__a)[3], 0, 255),
                       __MM_CLAMP(((__v4hi)__b)[0], 0, 255), __MM_CLAMP(((__v4hi)__b)[1], 0, 255), __MM_CLAMP(((__v4hi)__b)[2], 0, 255), __MM_CLAMP(((__v4hi)__b)[3], 0, 255) };
}

__SSE_FN __m64 _mm_unpackhi_pi8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qi){ ((__v8qi)__a)[4], ((__v8qi)__b)[4], ((__v8qi)__a)[5], ((__v8qi)__b)[5], ((__v8qi)__a)[6], ((__v8qi)__b)[6], ((__v8qi)__a)[7], ((__v8qi)__b)[7] };
}

__SSE_FN __m64 _mm_unpackhi_pi16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hi){ ((__v4hi)__a)[2], ((__v4hi)__b)[2], ((__v4hi)__a)[3], ((__v4hi)__b)[3] };
}

__SSE_FN __m64 _mm_unpackhi_pi32(__m64 __a, __m64 __b) {
  return (__m64)(__v2si){ ((__v2si)__a)[1], ((__v2si)__b)[1] };
}

__SSE_FN __m64 _mm_unpacklo_pi8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qi){ ((__v8qi)__a)[0], ((__v8qi)__b)[0], ((__v8qi)__a)[1], ((__v8qi)__b)[1], ((__v8qi)__a)[2], ((__v8qi)__b)[2], ((__v8qi)__a)[3], ((__v8qi)__b)[3] };
}

__SSE_FN __m64 _mm_unpacklo_pi16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hi){ ((__v4hi)__a)[0], ((__v4hi)__b)[0], ((__v4hi)__a)[1], ((__v4hi)__b)[1] };
}

__SSE_FN __m64 _mm_unpacklo_pi32(__m64 __a, __m64 __b) {
  return (__m64)(__v2si){ ((__v2si)__a)[0], ((__v2si)__b)[0] };
}

__SSE_FN __m64 _mm_add_pi8(__m64 __a, __m64 __b) {
  return (__m64)((__v8qu)__a + (__v8qu)__b);
}

__SSE_FN __m64 _mm_add_pi16(__m64 __a, __m64 __b) {
  return (__m64)((__v4hu)__a + (__v4hu)__b);
}

__SSE_FN __m64 _mm_add_pi32(__m64 __a, __m64 __b) {
  return (__m64)((__v2su)__a + (__v2su)__b);
}

__SSE_FN __m64 _mm_add_si64(__m64 __a, __m64 __b) {
  return (__m64)((__v1du)__a + (__v1du)__b);
}

__SSE_FN __m64 _mm_adds_pi8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qi){ __MM_CLAMP(((__v8qi)__a)[0] + ((__v8qi)__b)[0], -128, 127), __MM_CLAMP(((__v8qi)__a)[1] + ((__v8qi)__b)[1], -128, 127), __MM_CLAMP(((__v8qi)__a)[2] + ((__v8qi)__b)[2], -128, 127), __MM_CLAMP(((__v8qi)__a)[3] + ((__v8qi)__b)[3], -128, 127), __MM_CLAMP(((__v8qi)__a)[4] + ((__v8qi)__b)[4], -128, 127), __MM_CLAMP(((__v8qi)__a)[5] + ((__v8qi)__b)[5], -128, 127), __MM_CLAMP(((__v8qi)__a)[6] + ((__v8qi)__b)[6], -128, 127), __MM_CLAMP(((__v8qi)__a)[7] + ((__v8qi)__b)[7], -128, 127) };
}

__SSE_FN __m64 _mm_adds_pi16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hi){ __MM_CLAMP(((__v4hi)__a)[0] + ((__v4hi)__b)[0], -32768, 32767), __MM_CLAMP(((__v4hi)__a)[1] + ((__v4hi)__b)[1], -32768, 32767), __MM_CLAMP(((__v4hi)__a)[2] + ((__v4hi)__b)[2], -32768, 32767), __MM_CLAMP(((__v4hi)__a)[3] + ((__v4hi)__b)[3], -32768, 32767) };
}

__SSE_FN __m64 _mm_adds_pu8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qu){ __MM_CLAMP(((__v8qu)__a)[0] + ((__v8qu)__b)[0], 0, 255), __MM_CLAMP(((__v8qu)__a)[1] + ((__v8qu)__b)[1], 0, 255), __MM_CLAMP(((__v8qu)__a)[2] + ((__v8qu)__b)[2], 0, 255), __MM_CLAMP(((__v8qu)__a)[3] + ((__v8qu)__b)[3], 0, 255), __MM_CLAMP(((__v8qu)__a)[4] + ((__v8qu)__b)[4], 0, 255), __MM_CLAMP(((__v8qu)__a)[5] + ((__v8qu)__b)[5], 0, 255), __MM_CLAMP(((__v8qu)__a)[6] + ((__v8qu)__b)[6], 0, 255), __MM_CLAMP(((__v8qu)__a)[7] + ((__v8qu)__b)[7], 0, 255) };
}

__SSE_FN __m64 _mm_adds_pu16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hu){ __MM_CLAMP(((__v4hu)__a)[0] + ((__v4hu)__b)[0], 0, 65535), __MM_CLAMP(((__v4hu)__a)[1] + ((__v4hu)__b)[1], 0, 65535), __MM_CLAMP(((__v4hu)__a)[2] + ((__v4hu)__b)[2], 0, 65535), __MM_CLAMP(((__v4hu)__a)[3] + ((__v4hu)__b)[3], 0, 65535) };
}

__SSE_FN __m64 _mm_sub_pi8(__m64 __a, __m64 __b) {
  return (__m64)((__v8qu)__a - (__v8qu)__b);
}

__SSE_FN __m64 _mm_sub_pi16(__m64 __a, __m64 __b) {
  return (__m64)((__v4hu)__a - (__v4hu)__b);
}

__SSE_FN __m64 _mm_sub_pi32(__m64 __a, __m64 __b) {
  return (__m64)((__v2su)__a - (__v2su)__b);
}

__SSE_FN __m64 _mm_sub_si64(__m64 __a, __m64 __b) {
  return (__m64)((__v1du)__a - (__v1du)__b);
}

__SSE_FN __m64 _mm_subs_pi8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qi){ __MM_CLAMP(((__v8qi)__a)[0] - ((__v8qi)__b)[0], -128, 127), __MM_CLAMP(((__v8qi)__a)[1] - ((__v8qi)__b)[1], -128, 127), __MM_CLAMP(((__v8qi)__a)[2] - ((__v8qi)__b)[2], -128, 127), __MM_CLAMP(((__v8qi)__a)[3] - ((__v8qi)__b)[3], -128, 127), __MM_CLAMP(((__v8qi)__a)[4] - ((__v8qi)__b)[4], -128, 127), __MM_CLAMP(((__v8qi)__a)[5] - ((__v8qi)__b)[5], -128, 127), __MM_CLAMP(((__v8qi)__a)[6] - ((__v8qi)__b)[6], -128, 127), __MM_CLAMP(((__v8qi)__a)[7] - ((__v8qi)__b)[7], -128, 127) };
}

__SSE_FN __m64 _mm_subs_pi16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hi){ __MM_CLAMP(((__v4hi)__a)[0] - ((__v4hi)__b)[0], -32768, 32767), __MM_CLAMP(((__v4hi)__a)[1] - ((__v4hi)__b)[1], -32768, 32767), __MM_CLAMP(((__v4hi)__a)[2] - ((__v4hi)__b)[2], -32768, 32767), __MM_CLAMP(((__v4hi)__a)[3] - ((__v4hi)__b)[3], -32768, 32767) };
}

__SSE_FN __m64 _mm_subs_pu8(__m64 __a, __m64 __b) {
  return (__m64)(__v8qu){ __MM_CLAMP(((__v8qu)__a)[0] - ((__v8qu)__b)[0], 0, 255), __MM_CLAMP(((__v8qu)__a)[1] - ((__v8qu)__b)[1], 0, 255), __MM_CLAMP(((__v8qu)__a)[2] - ((__v8qu)__b)[2], 0, 255), __MM_CLAMP(((__v8qu)__a)[3] - ((__v8qu)__b)[3], 0, 255), __MM_CLAMP(((__v8qu)__a)[4] - ((__v8qu)__b)[4], 0, 255), __MM_CLAMP(((__v8qu)__a)[5] - ((__v8qu)__b)[5], 0, 255), __MM_CLAMP(((__v8qu)__a)[6] - ((__v8qu)__b)[6], 0, 255), __MM_CLAMP(((__v8qu)__a)[7] - ((__v8qu)__b)[7], 0, 255) };
}

__SSE_FN __m64 _mm_subs_pu16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hu){ __MM_CLAMP(((__v4hu)__a)[0] - ((__v4hu)__b)[0], 0, 65535), __MM_CLAMP(((__v4hu)__a)[1] - ((__v4hu)__b)[1], 0, 65535), __MM_CLAMP(((__v4hu)__a)[2] - ((__v4hu)__b)[2], 0, 65535), __MM_CLAMP(((__v4hu)__a)[3] - ((__v4hu)__b)[3], 0, 65535) };
}

__SSE_FN __m64 _mm_madd_pi16(__m64 __a, __m64 __b) {
  return (__m64){ (int)((unsigned)(((__v4hi)__a)[0] * ((__v4hi)__b)[0]) + (unsigned)(((__v4hi)__a)[1] * ((__v4hi)__b)[1])),
                 (int)((unsigned)(((__v4hi)__a)[2] * ((__v4hi)__b)[2]) + (unsigned)(((__v4hi)__a)[3] * ((__v4hi)__b)[3])) };
}

__SSE_FN __m64 _mm_mulhi_pi16(__m64 __a, __m64 __b) {
  return (__m64)(__v4hi){ (((__v4hi)__a)[0] * ((__v4hi)__b)[0]) >> 16, (((__v4hi)__a)[1] * ((__v4hi)__b)[1]) >> 16, (((__v4hi)__a)[2] * ((__v4hi)__b)[2]) >> 16, (((__v4hi)__a)[3] * ((__v4hi)__b)[3]) >> 16 };
}

__SSE_FN __m64 _mm_mullo_pi16(__m64 __a, __m64 __b) {
  return (__m64)((__v4hu)__a * (__v4hu)__b);
}

__SSE_FN __m64 _mm_sll_pi16(__m64 __m, __m64 __c) {
  unsigned long long __n = ((__v1du)__c)[0];
  return __n >= 16 ? (__m64){ 0, 0 } : (__m64)((__v4hu)__m << (int)__n);
}

__SSE_FN __m64 _mm_slli_pi16(__m64 __m, int __n) {
  return (unsigned)__n >= 16 ? (__m64){ 0, 0 } : (__m64)((__v4hu)__m << __n);
}

__SSE_FN __m64 _mm_sll_pi32(__m64 __m, __m64 __c) {
  unsigned long long __n = ((__v1du)__c)[0];
  return __n >= 32 ? (__m64){ 0, 0 } : (__m64)((__v2su)__m << (int)__n);
}

__SSE_FN __m64 _mm_slli_pi32(__m64 __m, int __n) {
  return (unsigned)__n >= 32 ? (__m64){ 0, 0 } : (__m64)((__v2su)__m << __n);
}

__SSE_FN __m64 _mm_sll_si64(__m64 __m, __m64 __c) {
  unsigned long long __n = ((__v1du)__c)[0];
  return __n >= 64 ? (__m64){ 0, 0 } : (__m64)((__v1du)__m << (int)__n);
}

__SSE_FN __m64 _mm_slli_si64(__m64 __m, int __n) {
  return (unsigned)__n >= 64 ? (__m64){ 0, 0 } : (__m64)((__v1du)__m << __n);
}

__SSE_FN __m64 _mm_srl_pi16(__m64 __m, __m64 __c) {
  unsigned long long __n = ((__v1du)__c)[0];
  return __n >= 16 ? (__m64){ 0, 0 } : (__m64)((__v4hu)__m >> (int)__n);
}

__SSE_FN __m64 _mm_srli_pi16(__m64 __m, int __n) {
  return (unsigned)__n >= 16 ? (__m64){ 0, 0 } : (__m64)((__v4hu)__m >> __n);
}

__SSE_FN __m64 _mm_srl_pi32(__m64 __m, __m64 __c) {
  unsigned long long __n = ((__v1du)__c)[0];
  return __n >= 32 ? (__m64){ 0, 0 } : (__m64)((__v2su)__m >> (int)__n);
}

__SSE_FN __m64 _mm_srli_pi32(__m64 __m, int __n) {
  return (unsigned)__n >= 32 ? (__m64){ 0, 0 } : (__m64)((__v2su)__m >> __n);
}

__SSE_FN __m64 _mm_srl_si64(__m64 __m, __m64 __c) {
  unsigned long long __n = ((__v1du)__c)[0];
  return __n >= 64 ? (__m64){ 0, 0 } : (__m64)((__v1du)__m >> (int)__n);
}

__SSE_FN __m64 _mm_srli_si64(__m64 __m, int __n) {
  return (unsigned)__n >= 64 ? (__m64){ 0, 0 } : (__m64)((__v1du)__m >> __n);
}

__SSE_FN __m64 _mm_sra_pi16(__m64 __m, __m64 __c) {
  unsigned long long __n = ((__v1du)__c)[0];
  return (__m64)((__v4hi)__m >> (__n >= 16 ? 15 : (int)__n));
}

__SSE_FN __m64 _mm_srai_pi16(__m64 __m, int __n) {
  return (__m64)((__v4hi)__m >> ((unsigned)__n >= 16 ? 15 : __n));
}

__SSE_FN __m64 _mm_sra_pi32(__m64 __m, __m64 __c) {
  unsigned long long __n = ((__v1du)__c)[0];
  return (__m64)((__v2si)__m >> (__n >= 32 ? 31 : (int)__n));
}

__SSE_FN __m64 _mm_srai_pi32(__m64 __m, int __n) {
  return (__m64)((__v2si)__m >> ((unsigned)__n >= 32 ? 31 : __n));
}

__SSE_FN __m64 _mm_and_si64(__m64 __a, __m64 __b) {
  return __a & __b;
}

__SSE_FN __m64 _mm_andnot_si64(__m64 __a, __m64 __b) {
  return ~__a & __b;
}

__SSE_FN __m64 _mm_or_si64(__m64 __a, __m64 __b) {
  return __a | __b;
}

__SSE_FN __m64 _mm_xor_si64(__m64 __a, __m64 __b) {
  return __a ^ __b;
}

__SSE_FN __m64 _mm_cmpeq_pi8(__m64 __a, __m64 __b) {
  return (__m64)((__v8qi)__a == (__v8qi)__b);
}

__SSE_FN __m64 _mm_cmpeq_pi16(__m64 __a, __m64 __b) {
  return (__m64)((__v4hi)__a == (__v4hi)__b);
}

__SSE_FN __m64 _mm_cmpeq_pi32(__m64 __a, __m64 __b) {
  return (__m64)((__v2si)__a == (__v2si)__b);
}

__SSE_FN __m64 _mm_cmpgt_pi8(__m64 __a, __m64 __b) {
  return (__m64)((__v8qi)__a > (__v8qi)__b);
}

__SSE_FN __m64 _mm_cmpgt_pi16(__m64 __a, __m64 __b) {
  return (__m64)((__v4hi)__a > (__v4hi)__b);
}

__SSE_FN __m64 _mm_cmpgt_pi32(__m64 __a, __m64 __b) {
  return (__m64)((__v2si)__a > (__v2si)__b);
}

__SSE_FN __m64 _mm_setzero_si64(void) {
  return (__m64){ 0, 0 };
}

__SSE_FN __m64 _mm_set_pi32(int __e1, int __e0) {
  return (__m64)(__v2si){ __e0, __e1 };
}

__SSE_FN __m64 _mm_setr_pi32(int __e0, int __e1) {
  return (__m64)(__v2si){ __e0, __e1 };
}

__SSE_FN __m64 _mm_set1_pi32(int __e) {
  return (__m64)(__v2si){ __e, __e };
}

__SSE_FN __m64 _mm_set_pi16(short __e3, short __e2, short __e1, short __e0) {
  return (__m64)(__v4hi){ __e0, __e1, __e2, __e3 };
}

__SSE_FN __m64 _mm_setr_pi16(short __e0, short __e1, short __e2, short __e3) {
  return (__m64)(__v4hi){ __e0, __e1, __e2, __e3 };
}

__SSE_FN __m64 _mm_set1_pi16(short __e) {
  return (__m64)(__v4hi){ __e, __e, __e, __e };
}

__SSE_FN __m64 _mm_set_pi8(char __e7, char __e6, char __e5, char __e4, char __e3, char __e2, char __e1, char __e0) {
  return (__m64)(__v8qi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7 };
}

__SSE_FN __m64 _mm_setr_pi8(char __e0, char __e1, char __e2, char __e3, char __e4, char __e5, char __e6, char __e7) {
  return (__m64)(__v8qi){ __e0, __e1, __e2, __e3, __e4, __e5, __e6, __e7 };
}

__SSE_FN __m64 _mm_set1_pi8(char __e) {
  return (__m64)(__v8qi){ __e, __e, __e, __e, __e, __e, __e, __e };
}

#define _mm_set_pi64x _mm_cvtsi64_m64

/* The older names. */
#define _m_empty _mm_empty
#define _m_from_int _mm_cvtsi32_si64
#define _m_to_int _mm_cvtsi64_si32
#define _m_from_int64 _mm_cvtsi64_m64
#define _m_to_int64 _mm_cvtm64_si64
#define _m_packsswb _mm_packs_pi16
#define _m_packssdw _mm_packs_pi32
#define _m_packuswb _mm_packs_pu16
#define _m_punpckhbw _mm_unpackhi_pi8
#define _m_punpckhwd _mm_unpackhi_pi16
#define _m_punpckhdq _mm_unpackhi_pi32
#define _m_punpcklbw _mm_unpacklo_pi8
#define _m_punpcklwd _mm_unpacklo_pi16
#define _m_punpckldq _mm_unpacklo_pi32
#define _m_paddb _mm_add_pi8
#define _m_paddw _mm_add_pi16
#define _m_paddd _mm_add_pi32
#define _m_paddsb _mm_adds_pi8
#define _m_paddsw _mm_adds_pi16
#define _m_paddusb _mm_adds_pu8
#define _m_paddusw _mm_adds_pu16
#define _m_psubb _mm_sub_pi8
#define _m_psubw _mm_sub_pi16
#define _m_psubd _mm_sub_pi32
#define _m_psubsb _mm_subs_pi8
#define _m_psubsw _mm_subs_pi16
#define _m_psubusb _mm_subs_pu8
#define _m_psubusw _mm_subs_pu16
#define _m_pmaddwd _mm_madd_pi16
#define _m_pmulhw _mm_mulhi_pi16
#define _m_pmullw _mm_mullo_pi16
#define _m_psllw _mm_sll_pi16
#define _m_psllwi _mm_slli_pi16
#define _m_pslld _mm_sll_pi32
#define _m_pslldi _mm_slli_pi32
#define _m_psllq _mm_sll_si64
#define _m_psllqi _mm_slli_si64
#define _m_psraw _mm_sra_pi16
#define _m_psrawi _mm_srai_pi16
#define _m_psrad _mm_sra_pi32
#define _m_psradi _mm_srai_pi32
#define _m_psrlw _mm_srl_pi16
#define _m_psrlwi _mm_srli_pi16
#define _m_psrld _mm_srl_pi32
#define _m_psrldi _mm_srli_pi32
#define _m_psrlq _mm_srl_si64
#define _m_psrlqi _mm_srli_si64
#define _m_pand _mm_and_si64
#define _m_pandn _mm_andnot_si64
#define _m_por _mm_or_si64
#define _m_pxor _mm_xor_si64
#define _m_pcmpeqb _mm_cmpeq_pi8
#define _m_pcmpgtb _mm_cmpgt_pi8
#define _m_pcmpeqw _mm_cmpeq_pi16
#define _m_pcmpgtw _mm_cmpgt_pi16
#define _m_pcmpeqd _mm_cmpeq_pi32
#define _m_pcmpgtd _mm_cmpgt_pi32

#endif
