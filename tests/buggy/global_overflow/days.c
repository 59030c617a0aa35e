#include <stdio.h>
static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
static int total(int month) {
    int sum = 0;
    for (int m = 1; m <= month; m++)
#ifdef GOOD
        sum += days[m - 1];
#else
        sum += days[m]; // BUG: global-overflow
#endif
    return sum;
}
int main(void) {
    printf("%d\n", total(12));
    return 0;
}
