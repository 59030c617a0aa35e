/* The bases of fs and gs. */
#ifndef _FSGSBASEINTRIN_H_INCLUDED
#define _FSGSBASEINTRIN_H_INCLUDED 1

#define __FSGS_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("fsgsbase")))

__FSGS_FN unsigned int _readfsbase_u32(void) {
  unsigned int __x;
  __asm__ __volatile__("rdfsbase %0" : "=r"(__x));
  return __x;
}

__FSGS_FN void _writefsbase_u32(unsigned int __x) {
  __asm__ __volatile__("wrfsbase %0" : : "r"(__x) : "memory");
}

__FSGS_FN unsigned long long _readfsbase_u64(void) {
  unsigned long long __x;
  __asm__ __volatile__("rdfsbase %0" : "=r"(__x));
  return __x;
}

__FSGS_FN void _writefsbase_u64(unsigned long long __x) {
  __asm__ __volatile__("wrfsbase %0" : : "r"(__x) : "memory");
}

__FSGS_FN unsigned int _readgsbase_u32(void) {
  unsigned int __x;
  __asm__ __volatile__("rdgsbase %0" : "=r"(__x));
  return __x;
}

__FSGS_FN void _writegsbase_u32(unsigned int __x) {
  __asm__ __volatile__("wrgsbase %0" : : "r"(__x) : "memory");
}

__FSGS_FN unsigned long long _readgsbase_u64(void) {
  unsigned long long __x;
  __asm__ __volatile__("rdgsbase %0" : "=r"(__x));
  return __x;
}

__FSGS_FN void _writegsbase_u64(unsigned long long __x) {
  __asm__ __volatile__("wrgsbase %0" : : "r"(__x) : "memory");
}

#endif
