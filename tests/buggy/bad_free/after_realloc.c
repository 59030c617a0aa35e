#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *small = malloc(2 * sizeof *small);
    small[0] = small[1] = 1;
    int *large = realloc(small, 100 * sizeof *large);
    if (!large) return 1;
    for (int i = 2; i < 100; i++) large[i] = (large[i - 1] + large[i - 2]) % 1000;
    printf("%d\n", large[99]);
#ifndef GOOD
    free(small); // BUG: bad-free
#endif
    free(large);
    return 0;
}
