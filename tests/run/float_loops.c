// flags: -lm
#include <stdio.h>
#include <math.h>

static double integrate(double (*f)(double), double a, double b, int n) {
  double h = (b - a) / n, s = f(a) + f(b);
  for (int i = 1; i < n; i++)
    s += f(a + i * h) * (i & 1 ? 4 : 2);
  return s * h / 3;
}

static double cube(double x) { return x * x * x - 2 * x + 1; }

static double newton(double x) {
  double r = x > 1 ? x / 2 : 1;
  for (int i = 0; i < 30; i++)
    r = 0.5 * (r + x / r);
  return r;
}

static float dot(const float *a, const float *b, int n) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

static void stencil(double *a, int n, int steps) {
  while (steps--)
    for (int i = 1; i < n - 1; i++)
      a[i] = (a[i - 1] + a[i] * 2 + a[i + 1]) * 0.25;
}

static int count(double lo, double hi, double step) {
  int n = 0;
  for (double x = lo; x <= hi; x += step)
    n += x > 0 ? 2 : x < 0 ? 1 : 100;
  return n;
}

static double horner(const double *c, int n, double x) {
  double r = 0;
  while (n-- > 0)
    r = r * x + c[n];
  return r;
}

int main(void) {
  float a[33], b[33];
  double s[20] = { 0 };
  s[10] = 1;
  for (int i = 0; i < 33; i++) {
    a[i] = i * 0.5f;
    b[i] = 33 - i;
  }
  stencil(s, 20, 25);
  printf("%.12g %.12g %.9g\n", integrate(cube, -1, 2, 100), newton(2), dot(a, b, 33));
  printf("%.12g %.12g %d\n", s[3], s[10], count(-2, 2, 0.25));
  printf("%.12g %.12g\n", horner((double[]){ 1, -3, 2, 0.5 }, 4, 1.75), pow(2, 0.5) - sqrt(2));
  int maxi = 0;
  float maxv = -1;
  for (int i = 0; i < 33; i++)
    if (a[i] * b[i] > maxv) {
      maxv = a[i] * b[i];
      maxi = i;
    }
  printf("%d %g\n", maxi, maxv);
  return 0;
}
