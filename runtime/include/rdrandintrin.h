/* Random numbers from the processor: RDRND and RDSEED. */
#ifndef _RDRANDINTRIN_H_INCLUDED
#define _RDRANDINTRIN_H_INCLUDED 1

#define __RDRAND_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("rdrnd")))

__RDRAND_FN int _rdrand16_step(unsigned short *__p) {
  int __ok;
  unsigned short __x;
  __asm__ __volatile__("rdrand %0" : "=r"(__x), "=@ccc"(__ok));
  *__p = __x;
  return __ok;
}

__RDRAND_FN int _rdrand32_step(unsigned int *__p) {
  int __ok;
  unsigned int __x;
  __asm__ __volatile__("rdrand %0" : "=r"(__x), "=@ccc"(__ok));
  *__p = __x;
  return __ok;
}

__RDRAND_FN int _rdrand64_step(unsigned long long *__p) {
  int __ok;
  unsigned long long __x;
  __asm__ __volatile__("rdrand %0" : "=r"(__x), "=@ccc"(__ok));
  *__p = __x;
  return __ok;
}

#define __RDSEED_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("rdseed")))

__RDSEED_FN int _rdseed16_step(unsigned short *__p) {
  int __ok;
  unsigned short __x;
  __asm__ __volatile__("rdseed %0" : "=r"(__x), "=@ccc"(__ok));
  *__p = __x;
  return __ok;
}

__RDSEED_FN int _rdseed32_step(unsigned int *__p) {
  int __ok;
  unsigned int __x;
  __asm__ __volatile__("rdseed %0" : "=r"(__x), "=@ccc"(__ok));
  *__p = __x;
  return __ok;
}

__RDSEED_FN int _rdseed64_step(unsigned long long *__p) {
  int __ok;
  unsigned long long __x;
  __asm__ __volatile__("rdseed %0" : "=r"(__x), "=@ccc"(__ok));
  *__p = __x;
  return __ok;
}

#endif
