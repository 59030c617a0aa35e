/* Tables that loops fill and empty as vectors, and other code word by word; matrices whose sizes are members. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

__attribute__((noinline)) static void stir(uint32_t *out, const uint32_t *in, int count) {
    uint32_t x[16];
    for (int i = 0; i < 16; i++)
        x[i] = in[i];
    for (int i = 0; i < count; i++) {
        x[4] ^= rotate(x[0] + x[12], 7), x[8] ^= rotate(x[4] + x[0], 9);
        x[12] ^= rotate(x[8] + x[4], 13), x[0] ^= rotate(x[12] + x[8], 18);
        x[9] ^= rotate(x[5] + x[1], 7), x[13] ^= rotate(x[9] + x[5], 9);
        x[1] ^= rotate(x[13] + x[9], 13), x[5] ^= rotate(x[1] + x[13], 18);
        x[14] ^= rotate(x[10] + x[6], 7), x[2] ^= rotate(x[14] + x[10], 9);
        x[6] ^= rotate(x[2] + x[14], 13), x[10] ^= rotate(x[6] + x[2], 18);
        x[3] ^= rotate(x[15] + x[11], 7), x[7] ^= rotate(x[3] + x[15], 9);
        x[11] ^= rotate(x[7] + x[3], 13), x[15] ^= rotate(x[11] + x[7], 18);
    }
    for (int i = 0; i < 16; i++)
        out[i] = x[i] + in[i];
}

__attribute__((noinline)) static uint64_t longs(const uint64_t *in, int count) {
    uint64_t x[8], sum = 0;
    for (int i = 0; i < 8; i++)
        x[i] = in[i] * 2;
    while (count-- > 0) {
        x[0] += x[1], x[1] ^= x[2] << 3, x[2] += x[3] * 5, x[3] ^= x[0];
        x[4] += x[5], x[5] ^= x[6] >> 1, x[6] -= x[7] * 3, x[7] += x[3] ^ x[4];
    }
    for (int i = 0; i < 8; i++)
        sum += x[i] ^ in[i];
    return sum;
}

typedef struct {
    int rows, columns, depth;
    float *cells;
} Matrix;

#define AT(m, r, c, d) ((m)->cells[(r) * (m)->columns * (m)->depth + (c) * (m)->depth + (d)])

__attribute__((noinline)) static float relax(const Matrix *from, const Matrix *weights, Matrix *to) {
    float change = 0;
    for (int i = 1; i < from->rows - 1; i++)
        for (int j = 1; j < from->columns - 1; j++)
            for (int k = 1; k < from->depth - 1; k++) {
                float next = AT(weights, 0, j, k) * AT(from, i + 1, j, k + 1) - AT(from, i - 1, j + 1, k)
                    + AT(weights, 1, j, k) * (AT(from, i, j, k + 1) - AT(from, i, j - 1, k - 1));
                change += next - AT(from, i, j, k);
                AT(to, i, j, k) = next;
            }
    return change;
}

/* The sizes change with the cells. */
__attribute__((noinline)) static int moving(int *sizes, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sizes[sizes[0] * 2 + i] = i & 3;
        sum = sum * 3 + sizes[0];
    }
    return sum;
}

int main(void) {
    uint32_t words[16], mixed[16];
    uint64_t many[8];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)i * 0x9e3779b9u;
    for (int i = 0; i < 8; i++)
        many[i] = (uint64_t)i << 33 | 7;
    for (int count = 0; count < 4; count++) {
        stir(mixed, words, count);
        uint32_t sum = 0;
        for (int i = 0; i < 16; i++)
            sum = sum * 31 + mixed[i];
        printf("%08x %016llx\n", (unsigned)sum, (unsigned long long)longs(many, count * 3));
    }
    stir(words, words, 2);
    printf("%08x %08x\n", (unsigned)words[0], (unsigned)words[15]);
    static float cells[3][5 * 6 * 7];
    for (int i = 0; i < 5 * 6 * 7; i++)
        cells[0][i] = (float)(i % 11), cells[1][i] = (float)(i % 3) - 1;
    Matrix from = {5, 6, 7, cells[0]}, weights = {5, 6, 7, cells[1]}, to = {5, 6, 7, cells[2]};
    printf("%.1f", relax(&from, &weights, &to));
    printf(" %.1f\n", relax(&to, &weights, &to));
    int sizes[40] = {1};
    memset(sizes + 1, 0, sizeof sizes - sizeof sizes[0]);
    printf("%d", moving(sizes, 20));
    sizes[0] = -1;
    printf(" %d\n", moving(sizes + 3, 9));
    return 0;
}
