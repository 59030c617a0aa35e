// flags: -mfpmath=387 -std=gnu11 -fexcess-precision=standard -lm
// interpreter: calls functions of libgcc
// Complex values computed as long double.
#include <complex.h>
#include <stdio.h>

volatile double d1 = 1 - 0x1p-30, d2 = 1 + 0x1p-30;
static int one = 1;

#define VALUE(e) printf("%-36s %.25Lg\n", #e, (long double)(e))
#define TRUTH(e) printf("%-36s %d\n", #e, (int)(e))
#define PARTS(e) parts(#e, e)

static void parts(const char *text, _Complex long double z) {
  printf("%-36s %.25Lg %.25Lg\n", text, __real__ z, __imag__ z);
}

int main(void) {
  volatile _Complex double z1 = (1 - 0x1p-30) + 0.5i, z2 = (1 + 0x1p-30) + 0x1p-40i;
  volatile _Complex float w1 = 1 + 0x1p-23f + 0.25if, w2 = 1 + 0x1p-23f + 0.125if;
  _Complex double z;
  _Complex float w;
  PARTS(z1 * z2);
  PARTS(z1 / z2);
  PARTS(z1 + z2);
  PARTS(w1 * w2);
  PARTS(z1 * d1);
  PARTS(-(z1 * z2));
  PARTS(~(z1 * z2));
  PARTS((0, z1 * z2));
  PARTS(one ? z1 * z2 : 1);
  VALUE(__imag__(z1 / z2));
  VALUE(__real__(z1 * z2));
  z = z1 * z2;
  PARTS(z);
  TRUTH(z == z1 * z2);
  w = w1 * w2;
  PARTS(w);
  z = w1 * w2;
  PARTS(z);
  PARTS((_Complex double)(z1 * z2));
  z = z1, z *= z2;
  PARTS(z);
  w = w1, w /= w2;
  PARTS(w);
  double d = z1 * z2;
  VALUE(d);
  VALUE(creal(z1 * z2));
  PARTS(conj(z1 * z2));
  PARTS(0.1 + 0.2i);
  static _Complex double fixed = 0.1 + 0.2i;
  PARTS(fixed);
  TRUTH(fixed == 0.1 + 0.2i);
  PARTS(__builtin_complex(d1 * d2, d1));
}
