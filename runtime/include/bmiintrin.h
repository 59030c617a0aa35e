/* BMI1. */
#ifndef _BMIINTRIN_H_INCLUDED
#define _BMIINTRIN_H_INCLUDED 1

#define __BMI_FN static __inline __attribute__((__always_inline__, __artificial__, __target__("bmi")))

__BMI_FN unsigned short __tzcnt_u16(unsigned short __a) {
  return (unsigned short)__builtin_ctz(__a | 0x10000u);
}

__BMI_FN unsigned int __tzcnt_u32(unsigned int __a) {
  return __a ? (unsigned int)__builtin_ctz(__a) : 32;
}

__BMI_FN unsigned long long __tzcnt_u64(unsigned long long __a) {
  return __a ? (unsigned long long)__builtin_ctzll(__a) : 64;
}

__BMI_FN unsigned int __andn_u32(unsigned int __a, unsigned int __b) {
  return ~__a & __b;
}

__BMI_FN unsigned int __bextr_u32(unsigned int __a, unsigned int __b) {
  return __builtin_ia32_bextr_u32(__a, __b);
}

__BMI_FN unsigned int __blsi_u32(unsigned int __a) {
  return __a & -__a;
}

__BMI_FN unsigned int __blsr_u32(unsigned int __a) {
  return __a & (__a - 1);
}

__BMI_FN unsigned int __blsmsk_u32(unsigned int __a) {
  return __a ^ (__a - 1);
}

__BMI_FN unsigned int _bextr_u32(unsigned int __a, unsigned int __start, unsigned int __length) {
  return __builtin_ia32_bextr_u32(__a, (__start & 255) | (__length & 255) << 8);
}

__BMI_FN unsigned long long __andn_u64(unsigned long long __a, unsigned long long __b) {
  return ~__a & __b;
}

__BMI_FN unsigned long long __bextr_u64(unsigned long long __a, unsigned long long __b) {
  return __builtin_ia32_bextr_u64(__a, __b);
}

__BMI_FN unsigned long long __blsi_u64(unsigned long long __a) {
  return __a & -__a;
}

__BMI_FN unsigned long long __blsr_u64(unsigned long long __a) {
  return __a & (__a - 1);
}

__BMI_FN unsigned long long __blsmsk_u64(unsigned long long __a) {
  return __a ^ (__a - 1);
}

__BMI_FN unsigned long long _bextr_u64(unsigned long long __a, unsigned int __start, unsigned int __length) {
  return __builtin_ia32_bextr_u64(__a, (__start & 255) | (__length & 255) << 8);
}

#define _tzcnt_u16(a) __tzcnt_u16(a)
#define _tzcnt_u32(a) __tzcnt_u32(a)
#define _tzcnt_u64(a) __tzcnt_u64(a)
#define _mm_tzcnt_32(a) ((int)__tzcnt_u32(a))
#define _mm_tzcnt_64(a) ((long long)__tzcnt_u64(a))
#define _andn_u32(a, b) __andn_u32((a), (b))
#define _andn_u64(a, b) __andn_u64((a), (b))
#define _blsi_u32(a) __blsi_u32(a)
#define _blsi_u64(a) __blsi_u64(a)
#define _blsr_u32(a) __blsr_u32(a)
#define _blsr_u64(a) __blsr_u64(a)
#define _blsmsk_u32(a) __blsmsk_u32(a)
#define _blsmsk_u64(a) __blsmsk_u64(a)

#endif
