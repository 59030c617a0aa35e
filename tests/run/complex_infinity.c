// Complex products follow Annex G also where the plain formula gives NaN; quotients and remainders of one division.
#include <complex.h>
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double complex times(double complex a, double complex b) { return a * b; }
__attribute__((noinline)) static float complex timesf(float complex a, float complex b) { return a * b; }

static void show(double complex z)
{
    if (isinf(creal(z)) || isinf(cimag(z)))
        printf("infinite");
    else if (isnan(creal(z)) || isnan(cimag(z)))
        printf("not a number");
    else
        printf("%g %g", creal(z), cimag(z));
}

static int digits[8];

__attribute__((noinline)) static int to_digits(unsigned v, int base)
{
    int n = 0;
    do {
        digits[n] = (int)(v / (unsigned)base);
        digits[n++] = (int)(v % (unsigned)base);
        v /= (unsigned)base;
    } while (v && n < 8);
    return n;
}

__attribute__((noinline)) static long split(long a, long b, long *q)
{
    *q = a / b;
    return a % b;
}

int main(void)
{
    double parts[] = {0.0, 1.5, -2.0, INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double complex a = CMPLX(parts[i], parts[j]);
            show(times(a, CMPLX(3, -4)));
            printf(" | ");
            show(timesf((float complex)a, CMPLXF(INFINITY, 1)));
            printf("\n");
        }
    int n = to_digits(40961, 10);
    for (int i = n - 1; i >= 0; i--)
        printf("%d", digits[i]);
    long q, r = split(-17, 5, &q);
    printf(" %ld %ld\n", q, r);
    return 0;
}
