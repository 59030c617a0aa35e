// flags: -lquadmath
#include <stdio.h>

static __float128 add(__float128 a, __float128 b) { return a + b; }

static void show(__float128 v) {
  union {
    __float128 f;
    unsigned long long u[2];
  } x = { v };
  printf("%016llx%016llx\n", x.u[1], x.u[0]);
}

static _Float16 half(float x) { return (_Float16)x; }

int main(void) {
  __float128 a = 1.1, b = (__float128)3 / 7;
  show(add(a, b));
  show(a - b);
  show(a * b);
  show(a / b);
  show(-a);
  printf("%d %d %d %d\n", a < b, a > b, a == a, a != b);
  printf("%.17g %.9g %.20Lg %d %ld\n", (double)b, (float)b, (long double)b, (int)(a * 100), (long)(b * 1e15));
  show((__float128)12345678901234567890ull);
  show((__float128)1.5f);
  show((__float128)0.1L);
  show(1.0Q / 3);
  _Float16 h = half(1.5f), k = half(65504);
  printf("%g %g %g\n", (double)(h + h), (float)(k * 2), (float)(_Float16)0.1);
  printf("%d %zu\n", (int)half(-7.9f), sizeof h);
  _Float32 f = 1.25f32;
  _Float64 d = 2.5f64;
  printf("%g %g\n", (double)f, (double)d);
  return 0;
}
