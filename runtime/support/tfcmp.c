/* Provides: __eqtf2 __netf2 __lttf2 __letf2 __gttf2 __getf2 __unordtf2 */
#include "float128.h"

static int is_nan(u128 bits) {
  return (bits << 1) > (u128)0xfffe << 112;
}

static int is_signaling_nan(u128 bits) {
  return is_nan(bits) && !(bits >> 111 & 1);
}

/* -1, 0, 1 for numbers. */
static int compare(u128 a, u128 b) {
  if (((a | b) << 1) == 0 || a == b)
    return 0;
  int a_negative = (int)(a >> 127), b_negative = (int)(b >> 127);
  if (a_negative != b_negative)
    return a_negative ? -1 : 1;
  return (a < b) != a_negative ? -1 : 1;
}

/* Any NaN makes an ordered comparison invalid; only a signaling one an equality. */
static int ordered(__float128 x, __float128 y, int unordered) {
  quad a = { x }, b = { y };
  if (is_nan(a.bits) || is_nan(b.bits)) {
    raise_flags(INVALID);
    return unordered;
  }
  return compare(a.bits, b.bits);
}

static int unequal(__float128 x, __float128 y) {
  quad a = { x }, b = { y };
  if (is_nan(a.bits) || is_nan(b.bits)) {
    if (is_signaling_nan(a.bits) || is_signaling_nan(b.bits))
      raise_flags(INVALID);
    return 1;
  }
  return compare(a.bits, b.bits) != 0;
}

int __eqtf2(__float128 a, __float128 b) {
  return unequal(a, b);
}

int __netf2(__float128 a, __float128 b) {
  return unequal(a, b);
}

int __lttf2(__float128 a, __float128 b) {
  return ordered(a, b, 2);
}

int __letf2(__float128 a, __float128 b) {
  return ordered(a, b, 2);
}

int __gttf2(__float128 a, __float128 b) {
  return ordered(a, b, -2);
}

int __getf2(__float128 a, __float128 b) {
  return ordered(a, b, -2);
}

int __unordtf2(__float128 x, __float128 y) {
  quad a = { x }, b = { y };
  if (is_signaling_nan(a.bits) || is_signaling_nan(b.bits))
    raise_flags(INVALID);
  return is_nan(a.bits) || is_nan(b.bits);
}
