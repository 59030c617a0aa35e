/* Provides: __addtf3 __subtf3 __negtf2 */
#include "float128.h"

static number add_magnitudes(number a, number b) {
  if (a.exponent < b.exponent) {
    number t = a;
    a = b;
    b = t;
  }
  u128 small = shift_sticky(b.mantissa, a.exponent - b.exponent);
  if (a.sign == b.sign) {
    a.mantissa += small;
  } else if (a.mantissa > small) {
    a.mantissa -= small;
  } else if (a.mantissa < small) {
    a.mantissa = small - a.mantissa;
    a.sign = b.sign;
  } else {
    a.kind = ZERO;
    a.sign = rounding_mode() == 1;
    return a;
  }
  normalize(&a);
  return a;
}

static __float128 add(number a, number b) {
  int flags = 0;
  if (a.kind == NAN_ || b.kind == NAN_) {
    a = choose_nan(a, b, &flags);
  } else if (a.kind == INFINITY_ || b.kind == INFINITY_) {
    if (a.kind == b.kind && a.sign != b.sign) {
      a = default_nan();
      flags |= INVALID;
    } else if (a.kind != INFINITY_) {
      a = b;
    }
  } else if (a.kind == ZERO && b.kind == ZERO) {
    if (a.sign != b.sign)
      a.sign = rounding_mode() == 1;
  } else if (a.kind == ZERO) {
    a = b;
  } else if (b.kind != ZERO) {
    a = add_magnitudes(a, b);
  }
  return pack_quad(a, flags);
}

__float128 __addtf3(__float128 a, __float128 b) {
  return add(unpack_quad(a), unpack_quad(b));
}

__float128 __subtf3(__float128 a, __float128 b) {
  number y = unpack_quad(b);
  if (y.kind != NAN_)
    y.sign ^= 1;
  return add(unpack_quad(a), y);
}

__float128 __negtf2(__float128 a) {
  quad q = { a };
  q.bits ^= (u128)1 << 127;
  return q.value;
}
