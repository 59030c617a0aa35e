/* Provides: __multc3 __divtc3 */
#include "complex.h"

#define INFINITE ((_Float128)__builtin_inf())

static _Float128 copy_sign(_Float128 x, _Float128 y) {
  union {
    _Float128 f;
    unsigned __int128 u;
  } a = { x }, b = { y };
  unsigned __int128 sign = (unsigned __int128)1 << 127;
  a.u = (a.u & ~sign) | (b.u & sign);
  return a.f;
}

#define COPYSIGN copy_sign
#define ABS(x) copy_sign((x), 0)
COMPLEX_MULTIPLY(__multc3, _Float128)
COMPLEX_DIVIDE(__divtc3, _Float128, __FLT128_MAX__ / 2, __FLT128_MIN__, __FLT128_EPSILON__, (_Float128)0x1p113)
