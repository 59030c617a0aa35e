#include <stdio.h>
static const signed char logs[] = {0, 4, 9, -1};
static int size_of(int class) {
#ifdef GOOD
    if (logs[class] < 0) return 0;
#endif
    return 16 << logs[class]; // BUG: shift
}
int main(void) {
    int total = 0;
    for (int i = 0; i < 4; i++) total += size_of(i);
    printf("%d\n", total);
    return 0;
}
