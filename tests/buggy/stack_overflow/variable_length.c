#include <stdio.h>
static double median(int n, const double *values) {
    double sorted[n];
    for (int i = 0; i < n; i++) {
        int j = i;
        for (; j > 0 && sorted[j - 1] > values[i]; j--) sorted[j] = sorted[j - 1];
        sorted[j] = values[i];
    }
#ifdef GOOD
    return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
#else
    return n % 2 ? sorted[n / 2] : (sorted[n] + sorted[n - 1]) / 2; // BUG: stack-overflow
#endif
}
int main(void) {
    const double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    printf("%g %g\n", median(3, odd), median(4, even));
    return 0;
}
