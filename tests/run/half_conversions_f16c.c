// llvm: x86 instructions
// flags: -mf16c
// The conversions of F16C behind operations on _Float16.
#include <stdio.h>

_Float16 halves[] = {1, -2.5f16, 0.1f16, 65504, -0.0f16, 6e-8f16};

__attribute__((noipa)) static float wide(_Float16 x)
{
    return x;
}

__attribute__((noipa)) static double wider(const _Float16 *x, int i)
{
    return x[i] * (_Float16)3 + x[0];
}

__attribute__((noipa)) static int order(_Float16 x, _Float16 y)
{
    return x < y ? -1 : x > y;
}

int main(void)
{
    for (int i = 0; i < 6; i++)
        printf("%g %g %d\n", wide(halves[i]), wider(halves, i), order(halves[i], halves[2]));
}
