/* BMI2. */
#ifndef _BMI2INTRIN_H_INCLUDED
#define _BMI2INTRIN_H_INCLUDED 1

#define __BMI2_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("bmi2")))

__BMI2_FN unsigned int _bzhi_u32(unsigned int __a, unsigned int __b) {
  return __builtin_ia32_bzhi_si(__a, __b);
}

__BMI2_FN unsigned int _pdep_u32(unsigned int __a, unsigned int __b) {
  return __builtin_ia32_pdep_si(__a, __b);
}

__BMI2_FN unsigned int _pext_u32(unsigned int __a, unsigned int __b) {
  return __builtin_ia32_pext_si(__a, __b);
}

__BMI2_FN unsigned long long _bzhi_u64(unsigned long long __a, unsigned long long __b) {
  return __builtin_ia32_bzhi_di(__a, __b);
}

__BMI2_FN unsigned long long _pdep_u64(unsigned long long __a, unsigned long long __b) {
  return __builtin_ia32_pdep_di(__a, __b);
}

__BMI2_FN unsigned long long _pext_u64(unsigned long long __a, unsigned long long __b) {
  return __builtin_ia32_pext_di(__a, __b);
}

__BMI2_FN unsigned long long _mulx_u64(unsigned long long __a, unsigned long long __b, unsigned long long *__high) {
  unsigned __int128 __r = (unsigned __int128)__a * __b;
  *__high = (unsigned long long)(__r >> 64);
  return (unsigned long long)__r;
}

#endif
