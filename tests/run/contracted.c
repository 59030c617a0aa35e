// lli: routines of the support library
// Products and sums that a target with FMA computes in one operation: exact values, so that it makes no difference; every form and place of the operands.
#ifndef TARGET
#include <stdio.h>

enum { N = 23 };

static double d[N], e[N], out[N];
static float f[N], g[N], narrow[N];

#define TARGET __attribute__((noinline))
#define NAME(name) name##_plain
#include __FILE__
#undef TARGET
#undef NAME
#define TARGET __attribute__((noinline, target("avx2,fma")))
#define NAME(name) name##_fused
#include __FILE__

int main(void)
{
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2"))
        all_fused();
    else
        all_plain();
    return 0;
}
#else
TARGET static double NAME(forms)(double a, double b, double c, const double *p)
{
    double s = a * b + c;
    s = s * 3 - a;
    s = c - s * b;
    s = p[1] * a + s;
    s = s * p[2] + p[3];
    s = p[4] - a * p[5];
    s += a * 0.5;
    double both = a * b - c * p[0];
    return s * 7 + both;
}

TARGET static float NAME(narrow_forms)(float a, float b, float c, const float *p)
{
    float s = a * b + c;
    s = s * 3 - a;
    s = c - s * b;
    s = p[1] * a + s;
    s = s * p[2] + p[3];
    s = p[4] - a * p[5];
    float kept = a * b;
    return s * 7 + kept + (kept + c);
}

TARGET static double NAME(dot)(const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

TARGET static double NAME(horner)(const double *x, double at, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++)
        s = s * at + x[i];
    return s;
}

TARGET static void NAME(rows)(double *restrict to, const double *restrict x, double a, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += a * x[i];
}

TARGET static void NAME(less)(float *restrict to, const float *restrict x, const float *restrict y, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = y[i] - to[i] * x[i];
}

TARGET static void NAME(constant)(float *restrict to, const float *restrict x, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = x[i] * 4 - to[i];
}

/* The product is used twice, or in another block. */
TARGET static double NAME(apart)(double a, double b, double c, double *p, int way)
{
    double product = a * b;
    if (way & 1)
        *p = product;
    if (way & 2)
        return product + c;
    return c - product;
}

/* A product that several sums take, more constants than a loop keeps, and calls between. */
TARGET static void NAME(stencil)(double *restrict to, const double *restrict x, int n)
{
    for (int row = 0; row < 3; row++) {
        for (int i = 2; i < n - 2; i++) {
            double twice = 2.0 * x[i];
            to[i] = 0.125 * (x[i + 1] - twice + x[i - 1]) + 0.25 * (x[i + 2] - twice + x[i - 2]) + x[i] * 0.5;
            to[i] = (to[i] + 1.5) * 3.0 - (to[i] - 2.5) * 0.75;
        }
        if (n > 20)
            printf("%a %a\n", to[3], to[n - 3]);
    }
}

/* Several products of one iteration in one sum. */
TARGET static double NAME(unrolled)(const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i + 4 <= n; i += 4)
        s = s + x[i] * y[i] + x[i + 1] * y[i + 1] + x[i + 2] * y[i + 2] - x[i + 3] * y[i + 3];
    return s;
}

TARGET static void NAME(all)(void)
{
    for (int i = 0; i < N; i++) {
        d[i] = i * 0.5 - 3, e[i] = 7 - i * 0.25, f[i] = (float)(i - 5), g[i] = (float)(i % 7) * 0.5f;
        out[i] = i, narrow[i] = (float)i;
    }
    for (int i = 0; i + 6 < N; i++)
        printf("%a %a\n", NAME(forms)(d[i], e[i], i, d + i), NAME(narrow_forms)(f[i], g[i], (float)i, f + i));
    for (int n = 0; n < N; n++) {
        NAME(rows)(out, d, 1.5, n), NAME(less)(narrow, g, f, n % 5), NAME(constant)(narrow, f, n);
        printf("%a %a %a %a\n", NAME(dot)(d, e, n), NAME(horner)(d, 0.5, n % 9), out[n / 2], narrow[n / 2]);
    }
    for (int n = N - 2; n <= N; n++) {
        NAME(stencil)(out, d, n);
        printf("%a %a\n", out[2], NAME(unrolled)(d, e, n));
    }
    for (int way = 0; way < 4; way++) {
        double kept = 0;
        double result = NAME(apart)(1.5, 2.5, 3, &kept, way);
        printf("%a %a\n", result, kept);
    }
}
#endif
