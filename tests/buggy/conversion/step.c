#include <stdio.h>
static int steps(int from, int to, int step) {
    int n = 0;
    for (int at = from; at <= to; at += step) n++;
#ifdef GOOD
    return step / 2 ? n % (step / 2) : n;
#else
    return n % (step / 2); // BUG: division
#endif
}
int main(void) {
    printf("%d\n", steps(0, 100, 20));
    printf("%d\n", steps(0, 5, 1));
    return 0;
}
