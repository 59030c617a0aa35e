/* Provides: __extendsftf2 __extenddftf2 __extendxftf2 __trunctfsf2 __trunctfdf2 __trunctfxf2 */
#include "float128.h"

typedef union {
  float value;
  unsigned bits;
} single_bits;

typedef union {
  double value;
  u64 bits;
} double_bits;

typedef union {
  long double value;
  struct {
    u64 significand;
    unsigned short head;
  } parts;
} extended_bits;

/* A NaN keeps its payload and becomes quiet. */
static __float128 widen(number x) {
  return pack_quad(x, is_signaling(x) ? INVALID : 0);
}

__float128 __extendsftf2(float a) {
  single_bits u = { a };
  return widen(unpack(u.bits, SINGLE));
}

__float128 __extenddftf2(double a) {
  double_bits u = { a };
  return widen(unpack(u.bits, DOUBLE));
}

__float128 __extendxftf2(long double a) {
  extended_bits u = { a };
  number x;
  int biased = u.parts.head & 0x7fff;
  u64 significand = u.parts.significand;
  x.sign = u.parts.head >> 15;
  x.mantissa = (u128)significand << (LEADING - 63);
  x.exponent = (biased ? biased : 1) - 16383;
  if (biased == 0x7fff) {
    x.kind = significand << 1 ? NAN_ : INFINITY_;
    x.mantissa &= ((u128)1 << LEADING) - 1;
  } else if (significand == 0) {
    x.kind = ZERO;
  } else {
    x.kind = FINITE;
    normalize(&x);
  }
  return widen(x);
}

float __trunctfsf2(__float128 a) {
  number x = unpack_quad(a);
  int flags = is_signaling(x) ? INVALID : 0;
  single_bits u;
  u.bits = (unsigned)pack(x, SINGLE, &flags);
  raise_flags(flags);
  return u.value;
}

double __trunctfdf2(__float128 a) {
  number x = unpack_quad(a);
  int flags = is_signaling(x) ? INVALID : 0;
  double_bits u;
  u.bits = (u64)pack(x, DOUBLE, &flags);
  raise_flags(flags);
  return u.value;
}

long double __trunctfxf2(__float128 a) {
  number x = unpack_quad(a);
  int flags = is_signaling(x) ? INVALID : 0;
  extended_bits u;
  packed r = { 0, 0 };
  switch (x.kind) {
  case ZERO:
    break;
  case INFINITY_:
    r.significand = (u128)1 << 63;
    r.biased = 0x7fff;
    break;
  case NAN_:
    r.significand = (x.mantissa | (u128)3 << (LEADING - 1)) >> (LEADING - 63);
    r.biased = 0x7fff;
    break;
  default:
    r = round_to(x, EXTENDED, &flags);
  }
  u.parts.significand = (u64)r.significand;
  u.parts.head = (unsigned short)(x.sign << 15 | r.biased);
  raise_flags(flags);
  return u.value;
}
