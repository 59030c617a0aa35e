#include <stdio.h>
static int average(const int *a, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[i];
#ifdef GOOD
    if (n == 0) return 0;
#endif
    return sum / n; // BUG: division
}
int main(void) {
    const int a[] = {4, 6};
    printf("%d\n", average(a, 2));
    printf("%d\n", average(a, 0));
    return 0;
}
