// flags: -ffast-math
// __builtin_assoc_barrier: the value, and a border for reassociation.
#include <stdio.h>

static _Float16 half_x = 1.0f16, half_y = 0.0009765625f16;
static volatile double tiny = 1e-30;

static void barriers(void) {
  double one = 1, d = tiny;
  printf("%g\n", __builtin_assoc_barrier(one + d) - one);
  float _Complex c = 1 + tiny * __builtin_complex(0.0f, 1.0f);
  c = __builtin_assoc_barrier(c + c) - c;
  printf("%g %g\n", __real__ c, __imag__ c);
  long double e = __builtin_assoc_barrier((long double)d + 1) - 1;
  printf("%Lg\n", e);
  _Static_assert(__builtin_assoc_barrier(3) == 3, "a constant stays one");
  char small = 3;
  printf("%d %d\n", (int)sizeof(__builtin_assoc_barrier(small)), __builtin_assoc_barrier(small) + 1);
  typedef float v8 __attribute__((vector_size(32)));
  v8 a = {1, 2, 3, 4, 5, 6, 7, 8}, b = a * 0.5f;
  a = __builtin_assoc_barrier(a + b) - b;
  printf("%g %g\n", a[0], a[7]);
  printf("%g\n", (double)(__builtin_assoc_barrier(half_x + half_y) - half_x));
}

int main(void) { barriers(); }
