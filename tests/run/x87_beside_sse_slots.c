// A function with values on the x87 stack that also reads frame slots with SSE instructions.
#include <stdio.h>

__attribute__((noinline)) static void fill(float *p) { p[0] = 1.5f, p[1] = 2.5f; }

int main(void) {
  float a[2];
  fill(a);
  long double x = a[0];
  __asm__("" : "+t"(x));
  double d = x;
  printf("%g\n", d);
  printf("%g %g %g\n", (double)a[0], (double)a[1], (double)(x * a[1]));
}
