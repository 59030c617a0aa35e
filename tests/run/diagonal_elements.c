// flags: -O3
// Elements on diagonals of matrices, whose addresses are one multiple of the counter.
#include <stdio.h>

enum { N = 14 };
static float a[N][N], b[N][N];
static int cube[6][6][6];
static double wide[N][N + 3];

static void fill(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = i * 3 - j, b[i][j] = i + j * 2;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N + 3; j++) wide[i][j] = i * 0.5 + j;
    for (int i = 0; i < 6 * 6 * 6; i++) cube[i / 36][i / 6 % 6][i % 6] = i;
}

static void print(const char *name) {
    double sum = 0, other = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += a[i][j] * (i * 5 + j), other += wide[i][j + 2] * (i + j * 7);
    long cubes = 0;
    for (int i = 0; i < 6 * 6 * 6; i++) cubes += (long)cube[i / 36][i / 6 % 6][i % 6] * i;
    printf("%s %g %g %ld\n", name, sum, other, cubes);
}

__attribute__((noinline)) static void main_diagonal(int from, int to) {
    for (int i = from; i < to; i++) a[i][i] += b[i][i] * a[i][i];
}
__attribute__((noinline)) static void beside(int from, int to) {
    for (int i = from + 1; i < to; i++) a[i][i - 1] += b[i - 1][i], wide[i][i + 2] -= a[i - 1][i];
}
__attribute__((noinline)) static void other_diagonal(int from, int to) {
    for (int i = from; i < to; i++) a[i][N - 1 - i] -= b[N - 1 - i][i];
}
__attribute__((noinline)) static void downwards(int from, int to) {
    for (int i = to - 1; i >= from; i--) wide[i][i] = wide[i][i + 1] / 2 + b[i][i];
}
__attribute__((noinline)) static void by_two(int from, int to) {
    for (unsigned i = from; i < (unsigned)to; i += 2) a[i][i] = b[i][i / 2] + wide[i][i];
}
__attribute__((noinline)) static void through(int from, int to, int k) {
    for (int i = from; i < to; i++) cube[i % 6][i % 6][i % 6] += i;
    for (int i = from; i < to && i < 6; i++) cube[i][i][i] *= 3, cube[i][k][i] += i, cube[k][i][i] ^= k;
}
__attribute__((noinline)) static void rows_too(int from, int to) {
    for (int i = from; i < to; i++)
        for (int j = i; j < to; j++) a[i][j] += a[j][j] - a[i][i];
}

static void (*const all[])(int, int) = {main_diagonal, beside, other_diagonal, downwards, by_two, rows_too};

int main(void) {
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
        for (int to = 0; to <= N; to += to < 9 ? 1 : 5)
            for (int from = 0; from <= to && from < 3; from++) {
                fill(), all[k](from, to);
                char name[32];
                snprintf(name, sizeof name, "%u %d %d", k, from, to), print(name);
            }
    for (int k = 0; k < 6; k += 4) fill(), through(k / 4, 20, k), print("cube");
}
