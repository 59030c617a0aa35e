// flags: -mno-sse
// interpreter: what the x87 unit loads and stores is not modelled
// llvm: float values as bits with x87 loads and stores
// float, double, vectors and blocks of memory without SSE registers. Floating arguments are on the stack; printf gets long double.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef int v4si __attribute__((vector_size(16)));
typedef float v4sf __attribute__((vector_size(16)));
struct pair { double d; int i; };
struct block { char bytes[75]; };

volatile float f = 1.5f;
volatile double d = -2.25;
volatile int i = 7;
volatile unsigned u = 4000000000u;
volatile unsigned long ul = 0xfffffffffffff800;
volatile long l = -1234567890123;
volatile _Bool b;
volatile signed char c = -3;

#define SHOW(e) printf("%s: %.20Lg\n", #e, (long double)(e))

__attribute__((noinline)) void arguments(double a, float x, int n, struct pair p, double *out)
{
    *out = a * n + x + p.d * p.i;
}

__attribute__((noinline)) void sum(int n, ...)
{
    va_list list;
    va_start(list, n);
    int total = 0;
    for (int k = 0; k < n; k++)
        total += va_arg(list, int);
    va_end(list);
    printf("sum %d\n", total);
}

__attribute__((noinline)) void vectors(v4si *a, v4sf *x, v4si from)
{
    *a = *a * from + (v4si){1, 2, 3, 4};
    *x = *x / 2 - (v4sf){1, 2, 3, 4};
    a[1] = *x < 0;
}

static void comparisons(double x, double y)
{
    printf("%d%d%d%d%d%d ", x < y, x <= y, x > y, x >= y, x == y, x != y);
    printf("%d%d\n", __builtin_isunordered(x, y), x ? 1 : 0);
}

__attribute__((noinline)) void loop(double *a, float *x, int n)
{
    for (int k = 0; k < n; k++) {
        a[k] = a[k] * x[k] + 1;
        x[k] = k;
    }
}

__attribute__((noinline)) void copy(struct block *to, const struct block *from)
{
    *to = *from;
    memmove(to->bytes + 1, to->bytes, 40);
    memset(to->bytes + 50, 0, 20);
    memset(to->bytes + 45, to->bytes[3], 5);
}

__attribute__((noinline)) static void choose(int n, double x, double y, double *out)
{
    double r = n ? x : y;
    for (int k = 0; k < n; k++) {
        double t = x;
        x = y;
        y = r;
        r = t;
    }
    *out = r - x + (n > 2 ? -y : __builtin_fabs(y));
}

int main(void)
{
    SHOW(f * 2);
    SHOW(f + d);
    SHOW(-d);
    SHOW((float)(d / 3));
    SHOW((double)(f / 3));
    SHOW((int)(d * 2));
    SHOW((unsigned)(f * 2000000000.0));
    SHOW((unsigned long)(f * 12e18));
    SHOW((long)(d * 1e15));
    SHOW((unsigned char)(f * 3));
    SHOW((float)i);
    SHOW((float)u);
    SHOW((double)ul);
    SHOW((float)ul);
    SHOW((double)l);
    SHOW((double)c / f);
    b = d;
    SHOW(b);
    double r;
    arguments(d, f, i, (struct pair){0.5, 3}, &r);
    SHOW(r);
    sum(3, 10, 20, 12);
    v4si a[2] = {{1, 2, 3, 4}};
    v4sf x = {1, 4, 9, 16};
    vectors(a, &x, (v4si){5, 6, 7, 8});
    for (int k = 0; k < 4; k++)
        printf("%d %d %Lg\n", a[0][k], a[1][k], (long double)x[k]);
    comparisons(d, f);
    comparisons(f, f);
    comparisons(__builtin_nan(""), f);
    comparisons(0, -0.0);
    double doubles[9];
    float floats[9];
    for (int k = 0; k < 9; k++)
        doubles[k] = k / 4.0, floats[k] = k;
    loop(doubles, floats, 9);
    for (int k = 0; k < 9; k++)
        printf("%Lg %Lg\n", (long double)doubles[k], (long double)floats[k]);
    struct block from, to;
    for (int k = 0; k < 75; k++)
        from.bytes[k] = k;
    copy(&to, &from);
    for (int k = 0; k < 75; k++)
        printf("%d ", to.bytes[k]);
    printf("%d\n", memcmp(&from, &to, sizeof to) < 0);
    for (int k = 0; k < 5; k++) {
        choose(k, d, f, &r);
        SHOW(r);
    }
    _Complex double z = 1.5 + 2i, w;
    w = z + z;
    SHOW(__real__ w * __imag__ w);
    double s = 4;
    __asm__("fsqrt" : "=t"(r) : "0"(s));
    SHOW(r);
    __asm__("mov %1, %0" : "=r"(i) : "r"(f));
    SHOW(i);
}
