/* Provides: __popcountdi2 __popcountsi2 __paritydi2 __paritysi2 __clzdi2 __clzsi2 __ctzdi2 __ctzsi2 __ffsdi2 __ffssi2 __clrsbdi2 __bswapsi2 __bswapdi2 */
/* Counting bits, for code whose processor has no instruction for it. */

typedef unsigned int u32;
typedef unsigned long long u64;

int __popcountdi2(u64 v) {
  v -= v >> 1 & 0x5555555555555555;
  v = (v & 0x3333333333333333) + (v >> 2 & 0x3333333333333333);
  v = (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (int)(v * 0x0101010101010101 >> 56);
}

int __popcountsi2(u32 v) {
  return __popcountdi2(v);
}

int __paritydi2(u64 v) {
  return __popcountdi2(v) & 1;
}

int __paritysi2(u32 v) {
  return __popcountdi2(v) & 1;
}

int __clzdi2(u64 v) {
  u64 n;
  __asm__("bsrq %1, %0" : "=r"(n) : "r"(v) : "cc");
  return 63 - (int)n;
}

int __clzsi2(u32 v) {
  return __clzdi2(v) - 32;
}

int __ctzdi2(u64 v) {
  u64 n;
  __asm__("bsfq %1, %0" : "=r"(n) : "r"(v) : "cc");
  return (int)n;
}

int __ctzsi2(u32 v) {
  return __ctzdi2(v);
}

int __ffsdi2(u64 v) {
  return v ? __ctzdi2(v) + 1 : 0;
}

int __ffssi2(u32 v) {
  return __ffsdi2(v);
}

int __clrsbdi2(long long v) {
  u64 u = (u64)(v < 0 ? ~v : v);
  return u ? __clzdi2(u) - 1 : 63;
}

u32 __bswapsi2(u32 v) {
  return v << 24 | (v & 0xff00) << 8 | (v >> 8 & 0xff00) | v >> 24;
}

u64 __bswapdi2(u64 v) {
  return (u64)__bswapsi2((u32)v) << 32 | __bswapsi2((u32)(v >> 32));
}
