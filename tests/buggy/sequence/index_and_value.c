#include <stdio.h>
int main(void) {
    int a[5] = {0}, i = 0;
    while (i < 4) {
#ifdef GOOD
        a[i] = i;
        i++;
#else
        a[i] = i++; // BUG: sequence-point
#endif
    }
    printf("%d\n", a[1]);
    return 0;
}
