/* POPCNT. */
#ifndef _POPCNTINTRIN_H_INCLUDED
#define _POPCNTINTRIN_H_INCLUDED 1

#define __POPCNT_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("popcnt")))

__POPCNT_FN int _mm_popcnt_u32(unsigned int __a) {
  return __builtin_popcount(__a);
}

__POPCNT_FN long long _mm_popcnt_u64(unsigned long long __a) {
  return __builtin_popcountll(__a);
}

#endif
