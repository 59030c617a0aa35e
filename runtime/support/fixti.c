/* Provides: __fixsfti __fixdfti __fixxfti __fixunssfti __fixunsdfti __fixunsxfti __fixunssfdi __fixunsdfdi __fixunsxfdi __fixhfti __fixunshfti */
/* Floating point to 128-bit integers, and to unsigned 64-bit ones. The high part is the value scaled down by 2^64, exactly; what is
   left after taking it away is exact too. Values out of range give an unspecified result (C23 6.3.1.4). */

typedef unsigned long long u64;
typedef unsigned __int128 u128;

u64 __fixunsxfdi(long double a) {
  return a < 0x1p63L ? (u64)(long long)a : (u64)(long long)(a - 0x1p63L) ^ 0x8000000000000000;
}

u64 __fixunsdfdi(double a) {
  return __fixunsxfdi(a);
}

u64 __fixunssfdi(float a) {
  return __fixunsxfdi(a);
}

u128 __fixunsxfti(long double a) {
  if (!(a > 0))
    return 0;
  u64 high = __fixunsxfdi(a * 0x1p-64L);
  return (u128)high << 64 | __fixunsxfdi(a - (long double)high * 0x1p64L);
}

__int128 __fixxfti(long double a) {
  return a < 0 ? -(__int128)__fixunsxfti(-a) : (__int128)__fixunsxfti(a);
}

u128 __fixunsdfti(double a) {
  return __fixunsxfti(a);
}

u128 __fixunssfti(float a) {
  return __fixunsxfti(a);
}

__int128 __fixdfti(double a) {
  return __fixxfti(a);
}

__int128 __fixsfti(float a) {
  return __fixxfti(a);
}

__int128 __fixhfti(_Float16 a) {
  return (long long)(float)a;
}

u128 __fixunshfti(_Float16 a) {
  return (u64)(long long)(float)a;
}
