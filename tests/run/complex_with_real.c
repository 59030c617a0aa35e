// Operators on a complex and a real operand: the real one has no imaginary part that takes part.
#include <stdio.h>

volatile double d = 2, inf = __builtin_inf(), minus_zero = -0.0;
volatile float f = 0.5f;
volatile long double l = 4;
volatile int two = 2;

#define SHOW(e) show(#e, e)

static void show(const char *text, _Complex double z) {
  printf("%-24s %g %g\n", text, __real__ z, __imag__ z);
}

int main(void) {
  _Complex double z = __builtin_complex((double)inf, 1.0), w = __builtin_complex(1.0, (double)minus_zero);
  _Complex double v = __builtin_complex((double)minus_zero, (double)inf);
  _Complex float s = __builtin_complex(3.0f, (float)minus_zero);
  SHOW(d * z);
  SHOW(z * d);
  SHOW(z / d);
  SHOW(w + d);
  SHOW(d + w);
  SHOW(w - d);
  SHOW(d - w);
  SHOW(d - v);
  SHOW(v * d);
  SHOW(v / d);
  SHOW(two * z);
  SHOW(w + two);
  SHOW(two - w);
  SHOW(f * s);
  SHOW(s - f);
  SHOW(s * d);
  SHOW(w / l);
  SHOW(w * 1.5);
  SHOW(2 * z);
  SHOW(-3 - w);
  SHOW(w == 1);
  SHOW(1 / w);
  SHOW((_Complex double)d + w);
  SHOW((_Complex double)d * w);
  w += d;
  SHOW(w);
  w *= two;
  SHOW(w);
  v /= two;
  SHOW(v);
  v++;
  SHOW(v);
  d *= w;
  printf("%g\n", d);
  _Complex int n = 3 + 4i;
  n = n * two + 1;
  printf("%d %d\n", __real__ n, __imag__ n);
}
