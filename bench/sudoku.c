/* Measures: sudoku by backtracking with bit masks of candidates and the most constrained cell first: small arrays, bit counts,
   recursion with undo. */
#include <stdint.h>
#include <stdio.h>

typedef struct {
    uint8_t cell[81];
    uint16_t row[9], column[9], box[9]; /* digits used, bit d - 1 */
    uint64_t nodes;
} Board;

static int box_of(int cell) {
    return cell / 27 * 3 + cell % 9 / 3;
}

static unsigned candidates(const Board *b, int cell) {
    return ~(unsigned)(b->row[cell / 9] | b->column[cell % 9] | b->box[box_of(cell)]) & 0x1ff;
}

static void flip(Board *b, int cell, unsigned bit) {
    b->row[cell / 9] ^= (uint16_t)bit;
    b->column[cell % 9] ^= (uint16_t)bit;
    b->box[box_of(cell)] ^= (uint16_t)bit;
}

static int bits(unsigned x) {
    x = x - (x >> 1 & 0x55555555);
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    return (int)(x * 0x01010101 >> 24);
}

static int digit_of(unsigned bit) {
    int digit = 1;
    while (bit >>= 1)
        digit++;
    return digit;
}

/* Number of solutions, at most `limit`. The board ends as the last solution that was found, or as it was. */
static int solve(Board *b, int limit, Board *solution) {
    int best = -1, fewest = 10;
    b->nodes++;
    for (int cell = 0; cell < 81 && fewest > 1; cell++) {
        if (b->cell[cell])
            continue;
        int n = bits(candidates(b, cell));
        if (n < fewest) {
            fewest = n;
            best = cell;
        }
    }
    if (best < 0) {
        *solution = *b;
        return 1;
    }
    int found = 0;
    for (unsigned left = candidates(b, best); left && found < limit; left &= left - 1) {
        unsigned bit = left & -left;
        b->cell[best] = (uint8_t)digit_of(bit);
        flip(b, best, bit);
        found += solve(b, limit - found, solution);
        flip(b, best, bit);
        b->cell[best] = 0;
    }
    return found;
}

static Board read_board(const char *text) {
    Board b = {{0}, {0}, {0}, {0}, 0};
    for (int cell = 0; cell < 81; cell++)
        if (text[cell] != '.') {
            b.cell[cell] = (uint8_t)(text[cell] - '0');
            flip(&b, cell, 1u << (b.cell[cell] - 1));
        }
    return b;
}

int main(void) {
    /* Made by clearing cells of cyclic squares; with many or few solutions. */
    static const char *const puzzles[] = {
        "1..4..7...5..8..2...9..3..62..5.7..8.3..6..9.4..8..1..3..6..9...8..2..5...4..7..1",
        ".2.4.6.8.4.6.8.1.3.8.1.3.5.2.4.6.8.1.6.8.1.3.8.1.3.5.7.......................9....",
        "..3...7...5.......7...2..5.2..............9...4..8....3........6.......5..1......",
        "................................................................................9",
        "12345678.........1.........2.........3.........4.........5.........6.........7...",
    };
    uint64_t nodes = 0, hash = 0;
    for (int round = 0; round < 500; round++) {
        for (unsigned i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
            Board b = read_board(puzzles[i]), solution = b;
            hash = hash * 31 + (uint64_t)solve(&b, 60 + round % 50, &solution);
            nodes += b.nodes;
            for (int cell = 0; cell < 81; cell++)
                hash = hash * 31 + solution.cell[cell];
        }
    }
    printf("sudoku %llu %016llx\n", (unsigned long long)nodes, (unsigned long long)hash);
    return 0;
}
