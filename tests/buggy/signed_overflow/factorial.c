#include <stdio.h>
#ifdef GOOD
typedef long long number;
#else
typedef int number;
#endif
static number factorial(int n) {
    number f = 1;
    for (int i = 2; i <= n; i++) f *= i; // BUG: signed-overflow
    return f;
}
int main(void) {
    printf("%lld\n", (long long)factorial(13));
    return 0;
}
