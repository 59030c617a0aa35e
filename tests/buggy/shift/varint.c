#include <stdio.h>
static int decode(const unsigned char *p) {
    unsigned value = 0;
    int shift = 0;
    do {
#ifdef GOOD
        if (shift > 28) return -1;
#endif
        value |= (*p & 0x7fu) << shift; // BUG: shift
        shift += 7;
    } while (*p++ & 0x80);
    return (int)(value & 0xffff);
}
int main(void) {
    printf("%d\n", decode((const unsigned char[]){0xac, 2}));
    printf("%d\n", decode((const unsigned char[]){0xff, 0xff, 0xff, 0xff, 0xff, 1}));
    return 0;
}
