#include <stdio.h>
static void largest(const int *a, int n, const int **out) {
    int best = a[0];
    const int *where = a;
    for (int i = 1; i < n; i++)
        if (a[i] > best) {
            best = a[i];
            where = &a[i];
        }
#ifdef GOOD
    *out = where;
#else
    *out = &best;
#endif
}
int main(void) {
    const int a[] = {4, 8, 2};
    const int *p;
    largest(a, 3, &p);
    printf("%d\n", *p); // BUG: use-after-return
    return 0;
}
