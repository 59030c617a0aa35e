// lli: routines of the support library
// interpreter: calls functions of libgcc
// Decimal floating point: encodings of constants, arithmetic at compile time and at run time, conversions, comparisons,
// classification, arguments of all kinds.
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void show(const char *what, const void *object, int size)
{
    const unsigned char *bytes = object;
    printf("%s ", what);
    while (size--)
        printf("%02x", bytes[size]);
    putchar('\n');
}
#define SHOW(x) do { __typeof__(x) copy = (x); show(#x, &copy, sizeof copy); } while (0)

// ---- constants keep their exponents, and are rounded once
static void constants(void)
{
    SHOW(1.00DD);
    SHOW(1.DF);
    SHOW(.5dl);
    SHOW(0E-398DD);
    SHOW(-0.0DD);
    SHOW(9.999999E96DF);
    SHOW(1E96DF);
    SHOW(1E-101DF);
    SHOW(12345675E-108DF);
    SHOW(12345665.DF);
    SHOW(9999999.5DF);
    SHOW(9007199254740993.DD);
    SHOW(9999999999999999.DD);
    SHOW(9.999999999999999999999999999999999E6144DL);
    SHOW(1e-6176DL);
    SHOW(3.1415926535897932384626433832795028841971DL);
    SHOW(__DEC32_SUBNORMAL_MIN__);
    SHOW(__DEC64_MAX__);
    SHOW(__DEC128_EPSILON__);
    SHOW(__builtin_infd32());
    SHOW(-__builtin_infd64());
    SHOW(__builtin_nand128(""));
    SHOW(__builtin_nansd64(""));
}

// ---- the folded value is the computed one
static int differences;
static void same(const void *a, const void *b, int size, int line)
{
    if (memcmp(a, b, size)) {
        printf("line %d\n", line);
        differences++;
    }
}
#define CHECK(T, a, op, b)                                                                          \
    do {                                                                                            \
        static const T folded = (a) op (b);                                                         \
        volatile __typeof__((a) + (b)) x = (a), y = (b);                                            \
        T computed = x op y;                                                                        \
        same(&folded, &computed, sizeof(T), __LINE__);                                              \
    } while (0)

static void arithmetic(void)
{
    CHECK(_Decimal64, 1.10DD, +, 2.2DD);
    CHECK(_Decimal64, 1.10DD, -, 1.1DD);
    CHECK(_Decimal64, 1.20DD, *, 0.30DD);
    CHECK(_Decimal64, 1.DD, /, 3.DD);
    CHECK(_Decimal64, 1.20DD, /, 0.3DD);
    CHECK(_Decimal64, 1e300DD, +, 1e-300DD);
    CHECK(_Decimal64, 9e384DD, *, -10.DD);
    CHECK(_Decimal64, 1e-398DD, /, 2.DD);
    CHECK(_Decimal64, 3e-398DD, /, 2.DD);
    CHECK(_Decimal64, 0.DD, *, -5e10DD);
    CHECK(_Decimal64, 1.DD, /, 0.DD);
    CHECK(_Decimal32, 9999999.DF, +, .5DF);
    CHECK(_Decimal32, 1e-90DF, *, 1.234567e-10DF);
    CHECK(_Decimal32, 7.DF, /, 11.DF);
    CHECK(_Decimal128, 1.DL, /, 7.DL);
    CHECK(_Decimal128, 9999999999999999999999999999999999.DL, *, 9999999999999999999999999999999999.DL);
    CHECK(_Decimal128, 1e6144DL, -, 1.DL);
    CHECK(_Decimal128, 1e-6176DL, *, .5DL);
    CHECK(int, 1.0DD, ==, 1.00DD);
    CHECK(int, -0.DD, ==, 0e10DD);
    CHECK(int, 1e300DD, <, 1e-300DD);
    CHECK(int, -1e6000DL, <=, 1.DL);
    CHECK(int, 2.DF, !=, 2.000001DF);
    CHECK(int, 2.DF, >, 2.000001DF);
    CHECK(int, 2.DF, >=, 2.000000DF);
    // Operands of different widths, and integers.
    _Decimal32 single = 0.1DF;
    SHOW(single + 1.25DD);
    SHOW(single * 3);
    SHOW(single - 0.1DL);
    SHOW(10 / (single + 2));
    printf("differences: %d\n", differences);
}

// ---- conversions
#define CONVERT(to, from, value)                                                                    \
    do {                                                                                            \
        static const to folded = (to)(from)(value);                                                 \
        volatile from x = (value);                                                                  \
        to converted = x;                                                                           \
        same(&folded, &converted, sizeof(to), __LINE__);                                               \
        show(#to " <- " #value, &converted, sizeof(to));                                            \
    } while (0)

static void conversions(void)
{
    CONVERT(int, _Decimal64, -2.9DD);
    CONVERT(unsigned, _Decimal64, 4294967295.5DD);
    CONVERT(unsigned char, _Decimal32, 255.9DF);
    CONVERT(short, _Decimal128, -32768.DL);
    CONVERT(long, _Decimal128, -9223372036854775808.DL);
    CONVERT(unsigned long, _Decimal128, 18446744073709551615.DL);
    CONVERT(_Bool, _Decimal64, 0e-50DD);
    CONVERT(_Bool, _Decimal64, 1e-300DD);
    CONVERT(_Decimal32, int, 123456789);
    CONVERT(_Decimal32, unsigned, 0xffffffffu);
    CONVERT(_Decimal64, long, -0x7fffffffffffffffl - 1);
    CONVERT(_Decimal64, unsigned long, 0xfffffffffffffffful);
    CONVERT(_Decimal128, unsigned long, 0xfffffffffffffffful);
    CONVERT(_Decimal64, signed char, -128);
    CONVERT(_Decimal32, _Decimal128, 1.2345675DL);
    CONVERT(_Decimal64, _Decimal32, 1.50DF);
    CONVERT(_Decimal32, _Decimal64, 1e300DD);
    CONVERT(_Decimal64, double, 0.1);
    CONVERT(_Decimal64, double, 0.25);
    CONVERT(_Decimal128, double, 0x1p-1074);
    CONVERT(_Decimal32, float, 16777216.0f);
    CONVERT(_Decimal128, float, 0.1f);
    CONVERT(double, _Decimal64, 0.1DD);
    CONVERT(double, _Decimal128, 1e-324DL);
    CONVERT(float, _Decimal64, 1e39DD);
    CONVERT(float, _Decimal32, 16777217.DF);
    printf("differences: %d\n", differences);
}

// ---- statements and operators
static int truth(_Decimal64 x)
{
    int n = 0;
    if (x)
        n |= 1;
    if (!x)
        n |= 2;
    n |= x ? 4 : 8;
    n |= (x && 1) << 4;
    n |= (x || 0) << 5;
    while (x) {
        n |= 64;
        break;
    }
    return n;
}

static _Decimal64 power(_Decimal64 base, int n)
{
    _Decimal64 result = 1;
    for (; n > 0; n--)
        result *= base;
    return result;
}

static void operators(void)
{
    printf("%d %d %d %d\n", truth(0.DD), truth(-0e5DD), truth(.1DD), truth(__builtin_nand64("")));
    SHOW(power(1.1DD, 12));
    _Decimal32 a = 1.5DF;
    SHOW(a++);
    SHOW(++a);
    SHOW(a--);
    SHOW(-a);
    SHOW(+a);
    a += 2.25DD;
    SHOW(a);
    a /= 3;
    SHOW(a);
    int i = 7;
    i *= 1.5DD;
    printf("%d\n", i);
    int which = _Generic(1.DF + 1, _Decimal32: 32, default: 0) + _Generic(1.DF + 1.DD, _Decimal64: 64, default: 0)
                + _Generic(1 ? 1.DL : 1.DF, _Decimal128: 128, default: 0);
    printf("%d\n", which);
    _Decimal128 list[] = {1, 2.5DF, 0.125DD};
    _Decimal128 sum = 0;
    for (unsigned k = 0; k < 3; k++)
        sum += list[k];
    SHOW(sum);
    SHOW(0.1 + 0.2);
}

// ---- operations whose result is converted to a wider type are done in that type
static _Decimal64 quotient(_Decimal32 a, _Decimal32 b) { return a / b; }
static _Decimal64 sum(_Decimal32 a, _Decimal32 b, _Decimal64 c) { return c + (a * b + 1.5DF) - (_Decimal64)a * a; }
static _Decimal128 chosen(_Decimal32 a, _Decimal64 b, int which) { return which ? a * a : a / b; }
static _Decimal64 updated(_Decimal64 a, _Decimal32 b) { a += b * b; a -= b / (b + 1); return a; }

static void precision(void)
{
    SHOW(quotient(7.DF, 11.DF));
    SHOW(sum(1234.567DF, 7654.321DF, 1e-7DD));
    SHOW(chosen(1234.567DF, 3.DD, 1));
    SHOW(chosen(1234.567DF, 3.DD, 0));
    SHOW(updated(2.25DD, 1234.567DF));
}

// ---- classification
static void classify(_Decimal64 x, _Decimal32 y, _Decimal128 z)
{
#define ALL(f) f(x), f(y), f(z)
    printf("nan %d%d%d", ALL(__builtin_isnan));
    printf(" sign %d%d%d", !!__builtin_signbit(x), !!__builtin_signbit(y), !!__builtin_signbit(z));
    printf(" less %d%d%d", __builtin_isless(x, 1), __builtin_isgreaterequal(y, 1), __builtin_isunordered(z, 1));
    printf(" equal %d%d%d\n", x == 1, y != 1, z < 1);
}

// ---- arguments
struct pair { _Decimal32 a, b; };
struct mixed { _Decimal64 a; int b; };
struct wide { _Decimal128 a; };

static _Decimal128 total(int n, ...)
{
    va_list list;
    va_start(list, n);
    _Decimal128 sum = 0;
    while (n--) {
        sum += va_arg(list, _Decimal32);
        sum += va_arg(list, _Decimal64);
        sum += va_arg(list, _Decimal128);
        sum += va_arg(list, int);
        sum += va_arg(list, struct pair).b;
        sum += va_arg(list, struct mixed).a;
        sum += va_arg(list, struct wide).a;
    }
    va_end(list);
    return sum;
}

int main(void)
{
    constants();
    arithmetic();
    conversions();
    operators();
    precision();
    classify(0.5DD, 1.5DF, 2.5DL);
    classify(-__builtin_infd64(), __builtin_infd32(), __builtin_infd128());
    classify(__builtin_nand64(""), -__builtin_nand32(""), __builtin_nand128(""));
    classify(1e-390DD, 1e-95DF, 9e-6144DL);
    struct pair p = {1.1DF, 2.2DF};
    struct mixed m = {3.3DD, 4};
    struct wide w = {5.5DL};
    SHOW(total(3, .5DF, .25DD, .125DL, 7, p, m, w, 1.5DF, 1.25DD, 1.125DL, 8, p, m, w, 1.5DF, 1.25DD, 1.125DL, 8, p, m, w));
    return 0;
}
