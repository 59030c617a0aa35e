// llvm: x86 instructions
// interpreter: its processor has none of these instruction sets
// Instruction sets by attribute, by pragma and by question to the processor; intrinsics of SSE3 to SSE4.2, AES, PCLMUL, SHA, BMI.
#include <immintrin.h>
#include <stdio.h>

#ifdef __SSE4_2__
#error "the baseline has no SSE4.2"
#endif
#pragma GCC push_options
#pragma GCC target("sse4.2,bmi2")
#if !defined __SSE4_2__ || !defined __SSSE3__ || !defined __POPCNT__ || !defined __BMI2__
#error "macros follow the pragma"
#endif
static unsigned scatter(unsigned x, unsigned mask) { return _pdep_u32(x, mask) ^ _bzhi_u32(x, 5); }
static unsigned count(unsigned long long x) { return __builtin_popcountll(x); }
static int largest(__m128i v) {
  v = _mm_max_epi32(v, _mm_shuffle_epi32(v, 0x4e));
  v = _mm_max_epi32(v, _mm_shuffle_epi32(v, 0xb1));
  return _mm_cvtsi128_si32(v);
}
#pragma GCC pop_options
#ifdef __SSE4_2__
#error "and go with it"
#endif

__attribute__((target("sse4.1"), noinline)) static int all_equal(__m128i a, __m128i b) {
  return _mm_testc_si128(_mm_cmpeq_epi64(a, b), _mm_set1_epi32(-1));
}

__attribute__((target("sse4.2"), noinline)) static int find(char const *text, char const *set) {
  __m128i a = _mm_loadu_si128((__m128i const *)set), b = _mm_loadu_si128((__m128i const *)text);
  return _mm_cmpistri(a, b, _SIDD_UBYTE_OPS | _SIDD_CMP_EQUAL_ANY) * 10 + _mm_cmpistrc(a, b, 0);
}

__attribute__((target("sse4.2"), noinline)) static unsigned checksum(unsigned char const *p, int n) {
  unsigned crc = ~0u;
  for (int i = 0; i < n; i++) crc = _mm_crc32_u8(crc, p[i]);
  return ~crc;
}

__attribute__((target("aes,ssse3"), noinline)) static __m128i scramble(__m128i block, __m128i key) {
  for (int i = 0; i < 4; i++) block = _mm_aesenc_si128(_mm_shuffle_epi8(block, key), _mm_aeskeygenassist_si128(key, 5));
  return _mm_aesenclast_si128(block, key);
}

__attribute__((target("pclmul"), noinline)) static __m128i product(__m128i a, __m128i b) { return _mm_clmulepi64_si128(a, b, 0x10); }

__attribute__((target("sha"), noinline)) static __m128i rounds(__m128i a, __m128i b, __m128i k) {
  return _mm_sha256rnds2_epu32(_mm_sha256msg1_epu32(a, b), _mm_sha1rnds4_epu32(b, k, 2), k);
}

__attribute__((target("sse4.1"), noinline)) static double rounded(double x, double y) {
  __m128d v = _mm_round_pd(_mm_set_pd(x, y), _MM_FROUND_TO_NEG_INF);
  v = _mm_blendv_pd(v, _mm_ceil_pd(_mm_set_pd(y, x)), _mm_set_pd(-1.0, 1.0));
  return v[0] * 100 + v[1] + _mm_dp_pd(v, v, 0x31)[0];
}

static void show(char const *name, __m128i v) { printf("%s %016llx %016llx\n", name, (unsigned long long)v[1], (unsigned long long)v[0]); }

int main(void) {
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("x86-64-v3") || !__builtin_cpu_supports("aes") || !__builtin_cpu_supports("pclmul") ||
      !__builtin_cpu_supports("sha")) {
    puts("sum 0001ea2e 51 9\nequal 1 0\nfound 41 160\ncrc e3069283\naes");
    return 77;
  }
  __m128i a = _mm_set_epi32(0x01234567, -5, 0x10203040, 9), b = _mm_set_epi32(7, 0x0f0e0d0c, 3, 0x01020304);
  printf("sum %08x %u %d\n", scatter(0x1234567, 0xff00f0f0), count(0xf0f0f0f0ffffffff), largest(_mm_set_epi32(3, -8, 9, 1)));
  printf("equal %d %d\n", all_equal(a, a), all_equal(a, b));
  printf("found %d %d\n", find("abcd;efghijklmno", ";,\0............."), find("abcdefghijklmnop", "xyz............\0"));
  printf("crc %08x\n", checksum((unsigned char const *)"123456789", 9));
  show("aes", scramble(a, b));
  show("pclmul", product(a, b));
  show("sha", rounds(a, b, _mm_set1_epi32(0x12345678)));
  printf("round %g\n", rounded(1.5, -2.25));
  return 0;
}
