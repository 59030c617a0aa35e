#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int n = 8, sum = 0;
    int *a = calloc(n, sizeof *a);
    for (int i = 0; i < n; i++) a[i] = i;
#ifdef GOOD
    for (int i = 1; i < n; i++)
#else
    for (int i = 1; i <= n; i++)
#endif
        sum += a[i] - a[i - 1]; // BUG: heap-overflow
    printf("%d\n", sum);
    free(a);
    return 0;
}
