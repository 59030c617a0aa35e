/* Nests whose inner loops have few iterations, as many as counters around them say: both directions, all
   comparisons and types, exits, counters that wrap, rows of no iteration. */
#include <stdio.h>

static long m[24][24], v[64];
static unsigned hash;

static void mix(long x) {
    hash = hash * 31 + (unsigned)x;
}

static void prepare(void) {
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++)
            m[i][j] = i * 7 - j * 3;
    for (int i = 0; i < 64; i++)
        v[i] = i * i % 53 - 20;
}

#define NEST(name, type, outer, inner)                                                                                 \
    __attribute__((noipa)) static void name(void) {                                                                    \
        long sum = 0;                                                                                                  \
        for (outer) {                                                                                                  \
            long row = v[(unsigned)i & 63];                                                                            \
            for (type inner) {                                                                                         \
                row -= m[(unsigned)i % 24][(unsigned)j % 24] * v[(unsigned)j & 63];                                    \
                if (row == 77)                                                                                         \
                    break;                                                                                             \
            }                                                                                                          \
            v[(unsigned)i & 63] = row % 1000;                                                                          \
            sum += row;                                                                                                \
        }                                                                                                              \
        mix(sum);                                                                                                      \
    }

NEST(below, int, int i = 0; i < 5; i++, j = 0; j < i; j++)
NEST(up_to, int, int i = 0; i < 5; i++, j = 0; j <= i; j++)
NEST(from, int, int i = 0; i < 5; i++, j = i + 1; j <= 5; j++)
NEST(downwards, int, int i = 5; i >= 0; i--, j = i; j > 0; j--)
NEST(downwards_to, int, int i = 0; i <= 6; i += 2, j = 6; j >= i; j--)
NEST(strides, long, long i = 1; i < 12; i += 3, j = i - 1; j < 11; j += 2)
NEST(unsigned_rows, unsigned, unsigned i = 1; i <= 6; i++, j = i - 1; j < 6; j++)
NEST(unsigned_wraps, unsigned, unsigned i = 0; i < 4; i++, j = i - 2; j < 3; j++)
NEST(bytes, unsigned char, unsigned char i = 250; i != 2; i++, j = i; j < 255; j++)
NEST(signed_bytes, signed char, signed char i = -3; i < 3; i++, j = i; j <= 2; j++)
NEST(near_the_end, int, int i = 0x7ffffffa; i < 0x7ffffffe; i++, j = i; j < 0x7fffffff; j++)
NEST(shifted, int, int i = -4; i < 4; i++, j = i - 3; j < i + 2; j++)
NEST(empty_rows, int, int i = 0; i < 6; i++, j = 3; j < i; j++)
NEST(longer, int, int i = 0; i < 23; i++, j = 0; j < i; j++)

/* Three loops, of which the innermost depends on both. */
static inline __attribute__((always_inline)) void decompose(int n) {
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j <= n; j++) {
            long w = m[j][i];
            if (i != 0)
                for (int k = 0; k < i; k++)
                    w -= m[j][k] * m[k][i];
            m[j][i] = w / (m[i][i] | 1);
        }
        for (int j = i + 1; j <= n; j++) {
            long w = m[i + 1][j];
            for (int k = 0; k <= i; k++)
                w -= m[i + 1][k] * m[k][j];
            m[i + 1][j] = w % 10000;
        }
    }
    long y[100];
    y[0] = v[0];
    for (int i = 1; i <= n; i++) {
        long w = v[i];
        for (int j = 0; j < i; j++)
            w -= m[i][j] * y[j];
        y[i] = w % 1000;
    }
    for (int i = n - 1; i >= 0; i--) {
        long w = y[i];
        for (int j = i + 1; j <= n; j++)
            w -= m[i][j] * v[j];
        v[i] = w / (m[i][i] | 1);
    }
}

__attribute__((noipa)) static void of_five(void) {
    decompose(5);
}

__attribute__((noipa)) static void of_one(void) {
    decompose(1);
}

#define RUN(name) prepare(), hash = 0, name(), show(#name);

static void show(const char *name) {
    for (int i = 0; i < 64; i++)
        mix(v[i]);
    for (int i = 0; i < 24; i++)
        for (int j = 0; j < 24; j++)
            mix(m[i][j]);
    printf("%s: %08x\n", name, hash);
}

int main(void) {
    RUN(below) RUN(up_to) RUN(from) RUN(downwards) RUN(downwards_to) RUN(strides) RUN(unsigned_rows)
    RUN(unsigned_wraps) RUN(bytes) RUN(signed_bytes) RUN(near_the_end) RUN(shifted) RUN(empty_rows)
    RUN(longer) RUN(of_five) RUN(of_one)
    return 0;
}
