/* Measures: filters on a grey image of bytes: 3 x 3 convolution with clamping, box blur by running sums, a median of nine, Sobel's
   edges, histogram equalisation, Floyd and Steinberg's dithering: narrow types, saturation, small windows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 400 };

typedef uint8_t Image[HEIGHT][WIDTH];

static uint8_t clamp(int v) {
    return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v;
}

static void convolve(Image in, Image out, const int kernel[3][3], int divisor) {
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            int sum = 0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    sum += kernel[i][j] * in[y + i - 1][x + j - 1];
            out[y][x] = clamp(sum / divisor);
        }
}

static void box_blur_rows(Image in, Image out, int radius) {
    for (int y = 0; y < HEIGHT; y++) {
        int sum = 0;
        for (int x = -radius; x < WIDTH + radius; x++) {
            if (x + radius < WIDTH)
                sum += in[y][x + radius < 0 ? 0 : x + radius];
            if (x - radius - 1 >= 0)
                sum -= in[y][x - radius - 1];
            if (x >= 0 && x < WIDTH)
                out[y][x] = (uint8_t)(sum / (2 * radius + 2));
        }
    }
}

static void sobel(Image in, Image out) {
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            int right = in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1], left = in[y - 1][x - 1] + 2 * in[y][x - 1] + in[y + 1][x - 1];
            int below = in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1], above = in[y - 1][x - 1] + 2 * in[y - 1][x] + in[y - 1][x + 1];
            out[y][x] = clamp((abs(right - left) + abs(below - above)) / 2);
        }
}

static void order(uint8_t *a, uint8_t *b) {
    uint8_t low = *a < *b ? *a : *b, high = *a < *b ? *b : *a;
    *a = low;
    *b = high;
}

/* A network of exchanges that leaves the median of nine in the middle (Paeth 1990). */
static void median(Image in, Image out) {
    for (int y = 1; y < HEIGHT - 1; y++)
        for (int x = 1; x < WIDTH - 1; x++) {
            uint8_t p[9];
            for (int i = 0; i < 9; i++)
                p[i] = in[y + i / 3 - 1][x + i % 3 - 1];
            order(&p[1], &p[2]), order(&p[4], &p[5]), order(&p[7], &p[8]);
            order(&p[0], &p[1]), order(&p[3], &p[4]), order(&p[6], &p[7]);
            order(&p[1], &p[2]), order(&p[4], &p[5]), order(&p[7], &p[8]);
            order(&p[0], &p[3]), order(&p[5], &p[8]), order(&p[4], &p[7]);
            order(&p[3], &p[6]), order(&p[1], &p[4]), order(&p[2], &p[5]);
            order(&p[4], &p[7]), order(&p[4], &p[2]), order(&p[6], &p[4]);
            order(&p[4], &p[2]);
            out[y][x] = p[4];
        }
}

static void equalise(Image image) {
    uint32_t histogram[256] = {0}, sum = 0;
    uint8_t map[256];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            histogram[image[y][x]]++;
    for (int i = 0; i < 256; i++) {
        sum += histogram[i];
        map[i] = (uint8_t)((uint64_t)sum * 255 / (WIDTH * HEIGHT));
    }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            image[y][x] = map[image[y][x]];
}

static void dither(Image in, Image out) {
    static int16_t error[2][WIDTH + 2];
    memset(error, 0, sizeof error);
    for (int y = 0; y < HEIGHT; y++) {
        int16_t *now = error[y % 2] + 1, *below = error[(y + 1) % 2] + 1;
        memset(below - 1, 0, sizeof error[0]);
        for (int x = 0; x < WIDTH; x++) {
            int value = in[y][x] + now[x] / 16;
            out[y][x] = value > 127 ? 255 : 0;
            int rest = value - out[y][x];
            now[x + 1] = (int16_t)(now[x + 1] + 7 * rest);
            below[x - 1] = (int16_t)(below[x - 1] + 3 * rest);
            below[x] = (int16_t)(below[x] + 5 * rest);
            below[x + 1] = (int16_t)(below[x + 1] + rest);
        }
    }
}

static uint32_t hash_of(Image image) {
    uint32_t hash = 2166136261u;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x += 3)
            hash = (hash ^ image[y][x]) * 16777619u;
    return hash;
}

int main(void) {
    static Image source, a, b;
    static const int sharpen[3][3] = {{0, -1, 0}, {-1, 5, -1}, {0, -1, 0}}, smooth[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    uint32_t seed = 1, hash = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            seed = seed * 1664525u + 1013904223u;
            source[y][x] = clamp((x * y / 200 + (x ^ y)) % 200 + (int)(seed >> 26));
        }
    for (int round = 0; round < 16; round++) {
        convolve(source, a, smooth, 16);
        convolve(a, b, sharpen, 1);
        median(b, a);
        box_blur_rows(a, b, 3 + round % 3);
        sobel(b, a);
        hash = hash * 31 + hash_of(a);
        equalise(b);
        dither(b, a);
        hash = hash * 31 + hash_of(a);
        for (int y = 0; y < HEIGHT; y++)
            source[y][(y + round * 5) % WIDTH] ^= (uint8_t)hash;
    }
    printf("image_filter %08x\n", (unsigned)hash);
    return 0;
}
