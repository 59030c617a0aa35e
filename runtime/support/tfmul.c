/* Provides: __multf3 __divtf3 */
#include "float128.h"

/* The top of the product of two 116-bit mantissas, the rest sticky. */
static u128 product(u128 a, u128 b) {
  u64 a_high = (u64)(a >> 64), a_low = (u64)a, b_high = (u64)(b >> 64), b_low = (u64)b;
  u128 low = (u128)a_low * b_low, middle = (u128)a_high * b_low, middle2 = (u128)a_low * b_high;
  u128 carry = (low >> 64) + (u64)middle + (u64)middle2;
  u128 high = (u128)a_high * b_high + (middle >> 64) + (middle2 >> 64) + (carry >> 64);
  u128 lower = carry << 64 | (u64)low;
  /* The leading one is at bit 230 or 231 of the whole: 102 or 103 of the high half. */
  return high << 13 | lower >> 115 | ((lower & (((u128)1 << 115) - 1)) != 0);
}

__float128 __multf3(__float128 x, __float128 y) {
  number a = unpack_quad(x), b = unpack_quad(y);
  int flags = 0, sign = a.sign ^ b.sign;
  if (a.kind == NAN_ || b.kind == NAN_)
    return pack_quad(choose_nan(a, b, &flags), flags);
  if ((a.kind == INFINITY_ && b.kind == ZERO) || (a.kind == ZERO && b.kind == INFINITY_))
    return pack_quad(default_nan(), INVALID);
  if (b.kind == ZERO || b.kind == INFINITY_)
    a.kind = b.kind;
  if (a.kind == FINITE) {
    a.mantissa = product(a.mantissa, b.mantissa);
    a.exponent += b.exponent;
    normalize(&a);
  }
  a.sign = sign;
  return pack_quad(a, flags);
}

/* 116 quotient bits by subtraction; what remains is sticky. */
static u128 quotient(u128 n, u128 d) {
  u128 q = 0;
  for (int i = 0; i <= LEADING; i++) {
    q <<= 1;
    if (n >= d) {
      n -= d;
      q |= 1;
    }
    n <<= 1;
  }
  return q | (n != 0);
}

__float128 __divtf3(__float128 x, __float128 y) {
  number a = unpack_quad(x), b = unpack_quad(y);
  int flags = 0, sign = a.sign ^ b.sign;
  if (a.kind == NAN_ || b.kind == NAN_) {
    /* Of two equal fractions division takes the second. */
    number chosen = choose_nan(a, b, &flags);
    if (a.kind == NAN_ && b.kind == NAN_ && a.mantissa == b.mantissa)
      chosen = b;
    return pack_quad(chosen, flags);
  }
  if (a.kind == b.kind && a.kind != FINITE)
    return pack_quad(default_nan(), INVALID);
  if (a.kind == FINITE && b.kind == FINITE) {
    if (a.mantissa < b.mantissa) {
      a.mantissa <<= 1;
      a.exponent--;
    }
    a.mantissa = quotient(a.mantissa, b.mantissa);
    a.exponent -= b.exponent;
  } else if (b.kind == ZERO) {
    flags |= a.kind == FINITE ? DIVIDE_BY_ZERO : 0;
    a.kind = INFINITY_;
  } else if (b.kind == INFINITY_) {
    a.kind = ZERO;
  }
  a.sign = sign;
  return pack_quad(a, flags);
}
