/* Provides: __mulsc3 __divsc3 __muldc3 __divdc3 */
#include "complex.h"

#define INFINITE __builtin_inff()
#define COPYSIGN __builtin_copysignf
#define ABS __builtin_fabsf
COMPLEX_MULTIPLY(__mulsc3, float)

/* A float's products and their sums do not leave the range of double: no care is needed. */
_Complex float __divsc3(float a, float b, float c, float d) {
  double aa = a, bb = b, cc = c, dd = d;
  double denominator = cc * cc + dd * dd;
  float x = (float)((aa * cc + bb * dd) / denominator), y = (float)((bb * cc - aa * dd) / denominator);
  RECOVER_QUOTIENT(float)
  return MAKE_COMPLEX(float, x, y);
}

#undef INFINITE
#undef COPYSIGN
#undef ABS
#define INFINITE __builtin_inf()
#define COPYSIGN __builtin_copysign
#define ABS __builtin_fabs
COMPLEX_MULTIPLY(__muldc3, double)
COMPLEX_DIVIDE(__divdc3, double, __DBL_MAX__ / 2, __DBL_MIN__, __DBL_EPSILON__, 0x1p53)
