/* Measures: Conway's game of life, cell by cell in bytes on a torus, and 64 cells at once in words with a bit-sliced adder. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 256, WORDS = SIDE / 64, GENERATIONS = 180, WORD_GENERATIONS = 24000 };

static uint8_t cells[2][SIDE][SIDE];
static uint64_t words[2][SIDE][WORDS];

static void step_bytes(uint8_t from[SIDE][SIDE], uint8_t to[SIDE][SIDE]) {
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            int neighbours = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        neighbours += from[(y + dy) & (SIDE - 1)][(x + dx) & (SIDE - 1)];
            to[y][x] = neighbours == 3 || (neighbours == 2 && from[y][x]);
        }
}

typedef struct {
    uint64_t ones, twos;
} Sum;

static Sum add3(uint64_t a, uint64_t b, uint64_t c) {
    return (Sum){a ^ b ^ c, (a & b) | (a & c) | (b & c)};
}

static uint64_t left_of(const uint64_t *row, int w) {
    return row[w] << 1 | row[(w + WORDS - 1) % WORDS] >> 63;
}

static uint64_t right_of(const uint64_t *row, int w) {
    return row[w] >> 1 | row[(w + 1) % WORDS] << 63;
}

static void step_words(uint64_t from[SIDE][WORDS], uint64_t to[SIDE][WORDS]) {
    for (int y = 0; y < SIDE; y++) {
        const uint64_t *above = from[(y + SIDE - 1) % SIDE], *here = from[y], *below = from[(y + 1) % SIDE];
        for (int w = 0; w < WORDS; w++) {
            Sum a = add3(left_of(above, w), above[w], right_of(above, w));
            Sum b = add3(left_of(below, w), below[w], right_of(below, w));
            uint64_t side_ones = left_of(here, w) ^ right_of(here, w), side_twos = left_of(here, w) & right_of(here, w);
            Sum ones = add3(a.ones, b.ones, side_ones);
            Sum twos = add3(a.twos, b.twos, side_twos);
            /* two or three neighbours: exactly one of the pairs, and no four */
            uint64_t two_or_three = (twos.ones ^ ones.twos) & ~(twos.twos | (twos.ones & ones.twos));
            to[y][w] = two_or_three & (ones.ones | here[w]);
        }
    }
}

int main(void) {
    uint32_t seed = 2024, hash = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            seed = seed * 1664525u + 1013904223u;
            cells[0][y][x] = seed >> 30 == 0;
            words[0][y][x / 64] |= (uint64_t)cells[0][y][x] << (x % 64);
        }
    for (int g = 0; g < GENERATIONS; g++) {
        step_bytes(cells[g % 2], cells[(g + 1) % 2]);
        step_words(words[g % 2], words[(g + 1) % 2]);
    }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (cells[GENERATIONS % 2][y][x] != (words[GENERATIONS % 2][y][x / 64] >> (x % 64) & 1)) {
                printf("life: the two differ at %d, %d\n", x, y);
                return 1;
            }
    for (int g = GENERATIONS; g < WORD_GENERATIONS; g++)
        step_words(words[g % 2], words[(g + 1) % 2]);
    for (int y = 0; y < SIDE; y++)
        for (int w = 0; w < WORDS; w++)
            hash = hash * 31 + (uint32_t)(words[WORD_GENERATIONS % 2][y][w] ^ words[WORD_GENERATIONS % 2][y][w] >> 32);
    printf("life %08x\n", (unsigned)hash);
    return 0;
}
