#include <stdio.h>
#define SQUARE(x) ((x) * (x))
int main(void) {
    int sum = 0;
    for (int i = 1; i < 5;) {
#ifdef GOOD
        sum += SQUARE(i);
        i++;
#else
        sum += SQUARE(i++); // BUG: sequence-point
#endif
    }
    printf("%d\n", sum);
    return 0;
}
