#include <limits.h>
#include <stdio.h>
static unsigned magnitude(int x) {
#ifdef GOOD
    return x < 0 ? -(unsigned)x : (unsigned)x;
#else
    return x < 0 ? -x : x; // BUG: signed-overflow
#endif
}
int main(void) {
    printf("%u\n", magnitude(-5));
    printf("%u\n", magnitude(INT_MIN));
    return 0;
}
