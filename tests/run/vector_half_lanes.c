// Sums, products and quotients of vectors of _Float16 and of single ones beside them.
#include <stdio.h>

typedef _Float16 v8 __attribute__((vector_size(16)));

__attribute__((noipa)) static v8 calculate(v8 a, v8 b)
{
    return a * b - b / a;
}

__attribute__((noipa)) static _Float16 single(_Float16 a, _Float16 b)
{
    return a * b - b / a;
}

int main(void)
{
    v8 a = {1, 2, -4, 0.5f16, 1000, 0.25f16, 16, -1}, b = {3, 5, 7, 9, 11, 13, 15, -17};
    v8 r = calculate(a, b);
    for (int i = 0; i < 8; i++)
        printf("%g %g\n", (double)r[i], (double)single(a[i], b[i]));
}
