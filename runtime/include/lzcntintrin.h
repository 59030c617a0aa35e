/* LZCNT. */
#ifndef _LZCNTINTRIN_H_INCLUDED
#define _LZCNTINTRIN_H_INCLUDED 1

#define __LZCNT_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("lzcnt")))

__LZCNT_FN unsigned short __lzcnt16(unsigned short __a) {
  return __a ? (unsigned short)(__builtin_clz(__a) - 16) : 16;
}

__LZCNT_FN unsigned int __lzcnt32(unsigned int __a) {
  return __a ? (unsigned int)__builtin_clz(__a) : 32;
}

__LZCNT_FN unsigned long long __lzcnt64(unsigned long long __a) {
  return __a ? (unsigned long long)__builtin_clzll(__a) : 64;
}

#define _lzcnt_u32(a) __lzcnt32(a)
#define _lzcnt_u64(a) __lzcnt64(a)

#endif
