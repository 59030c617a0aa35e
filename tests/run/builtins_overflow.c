#include <stdio.h>
#include <limits.h>

#define TRY(op, a, b, type)                                                                                                  \
  do {                                                                                                                       \
    type r;                                                                                                                  \
    int o = __builtin_##op##_overflow(a, b, &r);                                                                             \
    printf("%d:%lld ", o, (long long)r);                                                                                     \
  } while (0)

int main(void) {
  volatile int i = INT_MAX, j = 2, k = INT_MIN;
  volatile long l = LONG_MAX;
  volatile unsigned u = UINT_MAX;
  volatile unsigned long ul = ULONG_MAX;
  volatile signed char c = 100;
  TRY(add, i, j, int); TRY(sub, k, j, int); TRY(mul, i, j, int); TRY(add, j, j, int);
  printf("\n");
  TRY(add, l, 1, long); TRY(mul, l, 2l, long); TRY(sub, -l, 2l, long); TRY(mul, l, 1l, long);
  printf("\n");
  TRY(add, u, 1u, unsigned); TRY(sub, 1u, u, unsigned); TRY(mul, u, u, unsigned); TRY(mul, ul, 2ul, unsigned long);
  printf("\n");
  TRY(add, c, c, signed char); TRY(add, c, c, int); TRY(mul, c, 200, unsigned char); TRY(sub, 1, 2, unsigned);
  printf("\n");
  TRY(add, i, i, long); TRY(mul, i, i, long); TRY(add, ul, -1, unsigned long); TRY(add, -5, 10u, int); TRY(add, -5, 3u, unsigned);
  printf("\n");
  TRY(mul, k, -1, int); TRY(mul, k, -1, long); TRY(sub, 0, k, int); TRY(add, u, i, int);
  printf("\n");
  int r = 0;
  printf("%d %d\n", __builtin_sadd_overflow(i, 1, &r), r);
  unsigned long ur = 0;
  printf("%d %lu\n", __builtin_umull_overflow(ul, 3, &ur), ur);
  printf("%d %d\n", __builtin_add_overflow_p(i, 1, 0), __builtin_mul_overflow_p(3, 4, (char)0));
  __int128 wide;
  printf("%d ", __builtin_mul_overflow((__int128)l << 60, (__int128)l << 10, &wide));
  printf("%d %llx\n", __builtin_mul_overflow((__int128)l, (__int128)-l, &wide), (long long)(wide >> 64));
  return 0;
}
