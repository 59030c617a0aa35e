#include <stdio.h>
static int sum(const int *a, int n) {
#ifdef GOOD
    int total = 0;
#else
    int total;
#endif
    for (int i = 0; i < n; i++) total += a[i]; // BUG: uninitialised
    return total;
}
int main(void) {
    const int a[] = {1, 2, 3};
    printf("%d\n", sum(a, 3));
    return 0;
}
