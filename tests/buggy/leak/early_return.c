#include <stdio.h>
#include <stdlib.h>
static int total(int n) {
    int *a = malloc(n * sizeof *a), sum = 0; // BUG: leak
    for (int i = 0; i < n; i++) {
        a[i] = i;
        sum += i;
    }
    if (sum > 10) {
#ifdef GOOD
        free(a);
#endif
        return -1;
    }
    free(a);
    return sum;
}
int main(void) {
    printf("%d %d\n", total(4), total(9));
    return 0;
}
