// flags: -fwrapv
#include <stdio.h>
#include <limits.h>

static int check(int x) { return x + 1 > x; }
static int neg(int x) { return -x; }
static long mul(long a, long b) { return a * b; }
static int loop(void) {
  int n = 0;
  for (int i = INT_MAX - 3; i > 0; i++)
    n++;
  return n;
}

int main(void) {
  printf("%d %d\n", check(INT_MAX), check(5));
  printf("%d %ld %d\n", neg(INT_MIN), mul(LONG_MAX, 2), loop());
  int x = INT_MAX;
  x++;
  printf("%d %d\n", x, x - 1);
  return 0;
}
