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

/* Unsigned types without functions of their own, up to 128 bits: `unsigned __int128` and bit-precise types. */
__extension__ typedef unsigned __int128 __tcc_stdbit_any;

static inline unsigned int __tcc_count_ones_any(__tcc_stdbit_any __v, unsigned int __width) { return (unsigned)__builtin_popcountll((unsigned long long)__v) + (unsigned)__builtin_popcountll((unsigned long long)(__v >> 64)) + 0 * __width; }
static inline __tcc_stdbit_any __tcc_complement(__tcc_stdbit_any __v, unsigned int __width) { return ~__v & (~(__tcc_stdbit_any)0 >> (128 - __width)); }
static inline unsigned int __tcc_bit_width_any(__tcc_stdbit_any __v, unsigned int __width) { return (__v >> 64 != 0 ? 64 + stdc_bit_width_ull((unsigned long long)(__v >> 64)) : stdc_bit_width_ull((unsigned long long)__v)) + 0 * __width; }
static inline unsigned int __tcc_leading_zeros_any(__tcc_stdbit_any __v, unsigned int __width) { return __width - __tcc_bit_width_any(__v, __width); }
static inline unsigned int __tcc_leading_ones_any(__tcc_stdbit_any __v, unsigned int __width) { return __tcc_leading_zeros_any(__tcc_complement(__v, __width), __width); }
static inline unsigned int __tcc_trailing_zeros_any(__tcc_stdbit_any __v, unsigned int __width) { return __v == 0 ? __width : __tcc_count_ones_any(~__v & (__v - 1), __width); }
static inline unsigned int __tcc_trailing_ones_any(__tcc_stdbit_any __v, unsigned int __width) { return __tcc_trailing_zeros_any(__tcc_complement(__v, __width), __width); }
static inline unsigned int __tcc_first_leading_zero_any(__tcc_stdbit_any __v, unsigned int __width) { return __tcc_complement(__v, __width) == 0 ? 0 : __tcc_leading_ones_any(__v, __width) + 1; }
static inline unsigned int __tcc_first_leading_one_any(__tcc_stdbit_any __v, unsigned int __width) { return __v == 0 ? 0 : __tcc_leading_zeros_any(__v, __width) + 1; }
static inline unsigned int __tcc_first_trailing_zero_any(__tcc_stdbit_any __v, unsigned int __width) { return __tcc_complement(__v, __width) == 0 ? 0 : __tcc_trailing_ones_any(__v, __width) + 1; }
static inline unsigned int __tcc_first_trailing_one_any(__tcc_stdbit_any __v, unsigned int __width) { return __v == 0 ? 0 : __tcc_trailing_zeros_any(__v, __width) + 1; }
static inline unsigned int __tcc_count_zeros_any(__tcc_stdbit_any __v, unsigned int __width) { return __width - __tcc_count_ones_any(__v, __width); }
static inline _Bool __tcc_has_single_bit_any(__tcc_stdbit_any __v, unsigned int __width) { return __tcc_count_ones_any(__v, __width) == 1; }
static inline __tcc_stdbit_any __tcc_bit_floor_any(__tcc_stdbit_any __v, unsigned int __width) { return __v == 0 ? 0 : (__tcc_stdbit_any)1 << (__tcc_bit_width_any(__v, __width) - 1); }
static inline __tcc_stdbit_any __tcc_bit_ceil_any(__tcc_stdbit_any __v, unsigned int __width) { return __v <= 1 ? 1 : (__tcc_stdbit_any)2 << (__tcc_bit_width_any(__v - 1, __width) - 1); }

/* The functions of the standard types with a width that they do not need, to be chosen among beside those. */
#define __TCC_STDBIT_NAMED(result, name, suffix, type) \
  static inline result __tcc_##name##_##suffix(type __v, unsigned int __width) { (void)__width; return stdc_##name##_##suffix(__v); }
#define __TCC_STDBIT_TYPE(suffix, type) \
  __TCC_STDBIT_NAMED(unsigned int, leading_zeros, suffix, type) __TCC_STDBIT_NAMED(unsigned int, leading_ones, suffix, type) \
  __TCC_STDBIT_NAMED(unsigned int, trailing_zeros, suffix, type) __TCC_STDBIT_NAMED(unsigned int, trailing_ones, suffix, type) \
  __TCC_STDBIT_NAMED(unsigned int, first_leading_zero, suffix, type) __TCC_STDBIT_NAMED(unsigned int, first_leading_one, suffix, type) \
  __TCC_STDBIT_NAMED(unsigned int, first_trailing_zero, suffix, type) __TCC_STDBIT_NAMED(unsigned int, first_trailing_one, suffix, type) \
  __TCC_STDBIT_NAMED(unsigned int, count_zeros, suffix, type) __TCC_STDBIT_NAMED(unsigned int, count_ones, suffix, type) \
  __TCC_STDBIT_NAMED(_Bool, has_single_bit, suffix, type) __TCC_STDBIT_NAMED(unsigned int, bit_width, suffix, type) \
  __TCC_STDBIT_NAMED(type, bit_floor, suffix, type) __TCC_STDBIT_NAMED(type, bit_ceil, suffix, type)

__TCC_STDBIT_TYPE(uc, unsigned char)
__TCC_STDBIT_TYPE(us, unsigned short)
__TCC_STDBIT_TYPE(ui, unsigned int)
__TCC_STDBIT_TYPE(ul, unsigned long)
__TCC_STDBIT_TYPE(ull, unsigned long long)

#undef __TCC_STDBIT_TYPE
#undef __TCC_STDBIT_NAMED

/* The width of the operand's type, which must be an unsigned integer type of at most 128 bits. */
#define __TCC_STDBIT_WIDTH(v) \
  (__tcc_count_ones_any((__tcc_stdbit_any)(__typeof__(v))-1, 0) \
   + 0 * (unsigned)sizeof(struct { int __operand_is_an_unsigned_integer : (__typeof__(v))-1 > 0 && sizeof(v) <= 16 ? 1 : -1; }))
#define __TCC_STDBIT_PICK(name, v) \
  _Generic((v), _Bool: __tcc_##name##_uc, unsigned char: __tcc_##name##_uc, unsigned short: __tcc_##name##_us, unsigned int: __tcc_##name##_ui, \
           unsigned long: __tcc_##name##_ul, unsigned long long: __tcc_##name##_ull, default: __tcc_##name##_any)((v), __TCC_STDBIT_WIDTH(v))
#define stdc_leading_zeros(v) __TCC_STDBIT_PICK(leading_zeros, v)
#define stdc_leading_ones(v) __TCC_STDBIT_PICK(leading_ones, v)
#define stdc_trailing_zeros(v) __TCC_STDBIT_PICK(trailing_zeros, v)
#define stdc_trailing_ones(v) __TCC_STDBIT_PICK(trailing_ones, v)
#define stdc_first_leading_zero(v) __TCC_STDBIT_PICK(first_leading_zero, v)
#define stdc_first_leading_one(v) __TCC_STDBIT_PICK(first_leading_one, v)
#define stdc_first_trailing_zero(v) __TCC_STDBIT_PICK(first_trailing_zero, v)
#define stdc_first_trailing_one(v) __TCC_STDBIT_PICK(first_trailing_one, v)
#define stdc_count_zeros(v) __TCC_STDBIT_PICK(count_zeros, v)
#define stdc_count_ones(v) __TCC_STDBIT_PICK(count_ones, v)
#define stdc_has_single_bit(v) __TCC_STDBIT_PICK(has_single_bit, v)
#define stdc_bit_width(v) __TCC_STDBIT_PICK(bit_width, v)
#define stdc_bit_floor(v) ((__typeof__(v))__TCC_STDBIT_PICK(bit_floor, v))
#define stdc_bit_ceil(v) ((__typeof__(v))__TCC_STDBIT_PICK(bit_ceil, v))

#endif
#endif
