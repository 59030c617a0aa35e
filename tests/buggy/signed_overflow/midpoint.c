#include <stdio.h>
static int middle(int low, int high) {
#ifdef GOOD
    return low + (high - low) / 2;
#else
    return (low + high) / 2; // BUG: signed-overflow
#endif
}
int main(void) {
    printf("%d\n", middle(10, 20));
    printf("%d\n", middle(2000000000, 2000000010));
    return 0;
}
