// Parts of loaded words, and rotations of 32 bits that are written in wider types.
#include <stdio.h>
#include <string.h>

typedef unsigned long word;

#define NOINLINE __attribute__((noinline))

NOINLINE word byte_of(const word *a, unsigned i) { return a[i & 3] >> 24 & 255; }
NOINLINE word top_of(const word *a, unsigned i) { return a[i & 3] >> 56; }
NOINLINE unsigned half_of(const word *a, unsigned i) { return a[i & 3] >> 32; }
NOINLINE unsigned short middle_of(const word *a, unsigned i) { return a[i & 3] >> 40; }
NOINLINE unsigned upper_of(const unsigned *a, unsigned i) { return a[i & 7] >> 16; }
NOINLINE int bits_of(const unsigned *a, unsigned i) { return a[i & 7] >> 8 & 0x15; }
NOINLINE int wide_bits_of(const word *a, unsigned i) { return a[i & 3] >> 8 & 0x1ff00; }
NOINLINE word rest_of(const word *a, unsigned i) { return a[i & 3] >> 40; }
NOINLINE unsigned short high_of(const unsigned short *a, unsigned i) { return a[i & 15] >> 8; }
NOINLINE long signed_top(const long *a, unsigned i) { return a[i & 3] >> 56; }
NOINLINE word stored_between(word *a, word *b) {
  word x = a[0];
  b[0] = 7;
  return x >> 16 & 0xffff;
}
NOINLINE void moved(unsigned *to, const unsigned *from) {
  for (int i = 0; i < 4; i++)
    to[i] = from[i] >> 8;
}

#define ROTATE(x, n) ((((word)(x) << (n)) | (((word)(x) & 0xffffffffUL) >> (32 - (n)))) & 0xffffffffUL)
#define HALVES(x, n) ((((unsigned)(x) << (n)) | (((unsigned)(x) & 0xffffffffUL) >> (32 - (n)))) & 0xffffffffUL)

NOINLINE unsigned narrow_words(unsigned a, unsigned b, unsigned c) {
  a += (b ^ c) + 0x5a827999UL;
  a = ROTATE(a, 11) + c;
  b = HALVES(b, 10);
  a += HALVES(a + b, 31) + (c & b) + 0x6ed9eba1UL;
  return HALVES(a, 1) ^ ROTATE(b, 5);
}
NOINLINE word wide_words(word a, word b, word c) {
  a += (b ^ c) + 0x8f1bbcdcUL;
  a = ROTATE(a, 7) + c;
  b = ROTATE(b, 30);
  return ROTATE(a + b, 13) + (word)HALVES(a, 3);
}
NOINLINE word no_rotation(word a) { return (a << 7 | (a & 0xffffffff) >> 25) ^ (a << 7 | (a & 0x1ffffffff) >> 25); }

int main(void) {
  word a[4] = {0x123456789abcdef0, 0xfedcba9876543210, 0x8081828384858687, 0x0f1e2d3c4b5a6978};
  unsigned halves[8], to[4];
  unsigned short quarters[16];
  memcpy(halves, a, sizeof a);
  memcpy(quarters, a, sizeof a);
  for (unsigned i = 0; i < 4; i++) {
    printf("%lx %lx %x %x %x\n", byte_of(a, i), top_of(a, i), half_of(a, i), middle_of(a, i), upper_of(halves, i));
    printf("%x %x %lx %x %lx\n", bits_of(halves, i), wide_bits_of(a, i), rest_of(a, i), high_of(quarters, i),
           signed_top((long *)a, i));
    printf("%x %lx %lx\n", narrow_words(halves[i], halves[i + 1], halves[i + 2]), wide_words(a[i], a[3 - i], i),
           no_rotation(a[i]));
  }
  printf("%lx %lx\n", stored_between(a, a), a[0]);
  moved(to, halves);
  printf("%x %x %x %x\n", to[0], to[1], to[2], to[3]);
  return 0;
}
