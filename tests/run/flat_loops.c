// Two loops that go through memory as one would, and loops that only look as if: the same results at every level.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { H = 12, W = 50 };
static uint8_t src[H][W][3], dst[H][W][3], gaps[H][W][4];
static int table[13][7], wide[13][9];
static float rows[40][3], sums[40];
static int16_t halves[30][5];

#define APART __attribute__((noipa))

static int clamp(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

APART static void blur(int w) {
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < w; x++)
            for (int c = 0; c < 3; c++) {
                int sum = 0;
                for (int j = -1; j <= 1; j++)
                    for (int i = -1; i <= 1; i++) sum += (3 - j * i) * src[y + j][x + i][c];
                dst[y][x][c] = clamp((sum >> 4) - 9);
            }
}

// Each element depends on the one three before it.
APART static void runs_on(void) {
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W; x++)
            for (int c = 0; c < 3; c++) dst[y][x][c] = (dst[y][x][c] + dst[y][x - 1][c] * 3) >> 1;
}

// The one before it, in the other direction: rounds must not see later rounds' results.
APART static void moves_down(void) {
    for (int x = 0; x < W * H - 1; x++)
        for (int c = 0; c < 3; c++) ((uint8_t(*)[3])src)[x][c] = ((uint8_t(*)[3])src)[x + 1][c] ^ 7;
}

APART static void three_of_four(void) {
    for (int x = 0; x < W; x++)
        for (int c = 0; c < 3; c++) gaps[2][x][c] = src[2][x][c] + 1;
}

APART static void numbers(void) {
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 7; j++) table[i][j] = i * 7 + j;
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 9; j++) wide[i][j] = i * 7 + j;
}

APART static int total(void) {
    int t = 0;
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 7; j++) t += table[i][j] * table[i][j];
    return t;
}

// The sum starts anew in each row; floating sums stay in order.
APART static void row_sums(void) {
    for (int i = 0; i < 40; i++) {
        float s = 0;
        for (int j = 0; j < 3; j++) s += rows[i][j];
        sums[i] = s;
    }
}

APART static void scale(float by, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) rows[i][j] = rows[i][j] * by + 1;
}

APART static void pointers(uint8_t *to, const uint8_t *from, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) *to++ = *from++ ^ 5;
}

// The factor changes with the column, or with the row.
APART static void factors(const int16_t *by, const int16_t *by_row) {
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 5; j++) halves[i][j] = halves[i][j] * by[j];
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 5; j++) halves[i][j] += by_row[i];
}

// The counters' last values are wanted, and the last element.
APART static int last(int n) {
    int i, j = 0, value = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < 7; j++) value = table[i][j] += 2;
    return i * 100 + j * 10 + value;
}

APART static void backwards(void) {
    for (int i = 12; i >= 0; i--)
        for (int j = 6; j >= 0; j--) table[i][j] = table[i][j] * 2 - 1;
}

APART static void narrow(uint8_t rounds) {
    for (uint8_t i = 0; i < rounds; i++)
        for (uint8_t j = 0; j < 3; j++) src[0][i % W][j] += src[1][i % W][j];
    for (uint8_t i = 0; i < rounds; i++)
        for (uint8_t j = 0; j < 3; j++) ((uint8_t *)src)[i * 3 + j] += 3;
}

static unsigned hash(const void *p, size_t n) {
    unsigned h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ ((const uint8_t *)p)[i]) * 16777619u;
    return h;
}

#define SHOW(what) printf("%s %08x\n", #what, hash(what, sizeof what))

int main(void) {
    static const int16_t by[5] = {1, -2, 3, 5, 7};
    int16_t by_row[30];
    for (size_t i = 0; i < sizeof src; i++) ((uint8_t *)src)[i] = i * i >> 2;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 3; j++) rows[i][j] = (i - 7) * 1.25f + j * 0.3f;
    for (int i = 0; i < 30; i++) by_row[i] = 1000 - i * 71, memcpy(halves[i], by, sizeof by);
    for (int w = 1; w < W; w += 5) {
        blur(w);
        SHOW(dst);
    }
    runs_on();
    SHOW(dst);
    moves_down();
    SHOW(src);
    three_of_four();
    SHOW(gaps);
    numbers();
    SHOW(table);
    SHOW(wide);
    printf("%d\n", total());
    for (int n = 0; n < 40; n += 7) scale(0.75f, n);
    row_sums();
    SHOW(rows);
    SHOW(sums);
    for (unsigned n = 0; n < 40; n += 3) pointers(&dst[1][0][0], &src[1][2][1], n), pointers(&dst[1][1][0], &dst[1][0][1], n);
    SHOW(dst);
    factors(by, by_row);
    SHOW(halves);
    printf("%d %d\n", last(0), last(11));
    backwards();
    SHOW(table);
    narrow(0);
    narrow(200);
    SHOW(src);
    return 0;
}
