// flags: -w -flax-vector-conversions
// Shuffles of vectors of different lengths, narrow scalars in compound assignments of vectors, members of other vector types.
#include <stdio.h>

typedef unsigned long long one __attribute__((vector_size(8)));
typedef unsigned long long two __attribute__((vector_size(16)));
typedef unsigned long long four __attribute__((vector_size(32)));
typedef unsigned long long eight __attribute__((vector_size(64)));
typedef short shorts __attribute__((vector_size(16)));
typedef int ints __attribute__((vector_size(16)));
typedef signed char chars __attribute__((vector_size(16)));

__attribute__((noinline)) two low(eight a, four b) { return __builtin_shufflevector(a, b, 0, 8); }
__attribute__((noinline)) four mixed(two a, four b) { return __builtin_shufflevector(a, b, 1, 5, 0, 2); }
__attribute__((noinline)) one last(one a, four b) { return __builtin_shufflevector(a, b, 3); }
__attribute__((noinline)) shorts subtract(shorts v) { v -= v[1]; v *= (short)(v[0] ? v[2] : 3); return v; }
__attribute__((noinline)) chars shift(chars v, signed char by) { v <<= by; v += by; return v; }

struct pair { shorts s; ints i; };

int main(void) {
  two t = low((eight){1, 2, 3, 4, 5, 6, 7, 8}, (four){9, 10, 11, 12});
  four f = mixed((two){1, 2}, (four){3, 4, 5, 6});
  one o = last((one){1}, (four){7, 8, 9, 10});
  printf("%llu %llu %llu %llu %llu %llu %llu\n", t[0], t[1], f[0], f[1], f[2], f[3], o[0]);
  shorts s = subtract((shorts){10, 3, 5, 3, 2, 1, 0, -1});
  for (int i = 0; i < 8; i++) printf("%d ", s[i]);
  chars c = shift((chars){1, 2, 3, 70}, 1);
  for (int i = 0; i < 16; i++) printf("%d ", c[i]);
  ints i4 = {1, 2, 3, 4};
  struct pair p = {i4, s}, q[] = {{s, i4}, {i4, i4}};
  printf("\n%d %d %d %d\n", p.s[2], p.i[0], q[1].s[6], q[0].i[3]);
  return 0;
}
