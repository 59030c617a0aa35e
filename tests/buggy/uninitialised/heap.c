#include <stdio.h>
#include <stdlib.h>
int main(void) {
    enum { N = 6 };
#ifdef GOOD
    unsigned *counts = calloc(N, sizeof *counts);
#else
    unsigned *counts = malloc(N * sizeof *counts);
#endif
    for (int i = 0; i < 20; i++) counts[i * i % N]++;
    for (int i = 0; i < N; i++) printf("%u ", counts[i]); // BUG: uninitialised
    putchar('\n');
    free(counts);
    return 0;
}
