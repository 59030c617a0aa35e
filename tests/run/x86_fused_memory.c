// llvm: x86 instructions
// flags: -mfma -msse4.1 -ffp-contract=fast
// Fused multiplications and additions with operands in registers, memory and constants; rounding by
// an instruction.
#include <math.h>
#include <stdio.h>

__attribute__((noipa)) static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = a[i] * b[i] + sum;
    return sum;
}

__attribute__((noipa)) static float constant(float x, const float *y)
{
    return x * 3.0f - *y;
}

__attribute__((noipa)) static double negated(double x, double y, double z)
{
    return z - x * y;
}

__attribute__((noipa)) static double both_negated(const double *x, double y, const double *z)
{
    return -(*x * y) - *z;
}

__attribute__((noipa)) static long double wide(long double x, const long double *y)
{
    return x * *y + 1;
}

__attribute__((noipa)) static double rounded(double x, float y)
{
    return floor(x) * 100 + ceil(x) * 10 + trunc(x) + floorf(y) * 1000 + rintf(y);
}

int main(void)
{
    double a[] = {1, 2, 3, 4.5}, b[] = {0.5, -1, 7, 0.25};
    float y = 0.5f;
    long double w = 1.25L;
    printf("%.17g\n%.9g\n%.17g\n%.17g\n%Lg\n", dot(a, b, 4), constant(0.75f, &y), negated(0.25, 3, 1),
           both_negated(a + 3, b[3], b + 3), wide(3, &w));
    printf("%g %g\n", rounded(-2.5, 1.5f), rounded(7.25, -0.75f));
}
