#include <stdio.h>

static volatile unsigned seed = 12345;
static volatile unsigned char small;
static volatile unsigned short half = 65530;
static volatile long wide = -5;
static volatile unsigned long raised = 5;
static unsigned tables[4][16];

static unsigned next(void) {
  seed = seed * 1103515245u + 12345;
  return seed >> 8;
}

__attribute__((noinline)) static int clamp(short s) {
  if ((unsigned short)s > 255u) {
    if (s < 0) return 0;
    else if (s > 255) return 255;
  }
  return (unsigned char)s;
}

__attribute__((noinline)) static int any(const short *p) {
  short a = p[0], b = p[1], c = p[2], d = p[3];
  if ((a | b | c | d) == 0) return 0;
  return a * 3 + b * 5 + c * 7 + d + ((a ^ b) < 0);
}

__attribute__((noinline)) static unsigned long cut(unsigned long x, unsigned y) {
  return ((x ^ (unsigned char)y) & 0xff) + ((x | (unsigned short)y) & 0xffff) * 3;
}

__attribute__((noinline)) static void shift(unsigned long *p, unsigned *q) {
  unsigned long a = p[0], b = p[1];
  unsigned c = q[0], d = q[1];
  p[1] = b << 1 | a >> 63;
  p[0] = a << 1 | b >> 63;
  q[1] = d << 1 | c >> 31;
  q[0] = c << 1;
}

__attribute__((noinline)) static unsigned mix(const unsigned char *p, int n) {
  unsigned sum = 0;
  for (int i = 0; i + 3 < n; i += 4)
    sum = sum << 3 ^ tables[0][p[i] & 15] ^ tables[1][p[i + 1] & 15] ^ tables[2][p[i + 2] & 15] ^ tables[3][p[i + 3] & 15];
  return sum;
}

__attribute__((noinline)) static int volatiles(int x) {
  int n = 0;
  small += 200;
  half += 10;
  wide -= x;
  if (small > 100) n += 1;
  if (wide < -7) n += 2;
  if (half == x) n += 4;
  if (small < half) n += 8;
  if (--half == 0) n += 16;
  raised <<= 1;
  half ^= 0x8001;
  small = ~small;
  int before = small;
  small = 3;
  return n + before + small + half + (int)wide + (int)raised;
}

int main(void) {
  for (int i = 0; i < 64; i++) tables[i / 16][i % 16] = next();
  for (int s = -33000; s < 33000; s += 127) {
    static unsigned sum;
    sum = sum * 31 + clamp(s);
    if (s + 127 >= 33000) printf("%u\n", sum);
  }
  short row[4] = {0, 0, 0, 0}, other[4] = {-32768, 32767, -1, 5};
  printf("%d %d\n", any(row), any(other));
  printf("%lu %lu\n", cut(0x123456789abcdefUL, 0xdeadbeef), cut(~0UL, 0x100));
  unsigned long p[2] = {0x8000000000000001UL, 0xc000000000000003UL};
  unsigned q[2] = {0x80000001u, 0x40000000u};
  for (int i = 0; i < 20; i++) shift(p, q);
  printf("%lx %lx %x %x\n", p[0], p[1], q[0], q[1]);
  unsigned char bytes[64];
  for (int i = 0; i < 64; i++) bytes[i] = next();
  printf("%u\n", mix(bytes, 64));
  for (int i = 0; i < 5; i++) printf("%d ", volatiles(i));
  printf("%u %u %ld\n", small, half, wide);
  return 0;
}
