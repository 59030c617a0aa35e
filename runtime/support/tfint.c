/* Provides: __fixtfsi __fixtfdi __fixtfti __fixunstfsi __fixunstfdi __fixunstfti __floatsitf __floatditf __floattitf __floatunsitf __floatunditf __floatuntitf */
#include "float128.h"

/* Truncate to an integer of WIDTH bits. What does not fit is invalid and gives the nearest end of the range. */
static u128 to_integer(__float128 a, int width, int is_signed) {
  number x = unpack_quad(a);
  u128 highest = is_signed ? ((u128)1 << (width - 1)) - 1 : ((u128)1 << (width - 1) << 1) - 1;
  u128 lowest = is_signed ? -((u128)1 << (width - 1)) : 0;
  if (x.kind == ZERO)
    return 0;
  if (x.kind == FINITE && x.exponent < 0) {
    raise_flags(INEXACT);
    return 0;
  }
  u128 magnitude = 0;
  int fits = 0;
  if (x.kind == FINITE && x.exponent < width) {
    int shift = LEADING - x.exponent;
    magnitude = shift > 0 ? x.mantissa >> shift : x.mantissa << -shift;
    fits = x.sign ? is_signed && magnitude <= -lowest : magnitude <= highest;
    if (fits && shift > 0 && magnitude << shift != x.mantissa)
      raise_flags(INEXACT);
  }
  if (!fits) {
    raise_flags(INVALID);
    return x.sign ? lowest : highest;
  }
  return x.sign ? -magnitude : magnitude;
}

static __float128 from_integer(u128 magnitude, int sign) {
  number x = { magnitude ? FINITE : ZERO, sign, LEADING, magnitude };
  if (magnitude)
    normalize(&x);
  return pack_quad(x, 0);
}

int __fixtfsi(__float128 a) {
  return (int)to_integer(a, 32, 1);
}

long long __fixtfdi(__float128 a) {
  return (long long)to_integer(a, 64, 1);
}

__int128 __fixtfti(__float128 a) {
  return (__int128)to_integer(a, 128, 1);
}

unsigned __fixunstfsi(__float128 a) {
  return (unsigned)to_integer(a, 32, 0);
}

u64 __fixunstfdi(__float128 a) {
  return (u64)to_integer(a, 64, 0);
}

u128 __fixunstfti(__float128 a) {
  return to_integer(a, 128, 0);
}

__float128 __floatsitf(int a) {
  return from_integer(a < 0 ? -(u128)a : (u128)a, a < 0);
}

__float128 __floatditf(long long a) {
  return from_integer(a < 0 ? -(u128)a : (u128)a, a < 0);
}

__float128 __floattitf(__int128 a) {
  return from_integer(a < 0 ? -(u128)a : (u128)a, a < 0);
}

__float128 __floatunsitf(unsigned a) {
  return from_integer(a, 0);
}

__float128 __floatunditf(u64 a) {
  return from_integer(a, 0);
}

__float128 __floatuntitf(u128 a) {
  return from_integer(a, 0);
}
