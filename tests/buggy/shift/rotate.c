#include <stdint.h>
#include <stdio.h>
static uint32_t rotate(uint32_t x, unsigned by) {
#ifdef GOOD
    return x << by % 32 | x >> -by % 32;
#else
    return x << by | x >> (32 - by); // BUG: shift
#endif
}
int main(void) {
    uint32_t x = 0x12345678;
    for (unsigned by = 0; by < 32; by += 8) x ^= rotate(x, by);
    printf("%x\n", x);
    return 0;
}
