#include <limits.h>
#include <stdio.h>
static int parse(const char *text) {
    int value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        int digit = *text - '0';
#ifdef GOOD
        if (value > (INT_MAX - digit) / 10) return -1;
#endif
        value = value * 10 + digit; // BUG: signed-overflow
    }
    return value;
}
int main(void) {
    printf("%d\n", parse("1234"));
    printf("%d\n", parse("99999999999"));
    return 0;
}
