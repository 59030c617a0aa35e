/* C23 7.18 Bit and byte utilities. glibc has this header from 2.39 on; where it is installed, it is used. */

#ifndef _TCC_STDBIT_H
#define _TCC_STDBIT_H 1

#if __STDC_HOSTED__ && __has_include_next(<stdbit.h>)
#include_next <stdbit.h>
#else

#include <stdint.h>

#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ __ORDER_LITTLE_ENDIAN__
#define __STDC_ENDIAN_BIG__ __ORDER_BIG_ENDIAN__
#define __STDC_ENDIAN_NATIVE__ __BYTE_ORDER__

/* Everything is computed on 64 bits; WIDTH is the width of the type asked about. */
#define __TCC_STDBIT(suffix, type, WIDTH) \
  static inline unsigned int stdc_leading_zeros_##suffix(type __v) { return __v == 0 ? WIDTH : (unsigned)__builtin_clzll(__v) - (64 - WIDTH); } \
  static inline unsigned int stdc_leading_ones_##suffix(type __v) { return stdc_leading_zeros_##suffix((type)~__v); } \
  static inline unsigned int stdc_trailing_zeros_##suffix(type __v) { return __v == 0 ? WIDTH : (unsigned)__builtin_ctzll(__v); } \
  static inline unsigned int stdc_trailing_ones_##suffix(type __v) { return stdc_trailing_zeros_##suffix((type)~__v); } \
  static inline unsigned int stdc_first_leading_zero_##suffix(type __v) { return __v == (type)~(type)0 ? 0 : stdc_leading_ones_##suffix(__v) + 1; } \
  static inline unsigned int stdc_first_leading_one_##suffix(type __v) { return __v == 0 ? 0 : stdc_leading_zeros_##suffix(__v) + 1; } \
  static inline unsigned int stdc_first_trailing_zero_##suffix(type __v) { return __v == (type)~(type)0 ? 0 : stdc_trailing_ones_##suffix(__v) + 1; } \
  static inline unsigned int stdc_first_trailing_one_##suffix(type __v) { return __v == 0 ? 0 : stdc_trailing_zeros_##suffix(__v) + 1; } \
  static inline unsigned int stdc_count_zeros_##suffix(type __v) { return WIDTH - (unsigned)__builtin_popcountll(__v); } \
  static inline unsigned int stdc_count_ones_##suffix(type __v) { return (unsigned)__builtin_popcountll(__v); } \
  static inline _Bool stdc_has_single_bit_##suffix(type __v) { return __v != 0 && (__v & (type)(__v - 1)) == 0; } \
  static inline unsigned int stdc_bit_width_##suffix(type __v) { return WIDTH - stdc_leading_zeros_##suffix(__v); } \
  static inline type stdc_bit_floor_##suffix(type __v) { return __v == 0 ? 0 : (type)((type)1 << (stdc_bit_width_##suffix(__v) - 1)); } \
  static inline type stdc_bit_ceil_##suffix(type __v) { return __v <= 1 ? 1 : (type)((type)2 << (stdc_bit_width_##suffix((type)(__v - 1)) - 1)); }

__TCC_STDBIT(uc, unsigned char, __CHAR_BIT__ * (unsigned)sizeof(unsigned char))
__TCC_STDBIT(us, unsigned short, __CHAR_BIT__ * (unsigned)sizeof(unsigned short))
__TCC_STDBIT(ui, unsigned int, __CHAR_BIT__ * (unsigned)sizeof(unsigned int))
__TCC_STDBIT(ul, unsigned long, __CHAR_BIT__ * (unsigned)sizeof(unsigned long))
__TCC_STDBIT(ull, unsigned long long, __CHAR_BIT__ * (unsigned)sizeof(unsigned long long))

#undef __TCC_STDBIT

#define __TCC_STDBIT_PICK(name, v) \
  _Generic((v), _Bool: name##_uc, unsigned char: name##_uc, unsigned short: name##_us, unsigned int: name##_ui, unsigned long: name##_ul, \
           unsigned long long: name##_ull)((v))
#define stdc_leading_zeros(v) __TCC_STDBIT_PICK(stdc_leading_zeros, v)
#define stdc_leading_ones(v) __TCC_STDBIT_PICK(stdc_leading_ones, v)
#define stdc_trailing_zeros(v) __TCC_STDBIT_PICK(stdc_trailing_zeros, v)
#define stdc_trailing_ones(v) __TCC_STDBIT_PICK(stdc_trailing_ones, v)
#define stdc_first_leading_zero(v) __TCC_STDBIT_PICK(stdc_first_leading_zero, v)
#define stdc_first_leading_one(v) __TCC_STDBIT_PICK(stdc_first_leading_one, v)
#define stdc_first_trailing_zero(v) __TCC_STDBIT_PICK(stdc_first_trailing_zero, v)
#define stdc_first_trailing_one(v) __TCC_STDBIT_PICK(stdc_first_trailing_one, v)
#define stdc_count_zeros(v) __TCC_STDBIT_PICK(stdc_count_zeros, v)
#define stdc_count_ones(v) __TCC_STDBIT_PICK(stdc_count_ones, v)
#define stdc_has_single_bit(v) __TCC_STDBIT_PICK(stdc_has_single_bit, v)
#define stdc_bit_width(v) __TCC_STDBIT_PICK(stdc_bit_width, v)
#define stdc_bit_floor(v) __TCC_STDBIT_PICK(stdc_bit_floor, v)
#define stdc_bit_ceil(v) __TCC_STDBIT_PICK(stdc_bit_ceil, v)

#endif
#endif
