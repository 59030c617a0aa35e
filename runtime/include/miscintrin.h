/* Single instructions: cache lines, the processor number. */
#ifndef _MISCINTRIN_H_INCLUDED
#define _MISCINTRIN_H_INCLUDED 1

#define __CLFLUSHOPT_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("clflushopt")))

__CLFLUSHOPT_FN void _mm_clflushopt(void *__p) {
  __asm__ __volatile__("clflushopt %0" : "+m"(*(volatile char *)__p));
}

#define __CLWB_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("clwb")))

__CLWB_FN void _mm_clwb(void *__p) {
  __asm__ __volatile__("clwb %0" : "+m"(*(volatile char *)__p));
}

#define __RDPID_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("rdpid")))

__RDPID_FN unsigned int _rdpid_u32(void) {
  unsigned long long __x;
  __asm__ __volatile__("rdpid %0" : "=r"(__x));
  return (unsigned int)__x;
}

#define __PRFCHW_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("prfchw")))

__PRFCHW_FN void _m_prefetchw(void *__p) {
  __builtin_prefetch(__p, 1, 3);
}

#endif
