// Both sides of a branch begin with the same checked sum: one instruction with two results, both of which take the place of the other's.
#include <stdio.h>

static volatile int way;

__attribute__((noipa)) static int sum(int side, int a, int b) {
  int s;
  if (side) {
    way = 1;
    if (__builtin_add_overflow(a, b, &s))
      return -1;
    way = 3;
    return s;
  }
  way = 2;
  if (__builtin_add_overflow(a, b, &s))
    return -2;
  way = 4;
  return s + 1;
}

__attribute__((noipa)) static unsigned product(int side, unsigned a, unsigned b) {
  unsigned p;
  if (side)
    return __builtin_mul_overflow(a, b, &p) ? 7 : p;
  return __builtin_mul_overflow(a, b, &p) ? 9 : p * 2;
}

int main(void) {
  for (int side = 0; side < 2; side++) {
    printf("%d %d\n", sum(side, 596, 9), sum(side, 0x7fffffff, 9));
    printf("%u %u\n", product(side, 596, 9), product(side, 0x7fffffff, 9));
  }
  return 0;
}
