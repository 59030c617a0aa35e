// The value of a bit-field keeps its width through assignments, commas and statement expressions: what is narrower than int
// becomes int, what is wider than int keeps its bits.
#include <stdio.h>

struct fields {
  volatile unsigned a : 20;
  unsigned b : 20, full : 32;
  unsigned long wide : 40;
  _Bool flag : 1;
} s, *p = &s;

#define NEGATIVE(e) printf("%d ", (e) - 1 < 0)

int main(void) {
  int zero = 0;
  NEGATIVE((0, s.a));
  NEGATIVE((zero, 1, p->b));
  NEGATIVE((0, s.full));
  NEGATIVE((0, s.flag));
  NEGATIVE(({ zero; s.b; }));
  NEGATIVE(({ zero; (0, s.b = 0); }));
  NEGATIVE((zero ? s.a : (0, s.b)));
  NEGATIVE((unsigned)(0, s.b));
  NEGATIVE((0, s.a) ^ 0);
  printf("\n%lx %lx\n", (unsigned long)((0, s.wide) - 1), (unsigned long)((s.wide = 1, s.wide) << 39));
  unsigned long mask = -1;
  s.a = 5;
  mask &= (0, s.a) ^ (int)0xa13bbf6b;
  printf("%lx\n", mask);
  return 0;
}
