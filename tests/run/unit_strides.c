// Loops through memory by strides that only the caller knows: versions for the stride one beside
// the others, for all short trip counts, strides of either sign, and arrays that overlap.
#include <stdio.h>
#include <string.h>

#define N 240
static float a[N], b[N], a2[N];
static unsigned char d[N], e[N], f[N];
static double x[N], y[N], z[N];

// Each loop stands a second time where no counter or stride can be known.
__attribute__((noinline)) void products(float *p, const float *q, int n, int inc) {
    for (int i = 0; i < n; i++) p[i * inc] += q[i];
}
__attribute__((noinline, optimize("O0"))) void products_slow(float *p, const float *q, int n, int inc) {
    for (int i = 0; i < n; i++) p[i * inc] += q[i];
}
__attribute__((noinline)) int steps(float *p, const float *q, int n, int inc) {
    int i;
    for (i = 0; i < n; i += inc) p[i] = p[i + inc] + q[i];
    return i;
}
__attribute__((noinline, optimize("O0"))) int steps_slow(float *p, const float *q, int n, int inc) {
    int i;
    for (i = 0; i < n; i += inc) p[i] = p[i + inc] + q[i];
    return i;
}
__attribute__((noinline)) void pixels(unsigned char *p, const unsigned char *q, int n, int ps, int qs) {
    for (int i = 0; i < n; i++) p[i * ps] = (p[i * ps] + q[i * qs]) >> 1;
}
__attribute__((noinline, optimize("O0"))) void pixels_slow(unsigned char *p, const unsigned char *q, int n, int ps, int qs) {
    for (int i = 0; i < n; i++) p[i * ps] = (p[i * ps] + q[i * qs]) >> 1;
}
__attribute__((noinline)) double *rows(double *p, const double *q, long n, long incp, long incq, double k) {
    for (long i = 0; i < n; i++) {
        *p += *q * k;
        p += incp;
        q += incq;
    }
    return p;
}
__attribute__((noinline, optimize("O0"))) double *rows_slow(double *p, const double *q, long n, long incp, long incq, double k) {
    for (long i = 0; i < n; i++) {
        *p += *q * k;
        p += incp;
        q += incq;
    }
    return p;
}

static int wrong, runs;
static void check(int same) {
    runs++;
    wrong += !same;
}

static void fill(unsigned seed) {
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525 + 1013904223;
        a[i] = a2[i] = (seed >> 20) * 0.25f;
        b[i] = (seed >> 12 & 255) - 100;
        d[i] = f[i] = seed >> 16;
        e[i] = seed >> 24;
        x[i] = z[i] = seed >> 22;
        y[i] = i * 0.5 - 7;
    }
}

int main(void) {
    int strides[] = {1, 2, 3, -1, 0};
    // All short ones, then such as fill vectors, or nearly.
    int counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 32, 35, 48};
    for (int c = 0; c < (int)(sizeof counts / sizeof *counts); c++)
        for (int s = 0; s < 5; s++) {
            int n = counts[c];
            int inc = strides[s], middle = inc < 0 ? 90 : 0;
            fill(n * 7 + s);
            products(a + middle, b, n, inc);
            products_slow(a2 + middle, b, n, inc);
            check(!memcmp(a, a2, sizeof a));
            // Into the array that is read, before and behind.
            fill(n * 7 + s);
            products(a + 90, a + 87, n, inc);
            products_slow(a2 + 90, a2 + 87, n, inc);
            check(!memcmp(a, a2, sizeof a));
            fill(n * 7 + s);
            products(a + 90, a + 93, n, inc);
            products_slow(a2 + 90, a2 + 93, n, inc);
            check(!memcmp(a, a2, sizeof a));
            if (inc > 0) {
                fill(n + s);
                int reached = steps(a, b, n, inc), expected = steps_slow(a2, b, n, inc);
                check(reached == expected && !memcmp(a, a2, sizeof a));
            }
            for (int t = 0; t <= s; t += s ? s : 1) {
                int other = strides[t];
                fill(n * 11 + s * 3 + t);
                pixels(d + middle, e + (other < 0 ? 90 : 0), n, inc, other);
                pixels_slow(f + middle, e + (other < 0 ? 90 : 0), n, inc, other);
                check(!memcmp(d, f, sizeof d));
                fill(n * 11 + s * 3 + t);
                long reached = rows(x + middle, y + 90, n, inc, other, 1.5) - x;
                check(reached == rows_slow(z + middle, y + 90, n, inc, other, 1.5) - z && !memcmp(x, z, sizeof x));
            }
        }
    printf("%d of %d wrong\n", wrong, runs);
    return 0;
}
