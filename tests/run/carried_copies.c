// flags: -O3
// Loads that earlier iterations have done: their variables change places in copies of the loop.
#include <stdio.h>

enum { N = 40 };
static double a[N + 4], b[N + 4], m[8][N + 4];
static int x[N + 4], y[N + 4];

static void fill(void) {
    for (int i = 0; i < N + 4; i++) {
        a[i] = i % 7 * 0.5, b[i] = i % 5 - 1.5, x[i] = i * 37 % 29, y[i] = i * 11 % 17;
        for (int j = 0; j < 8; j++) m[j][i] = (i * 3 + j) % 11 * 0.25;
    }
}

static void print(int k, int n) {
    double sum = 0;
    long ints = 0;
    for (int i = 0; i < N + 4; i++) {
        sum += a[i] * i, ints += (long)x[i] * i + y[i];
        for (int j = 0; j < 8; j++) sum += m[j][i] * (j + 1);
    }
    printf("%d %d %.12g %ld\n", k, n, sum, ints);
}

__attribute__((noinline)) static void second_order(int n) {
    for (int i = 2; i < n; i++) a[i] = a[i] + a[i - 1] * b[i] * 0.25 - a[i - 2] * 0.5;
}
__attribute__((noinline)) static void third_order(int n) {
    for (int i = 3; i < n; i++) x[i] = (x[i] + x[i - 1] * 3 - x[i - 2] + x[i - 3]) & 0xffff;
}
__attribute__((noinline)) static void stencil(int n) {
    for (int i = 1; i < 7; i++)
        for (int j = 1; j < n - 1; j++)
            m[i][j] = (m[i - 1][j - 1] + m[i - 1][j] + m[i - 1][j + 1] + m[i][j - 1] + m[i][j] + m[i][j + 1] +
                       m[i + 1][j - 1] + m[i + 1][j] + m[i + 1][j + 1]) / 9;
}
__attribute__((noinline)) static void fixed(int n) {
    for (int i = 2; i < N; i++) a[i] = a[i - 1] * 0.5 + a[i - 2] * 0.25 + n;
}
__attribute__((noinline)) static void leaves(int n) {
    for (int i = 2; i < n; i++) {
        x[i] = x[i - 1] + x[i - 2];
        if (x[i] > 20000) break;
        y[i] = x[i - 2];
    }
}
__attribute__((noinline)) static void down(int n) {
    for (int i = n - 3; i >= 0; i--) x[i] = x[i + 1] - x[i + 2] + y[i];
}
__attribute__((noinline)) static void last_ones(int n) {
    int before = 0, earlier = 0;
    for (int i = 2; i < n; i++) earlier = before, before = y[i - 2], y[i] = y[i - 1] + y[i - 2] % 5 + earlier;
    x[0] = before, x[1] = earlier;
}

static void (*const all[])(int) = {second_order, third_order, stencil, fixed, leaves, down, last_ones};

int main(void) {
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
        for (int n = 0; n <= 20; n++) fill(), all[k](n), print(k, n);
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) fill(), all[k](N), print(k, N);
}
