/* Arrays of rows in one dimension, indexed by sums of int: rows computed in the loop, counters doubled, steps downwards, negative rows; and
   structures of two and three floats that are passed, changed and returned. */
#include <stdint.h>
#include <stdio.h>

enum { WIDTH = 37, HEIGHT = 23 };
static int32_t grid[WIDTH * HEIGHT], other[WIDTH * HEIGHT];
static uint8_t keys[176], state[16];

static void add_rows(int32_t *restrict to, const int32_t *from, int width, int height, int row)
{
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            to[y * width + x] += from[(height - 1 - y) * width + x] + from[row * width + x];
}

static void backwards(int32_t *to, int width, int row)
{
    for (int x = width - 1; x >= 0; x -= 3)
        to[row * width + x] ^= to[(row - 1) * width + (width - 1 - x)];
}

static void even(int32_t *middle, int from, int to)
{
    for (int i = from; i < to; i++)
        middle[i * 2 + 1] += middle[i * 2] * 3;
}

static void rounds(void)
{
    for (int r = 0; r <= 10; r++) {
        for (int i = 0; i < 16; i++)
            state[i] ^= keys[r * 16 + i];
        state[r]++;
    }
}

struct pair { float x, y; };
struct triple { float h, s, v; };

static struct triple turned(struct pair p, float v)
{
    struct triple out = {p.x - p.y, p.x + p.y, v};
    if (out.h < 0)
        out.h += 6;
    return out;
}

static struct pair back(struct triple t)
{
    struct pair out;
    switch ((int)t.h & 3) {
    case 0: out = (struct pair){t.s, t.v}; break;
    case 1: out = (struct pair){t.v, t.h}; break;
    case 2: out.x = t.h; out.y = out.x - t.v; break;
    default: out.y = t.s; out.x = -out.y;
    }
    return out;
}

__attribute__((noinline)) static struct pair swapped(struct pair p) { return (struct pair){p.y, p.x}; }

int main(void)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        grid[i] = i * 7 % 101, other[i] = i * 13 % 89;
    for (int i = 0; i < 176; i++)
        keys[i] = i * 11;
    add_rows(grid, other, WIDTH, HEIGHT, 5);
    for (int row = 1; row < HEIGHT; row++)
        backwards(grid, WIDTH, row);
    even(grid + WIDTH * 10, -100, 90);
    rounds();
    unsigned sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        sum = sum * 31 + (unsigned)grid[i];
    for (int i = 0; i < 16; i++)
        sum = sum * 31 + state[i];
    struct pair p = {1.5f, 0.25f};
    for (int i = 0; i < 100; i++) {
        struct triple t = turned(p, i * 0.125f);
        t.h += 0.5f;
        t.s *= 0.75f;
        p = back(t);
        if (i % 3 == 0)
            p = swapped(p);
        p.x *= 0.5f;
    }
    printf("%u %g %g\n", sum, p.x, p.y);
    return 0;
}
