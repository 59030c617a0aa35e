// flags: -O3 -mavx2
// Vectors whose last lane comes first: the shuffle does the load where only it wants the vector.
#include <stdio.h>

enum { N = 48 };
static float f[N], g[N];
static double d[N], e[N];
static int x[N], y[N];
static long l[N], k[N];

static void fill(void) {
    for (int i = 0; i < N; i++) f[i] = i, g[i] = 3 * i - 7, d[i] = i * 2, e[i] = 5 - i, x[i] = i * i, y[i] = 100 - i, l[i] = i * 9, k[i] = (long)i << 33;
}

static void print(int n) {
    double sum = 0;
    long ints = 0;
    for (int i = 0; i < N; i++) sum += f[i] * i + d[i] * (i + 1), ints += x[i] * (i + 3L) + l[i] * (i + 7L);
    printf("%d %g %ld\n", n, sum, ints);
}

__attribute__((noinline)) static void reversed(int n) {
    for (int i = 0; i < n; i++) f[i] += g[n - 1 - i];
    for (int i = 0; i < n; i++) d[i] = d[i] * e[n - 1 - i];
    for (int i = 0; i < n; i++) x[i] -= y[n - 1 - i];
    for (int i = 0; i < n; i++) l[i] = k[n - 1 - i] + i;
}
__attribute__((noinline)) static void used_twice(int n) {
    for (int i = 0; i < n; i++) f[i] = g[N - 1 - i] * g[N - 1 - i] + g[i];
    for (int i = n - 1; i >= 0; i--) d[i] = e[i] + e[n - 1 - i];
}
// The store may not pass the load.
__attribute__((noinline)) static void in_place(int n) {
    for (int i = 0; i < n / 2; i++) {
        float t = f[i];
        f[i] = f[n - 1 - i], f[n - 1 - i] = t;
    }
    for (int i = 0; i < n; i++) x[i] = x[n - 1 - i] + y[i];
}

int main(void) {
    for (int n = 0; n <= N; n++) {
        fill(), reversed(n), print(n);
        fill(), used_twice(n), print(n);
        fill(), in_place(n), print(n);
    }
}
