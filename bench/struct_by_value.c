/* Measures: structures passed and returned by value in registers and in memory: rationals, complex numbers, 2 x 2 matrices, dates,
   colours, tagged unions, through functions that are kept out of line. */
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE
#endif

typedef struct {
    int64_t over, under;
} Rational; /* two integer registers */

typedef struct {
    double re, im;
} Complex; /* two vector registers */

typedef struct {
    int64_t count;
    double mean;
} Average; /* one of each */

typedef struct {
    uint64_t a, b, c, d;
} Matrix; /* in memory */

typedef struct {
    uint8_t red, green, blue, alpha;
} Colour; /* in a part of a register */

typedef struct {
    enum { INTEGER, REAL, PAIR } kind;
    union {
        int64_t integer;
        double real;
        int32_t pair[2];
    } u;
} Variant;

OUT_OF_LINE static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

OUT_OF_LINE static Rational add_rational(Rational a, Rational b) {
    Rational sum = {a.over * b.under + b.over * a.under, a.under * b.under};
    int64_t divisor = gcd(sum.over, sum.under);
    return (Rational){sum.over / divisor % 10007 + 1, sum.under / divisor % 10007 + 1};
}

OUT_OF_LINE static Complex multiply_complex(Complex a, Complex b) {
    return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

OUT_OF_LINE static Average include(Average a, double x) {
    a.count++;
    a.mean += (x - a.mean) / (double)a.count;
    return a;
}

OUT_OF_LINE static Matrix multiply_matrix(Matrix x, Matrix y) {
    return (Matrix){x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d};
}

OUT_OF_LINE static Colour blend(Colour over, Colour under) {
    unsigned a = over.alpha, rest = 255 - a;
    return (Colour){
        (uint8_t)((over.red * a + under.red * rest) / 255),
        (uint8_t)((over.green * a + under.green * rest) / 255),
        (uint8_t)((over.blue * a + under.blue * rest) / 255),
        (uint8_t)(a + under.alpha * rest / 255),
    };
}

OUT_OF_LINE static Variant combine(Variant a, Variant b) {
    switch (a.kind) {
    case INTEGER:
        if (b.kind == INTEGER)
            return (Variant){.kind = PAIR, .u.pair = {(int32_t)a.u.integer, (int32_t)b.u.integer}};
        return (Variant){.kind = INTEGER, .u.integer = a.u.integer + (b.kind == REAL ? (int64_t)b.u.real : b.u.pair[0])};
    case REAL: return (Variant){.kind = REAL, .u.real = a.u.real / 2 + (b.kind == REAL ? b.u.real / 2 : 1)};
    case PAIR: break;
    }
    return (Variant){.kind = INTEGER, .u.integer = (a.u.pair[0] ^ a.u.pair[1]) & 0xffff};
}

int main(void) {
    Rational r = {1, 3};
    Complex c = {1, 0}, turn = {0.6, 0.8};
    Average average = {0, 0};
    Matrix m = {1, 1, 1, 0};
    Colour canvas = {10, 20, 30, 255};
    Variant v = {.kind = INTEGER, .u.integer = 5};
    for (int i = 1; i <= 7000000; i++) {
        if (i % 8 == 0)
            r = add_rational(r, (Rational){i % 17 + 1, i % 23 + 2});
        c = multiply_complex(c, turn);
        average = include(average, c.re + i % 3);
        m = multiply_matrix(m, (Matrix){(uint64_t)i, 1, 3, 7});
        canvas = blend((Colour){(uint8_t)i, (uint8_t)(i >> 3), (uint8_t)(i >> 5), (uint8_t)(i >> 7)}, canvas);
        Variant other = {.kind = REAL, .u.real = i};
        if (i % 3 == 0)
            other = (Variant){.kind = INTEGER, .u.integer = i % 1000};
        v = combine(v, other);
    }
    printf("struct_by_value %lld/%lld %.6f %.6f %016llx %02x%02x%02x%02x %d\n", (long long)r.over, (long long)r.under, c.re, average.mean,
           (unsigned long long)(m.a ^ m.b ^ m.c ^ m.d), canvas.red, canvas.green, canvas.blue, canvas.alpha, (int)v.kind);
    return 0;
}
