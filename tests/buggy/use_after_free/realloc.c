#include <stdio.h>
#include <stdlib.h>
int main(void) {
    int *a = malloc(4 * sizeof *a);
    for (int i = 0; i < 4; i++) a[i] = i;
    int *second = &a[1];
    a = realloc(a, 400 * sizeof *a);
#ifdef GOOD
    second = &a[1];
#endif
    printf("%d\n", *second); // BUG: use-after-free
    free(a);
    return 0;
}
