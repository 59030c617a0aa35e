/* Words put together from parts, and taken apart again: each part comes from where it came. */
#include <stdint.h>
#include <stdio.h>

static const uint8_t table[256] = {7, 1, 9, 30, 200, 255, 17};

static uint32_t substitute(uint32_t w) {
    return (uint32_t)table[w >> 24] << 24 | (uint32_t)table[w >> 16 & 255] << 16 | (uint32_t)table[w >> 8 & 255] << 8 | table[w & 255];
}

__attribute__((noinline)) static uint32_t mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    return substitute((a & 0xff000000u) | (b & 0xff0000u) | (c & 0xff00u) | (d & 0xffu));
}

__attribute__((noinline)) static uint32_t near(uint32_t a, uint32_t b) {
    uint32_t both = (a & 0xfffff000u) ^ (b & 0x1fffu); /* they meet in one bit */
    return (both >> 12 & 3) * 100 + (both >> 13 & 3) * 10 + (uint32_t)table[both & 7];
}

__attribute__((noinline)) static uint64_t wide(uint32_t low, uint32_t high) {
    uint64_t both = (uint64_t)high << 32 | low;
    return (both >> 32) * 3 + (both & 0xffff) + (both >> 31 & 3) + (uint32_t)both;
}

__attribute__((noinline)) static unsigned halves(unsigned char a, signed char b) {
    unsigned both = (unsigned)a << 8 | (unsigned char)b;
    return (unsigned)(unsigned char)both + table[both >> 8 & 15] + (both >> 7);
}

int main(void) {
    printf("%x %x\n", mix(0x01020304, 0x05060708, 0x00010203, 0x04050607), mix(0, 0x10000, 0x200, 3));
    for (uint32_t a = 0; a < 0x4000; a += 0x7ff)
        printf("%u ", near(a, 0x1fff - a));
    printf("\n%llx %llx\n", (unsigned long long)wide(0x80000001u, 3), (unsigned long long)wide(0xffffffffu, 0xffffffffu));
    printf("%u %u %u\n", halves(1, -1), halves(255, 1), halves(3, -128));
    return 0;
}
