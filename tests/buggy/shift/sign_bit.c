#include <stdio.h>
static int pack(int red, int green, int blue, int alpha) {
#ifdef GOOD
    return (int)((unsigned)alpha << 24 | red << 16 | green << 8 | blue);
#else
    return alpha << 25 | red << 16 | green << 8 | blue; // BUG: shift
#endif
}
int main(void) {
    printf("%x\n", (unsigned)pack(1, 2, 3, 255));
    return 0;
}
