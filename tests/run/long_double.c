// flags: -lm
#include <stdio.h>
#include <math.h>
#include <stdarg.h>

static long double mul(long double a, long double b) { return a * b; }
static long double sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long double s = 0;
  while (n--) {
    s += va_arg(ap, long double);
    s += va_arg(ap, int);
  }
  va_end(ap);
  return s;
}

struct holder {
  char c;
  long double v[2];
};

static struct holder twist(struct holder h) {
  long double t = h.v[0];
  h.v[0] = h.v[1] + h.c;
  h.v[1] = t;
  return h;
}

static long double many(int a, long double b, double c, long double d, float e, long double f) { return a + b * c - d / e + f; }

int main(void) {
  long double a = 1.1L, b = 3.0L;
  printf("%.20Lg %.20Lg %.20Lg %.20Lg\n", a + b, a - b, mul(a, b), a / b);
  printf("%.20Lg\n", sum(3, 1.5L, 2, 2.5L, 3, 1e-18L, 4));
  struct holder h = { 7, { 1.25L, -2.5L } };
  h = twist(h);
  printf("%d %Lg %Lg %zu\n", h.c, h.v[0], h.v[1], sizeof h);
  printf("%.20Lg\n", many(1, 2.5L, 3.5, 4.25L, 2.0f, 1e18L));
  printf("%d %d %d %d\n", a < b, a > b, a == b, a != b);
  long double z = 0;
  printf("%Lg %Lg %d\n", 1 / z, -1 / z, (z / z) == (z / z));
  printf("%.20Lg %.20Lg\n", sqrtl(2), fabsl(-a));
  long double acc = 1;
  for (int i = 1; i <= 25; i++)
    acc *= i;
  printf("%.25Lg\n", acc);
  a++;
  a += 1;
  a *= b;
  printf("%.20Lg %d %.9g %.17g\n", -a, (int)a, (float)a, (double)a);
  long double arr[4] = { 1, 2, 3 };
  long double *p = arr;
  *p++ += 0.5L;
  printf("%Lg %Lg %Lg %ld\n", arr[0], *p, p[2], p - arr);
  printf("%d %Lg\n", !arr[3], arr[3] ? a : b);
  return 0;
}
