#include <stdio.h>
int main(void) {
    int a[] = {5, 6}, *spare = a;
    for (int i = 0; i < 2; i++) {
        a[i] += *spare; // BUG: use-after-scope
#ifdef GOOD
        spare = &a[i];
#else
        int copy = a[i];
        spare = &copy;
#endif
    }
    printf("%d %d\n", a[0], a[1]);
    return 0;
}
