#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
static int *range(int n) {
#ifdef GOOD
    int *a = malloc(n * sizeof *a);
#else
    int *a = alloca(n * sizeof *a);
#endif
    for (int i = 0; i < n; i++) a[i] = i;
    return a;
}
int main(void) {
    int *a = range(5), sum = 0;
    for (int i = 0; i < 5; i++) sum += a[i]; // BUG: use-after-return
    printf("%d\n", sum);
#ifdef GOOD
    free(a);
#endif
    return 0;
}
