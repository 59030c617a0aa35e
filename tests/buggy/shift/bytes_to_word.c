#include <stdio.h>
static unsigned long word(const unsigned char *bytes) {
    unsigned long w = 0;
    for (int i = 0; i < 8; i++)
#ifdef GOOD
        w |= (unsigned long)bytes[i] << 8 * i;
#else
        w |= (unsigned)bytes[i] << 8 * i; // BUG: shift
#endif
    return w;
}
int main(void) {
    const unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    printf("%lx\n", word(bytes));
    return 0;
}
