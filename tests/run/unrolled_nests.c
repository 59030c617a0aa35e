/* Loops of constant trip counts within others: kernels of all sizes, with exits, conditions and tables. */
#include <stdio.h>
#include <string.h>

enum { WIDTH = 40, HEIGHT = 24 };
static unsigned char image[HEIGHT][WIDTH];
static int out[HEIGHT][WIDTH];

#define KERNEL(n)                                                                                                      \
    __attribute__((noipa)) static unsigned convolve##n(const int (*k)[n]) {                                            \
        for (int y = 0; y < HEIGHT - n; y++)                                                                           \
            for (int x = 0; x < WIDTH - n; x++) {                                                                      \
                int sum = 0;                                                                                           \
                for (int i = 0; i < n; i++)                                                                            \
                    for (int j = 0; j < n; j++)                                                                        \
                        sum += k[i][j] * image[y + i][x + j];                                                          \
                out[y][x] = sum < 0 ? 0 : sum > 255 * 16 ? 255 * 16 : sum;                                             \
            }                                                                                                          \
        unsigned hash = 0;                                                                                             \
        for (int y = 0; y < HEIGHT; y++)                                                                               \
            for (int x = 0; x < WIDTH; x++)                                                                            \
                hash = hash * 31 + (unsigned)out[y][x];                                                                \
        return hash;                                                                                                   \
    }                                                                                                                  \
    static void test##n(void) {                                                                                        \
        int k[n][n];                                                                                                   \
        for (int i = 0; i < n * n; i++)                                                                                \
            k[i / n][i % n] = i % 7 - 2;                                                                               \
        memset(out, 0, sizeof out);                                                                                    \
        printf("%d: %08x\n", n, convolve##n(k));                                                                       \
    }

#define ALL(m) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(12) m(15) m(16) m(17)

ALL(KERNEL)

static const int dx[8] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/* An exit, a condition on the counter and a table that it indexes. */
__attribute__((noipa)) static int neighbours(int level) {
    int found = 0;
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            int k;
            for (k = 0; k < 8; k++) {
                if (k == 3 && (x & 1))
                    continue;
                if (image[y + dy[k]][x + dx[k]] > level + k)
                    break;
            }
            found += k * (x + y);
        }
    return found;
}

/* What a copy stores the next one loads. */
__attribute__((noipa)) static unsigned carried(unsigned n) {
    unsigned state[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    for (unsigned r = 0; r < n; r++)
        for (int i = 0; i < 9; i++) {
            state[i + 1] += state[i] << 3 | state[i] >> 29;
            state[i] ^= state[i + 1] + r;
        }
    unsigned sum = 0;
    for (int i = 0; i < 10; i++)
        sum = sum * 17 + state[i];
    return sum;
}

__attribute__((noipa)) static double polynomials(const double *x, int n) {
    static const double coefficients[13] = {1, -0.5, 0.25, 2, -3, 0.125, 1, 1, -1, 0.5, 0.0625, -0.5, 0.25};
    double all = 0;
    for (int i = 0; i < n; i++) {
        double value = 0;
        for (int j = 12; j >= 0; j--)
            value = value * x[i] + coefficients[j];
        all += value;
    }
    return all;
}

#define CALL(n) test##n();

int main(void) {
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            image[y][x] = (unsigned char)(x * y * 13 + x * 7 + y * 29);
    ALL(CALL)
    for (int level = 0; level < 256; level += 51)
        printf("%d\n", neighbours(level));
    printf("%08x %08x %08x\n", carried(0), carried(1), carried(100));
    double x[9];
    for (int i = 0; i < 9; i++)
        x[i] = i * 0.25 - 1;
    printf("%.12g %.12g\n", polynomials(x, 0), polynomials(x, 9));
    return 0;
}
