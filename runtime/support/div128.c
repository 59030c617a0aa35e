/* Provides: __divti3 __modti3 __divmodti4 __udivti3 __umodti3 __udivmodti4 */
/* 128-bit division, from the processor's 128-by-64 division.
   The case of a divisor above 64 bits is Hacker's Delight, section 9-5 (Warren): divide the normalised high parts, correct by one. */

typedef unsigned long long u64;
typedef unsigned __int128 u128;
typedef __int128 s128;

/* high:low / d for high < d. */
static inline u64 divide_2_by_1(u64 high, u64 low, u64 d, u64 *rest) {
  u64 q, r;
  __asm__("divq %4" : "=a"(q), "=d"(r) : "0"(low), "1"(high), "r"(d) : "cc");
  *rest = r;
  return q;
}

u128 __udivmodti4(u128 n, u128 d, u128 *rest) {
  u64 d_high = (u64)(d >> 64), d_low = (u64)d, n_high = (u64)(n >> 64), n_low = (u64)n;
  u128 q;
  if (d_high == 0) {
    u64 q_high = 0, r = n_high;
    if (n_high >= d_low) {
      q_high = n_high / d_low;
      r = n_high % d_low;
    }
    u64 q_low = divide_2_by_1(r, n_low, d_low, &r);
    if (rest)
      *rest = r;
    return (u128)q_high << 64 | q_low;
  }
  if (n < d) {
    if (rest)
      *rest = n;
    return 0;
  }
  int shift = __builtin_clzll(d_high);
  if (shift)
    d_high = d_high << shift | d_low >> (64 - shift);
  u64 unused;
  u64 estimate = divide_2_by_1(n_high >> 1, n_high << 63 | n_low >> 1, d_high, &unused);
  estimate = (u64)(((u128)estimate << shift) >> 63);
  if (estimate)
    estimate--;
  u128 r = n - (u128)estimate * d_low - ((u128)(estimate * (u64)(d >> 64)) << 64);
  q = estimate;
  if (r >= d) {
    r -= d;
    q++;
  }
  if (rest)
    *rest = r;
  return q;
}

u128 __udivti3(u128 n, u128 d) {
  return __udivmodti4(n, d, 0);
}

u128 __umodti3(u128 n, u128 d) {
  u128 rest;
  __udivmodti4(n, d, &rest);
  return rest;
}

s128 __divmodti4(s128 n, s128 d, s128 *rest) {
  u128 r;
  u128 q = __udivmodti4(n < 0 ? -(u128)n : (u128)n, d < 0 ? -(u128)d : (u128)d, &r);
  *rest = n < 0 ? (s128)-r : (s128)r;
  return (n < 0) != (d < 0) ? (s128)-q : (s128)q;
}

s128 __divti3(s128 n, s128 d) {
  s128 rest;
  return __divmodti4(n, d, &rest);
}

s128 __modti3(s128 n, s128 d) {
  s128 rest;
  __divmodti4(n, d, &rest);
  return rest;
}
