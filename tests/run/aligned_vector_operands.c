// flags: -O3 -fno-math-errno
// Vector operands in memory: SSE instructions take aligned ones, and fault on any other address.
#include <stdio.h>
#include <string.h>

enum { N = 96 };
float a[N + 8], b[N + 8], c[N + 8];
static double d[N + 8], e[N + 8] __attribute__((aligned(8)));
struct { int first; int x[N + 3]; int y[N + 5]; } pair;
extern float given[N] __attribute__((aligned(64)));
float given[N] __attribute__((aligned(64)));
static unsigned char bytes[N + 32];

static void fill(void) {
    for (int i = 0; i < N + 8; i++) a[i] = i, b[i] = 2 * i + 1, c[i] = 0, d[i] = i * 0.5, e[i] = i + 0.25;
    for (int i = 0; i < N + 3; i++) pair.x[i] = i * 3, pair.y[i] = 100 - i;
    for (int i = 0; i < N; i++) given[i] = i * 4;
    for (int i = 0; i < N + 32; i++) bytes[i] = i * 7;
}

static void sum_of(const char *name, const void *p, size_t n) {
    const unsigned char *q = p;
    unsigned h = 1;
    for (size_t i = 0; i < n; i++) h = h * 31 + q[i];
    printf("%s %08x\n", name, h);
}

#define SHIFTED(K) \
    __attribute__((noinline)) static void from##K(int n) { \
        for (int i = 0; i < N; i++) c[i] = a[i + K] + b[i]; \
        for (int i = K; i < N; i++) c[i] += a[i] * given[i - K]; \
        for (int i = 0; i < n; i++) d[i + K] = d[i + K] * e[i] - e[i + K]; \
        for (int i = K; i < n; i++) pair.x[i] += pair.y[i - K] & pair.x[i]; \
    }
SHIFTED(0) SHIFTED(1) SHIFTED(2) SHIFTED(3) SHIFTED(4) SHIFTED(5) SHIFTED(7) SHIFTED(8)
static void (*const all[])(int) = {from0, from1, from2, from3, from4, from5, from7, from8};

// The start is known at run time only.
__attribute__((noinline)) static void start(int from, int to) {
    for (int i = from; i < to; i++) c[i] = a[i] * b[i] + c[i];
    for (int i = from * 4; i < to; i++) c[i] = c[i] - given[i];
    for (int i = from & ~3; i < to; i++) c[i] += given[i];
}

// One of several places, and rows that are a multiple of the alignment apart, or not.
static float rows[8][12], odd_rows[8][11];
__attribute__((noinline)) static void places(int which, int row) {
    const float *p = which ? a : given, *q = which ? a + 1 : given;
    for (int i = 0; i < N - 4; i++) c[i] = p[i] + c[i];
    for (int i = 0; i < N - 4; i++) c[i] = q[i] * b[i] - c[i];
    for (int i = 0; i < 8; i++) rows[row][i] = rows[row][i] + a[i], odd_rows[row][i] = odd_rows[row][i] * b[i + 4];
    for (int r = 1; r < 8; r++)
        for (int i = 0; i < 11; i++) rows[r][i] += rows[r - 1][i], odd_rows[r][i] += odd_rows[r - 1][i] + 1;
}

// The counter takes steps that do not keep the alignment.
__attribute__((noinline)) static int steps(int step) {
    int sum = 0;
    for (int at = 0; at + 16 <= N; at += step)
        for (int i = 0; i < 16; i++) sum += bytes[at + i] & bytes[at + 16 + i];
    for (int at = 0; at + 16 <= N; at += 16)
        for (int i = 0; i < 16; i++) bytes[at + i] ^= bytes[at + 16 + i];
    return sum;
}

__attribute__((noinline)) static float local(int n) {
    float x[40], y[41], sum = 0;
    char gap[3];
    for (int i = 0; i < 40; i++) x[i] = i, y[i] = n - i;
    y[40] = gap[0] = n;
    for (int i = 0; i < 40; i++) x[i] = x[i] * y[i] + y[i + 1];
    for (int i = 0; i < n; i++) x[i] = x[i] + y[i] + gap[0];
    for (int i = 0; i < 40; i++) sum += x[i];
    return sum;
}

int main(void) {
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
        for (int n = 81; n < 85; n++) {
            fill();
            all[k](n);
            sum_of("c", c, sizeof c), sum_of("d", d, sizeof d), sum_of("x", pair.x, sizeof pair.x);
        }
    for (int from = 0; from < 6; from++)
        for (int to = from; to < N; to += 13) fill(), start(from, to), sum_of("start", c, sizeof c);
    for (int k = 0; k < 16; k++) fill(), places(k & 1, k >> 1), sum_of("rows", rows, sizeof rows);
    sum_of("odd rows", odd_rows, sizeof odd_rows), sum_of("c", c, sizeof c);
    for (int step = 1; step < 20; step++) fill(), printf("%d\n", steps(step)), sum_of("bytes", bytes, sizeof bytes);
    for (int n = 0; n <= 40; n += 3) printf("%g\n", local(n));
}
