#include <stdio.h>
static int share(int total, const int *weights, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += weights[i];
#ifdef GOOD
    if (sum) total /= sum;
#else
    total /= sum; // BUG: division
#endif
    return total;
}
int main(void) {
    const int fair[] = {1, 1}, none[] = {2, -2};
    printf("%d %d\n", share(10, fair, 2), share(10, none, 2));
    return 0;
}
