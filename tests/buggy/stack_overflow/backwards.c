#include <stdio.h>
int main(void) {
    int a[5] = {1, 2, 3, 4, 5}, sum = 0;
    int *p = a + 4;
#ifdef GOOD
    for (int left = 5; left > 0; left--)
#else
    for (int left = 6; left > 0; left--)
#endif
        sum += *p--; // BUG: underflow
    printf("%d\n", sum);
    return 0;
}
