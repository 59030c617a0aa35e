// GNU: the real definition after an `extern inline` one takes its place, for calls in front of it too.
#include <stdio.h>

extern inline __attribute__((gnu_inline)) int twice(int x) { return x * 2; }
static int early(int x) { return twice(x); }
int twice(int x) { return x + x + 1000; }
int (*address)(int) = twice;

extern inline __attribute__((gnu_inline, always_inline)) int forced(int x) { return x * 3; }
int forced(int x) { return x + 3000; }

/* The real one may be another function's name, or a static one. */
extern inline __attribute__((gnu_inline)) int named(void) { return 23; }
int other(void) { return 24; }
extern int named(void) __attribute__((weak, alias("other")));
extern inline __attribute__((gnu_inline)) int hidden(void) { return 1; }
static inline int hidden(void) { return 2; }

int main(void) {
  int (*volatile r)(void) = named;
  int (*volatile p)(int) = twice, (*volatile q)(int) = forced;
  printf("%d %d %d %d\n", early(1), twice(2), p(3), address(4));
  printf("%d %d\n", forced(1), q(2));
  printf("%d %d\n", r(), hidden());
  return 0;
}
