#include <stdio.h>
#include <stdlib.h>
int main(void) {
    void *scratch = malloc(8 * sizeof(long));
    int *counts = scratch;
    for (int i = 0; i < 8; i++) counts[i] = i;
    float *weights = scratch;
#ifdef GOOD
    for (int i = 0; i < 8; i++) weights[i] = 0;
#endif
    for (int i = 0; i < 8; i++) weights[i] += 0.5f; // BUG: aliasing
    printf("%g\n", weights[7]);
    free(scratch);
    return 0;
}
