#include <stdio.h>
int main(void) {
    unsigned a = 12, b = 34;
#ifdef GOOD
    a ^= b;
    b ^= a;
    a ^= b;
#else
    a ^= b ^= a ^= b; // BUG: sequence-point
#endif
    printf("%u %u\n", a, b);
    return 0;
}
