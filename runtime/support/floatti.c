/* Provides: __floattisf __floattidf __floattixf __floatuntisf __floatuntidf __floatuntixf __floatundisf __floatundidf __floatundixf __floattihf __floatuntihf */
/* 128-bit integers to floating point, rounded once, in the current rounding mode.

   The integer is cut down to 64 bits with a sticky last bit, which rounds like the whole; the long double of it is exact, and its
   conversion to the narrower type is the only rounding. */

typedef unsigned long long u64;
typedef unsigned __int128 u128;

static long double from_u64(u64 v) {
  long double r = (long double)(long long)v;
  return (long long)v < 0 ? r + 0x1p64L : r;
}

/* 2^n for the small range needed here. */
static long double power_of_two(int n) {
  union {
    struct {
      u64 fraction;
      unsigned short exponent;
    } bits;
    long double value;
  } u;
  u.bits.fraction = (u64)1 << 63;
  u.bits.exponent = (unsigned short)(16383 + n);
  return u.value;
}

/* The top 64 bits at most, the last one sticky; *SHIFT is how many were cut off. */
static u64 cut(u128 v, int *shift) {
  int n = 0;
  while (v >> n >> 64)
    n++;
  *shift = n;
  u64 kept = (u64)(v >> n);
  return n && v & (((u128)1 << n) - 1) ? kept | 1 : kept;
}

/* The double and the float have fewer than 63 bits, so a sticky 64-bit integer rounds right. */
static long double sticky(u128 v) {
  int shift;
  u64 kept = cut(v, &shift);
  return from_u64(kept) * power_of_two(shift);
}

/* For the long double itself 64 bits leave no room for a sticky bit: high and low parts are exact, their sum rounds once. */
static long double exact_sum(u128 v) {
  return from_u64((u64)(v >> 64)) * 0x1p64L + from_u64((u64)v);
}

long double __floatuntixf(u128 a) {
  return exact_sum(a);
}

long double __floattixf(__int128 a) {
  long double high = (long double)(long long)(a >> 64);
  return high * 0x1p64L + from_u64((u64)a);
}

double __floatuntidf(u128 a) {
  return (double)sticky(a);
}

double __floattidf(__int128 a) {
  return (double)(a < 0 ? -sticky(-(u128)a) : sticky((u128)a));
}

float __floatuntisf(u128 a) {
  return (float)sticky(a);
}

float __floattisf(__int128 a) {
  return (float)(a < 0 ? -sticky(-(u128)a) : sticky((u128)a));
}

long double __floatundixf(u64 a) {
  return from_u64(a);
}

double __floatundidf(u64 a) {
  return (double)from_u64(a);
}

float __floatundisf(u64 a) {
  return (float)from_u64(a);
}

_Float16 __floatuntihf(u128 a) {
  /* Beyond the largest _Float16 everything is alike: a float keeps enough of it, with a sticky bit below that matters. */
  return (_Float16)(a > 0x1ffff ? 0x1p17f : (float)(unsigned)a);
}

_Float16 __floattihf(__int128 a) {
  return a < 0 ? -__floatuntihf(-(u128)a) : __floatuntihf((u128)a);
}
