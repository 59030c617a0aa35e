/* Sums with carry in and out. */
#ifndef _ADXINTRIN_H_INCLUDED
#define _ADXINTRIN_H_INCLUDED 1

#define __ADX_FN static __inline __attribute__((__always_inline__, __artificial__))

__ADX_FN unsigned char _addcarry_u32(unsigned char __carry, unsigned int __a, unsigned int __b, unsigned int *__r) {
  unsigned int __x;
  unsigned char __one = __builtin_add_overflow(__a, __b, &__x);
  return __one | __builtin_add_overflow(__x, (unsigned int)(__carry != 0), __r);
}

__ADX_FN unsigned char _addcarry_u64(unsigned char __carry, unsigned long long __a, unsigned long long __b, unsigned long long *__r) {
  unsigned long long __x;
  unsigned char __one = __builtin_add_overflow(__a, __b, &__x);
  return __one | __builtin_add_overflow(__x, (unsigned long long)(__carry != 0), __r);
}

__ADX_FN unsigned char _subborrow_u32(unsigned char __carry, unsigned int __a, unsigned int __b, unsigned int *__r) {
  unsigned int __x;
  unsigned char __one = __builtin_sub_overflow(__a, __b, &__x);
  return __one | __builtin_sub_overflow(__x, (unsigned int)(__carry != 0), __r);
}

__ADX_FN unsigned char _subborrow_u64(unsigned char __carry, unsigned long long __a, unsigned long long __b, unsigned long long *__r) {
  unsigned long long __x;
  unsigned char __one = __builtin_sub_overflow(__a, __b, &__x);
  return __one | __builtin_sub_overflow(__x, (unsigned long long)(__carry != 0), __r);
}

#define __ADX_X_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("adx")))

__ADX_X_FN unsigned char _addcarryx_u32(unsigned char __carry, unsigned int __a, unsigned int __b, unsigned int *__r) {
  return _addcarry_u32(__carry, __a, __b, __r);
}

__ADX_X_FN unsigned char _addcarryx_u64(unsigned char __carry, unsigned long long __a, unsigned long long __b, unsigned long long *__r) {
  return _addcarry_u64(__carry, __a, __b, __r);
}

#endif
