/* Provides: __bid_floattisd __bid_floattidd __bid_floattitd __bid_floatunstisd __bid_floatunstidd __bid_floatunstitd __bid_fixsdti __bid_fixddti __bid_fixtdti __bid_fixunssdti __bid_fixunsddti __bid_fixunstdti */
/* 128-bit integers to decimal floating point, rounded once to nearest, and back, towards zero, on the binary integer decimal encoding
   (IEEE 754-2019 3.5.2). gcc's library has no such functions. Values out of range give an unspecified result (C23 6.3.1.4). */

typedef unsigned long long u64;
typedef unsigned __int128 u128;

/* The integer as `coefficient * 10^exponent` with at most `precision` digits. */
static u128 rounded(u128 value, int precision, int *exponent) {
  u128 limit = 1, power = 1;
  for (int i = 0; i < precision; i++)
    limit *= 10;
  *exponent = 0;
  while (value / power >= limit) {
    power *= 10;
    ++*exponent;
  }
  u128 coefficient = value / power, rest = value % power, left = power - rest;
  if (rest > left || (rest == left && coefficient % 2 != 0))
    coefficient++;
  if (coefficient == limit) {
    coefficient /= 10;
    ++*exponent;
  }
  return coefficient;
}

static _Decimal32 single(u128 value, unsigned sign) {
  union { unsigned bits; _Decimal32 value; } result;
  int exponent;
  unsigned coefficient = rounded(value, 7, &exponent), field = exponent + 101;
  if (coefficient >> 23 == 0)
    result.bits = sign << 31 | field << 23 | coefficient;
  else
    result.bits = sign << 31 | 3u << 29 | field << 21 | (coefficient & 0x1fffff);
  return result.value;
}

static _Decimal64 narrow(u128 value, u64 sign) {
  union { u64 bits; _Decimal64 value; } result;
  int exponent;
  u64 coefficient = rounded(value, 16, &exponent), field = exponent + 398;
  if (coefficient >> 53 == 0)
    result.bits = sign << 63 | field << 53 | coefficient;
  else
    result.bits = sign << 63 | 3ull << 61 | field << 51 | (coefficient & 0x7ffffffffffff);
  return result.value;
}

static _Decimal128 wide(u128 value, u128 sign) {
  union { u128 bits; _Decimal128 value; } result;
  int exponent;
  u128 coefficient = rounded(value, 34, &exponent), field = exponent + 6176;
  result.bits = sign << 127 | field << 113 | coefficient;
  return result.value;
}

#define FROM(mode, type, make) \
  type __bid_floatti##mode(__int128 a) { return a < 0 ? make(-(u128)a, 1) : make(a, 0); } \
  type __bid_floatunsti##mode(u128 a) { return make(a, 0); }

FROM(sd, _Decimal32, single)
FROM(dd, _Decimal64, narrow)
FROM(td, _Decimal128, wide)

/* The integer part of `coefficient * 10^exponent`. */
static u128 truncated(u128 coefficient, int exponent) {
  for (; exponent > 0 && coefficient != 0 && exponent < 40; exponent--)
    coefficient *= 10;
  for (; exponent < 0 && coefficient != 0; exponent++)
    coefficient /= 10;
  return coefficient;
}

static u128 of_single(_Decimal32 a) {
  union { _Decimal32 value; unsigned bits; } of = {a};
  unsigned magnitude = of.bits & 0x7fffffff;
  if (magnitude >> 29 != 3)
    return truncated(magnitude & 0x7fffff, (int)(magnitude >> 23) - 101);
  if (magnitude >> 27 == 15)
    return 0;
  unsigned coefficient = (magnitude & 0x1fffff) | 0x800000;
  return coefficient < 10000000 ? truncated(coefficient, (int)(magnitude >> 21 & 0xff) - 101) : 0;
}

static u128 of_narrow(_Decimal64 a) {
  union { _Decimal64 value; u64 bits; } of = {a};
  u64 magnitude = of.bits & 0x7fffffffffffffff;
  if (magnitude >> 61 != 3)
    return truncated(magnitude & 0x1fffffffffffff, (int)(magnitude >> 53) - 398);
  if (magnitude >> 59 == 15)
    return 0;
  u64 coefficient = (magnitude & 0x7ffffffffffff) | 0x20000000000000;
  return coefficient < 10000000000000000 ? truncated(coefficient, (int)(magnitude >> 51 & 0x3ff) - 398) : 0;
}

static u128 of_wide(_Decimal128 a) {
  union { _Decimal128 value; u128 bits; } of = {a};
  u128 magnitude = of.bits & ~((u128)1 << 127), limit = (u128)100000000000000000 * 100000000000000000;
  u128 coefficient = magnitude & (((u128)1 << 113) - 1);
  if (magnitude >> 125 == 3 || coefficient >= limit)
    return 0;
  return truncated(coefficient, (int)(magnitude >> 113) - 6176);
}

#define TO(mode, type, magnitude) \
  u128 __bid_fixuns##mode##ti(type a) { return __builtin_signbit(a) ? -magnitude(a) : magnitude(a); } \
  __int128 __bid_fix##mode##ti(type a) { return __bid_fixuns##mode##ti(a); }

TO(sd, _Decimal32, of_single)
TO(dd, _Decimal64, of_narrow)
TO(td, _Decimal128, of_wide)
