#include <stdio.h>
static int sign(int x) {
    int s;
    if (x > 0) s = 1;
    else if (x < 0) s = -1;
#ifdef GOOD
    else s = 0;
#endif
    return s;
}
int main(void) {
    int n = 0;
    for (int x = -1; x < 2; x++)
        if (sign(x) >= 0) n++; // BUG: uninitialised
    printf("%d\n", n);
    return 0;
}
