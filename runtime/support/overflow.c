/* Provides: __absvsi2 __absvdi2 __absvti2 __addvsi3 __addvdi3 __addvti3 __subvsi3 __subvdi3 __subvti3 __mulvsi3 __mulvdi3 __mulvti3 __negvsi2 __negvdi2 __negvti2 */
/* Arithmetic under -ftrapv: a signed result that does not fit ends the program. */

extern void abort(void) __attribute__((__noreturn__));

#define CHECKED(name, builtin, type)                                                                                         \
  type name(type a, type b) {                                                                                                \
    type r;                                                                                                                  \
    if (builtin(a, b, &r))                                                                                                   \
      abort();                                                                                                               \
    return r;                                                                                                                \
  }
#define UNARY(mode, type)                                                                                                    \
  type __negv##mode##2(type a) {                                                                                             \
    type r;                                                                                                                  \
    if (__builtin_sub_overflow((type)0, a, &r))                                                                              \
      abort();                                                                                                               \
    return r;                                                                                                                \
  }                                                                                                                          \
  type __absv##mode##2(type a) {                                                                                             \
    return a < 0 ? __negv##mode##2(a) : a;                                                                                   \
  }

CHECKED(__addvsi3, __builtin_add_overflow, int)
CHECKED(__subvsi3, __builtin_sub_overflow, int)
CHECKED(__mulvsi3, __builtin_mul_overflow, int)
UNARY(si, int)
CHECKED(__addvdi3, __builtin_add_overflow, long long)
CHECKED(__subvdi3, __builtin_sub_overflow, long long)
CHECKED(__mulvdi3, __builtin_mul_overflow, long long)
UNARY(di, long long)
CHECKED(__addvti3, __builtin_add_overflow, __int128)
CHECKED(__subvti3, __builtin_sub_overflow, __int128)
UNARY(ti, __int128)

/* Product of the magnitudes by halves: it fits when at most one high half is used and no partial sum carries out. */
__int128 __mulvti3(__int128 a, __int128 b) {
  typedef unsigned __int128 u128;
  typedef unsigned long long u64;
  u128 x = a < 0 ? -(u128)a : (u128)a, y = b < 0 ? -(u128)b : (u128)b;
  u64 x_high = (u64)(x >> 64), y_high = (u64)(y >> 64);
  if (x_high && y_high)
    abort();
  u128 cross = (u128)x_high * (u64)y + (u128)y_high * (u64)x;
  if (cross >> 64)
    abort();
  u128 low = (u128)(u64)x * (u64)y, sum = low + (cross << 64);
  int negative = (a < 0) != (b < 0);
  if (sum < low || sum > ((u128)1 << 127) - !negative)
    abort();
  return (__int128)(negative ? -sum : sum);
}
