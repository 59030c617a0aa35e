// flags: -lm
#include <stdio.h>
#include <complex.h>

static double complex mul(double complex a, double complex b) { return a * b; }
static float complex conjf_(float complex a) { return ~a; }
static long double complex addl_(long double complex a, long double complex b) { return a + b; }

struct c {
  int tag;
  double complex z;
};

static struct c build(int t, double complex z) {
  struct c r = { t, z };
  return r;
}

static void show(double complex z) { printf("(%g,%g) ", creal(z), cimag(z)); }

int main(void) {
  double complex a = 1 + 2 * I, b = 3 - 0.5 * I;
  show(a + b);
  show(a - b);
  show(mul(a, b));
  show(a / b);
  show(-a);
  show(~a);
  printf("\n");
  float complex f = 1.5f + 2.5f * I;
  f = conjf_(f * f);
  printf("%g %g\n", crealf(f), cimagf(f));
  long double complex l = addl_(a, 2.25L * I);
  printf("%Lg %Lg\n", creall(l), cimagl(l));
  struct c s = build(3, a * 2.0);
  printf("%d ", s.tag);
  show(s.z);
  __real__ s.z = 10;
  __imag__ s.z += 5;
  show(s.z);
  s.z *= 2;
  show(s.z);
  s.z += I;
  show(s.z);
  printf("\n%d %d %d\n", a == b, a != b, a == 1 + 2 * I);
  _Bool t = 0 * a;
  printf("%d %d %d\n", t, !a, a ? 1 : 0);
  show((int)7.9);
  show((float complex)b);
  printf("%g %d\n", (double)b, (int)a);
  double complex arr[3] = { 1, I, 2 + I };
  double complex sum = 0;
  for (int i = 0; i < 3; i++)
    sum += arr[i] * arr[i];
  show(sum);
  show(__builtin_complex(1.0, -0.0));
  _Complex int gi = 3 + 4i;
  gi = gi * gi;
  printf("%d %d\n", __real__ gi, __imag__ gi);
  return 0;
}
