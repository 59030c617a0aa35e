#include <stdio.h>
static unsigned short fold(unsigned sum) {
#ifdef GOOD
    const unsigned short half[2] = {(unsigned short)sum, (unsigned short)(sum >> 16)};
#else
    const unsigned short *half = (const unsigned short *)&sum;
#endif
    return half[0] + half[1]; // BUG: aliasing
}
int main(void) {
    printf("%u\n", fold(0x12345678));
    return 0;
}
