// interpreter: inline assembly
// llvm: reserved registers
/* Global register variables in the registers of the first arguments: nothing but calls changes them. */
#include <stdio.h>

register long counter asm("rdi");
register const int *cursor asm("esi");

static const int table[] = { 3, 1, 4, 1, 5, 9, 2, 6 };
static volatile long source[12] = { 11, 22, 33, 44, 55, 66, 77, 88, 99, 110, 121, 132 };
static long sink[4];
static double result;

struct block { long word[8]; } first, second;

static __attribute__((noinline)) void step(void) {
  counter += *cursor++;
}

static __attribute__((noinline)) int left(void) {
  return (int)(table + 8 - cursor);
}

/* Many values alive at once, division, shifts by a variable, copies, wide numbers, floating point: none may use the two. */
static __attribute__((noinline)) void pressure(void) {
  unsigned long a = source[0], b = source[1], c = source[2], d = source[3], e = source[4], f = source[5];
  unsigned long g = source[6], h = source[7], i = source[8], j = source[9], k = source[10], l = source[11];
  for (int r = 1; r < 20; r++) {
    a += b * r, b ^= c + g, c += d ^ h, d -= e + i, e += f ^ j, f -= g + k;
    g += h ^ l, h -= i + a, i ^= j + b, j += k * a, k ^= l << (r & 7), l += a / r - b % (r + 1);
    counter += r;
  }
  second = first;
  second.word[3] += a;
  first = second;
  unsigned __int128 wide = (unsigned __int128)a * b + c;
  wide >>= d & 63;
  sink[0] = a ^ b ^ c ^ d ^ e ^ f;
  sink[1] = g ^ h ^ i ^ j ^ k ^ l;
  sink[2] = (long)wide ^ (long)(wide >> 64);
  sink[3] = __builtin_bswap64(a) + (c < d ? e : f);
  result = (double)a / (double)(long)b + (float)c;
  for (int r = 0; r < 8; r++)
    first.word[r] = first.word[7 - r] + counter;
}

static __attribute__((noinline)) int choose(void) {
  switch (counter) {
  case 3: return 1;
  case 4: return 5;
  case 8: return 3;
  case 9: return 7;
  case 14: return 9;
  case 23: return 2;
  default: return 0;
  }
}

int main(void) {
  int chosen = 0;
  counter = 0;
  cursor = table;
  for (int r = 0; r < 6; r++) {
    step();
    chosen = chosen * 10 + choose();
  }
  long c = counter;
  int n = left();
  counter = 1000;
  pressure();
  long after = counter;
  int same = cursor == table + 6;
  __asm__("addq $7, %0" : "+r"(counter));
  long added = counter;
  long twice;
  __asm__("leaq (%1,%1), %0" : "=r"(twice) : "r"(counter));
  printf("%ld %d %d\n", c, n, chosen);
  printf("%ld %d %ld %ld\n", after, same, added, twice);
  printf("%ld %ld %ld %ld %g %ld\n", sink[0], sink[1], sink[2], sink[3], result, first.word[2]);
}
