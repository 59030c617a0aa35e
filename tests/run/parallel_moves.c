#include <stdio.h>

static __attribute__((noinline)) long pick(long a, long b, long c, long d, long e, long f) { return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f; }
static __attribute__((noinline)) long rotate(long a, long b, long c, long d, long e, long f) { return pick(b, c, d, e, f, a); }
static __attribute__((noinline)) long reverse(long a, long b, long c, long d, long e, long f) { return pick(f, e, d, c, b, a) * 2; }
static __attribute__((noinline)) long twice(long a, long b, long c, long d, long e, long f) { return pick(a, a, b, b, c, c) + d + e + f; }
static __attribute__((noinline)) double fpick(double a, double b, double c, double d) { return a + 10 * b + 100 * c + 1000 * d; }
static __attribute__((noinline)) double frotate(double a, double b, double c, double d) { return fpick(b, c, d, a); }

static int swap_loop(int a, int b, int n) {
  for (int i = 0; i < n; i++) {
    int t = a;
    a = b;
    b = t;
    if (i % 3 == 0) {
      int u = a;
      a = b + 1;
      b = u;
    }
  }
  return a * 1000 + b;
}

static int lost_copy(int n) {
  int x = 1, y;
  do {
    y = x;
    x = x * 3 + 1;
  } while (--n);
  return y;
}

static int fibonacci(int n) {
  int a = 0, b = 1;
  while (n-- > 0) {
    int c = a + b;
    a = b;
    b = c;
  }
  return a;
}

static long three(long a, long b, long c, int n) {
  while (n--) {
    long t = a;
    a = b;
    b = c;
    c = t + n;
  }
  return a * 1000000 + b * 1000 + c;
}

int main(void) {
  printf("%ld %ld %ld\n", rotate(1, 2, 3, 4, 5, 6), reverse(1, 2, 3, 4, 5, 6), twice(1, 2, 3, 4, 5, 6));
  printf("%g\n", frotate(1, 2, 3, 4));
  printf("%d %d %d %d\n", swap_loop(1, 2, 5), swap_loop(3, 4, 10), lost_copy(6), fibonacci(30));
  printf("%ld\n", three(1, 2, 3, 7));
  return 0;
}
