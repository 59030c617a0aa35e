// flags: -lm
// floor, ceil, trunc and rint where no instruction does them, beside the library's: all bits, and never "invalid".
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FUNCTION(NAME, T)                                                                      \
    static __attribute__((noinline)) T own_##NAME(T x) {                                       \
        return NAME(x);                                                                        \
    }                                                                                          \
    static T (*volatile library_##NAME)(T) = NAME;                                             \
    static int differs_##NAME(T x) {                                                           \
        T expected = library_##NAME(x);                                                        \
        feclearexcept(FE_ALL_EXCEPT);                                                          \
        T found = own_##NAME(x);                                                               \
        int invalid = fetestexcept(FE_INVALID) != 0;                                           \
        return memcmp(&expected, &found, sizeof found) != 0 || invalid;                        \
    }

FUNCTION(floor, double)
FUNCTION(ceil, double)
FUNCTION(trunc, double)
FUNCTION(rint, double)
FUNCTION(floorf, float)
FUNCTION(ceilf, float)
FUNCTION(truncf, float)
FUNCTION(rintf, float)

static int check(double x) {
    float s = (float)x;
    return differs_floor(x) + differs_ceil(x) + differs_trunc(x) + differs_rint(x) + differs_floorf(s)
           + differs_ceilf(s) + differs_truncf(s) + differs_rintf(s);
}

// A sum of rounded values in a loop, with constants beside them.
static __attribute__((noinline)) double sum(const double *values, int n) {
    double sum = floor(-2.5) + ceil(-0.5) + rint(2.5) + trunc(1e300) / 1e300;
    for (int i = 0; i < n; i++)
        if (fabs(values[i]) < 1e6)
            sum += floor(values[i]) + ceil(values[i] * 0.5) - trunc(values[i] * 0.25) + (int)rint(values[i]);
    return sum;
}

int main(void) {
    static const double values[] = {
        0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 1e-310, 8388607.5, 8388608.0, 8388609.0, 16777217.0, 2147483647.5, 2147483648.0,
        4503599627370495.5, 4503599627370496.0, 4503599627370497.0, 9007199254740993.0, 9223372036854775808.0, 1e300, INFINITY, NAN,
    };
    enum { COUNT = sizeof values / sizeof *values };
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    int wrong = 0, checked = 0;
    for (int mode = 0; mode < 4; mode++) {
        fesetround(modes[mode]);
        for (int i = 0; i < COUNT; i++) {
            wrong += check(values[i]) + check(-values[i]);
            for (int k = 1; k < 20; k++)
                wrong += check(values[i] + k * 0.125) + check(k * 0.3 - values[i]);
            checked += 40;
        }
    }
    fesetround(FE_TONEAREST);
    printf("%d of %d differ, sum %.3f\n", wrong, checked, sum(values, COUNT));
    return 0;
}
