#include <stdio.h>
#include <stdint.h>

static uint32_t reverse(uint32_t x) {
  x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
  x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
  x = (x & 0x0f0f0f0f) << 4 | (x >> 4 & 0x0f0f0f0f);
  x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
  return x << 16 | x >> 16;
}

static int popcount(uint64_t x) {
  int n = 0;
  for (; x; x &= x - 1)
    n++;
  return n;
}

static uint32_t swap(uint32_t x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
static uint16_t swap16(uint16_t x) { return (uint16_t)(x << 8 | x >> 8); }
static int log2i(uint32_t x) {
  int r = 0;
  if (x >> 16) { x >>= 16; r += 16; }
  if (x >> 8) { x >>= 8; r += 8; }
  if (x >> 4) { x >>= 4; r += 4; }
  if (x >> 2) { x >>= 2; r += 2; }
  return r + (x > 1);
}
static int sign(int x) { return (x > 0) - (x < 0); }
static int absolute(int x) { int m = x >> 31; return (x ^ m) - m; }
static int min(int a, int b) { return b ^ ((a ^ b) & -(a < b)); }
static unsigned next_power(unsigned x) {
  x--;
  for (int i = 1; i < 32; i *= 2)
    x |= x >> i;
  return x + 1;
}
static int is_power(unsigned x) { return x && !(x & (x - 1)); }
static uint64_t interleave(uint32_t x, uint32_t y) {
  uint64_t r = 0;
  for (int i = 0; i < 32; i++)
    r |= (uint64_t)(x >> i & 1) << 2 * i | (uint64_t)(y >> i & 1) << (2 * i + 1);
  return r;
}
static unsigned gray(unsigned n) { return n ^ n >> 1; }
static int test(const unsigned char *set, int i) { return set[i >> 3] >> (i & 7) & 1; }
static void flip(unsigned char *set, int i) { set[i >> 3] ^= 1 << (i & 7); }

int main(void) {
  uint32_t v[] = { 0, 1, 0x80000000, 0xdeadbeef, 0xffffffff };
  for (int i = 0; i < 5; i++)
    printf("%08x %d %08x %d %08x %d\n", reverse(v[i]), popcount(v[i] * 0x100000001u), swap(v[i]), log2i(v[i]), gray(v[i]), is_power(v[i]));
  printf("%d %d %d %d %d %x\n", sign(-5), absolute(-77), min(3, -4), min(2, 9), next_power(1000), swap16(0x1234));
  printf("%llx\n", (unsigned long long)interleave(0xffff0000, 0x12345678));
  unsigned char set[4] = { 0 };
  for (int i = 0; i < 32; i += 3)
    flip(set, i);
  printf("%d %d %02x%02x%02x%02x\n", test(set, 9), test(set, 10), set[0], set[1], set[2], set[3]);
  return 0;
}
