#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
#ifdef GOOD
    return (x > y) - (x < y);
#else
    return x - y; // BUG: signed-overflow
#endif
}
int main(void) {
    int a[] = {7, INT_MIN, INT_MAX, -7};
    qsort(a, 4, sizeof *a, by_value);
    printf("%d %d\n", a[0], a[3]);
    return 0;
}
