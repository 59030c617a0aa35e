// The lowest n bits of a value, fields of a bit buffer, products with constants of 64 bits, with and
// without BMI2.
#include <stdio.h>
#include <stdint.h>
#define T __attribute__((target("bmi2"),noinline))
T uint64_t low(uint64_t x, unsigned n) { return x & ((1ull << n) - 1); }
T uint32_t low32(uint32_t x, unsigned n) { return x & ((1u << n) - 1); }
T uint64_t lowm(uint64_t *x, unsigned char n) { return *x & ((1ull << n) - 1); }
T uint64_t bits(uint64_t c, unsigned used, unsigned n) { return (c >> (64 - used - n)) & ((1ull << n) - 1); }
__attribute__((noinline)) uint64_t bits0(uint64_t c, unsigned used, unsigned n) { return (c >> (64 - used - n)) & ((1ull << n) - 1); }
__attribute__((noinline)) uint64_t bits1(uint64_t c, uint64_t used, unsigned char n) { return (c << (64 - used - n)); }
__attribute__((noinline)) uint32_t bits2(uint32_t c, uint32_t used, unsigned char n) { return (c << (32 - used - n)); }
__attribute__((noinline)) uint64_t hash(uint64_t c, uint64_t *keep) { *keep = c * 0xcf1bbcdcb7a56463ull; return c ^ *keep; }
// A mask between two tests of one comparison.
uint64_t seen;
T uint64_t between(uint64_t a, uint64_t b, uint64_t x, unsigned n) {
    if (a < b) return 1;
    seen = x & ((1ull << n) - 1);
    return a == b ? 2 : 3;
}
__attribute__((target("bmi"), noinline)) uint64_t without(uint64_t a, uint64_t b, uint64_t x, uint64_t n) {
    if (a < b) return 1;
    seen = x & ~n;
    return a == b ? 2 : 3;
}
int main(void) {
    for (int i = 0; i < 3; i++)
        printf("%d %d %d\n", (int)between(i + 1, 2, 0xff00, 8), (int)without(i + 1, 2, 3, 3), (int)seen);
    uint64_t x = 0x123456789abcdef1ull, k;
    for (unsigned n = 0; n < 64; n += 7) {
        printf("%llx %x %llx\n", (long long)low(x, n), low32((uint32_t)x, n & 31), (long long)lowm(&x, n));
        if (n >= 1 && n < 30) printf("%llx %llx %llx %x\n", (long long)bits(x, 30, n), (long long)bits0(x, 30, n), (long long)bits1(x, 30, n), bits2((uint32_t)x, 2, n));
    }
    printf("%llx\n", (long long)hash(x, &k));
}
