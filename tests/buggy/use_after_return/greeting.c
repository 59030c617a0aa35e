#include <stdio.h>
static int *largest(int a, int b) {
#ifdef GOOD
    static int result;
#else
     int result;
#endif
    int *p = &result;
    result = a > b ? a : b;
    return p;
}
int main(void) {
    int *p = largest(3, 4);
    printf("%d\n", *p); // BUG: use-after-return
    return 0;
}
