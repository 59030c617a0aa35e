#include <stdio.h>
#include <stdlib.h>
static unsigned checksum(unsigned seed) {
    unsigned *work = calloc(16, sizeof *work); // BUG: leak
    for (unsigned i = 0; i < 16; i++) work[i] = seed += seed * 5 + i;
    unsigned sum = work[3] ^ work[11];
#ifdef GOOD
    free(work);
#endif
    return sum;
}
int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 5; i++) sum ^= checksum(i);
    printf("%u\n", sum);
    return 0;
}
