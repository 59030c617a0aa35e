/* Provides: __multi3 __ashlti3 __ashrti3 __lshrti3 __negti2 __cmpti2 __ucmpti2 __clzti2 __ctzti2 __ffsti2 __parityti2 __popcountti2 __clrsbti2 */
/* 128-bit operations under the names other compilers' objects may call. All work on halves: none may become a call of itself. */

typedef unsigned long long u64;
typedef long long s64;
typedef unsigned __int128 u128;
typedef __int128 s128;

typedef union {
  u128 whole;
  struct {
    u64 low, high;
  };
} parts;

s128 __multi3(s128 a, s128 b) {
  parts x = { (u128)a }, y = { (u128)b }, r;
  __asm__("mulq %3" : "=a"(r.low), "=d"(r.high) : "0"(x.low), "r"(y.low) : "cc");
  r.high += x.low * y.high + x.high * y.low;
  return (s128)r.whole;
}

s128 __ashlti3(s128 a, int n) {
  parts x = { (u128)a }, r;
  r.high = n >= 64 ? x.low << (n & 63) : n == 0 ? x.high : x.high << n | x.low >> (64 - n);
  r.low = n >= 64 ? 0 : x.low << n;
  return (s128)r.whole;
}

s128 __lshrti3(s128 a, int n) {
  parts x = { (u128)a }, r;
  r.low = n >= 64 ? x.high >> (n & 63) : n == 0 ? x.low : x.low >> n | x.high << (64 - n);
  r.high = n >= 64 ? 0 : x.high >> n;
  return (s128)r.whole;
}

s128 __ashrti3(s128 a, int n) {
  parts x = { (u128)a }, r;
  s64 high = (s64)x.high;
  r.low = n >= 64 ? (u64)(high >> (n & 63)) : n == 0 ? x.low : x.low >> n | x.high << (64 - n);
  r.high = (u64)(n >= 64 ? high >> 63 : high >> n);
  return (s128)r.whole;
}

s128 __negti2(s128 a) {
  parts x = { (u128)a }, r;
  r.low = -x.low;
  r.high = ~x.high + (x.low == 0);
  return (s128)r.whole;
}

/* 0 for less, 1 for equal, 2 for greater. */
int __cmpti2(s128 a, s128 b) {
  parts x = { (u128)a }, y = { (u128)b };
  if (x.high != y.high)
    return (s64)x.high < (s64)y.high ? 0 : 2;
  return x.low < y.low ? 0 : x.low == y.low ? 1 : 2;
}

int __ucmpti2(u128 a, u128 b) {
  parts x = { a }, y = { b };
  if (x.high != y.high)
    return x.high < y.high ? 0 : 2;
  return x.low < y.low ? 0 : x.low == y.low ? 1 : 2;
}

static int leading_zeros(u64 v) {
  u64 n;
  __asm__("bsrq %1, %0" : "=r"(n) : "r"(v) : "cc");
  return 63 - (int)n;
}

static int trailing_zeros(u64 v) {
  u64 n;
  __asm__("bsfq %1, %0" : "=r"(n) : "r"(v) : "cc");
  return (int)n;
}

int __clzti2(u128 a) {
  parts x = { a };
  return x.high ? leading_zeros(x.high) : 64 + leading_zeros(x.low);
}

int __ctzti2(u128 a) {
  parts x = { a };
  return x.low ? trailing_zeros(x.low) : 64 + trailing_zeros(x.high);
}

int __ffsti2(u128 a) {
  parts x = { a };
  return x.low ? trailing_zeros(x.low) + 1 : x.high ? trailing_zeros(x.high) + 65 : 0;
}

/* Sums of two, four, then eight bits side by side; the multiplication adds the bytes. */
static int count_ones(u64 v) {
  v -= v >> 1 & 0x5555555555555555;
  v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
  v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (int)(v * 0x0101010101010101 >> 56);
}

int __popcountti2(u128 a) {
  parts x = { a };
  return count_ones(x.low) + count_ones(x.high);
}

int __parityti2(u128 a) {
  parts x = { a };
  return count_ones(x.low ^ x.high) & 1;
}

/* Copies of the sign bit below it. */
int __clrsbti2(s128 a) {
  parts x = { (u128)a };
  if ((s64)x.high < 0) {
    x.high = ~x.high;
    x.low = ~x.low;
  }
  if (x.high == 0 && x.low == 0)
    return 127;
  return __clzti2(x.whole) - 1;
}
