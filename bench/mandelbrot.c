/* Measures: a tight floating-point loop with a data-dependent exit: the Mandelbrot set in double, float and fixed point. */
#include <stdint.h>
#include <stdio.h>

enum { WIDTH = 400, HEIGHT = 260, LIMIT = 2000 };

static int escape_double(double cx, double cy) {
    double x = 0, y = 0;
    int n = 0;
    while (n < LIMIT) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 4.0)
            break;
        y = 2 * x * y + cy;
        x = xx - yy + cx;
        n++;
    }
    return n;
}

static int escape_float(float cx, float cy) {
    float x = 0, y = 0;
    int n = 0;
    for (; n < LIMIT && x * x + y * y <= 4.0f; n++) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
    }
    return n;
}

/* 64-bit fixed point with 28 fractional bits. */
static int escape_fixed(int64_t cx, int64_t cy) {
    const int shift = 28;
    const int64_t four = (int64_t)4 << shift;
    int64_t x = 0, y = 0;
    int n = 0;
    for (; n < LIMIT; n++) {
        int64_t xx = x * x / ((int64_t)1 << shift), yy = y * y / ((int64_t)1 << shift);
        if (xx + yy > four)
            break;
        y = x * y / ((int64_t)1 << (shift - 1)) + cy;
        x = xx - yy + cx;
    }
    return n;
}

int main(void) {
    static const char shades[] = " .:-=+*#%@";
    uint32_t hash_double = 0, hash_float = 0, hash_fixed = 0;
    char line[WIDTH / 4 + 1];
    for (int row = 0; row < HEIGHT; row++) {
        double cy = (row - HEIGHT / 2) * 2.4 / HEIGHT;
        for (int col = 0; col < WIDTH; col++) {
            double cx = col * 3.2 / WIDTH - 2.2;
            int n = escape_double(cx, cy);
            hash_double = hash_double * 31 + (uint32_t)n;
            hash_float = hash_float * 31 + (uint32_t)escape_float((float)cx, (float)cy);
            hash_fixed = hash_fixed * 31 + (uint32_t)escape_fixed((int64_t)(cx * (1 << 28)), (int64_t)(cy * (1 << 28)));
            line[col / 4] = shades[n == LIMIT ? 9 : n % 9];
        }
        line[WIDTH / 4] = '\0';
        if (row % 26 == 0)
            puts(line);
    }
    printf("mandelbrot %08x %08x %08x\n", (unsigned)hash_double, (unsigned)hash_float, (unsigned)hash_fixed);
    return 0;
}
