/* The 512-bit intrinsics that programs use most, masks, and what AVX512VL, AVX-VNNI and VPCLMULQDQ add to narrower vectors. No
   instruction of these sets is generated: a vector of 64 bytes is two of 32, and a mask a number. Programs ask the processor before they
   call such a function, and get the same results.

   _mm512_NAME: all lanes; _mm512_mask_NAME: lanes whose bit is 0 come from the first argument; _mm512_maskz_NAME: they are 0. */
#ifndef _AVX512INTRIN_H_INCLUDED
#define _AVX512INTRIN_H_INCLUDED 1

#include <avx2intrin.h>
#include <fmaintrin.h>
#include <wmmintrin.h>

#define __AVX512_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("avx2")))
#define __FMA512_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("avx2,fma")))
#define __VPCLMUL_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("avx,pclmul")))

typedef float __m512 __attribute__((__vector_size__(64), __may_alias__));
typedef double __m512d __attribute__((__vector_size__(64), __may_alias__));
typedef long long __m512i __attribute__((__vector_size__(64), __may_alias__));
typedef float __m512_u __attribute__((__vector_size__(64), __may_alias__, __aligned__(1)));
typedef double __m512d_u __attribute__((__vector_size__(64), __may_alias__, __aligned__(1)));
typedef long long __m512i_u __attribute__((__vector_size__(64), __may_alias__, __aligned__(1)));
typedef signed char __v64qs __attribute__((__vector_size__(64)));
typedef unsigned char __v64qu __attribute__((__vector_size__(64)));
typedef char __v64qi __attribute__((__vector_size__(64)));
typedef short __v32hi __attribute__((__vector_size__(64)));
typedef unsigned short __v32hu __attribute__((__vector_size__(64)));
typedef int __v16si __attribute__((__vector_size__(64)));
typedef unsigned int __v16su __attribute__((__vector_size__(64)));
typedef long long __v8di __attribute__((__vector_size__(64)));
typedef unsigned long long __v8du __attribute__((__vector_size__(64)));
typedef float __v16sf __attribute__((__vector_size__(64)));
typedef double __v8df __attribute__((__vector_size__(64)));

typedef unsigned char __mmask8;
typedef unsigned short __mmask16;
typedef unsigned int __mmask32;
typedef unsigned long long __mmask64;

typedef enum {
  _MM_CMPINT_EQ,
  _MM_CMPINT_LT,
  _MM_CMPINT_LE,
  _MM_CMPINT_UNUSED,
  _MM_CMPINT_NE,
  _MM_CMPINT_NLT,
  _MM_CMPINT_GE = _MM_CMPINT_NLT,
  _MM_CMPINT_NLE,
  _MM_CMPINT_GT = _MM_CMPINT_NLE
} _MM_CMPINT_ENUM;

/* Halves and quarters. */
#define __HALF_I(__v, __n) (((__m256i *)&(__v))[__n])
#define __HALF_S(__v, __n) (((__m256 *)&(__v))[__n])
#define __HALF_D(__v, __n) (((__m256d *)&(__v))[__n])
#define __QUARTER_I(__v, __n) (((__m128i *)&(__v))[__n])

/* An operation of AVX2 on both halves. HALF is __HALF_I, __HALF_S or __HALF_D. */
#define __BOTH_1(NAME, OP, T, HALF)                                                                                          \
  __AVX512_FN T NAME(T __a) {                                                                                                \
    T __r;                                                                                                                   \
    HALF(__r, 0) = OP(HALF(__a, 0));                                                                                         \
    HALF(__r, 1) = OP(HALF(__a, 1));                                                                                         \
    return __r;                                                                                                              \
  }
#define __BOTH_2(NAME, OP, T, HALF)                                                                                          \
  __AVX512_FN T NAME(T __a, T __b) {                                                                                         \
    T __r;                                                                                                                   \
    HALF(__r, 0) = OP(HALF(__a, 0), HALF(__b, 0));                                                                           \
    HALF(__r, 1) = OP(HALF(__a, 1), HALF(__b, 1));                                                                           \
    return __r;                                                                                                              \
  }
#define __BOTH_COUNT(NAME, OP)                                                                                               \
  __AVX512_FN __m512i NAME(__m512i __a, unsigned int __imm) {                                                                \
    __m512i __r;                                                                                                             \
    __HALF_I(__r, 0) = OP(__HALF_I(__a, 0), (int)__imm);                                                                     \
    __HALF_I(__r, 1) = OP(__HALF_I(__a, 1), (int)__imm);                                                                     \
    return __r;                                                                                                              \
  }
#define __BOTH_SHIFT(NAME, OP)                                                                                               \
  __AVX512_FN __m512i NAME(__m512i __a, __m128i __n) {                                                                       \
    __m512i __r;                                                                                                             \
    __HALF_I(__r, 0) = OP(__HALF_I(__a, 0), __n);                                                                            \
    __HALF_I(__r, 1) = OP(__HALF_I(__a, 1), __n);                                                                            \
    return __r;                                                                                                              \
  }

/* Masks as vectors: all bits of a lane are the mask's bit. */
__AVX512_FN __m256i __mask_vector_256_8(__mmask32 __k) {
  const __m256i __bytes = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i __bits = _mm256_set1_epi64x((long long)0x8040201008040201);
  __m256i __v = _mm256_shuffle_epi8(_mm256_set1_epi32((int)__k), __bytes);
  return _mm256_cmpeq_epi8(_mm256_and_si256(__v, __bits), __bits);
}

__AVX512_FN __m256i __mask_vector_256_16(__mmask16 __k) {
  const __m256i __bits = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768);
  return _mm256_cmpeq_epi16(_mm256_and_si256(_mm256_set1_epi16((short)__k), __bits), __bits);
}

__AVX512_FN __m256i __mask_vector_256_32(__mmask8 __k) {
  const __m256i __bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(__k), __bits), __bits);
}

__AVX512_FN __m256i __mask_vector_256_64(__mmask8 __k) {
  const __m256i __bits = _mm256_setr_epi64x(1, 2, 4, 8);
  return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(__k), __bits), __bits);
}

#define __MASK_VECTOR_512(BITS, K, SHIFT)                                                                                    \
  __AVX512_FN __m512i __mask_vector_512_##BITS(K __k) {                                                                      \
    __m512i __r;                                                                                                             \
    __HALF_I(__r, 0) = __mask_vector_256_##BITS(__k);                                                                        \
    __HALF_I(__r, 1) = __mask_vector_256_##BITS(__k >> SHIFT);                                                               \
    return __r;                                                                                                              \
  }                                                                                                                          \
  __AVX512_FN __m128i __mask_vector_128_##BITS(K __k) {                                                                      \
    return _mm256_castsi256_si128(__mask_vector_256_##BITS(__k));                                                            \
  }
__MASK_VECTOR_512(8, __mmask64, 32)
__MASK_VECTOR_512(16, __mmask32, 16)
__MASK_VECTOR_512(32, __mmask16, 8)
__MASK_VECTOR_512(64, __mmask8, 4)

/* The mask of lanes whose sign bit is set. */
__AVX512_FN unsigned int __mask_of_256_8(__m256i __v) { return (unsigned int)_mm256_movemask_epi8(__v); }
__AVX512_FN unsigned int __mask_of_256_16(__m256i __v) {
  return (unsigned int)_mm_movemask_epi8(_mm_packs_epi16(_mm256_castsi256_si128(__v), _mm256_extracti128_si256(__v, 1)));
}
__AVX512_FN unsigned int __mask_of_256_32(__m256i __v) { return (unsigned int)_mm256_movemask_ps(_mm256_castsi256_ps(__v)); }
__AVX512_FN unsigned int __mask_of_256_64(__m256i __v) { return (unsigned int)_mm256_movemask_pd(_mm256_castsi256_pd(__v)); }
#define __MASK_OF_512(BITS, K, SHIFT)                                                                                        \
  __AVX512_FN K __mask_of_512_##BITS(__m512i __v) {                                                                          \
    return (K)(__mask_of_256_##BITS(__HALF_I(__v, 0)) | (K)__mask_of_256_##BITS(__HALF_I(__v, 1)) << SHIFT);                 \
  }
__MASK_OF_512(8, __mmask64, 32)
__MASK_OF_512(16, __mmask32, 16)
__MASK_OF_512(32, __mmask16, 8)
__MASK_OF_512(64, __mmask8, 4)

/* `yes` where the mask's bit is set. */
#define __CHOOSE(MASK, YES, NO) (((YES) & (MASK)) | ((NO) & ~(MASK)))

/* The masked forms of an operation, in the width W (nothing, 256 or 512) with the vector type I of integers: for `_epi` names as they
   are, for others through T. */
#define __MASKED_1(W, N, BITS, K, T, I, NAME)                                                                                \
  __AVX512_FN T _mm##W##_mask_##NAME(T __s, K __k, T __a) {                                                                  \
    I __m = __mask_vector_##N##_##BITS(__k);                                                                                 \
    return (T)__CHOOSE(__m, (I)_mm##W##_##NAME(__a), (I)__s);                                                                \
  }                                                                                                                          \
  __AVX512_FN T _mm##W##_maskz_##NAME(K __k, T __a) {                                                                        \
    return (T)((I)_mm##W##_##NAME(__a) & __mask_vector_##N##_##BITS(__k));                                                   \
  }
#define __MASKED_2(W, N, BITS, K, T, I, NAME)                                                                                \
  __AVX512_FN T _mm##W##_mask_##NAME(T __s, K __k, T __a, T __b) {                                                           \
    I __m = __mask_vector_##N##_##BITS(__k);                                                                                 \
    return (T)__CHOOSE(__m, (I)_mm##W##_##NAME(__a, __b), (I)__s);                                                           \
  }                                                                                                                          \
  __AVX512_FN T _mm##W##_maskz_##NAME(K __k, T __a, T __b) {                                                                 \
    return (T)((I)_mm##W##_##NAME(__a, __b) & __mask_vector_##N##_##BITS(__k));                                              \
  }
#define __MASKED_COUNT(W, N, BITS, K, I, COUNT, NAME)                                                                        \
  __AVX512_FN I _mm##W##_mask_##NAME(I __s, K __k, I __a, COUNT __imm) {                                                     \
    I __m = __mask_vector_##N##_##BITS(__k);                                                                                 \
    return __CHOOSE(__m, _mm##W##_##NAME(__a, __imm), __s);                                                                  \
  }                                                                                                                          \
  __AVX512_FN I _mm##W##_maskz_##NAME(K __k, I __a, COUNT __imm) {                                                           \
    return _mm##W##_##NAME(__a, __imm) & __mask_vector_##N##_##BITS(__k);                                                    \
  }

#define __MASKED_ALL_2(BITS, K512, K256, K128, NAME)                                                                         \
  __MASKED_2(512, 512, BITS, K512, __m512i, __m512i, NAME)                                                                   \
  __MASKED_2(256, 256, BITS, K256, __m256i, __m256i, NAME)                                                                   \
  __MASKED_2(, 128, BITS, K128, __m128i, __m128i, NAME)
#define __MASKED_ALL_1(BITS, K512, K256, K128, NAME)                                                                         \
  __MASKED_1(512, 512, BITS, K512, __m512i, __m512i, NAME)                                                                   \
  __MASKED_1(256, 256, BITS, K256, __m256i, __m256i, NAME)                                                                   \
  __MASKED_1(, 128, BITS, K128, __m128i, __m128i, NAME)

/* Integer operations that AVX2 has, at 512 bits and masked at all widths. */
#define __BYTES_2(NAME) __BOTH_2(_mm512_##NAME, _mm256_##NAME, __m512i, __HALF_I) __MASKED_ALL_2(8, __mmask64, __mmask32, __mmask16, NAME)
#define __WORDS_2(NAME) __BOTH_2(_mm512_##NAME, _mm256_##NAME, __m512i, __HALF_I) __MASKED_ALL_2(16, __mmask32, __mmask16, __mmask8, NAME)
#define __INTS_2(NAME) __BOTH_2(_mm512_##NAME, _mm256_##NAME, __m512i, __HALF_I) __MASKED_ALL_2(32, __mmask16, __mmask8, __mmask8, NAME)
#define __LONGS_2(NAME) __BOTH_2(_mm512_##NAME, _mm256_##NAME, __m512i, __HALF_I) __MASKED_ALL_2(64, __mmask8, __mmask8, __mmask8, NAME)

__BYTES_2(add_epi8) __BYTES_2(sub_epi8) __BYTES_2(adds_epi8) __BYTES_2(adds_epu8) __BYTES_2(subs_epi8) __BYTES_2(subs_epu8)
__BYTES_2(min_epi8) __BYTES_2(max_epi8) __BYTES_2(min_epu8) __BYTES_2(max_epu8) __BYTES_2(avg_epu8) __BYTES_2(shuffle_epi8)
__BYTES_2(unpacklo_epi8) __BYTES_2(unpackhi_epi8) __BYTES_2(packs_epi16) __BYTES_2(packus_epi16)
__WORDS_2(add_epi16) __WORDS_2(sub_epi16) __WORDS_2(adds_epi16) __WORDS_2(adds_epu16) __WORDS_2(subs_epi16) __WORDS_2(subs_epu16)
__WORDS_2(min_epi16) __WORDS_2(max_epi16) __WORDS_2(min_epu16) __WORDS_2(max_epu16) __WORDS_2(avg_epu16) __WORDS_2(mullo_epi16)
__WORDS_2(mulhi_epi16) __WORDS_2(mulhi_epu16) __WORDS_2(mulhrs_epi16) __WORDS_2(maddubs_epi16) __WORDS_2(unpacklo_epi16)
__WORDS_2(unpackhi_epi16) __WORDS_2(packs_epi32) __WORDS_2(packus_epi32)
__INTS_2(add_epi32) __INTS_2(sub_epi32) __INTS_2(mullo_epi32) __INTS_2(min_epi32) __INTS_2(max_epi32) __INTS_2(min_epu32)
__INTS_2(max_epu32) __INTS_2(madd_epi16) __INTS_2(unpacklo_epi32) __INTS_2(unpackhi_epi32) __INTS_2(sllv_epi32) __INTS_2(srlv_epi32)
__INTS_2(srav_epi32)
__LONGS_2(add_epi64) __LONGS_2(sub_epi64) __LONGS_2(mul_epi32) __LONGS_2(mul_epu32) __LONGS_2(unpacklo_epi64)
__LONGS_2(unpackhi_epi64) __LONGS_2(sllv_epi64) __LONGS_2(srlv_epi64)

__BOTH_2(_mm512_sad_epu8, _mm256_sad_epu8, __m512i, __HALF_I)
__BOTH_1(_mm512_abs_epi8, _mm256_abs_epi8, __m512i, __HALF_I)
__BOTH_1(_mm512_abs_epi16, _mm256_abs_epi16, __m512i, __HALF_I)
__BOTH_1(_mm512_abs_epi32, _mm256_abs_epi32, __m512i, __HALF_I)
__MASKED_ALL_1(8, __mmask64, __mmask32, __mmask16, abs_epi8)
__MASKED_ALL_1(16, __mmask32, __mmask16, __mmask8, abs_epi16)
__MASKED_ALL_1(32, __mmask16, __mmask8, __mmask8, abs_epi32)

/* What has one name for all lanes, and masked ones for 32 and 64 bits. */
#define __LOGIC(NAME, EXPRESSION)                                                                                            \
  __AVX512_FN __m512i _mm512_##NAME##_si512(__m512i __a, __m512i __b) { return EXPRESSION; }                                 \
  __AVX512_FN __m512i _mm512_##NAME##_epi32(__m512i __a, __m512i __b) { return EXPRESSION; }                                 \
  __AVX512_FN __m512i _mm512_##NAME##_epi64(__m512i __a, __m512i __b) { return EXPRESSION; }                                 \
  __AVX512_FN __m256i _mm256_##NAME##_epi32(__m256i __a, __m256i __b) { return EXPRESSION; }                                 \
  __AVX512_FN __m256i _mm256_##NAME##_epi64(__m256i __a, __m256i __b) { return EXPRESSION; }                                 \
  __AVX512_FN __m128i _mm_##NAME##_epi32(__m128i __a, __m128i __b) { return EXPRESSION; }                                    \
  __AVX512_FN __m128i _mm_##NAME##_epi64(__m128i __a, __m128i __b) { return EXPRESSION; }                                    \
  __MASKED_ALL_2(32, __mmask16, __mmask8, __mmask8, NAME##_epi32)                                                            \
  __MASKED_ALL_2(64, __mmask8, __mmask8, __mmask8, NAME##_epi64)
__LOGIC(and, __a & __b)
__LOGIC(or, __a | __b)
__LOGIC(xor, __a ^ __b)
__LOGIC(andnot, ~__a & __b)

/* 64-bit minima, maxima, products and arithmetic shifts, which AVX2 lacks. */
#define __LONGS_LACKING(W, I, S, U)                                                                                          \
  __AVX512_FN I _mm##W##_max_epi64(I __a, I __b) { I __m = (I)((S)__a > (S)__b); return __CHOOSE(__m, __a, __b); }           \
  __AVX512_FN I _mm##W##_min_epi64(I __a, I __b) { I __m = (I)((S)__a < (S)__b); return __CHOOSE(__m, __a, __b); }           \
  __AVX512_FN I _mm##W##_max_epu64(I __a, I __b) { I __m = (I)((U)__a > (U)__b); return __CHOOSE(__m, __a, __b); }           \
  __AVX512_FN I _mm##W##_min_epu64(I __a, I __b) { I __m = (I)((U)__a < (U)__b); return __CHOOSE(__m, __a, __b); }           \
  __AVX512_FN I _mm##W##_abs_epi64(I __a) { I __m = (I)((S)__a < 0); return (I)((U)(__a ^ __m) - (U)__m); }                  \
  __AVX512_FN I _mm##W##_mullo_epi64(I __a, I __b) { return (I)((U)__a * (U)__b); }                                          \
  __AVX512_FN I _mm##W##_srai_epi64(I __a, unsigned int __imm) { return (I)((S)__a >> (long long)(__imm > 63 ? 63 : __imm)); }
typedef unsigned long long __tcc_v2du __attribute__((__vector_size__(16)));
typedef unsigned long long __tcc_v4du __attribute__((__vector_size__(32)));
__LONGS_LACKING(512, __m512i, __v8di, __v8du)
__LONGS_LACKING(256, __m256i, __v4di, __tcc_v4du)
__LONGS_LACKING(, __m128i, __v2di, __tcc_v2du)
__MASKED_ALL_2(64, __mmask8, __mmask8, __mmask8, max_epi64)
__MASKED_ALL_2(64, __mmask8, __mmask8, __mmask8, min_epi64)
__MASKED_ALL_2(64, __mmask8, __mmask8, __mmask8, max_epu64)
__MASKED_ALL_2(64, __mmask8, __mmask8, __mmask8, min_epu64)
__MASKED_ALL_2(64, __mmask8, __mmask8, __mmask8, mullo_epi64)
__MASKED_ALL_1(64, __mmask8, __mmask8, __mmask8, abs_epi64)

/* Shifts by one amount, rotations. */
__BOTH_COUNT(_mm512_slli_epi16, _mm256_slli_epi16)
__BOTH_COUNT(_mm512_slli_epi32, _mm256_slli_epi32)
__BOTH_COUNT(_mm512_slli_epi64, _mm256_slli_epi64)
__BOTH_COUNT(_mm512_srli_epi16, _mm256_srli_epi16)
__BOTH_COUNT(_mm512_srli_epi32, _mm256_srli_epi32)
__BOTH_COUNT(_mm512_srli_epi64, _mm256_srli_epi64)
__BOTH_COUNT(_mm512_srai_epi16, _mm256_srai_epi16)
__BOTH_COUNT(_mm512_srai_epi32, _mm256_srai_epi32)
__BOTH_SHIFT(_mm512_sll_epi16, _mm256_sll_epi16)
__BOTH_SHIFT(_mm512_sll_epi32, _mm256_sll_epi32)
__BOTH_SHIFT(_mm512_sll_epi64, _mm256_sll_epi64)
__BOTH_SHIFT(_mm512_srl_epi16, _mm256_srl_epi16)
__BOTH_SHIFT(_mm512_srl_epi32, _mm256_srl_epi32)
__BOTH_SHIFT(_mm512_srl_epi64, _mm256_srl_epi64)
__BOTH_SHIFT(_mm512_sra_epi16, _mm256_sra_epi16)
__BOTH_SHIFT(_mm512_sra_epi32, _mm256_sra_epi32)

#define __ROTATIONS(W, I)                                                                                                    \
  __AVX512_FN I _mm##W##_rol_epi32(I __a, int __imm) {                                                                       \
    return _mm##W##_slli_epi32(__a, __imm & 31) | _mm##W##_srli_epi32(__a, 32 - (__imm & 31));                               \
  }                                                                                                                          \
  __AVX512_FN I _mm##W##_ror_epi32(I __a, int __imm) { return _mm##W##_rol_epi32(__a, -__imm & 31); }                        \
  __AVX512_FN I _mm##W##_rol_epi64(I __a, int __imm) {                                                                       \
    return _mm##W##_slli_epi64(__a, __imm & 63) | _mm##W##_srli_epi64(__a, 64 - (__imm & 63));                               \
  }                                                                                                                          \
  __AVX512_FN I _mm##W##_ror_epi64(I __a, int __imm) { return _mm##W##_rol_epi64(__a, -__imm & 63); }
__ROTATIONS(512, __m512i)
__ROTATIONS(256, __m256i)
__ROTATIONS(, __m128i)

#define __MASKED_COUNTS(NAME, BITS, K512, K256, K128)                                                                        \
  __MASKED_COUNT(512, 512, BITS, K512, __m512i, unsigned int, NAME)                                                          \
  __MASKED_COUNT(256, 256, BITS, K256, __m256i, unsigned int, NAME)                                                          \
  __MASKED_COUNT(, 128, BITS, K128, __m128i, unsigned int, NAME)
__MASKED_COUNTS(slli_epi16, 16, __mmask32, __mmask16, __mmask8)
__MASKED_COUNTS(srli_epi16, 16, __mmask32, __mmask16, __mmask8)
__MASKED_COUNTS(srai_epi16, 16, __mmask32, __mmask16, __mmask8)
__MASKED_COUNTS(slli_epi32, 32, __mmask16, __mmask8, __mmask8)
__MASKED_COUNTS(srli_epi32, 32, __mmask16, __mmask8, __mmask8)
__MASKED_COUNTS(srai_epi32, 32, __mmask16, __mmask8, __mmask8)
__MASKED_COUNTS(slli_epi64, 64, __mmask8, __mmask8, __mmask8)
__MASKED_COUNTS(srli_epi64, 64, __mmask8, __mmask8, __mmask8)
__MASKED_COUNTS(srai_epi64, 64, __mmask8, __mmask8, __mmask8)

/* Floating point. */
#define __FLOATS_2(NAME)                                                                                                     \
  __BOTH_2(_mm512_##NAME##_ps, _mm256_##NAME##_ps, __m512, __HALF_S)                                                         \
  __BOTH_2(_mm512_##NAME##_pd, _mm256_##NAME##_pd, __m512d, __HALF_D)                                                        \
  __MASKED_2(512, 512, 32, __mmask16, __m512, __m512i, NAME##_ps)                                                            \
  __MASKED_2(256, 256, 32, __mmask8, __m256, __m256i, NAME##_ps)                                                             \
  __MASKED_2(, 128, 32, __mmask8, __m128, __m128i, NAME##_ps)                                                                \
  __MASKED_2(512, 512, 64, __mmask8, __m512d, __m512i, NAME##_pd)                                                            \
  __MASKED_2(256, 256, 64, __mmask8, __m256d, __m256i, NAME##_pd)                                                            \
  __MASKED_2(, 128, 64, __mmask8, __m128d, __m128i, NAME##_pd)
__FLOATS_2(add) __FLOATS_2(sub) __FLOATS_2(mul) __FLOATS_2(div) __FLOATS_2(min) __FLOATS_2(max) __FLOATS_2(and) __FLOATS_2(or)
__FLOATS_2(xor) __FLOATS_2(andnot) __FLOATS_2(unpacklo) __FLOATS_2(unpackhi)
__BOTH_1(_mm512_sqrt_ps, _mm256_sqrt_ps, __m512, __HALF_S)
__BOTH_1(_mm512_sqrt_pd, _mm256_sqrt_pd, __m512d, __HALF_D)

__AVX512_FN __m512 _mm512_abs_ps(__m512 __a) { return (__m512)((__v16si)__a & 0x7fffffff); }
__AVX512_FN __m512d _mm512_abs_pd(__m512d __a) { return (__m512d)((__v8di)__a & 0x7fffffffffffffff); }

/* Fused. */
#define __FUSED(NAME)                                                                                                        \
  __FMA512_FN __m512 _mm512_##NAME##_ps(__m512 __a, __m512 __b, __m512 __c) {                                                \
    __m512 __r;                                                                                                              \
    __HALF_S(__r, 0) = _mm256_##NAME##_ps(__HALF_S(__a, 0), __HALF_S(__b, 0), __HALF_S(__c, 0));                             \
    __HALF_S(__r, 1) = _mm256_##NAME##_ps(__HALF_S(__a, 1), __HALF_S(__b, 1), __HALF_S(__c, 1));                             \
    return __r;                                                                                                              \
  }                                                                                                                          \
  __FMA512_FN __m512d _mm512_##NAME##_pd(__m512d __a, __m512d __b, __m512d __c) {                                            \
    __m512d __r;                                                                                                             \
    __HALF_D(__r, 0) = _mm256_##NAME##_pd(__HALF_D(__a, 0), __HALF_D(__b, 0), __HALF_D(__c, 0));                             \
    __HALF_D(__r, 1) = _mm256_##NAME##_pd(__HALF_D(__a, 1), __HALF_D(__b, 1), __HALF_D(__c, 1));                             \
    return __r;                                                                                                              \
  }                                                                                                                          \
  __FMA512_FN __m512 _mm512_mask_##NAME##_ps(__m512 __a, __mmask16 __k, __m512 __b, __m512 __c) {                            \
    __m512i __m = __mask_vector_512_32(__k);                                                                                 \
    return (__m512)__CHOOSE(__m, (__m512i)_mm512_##NAME##_ps(__a, __b, __c), (__m512i)__a);                                  \
  }                                                                                                                          \
  __FMA512_FN __m512 _mm512_maskz_##NAME##_ps(__mmask16 __k, __m512 __a, __m512 __b, __m512 __c) {                           \
    return (__m512)((__m512i)_mm512_##NAME##_ps(__a, __b, __c) & __mask_vector_512_32(__k));                                 \
  }
__FUSED(fmadd)
__FUSED(fmsub)
__FUSED(fnmadd)
__FUSED(fnmsub)

/* Constants, conversions of type, parts. */
__AVX512_FN __m512i _mm512_setzero_si512(void) { return (__m512i){ 0 }; }
__AVX512_FN __m512i _mm512_setzero_epi32(void) { return (__m512i){ 0 }; }
__AVX512_FN __m512 _mm512_setzero_ps(void) { return (__m512){ 0 }; }
__AVX512_FN __m512 _mm512_setzero(void) { return (__m512){ 0 }; }
__AVX512_FN __m512d _mm512_setzero_pd(void) { return (__m512d){ 0 }; }
__AVX512_FN __m512i _mm512_undefined_epi32(void) { return (__m512i){ 0 }; }
__AVX512_FN __m512 _mm512_undefined_ps(void) { return (__m512){ 0 }; }
__AVX512_FN __m512 _mm512_undefined(void) { return (__m512){ 0 }; }
__AVX512_FN __m512d _mm512_undefined_pd(void) { return (__m512d){ 0 }; }

#define __SAME_HALVES(NAME, T, A, HALF, OP)                                                                                  \
  __AVX512_FN T NAME(A __x) {                                                                                                \
    T __r;                                                                                                                   \
    __typeof__(OP(__x)) __h = OP(__x);                                                                                       \
    HALF(__r, 0) = __h;                                                                                                      \
    HALF(__r, 1) = __h;                                                                                                      \
    return __r;                                                                                                              \
  }
__SAME_HALVES(_mm512_set1_epi8, __m512i, char, __HALF_I, _mm256_set1_epi8)
__SAME_HALVES(_mm512_set1_epi16, __m512i, short, __HALF_I, _mm256_set1_epi16)
__SAME_HALVES(_mm512_set1_epi32, __m512i, int, __HALF_I, _mm256_set1_epi32)
__SAME_HALVES(_mm512_set1_epi64, __m512i, long long, __HALF_I, _mm256_set1_epi64x)
__SAME_HALVES(_mm512_set1_ps, __m512, float, __HALF_S, _mm256_set1_ps)
__SAME_HALVES(_mm512_set1_pd, __m512d, double, __HALF_D, _mm256_set1_pd)
__SAME_HALVES(_mm512_broadcastb_epi8, __m512i, __m128i, __HALF_I, _mm256_broadcastb_epi8)
__SAME_HALVES(_mm512_broadcastw_epi16, __m512i, __m128i, __HALF_I, _mm256_broadcastw_epi16)
__SAME_HALVES(_mm512_broadcastd_epi32, __m512i, __m128i, __HALF_I, _mm256_broadcastd_epi32)
__SAME_HALVES(_mm512_broadcastq_epi64, __m512i, __m128i, __HALF_I, _mm256_broadcastq_epi64)
__SAME_HALVES(_mm512_broadcast_i32x4, __m512i, __m128i, __HALF_I, _mm256_broadcastsi128_si256)
__SAME_HALVES(_mm512_broadcastss_ps, __m512, __m128, __HALF_S, _mm256_broadcastss_ps)
__SAME_HALVES(_mm512_broadcast_i64x4, __m512i, __m256i, __HALF_I, )

#define __MASKED_SET1(W, N, BITS, K, I, A, NAME, OP)                                                                         \
  __AVX512_FN I _mm##W##_mask_##NAME(I __s, K __k, A __x) {                                                                  \
    I __m = __mask_vector_##N##_##BITS(__k);                                                                                 \
    return __CHOOSE(__m, OP(__x), __s);                                                                                      \
  }                                                                                                                          \
  __AVX512_FN I _mm##W##_maskz_##NAME(K __k, A __x) { return OP(__x) & __mask_vector_##N##_##BITS(__k); }
__MASKED_SET1(512, 512, 8, __mmask64, __m512i, char, set1_epi8, _mm512_set1_epi8)
__MASKED_SET1(256, 256, 8, __mmask32, __m256i, char, set1_epi8, _mm256_set1_epi8)
__MASKED_SET1(, 128, 8, __mmask16, __m128i, char, set1_epi8, _mm_set1_epi8)
__MASKED_SET1(512, 512, 16, __mmask32, __m512i, short, set1_epi16, _mm512_set1_epi16)
__MASKED_SET1(256, 256, 16, __mmask16, __m256i, short, set1_epi16, _mm256_set1_epi16)
__MASKED_SET1(, 128, 16, __mmask8, __m128i, short, set1_epi16, _mm_set1_epi16)
__MASKED_SET1(512, 512, 32, __mmask16, __m512i, int, set1_epi32, _mm512_set1_epi32)
__MASKED_SET1(256, 256, 32, __mmask8, __m256i, int, set1_epi32, _mm256_set1_epi32)
__MASKED_SET1(, 128, 32, __mmask8, __m128i, int, set1_epi32, _mm_set1_epi32)
__MASKED_SET1(512, 512, 64, __mmask8, __m512i, long long, set1_epi64, _mm512_set1_epi64)
__MASKED_SET1(256, 256, 64, __mmask8, __m256i, long long, set1_epi64, _mm256_set1_epi64x)
__MASKED_SET1(, 128, 64, __mmask8, __m128i, long long, set1_epi64, _mm_set1_epi64x)

__AVX512_FN __m512i _mm512_set_epi64(long long __h, long long __g, long long __f, long long __e, long long __d, long long __c,
                                     long long __b, long long __a) {
  return (__m512i){ __a, __b, __c, __d, __e, __f, __g, __h };
}
__AVX512_FN __m512i _mm512_set_epi32(int __p, int __o, int __n, int __m, int __l, int __k, int __j, int __i, int __h, int __g, int __f,
                                     int __e, int __d, int __c, int __b, int __a) {
  return (__m512i)(__v16si){ __a, __b, __c, __d, __e, __f, __g, __h, __i, __j, __k, __l, __m, __n, __o, __p };
}
__AVX512_FN __m512 _mm512_set_ps(float __p, float __o, float __n, float __m, float __l, float __k, float __j, float __i, float __h,
                                 float __g, float __f, float __e, float __d, float __c, float __b, float __a) {
  return (__m512){ __a, __b, __c, __d, __e, __f, __g, __h, __i, __j, __k, __l, __m, __n, __o, __p };
}
__AVX512_FN __m512d _mm512_set_pd(double __h, double __g, double __f, double __e, double __d, double __c, double __b, double __a) {
  return (__m512d){ __a, __b, __c, __d, __e, __f, __g, __h };
}
#define _mm512_setr_epi64(a, b, c, d, e, f, g, h) _mm512_set_epi64(h, g, f, e, d, c, b, a)
#define _mm512_setr_epi32(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) _mm512_set_epi32(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)
#define _mm512_setr_ps(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) _mm512_set_ps(p, o, n, m, l, k, j, i, h, g, f, e, d, c, b, a)
#define _mm512_setr_pd(a, b, c, d, e, f, g, h) _mm512_set_pd(h, g, f, e, d, c, b, a)
__AVX512_FN __m512i _mm512_set4_epi32(int __d, int __c, int __b, int __a) {
  return _mm512_broadcast_i32x4(_mm_set_epi32(__d, __c, __b, __a));
}
__AVX512_FN __m512i _mm512_set4_epi64(long long __d, long long __c, long long __b, long long __a) {
  return _mm512_broadcast_i64x4(_mm256_set_epi64x(__d, __c, __b, __a));
}
#define _mm512_setr4_epi32(a, b, c, d) _mm512_set4_epi32(d, c, b, a)
#define _mm512_setr4_epi64(a, b, c, d) _mm512_set4_epi64(d, c, b, a)
__AVX512_FN __m512i _mm512_set_epi8(
    char __63, char __62, char __61, char __60, char __59, char __58, char __57, char __56, char __55, char __54, char __53, char __52,
    char __51, char __50, char __49, char __48, char __47, char __46, char __45, char __44, char __43, char __42, char __41, char __40,
    char __39, char __38, char __37, char __36, char __35, char __34, char __33, char __32, char __31, char __30, char __29, char __28,
    char __27, char __26, char __25, char __24, char __23, char __22, char __21, char __20, char __19, char __18, char __17, char __16,
    char __15, char __14, char __13, char __12, char __11, char __10, char __9, char __8, char __7, char __6, char __5, char __4,
    char __3, char __2, char __1, char __0) {
  return (__m512i)(__v64qi){ __0,  __1,  __2,  __3,  __4,  __5,  __6,  __7,  __8,  __9,  __10, __11, __12, __13, __14, __15,
                             __16, __17, __18, __19, __20, __21, __22, __23, __24, __25, __26, __27, __28, __29, __30, __31,
                             __32, __33, __34, __35, __36, __37, __38, __39, __40, __41, __42, __43, __44, __45, __46, __47,
                             __48, __49, __50, __51, __52, __53, __54, __55, __56, __57, __58, __59, __60, __61, __62, __63 };
}

#define __CAST(NAME, T, A)                                                                                                   \
  __AVX512_FN T NAME(A __a) { return (T)__a; }
__CAST(_mm512_castsi512_ps, __m512, __m512i)
__CAST(_mm512_castsi512_pd, __m512d, __m512i)
__CAST(_mm512_castps_si512, __m512i, __m512)
__CAST(_mm512_castpd_si512, __m512i, __m512d)
__CAST(_mm512_castps_pd, __m512d, __m512)
__CAST(_mm512_castpd_ps, __m512, __m512d)
__AVX512_FN __m256i _mm512_castsi512_si256(__m512i __a) { return __HALF_I(__a, 0); }
__AVX512_FN __m128i _mm512_castsi512_si128(__m512i __a) { return __QUARTER_I(__a, 0); }
__AVX512_FN __m256 _mm512_castps512_ps256(__m512 __a) { return __HALF_S(__a, 0); }
__AVX512_FN __m128 _mm512_castps512_ps128(__m512 __a) { return (__m128)__QUARTER_I(__a, 0); }
__AVX512_FN __m256d _mm512_castpd512_pd256(__m512d __a) { return __HALF_D(__a, 0); }
__AVX512_FN __m128d _mm512_castpd512_pd128(__m512d __a) { return (__m128d)__QUARTER_I(__a, 0); }
__AVX512_FN __m512i _mm512_zextsi256_si512(__m256i __a) {
  __m512i __r;
  __HALF_I(__r, 0) = __a;
  __HALF_I(__r, 1) = _mm256_setzero_si256();
  return __r;
}
__AVX512_FN __m512i _mm512_zextsi128_si512(__m128i __a) { return _mm512_zextsi256_si512(_mm256_zextsi128_si256(__a)); }
__AVX512_FN __m512 _mm512_zextps256_ps512(__m256 __a) { return (__m512)_mm512_zextsi256_si512((__m256i)__a); }
__AVX512_FN __m512 _mm512_zextps128_ps512(__m128 __a) { return (__m512)_mm512_zextsi128_si512((__m128i)__a); }
__AVX512_FN __m512d _mm512_zextpd256_pd512(__m256d __a) { return (__m512d)_mm512_zextsi256_si512((__m256i)__a); }
__AVX512_FN __m512d _mm512_zextpd128_pd512(__m128d __a) { return (__m512d)_mm512_zextsi128_si512((__m128i)__a); }
#define _mm512_castsi256_si512(a) _mm512_zextsi256_si512(a)
#define _mm512_castsi128_si512(a) _mm512_zextsi128_si512(a)
#define _mm512_castps256_ps512(a) _mm512_zextps256_ps512(a)
#define _mm512_castps128_ps512(a) _mm512_zextps128_ps512(a)
#define _mm512_castpd256_pd512(a) _mm512_zextpd256_pd512(a)
#define _mm512_castpd128_pd512(a) _mm512_zextpd128_pd512(a)

__AVX512_FN __m256i _mm512_extracti64x4_epi64(__m512i __a, int __imm) { return __HALF_I(__a, __imm & 1); }
__AVX512_FN __m256i _mm512_extracti32x8_epi32(__m512i __a, int __imm) { return __HALF_I(__a, __imm & 1); }
__AVX512_FN __m128i _mm512_extracti32x4_epi32(__m512i __a, int __imm) { return __QUARTER_I(__a, __imm & 3); }
__AVX512_FN __m128i _mm512_extracti64x2_epi64(__m512i __a, int __imm) { return __QUARTER_I(__a, __imm & 3); }
__AVX512_FN __m256d _mm512_extractf64x4_pd(__m512d __a, int __imm) { return __HALF_D(__a, __imm & 1); }
__AVX512_FN __m256 _mm512_extractf32x8_ps(__m512 __a, int __imm) { return __HALF_S(__a, __imm & 1); }
__AVX512_FN __m128 _mm512_extractf32x4_ps(__m512 __a, int __imm) { return (__m128)__QUARTER_I(__a, __imm & 3); }
__AVX512_FN __m512i _mm512_inserti64x4(__m512i __a, __m256i __b, int __imm) {
  __HALF_I(__a, __imm & 1) = __b;
  return __a;
}
__AVX512_FN __m512i _mm512_inserti32x8(__m512i __a, __m256i __b, int __imm) { return _mm512_inserti64x4(__a, __b, __imm); }
__AVX512_FN __m512i _mm512_inserti32x4(__m512i __a, __m128i __b, int __imm) {
  __QUARTER_I(__a, __imm & 3) = __b;
  return __a;
}
__AVX512_FN __m512i _mm512_inserti64x2(__m512i __a, __m128i __b, int __imm) { return _mm512_inserti32x4(__a, __b, __imm); }
__AVX512_FN __m256i _mm512_maskz_extracti64x4_epi64(__mmask8 __k, __m512i __a, int __imm) {
  return __HALF_I(__a, __imm & 1) & __mask_vector_256_64(__k);
}
__AVX512_FN __m128i _mm512_maskz_extracti32x4_epi32(__mmask8 __k, __m512i __a, int __imm) {
  return __QUARTER_I(__a, __imm & 3) & __mask_vector_128_32(__k);
}

/* Memory. A masked access touches the lanes of its mask only. */
#define __LOADS(SUFFIX, T)                                                                                                   \
  __AVX512_FN T _mm512_load_##SUFFIX(void const *__p) { return *(T const *)__p; }                                            \
  __AVX512_FN T _mm512_loadu_##SUFFIX(void const *__p) { return *(T##_u const *)__p; }                                       \
  __AVX512_FN void _mm512_store_##SUFFIX(void *__p, T __a) { *(T *)__p = __a; }                                              \
  __AVX512_FN void _mm512_storeu_##SUFFIX(void *__p, T __a) { *(T##_u *)__p = __a; }
__LOADS(si512, __m512i)
__LOADS(epi32, __m512i)
__LOADS(epi64, __m512i)
__LOADS(ps, __m512)
__LOADS(pd, __m512d)
__AVX512_FN __m512i _mm512_loadu_epi8(void const *__p) { return *(__m512i_u const *)__p; }
__AVX512_FN __m512i _mm512_loadu_epi16(void const *__p) { return *(__m512i_u const *)__p; }
__AVX512_FN void _mm512_storeu_epi8(void *__p, __m512i __a) { *(__m512i_u *)__p = __a; }
__AVX512_FN void _mm512_storeu_epi16(void *__p, __m512i __a) { *(__m512i_u *)__p = __a; }
#define _mm512_stream_si512(p, a) _mm512_store_si512(p, a)
#define _mm512_stream_load_si512(p) _mm512_load_si512(p)

#define __MASKED_MEMORY(W, T, K, SUFFIX, E, LANES)                                                                           \
  __AVX512_FN T _mm##W##_mask_loadu_##SUFFIX(T __s, K __k, void const *__p) {                                                \
    union { T __v; E __e[LANES]; } __u = { __s };                                                                            \
    for (int __i = 0; __i < LANES; __i++)                                                                                    \
      if (__k >> __i & 1) __builtin_memcpy(&__u.__e[__i], (E const *)__p + __i, sizeof(E));                                  \
    return __u.__v;                                                                                                          \
  }                                                                                                                          \
  __AVX512_FN T _mm##W##_maskz_loadu_##SUFFIX(K __k, void const *__p) {                                                      \
    return _mm##W##_mask_loadu_##SUFFIX((T){ 0 }, __k, __p);                                                                 \
  }                                                                                                                          \
  __AVX512_FN void _mm##W##_mask_storeu_##SUFFIX(void *__p, K __k, T __a) {                                                  \
    union { T __v; E __e[LANES]; } __u = { __a };                                                                            \
    for (int __i = 0; __i < LANES; __i++)                                                                                    \
      if (__k >> __i & 1) __builtin_memcpy((E *)__p + __i, &__u.__e[__i], sizeof(E));                                        \
  }
__MASKED_MEMORY(512, __m512i, __mmask64, epi8, char, 64)
__MASKED_MEMORY(256, __m256i, __mmask32, epi8, char, 32)
__MASKED_MEMORY(, __m128i, __mmask16, epi8, char, 16)
__MASKED_MEMORY(512, __m512i, __mmask32, epi16, short, 32)
__MASKED_MEMORY(256, __m256i, __mmask16, epi16, short, 16)
__MASKED_MEMORY(, __m128i, __mmask8, epi16, short, 8)
__MASKED_MEMORY(512, __m512i, __mmask16, epi32, int, 16)
__MASKED_MEMORY(256, __m256i, __mmask8, epi32, int, 8)
__MASKED_MEMORY(, __m128i, __mmask8, epi32, int, 4)
__MASKED_MEMORY(512, __m512i, __mmask8, epi64, long long, 8)
__MASKED_MEMORY(256, __m256i, __mmask8, epi64, long long, 4)
__MASKED_MEMORY(, __m128i, __mmask8, epi64, long long, 2)
__MASKED_MEMORY(512, __m512, __mmask16, ps, float, 16)
__MASKED_MEMORY(256, __m256, __mmask8, ps, float, 8)
__MASKED_MEMORY(, __m128, __mmask8, ps, float, 4)
__MASKED_MEMORY(512, __m512d, __mmask8, pd, double, 8)
__MASKED_MEMORY(256, __m256d, __mmask8, pd, double, 4)
__MASKED_MEMORY(, __m128d, __mmask8, pd, double, 2)

/* Comparisons that give masks. */
#define __COMPARE(NAME, OP, BITS, K512, K256, K128, S512, S256, S128)                                                        \
  __AVX512_FN K512 _mm512_##NAME##_mask(__m512i __a, __m512i __b) {                                                          \
    return __mask_of_512_##BITS((__m512i)((S512)__a OP (S512)__b));                                                          \
  }                                                                                                                          \
  __AVX512_FN K512 _mm512_mask_##NAME##_mask(K512 __k, __m512i __a, __m512i __b) {                                           \
    return (K512)(__k & _mm512_##NAME##_mask(__a, __b));                                                                     \
  }                                                                                                                          \
  __AVX512_FN K256 _mm256_##NAME##_mask(__m256i __a, __m256i __b) {                                                          \
    return (K256)__mask_of_256_##BITS((__m256i)((S256)__a OP (S256)__b));                                                    \
  }                                                                                                                          \
  __AVX512_FN K256 _mm256_mask_##NAME##_mask(K256 __k, __m256i __a, __m256i __b) {                                           \
    return (K256)(__k & _mm256_##NAME##_mask(__a, __b));                                                                     \
  }                                                                                                                          \
  __AVX512_FN K128 _mm_##NAME##_mask(__m128i __a, __m128i __b) {                                                             \
    return (K128)__mask_of_256_##BITS(_mm256_zextsi128_si256((__m128i)((S128)__a OP (S128)__b)));                            \
  }                                                                                                                          \
  __AVX512_FN K128 _mm_mask_##NAME##_mask(K128 __k, __m128i __a, __m128i __b) {                                              \
    return (K128)(__k & _mm_##NAME##_mask(__a, __b));                                                                        \
  }
typedef unsigned char __tcc_v16qu __attribute__((__vector_size__(16)));
typedef signed char __tcc_v16qs __attribute__((__vector_size__(16)));
typedef unsigned short __tcc_v8hu __attribute__((__vector_size__(16)));
typedef unsigned int __tcc_v4su __attribute__((__vector_size__(16)));
typedef unsigned char __tcc_v32qu __attribute__((__vector_size__(32)));
typedef signed char __tcc_v32qs __attribute__((__vector_size__(32)));
typedef unsigned short __tcc_v16hu __attribute__((__vector_size__(32)));
typedef unsigned int __tcc_v8su __attribute__((__vector_size__(32)));
#define __COMPARES(NAME, OP)                                                                                                 \
  __COMPARE(NAME##_epi8, OP, 8, __mmask64, __mmask32, __mmask16, __v64qs, __tcc_v32qs, __tcc_v16qs)                          \
  __COMPARE(NAME##_epu8, OP, 8, __mmask64, __mmask32, __mmask16, __v64qu, __tcc_v32qu, __tcc_v16qu)                          \
  __COMPARE(NAME##_epi16, OP, 16, __mmask32, __mmask16, __mmask8, __v32hi, __v16hi, __v8hi)                                  \
  __COMPARE(NAME##_epu16, OP, 16, __mmask32, __mmask16, __mmask8, __v32hu, __tcc_v16hu, __tcc_v8hu)                          \
  __COMPARE(NAME##_epi32, OP, 32, __mmask16, __mmask8, __mmask8, __v16si, __v8si, __v4si)                                    \
  __COMPARE(NAME##_epu32, OP, 32, __mmask16, __mmask8, __mmask8, __v16su, __tcc_v8su, __tcc_v4su)                            \
  __COMPARE(NAME##_epi64, OP, 64, __mmask8, __mmask8, __mmask8, __v8di, __v4di, __v2di)                                      \
  __COMPARE(NAME##_epu64, OP, 64, __mmask8, __mmask8, __mmask8, __v8du, __tcc_v4du, __tcc_v2du)
__COMPARES(cmpeq, ==)
__COMPARES(cmpneq, !=)
__COMPARES(cmplt, <)
__COMPARES(cmple, <=)
__COMPARES(cmpgt, >)
__COMPARES(cmpge, >=)
#define __COMPARE_BY(W, I, K, SUFFIX)                                                                                        \
  __AVX512_FN K _mm##W##_cmp_##SUFFIX##_mask(I __a, I __b, _MM_CMPINT_ENUM __imm) {                                          \
    switch (__imm & 7) {                                                                                                     \
    case _MM_CMPINT_EQ: return _mm##W##_cmpeq_##SUFFIX##_mask(__a, __b);                                                     \
    case _MM_CMPINT_LT: return _mm##W##_cmplt_##SUFFIX##_mask(__a, __b);                                                     \
    case _MM_CMPINT_LE: return _mm##W##_cmple_##SUFFIX##_mask(__a, __b);                                                     \
    case _MM_CMPINT_UNUSED: return 0;                                                                                        \
    case _MM_CMPINT_NE: return _mm##W##_cmpneq_##SUFFIX##_mask(__a, __b);                                                    \
    case _MM_CMPINT_NLT: return _mm##W##_cmpge_##SUFFIX##_mask(__a, __b);                                                    \
    case _MM_CMPINT_NLE: return _mm##W##_cmpgt_##SUFFIX##_mask(__a, __b);                                                    \
    default: return _mm##W##_cmpeq_##SUFFIX##_mask(__a, __a);                                                                \
    }                                                                                                                        \
  }
#define __COMPARES_BY(SUFFIX, K512, K256, K128)                                                                              \
  __COMPARE_BY(512, __m512i, K512, SUFFIX) __COMPARE_BY(256, __m256i, K256, SUFFIX) __COMPARE_BY(, __m128i, K128, SUFFIX)
__COMPARES_BY(epi8, __mmask64, __mmask32, __mmask16) __COMPARES_BY(epu8, __mmask64, __mmask32, __mmask16)
__COMPARES_BY(epi16, __mmask32, __mmask16, __mmask8) __COMPARES_BY(epu16, __mmask32, __mmask16, __mmask8)
__COMPARES_BY(epi32, __mmask16, __mmask8, __mmask8) __COMPARES_BY(epu32, __mmask16, __mmask8, __mmask8)
__COMPARES_BY(epi64, __mmask8, __mmask8, __mmask8) __COMPARES_BY(epu64, __mmask8, __mmask8, __mmask8)
#define _mm512_cmp_ps_mask(a, b, how)                                                                                        \
  ((__mmask16)(__mask_of_256_32((__m256i)_mm256_cmp_ps(_mm512_castps512_ps256(a), _mm512_castps512_ps256(b), how)) |         \
               __mask_of_256_32((__m256i)_mm256_cmp_ps(_mm512_extractf32x8_ps(a, 1), _mm512_extractf32x8_ps(b, 1), how)) << 8))
#define _mm512_cmp_pd_mask(a, b, how)                                                                                        \
  ((__mmask8)(__mask_of_256_64((__m256i)_mm256_cmp_pd(_mm512_castpd512_pd256(a), _mm512_castpd512_pd256(b), how)) |          \
              __mask_of_256_64((__m256i)_mm256_cmp_pd(_mm512_extractf64x4_pd(a, 1), _mm512_extractf64x4_pd(b, 1), how)) << 4))

#define __TESTS(W, I, K, BITS, ZERO)                                                                                         \
  __AVX512_FN K _mm##W##_test_epi##BITS##_mask(I __a, I __b) { return _mm##W##_cmpneq_epi##BITS##_mask(__a & __b, ZERO); }   \
  __AVX512_FN K _mm##W##_testn_epi##BITS##_mask(I __a, I __b) { return _mm##W##_cmpeq_epi##BITS##_mask(__a & __b, ZERO); }   \
  __AVX512_FN K _mm##W##_movepi##BITS##_mask(I __a) { return _mm##W##_cmplt_epi##BITS##_mask(__a, ZERO); }
#define __TESTS_ALL(BITS, K512, K256, K128)                                                                                  \
  __TESTS(512, __m512i, K512, BITS, ((__m512i){ 0 })) __TESTS(256, __m256i, K256, BITS, ((__m256i){ 0 }))                    \
  __TESTS(, __m128i, K128, BITS, ((__m128i){ 0 }))                                                                           \
  __AVX512_FN __m512i _mm512_movm_epi##BITS(K512 __k) { return __mask_vector_512_##BITS(__k); }                              \
  __AVX512_FN __m256i _mm256_movm_epi##BITS(K256 __k) { return __mask_vector_256_##BITS(__k); }                              \
  __AVX512_FN __m128i _mm_movm_epi##BITS(K128 __k) { return __mask_vector_128_##BITS(__k); }
__TESTS_ALL(8, __mmask64, __mmask32, __mmask16)
__TESTS_ALL(16, __mmask32, __mmask16, __mmask8)
__TESTS_ALL(32, __mmask16, __mmask8, __mmask8)
__TESTS_ALL(64, __mmask8, __mmask8, __mmask8)

/* Choices and moves by a mask. */
#define __BLENDS(W, N, T, I, K, BITS, SUFFIX)                                                                                \
  __AVX512_FN T _mm##W##_mask_blend_##SUFFIX(K __k, T __a, T __b) {                                                          \
    I __m = __mask_vector_##N##_##BITS(__k);                                                                                 \
    return (T)__CHOOSE(__m, (I)__b, (I)__a);                                                                                 \
  }                                                                                                                          \
  __AVX512_FN T _mm##W##_mask_mov_##SUFFIX(T __s, K __k, T __a) { return _mm##W##_mask_blend_##SUFFIX(__k, __s, __a); }      \
  __AVX512_FN T _mm##W##_maskz_mov_##SUFFIX(K __k, T __a) { return (T)((I)__a & __mask_vector_##N##_##BITS(__k)); }
__BLENDS(512, 512, __m512i, __m512i, __mmask64, 8, epi8)
__BLENDS(256, 256, __m256i, __m256i, __mmask32, 8, epi8)
__BLENDS(, 128, __m128i, __m128i, __mmask16, 8, epi8)
__BLENDS(512, 512, __m512i, __m512i, __mmask32, 16, epi16)
__BLENDS(256, 256, __m256i, __m256i, __mmask16, 16, epi16)
__BLENDS(, 128, __m128i, __m128i, __mmask8, 16, epi16)
__BLENDS(512, 512, __m512i, __m512i, __mmask16, 32, epi32)
__BLENDS(256, 256, __m256i, __m256i, __mmask8, 32, epi32)
__BLENDS(, 128, __m128i, __m128i, __mmask8, 32, epi32)
__BLENDS(512, 512, __m512i, __m512i, __mmask8, 64, epi64)
__BLENDS(256, 256, __m256i, __m256i, __mmask8, 64, epi64)
__BLENDS(, 128, __m128i, __m128i, __mmask8, 64, epi64)
__BLENDS(512, 512, __m512, __m512i, __mmask16, 32, ps)
__BLENDS(256, 256, __m256, __m256i, __mmask8, 32, ps)
__BLENDS(512, 512, __m512d, __m512i, __mmask8, 64, pd)
__BLENDS(256, 256, __m256d, __m256i, __mmask8, 64, pd)

/* Logic of three operands: bit 4 * a + 2 * b + c of the table. */
#define __TERNARY(W, I, SUFFIX)                                                                                              \
  __AVX512_FN I _mm##W##_ternarylogic_##SUFFIX(I __a, I __b, I __c, int __imm) {                                             \
    I __r = { 0 };                                                                                                           \
    if (__imm & 1) __r |= ~__a & ~__b & ~__c;                                                                                \
    if (__imm & 2) __r |= ~__a & ~__b & __c;                                                                                 \
    if (__imm & 4) __r |= ~__a & __b & ~__c;                                                                                 \
    if (__imm & 8) __r |= ~__a & __b & __c;                                                                                  \
    if (__imm & 16) __r |= __a & ~__b & ~__c;                                                                                \
    if (__imm & 32) __r |= __a & ~__b & __c;                                                                                 \
    if (__imm & 64) __r |= __a & __b & ~__c;                                                                                 \
    if (__imm & 128) __r |= __a & __b & __c;                                                                                 \
    return __imm == 0x96 ? __a ^ __b ^ __c : __r;                                                                            \
  }
__TERNARY(512, __m512i, epi32) __TERNARY(512, __m512i, epi64)
__TERNARY(256, __m256i, epi32) __TERNARY(256, __m256i, epi64)
__TERNARY(, __m128i, epi32) __TERNARY(, __m128i, epi64)

/* Permutations. */
#define _mm512_shuffle_epi32(a, how)                                                                                         \
  __extension__({                                                                                                            \
    __m512i __sh_a = (a), __sh_r;                                                                                            \
    __HALF_I(__sh_r, 0) = _mm256_shuffle_epi32(__HALF_I(__sh_a, 0), (int)(how));                                             \
    __HALF_I(__sh_r, 1) = _mm256_shuffle_epi32(__HALF_I(__sh_a, 1), (int)(how));                                             \
    __sh_r;                                                                                                                  \
  })
__AVX512_FN __m512i _mm512_shuffle_i32x4(__m512i __a, __m512i __b, int __imm) {
  __m512i __r;
  __QUARTER_I(__r, 0) = __QUARTER_I(__a, __imm & 3);
  __QUARTER_I(__r, 1) = __QUARTER_I(__a, __imm >> 2 & 3);
  __QUARTER_I(__r, 2) = __QUARTER_I(__b, __imm >> 4 & 3);
  __QUARTER_I(__r, 3) = __QUARTER_I(__b, __imm >> 6 & 3);
  return __r;
}
__AVX512_FN __m512i _mm512_shuffle_i64x2(__m512i __a, __m512i __b, int __imm) { return _mm512_shuffle_i32x4(__a, __b, __imm); }
#define __PERMUTATION(NAME, V, E, LANES)                                                                                     \
  __AVX512_FN __m512i _mm512_permutexvar_##NAME(__m512i __index, __m512i __a) {                                              \
    V __i = (V)__index, __v = (V)__a, __r;                                                                                   \
    for (int __n = 0; __n < LANES; __n++) __r[__n] = __v[__i[__n] & (LANES - 1)];                                            \
    return (__m512i)__r;                                                                                                     \
  }                                                                                                                          \
  __AVX512_FN __m512i _mm512_permutex2var_##NAME(__m512i __a, __m512i __index, __m512i __b) {                                \
    V __i = (V)__index, __v = (V)__a, __w = (V)__b, __r;                                                                     \
    for (int __n = 0; __n < LANES; __n++)                                                                                    \
      __r[__n] = __i[__n] & LANES ? __w[__i[__n] & (LANES - 1)] : __v[__i[__n] & (LANES - 1)];                               \
    return (__m512i)__r;                                                                                                     \
  }
__PERMUTATION(epi8, __v64qu, unsigned char, 64)
__PERMUTATION(epi16, __v32hu, unsigned short, 32)
__PERMUTATION(epi32, __v16su, unsigned int, 16)
__PERMUTATION(epi64, __v8du, unsigned long long, 8)

/* All lanes to one. */
#define __REDUCTION(NAME, T, V, E, LANES, EXPRESSION)                                                                        \
  __AVX512_FN E _mm512_reduce_##NAME(T __a) {                                                                                \
    V __v = (V)__a;                                                                                                          \
    E __r = __v[0];                                                                                                          \
    for (int __i = 1; __i < LANES; __i++) {                                                                                  \
      E __x = __v[__i];                                                                                                      \
      __r = EXPRESSION;                                                                                                      \
    }                                                                                                                        \
    return __r;                                                                                                              \
  }
__REDUCTION(add_epi32, __m512i, __v16su, unsigned int, 16, __r + __x)
__REDUCTION(mul_epi32, __m512i, __v16su, unsigned int, 16, __r * __x)
__REDUCTION(and_epi32, __m512i, __v16su, unsigned int, 16, __r & __x)
__REDUCTION(or_epi32, __m512i, __v16su, unsigned int, 16, __r | __x)
__REDUCTION(max_epi32, __m512i, __v16si, int, 16, __r > __x ? __r : __x)
__REDUCTION(min_epi32, __m512i, __v16si, int, 16, __r < __x ? __r : __x)
__REDUCTION(max_epu32, __m512i, __v16su, unsigned int, 16, __r > __x ? __r : __x)
__REDUCTION(min_epu32, __m512i, __v16su, unsigned int, 16, __r < __x ? __r : __x)
__REDUCTION(add_epi64, __m512i, __v8du, unsigned long long, 8, __r + __x)
__REDUCTION(mul_epi64, __m512i, __v8du, unsigned long long, 8, __r * __x)
__REDUCTION(and_epi64, __m512i, __v8du, unsigned long long, 8, __r & __x)
__REDUCTION(or_epi64, __m512i, __v8du, unsigned long long, 8, __r | __x)
__REDUCTION(max_epi64, __m512i, __v8di, long long, 8, __r > __x ? __r : __x)
__REDUCTION(min_epi64, __m512i, __v8di, long long, 8, __r < __x ? __r : __x)

/* Floating sums are made in gcc's order: halves first. */
__AVX512_FN float _mm512_reduce_add_ps(__m512 __a) {
  __m256 __h = _mm256_add_ps(__HALF_S(__a, 1), __HALF_S(__a, 0));
  __m128 __q = _mm_add_ps(_mm256_extractf128_ps(__h, 1), _mm256_castps256_ps128(__h));
  __m128 __p = _mm_add_ps(__q, _mm_shuffle_ps(__q, __q, 0x4e));
  return __p[0] + __p[1];
}
__AVX512_FN double _mm512_reduce_add_pd(__m512d __a) {
  __m256d __h = _mm256_add_pd(__HALF_D(__a, 1), __HALF_D(__a, 0));
  __m128d __q = _mm_add_pd(_mm256_extractf128_pd(__h, 1), _mm256_castpd256_pd128(__h));
  return __q[0] + __q[1];
}

/* Conversions. */
#define __WIDENED(NAME, FROM)                                                                                                \
  __AVX512_FN __m512i _mm512_##NAME(__m256i __a) {                                                                           \
    __m512i __r;                                                                                                             \
    __HALF_I(__r, 0) = _mm256_##NAME(_mm256_castsi256_si128(__a));                                                           \
    __HALF_I(__r, 1) = _mm256_##NAME(_mm256_extracti128_si256(__a, 1));                                                      \
    return __r;                                                                                                              \
  }
__WIDENED(cvtepi8_epi16, 8) __WIDENED(cvtepu8_epi16, 8) __WIDENED(cvtepi16_epi32, 16) __WIDENED(cvtepu16_epi32, 16)
__WIDENED(cvtepi32_epi64, 32) __WIDENED(cvtepu32_epi64, 32)
__AVX512_FN __m512i _mm512_cvtepi8_epi32(__m128i __a) { return _mm512_cvtepi16_epi32(_mm256_cvtepi8_epi16(__a)); }
__AVX512_FN __m512i _mm512_cvtepu8_epi32(__m128i __a) { return _mm512_cvtepi16_epi32(_mm256_cvtepu8_epi16(__a)); }
__AVX512_FN __m512i _mm512_cvtepi8_epi64(__m128i __a) { return _mm512_cvtepi32_epi64(_mm256_cvtepi8_epi32(__a)); }
__AVX512_FN __m512i _mm512_cvtepu8_epi64(__m128i __a) { return _mm512_cvtepi32_epi64(_mm256_cvtepu8_epi32(__a)); }
__AVX512_FN __m512i _mm512_cvtepi16_epi64(__m128i __a) { return _mm512_cvtepi32_epi64(_mm256_cvtepi16_epi32(__a)); }
__AVX512_FN __m512i _mm512_cvtepu16_epi64(__m128i __a) { return _mm512_cvtepi32_epi64(_mm256_cvtepu16_epi32(__a)); }
#define __NARROWED(NAME, T, A, TO, FROM, LANES)                                                                              \
  __AVX512_FN T NAME(A __a) {                                                                                                \
    union { T __v; TO __e[sizeof(T) / sizeof(TO)]; } __r = { (T){ 0 } };                                                     \
    union { A __v; FROM __e[LANES]; } __u = { __a };                                                                         \
    for (int __i = 0; __i < LANES; __i++) __r.__e[__i] = (TO)__u.__e[__i];                                                   \
    return __r.__v;                                                                                                          \
  }
__NARROWED(_mm512_cvtepi16_epi8, __m256i, __m512i, char, short, 32)
__NARROWED(_mm512_cvtepi32_epi8, __m128i, __m512i, char, int, 16)
__NARROWED(_mm512_cvtepi32_epi16, __m256i, __m512i, short, int, 16)
__NARROWED(_mm512_cvtepi64_epi32, __m256i, __m512i, int, long long, 8)
__NARROWED(_mm512_cvtepi64_epi16, __m128i, __m512i, short, long long, 8)
__NARROWED(_mm512_cvtepi64_epi8, __m128i, __m512i, char, long long, 8)
__NARROWED(_mm256_cvtepi16_epi8, __m128i, __m256i, char, short, 16)
__NARROWED(_mm256_cvtepi32_epi16, __m128i, __m256i, short, int, 8)
__NARROWED(_mm256_cvtepi32_epi8, __m128i, __m256i, char, int, 8)
__NARROWED(_mm256_cvtepi64_epi32, __m128i, __m256i, int, long long, 4)
#define __CONVERTED(NAME, T, A, HALF_T, HALF_A)                                                                              \
  __AVX512_FN T _mm512_##NAME(A __a) {                                                                                       \
    T __r;                                                                                                                   \
    HALF_T(__r, 0) = _mm256_##NAME(HALF_A(__a, 0));                                                                          \
    HALF_T(__r, 1) = _mm256_##NAME(HALF_A(__a, 1));                                                                          \
    return __r;                                                                                                              \
  }
__CONVERTED(cvtepi32_ps, __m512, __m512i, __HALF_S, __HALF_I)
__CONVERTED(cvtps_epi32, __m512i, __m512, __HALF_I, __HALF_S)
__CONVERTED(cvttps_epi32, __m512i, __m512, __HALF_I, __HALF_S)
__AVX512_FN float _mm512_cvtss_f32(__m512 __a) { return __a[0]; }
__AVX512_FN double _mm512_cvtsd_f64(__m512d __a) { return __a[0]; }
__AVX512_FN int _mm512_cvtsi512_si32(__m512i __a) { return ((__v16si)__a)[0]; }

/* Sums of products of bytes and of words (AVX512VNNI, AVX-VNNI). */
#define __DOT_PRODUCTS(W, T, V4, N)                                                                                          \
  __AVX512_FN T _mm##W##_dpbusd_epi32(T __s, T __a, T __b) {                                                                 \
    V4 __sign = (V4)__b >> 24, __r = (V4)__s;                                                                                \
    __r += ((V4)__a & 255) * ((V4)__b << 24 >> 24) + ((V4)__a >> 8 & 255) * ((V4)__b << 16 >> 24);                           \
    __r += ((V4)__a >> 16 & 255) * ((V4)__b << 8 >> 24) + ((V4)__a >> 24 & 255) * __sign;                                    \
    return (T)__r;                                                                                                           \
  }                                                                                                                          \
  __AVX512_FN T _mm##W##_dpwssd_epi32(T __s, T __a, T __b) {                                                                 \
    return (T)((V4)__s + (V4)_mm##W##_madd_epi16(__a, __b));                                                                 \
  }
__DOT_PRODUCTS(512, __m512i, __v16si, 512)
__DOT_PRODUCTS(256, __m256i, __v8si, 256)
__DOT_PRODUCTS(, __m128i, __v4si, 128)
#define _mm256_dpbusd_avx_epi32(s, a, b) _mm256_dpbusd_epi32(s, a, b)
#define _mm_dpbusd_avx_epi32(s, a, b) _mm_dpbusd_epi32(s, a, b)
#define _mm256_dpwssd_avx_epi32(s, a, b) _mm256_dpwssd_epi32(s, a, b)
#define _mm_dpwssd_avx_epi32(s, a, b) _mm_dpwssd_epi32(s, a, b)

/* Carry-less products in every 128 bits (VPCLMULQDQ). */
#define _mm256_clmulepi64_epi128(a, b, how)                                                                                  \
  __extension__({                                                                                                            \
    __m256i __cl_a = (a), __cl_b = (b), __cl_r;                                                                              \
    __QUARTER_I(__cl_r, 0) = _mm_clmulepi64_si128(__QUARTER_I(__cl_a, 0), __QUARTER_I(__cl_b, 0), how);                      \
    __QUARTER_I(__cl_r, 1) = _mm_clmulepi64_si128(__QUARTER_I(__cl_a, 1), __QUARTER_I(__cl_b, 1), how);                      \
    __cl_r;                                                                                                                  \
  })
#define _mm512_clmulepi64_epi128(a, b, how)                                                                                  \
  __extension__({                                                                                                            \
    __m512i __cl_a = (a), __cl_b = (b), __cl_r;                                                                              \
    __QUARTER_I(__cl_r, 0) = _mm_clmulepi64_si128(__QUARTER_I(__cl_a, 0), __QUARTER_I(__cl_b, 0), how);                      \
    __QUARTER_I(__cl_r, 1) = _mm_clmulepi64_si128(__QUARTER_I(__cl_a, 1), __QUARTER_I(__cl_b, 1), how);                      \
    __QUARTER_I(__cl_r, 2) = _mm_clmulepi64_si128(__QUARTER_I(__cl_a, 2), __QUARTER_I(__cl_b, 2), how);                      \
    __QUARTER_I(__cl_r, 3) = _mm_clmulepi64_si128(__QUARTER_I(__cl_a, 3), __QUARTER_I(__cl_b, 3), how);                      \
    __cl_r;                                                                                                                  \
  })

/* Population counts (AVX512VPOPCNTDQ, AVX512BITALG) and leading zeros (AVX512CD). */
#define __COUNTED(W, T, V, LANES, NAME, EXPRESSION)                                                                          \
  __AVX512_FN T _mm##W##_##NAME(T __a) {                                                                                     \
    V __v = (V)__a;                                                                                                          \
    for (int __i = 0; __i < LANES; __i++) __v[__i] = EXPRESSION;                                                             \
    return (T)__v;                                                                                                           \
  }
__COUNTED(512, __m512i, __v16su, 16, popcnt_epi32, __builtin_popcount(__v[__i]))
__COUNTED(512, __m512i, __v8du, 8, popcnt_epi64, __builtin_popcountll(__v[__i]))
__COUNTED(256, __m256i, __tcc_v8su, 8, popcnt_epi32, __builtin_popcount(__v[__i]))
__COUNTED(256, __m256i, __tcc_v4du, 4, popcnt_epi64, __builtin_popcountll(__v[__i]))
__COUNTED(512, __m512i, __v16su, 16, lzcnt_epi32, __v[__i] ? __builtin_clz(__v[__i]) : 32)
__COUNTED(512, __m512i, __v8du, 8, lzcnt_epi64, __v[__i] ? __builtin_clzll(__v[__i]) : 64)

/* Masks as numbers. */
#define __MASKS(K, BITS)                                                                                                     \
  __AVX512_FN K _kand_mask##BITS(K __a, K __b) { return (K)(__a & __b); }                                                    \
  __AVX512_FN K _kor_mask##BITS(K __a, K __b) { return (K)(__a | __b); }                                                     \
  __AVX512_FN K _kxor_mask##BITS(K __a, K __b) { return (K)(__a ^ __b); }                                                    \
  __AVX512_FN K _kxnor_mask##BITS(K __a, K __b) { return (K)~(__a ^ __b); }                                                  \
  __AVX512_FN K _kandn_mask##BITS(K __a, K __b) { return (K)(~__a & __b); }                                                  \
  __AVX512_FN K _knot_mask##BITS(K __a) { return (K)~__a; }                                                                  \
  __AVX512_FN unsigned char _kortestz_mask##BITS##_u8(K __a, K __b) { return (K)(__a | __b) == 0; }                          \
  __AVX512_FN unsigned char _kortestc_mask##BITS##_u8(K __a, K __b) { return (K)(__a | __b) == (K)-1; }                      \
  __AVX512_FN K _load_mask##BITS(K *__p) { return *__p; }                                                                    \
  __AVX512_FN void _store_mask##BITS(K *__p, K __a) { *__p = __a; }
__MASKS(__mmask8, 8)
__MASKS(__mmask16, 16)
__MASKS(__mmask32, 32)
__MASKS(__mmask64, 64)
#define _mm512_kand(a, b) _kand_mask16(a, b)
#define _mm512_kor(a, b) _kor_mask16(a, b)
#define _mm512_kxor(a, b) _kxor_mask16(a, b)
#define _mm512_knot(a) _knot_mask16(a)
#define _mm512_kortestz(a, b) ((int)_kortestz_mask16_u8(a, b))
#define _mm512_kortestc(a, b) ((int)_kortestc_mask16_u8(a, b))
__AVX512_FN unsigned int _cvtmask8_u32(__mmask8 __a) { return __a; }
__AVX512_FN unsigned int _cvtmask16_u32(__mmask16 __a) { return __a; }
__AVX512_FN unsigned int _cvtmask32_u32(__mmask32 __a) { return __a; }
__AVX512_FN unsigned long long _cvtmask64_u64(__mmask64 __a) { return __a; }
__AVX512_FN __mmask8 _cvtu32_mask8(unsigned int __a) { return (__mmask8)__a; }
__AVX512_FN __mmask16 _cvtu32_mask16(unsigned int __a) { return (__mmask16)__a; }
__AVX512_FN __mmask32 _cvtu32_mask32(unsigned int __a) { return __a; }
__AVX512_FN __mmask64 _cvtu64_mask64(unsigned long long __a) { return __a; }

#endif
