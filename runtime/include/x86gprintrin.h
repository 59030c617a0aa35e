/* Intrinsics on general registers: here those that every x86-64 processor has. */
#ifndef _X86GPRINTRIN_H_INCLUDED
#define _X86GPRINTRIN_H_INCLUDED 1

#include <stddef.h>

#include <popcntintrin.h>
#include <lzcntintrin.h>
#include <bmiintrin.h>
#include <bmi2intrin.h>
#include <adxintrin.h>
#include <rdrandintrin.h>
#include <fsgsbaseintrin.h>
#include <xsaveintrin.h>
#include <miscintrin.h>
#include <systemintrin.h>

#define __GPR_FN static __inline __attribute__((__always_inline__, __artificial__))

__GPR_FN int __bsfd(int __x) { return __builtin_ctz((unsigned)__x); }
__GPR_FN int __bsfq(long long __x) { return __builtin_ctzll((unsigned long long)__x); }
__GPR_FN int __bsrd(int __x) { return 31 ^ __builtin_clz((unsigned)__x); }
__GPR_FN int __bsrq(long long __x) { return 63 ^ __builtin_clzll((unsigned long long)__x); }
__GPR_FN int __bswapd(int __x) { return (int)__builtin_bswap32((unsigned)__x); }
__GPR_FN long long __bswapq(long long __x) { return (long long)__builtin_bswap64((unsigned long long)__x); }
__GPR_FN int __popcntd(unsigned int __x) { return __builtin_popcount(__x); }
__GPR_FN long long __popcntq(unsigned long long __x) { return __builtin_popcountll(__x); }

/* Rotation counts are taken modulo the width. */
__GPR_FN unsigned char __rolb(unsigned char __x, int __n) { return (unsigned char)(__x << (__n & 7) | __x >> (-__n & 7)); }
__GPR_FN unsigned short __rolw(unsigned short __x, int __n) { return (unsigned short)(__x << (__n & 15) | __x >> (-__n & 15)); }
__GPR_FN unsigned int __rold(unsigned int __x, int __n) { return __x << (__n & 31) | __x >> (-__n & 31); }
__GPR_FN unsigned long long __rolq(unsigned long long __x, int __n) { return __x << (__n & 63) | __x >> (-__n & 63); }
__GPR_FN unsigned char __rorb(unsigned char __x, int __n) { return __rolb(__x, -__n); }
__GPR_FN unsigned short __rorw(unsigned short __x, int __n) { return __rolw(__x, -__n); }
__GPR_FN unsigned int __rord(unsigned int __x, int __n) { return __rold(__x, -__n); }
__GPR_FN unsigned long long __rorq(unsigned long long __x, int __n) { return __rolq(__x, -__n); }

__GPR_FN unsigned long long __rdtsc(void) {
  unsigned int __low, __high;
  __asm__ __volatile__("rdtsc" : "=a"(__low), "=d"(__high));
  return (unsigned long long)__high << 32 | __low;
}

__GPR_FN unsigned long long __rdtscp(unsigned int *__aux) {
  unsigned int __low, __high, __c;
  __asm__ __volatile__("rdtscp" : "=a"(__low), "=d"(__high), "=c"(__c));
  *__aux = __c;
  return (unsigned long long)__high << 32 | __low;
}

__GPR_FN unsigned long long __rdpmc(int __n) {
  unsigned int __low, __high;
  __asm__ __volatile__("rdpmc" : "=a"(__low), "=d"(__high) : "c"(__n));
  return (unsigned long long)__high << 32 | __low;
}

__GPR_FN void __pause(void) { __asm__ __volatile__("pause" : : : "memory"); }

__GPR_FN unsigned long long __readeflags(void) { return __builtin_ia32_readeflags_u64(); }

__GPR_FN void __writeeflags(unsigned long long __flags) { __builtin_ia32_writeeflags_u64(__flags); }

#define _bit_scan_forward(x) __bsfd(x)
#define _bit_scan_reverse(x) __bsrd(x)
#define _bswap(x) __bswapd(x)
#define _bswap64(x) __bswapq(x)
#define _popcnt32(x) __popcntd(x)
#define _popcnt64(x) __popcntq(x)
#define _rdpmc(x) __rdpmc(x)
#define _rdtsc() __rdtsc()
#define _rdtscp(x) __rdtscp(x)
#define _rotwl(x, n) __rolw((x), (n))
#define _rotwr(x, n) __rorw((x), (n))
#define _rotl(x, n) __rold((x), (n))
#define _rotr(x, n) __rord((x), (n))
#define _lrotl(x, n) __rolq((x), (n))
#define _lrotr(x, n) __rorq((x), (n))

#endif
