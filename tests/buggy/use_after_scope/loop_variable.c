#include <stdio.h>
int main(void) {
    int *last = 0, sum = 0;
#ifdef GOOD
    int square = 0;
#endif
    for (int i = 0; i < 4; i++) {
#ifdef GOOD
        square = i * i;
#else
        int square = i * i;
#endif
        sum += square;
        last = &square;
    }
    printf("%d %d\n", sum, *last); // BUG: use-after-scope
    return 0;
}
