#include <limits.h>
#include <stdio.h>
static int add(int a, int b, int *sum) {
#ifdef GOOD
    if (b > 0 ? a > INT_MAX - b : a < INT_MIN - b) return 0;
    *sum = a + b;
#else
    *sum = a + b; // BUG: signed-overflow
    if ((b > 0 && *sum < a) || (b < 0 && *sum > a)) return 0;
#endif
    return 1;
}
int main(void) {
    int sum = 0, fine = add(40, 2, &sum) + add(INT_MIN, -1, &sum);
    printf("%d %d\n", fine, sum);
    return 0;
}
