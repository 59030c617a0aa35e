#include <stdio.h>

static double d(double x) { return x; }
static float f(float x) { return x; }
static long double ld(long double x) { return x; }

int main(void) {
  double v[] = { 0, 1.5, -1.5, 127.9, -128.9, 65535.4, -32768.9, 2147483647.0, -2147483648.0 };
  for (int i = 0; i < 9; i++)
    printf("%d %ld %lld %g %g\n", (int)v[i], (long)v[i], (long long)f((float)v[i]), (double)(float)v[i], (double)ld(v[i]));
  printf("%u %lu\n", (unsigned)d(4294967295.0), (unsigned long)d(1e19));
  printf("%lu %lu\n", (unsigned long)f(1.8e19f), (unsigned long)ld(18446744073709551615.0L));
  printf("%d %d %d\n", (signed char)d(-100.7), (unsigned char)d(200.7), (short)d(-30000.5));
  volatile unsigned long ul = 18446744073709551615ul;
  volatile long l = -9223372036854775807L - 1;
  volatile unsigned u = 4294967295u;
  volatile int i = -2147483647 - 1;
  volatile unsigned char uc = 255;
  volatile signed char sc = -128;
  printf("%.17g %.17g %.17g %.17g %g %g\n", (double)ul, (double)l, (double)u, (double)i, (double)uc, (double)sc);
  printf("%.9g %.9g %.9g %.9g %g %g\n", (double)(float)ul, (double)(float)l, (double)(float)u, (double)(float)i, (float)uc, (float)sc);
  printf("%.20Lg %.20Lg %.20Lg %.20Lg %Lg %Lg\n", (long double)ul, (long double)l, (long double)u, (long double)i, (long double)uc,
         (long double)sc);
  ul = 9007199254740993ul;
  printf("%.17g %.17g\n", (double)ul, (double)(ul | 1ul << 63));
  _Bool b = d(0.1), c = f(0.0f), e = (_Bool)256, g = ld(0.25L);
  printf("%d %d %d %d\n", b, c, e, g);
  b = (int *)0 != &(int){ 1 };
  printf("%d %d\n", b, (_Bool)"x");
  printf("%d\n", (int)(char)0x181);
  long sx = (int)0x80000000u;
  unsigned long zx = 0x80000000u;
  printf("%ld %lu %ld\n", sx, zx, (long)(short)0x8000);
  void *p = (void *)(unsigned long)0x1234;
  printf("%lx %d\n", (unsigned long)p, (char)(long)p);
  return 0;
}
