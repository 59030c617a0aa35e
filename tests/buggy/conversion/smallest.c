#include <limits.h>
#include <stdio.h>
static int divide(int a, int b) {
#ifdef GOOD
    if (a == INT_MIN && b == -1) return INT_MAX;
#endif
    return a / b; // BUG: division
}
int main(void) {
    printf("%d\n", divide(9, -3));
    printf("%d\n", divide(INT_MIN, -1));
    return 0;
}
