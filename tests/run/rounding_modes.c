// flags: -frounding-math -lm
#include <stdio.h>
#include <fenv.h>
#include <math.h>

static volatile double one = 1, three = 3, half = 2.5;

int main(void) {
  int modes[] = { FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO };
  for (int i = 0; i < 4; i++) {
    fesetround(modes[i]);
    double q = one / three, n = -one / three;
    printf("%a %a %g %g %ld\n", q, n, rint(half), nearbyint(-half), lrint(half));
  }
  fesetround(FE_TONEAREST);
  feclearexcept(FE_ALL_EXCEPT);
  volatile double r = one / (three - three);
  printf("%d %d\n", fetestexcept(FE_DIVBYZERO) != 0, r > 1e308);
  return 0;
}
