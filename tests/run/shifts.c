// checked: shift, negative numbers are shifted to the left
#include <stdio.h>

static unsigned rotl(unsigned x, int n) { return x << n | x >> (32 - n); }
static unsigned long rotr64(unsigned long x, unsigned n) { return x >> n | x << (-n & 63); }
static unsigned char rot8(unsigned char x, int n) { return (unsigned char)(x << n | x >> (8 - n)); }

int main(void) {
  volatile int n = 7;
  printf("%x %lx %x\n", rotl(0x12345678, n), rotr64(0x123456789abcdef0ul, n), rot8(0x96, n));
  printf("%x\n", rotl(0x80000001, 1));
  long v = -1;
  printf("%ld %ld %lu\n", v << n, v >> n, (unsigned long)v >> n);
  int i = 1 << (n * 4);
  printf("%d %d\n", i, i >> n);
  unsigned char shift = 33;
  printf("%lx\n", 1ul << shift);
  for (int k = 0; k < 64; k += 9)
    printf("%lx ", (0xdeadbeefcafebabeul >> k) ^ (0xdeadbeefcafebabeul << k));
  printf("\n");
  short s = -5;
  s >>= 1;
  printf("%d\n", s);
  s <<= 3;
  printf("%d\n", s);
  return 0;
}
