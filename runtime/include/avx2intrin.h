/* AVX2: 256-bit integers. Masked and gathering accesses go lane by lane. */
#ifndef _AVX2INTRIN_H_INCLUDED
#define _AVX2INTRIN_H_INCLUDED 1

#include <avxintrin.h>

#define __AVX2_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("avx2")))

__AVX2_FN __m256i _mm256_add_epi8(__m256i __a, __m256i __b) {
  return (__m256i)((__v32qu)__a + (__v32qu)__b);
}

__AVX2_FN __m256i _mm256_sub_epi8(__m256i __a, __m256i __b) {
  return (__m256i)((__v32qu)__a - (__v32qu)__b);
}

__AVX2_FN __m256i _mm256_cmpeq_epi8(__m256i __a, __m256i __b) {
  return (__m256i)((__v32qi)__a == (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_cmpgt_epi8(__m256i __a, __m256i __b) {
  return (__m256i)((__v32qs)__a > (__v32qs)__b);
}

__AVX2_FN __m256i _mm256_add_epi16(__m256i __a, __m256i __b) {
  return (__m256i)((__v16hu)__a + (__v16hu)__b);
}

__AVX2_FN __m256i _mm256_sub_epi16(__m256i __a, __m256i __b) {
  return (__m256i)((__v16hu)__a - (__v16hu)__b);
}

__AVX2_FN __m256i _mm256_cmpeq_epi16(__m256i __a, __m256i __b) {
  return (__m256i)((__v16hi)__a == (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_cmpgt_epi16(__m256i __a, __m256i __b) {
  return (__m256i)((__v16hi)__a > (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_add_epi32(__m256i __a, __m256i __b) {
  return (__m256i)((__v8su)__a + (__v8su)__b);
}

__AVX2_FN __m256i _mm256_sub_epi32(__m256i __a, __m256i __b) {
  return (__m256i)((__v8su)__a - (__v8su)__b);
}

__AVX2_FN __m256i _mm256_cmpeq_epi32(__m256i __a, __m256i __b) {
  return (__m256i)((__v8si)__a == (__v8si)__b);
}

__AVX2_FN __m256i _mm256_cmpgt_epi32(__m256i __a, __m256i __b) {
  return (__m256i)((__v8si)__a > (__v8si)__b);
}

__AVX2_FN __m256i _mm256_add_epi64(__m256i __a, __m256i __b) {
  return (__m256i)((__v4du)__a + (__v4du)__b);
}

__AVX2_FN __m256i _mm256_sub_epi64(__m256i __a, __m256i __b) {
  return (__m256i)((__v4du)__a - (__v4du)__b);
}

__AVX2_FN __m256i _mm256_cmpeq_epi64(__m256i __a, __m256i __b) {
  return (__m256i)((__v4di)__a == (__v4di)__b);
}

__AVX2_FN __m256i _mm256_cmpgt_epi64(__m256i __a, __m256i __b) {
  return (__m256i)((__v4di)__a > (__v4di)__b);
}

__AVX2_FN __m256i _mm256_and_si256(__m256i __a, __m256i __b) {
  return (__m256i)((__v4du)__a & (__v4du)__b);
}

__AVX2_FN __m256i _mm256_or_si256(__m256i __a, __m256i __b) {
  return (__m256i)((__v4du)__a | (__v4du)__b);
}

__AVX2_FN __m256i _mm256_xor_si256(__m256i __a, __m256i __b) {
  return (__m256i)((__v4du)__a ^ (__v4du)__b);
}

__AVX2_FN __m256i _mm256_andnot_si256(__m256i __a, __m256i __b) {
  return (__m256i)(~(__v4du)__a & (__v4du)__b);
}

__AVX2_FN __m256i _mm256_mullo_epi16(__m256i __a, __m256i __b) {
  return (__m256i)((__v16hu)__a * (__v16hu)__b);
}

__AVX2_FN __m256i _mm256_mullo_epi32(__m256i __a, __m256i __b) {
  return (__m256i)((__v8su)__a * (__v8su)__b);
}

__AVX2_FN __m256i _mm256_adds_epi8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_paddsb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_adds_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_paddsw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_adds_epu8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_paddusb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_adds_epu16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_paddusw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_subs_epi8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psubsb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_subs_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psubsw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_subs_epu8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psubusb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_subs_epu16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psubusw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_avg_epu8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pavgb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_avg_epu16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pavgw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_hadd_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_phaddw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_hadd_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_phaddd256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_hadds_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_phaddsw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_hsub_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_phsubw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_hsub_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_phsubd256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_hsubs_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_phsubsw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_max_epi8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmaxsb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_max_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmaxsw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_max_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmaxsd256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_max_epu8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmaxub256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_max_epu16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmaxuw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_max_epu32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmaxud256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_min_epi8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pminsb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_min_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pminsw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_min_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pminsd256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_min_epu8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pminub256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_min_epu16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pminuw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_min_epu32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pminud256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_mulhrs_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmulhrsw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_mulhi_epu16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmulhuw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_mulhi_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmulhw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_shuffle_epi8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pshufb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_sign_epi8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psignb256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_sign_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psignw256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_sign_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psignd256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_unpackhi_epi8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_punpckhbw256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_unpackhi_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_punpckhwd256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_unpackhi_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_punpckhdq256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_unpackhi_epi64(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_punpckhqdq256((__v4di)__a, (__v4di)__b);
}

__AVX2_FN __m256i _mm256_unpacklo_epi8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_punpcklbw256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_unpacklo_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_punpcklwd256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_unpacklo_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_punpckldq256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_unpacklo_epi64(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_punpcklqdq256((__v4di)__a, (__v4di)__b);
}

__AVX2_FN __m256i _mm256_packs_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_packssdw256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_packs_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_packsswb256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_packus_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_packusdw256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_packus_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_packuswb256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_maddubs_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmaddubsw256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_madd_epi16(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmaddwd256((__v16hi)__a, (__v16hi)__b);
}

__AVX2_FN __m256i _mm256_mul_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmuldq256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_mul_epu32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_pmuludq256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_sad_epu8(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psadbw256((__v32qi)__a, (__v32qi)__b);
}

__AVX2_FN __m256i _mm256_abs_epi8(__m256i __a) {
  return (__m256i)__builtin_ia32_pabsb256((__v32qi)__a);
}

__AVX2_FN __m256i _mm256_abs_epi16(__m256i __a) {
  return (__m256i)__builtin_ia32_pabsw256((__v16hi)__a);
}

__AVX2_FN __m256i _mm256_abs_epi32(__m256i __a) {
  return (__m256i)__builtin_ia32_pabsd256((__v8si)__a);
}

__AVX2_FN __m256i _mm256_alignr_epi8(__m256i __a, __m256i __b, int __imm) {
  return __imm >= 32 ? (__m256i){ 0 } : (__m256i)__builtin_ia32_palignr256((__v4di)__a, (__v4di)__b, (__imm & 31) * 8);
}

__AVX2_FN __m256i _mm256_blendv_epi8(__m256i __a, __m256i __b, __m256i __c) {
  return (__m256i)__builtin_ia32_pblendvb256((__v32qi)__a, (__v32qi)__b, (__v32qi)__c);
}

__AVX2_FN __m256i _mm256_blend_epi16(__m256i __a, __m256i __b, int __imm) {
  return (__m256i)__builtin_ia32_pblendw256((__v16hi)__a, (__v16hi)__b, __imm);
}

__AVX2_FN __m256i _mm256_blend_epi32(__m256i __a, __m256i __b, int __imm) {
  return (__m256i)__builtin_ia32_pblendd256((__v8si)__a, (__v8si)__b, __imm);
}

__AVX2_FN __m128i _mm_blend_epi32(__m128i __a, __m128i __b, int __imm) {
  return (__m128i)__builtin_ia32_pblendd128((__v4si)__a, (__v4si)__b, __imm);
}

__AVX2_FN __m256i _mm256_mpsadbw_epu8(__m256i __a, __m256i __b, int __imm) {
  return (__m256i)__builtin_ia32_mpsadbw256((__v32qi)__a, (__v32qi)__b, __imm);
}

__AVX2_FN int _mm256_movemask_epi8(__m256i __a) {
  return __builtin_ia32_pmovmskb256((__v32qi)__a);
}

__AVX2_FN __m256i _mm256_cvtepi8_epi16(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovsxbw256((__v16qi)__a);
}

__AVX2_FN __m256i _mm256_cvtepi8_epi32(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovsxbd256((__v16qi)__a);
}

__AVX2_FN __m256i _mm256_cvtepi8_epi64(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovsxbq256((__v16qi)__a);
}

__AVX2_FN __m256i _mm256_cvtepi16_epi32(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovsxwd256((__v8hi)__a);
}

__AVX2_FN __m256i _mm256_cvtepi16_epi64(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovsxwq256((__v8hi)__a);
}

__AVX2_FN __m256i _mm256_cvtepi32_epi64(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovsxdq256((__v4si)__a);
}

__AVX2_FN __m256i _mm256_cvtepu8_epi16(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovzxbw256((__v16qi)__a);
}

__AVX2_FN __m256i _mm256_cvtepu8_epi32(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovzxbd256((__v16qi)__a);
}

__AVX2_FN __m256i _mm256_cvtepu8_epi64(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovzxbq256((__v16qi)__a);
}

__AVX2_FN __m256i _mm256_cvtepu16_epi32(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovzxwd256((__v8hi)__a);
}

__AVX2_FN __m256i _mm256_cvtepu16_epi64(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovzxwq256((__v8hi)__a);
}

__AVX2_FN __m256i _mm256_cvtepu32_epi64(__m128i __a) {
  return (__m256i)__builtin_ia32_pmovzxdq256((__v4si)__a);
}

__AVX2_FN __m256i _mm256_shuffle_epi32(__m256i __a, int __imm) {
  return (__m256i)__builtin_ia32_pshufd256((__v8si)__a, __imm);
}

__AVX2_FN __m256i _mm256_shufflehi_epi16(__m256i __a, int __imm) {
  return (__m256i)__builtin_ia32_pshufhw256((__v16hi)__a, __imm);
}

__AVX2_FN __m256i _mm256_shufflelo_epi16(__m256i __a, int __imm) {
  return (__m256i)__builtin_ia32_pshuflw256((__v16hi)__a, __imm);
}

__AVX2_FN __m256i _mm256_slli_si256(__m256i __a, int __imm) {
  return (__m256i)__builtin_ia32_pslldqi256((__v4di)__a, (__imm & 255) * 8);
}

__AVX2_FN __m256i _mm256_bslli_epi128(__m256i __a, int __imm) {
  return (__m256i)__builtin_ia32_pslldqi256((__v4di)__a, (__imm & 255) * 8);
}

__AVX2_FN __m256i _mm256_srli_si256(__m256i __a, int __imm) {
  return (__m256i)__builtin_ia32_psrldqi256((__v4di)__a, (__imm & 255) * 8);
}

__AVX2_FN __m256i _mm256_bsrli_epi128(__m256i __a, int __imm) {
  return (__m256i)__builtin_ia32_psrldqi256((__v4di)__a, (__imm & 255) * 8);
}

__AVX2_FN __m256i _mm256_sll_epi16(__m256i __a, __m128i __b) {
  return (__m256i)__builtin_ia32_psllw256((__v16hi)__a, (__v8hi)__b);
}

__AVX2_FN __m256i _mm256_slli_epi16(__m256i __a, int __n) {
  return (__m256i)__builtin_ia32_psllwi256((__v16hi)__a, __n);
}

__AVX2_FN __m256i _mm256_sll_epi32(__m256i __a, __m128i __b) {
  return (__m256i)__builtin_ia32_pslld256((__v8si)__a, (__v4si)__b);
}

__AVX2_FN __m256i _mm256_slli_epi32(__m256i __a, int __n) {
  return (__m256i)__builtin_ia32_pslldi256((__v8si)__a, __n);
}

__AVX2_FN __m256i _mm256_sll_epi64(__m256i __a, __m128i __b) {
  return (__m256i)__builtin_ia32_psllq256((__v4di)__a, (__v2di)__b);
}

__AVX2_FN __m256i _mm256_slli_epi64(__m256i __a, int __n) {
  return (__m256i)__builtin_ia32_psllqi256((__v4di)__a, __n);
}

__AVX2_FN __m256i _mm256_srl_epi16(__m256i __a, __m128i __b) {
  return (__m256i)__builtin_ia32_psrlw256((__v16hi)__a, (__v8hi)__b);
}

__AVX2_FN __m256i _mm256_srli_epi16(__m256i __a, int __n) {
  return (__m256i)__builtin_ia32_psrlwi256((__v16hi)__a, __n);
}

__AVX2_FN __m256i _mm256_srl_epi32(__m256i __a, __m128i __b) {
  return (__m256i)__builtin_ia32_psrld256((__v8si)__a, (__v4si)__b);
}

__AVX2_FN __m256i _mm256_srli_epi32(__m256i __a, int __n) {
  return (__m256i)__builtin_ia32_psrldi256((__v8si)__a, __n);
}

__AVX2_FN __m256i _mm256_srl_epi64(__m256i __a, __m128i __b) {
  return (__m256i)__builtin_ia32_psrlq256((__v4di)__a, (__v2di)__b);
}

__AVX2_FN __m256i _mm256_srli_epi64(__m256i __a, int __n) {
  return (__m256i)__builtin_ia32_psrlqi256((__v4di)__a, __n);
}

__AVX2_FN __m256i _mm256_sra_epi16(__m256i __a, __m128i __b) {
  return (__m256i)__builtin_ia32_psraw256((__v16hi)__a, (__v8hi)__b);
}

__AVX2_FN __m256i _mm256_srai_epi16(__m256i __a, int __n) {
  return (__m256i)__builtin_ia32_psrawi256((__v16hi)__a, __n);
}

__AVX2_FN __m256i _mm256_sra_epi32(__m256i __a, __m128i __b) {
  return (__m256i)__builtin_ia32_psrad256((__v8si)__a, (__v4si)__b);
}

__AVX2_FN __m256i _mm256_srai_epi32(__m256i __a, int __n) {
  return (__m256i)__builtin_ia32_psradi256((__v8si)__a, __n);
}

__AVX2_FN __m256i _mm256_permutevar8x32_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_permvarsi256((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m256 _mm256_permutevar8x32_ps(__m256 __a, __m256i __b) {
  return (__m256)__builtin_ia32_permvarsf256((__v8sf)__a, (__v8si)__b);
}

__AVX2_FN __m256i _mm256_permute4x64_epi64(__m256i __a, int __imm) {
  return (__m256i)__builtin_ia32_permdi256((__v4di)__a, __imm);
}

__AVX2_FN __m256d _mm256_permute4x64_pd(__m256d __a, int __imm) {
  return (__m256d)__builtin_ia32_permdf256((__v4df)__a, __imm);
}

__AVX2_FN __m256i _mm256_permute2x128_si256(__m256i __a, __m256i __b, int __imm) {
  return (__m256i)__builtin_ia32_permti256((__v4di)__a, (__v4di)__b, __imm);
}

__AVX2_FN __m128i _mm256_extracti128_si256(__m256i __a, int __imm) {
  return ((__m128i *)&__a)[__imm & 1];
}

__AVX2_FN __m256i _mm256_inserti128_si256(__m256i __a, __m128i __b, int __imm) {
  ((__m128i *)&__a)[__imm & 1] = __b;
  return __a;
}

__AVX2_FN __m128i _mm_sllv_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psllv4si((__v4si)__a, (__v4si)__b);
}

__AVX2_FN __m256i _mm256_sllv_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psllv8si((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m128i _mm_sllv_epi64(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psllv2di((__v2di)__a, (__v2di)__b);
}

__AVX2_FN __m256i _mm256_sllv_epi64(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psllv4di((__v4di)__a, (__v4di)__b);
}

__AVX2_FN __m128i _mm_srlv_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psrlv4si((__v4si)__a, (__v4si)__b);
}

__AVX2_FN __m256i _mm256_srlv_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psrlv8si((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m128i _mm_srlv_epi64(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psrlv2di((__v2di)__a, (__v2di)__b);
}

__AVX2_FN __m256i _mm256_srlv_epi64(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psrlv4di((__v4di)__a, (__v4di)__b);
}

__AVX2_FN __m128i _mm_srav_epi32(__m128i __a, __m128i __b) {
  return (__m128i)__builtin_ia32_psrav4si((__v4si)__a, (__v4si)__b);
}

__AVX2_FN __m256i _mm256_srav_epi32(__m256i __a, __m256i __b) {
  return (__m256i)__builtin_ia32_psrav8si((__v8si)__a, (__v8si)__b);
}

__AVX2_FN __m128i _mm_broadcastb_epi8(__m128i __a) {
  char __x = ((__v16qi)__a)[0];
  return (__m128i)(__v16qi){ __x, __x, __x, __x, __x, __x, __x, __x, __x, __x, __x, __x, __x, __x, __x, __x };
}

__AVX2_FN __m256i _mm256_broadcastb_epi8(__m128i __a) {
  return _mm256_set1_epi8(((__v16qi)__a)[0]);
}

__AVX2_FN __m128i _mm_broadcastw_epi16(__m128i __a) {
  short __x = ((__v8hi)__a)[0];
  return (__m128i)(__v8hi){ __x, __x, __x, __x, __x, __x, __x, __x };
}

__AVX2_FN __m256i _mm256_broadcastw_epi16(__m128i __a) {
  return _mm256_set1_epi16(((__v8hi)__a)[0]);
}

__AVX2_FN __m128i _mm_broadcastd_epi32(__m128i __a) {
  int __x = ((__v4si)__a)[0];
  return (__m128i)(__v4si){ __x, __x, __x, __x };
}

__AVX2_FN __m256i _mm256_broadcastd_epi32(__m128i __a) {
  return _mm256_set1_epi32(((__v4si)__a)[0]);
}

__AVX2_FN __m128i _mm_broadcastq_epi64(__m128i __a) {
  long long __x = ((__v2di)__a)[0];
  return (__m128i)(__v2di){ __x, __x };
}

__AVX2_FN __m256i _mm256_broadcastq_epi64(__m128i __a) {
  return _mm256_set1_epi64x(((__v2di)__a)[0]);
}

__AVX2_FN __m128 _mm_broadcastss_ps(__m128 __a) {
  return (__m128){ __a[0], __a[0], __a[0], __a[0] };
}

__AVX2_FN __m256 _mm256_broadcastss_ps(__m128 __a) {
  return _mm256_set1_ps(__a[0]);
}

__AVX2_FN __m128d _mm_broadcastsd_pd(__m128d __a) {
  return (__m128d){ __a[0], __a[0] };
}

__AVX2_FN __m256d _mm256_broadcastsd_pd(__m128d __a) {
  return _mm256_set1_pd(__a[0]);
}

__AVX2_FN __m256i _mm256_broadcastsi128_si256(__m128i __a) {
  return _mm256_set_m128i(__a, __a);
}

__AVX2_FN __m256i _mm256_stream_load_si256(__m256i const *__p) {
  return *__p;
}

__AVX2_FN __m128i _mm_maskload_epi32(int const *__p, __m128i __mask) {
  __v4si __m = (__v4si)__mask, __r = { 0 };
  for (int __i = 0; __i < 4; __i++)
    if (__m[__i] < 0) __r[__i] = __p[__i];
  return (__m128i)__r;
}

__AVX2_FN void _mm_maskstore_epi32(int *__p, __m128i __mask, __m128i __a) {
  __v4si __m = (__v4si)__mask, __v = (__v4si)__a;
  for (int __i = 0; __i < 4; __i++)
    if (__m[__i] < 0) __p[__i] = __v[__i];
}

__AVX2_FN __m256i _mm256_maskload_epi32(int const *__p, __m256i __mask) {
  __v8si __m = (__v8si)__mask, __r = { 0 };
  for (int __i = 0; __i < 8; __i++)
    if (__m[__i] < 0) __r[__i] = __p[__i];
  return (__m256i)__r;
}

__AVX2_FN void _mm256_maskstore_epi32(int *__p, __m256i __mask, __m256i __a) {
  __v8si __m = (__v8si)__mask, __v = (__v8si)__a;
  for (int __i = 0; __i < 8; __i++)
    if (__m[__i] < 0) __p[__i] = __v[__i];
}

__AVX2_FN __m128i _mm_maskload_epi64(long long const *__p, __m128i __mask) {
  __v2di __m = (__v2di)__mask, __r = { 0 };
  for (int __i = 0; __i < 2; __i++)
    if (__m[__i] < 0) __r[__i] = __p[__i];
  return (__m128i)__r;
}

__AVX2_FN void _mm_maskstore_epi64(long long *__p, __m128i __mask, __m128i __a) {
  __v2di __m = (__v2di)__mask, __v = (__v2di)__a;
  for (int __i = 0; __i < 2; __i++)
    if (__m[__i] < 0) __p[__i] = __v[__i];
}

__AVX2_FN __m256i _mm256_maskload_epi64(long long const *__p, __m256i __mask) {
  __v4di __m = (__v4di)__mask, __r = { 0 };
  for (int __i = 0; __i < 4; __i++)
    if (__m[__i] < 0) __r[__i] = __p[__i];
  return (__m256i)__r;
}

__AVX2_FN void _mm256_maskstore_epi64(long long *__p, __m256i __mask, __m256i __a) {
  __v4di __m = (__v4di)__mask, __v = (__v4di)__a;
  for (int __i = 0; __i < 4; __i++)
    if (__m[__i] < 0) __p[__i] = __v[__i];
}

__AVX2_FN __m128i _mm_i32gather_epi32(int const *__p, __m128i __index, int __imm) {
  __v4si __i = (__v4si)__index;
  __v4si __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = *(int const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128i)__r;
}

__AVX2_FN __m128i _mm_mask_i32gather_epi32(__m128i __source, int const *__p, __m128i __index, __m128i __mask, int __imm) {
  __v4si __i = (__v4si)__index;
  __v4si __m = (__v4si)__mask;
  __v4si __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = __m[__n] < 0 ? *(int const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4si)__source)[__n];
  return (__m128i)__r;
}

__AVX2_FN __m256i _mm256_i32gather_epi32(int const *__p, __m256i __index, int __imm) {
  __v8si __i = (__v8si)__index;
  __v8si __r = { 0 };
  for (int __n = 0; __n < 8; __n++) __r[__n] = *(int const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m256i)__r;
}

__AVX2_FN __m256i _mm256_mask_i32gather_epi32(__m256i __source, int const *__p, __m256i __index, __m256i __mask, int __imm) {
  __v8si __i = (__v8si)__index;
  __v8si __m = (__v8si)__mask;
  __v8si __r = { 0 };
  for (int __n = 0; __n < 8; __n++) __r[__n] = __m[__n] < 0 ? *(int const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v8si)__source)[__n];
  return (__m256i)__r;
}

__AVX2_FN __m128i _mm_i32gather_epi64(long long const *__p, __m128i __index, int __imm) {
  __v4si __i = (__v4si)__index;
  __v2di __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = *(long long const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128i)__r;
}

__AVX2_FN __m128i _mm_mask_i32gather_epi64(__m128i __source, long long const *__p, __m128i __index, __m128i __mask, int __imm) {
  __v4si __i = (__v4si)__index;
  __v2di __m = (__v2di)__mask;
  __v2di __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = __m[__n] < 0 ? *(long long const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v2di)__source)[__n];
  return (__m128i)__r;
}

__AVX2_FN __m256i _mm256_i32gather_epi64(long long const *__p, __m128i __index, int __imm) {
  __v4si __i = (__v4si)__index;
  __v4di __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = *(long long const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m256i)__r;
}

__AVX2_FN __m256i _mm256_mask_i32gather_epi64(__m256i __source, long long const *__p, __m128i __index, __m256i __mask, int __imm) {
  __v4si __i = (__v4si)__index;
  __v4di __m = (__v4di)__mask;
  __v4di __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = __m[__n] < 0 ? *(long long const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4di)__source)[__n];
  return (__m256i)__r;
}

__AVX2_FN __m128 _mm_i32gather_ps(float const *__p, __m128i __index, int __imm) {
  __v4si __i = (__v4si)__index;
  __v4sf __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = *(float const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128)__r;
}

__AVX2_FN __m128 _mm_mask_i32gather_ps(__m128 __source, float const *__p, __m128i __index, __m128 __mask, int __imm) {
  __v4si __i = (__v4si)__index;
  __v4si __m = (__v4si)__mask;
  __v4sf __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = __m[__n] < 0 ? *(float const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4sf)__source)[__n];
  return (__m128)__r;
}

__AVX2_FN __m256 _mm256_i32gather_ps(float const *__p, __m256i __index, int __imm) {
  __v8si __i = (__v8si)__index;
  __v8sf __r = { 0 };
  for (int __n = 0; __n < 8; __n++) __r[__n] = *(float const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m256)__r;
}

__AVX2_FN __m256 _mm256_mask_i32gather_ps(__m256 __source, float const *__p, __m256i __index, __m256 __mask, int __imm) {
  __v8si __i = (__v8si)__index;
  __v8si __m = (__v8si)__mask;
  __v8sf __r = { 0 };
  for (int __n = 0; __n < 8; __n++) __r[__n] = __m[__n] < 0 ? *(float const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v8sf)__source)[__n];
  return (__m256)__r;
}

__AVX2_FN __m128d _mm_i32gather_pd(double const *__p, __m128i __index, int __imm) {
  __v4si __i = (__v4si)__index;
  __v2df __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = *(double const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128d)__r;
}

__AVX2_FN __m128d _mm_mask_i32gather_pd(__m128d __source, double const *__p, __m128i __index, __m128d __mask, int __imm) {
  __v4si __i = (__v4si)__index;
  __v2di __m = (__v2di)__mask;
  __v2df __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = __m[__n] < 0 ? *(double const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v2df)__source)[__n];
  return (__m128d)__r;
}

__AVX2_FN __m256d _mm256_i32gather_pd(double const *__p, __m128i __index, int __imm) {
  __v4si __i = (__v4si)__index;
  __v4df __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = *(double const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m256d)__r;
}

__AVX2_FN __m256d _mm256_mask_i32gather_pd(__m256d __source, double const *__p, __m128i __index, __m256d __mask, int __imm) {
  __v4si __i = (__v4si)__index;
  __v4di __m = (__v4di)__mask;
  __v4df __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = __m[__n] < 0 ? *(double const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4df)__source)[__n];
  return (__m256d)__r;
}

__AVX2_FN __m128i _mm_i64gather_epi32(int const *__p, __m128i __index, int __imm) {
  __v2di __i = (__v2di)__index;
  __v4si __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = *(int const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128i)__r;
}

__AVX2_FN __m128i _mm_mask_i64gather_epi32(__m128i __source, int const *__p, __m128i __index, __m128i __mask, int __imm) {
  __v2di __i = (__v2di)__index;
  __v4si __m = (__v4si)__mask;
  __v4si __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = __m[__n] < 0 ? *(int const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4si)__source)[__n];
  return (__m128i)__r;
}

__AVX2_FN __m128i _mm256_i64gather_epi32(int const *__p, __m256i __index, int __imm) {
  __v4di __i = (__v4di)__index;
  __v4si __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = *(int const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128i)__r;
}

__AVX2_FN __m128i _mm256_mask_i64gather_epi32(__m128i __source, int const *__p, __m256i __index, __m128i __mask, int __imm) {
  __v4di __i = (__v4di)__index;
  __v4si __m = (__v4si)__mask;
  __v4si __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = __m[__n] < 0 ? *(int const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4si)__source)[__n];
  return (__m128i)__r;
}

__AVX2_FN __m128i _mm_i64gather_epi64(long long const *__p, __m128i __index, int __imm) {
  __v2di __i = (__v2di)__index;
  __v2di __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = *(long long const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128i)__r;
}

__AVX2_FN __m128i _mm_mask_i64gather_epi64(__m128i __source, long long const *__p, __m128i __index, __m128i __mask, int __imm) {
  __v2di __i = (__v2di)__index;
  __v2di __m = (__v2di)__mask;
  __v2di __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = __m[__n] < 0 ? *(long long const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v2di)__source)[__n];
  return (__m128i)__r;
}

__AVX2_FN __m256i _mm256_i64gather_epi64(long long const *__p, __m256i __index, int __imm) {
  __v4di __i = (__v4di)__index;
  __v4di __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = *(long long const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m256i)__r;
}

__AVX2_FN __m256i _mm256_mask_i64gather_epi64(__m256i __source, long long const *__p, __m256i __index, __m256i __mask, int __imm) {
  __v4di __i = (__v4di)__index;
  __v4di __m = (__v4di)__mask;
  __v4di __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = __m[__n] < 0 ? *(long long const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4di)__source)[__n];
  return (__m256i)__r;
}

__AVX2_FN __m128 _mm_i64gather_ps(float const *__p, __m128i __index, int __imm) {
  __v2di __i = (__v2di)__index;
  __v4sf __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = *(float const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128)__r;
}

__AVX2_FN __m128 _mm_mask_i64gather_ps(__m128 __source, float const *__p, __m128i __index, __m128 __mask, int __imm) {
  __v2di __i = (__v2di)__index;
  __v4si __m = (__v4si)__mask;
  __v4sf __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = __m[__n] < 0 ? *(float const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4sf)__source)[__n];
  return (__m128)__r;
}

__AVX2_FN __m128 _mm256_i64gather_ps(float const *__p, __m256i __index, int __imm) {
  __v4di __i = (__v4di)__index;
  __v4sf __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = *(float const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128)__r;
}

__AVX2_FN __m128 _mm256_mask_i64gather_ps(__m128 __source, float const *__p, __m256i __index, __m128 __mask, int __imm) {
  __v4di __i = (__v4di)__index;
  __v4si __m = (__v4si)__mask;
  __v4sf __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = __m[__n] < 0 ? *(float const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4sf)__source)[__n];
  return (__m128)__r;
}

__AVX2_FN __m128d _mm_i64gather_pd(double const *__p, __m128i __index, int __imm) {
  __v2di __i = (__v2di)__index;
  __v2df __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = *(double const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m128d)__r;
}

__AVX2_FN __m128d _mm_mask_i64gather_pd(__m128d __source, double const *__p, __m128i __index, __m128d __mask, int __imm) {
  __v2di __i = (__v2di)__index;
  __v2di __m = (__v2di)__mask;
  __v2df __r = { 0 };
  for (int __n = 0; __n < 2; __n++) __r[__n] = __m[__n] < 0 ? *(double const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v2df)__source)[__n];
  return (__m128d)__r;
}

__AVX2_FN __m256d _mm256_i64gather_pd(double const *__p, __m256i __index, int __imm) {
  __v4di __i = (__v4di)__index;
  __v4df __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = *(double const *)((char const *)__p + (long long)__i[__n] * __imm);
  return (__m256d)__r;
}

__AVX2_FN __m256d _mm256_mask_i64gather_pd(__m256d __source, double const *__p, __m256i __index, __m256d __mask, int __imm) {
  __v4di __i = (__v4di)__index;
  __v4di __m = (__v4di)__mask;
  __v4df __r = { 0 };
  for (int __n = 0; __n < 4; __n++) __r[__n] = __m[__n] < 0 ? *(double const *)((char const *)__p + (long long)__i[__n] * __imm) : ((__v4df)__source)[__n];
  return (__m256d)__r;
}

#endif
