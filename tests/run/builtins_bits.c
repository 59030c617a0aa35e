#include <stdio.h>

int main(void) {
  volatile unsigned v[] = { 1, 0x80000000, 0x12345678, 0xffffffff, 0xf0 };
  volatile unsigned long w[] = { 1, 1ul << 63, 0x123456789abcdef0, -1ul };
  for (int i = 0; i < 5; i++) {
    unsigned x = v[i];
    printf("%d %d %d %d %d %d %x\n", __builtin_clz(x), __builtin_ctz(x), __builtin_popcount(x), __builtin_parity(x), __builtin_ffs((int)x),
           __builtin_clrsb((int)x), __builtin_bswap32(x));
  }
  for (int i = 0; i < 4; i++) {
    unsigned long x = w[i];
    printf("%d %d %d %d %d %d %lx\n", __builtin_clzl(x), __builtin_ctzll(x), __builtin_popcountl(x), __builtin_parityll(x),
           __builtin_ffsl((long)x), __builtin_clrsbll((long long)x), (unsigned long)__builtin_bswap64(x));
  }
  volatile unsigned short s = 0x1234;
  printf("%x %d %d\n", __builtin_bswap16(s), __builtin_ffs(0), __builtin_popcount(0));
  printf("%d %d %d\n", __builtin_clz(16), __builtin_ctzl(1ul << 40), __builtin_popcountll(0xffffull));
  unsigned long m = w[2];
  printf("%d %d %d %d %d %d\n", __builtin_clzimax(m), __builtin_ctzimax(m), __builtin_popcountimax(m), __builtin_parityimax(m),
         __builtin_ffsimax((long)m), __builtin_clrsbimax((long)m));
  return 0;
}
