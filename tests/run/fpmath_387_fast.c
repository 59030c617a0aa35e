// flags: -mfpmath=387
// As GNU C has it: operations are precise, constants are of their types.
#include <stdio.h>

volatile double d1 = 1 - 0x1p-30, d2 = 1 + 0x1p-30, tenth = 0.1, third = 1.0 / 3.0;
volatile float f = 0.1f;

int main(void) {
  printf("%d %d %d\n", d1 * d2 == 1, d1 * d2 * 0.1 < tenth, tenth * 3 == 0.3);
  printf("%d %d %d %d\n", tenth == 0.1, f == 0.1f, 0.1 == 0.1L, third == 1.0 / 3.0);
  static double sum = 0.1 + 0.2;
  printf("%d %.20g\n", __FLT_EVAL_METHOD__, sum);
  long double wide = d1 * d2;
  printf("%.20Lg\n", wide);
}
