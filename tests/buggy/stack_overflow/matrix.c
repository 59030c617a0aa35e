#include <stdio.h>
static void fill(int *cells, int rows, int columns) {
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            cells[r * columns + c] = r + c; // BUG: stack-overflow
}
int main(void) {
    int grid[3][4];
#ifdef GOOD
    fill(&grid[0][0], 3, 4);
#else
    fill(&grid[0][0], 4, 4);
#endif
    printf("%d\n", grid[2][3]);
    return 0;
}
