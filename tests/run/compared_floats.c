/* Comparisons of floats that were widened to double, with each other and with constants: those that are floats, and those that are not. */
#include <math.h>
#include <stdio.h>

static const float values[] = {0.0f, -0.0f, 0.5f, 0.1f, 0.7f, -3.25f, 1e-45f, 16777216.0f, INFINITY, -INFINITY, NAN};
enum { COUNT = sizeof values / sizeof *values };

__attribute__((noipa)) static int with_half(float f) {
    return (f < 0.5) | (f <= 0.5) << 1 | (f > 0.5) << 2 | (f >= 0.5) << 3 | (f == 0.5) << 4 | (f != 0.5) << 5;
}

/* The double nearest to a tenth is no float: 0.1f is greater. */
__attribute__((noipa)) static int with_tenth(float f) {
    return (f < 0.1) | (f <= 0.1) << 1 | (f > 0.1) << 2 | (f >= 0.1) << 3 | (f == 0.1) << 4 | (f != 0.1) << 5;
}

__attribute__((noipa)) static int with_zero(float f) {
    return (f < 0.0) | (f <= -0.0) << 1 | (0.0 < f) << 2 | (f == 0.0) << 3 | (-0.0 != f) << 4;
}

__attribute__((noipa)) static int with_special(float f) {
    return (f < (double)INFINITY) | (f > -(double)INFINITY) << 1 | (f == (double)NAN) << 2 | (f < 1e300) << 3 |
           (f > 1e-300) << 4 | (f < 1.0000000001) << 5;
}

__attribute__((noipa)) static int with_another(float f, float g) {
    double d = f, e = g;
    return (d < e) | (d <= e) << 1 | (d == e) << 2 | (d != e) << 3 | !!isunordered(d, e) << 4 | !!isless(d, e) << 5;
}

/* The widened value is used for something else, too; what it was loaded from changes. */
__attribute__((noipa)) static double used_twice(float *p) {
    double d = *p;
    *p = 2.0f;
    return d < 0.5 ? d * 3.0 : d + 1.0;
}

__attribute__((noipa)) static int count_below(const float *p, int n, double limit) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] < 0.75)
            count++;
        if (p[i] < limit)
            count += 100;
    }
    return count;
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        printf("%g: %02x %02x %02x %02x", (double)values[i], with_half(values[i]), with_tenth(values[i]),
               with_zero(values[i]), with_special(values[i]));
        for (int j = 0; j < COUNT; j++)
            printf(" %02x", with_another(values[i], values[j]));
        float f = values[i];
        printf(" %g\n", used_twice(&f));
    }
    printf("%d %d\n", count_below(values, COUNT, 0.1), count_below(values, COUNT, 0.1f));
    return 0;
}
