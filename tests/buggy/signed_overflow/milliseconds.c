#include <stdio.h>
static long in_microseconds(int seconds) {
#ifdef GOOD
    return 1000000L * seconds;
#else
    return 1000000 * seconds; // BUG: signed-overflow
#endif
}
int main(void) {
    printf("%ld\n", in_microseconds(60));
    printf("%ld\n", in_microseconds(3600));
    return 0;
}
