#include <stdio.h>
static int split(int n, int *quotient, int *rest) {
    *quotient = n / 10;
#ifdef GOOD
    if (rest)
#endif
    *rest = n % 10; // BUG: pointer
    return *quotient != 0;
}
int main(void) {
    int q, r;
    split(42, &q, &r);
    printf("%d %d\n", q, r);
    split(7, &q, NULL);
    printf("%d\n", q);
    return 0;
}
