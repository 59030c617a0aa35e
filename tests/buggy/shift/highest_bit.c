#include <stdio.h>
static unsigned long next_power(unsigned long n) {
    int bits = 0;
    while (n >> bits) { // BUG: shift
        bits++;
#ifdef GOOD
        if (bits == 64) return 0;
#endif
    }
    return 1ul << bits;
}
int main(void) {
    printf("%lu\n", next_power(100));
    printf("%lu\n", next_power(~0ul));
    return 0;
}
