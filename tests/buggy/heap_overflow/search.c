#include <stdio.h>
#include <stdlib.h>
static int find(const int *a, int n, int wanted) {
    while (n-- > 0 && a[n] != wanted) {}
    return n;
}
int main(void) {
    int *a = calloc(4, sizeof *a);
    int at = find(a, 4, 7);
#ifdef GOOD
    if (at >= 0)
#endif
    a[at] = 1; // BUG: underflow
    printf("%d\n", at);
    free(a);
    return 0;
}
