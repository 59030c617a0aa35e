/* Measures: recursion with backtracking: the n-queens problem, counted by bit masks (up to n = 14) and by arrays of flags (n = 12). */
#include <stdint.h>
#include <stdio.h>

static unsigned count_masks(uint32_t all, uint32_t columns, uint32_t left, uint32_t right) {
    if (columns == all)
        return 1;
    unsigned count = 0;
    uint32_t free_squares = all & ~(columns | left | right);
    while (free_squares) {
        uint32_t square = free_squares & -free_squares;
        free_squares ^= square;
        count += count_masks(all, columns | square, (left | square) << 1, (right | square) >> 1);
    }
    return count;
}

enum { MAX = 16 };

typedef struct {
    int n;
    int column_of[MAX];
    _Bool column[MAX], rising[2 * MAX], falling[2 * MAX];
    unsigned solutions;
    uint32_t hash;
} Board;

static void found(Board *board) {
    board->solutions++;
    for (int row = 0; row < board->n; row++)
        board->hash = (board->hash ^ (uint32_t)board->column_of[row]) * 16777619u;
}

static void place(Board *board, int row) {
    if (row == board->n) {
        found(board);
        return;
    }
    for (int col = 0; col < board->n; col++) {
        int up = row + col, down = row - col + board->n;
        if (board->column[col] || board->rising[up] || board->falling[down])
            continue;
        board->column[col] = board->rising[up] = board->falling[down] = 1;
        board->column_of[row] = col;
        place(board, row + 1);
        board->column[col] = board->rising[up] = board->falling[down] = 0;
    }
}

/* Attack tests against every earlier queen, without recursion. */
static unsigned count_iterative(int n) {
    int queen[MAX];
    unsigned count = 0;
    int row = 0;
    queen[0] = -1;
    while (row >= 0) {
        int safe = 0;
        while (!safe && ++queen[row] < n) {
            safe = 1;
            for (int r = 0; r < row && safe; r++) {
                int distance = queen[r] - queen[row];
                safe = distance != 0 && distance != row - r && distance != r - row;
            }
        }
        if (!safe)
            row--;
        else if (row == n - 1)
            count++;
        else
            queen[++row] = -1;
    }
    return count;
}

int main(void) {
    unsigned masks = 0;
    for (int n = 4; n <= 14; n++)
        masks += count_masks((1u << n) - 1, 0, 0, 0);
    Board board = {.n = 12, .hash = 2166136261u};
    place(&board, 0);
    printf("nqueens %u %u %08x %u\n", masks, board.solutions, (unsigned)board.hash, count_iterative(11));
    return 0;
}
