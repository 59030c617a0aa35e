// The low byte or two of a number compared with a constant, in a register, in memory, and where the
// whole number or the cut one is wanted as well.
#include <stdio.h>

__attribute__((noinline)) static int of_registers(unsigned x) {
    int n = 0;
    n = n * 2 + ((x & 255) <= 2);
    n = n * 2 + ((x & 255) > 7);
    n = n * 2 + ((x & 255) == 200);
    n = n * 2 + ((x & 255) < 128);
    n = n * 2 + ((x & 255) >= 255);
    n = n * 2 + ((x & 255) != 0);
    n = n * 2 + ((x & 255) == 256);
    return n;
}

__attribute__((noinline)) static const char *by_jumps(unsigned long x) {
    if ((x & 255) == 3) {
        return "three";
    }
    if ((unsigned char)x > 250) {
        return "many";
    }
    if ((signed char)x < -100) {
        return "low";
    }
    if ((x & 0xffff) == 77) {
        return "seventy-seven";
    }
    if ((x & 0xffff) < 1000) {
        return "fewer";
    }
    return "others";
}

__attribute__((noinline)) static int of_memory(unsigned *p, unsigned short *q, unsigned long *r) {
    int n = (*p & 255) > 7;
    n = n * 2 + ((*q & 255) == 9);
    n = n * 2 + ((*r & 255) >= 130);
    n = n * 2 + ((*r & 65535) <= 100);
    return n;
}

__attribute__((noinline)) static unsigned wanted_as_well(unsigned x) {
    unsigned low = x & 255;
    if (low > 40) {
        return low * 3;
    }
    if (low == 11) {
        return x;
    }
    return low ? low - 1 : x >> 8;
}

__attribute__((noinline)) static int volatile_once(volatile unsigned *p) {
    return (*p & 255) < 9 ? 5 : 6;
}

int main(void) {
    static const unsigned numbers[] = {0, 1, 2, 3, 7, 8, 9, 11, 77, 127, 128, 130, 200, 251, 255, 256, 258, 267,
                                       300, 333, 0x80, 0xff80, 0x1004d, 65535, 65536, 0x800000ff, 0xfffffff9};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        unsigned n = numbers[i];
        unsigned short s = n;
        unsigned long l = n | 1UL << 40;
        volatile unsigned v = n;
        printf("%x: %d %s %d %u %d\n", n, of_registers(n), by_jumps(l), of_memory(&n, &s, &l), wanted_as_well(n),
               volatile_once(&v));
    }
    return 0;
}
