/* Provides: __powisf2 __powidf2 __powixf2 */
/* x to an integer power, by squaring. */

#define POWI(name, type)                                                                                                     \
  type name(type x, int n) {                                                                                                 \
    unsigned m = n < 0 ? -(unsigned)n : (unsigned)n;                                                                         \
    type r = m & 1 ? x : 1;                                                                                                  \
    while (m >>= 1) {                                                                                                        \
      x *= x;                                                                                                                \
      if (m & 1)                                                                                                             \
        r *= x;                                                                                                              \
    }                                                                                                                        \
    return n < 0 ? 1 / r : r;                                                                                                \
  }

POWI(__powisf2, float)
POWI(__powidf2, double)
POWI(__powixf2, long double)
