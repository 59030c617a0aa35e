#include <stdio.h>
static unsigned align_to(unsigned value, int from, int to) {
#ifdef GOOD
    return to >= from ? value << (to - from) : value >> (from - to);
#else
    return value << (to - from); // BUG: shift
#endif
}
int main(void) {
    printf("%u\n", align_to(3, 1, 4));
    printf("%u\n", align_to(96, 4, 1));
    return 0;
}
