#include <stdio.h>
static int to_fixed(int whole) {
#ifdef GOOD
    return whole * (1 << 16);
#else
    return whole << 16; // BUG: shift
#endif
}
int main(void) {
    printf("%d %d\n", to_fixed(3), to_fixed(-2));
    return 0;
}
