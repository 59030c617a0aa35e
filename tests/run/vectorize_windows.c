// flags: -O3
// Loops whose short inner loops are unrolled before they are vectorised: windows of bytes, networks of exchanges, small tables.
#include <stdint.h>
#include <stdio.h>

enum { WIDTH = 75, HEIGHT = 12 };

static uint8_t in[HEIGHT][WIDTH], out[HEIGHT][WIDTH];
static int16_t wide[HEIGHT][WIDTH];
static float smooth[HEIGHT][WIDTH];

static void order(uint8_t *a, uint8_t *b)
{
    uint8_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

__attribute__((noinline)) static void median(int width)
{
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            uint8_t p[5];
            for (int i = 0; i < 5; i++)
                p[i] = in[y + i / 3 - 1][x + i % 3 - 1];
            order(&p[0], &p[1]), order(&p[3], &p[4]), order(&p[0], &p[3]), order(&p[1], &p[4]);
            order(&p[1], &p[2]), order(&p[2], &p[3]), order(&p[1], &p[2]);
            out[y][x] = p[2];
        }
}

__attribute__((noinline)) static void convolve(const int kernel[3][3], int width)
{
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            int sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    sum += kernel[i][j] * in[y + i - 1][x + j - 1];
            wide[y][x] = (int16_t)(sum < -300 ? -300 : sum > 1000 ? 1000 : sum);
        }
}

__attribute__((noinline)) static void blur(int width)
{
    static const float weights[4] = {0.125f, 0.25f, 0.5f, 0.0625f};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < width - 3; x++) {
            float sum = 0;
            for (int k = 0; k < 4; k++)
                sum += weights[k] * in[y][x + k];
            smooth[y][x] = sum;
        }
}

/* Each round reads what the round before it has written. */
__attribute__((noinline)) static void in_place(int width)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < width - 2; x++) {
            uint8_t sum = 0;
            for (int k = 0; k < 3; k++)
                sum += in[y][x + k];
            in[y][x + 1] = sum;
        }
}

int main(void)
{
    static const int kernel[3][3] = {{-3, 2, 7}, {1, -9, 4}, {5, 8, -2}};
    for (int width = 3; width <= WIDTH; width += width < 24 ? 1 : 17) {
        uint32_t seed = 1, hash = 0;
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                seed = seed * 1664525u + 1013904223u;
                in[y][x] = (uint8_t)(seed >> 24);
            }
        median(width);
        convolve(kernel, width);
        blur(width);
        in_place(width);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                hash = hash * 31 + in[y][x] + 3u * out[y][x] + 5u * (uint32_t)wide[y][x] + 7u * (uint32_t)(smooth[y][x] * 16);
        printf("%d %08x\n", width, (unsigned)hash);
    }
    return 0;
}
