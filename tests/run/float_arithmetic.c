// flags: -lm
#include <stdio.h>
#include <math.h>

static float fadd(float a, float b) { return a + b; }
static double poly(double x) { return ((2.5 * x - 1.25) * x + 3) * x - 0.5; }

int main(void) {
  float a = 1.1f, b = 2.7f;
  printf("%.9g %.9g %.9g %.9g %.9g\n", fadd(a, b), a - b, a * b, a / b, -a);
  double x = 1e308, y = 1e-320;
  printf("%g %g %g %g\n", x * 10, y / 3, -x * 10, x - x * 10);
  for (double t = -2; t <= 2; t += 0.5)
    printf("%.17g ", poly(t));
  printf("\n");
  a += b;
  a *= 2;
  a -= 1.5;
  a /= 3;
  printf("%.9g\n", a);
  a++;
  ++a;
  a--;
  printf("%.9g\n", a);
  double s = 0;
  for (int i = 1; i < 1000; i++)
    s += 1.0 / i;
  printf("%.17g\n", s);
  float fs = 0;
  for (int i = 1; i < 1000; i++)
    fs += 1.0f / i;
  printf("%.9g\n", fs);
  printf("%.17g %.17g %.17g %.17g\n", sqrt(2.0), fabs(-3.25), floor(-2.5), copysign(1.5, -0.0));
  printf("%d %g\n", isnan(0.0 / (x - x)) != 0, -1.0 / (x - x));
  printf("%d %d %d\n", signbit(-0.0) != 0, isnan(NAN) != 0, isinf(-INFINITY) != 0);
  int n;
  double m = frexp(10.5, &n);
  printf("%g %d %g\n", m, n, ldexp(m, n));
  printf("%a %a %a\n", 1.0, 0.1, -123.456);
  printf("%.9g %.9g\n", 0x1.8p3f, 0x.8p-2);
  const double big[] = { 1e22, 1e23, 123456789012345678, 0.1, 4.9e-324, 2.2250738585072011e-308 };
  for (int i = 0; i < 6; i++)
    printf("%.17g ", big[i]);
  printf("\n");
  return 0;
}
