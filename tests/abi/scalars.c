/* Scalars in registers and on the stack, narrow ones extended or not, and results of each type. */
#include <stdio.h>

#define TYPES(X)                                                                                                              \
  X(_Bool, b, 1) X(char, c, -3) X(signed char, sc, -4) X(unsigned char, uc, 250) X(short, s, -300) X(unsigned short, us, 65000)  \
  X(int, i, -70000) X(unsigned, u, 4000000000u) X(long, l, -5000000000) X(unsigned long, ul, 10000000000000000000u)           \
  X(float, f, 1.5f) X(double, d, -2.25) X(long double, ld, 3.125L) X(__int128, x, (__int128)1 << 100)

#define DECLARE(t, n, v) t id_##n(t a);
TYPES(DECLARE)
long ints(char a, short b, int c, long d, unsigned char e, unsigned short f, signed char g, short h, unsigned i, long j);
double floats(float a, double b, float c, double d, float e, double f, float g, double h, float i, double j, float k);
long double longs(long double a, int b, long double c, double d, long double e);
__int128 wide(long a, __int128 b, long c, __int128 d, long e, __int128 f, long g, __int128 h);
_Complex double complexes(_Complex float a, _Complex double b, _Complex long double c, int d);
int variadic(int n, ...);
int callback(int (*f)(int, double), int x);

#ifdef CALLEE
#include <stdarg.h>
#define DEFINE(t, n, v)                                                                                                       \
  t id_##n(t a) { return a; }
TYPES(DEFINE)
long ints(char a, short b, int c, long d, unsigned char e, unsigned short f, signed char g, short h, unsigned i, long j) {
  return a + 2l * b + 3l * c + 4 * d + 5l * e + 6l * f + 7l * g + 8l * h + 9l * i + 10 * j;
}
double floats(float a, double b, float c, double d, float e, double f, float g, double h, float i, double j, float k) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k;
}
long double longs(long double a, int b, long double c, double d, long double e) { return a * b + c * d + e; }
__int128 wide(long a, __int128 b, long c, __int128 d, long e, __int128 f, long g, __int128 h) {
  return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g * 17 + h * 19;
}
_Complex double complexes(_Complex float a, _Complex double b, _Complex long double c, int d) { return a + b * d + (_Complex double)c; }
int variadic(int n, ...) {
  va_list ap;
  va_start(ap, n);
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += va_arg(ap, int);
    s += va_arg(ap, double) * 2;
    s += (double)va_arg(ap, long double) * 4;
    s += (double)va_arg(ap, __int128);
  }
  va_end(ap);
  return (int)s;
}
int callback(int (*f)(int, double), int x) { return f(x, x * 1.5) + f(-x, 2); }
#endif

#ifdef CALLER
static int called(int a, double b) { return a * 10 + (int)b; }

#define SHOW(t, n, v)                                                                                                         \
  {                                                                                                                           \
    t a = v;                                                                                                                  \
    printf("%s %d %g\n", #t, id_##n(a) == a, (double)id_##n(a));                                                              \
  }
int main(void) {
  TYPES(SHOW)
  printf("%ld\n", ints(-1, -2, -3, -4, 255, 65535, -7, -8, 4000000000u, -10));
  printf("%g\n", floats(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11.5f));
  printf("%Lg\n", longs(1.5L, 3, 2.5L, 4, 0.125L));
  __int128 w = wide(1, (__int128)2 << 70, 3, -4, 5, 6, 7, (__int128)-8 << 64);
  printf("%lx %lx\n", (long)(w >> 64), (long)w);
  _Complex double z = complexes(1 + 2.0if, 3 - 1.0i, 0.5L + 1.0iL, 4);
  printf("%g %g\n", __real__ z, __imag__ z);
  printf("%d\n", variadic(3, 1, 2.5, 3.5L, (__int128)4, 5, 6.5, 7.5L, (__int128)8, 9, 10.5, 11.5L, (__int128)12));
  printf("%d\n", callback(called, 7));
  return 0;
}
#endif
