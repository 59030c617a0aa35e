#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint32_t length_of(const unsigned char *packet) {
#ifdef GOOD
    uint32_t n;
    memcpy(&n, packet + 1, sizeof n);
    return n;
#else
    return *(const uint32_t *)(packet + 1); // BUG: pointer
#endif
}
int main(void) {
    _Alignas(8) unsigned char packet[8] = {9, 4, 0, 0, 0, 'd', 'a', 't'};
    printf("%u\n", length_of(packet));
    return 0;
}
