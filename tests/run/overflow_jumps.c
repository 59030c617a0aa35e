/* Branches on the overflow of checked arithmetic: the value is wanted after them, before them, or in a loop. */
#include <limits.h>
#include <stdio.h>

static __attribute__((noinline)) long product(long a, long b, double *real)
{
    long x;
    int over = __builtin_smull_overflow(a, b, &x);
    if (over)
        *real = (double)a * (double)b;
    else
        *real = -1;
    return over ? 5 : x;
}

static __attribute__((noinline)) int before(int a, int b, int *to)
{
    int over = __builtin_sadd_overflow(a, b, to);
    *to ^= 1;
    if (over)
        return *to;
    return over - 1;
}

/* The value replaces its own operand. */
static __attribute__((noinline)) int steps(int from, int by)
{
    int n = 0;
    while (!__builtin_add_overflow(from, by, &from))
        n++;
    return n ^ from;
}

static __attribute__((noinline)) unsigned factorial(unsigned n, unsigned *reached)
{
    unsigned value = 1, i;
    for (i = 2; i <= n; i++) {
        unsigned next;
        if (__builtin_mul_overflow(value, i, &next))
            break;
        value = next;
    }
    *reached = i;
    return value;
}

static __attribute__((noinline)) int saturated(int a, int b)
{
    int x;
    return __builtin_ssub_overflow(a, b, &x) ? (a < 0 ? INT_MIN : INT_MAX) : x;
}

static __attribute__((noinline)) int narrow(signed char a, signed char b, unsigned short c, unsigned short *d)
{
    signed char x;
    if (__builtin_mul_overflow(a, b, &x))
        return 1000;
    if (__builtin_sub_overflow(c, *d, d))
        return x + 2000;
    return x + *d;
}

/* Two checks of one sum, and one whose value nobody wants. */
static __attribute__((noinline)) int twice(unsigned long a, unsigned long b, unsigned long c)
{
    unsigned long x, y;
    if (__builtin_uaddl_overflow(a, b, &x) || __builtin_uaddl_overflow(x, c, &y))
        return 1;
    return __builtin_usubl_overflow(y, 10, &x) ? 2 : 3;
}

int main(void)
{
    double real;
    long whole = product(LONG_MAX, 2, &real);
    printf("%ld %.3g\n", whole, real);
    whole = product(-3, 1L << 40, &real);
    printf("%ld %.3g\n", whole, real);
    int to;
    to = before(INT_MAX, 1, &to) + 1;
    printf("%d %d\n", to, before(1, 1, &to) + to);
    printf("%d %d\n", steps(0, 1 << 27), steps(-5, -(1 << 28)));
    unsigned reached, value = factorial(40, &reached);
    printf("%u %u\n", value, reached);
    value = factorial(6, &reached);
    printf("%u %u\n", value, reached);
    printf("%d %d %d\n", saturated(INT_MIN, 1), saturated(INT_MAX, -1), saturated(7, 9));
    unsigned short d = 4;
    printf("%d ", narrow(16, 8, 1, &d));
    printf("%d ", narrow(16, 7, 1, &d));
    d = 4;
    printf("%d\n", narrow(-16, 8, 9, &d));
    printf("%d %d %d %d\n", twice(-1, 1, 0), twice(-2, 1, 1), twice(1, 2, 3), twice(4, 5, 6));
    return 0;
}
