/* Arithmetic of bit-precise integers wider than 128 bits.

   Parsed behind the first external declaration that has such a type, without the preprocessor, so that no macro of the program
   reaches it. Pragmas do: there are no structures here, whose layout they could change. What the unit uses becomes local functions of its object.

   A number is its 64-bit limbs, least significant first. The unused bits of the last one may be anything in what is read and repeat
   the sign (zeros in an unsigned type) in what is written. A precision is the width in bits, negative for signed types. Results do
   not overlap operands unless a function says so. */

/* Members of packed structures stand at any address. */
typedef unsigned long __attribute__((__may_alias__, __aligned__(1))) __bit_int_limb;
typedef unsigned int __attribute__((__may_alias__, __aligned__(1))) __bit_int_digit;
typedef unsigned short __attribute__((__may_alias__, __aligned__(1))) __bit_int_sign;
typedef double __attribute__((__may_alias__, __aligned__(1))) __bit_int_double;
typedef unsigned __int128 __bit_int_pair;

static int __bit_int_count(int __p)
{
    return (int)(((unsigned int)(__p < 0 ? -__p : __p) + 63) >> 6);
}

/* Limb `i` of a number of any length. */
static __bit_int_limb __bit_int_at(const __bit_int_limb *__a, int __p, int __i)
{
    int __n = __bit_int_count(__p), __unused = (__n * 64 - (__p < 0 ? -__p : __p)) & 63;
    __bit_int_limb __x;
    if (__i < __n - 1)
        return __a[__i];
    __x = __a[__n - 1] << __unused;
    if (__i >= __n)
        return __p < 0 ? (__bit_int_limb)((long)__x >> 63) : 0;
    return __p < 0 ? (__bit_int_limb)((long)__x >> __unused) : __x >> __unused;
}

/* Brings the unused bits in order. */
static void __bit_int_wrap(__bit_int_limb *__r, int __p)
{
    int __last = __bit_int_count(__p) - 1;
    __r[__last] = __bit_int_at(__r, __p, __last);
}

/* From one type to another; `r` may be `a`. */
static void __bit_int_convert(__bit_int_limb *__r, int __rp, const __bit_int_limb *__a, int __ap)
{
    int __i, __n = __bit_int_count(__rp);
    for (__i = 0; __i < __n; __i++)
        __r[__i] = __bit_int_at(__a, __ap, __i);
    __bit_int_wrap(__r, __rp);
}

static void __bit_int_and(__bit_int_limb *__r, const __bit_int_limb *__a, const __bit_int_limb *__b, int __p)
{
    int __i, __n = __bit_int_count(__p);
    for (__i = 0; __i < __n; __i++)
        __r[__i] = __a[__i] & __b[__i];
    __bit_int_wrap(__r, __p);
}

static void __bit_int_or(__bit_int_limb *__r, const __bit_int_limb *__a, const __bit_int_limb *__b, int __p)
{
    int __i, __n = __bit_int_count(__p);
    for (__i = 0; __i < __n; __i++)
        __r[__i] = __a[__i] | __b[__i];
    __bit_int_wrap(__r, __p);
}

static void __bit_int_xor(__bit_int_limb *__r, const __bit_int_limb *__a, const __bit_int_limb *__b, int __p)
{
    int __i, __n = __bit_int_count(__p);
    for (__i = 0; __i < __n; __i++)
        __r[__i] = __a[__i] ^ __b[__i];
    __bit_int_wrap(__r, __p);
}

static void __bit_int_not(__bit_int_limb *__r, const __bit_int_limb *__a, int __p)
{
    int __i, __n = __bit_int_count(__p);
    for (__i = 0; __i < __n; __i++)
        __r[__i] = ~__a[__i];
    __bit_int_wrap(__r, __p);
}

static void __bit_int_add(__bit_int_limb *__r, const __bit_int_limb *__a, const __bit_int_limb *__b, int __p)
{
    int __i, __n = __bit_int_count(__p);
    __bit_int_pair __sum = 0;
    for (__i = 0; __i < __n; __i++) {
        __sum = (__sum >> 64) + __a[__i] + __b[__i];
        __r[__i] = (__bit_int_limb)__sum;
    }
    __bit_int_wrap(__r, __p);
}

static void __bit_int_sub(__bit_int_limb *__r, const __bit_int_limb *__a, const __bit_int_limb *__b, int __p)
{
    int __i, __n = __bit_int_count(__p);
    __bit_int_pair __sum = (__bit_int_pair)1 << 64;
    for (__i = 0; __i < __n; __i++) {
        __sum = (__sum >> 64) + __a[__i] + (__bit_int_limb)~__b[__i];
        __r[__i] = (__bit_int_limb)__sum;
    }
    __bit_int_wrap(__r, __p);
}

/* `r` may be `a`. */
static void __bit_int_neg(__bit_int_limb *__r, const __bit_int_limb *__a, int __p)
{
    int __i, __n = __bit_int_count(__p);
    __bit_int_pair __sum = (__bit_int_pair)1 << 64;
    for (__i = 0; __i < __n; __i++) {
        __sum = (__sum >> 64) + (__bit_int_limb)~__a[__i];
        __r[__i] = (__bit_int_limb)__sum;
    }
    __bit_int_wrap(__r, __p);
}

static void __bit_int_mul(__bit_int_limb *__r, const __bit_int_limb *__a, const __bit_int_limb *__b, int __p)
{
    int __i, __j, __n = __bit_int_count(__p);
    for (__i = 0; __i < __n; __i++)
        __r[__i] = 0;
    for (__i = 0; __i < __n; __i++) {
        __bit_int_limb __x = __a[__i], __carry = 0;
        if (__x == 0)
            continue;
        for (__j = 0; __j < __n - __i; __j++) {
            __bit_int_pair __t = (__bit_int_pair)__x * __b[__j] + __r[__i + __j] + __carry;
            __r[__i + __j] = (__bit_int_limb)__t;
            __carry = (__bit_int_limb)(__t >> 64);
        }
    }
    __bit_int_wrap(__r, __p);
}

/* -1, 0 or 1. */
static int __bit_int_compare(const __bit_int_limb *__a, const __bit_int_limb *__b, int __p)
{
    int __i = __bit_int_count(__p) - 1;
    __bit_int_limb __x = __bit_int_at(__a, __p, __i), __y = __bit_int_at(__b, __p, __i);
    if (__x != __y)
        return (__p < 0 ? (long)__x < (long)__y : __x < __y) ? -1 : 1;
    while (--__i >= 0)
        if (__a[__i] != __b[__i])
            return __a[__i] < __b[__i] ? -1 : 1;
    return 0;
}

static int __bit_int_nonzero(const __bit_int_limb *__a, int __p)
{
    int __i = __bit_int_count(__p) - 1;
    __bit_int_limb __any = __bit_int_at(__a, __p, __i);
    while (--__i >= 0)
        __any |= __a[__i];
    return __any != 0;
}

static void __bit_int_shl(__bit_int_limb *__r, const __bit_int_limb *__a, unsigned long __by, int __p)
{
    int __i, __n = __bit_int_count(__p), __bits = __by & 63;
    unsigned long __limbs = __by / 64;
    for (__i = 0; __i < __n; __i++) {
        __bit_int_limb __x = 0;
        if ((unsigned long)__i >= __limbs) {
            __x = __a[__i - __limbs] << __bits;
            if (__bits != 0 && (unsigned long)__i > __limbs)
                __x |= __a[__i - __limbs - 1] >> (64 - __bits);
        }
        __r[__i] = __x;
    }
    __bit_int_wrap(__r, __p);
}

static void __bit_int_shr(__bit_int_limb *__r, const __bit_int_limb *__a, unsigned long __by, int __p)
{
    int __i, __n = __bit_int_count(__p), __bits = __by & 63;
    int __limbs = __by / 64 < (unsigned long)__n ? (int)(__by / 64) : __n;
    __bit_int_limb __x = __bit_int_at(__a, __p, __limbs), __next;
    for (__i = 0; __i < __n; __i++, __x = __next) {
        __next = __bit_int_at(__a, __p, __i + __limbs + 1);
        __r[__i] = __bits != 0 ? __x >> __bits | __next << (64 - __bits) : __x;
    }
    __bit_int_wrap(__r, __p);
}

/* The absolute value in as many limbs; whether the number was negative. */
static int __bit_int_magnitude(__bit_int_limb *__r, const __bit_int_limb *__a, int __p)
{
    int __n = __bit_int_count(__p);
    __bit_int_convert(__r, __n * 64, __a, __p);
    if (__p >= 0 || (long)__r[__n - 1] >= 0)
        return 0;
    __bit_int_neg(__r, __r, __n * 64);
    return 1;
}

/* `q = a / b` and `r = a % b`, rounded to zero: Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D, on digits of 32 bits. */
static void __attribute__((__noinline__)) __bit_int_divide(
    __bit_int_limb *__q, __bit_int_limb *__r, const __bit_int_limb *__a, const __bit_int_limb *__b, int __p)
{
    int __i, __j, __n = __bit_int_count(__p), __nu = 2 * __n, __nv = 2 * __n, __shift, __minus_a, __minus_b;
    __bit_int_limb *__um = __builtin_alloca((__n + 1) * sizeof(__bit_int_limb));
    __bit_int_limb *__vm = __builtin_alloca(__n * sizeof(__bit_int_limb));
    __bit_int_digit *__u = (__bit_int_digit *)__um, *__v = (__bit_int_digit *)__vm, *__qd = (__bit_int_digit *)__q;
    __minus_a = __bit_int_magnitude(__um, __a, __p);
    __minus_b = __bit_int_magnitude(__vm, __b, __p);
    __um[__n] = 0;
    for (__i = 0; __i < __n; __i++)
        __q[__i] = __r[__i] = 0;
    while (__nv > 0 && __v[__nv - 1] == 0)
        __nv--;
    while (__nu > 0 && __u[__nu - 1] == 0)
        __nu--;
    if (__nv == 0)
        __builtin_trap();
    __shift = __builtin_clz(__v[__nv - 1]);
    if (__shift != 0) {
        for (__i = __nv - 1; __i > 0; __i--)
            __v[__i] = __v[__i] << __shift | __v[__i - 1] >> (32 - __shift);
        __v[0] <<= __shift;
        for (__i = __nu; __i > 0; __i--)
            __u[__i] = __u[__i] << __shift | __u[__i - 1] >> (32 - __shift);
        __u[0] <<= __shift;
    }
    for (__j = __nu - __nv; __j >= 0; __j--) {
        unsigned long __top = (unsigned long)__u[__j + __nv] << 32 | __u[__j + __nv - 1];
        unsigned long __guess = __top / __v[__nv - 1], __rest = __top % __v[__nv - 1], __carry = 0;
        long __t, __borrow = 0;
        while (__guess >> 32 != 0
               || (__nv > 1 && __guess * __v[__nv - 2] > (__rest << 32 | __u[__j + __nv - 2]))) {
            __guess--;
            __rest += __v[__nv - 1];
            if (__rest >> 32 != 0)
                break;
        }
        for (__i = 0; __i < __nv; __i++) {
            __carry += __guess * __v[__i];
            __t = (long)__u[__i + __j] - __borrow - (long)(__carry & 0xffffffff);
            __carry >>= 32;
            __u[__i + __j] = (unsigned int)__t;
            __borrow = __t < 0;
        }
        __t = (long)__u[__j + __nv] - __borrow - (long)__carry;
        __u[__j + __nv] = (unsigned int)__t;
        if (__t < 0) {
            __guess--;
            __carry = 0;
            for (__i = 0; __i < __nv; __i++) {
                __carry += (unsigned long)__u[__i + __j] + __v[__i];
                __u[__i + __j] = (unsigned int)__carry;
                __carry >>= 32;
            }
            __u[__j + __nv] += (unsigned int)__carry;
        }
        __qd[__j] = (unsigned int)__guess;
    }
    __bit_int_shr(__r, __um, __shift, __n * 64);
    if (__minus_a != __minus_b)
        __bit_int_neg(__q, __q, __p);
    if (__minus_a)
        __bit_int_neg(__r, __r, __p);
    __bit_int_wrap(__q, __p);
    __bit_int_wrap(__r, __p);
}

/* A bit-field of `width` bits at bit `at` as a number. */
static void __bit_int_field(__bit_int_limb *__r, int __p, const unsigned char *__from, unsigned long __at, int __width)
{
    int __i, __n = __bit_int_count(__p), __low = __at & 7;
    unsigned char *__bytes = (unsigned char *)__r;
    __from += __at / 8;
    for (__i = 0; __i < __n; __i++)
        __r[__i] = 0;
    for (__i = 0; __i * 8 < __width; __i++) {
        int __left = __width - __i * 8;
        unsigned int __x = __from[__i] >> __low;
        if (__low != 0 && __left > 8 - __low)
            __x |= (unsigned int)__from[__i + 1] << (8 - __low);
        __bytes[__i] = (unsigned char)__x;
    }
    __bit_int_convert(__r, __p, __r, __p < 0 ? -__width : __width);
}

static void __bit_int_set_field(unsigned char *__to, unsigned long __at, int __width, const __bit_int_limb *__a)
{
    int __i, __low = __at & 7;
    const unsigned char *__bytes = (const unsigned char *)__a;
    __to += __at / 8;
    for (__i = 0; __i * 8 < __width; __i++) {
        int __left = __width - __i * 8;
        unsigned int __mask = (__left >= 8 ? 255u : (1u << __left) - 1) << __low;
        unsigned int __x = (unsigned int)__bytes[__i] << __low & __mask;
        __to[__i] = (unsigned char)((__to[__i] & ~__mask) | __x);
        if (__mask >> 8 != 0)
            __to[__i + 1] = (unsigned char)((__to[__i + 1] & ~(__mask >> 8)) | __x >> 8);
    }
}

/* The number as `result * 2^scale`, where the result's last bit says whether anything but zeros was left out: it rounds to at most
   125 bits as the number does, in every mode. */
static __int128 __attribute__((__noinline__)) __bit_int_head(const __bit_int_limb *__a, int __p, int *__scale)
{
    int __i, __n = __bit_int_count(__p), __length, __shift, __minus;
    __bit_int_limb *__u = __builtin_alloca((__n + 2) * sizeof(__bit_int_limb)), __lost = 0;
    __bit_int_pair __x;
    __minus = __bit_int_magnitude(__u, __a, __p);
    __u[__n] = __u[__n + 1] = 0;
    *__scale = 0;
    while (__n > 0 && __u[__n - 1] == 0)
        __n--;
    __length = __n == 0 ? 0 : __n * 64 - __builtin_clzl(__u[__n - 1]);
    __x = __n == 0 ? 0 : __u[0] | (__bit_int_pair)__u[1] << 64;
    if (__length > 126) {
        __shift = __length - 126;
        __n = __shift / 64;
        __x = (__u[__n] | (__bit_int_pair)__u[__n + 1] << 64) >> (__shift & 63);
        if ((__shift & 63) != 0) {
            __x |= (__bit_int_pair)__u[__n + 2] << (128 - (__shift & 63));
            __lost = __u[__n] << (64 - (__shift & 63));
        }
        for (__i = 0; __i < __n; __i++)
            __lost |= __u[__i];
        __x = __x << 1 | (__lost != 0);
        *__scale = __shift - 1;
    }
    return __minus ? -(__int128)__x : (__int128)__x;
}

/* 2^step for the steps in which a power of two is multiplied. */
static double __bit_int_power(int __scale)
{
    unsigned long __bits = (unsigned long)(1023 + (__scale < 512 ? __scale : 512)) << 52;
    return *(const __bit_int_double *)&__bits;
}

static double __bit_int_to_double(const __bit_int_limb *__a, int __p)
{
    int __scale;
    double __x = (double)__bit_int_head(__a, __p, &__scale);
    for (; __scale > 0; __scale -= 512)
        __x *= __bit_int_power(__scale);
    return __x;
}

static float __bit_int_to_float(const __bit_int_limb *__a, int __p)
{
    int __scale;
    double __x = (double)(float)__bit_int_head(__a, __p, &__scale);
    for (; __scale > 0; __scale -= 512)
        __x *= __bit_int_power(__scale);
    return (float)__x;
}

static __float80 __bit_int_to_extended(const __bit_int_limb *__a, int __p)
{
    int __scale;
    __float80 __x = (__float80)__bit_int_head(__a, __p, &__scale);
    for (; __scale > 0; __scale -= 512)
        __x *= (__float80)__bit_int_power(__scale);
    return __x;
}

static __float128 __bit_int_to_quad(const __bit_int_limb *__a, int __p)
{
    int __scale;
    __float128 __x = (__float128)__bit_int_head(__a, __p, &__scale);
    for (; __scale > 0; __scale -= 512)
        __x *= (__float128)__bit_int_power(__scale);
    return __x;
}

/* `x * 2^exponent`, negated if `minus`; what lies beyond the type is lost. */
static void __bit_int_place(__bit_int_limb *__r, int __p, __bit_int_pair __x, int __exponent, int __minus)
{
    int __i, __n = __bit_int_count(__p), __limb, __bits;
    for (__i = 0; __i < __n; __i++)
        __r[__i] = 0;
    if (__exponent < 0) {
        __x = __exponent <= -128 ? 0 : __x >> -__exponent;
        __exponent = 0;
    }
    __limb = __exponent / 64;
    __bits = __exponent & 63;
    for (__i = 0; __i < 3 && __limb + __i < __n; __i++) {
        __bit_int_limb __piece = __i < 2 ? (__bit_int_limb)(__x >> 64 * __i) << __bits : 0;
        if (__i > 0 && __bits != 0)
            __piece |= (__bit_int_limb)(__x >> 64 * (__i - 1)) >> (64 - __bits);
        __r[__limb + __i] = __piece;
    }
    if (__minus)
        __bit_int_neg(__r, __r, __p);
    __bit_int_wrap(__r, __p);
}

static void __bit_int_from_extended(__bit_int_limb *__r, int __p, __float80 __x)
{
    const __bit_int_limb *__mantissa = (const __bit_int_limb *)&__x;
    int __exponent = *(const __bit_int_sign *)(__mantissa + 1);
    __bit_int_place(__r, __p, *__mantissa, (__exponent & 0x7fff) - 16383 - 63, __exponent >> 15);
}

static void __bit_int_from_quad(__bit_int_limb *__r, int __p, __float128 __x)
{
    const __bit_int_limb *__parts = (const __bit_int_limb *)&__x;
    __bit_int_pair __mantissa = __parts[0] | (__bit_int_pair)((__parts[1] & 0xfffffffffffful) | 1ul << 48) << 64;
    __bit_int_place(__r, __p, __mantissa, (int)(__parts[1] >> 48 & 0x7fff) - 16383 - 112, (int)(__parts[1] >> 63));
}
