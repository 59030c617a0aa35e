/* SSE4.2. */
#ifndef _NMMINTRIN_H_INCLUDED
#define _NMMINTRIN_H_INCLUDED 1

#include <smmintrin.h>
#include <popcntintrin.h>

#define __SSE42_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("sse4.2")))

#define _SIDD_UBYTE_OPS 0x00
#define _SIDD_UWORD_OPS 0x01
#define _SIDD_SBYTE_OPS 0x02
#define _SIDD_SWORD_OPS 0x03
#define _SIDD_CMP_EQUAL_ANY 0x00
#define _SIDD_CMP_RANGES 0x04
#define _SIDD_CMP_EQUAL_EACH 0x08
#define _SIDD_CMP_EQUAL_ORDERED 0x0c
#define _SIDD_POSITIVE_POLARITY 0x00
#define _SIDD_NEGATIVE_POLARITY 0x10
#define _SIDD_MASKED_POSITIVE_POLARITY 0x20
#define _SIDD_MASKED_NEGATIVE_POLARITY 0x30
#define _SIDD_LEAST_SIGNIFICANT 0x00
#define _SIDD_MOST_SIGNIFICANT 0x40
#define _SIDD_BIT_MASK 0x00
#define _SIDD_UNIT_MASK 0x40

__SSE42_FN __m128i _mm_cmpistrm(__m128i __a, __m128i __b, int __imm) {
  return (__m128i)__builtin_ia32_pcmpistrm128((__v16qi)__a, (__v16qi)__b, __imm);
}

__SSE42_FN int _mm_cmpistri(__m128i __a, __m128i __b, int __imm) {
  return __builtin_ia32_pcmpistri128((__v16qi)__a, (__v16qi)__b, __imm);
}

__SSE42_FN int _mm_cmpistra(__m128i __a, __m128i __b, int __imm) {
  return __builtin_ia32_pcmpistria128((__v16qi)__a, (__v16qi)__b, __imm);
}

__SSE42_FN int _mm_cmpistrc(__m128i __a, __m128i __b, int __imm) {
  return __builtin_ia32_pcmpistric128((__v16qi)__a, (__v16qi)__b, __imm);
}

__SSE42_FN int _mm_cmpistro(__m128i __a, __m128i __b, int __imm) {
  return __builtin_ia32_pcmpistrio128((__v16qi)__a, (__v16qi)__b, __imm);
}

__SSE42_FN int _mm_cmpistrs(__m128i __a, __m128i __b, int __imm) {
  return __builtin_ia32_pcmpistris128((__v16qi)__a, (__v16qi)__b, __imm);
}

__SSE42_FN int _mm_cmpistrz(__m128i __a, __m128i __b, int __imm) {
  return __builtin_ia32_pcmpistriz128((__v16qi)__a, (__v16qi)__b, __imm);
}

__SSE42_FN __m128i _mm_cmpestrm(__m128i __a, int __la, __m128i __b, int __lb, int __imm) {
  return (__m128i)__builtin_ia32_pcmpestrm128((__v16qi)__a, __la, (__v16qi)__b, __lb, __imm);
}

__SSE42_FN int _mm_cmpestri(__m128i __a, int __la, __m128i __b, int __lb, int __imm) {
  return __builtin_ia32_pcmpestri128((__v16qi)__a, __la, (__v16qi)__b, __lb, __imm);
}

__SSE42_FN int _mm_cmpestra(__m128i __a, int __la, __m128i __b, int __lb, int __imm) {
  return __builtin_ia32_pcmpestria128((__v16qi)__a, __la, (__v16qi)__b, __lb, __imm);
}

__SSE42_FN int _mm_cmpestrc(__m128i __a, int __la, __m128i __b, int __lb, int __imm) {
  return __builtin_ia32_pcmpestric128((__v16qi)__a, __la, (__v16qi)__b, __lb, __imm);
}

__SSE42_FN int _mm_cmpestro(__m128i __a, int __la, __m128i __b, int __lb, int __imm) {
  return __builtin_ia32_pcmpestrio128((__v16qi)__a, __la, (__v16qi)__b, __lb, __imm);
}

__SSE42_FN int _mm_cmpestrs(__m128i __a, int __la, __m128i __b, int __lb, int __imm) {
  return __builtin_ia32_pcmpestris128((__v16qi)__a, __la, (__v16qi)__b, __lb, __imm);
}

__SSE42_FN int _mm_cmpestrz(__m128i __a, int __la, __m128i __b, int __lb, int __imm) {
  return __builtin_ia32_pcmpestriz128((__v16qi)__a, __la, (__v16qi)__b, __lb, __imm);
}

__SSE42_FN __m128i _mm_cmpgt_epi64(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_pcmpgtq((__v2di)__a, (__v2di)__b);
}

#define __CRC32_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("crc32")))

__CRC32_FN unsigned int _mm_crc32_u8(unsigned int __a, unsigned char __b) {
  return __builtin_ia32_crc32qi(__a, __b);
}

__CRC32_FN unsigned int _mm_crc32_u16(unsigned int __a, unsigned short __b) {
  return __builtin_ia32_crc32hi(__a, __b);
}

__CRC32_FN unsigned int _mm_crc32_u32(unsigned int __a, unsigned int __b) {
  return __builtin_ia32_crc32si(__a, __b);
}

__CRC32_FN unsigned long long _mm_crc32_u64(unsigned long long __a, unsigned long long __b) {
  return __builtin_ia32_crc32di(__a, __b);
}

#define __crc32b(c, d) _mm_crc32_u8((c), (d))
#define __crc32w(c, d) _mm_crc32_u16((c), (d))
#define __crc32d(c, d) _mm_crc32_u32((c), (d))
#define __crc32q(c, d) _mm_crc32_u64((c), (d))

#endif
