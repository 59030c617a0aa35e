#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int **rows = calloc(3, sizeof *rows);
#ifdef GOOD
    for (int i = 0; i < 3; i++) rows[i] = calloc(3, sizeof **rows);
#else
    for (int i = 0; i < 2; i++) rows[i] = calloc(3, sizeof **rows);
#endif
    for (int i = 0; i < 3; i++) rows[i][i] = 1; // BUG: pointer
    printf("%d\n", rows[0][0] + rows[1][0]);
    for (int i = 0; i < 3; i++) free(rows[i]);
    free(rows);
    return 0;
}
