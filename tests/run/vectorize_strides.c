// flags: -O3
// Elements at constant distances, and elements that all iterations load: every trip count from none to three registers, ranges that overlap and that do not.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 40 };

typedef struct {
    float x, y, z;
    int32_t count;
    double weight;
    int64_t total;
} Item;

static Item items[N], copy[N];
static float floats[N * 7];
static double doubles[N * 7], table[N][6];
static int32_t ints[N * 7];
static int64_t longs[N * 7];
static uint32_t hash;

static void add(const void *data, size_t size)
{
    const char *p = data;
    // Eight bytes at a time: the interpreter runs this, too.
    for (uint64_t word; size >= sizeof word; p += sizeof word, size -= sizeof word) {
        memcpy(&word, p, sizeof word);
        hash = hash * 16777619u ^ (uint32_t)(word ^ word >> 32);
    }
}

static void fill(void)
{
    for (int i = 0; i < N * 7; i++) {
        floats[i] = (float)(i * 37 % 101) - 50;
        doubles[i] = (i * 53 % 97) * 0.5 - 11;
        ints[i] = i * 7919 % 1000 - 500;
        longs[i] = i * 104729LL % 100000 - 50000;
    }
    for (int i = 0; i < N; i++)
        items[i] = (Item){(float)i, (float)(i * i % 13), (float)-i, i * 3 - 7, i * 0.25, i * 1000LL};
}

#define LOOP(name, statement) \
    __attribute__((noinline)) static void name(int n) \
    { \
        for (int i = 0; i < n; i++) \
            statement; \
    }

LOOP(every_third, floats[i] = floats[100 + 3 * i] * 2 - floats[101 + 3 * i])
LOOP(every_fifth, doubles[i] = doubles[50 + 5 * i] + doubles[52 + 5 * i] * doubles[53 + 5 * i])
LOOP(third_ints, ints[i] = ints[60 + 3 * i] ^ ints[61 + 3 * i])
LOOP(third_longs, longs[i] = longs[60 + 3 * i] + 5 * longs[61 + 3 * i])
LOOP(back, floats[200 - 3 * i] = floats[200 - 3 * i] * 0.5f + 1)
LOOP(spread, doubles[4 * i + 100] = doubles[i] * 3 + 1)
LOOP(spread_ints, ints[6 * i + 2] = ints[6 * i + 1] + 17)
LOOP(members, items[i].z = items[i].x * items[i].y + 3)
LOOP(weights, items[i].weight = items[i].weight * 2 + 1)
LOOP(counts, items[i].count += 5)
LOOP(down, table[i][3] = table[i][1] * 2 + doubles[i])

__attribute__((noinline)) static int64_t sum_of(int n)
{
    int64_t sum = 0;
    int32_t narrow = 0;
    for (int i = 0; i < n; i++) {
        sum += items[i].total;
        narrow ^= items[i].count;
    }
    return sum * 31 + narrow;
}

/* `scale` may be one of the elements that are written. */
__attribute__((noinline)) static void scaled(double *to, const double *scale, const double *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += 1.5 * *scale * from[i];
}

__attribute__((noinline)) static void scaled_rows(float *to, const float *rows, const float *scale, int n)
{
    for (int i = 0; i < n; i++)
        to[i] += *scale * rows[7 * i] - scale[1];
}

__attribute__((noinline)) static void shifted_ints(int32_t *to, const int32_t *by, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = to[i] * 2 - *by;
}

/* Each iteration reads what one before it has written, or not, by `ahead`. */
#define AHEAD(distance) \
    __attribute__((noinline)) static void ahead_##distance(int n) \
    { \
        for (int i = 0; i < n; i++) \
            floats[3 * (i + distance)] = floats[3 * i] + 1; \
    }
AHEAD(1)
AHEAD(2)
AHEAD(3)
AHEAD(4)
AHEAD(5)

/* Ones on the diagonal: a constant whose lanes are stored one by one, with more around than there are registers. */
__attribute__((noinline)) static uint32_t diagonal(const uint32_t *seeds, int rounds)
{
    uint32_t cells[12][12], sums[12] = {0};
    float kept[12];
    for (int i = 0; i < 12; i++)
        kept[i] = (float)seeds[i] * 0.5f;
    uint32_t out = 0;
    for (int r = 0; r < rounds; r++) {
        memset(cells, 0, sizeof cells);
        for (int i = 0; i < 12; i++)
            cells[i][i] = 1;
        for (int i = 0; i < 12; i++)
            for (int j = 0; j < 12; j++)
                sums[j] += cells[i][j] * seeds[(i + j + r) % 12];
        for (int i = 0; i < 12; i++) {
            kept[i] = kept[i] * 0.75f + (float)(sums[i] % 100);
            out = out * 31 + sums[i] + (uint32_t)kept[i];
        }
    }
    return out;
}

int main(void)
{
    void (*const loops[])(int) = {every_third, every_fifth, third_ints, third_longs, back, spread, spread_ints, members,
                                  weights, counts, down, ahead_1, ahead_2, ahead_3, ahead_4, ahead_5};
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++) {
        hash = 2166136261u;
        for (int n = 0; n <= 26; n++) {
            fill();
            loops[k](n);
            add(floats, sizeof floats), add(doubles, sizeof doubles), add(ints, sizeof ints), add(longs, sizeof longs);
            add(items, sizeof items), add(table, sizeof table);
        }
        printf("%zu %08x\n", k, (unsigned)hash);
    }
    hash = 1;
    for (int n = 0; n <= 26; n++) {
        fill();
        memcpy(copy, items, sizeof copy);
        int64_t sum = sum_of(n);
        add(&sum, sizeof sum);
        for (int at = -2; at <= n + 1; at++) {
            fill();
            scaled(doubles + 10, doubles + 10 + at, doubles + 100, n);
            scaled(doubles + 60, doubles + 10, doubles + 60 + at, n);
            add(doubles, sizeof doubles);
            scaled_rows(floats + 5, floats + 40, floats + 5 + at, n);
            shifted_ints(ints + 3, ints + 3 + at, n);
            add(floats, sizeof floats), add(ints, sizeof ints);
        }
    }
    printf("%08x\n", (unsigned)hash);
    uint32_t seeds[12];
    for (int i = 0; i < 12; i++)
        seeds[i] = (uint32_t)i * 2654435761u >> 7;
    printf("%08x\n", (unsigned)diagonal(seeds, 9));
    return 0;
}
