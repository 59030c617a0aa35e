// flags: -lm
// gcc's builtins that round a floating number to an integer.
#include <stdio.h>
#include <math.h>

static volatile double d[] = {2.5, -2.5, 3.0, -0.25, 1e15 + 0.5};
static volatile float f = -7.75f;
static volatile long double l = 123456789.0000001L;

int main(void)
{
    for (int i = 0; i < 4; i++)
        printf("%d %d %ld %ld %lld %lld %d %d\n", __builtin_iceil(d[i]), __builtin_ifloor(d[i]), __builtin_lceil(d[i]),
               __builtin_lfloor(d[i]), __builtin_llceil(d[i]), __builtin_llfloor(d[i]), __builtin_irint(d[i]),
               __builtin_iround(d[i]));
    printf("%ld %lld %d\n", __builtin_lceilf(f), __builtin_llfloorf(f), __builtin_iroundf(f));
    printf("%ld %lld %d\n", __builtin_lceill(l), __builtin_llfloorl(l), __builtin_irintl(l));
    printf("%ld %ld\n", __builtin_lfloor(d[4]), __builtin_lceil(d[4]));
    int sign = 0;
    double g = __builtin_lgamma_r(-0.5, &sign);
    printf("%.6f %d\n", g, sign);
    return 0;
}
