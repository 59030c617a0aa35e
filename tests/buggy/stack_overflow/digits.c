#include <stdio.h>
/* Writes the digits of a number, the last first. */
static int digits(unsigned value, char *out, int room) {
    int count = 0;
    while (value != 0 && count < room) {
        out[count++] = '0' + value % 10; // BUG: stack-overflow
        value /= 10;
    }
    return count;
}
int main(void) {
    char text[4];
#ifdef GOOD
    int n = digits(123456, text, 4);
#else
    int n = digits(123456, text, 6);
#endif
    printf("%d %c\n", n, text[0]);
    return 0;
}
