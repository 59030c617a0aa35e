// flags: -O2
// A comparison of a widened `float` takes it as it was, unless its variable has changed by then.
#include <stdio.h>

static float x[40], y[40];
static double z[40], w[40];

__attribute__((noinline)) static double carried(int n) {
    double s = 0;
    for (int j = 0; j < n; j++) {
        s = x[j + 2];
        x[j + 3] = s * s;
        if (s > 24) z[j] = s + 4;
        else z[j] = s;
    }
    return s;
}

__attribute__((noinline)) static int counted(float f, int n) {
    int above = 0;
    for (int j = 0; j < n; j++) {
        double d = f;
        f = f * 1.25f + y[j];
        w[j] = d;
        if (d <= 10) above += j;
        if (d > y[j]) above += 100;
    }
    return above;
}

int main(void) {
    for (int n = 0; n < 20; n++) {
        for (int i = 0; i < 40; i++) x[i] = i < 3 ? 1.5f + i * 0.25f : i, y[i] = i % 7 - 2, z[i] = w[i] = 0;
        double last = carried(n);
        int above = counted(n * 0.5f, n);
        for (int i = 0; i < n; i++) last += z[i] * i + w[i];
        printf("%g %d\n", last, above);
    }
}
