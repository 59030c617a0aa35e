#include <stdio.h>

static int calls;
static int t(int x) {
  calls++;
  return x;
}

int main(void) {
  printf("%d %d %d %d\n", t(0) && t(1), t(1) || t(0), t(2) && t(3), t(0) || t(0));
  printf("%d\n", calls);
  int a = 5, b = 0;
  printf("%d %d %d %d\n", !a, !!a, !b, a && !b);
  double d = 0.5, z = 0;
  char *p = 0, *q = "x";
  printf("%d %d %d %d\n", d && z, d || z, p && *p, q && *q);
  int r = a ? b ? 1 : 2 : 3;
  printf("%d\n", r);
  if ((a > 3 && b < 1) || t(9))
    printf("yes %d\n", calls);
  if (!(a == 5 && (b || a > 100)))
    printf("no\n");
  int x = (t(1), t(2), 3);
  printf("%d %d\n", x, calls);
  printf("%d\n", (a > 1) + (b > 1) * 2 + (a == 5 ? 4 : 0));
  long l = 0x100000000;
  if (l)
    printf("long\n");
  unsigned char c = 0;
  while (!++c)
    ;
  printf("%d\n", c);
  printf("%d %d\n", a > 0 ? -1 : 1u > 0, (a ? (short)1 : (char)2) + 0);
  const char *s = a ? "str" : 0;
  printf("%s %g\n", s, a ? 1 : 2.5);
  return 0;
}
