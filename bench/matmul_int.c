/* Measures: products of fixed-size two-dimensional int and unsigned short arrays, and powers of a small matrix modulo a prime.
   Constant strides let the compiler turn indices into pointers. */
#include <stdint.h>
#include <stdio.h>

enum { N = 256, SMALL = 12, MODULUS = 1000003 };

static int32_t a[N][N], b[N][N], c[N][N];
static uint16_t ha[N][N], hb[N][N];
static uint32_t hc[N][N];

static void multiply_int(int32_t out[N][N], int32_t x[N][N], int32_t y[N][N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < N; k++)
                sum += x[i][k] * y[k][j];
            out[i][j] = sum % 1000;
        }
}

static void multiply_short(uint32_t out[N][N], uint16_t x[N][N], uint16_t y[N][N]) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            out[i][j] = 0;
        for (int k = 0; k < N; k++) {
            uint32_t factor = x[i][k];
            for (int j = 0; j < N; j++)
                out[i][j] += factor * y[k][j];
        }
    }
}

typedef struct {
    uint32_t cell[SMALL][SMALL];
} Small;

static Small multiply_small(const Small *x, const Small *y) {
    Small out;
    for (int i = 0; i < SMALL; i++)
        for (int j = 0; j < SMALL; j++) {
            uint64_t sum = 0;
            for (int k = 0; k < SMALL; k++)
                sum += (uint64_t)x->cell[i][k] * y->cell[k][j];
            out.cell[i][j] = (uint32_t)(sum % MODULUS);
        }
    return out;
}

static Small power(Small base, uint64_t exponent) {
    Small result = {{{0}}};
    for (int i = 0; i < SMALL; i++)
        result.cell[i][i] = 1;
    while (exponent) {
        if (exponent & 1)
            result = multiply_small(&result, &base);
        base = multiply_small(&base, &base);
        exponent >>= 1;
    }
    return result;
}

int main(void) {
    uint32_t seed = 12345, sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            seed = seed * 1103515245u + 12345u;
            a[i][j] = (int32_t)(seed >> 16) % 1000;
            b[i][j] = (int32_t)(seed >> 20) % 1000;
            ha[i][j] = (uint16_t)(seed >> 8);
            hb[i][j] = (uint16_t)(seed >> 12);
        }
    for (int round = 0; round < 10; round++) {
        multiply_int(c, a, b);
        multiply_int(a, c, b);
        multiply_short(hc, ha, hb);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                sum = sum * 31 + (uint32_t)a[i][j] + hc[i][j];
                ha[i][j] = (uint16_t)(hc[i][j] >> 9);
            }
    }
    Small small;
    for (int i = 0; i < SMALL; i++)
        for (int j = 0; j < SMALL; j++)
            small.cell[i][j] = (uint32_t)(i * 7 + j * 3 + 1) % MODULUS;
    for (uint64_t i = 0; i < 800; i++) {
        Small p = power(small, 0x123456789abcdefULL + i);
        sum = sum * 31 + p.cell[i % SMALL][(i / SMALL) % SMALL];
        small.cell[i % SMALL][0] ^= p.cell[0][0] & 0xff;
    }
    printf("matmul_int %08x\n", (unsigned)sum);
    return 0;
}
