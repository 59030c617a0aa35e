#include <stdio.h>
int main(void) {
    const int values[] = {3, 1, 4};
    int sum = 0, n = 3;
    while (n > 0) {
#ifdef GOOD
        sum = sum * 2 + values[n - 1];
        n--;
#else
        sum = (sum += values[--n]) + n; // BUG: sequence-point
#endif
    }
    printf("%d\n", sum);
    return 0;
}
