// flags: -lm
// The square root instruction stands for sqrt; the library is asked for negative operands only, for errno's sake.
#include <errno.h>
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) static double root(double x) { return sqrt(x); }
__attribute__((noinline)) static float rootf(float x) { return sqrtf(x); }
__attribute__((noinline)) static long double rootl(long double x) { return sqrtl(x); }

static void check(double x)
{
    errno = 0;
    double d = root(x);
    int after_double = errno;
    errno = 0;
    float f = rootf((float)x);
    int after_float = errno;
    errno = 0;
    long double l = rootl(x);
    int after_long = errno;
    printf("%g: %.17g %.9g %.20Lg, errno %d %d %d\n", x, isnan(d) ? 0.0 : d, isnan(f) ? 0.0f : f, isnan(l) ? 0.0L : l,
           after_double == EDOM, after_float == EDOM, after_long == EDOM);
}

int main(void)
{
    check(2);
    check(0.0);
    check(-0.0);
    check(-1);
    check(INFINITY);
    check(-INFINITY);
    check(NAN);
    double sum = 0;
    for (int i = 0; i < 100; i++)
        sum += sqrt(i);
    printf("%.10f\n", sum);
    return 0;
}
