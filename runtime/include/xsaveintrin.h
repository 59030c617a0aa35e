/* Saving and restoring the extended state. */
#ifndef _XSAVEINTRIN_H_INCLUDED
#define _XSAVEINTRIN_H_INCLUDED 1

#define __XSAVE_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("xsave")))

__XSAVE_FN void _xsave(void *__p, long long __mask) {
  __asm__ __volatile__("xsave %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVE_FN void _xsave64(void *__p, long long __mask) {
  __asm__ __volatile__("xsave64 %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVE_FN void _xrstor(void *__p, long long __mask) {
  __asm__ __volatile__("xrstor %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVE_FN void _xrstor64(void *__p, long long __mask) {
  __asm__ __volatile__("xrstor64 %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVE_FN long long _xgetbv(unsigned int __n) {
  unsigned int __low, __high;
  __asm__ __volatile__("xgetbv" : "=a"(__low), "=d"(__high) : "c"(__n));
  return (long long)((unsigned long long)__high << 32 | __low);
}

__XSAVE_FN void _xsetbv(unsigned int __n, long long __x) {
  __asm__ __volatile__("xsetbv" : : "c"(__n), "a"((int)__x), "d"((int)(__x >> 32)));
}

#define __XSAVEOPT_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("xsaveopt")))

__XSAVEOPT_FN void _xsaveopt(void *__p, long long __mask) {
  __asm__ __volatile__("xsaveopt %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVEOPT_FN void _xsaveopt64(void *__p, long long __mask) {
  __asm__ __volatile__("xsaveopt64 %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

#define __XSAVEC_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("xsavec")))

__XSAVEC_FN void _xsavec(void *__p, long long __mask) {
  __asm__ __volatile__("xsavec %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVEC_FN void _xsavec64(void *__p, long long __mask) {
  __asm__ __volatile__("xsavec64 %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

#define __XSAVES_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("xsaves")))

__XSAVES_FN void _xsaves(void *__p, long long __mask) {
  __asm__ __volatile__("xsaves %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVES_FN void _xsaves64(void *__p, long long __mask) {
  __asm__ __volatile__("xsaves64 %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVES_FN void _xrstors(void *__p, long long __mask) {
  __asm__ __volatile__("xrstors %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

__XSAVES_FN void _xrstors64(void *__p, long long __mask) {
  __asm__ __volatile__("xrstors64 %0" : : "m"(*(char *)__p), "a"((int)__mask), "d"((int)(__mask >> 32)) : "memory");
}

#endif
