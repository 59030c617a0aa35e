#include <stdio.h>
int main(void) {
    int low = 0, high = 9, steps = 0;
    while (low < high) {
#ifdef GOOD
        steps++, low++, high--;
#else
        steps += low++ + (low < high--) + (high > 0); // BUG: sequence-point
#endif
    }
    printf("%d\n", steps);
    return 0;
}
