/* Provides: __extendhfsf2 __extendhfdf2 __extendhfxf2 __extendhftf2 __truncsfhf2 __truncdfhf2 __truncxfhf2 __trunctfhf2 __eqhf2 __nehf2 */
#include "float128.h"

typedef union {
  _Float16 value;
  unsigned short bits;
} half_bits;

typedef union {
  float value;
  unsigned bits;
} single_bits;

typedef union {
  double value;
  u64 bits;
} double_bits;

static number take(_Float16 a) {
  half_bits u = { a };
  return unpack(u.bits, HALF);
}

static _Float16 give(number x) {
  int flags = is_signaling(x) ? INVALID : 0;
  half_bits u;
  u.bits = (unsigned short)pack(x, HALF, &flags);
  raise_flags(flags);
  return u.value;
}

float __extendhfsf2(_Float16 a) {
  number x = take(a);
  int flags = is_signaling(x) ? INVALID : 0;
  single_bits u;
  u.bits = (unsigned)pack(x, SINGLE, &flags);
  raise_flags(flags);
  return u.value;
}

double __extendhfdf2(_Float16 a) {
  return __extendhfsf2(a);
}

long double __extendhfxf2(_Float16 a) {
  return __extendhfsf2(a);
}

__float128 __extendhftf2(_Float16 a) {
  number x = take(a);
  return pack_quad(x, is_signaling(x) ? INVALID : 0);
}

_Float16 __truncsfhf2(float a) {
  single_bits u = { a };
  return give(unpack(u.bits, SINGLE));
}

_Float16 __truncdfhf2(double a) {
  double_bits u = { a };
  return give(unpack(u.bits, DOUBLE));
}

_Float16 __trunctfhf2(__float128 a) {
  return give(unpack_quad(a));
}

_Float16 __truncxfhf2(long double a) {
  union {
    long double value;
    struct {
      u64 significand;
      unsigned short head;
    } parts;
  } u = { a };
  number x;
  int biased = u.parts.head & 0x7fff;
  x.sign = u.parts.head >> 15;
  x.mantissa = (u128)u.parts.significand << (LEADING - 63);
  x.exponent = (biased ? biased : 1) - 16383;
  if (biased == 0x7fff) {
    x.kind = u.parts.significand << 1 ? NAN_ : INFINITY_;
    x.mantissa &= ((u128)1 << LEADING) - 1;
  } else if (u.parts.significand == 0) {
    x.kind = ZERO;
  } else {
    x.kind = FINITE;
    normalize(&x);
  }
  return give(x);
}

/* 0 for equal, else 1. */
static int unequal(_Float16 a, _Float16 b) {
  return !(__extendhfsf2(a) == __extendhfsf2(b));
}

int __eqhf2(_Float16 a, _Float16 b) {
  return unequal(a, b);
}

int __nehf2(_Float16 a, _Float16 b) {
  return unequal(a, b);
}
