#include <limits.h>
#include <stdio.h>
static int sequence = INT_MAX - 1;
static int next(void) {
#ifdef GOOD
    if (sequence == INT_MAX) sequence = 0;
#endif
    return sequence++; // BUG: signed-overflow
}
int main(void) {
    int last = 0;
    for (int i = 0; i < 3; i++) last = next();
    printf("%d\n", last);
    return 0;
}
