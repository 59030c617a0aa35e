#include <stdio.h>
#define LIMIT 50
int main(void) {
    char composite[LIMIT] = {0};
    int count = 0;
    for (int i = 2; i < LIMIT; i++) {
        if (composite[i]) continue;
        count++;
#ifdef GOOD
        for (int j = 2 * i; j < LIMIT; j += i)
#else
        for (int j = 2 * i; j <= LIMIT; j += i)
#endif
            composite[j] = 1; // BUG: stack-overflow
    }
    printf("%d primes\n", count);
    return 0;
}
