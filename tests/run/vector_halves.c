// Arithmetic on vectors of _Float16, lane by lane, with rounding of every result.
#include <stdio.h>

typedef _Float16 v8 __attribute__((vector_size(16)));
typedef _Float16 v4 __attribute__((vector_size(8)));
typedef short s8 __attribute__((vector_size(16)));

__attribute__((noipa)) static v8 calculate(v8 a, v8 b, v8 c)
{
    return (a + b) * c - a / b;
}

__attribute__((noipa)) static v4 calculate_half(v4 a, v4 b)
{
    return a * b + a;
}

__attribute__((noipa)) static s8 compare(v8 a, v8 b)
{
    return (a < b) + 2 * (a == b);
}

__attribute__((noipa)) static v8 choose(s8 m, v8 a, v8 b)
{
    v8 r;
    for (int i = 0; i < 8; i++)
        r[i] = m[i] ? a[i] : b[i];
    return (v8)((m != 0 & (s8)a) | (m == 0 & (s8)b)) + r;
}

__attribute__((noipa)) static v8 negate(v8 a)
{
    return -a;
}

int main(void)
{
    v8 a = {1, 2.5f16, -3, 0.1f16, 1000, 65504, 0, 7};
    v8 b = {3, 2.5f16, 0.7f16, -0.1f16, 0.001f16, 2, -1, 7};
    v8 c = {1, -1, 2, 1024, 0.5f16, 1, 3, 0.33f16};
    v8 r = calculate(a, b, c), n = negate(a);
    s8 m = compare(a, b);
    v8 k = choose(m, c, a);
    s8 t = __builtin_convertvector(c * 4, s8);
    v8 u = __builtin_convertvector(m * 3 - t, v8);
    for (int i = 0; i < 8; i++)
        printf("%g %d %g %g %d %g\n", (double)r[i], m[i], (double)n[i], (double)k[i], t[i], (double)u[i]);
    v4 h = calculate_half((v4){1.5f16, -2, 3, 0.1f16}, (v4){0.1f16, 0.2f16, 0.3f16, 0.4f16});
    for (int i = 0; i < 4; i++)
        printf("%.7g\n", (double)h[i]);
}
