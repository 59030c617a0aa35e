#include <stdio.h>
static unsigned low_bits(unsigned n) {
#ifdef GOOD
    return n >= 32 ? ~0u : (1u << n) - 1;
#else
    return (1u << n) - 1; // BUG: shift
#endif
}
int main(void) {
    printf("%x\n", low_bits(5));
    printf("%x\n", low_bits(32));
    return 0;
}
