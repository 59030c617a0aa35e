#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const int have = 3, more = 6;
    int *old = malloc(have * sizeof *old);
    for (int i = 0; i < have; i++) old[i] = i * i;
    int *bigger = calloc(more, sizeof *bigger);
#ifdef GOOD
    memcpy(bigger, old, have * sizeof *old);
#else
    memcpy(bigger, old, more * sizeof *old); // BUG: heap-overflow
#endif
    printf("%d\n", bigger[2]);
    free(old);
    free(bigger);
    return 0;
}
