#include <stdio.h>
static int board[3][4];
static int row_sum(int row) {
    int sum = 0;
#ifdef GOOD
    for (int i = 0; i < 4; i++)
#else
    for (int i = 0; i <= 4; i++)
#endif
        sum += board[row][i]; // BUG: member
    return sum;
}
int main(void) {
    for (int i = 0; i < 12; i++) board[i / 4][i % 4] = i;
    printf("%d\n", row_sum(1));
    return 0;
}
