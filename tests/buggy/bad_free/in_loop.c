#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *rows[3];
    for (int i = 0; i < 3; i++) rows[i] = calloc(4, sizeof(int));
    rows[1][2] = 5;
    printf("%d\n", rows[1][2]);
    for (int i = 0; i < 3; i++) {
#ifdef GOOD
        free(rows[i]);
#else
        free(rows[0]); // BUG: bad-free
#endif
    }
    return 0;
}
