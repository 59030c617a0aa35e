// like-gcc: gcc 12 has an error in classification macros of decimal types
// llvm: routines of our own support library
// interpreter: calls functions of libgcc
// Classification of decimal values that are not known at compile time, and the same folded; atomic updates;
// the pragma; 128-bit integers. gcc 12 fails on these.
#include <math.h>
#include <stdio.h>

#define CLASS(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define ALL(x)                                                                                                        \
    !!__builtin_isnan(x), !!__builtin_isinf(x), __builtin_isinf_sign(x), !!__builtin_isfinite(x), !!__builtin_isnormal(x), \
        !!__builtin_signbit(x), CLASS(x)

static void show(const char *what, int nan, int inf, int sign_of_inf, int finite, int normal, int sign, int class)
{
    static const char *const names[] = {
        [FP_NAN] = "nan", [FP_INFINITE] = "infinite", [FP_NORMAL] = "normal", [FP_SUBNORMAL] = "subnormal", [FP_ZERO] = "zero",
    };
    printf("%-24s %d %d %2d %d %d %d %s\n", what, nan, inf, sign_of_inf, finite, normal, sign, names[class]);
}

#define BOTH(T, x)                                                                                                    \
    do {                                                                                                              \
        volatile T value = (x);                                                                                       \
        T known = value;                                                                                              \
        show(#x, ALL(known));                                                                                         \
        static const int folded[] = {ALL((T)(x))};                                                                    \
        int computed[] = {ALL(known)};                                                                                \
        for (int i = 0; i < 7; i++)                                                                                   \
            if (folded[i] != computed[i])                                                                 \
                printf("%d: %d, not %d\n", i, folded[i], computed[i]);                                                \
    } while (0)

static void wide(const char *what, __int128 x)
{
    printf("%s %016lx%016lx\n", what, (unsigned long)(x >> 64), (unsigned long)x);
}

// 128-bit integers, and bit-precise ones: the values folded and converted at run time.
#define INTEGER(T, I, x)                                                                                              \
    do {                                                                                                              \
        static const T folded = (T)(I)(x);                                                                            \
        volatile I from = (x);                                                                                        \
        volatile T converted = from;                                                                                  \
        static const I back_folded = (I)((T)(I)(x) / 8);                                                              \
        I back = converted / 8;                                                                                       \
        wide(#T " " #x, back);                                                                                        \
        if (converted != folded || back != back_folded)                                                               \
            printf("folded %d %d\n", converted == folded, back == back_folded);                                       \
    } while (0)

static void integers(void)
{
    __int128 large = (__int128)0x7edcba9876543210 << 64 | 0x123456789abcdef0;
    INTEGER(_Decimal32, int, -0x7fffffff - 1);
    INTEGER(_Decimal64, int, -0x7fffffff - 1);
    INTEGER(_Decimal64, unsigned, 0xffffffffu);
    INTEGER(_Decimal32, __int128, 12345678);
    INTEGER(_Decimal32, __int128, (__int128)-1 << 127);
    INTEGER(_Decimal64, __int128, (__int128)99999999999999995 * 10);
    INTEGER(_Decimal64, unsigned __int128, ~(unsigned __int128)0);
    INTEGER(_Decimal128, __int128, ~((__int128)1 << 126));
    INTEGER(_Decimal128, unsigned __int128, ((unsigned __int128)1 << 127) + 12345);
    INTEGER(_Decimal128, __int128, -1);
    INTEGER(_Decimal128, _BitInt(100), (_BitInt(100))-5 << 90);
    INTEGER(_Decimal64, unsigned _BitInt(7), 100);
    wide("variable", (_Decimal128)large);
    wide("small", (_Decimal64)0.000999DD);
    wide("scaled", (_Decimal32)1.5e30DF);
}

int main(void)
{
    integers();
    BOTH(_Decimal32, 1.5DF);
    BOTH(_Decimal32, -0e3DF);
    BOTH(_Decimal32, 1e-95DF);
    BOTH(_Decimal32, -9.99999e-96DF);
    BOTH(_Decimal32, -__builtin_infd32());
    BOTH(_Decimal32, __builtin_nand32(""));
    BOTH(_Decimal64, 9.999999999999999e384DD);
    BOTH(_Decimal64, 1000e-386DD);
    BOTH(_Decimal64, 1e-384DD);
    BOTH(_Decimal64, 0.00DD);
    BOTH(_Decimal64, __builtin_infd64());
    BOTH(_Decimal64, -__builtin_nand64(""));
    BOTH(_Decimal128, -1.DL);
    BOTH(_Decimal128, 1e-6143DL);
    BOTH(_Decimal128, 9e-6144DL);
    BOTH(_Decimal128, 0e6000DL);
    BOTH(_Decimal128, __builtin_infd128());
    BOTH(_Decimal128, __builtin_nand128(""));
    volatile _Decimal64 signaling = __builtin_nansd64("");
    volatile _Decimal64 quiet = __builtin_nand64("");
    volatile _Decimal64 one = 1;
    printf("%d %d\n", __builtin_issignaling(signaling), __builtin_issignaling(quiet));
    printf("%d %d %d %d %d %d\n", __builtin_isless(one, 2), __builtin_islessequal(one, 1), __builtin_isgreater(one, quiet),
           __builtin_isgreaterequal(one, 0), __builtin_islessgreater(one, quiet), __builtin_islessgreater(one, 2.5DF));
    _Decimal64 negative = __builtin_copysignd64(one, -2.DD);
    printf("%d %d\n", negative == -1, __builtin_fabsd64(negative) == 1);
    _Atomic _Decimal64 shared = 2.DD;
    shared *= 1.25DD;
    shared++;
    printf("%d\n", shared == 3.5DD);
    {
#pragma STDC FLOAT_CONST_DECIMAL64 ON
        printf("%d %d\n", 0.1 + 0.2 == 0.3DD, _Generic(0.1, _Decimal64: 1, double: 2));
    }
    printf("%d\n", _Generic(0.1, _Decimal64: 1, double: 2));
    return 0;
}
