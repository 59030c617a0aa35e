/* Divisions and remainders by constants, in 32 bits: against the same by a value that is not known. Signed, unsigned, and where ranges say that nothing is
   negative (bytes, products and differences of bytes). */
#include <stdint.h>
#include <stdio.h>

static volatile int64_t hidden;
static unsigned wrong;

static const uint32_t values[] = {0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 99, 100, 254, 255, 256, 65534, 65535, 65536, 999999, 1000000, 16777215,
    2147483645, 2147483646, 2147483647, 2147483648u, 2147483649u, 2147483650u, 3000000006u, 3000000007u, 4294967040u, 4294967290u,
    4294967291u, 4294967294u, 4294967295u};
enum { COUNT = sizeof values / sizeof *values };

#define UNSIGNED(d) \
    static void u##d(uint32_t x) \
    { \
        hidden = d##u; \
        uint32_t by = (uint32_t)hidden; \
        wrong += x / d##u != x / by; \
        wrong += x % d##u != x % by; \
        wrong += (x / d##u) >> 1 != (x / by) >> 1; \
        wrong += (uint64_t)(x / d##u) + 1 != (uint64_t)(x / by) + 1; \
    }
#define SIGNED(d) \
    static void s##d(int32_t x) \
    { \
        hidden = d; \
        int32_t by = (int32_t)hidden; \
        wrong += x / d != x / by; \
        wrong += x % d != x % by; \
        if (x != INT32_MIN) \
            wrong += x / -d != x / -by; \
        wrong += (int64_t)(x / d) * 3 != (int64_t)(x / by) * 3; \
        wrong += (uint64_t)(uint32_t)(x / d) != (uint64_t)(uint32_t)(x / by); \
    }
#define BYTES(d) \
    static void b##d(uint8_t a, uint8_t b, uint8_t c) \
    { \
        hidden = d; \
        int by = (int)hidden, mixed = a * b + (255 - b) * c + 127, less = a - 300; \
        wrong += mixed / d != mixed / by; \
        wrong += (255 - a) / d != (255 - a) / by; \
        wrong += less / d != less / by; \
        wrong += (a - b) % d != (a - b) % by; \
    }

UNSIGNED(1) UNSIGNED(2) UNSIGNED(3) UNSIGNED(5) UNSIGNED(6) UNSIGNED(7) UNSIGNED(9) UNSIGNED(10)
UNSIGNED(11) UNSIGNED(25) UNSIGNED(60) UNSIGNED(97) UNSIGNED(100) UNSIGNED(127) UNSIGNED(255) UNSIGNED(256)
UNSIGNED(641) UNSIGNED(1000) UNSIGNED(1009) UNSIGNED(3600) UNSIGNED(10000) UNSIGNED(65535) UNSIGNED(65536) UNSIGNED(86400)
UNSIGNED(1000003) UNSIGNED(16777213) UNSIGNED(2147483647) UNSIGNED(2147483648) UNSIGNED(2147483649) UNSIGNED(3000000007) UNSIGNED(4294967291) UNSIGNED(4294967295)
SIGNED(1) SIGNED(2) SIGNED(3) SIGNED(5) SIGNED(6) SIGNED(7) SIGNED(9) SIGNED(10)
SIGNED(11) SIGNED(25) SIGNED(60) SIGNED(97) SIGNED(100) SIGNED(127) SIGNED(255) SIGNED(256)
SIGNED(641) SIGNED(1000) SIGNED(1009) SIGNED(3600) SIGNED(10000) SIGNED(65535) SIGNED(65536) SIGNED(86400)
SIGNED(1000003) SIGNED(16777213) SIGNED(2147483647)
BYTES(3) BYTES(7) BYTES(10) BYTES(100) BYTES(255) BYTES(256) BYTES(1000)

int main(void)
{
    static void (*const unsigned_ones[])(uint32_t) = {
        u1, u2, u3, u5, u6, u7, u9, u10, u11, u25,
        u60, u97, u100, u127, u255, u256, u641, u1000, u1009, u3600,
        u10000, u65535, u65536, u86400, u1000003, u16777213, u2147483647, u2147483648, u2147483649, u3000000007,
        u4294967291, u4294967295,
    };
    static void (*const signed_ones[])(int32_t) = {
        s1, s2, s3, s5, s6, s7, s9, s10, s11, s25,
        s60, s97, s100, s127, s255, s256, s641, s1000, s1009, s3600,
        s10000, s65535, s65536, s86400, s1000003, s16777213, s2147483647,
    };
    static void (*const bytes[])(uint8_t, uint8_t, uint8_t) = {
        b3, b7, b10, b100, b255, b256, b1000,
    };
    for (unsigned i = 0; i < sizeof unsigned_ones / sizeof *unsigned_ones; i++)
        for (int v = 0; v < COUNT; v++)
            unsigned_ones[i](values[v]);
    for (unsigned i = 0; i < sizeof signed_ones / sizeof *signed_ones; i++)
        for (int v = 0; v < COUNT; v++)
            signed_ones[i]((int32_t)values[v]);
    for (unsigned i = 0; i < sizeof bytes / sizeof *bytes; i++)
        for (unsigned a = 0; a < 256; a += 5)
            for (unsigned b = 0; b < 256; b += 17)
                bytes[i](a, b, a ^ b);
    printf("%u wrong\n", wrong);
    return 0;
}
