/* Provides: __mulhc3 __divhc3 */
#include "complex.h"

#define INFINITE __builtin_inff()
#define COPYSIGN(x, y) ((_Float16)__builtin_copysignf((x), (y)))
COMPLEX_MULTIPLY(__mulhc3, _Float16)

/* A _Float16's products and their sums do not leave the range of float. */
_Complex _Float16 __divhc3(_Float16 a, _Float16 b, _Float16 c, _Float16 d) {
  float aa = a, bb = b, cc = c, dd = d, denominator = cc * cc + dd * dd;
  _Float16 x = (_Float16)((aa * cc + bb * dd) / denominator), y = (_Float16)((bb * cc - aa * dd) / denominator);
  RECOVER_QUOTIENT(_Float16)
  return MAKE_COMPLEX(_Float16, x, y);
}
