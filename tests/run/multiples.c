// lli: its compiler takes minutes for the one large function
// Tests for multiples of constants: a product with an inverse and one comparison take the place of
// the remainder. Against a divisor that nobody knows.
#include <limits.h>
#include <stdio.h>

volatile unsigned ud;
volatile int sd;
volatile unsigned long uld;
volatile long sld;
static unsigned wrong, tests;

static const unsigned long edges[] = {
    0, 1, 2, 3, 5, 6, 7, 9, 10, 12, 14, 15, 18, 20, 21, 28, 96, 97, 100, 101, 126, 127, 128, 640, 641, 999, 1000, 1001,
    0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x7ffffffffffffffe, 0x7fffffffffffffff,
    0x8000000000000000, 0x8000000000000001, 0xfffffffffffffffe, 0xffffffffffffffff, 0xfffffffffffffffa, 0xfffffff6,
    715827882, 2147483646, 2147483640, 4294967290, 6148914691236517205, 3074457345618258602, 9223372036854775800,
};

#define CHECK(T, V, D) do { \
    V = (T)(D); \
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) { \
        T x = (T)edges[i]; \
        T multiple = (T)((unsigned long)x / (unsigned long)(T)(D) * (unsigned long)(T)(D)); \
        tests += 4; \
        wrong += (x % (T)(D) == 0) != (x % V == 0); \
        wrong += (x % (T)(D) != 0) != (x % V != 0); \
        wrong += (multiple % (T)(D) == 0) != (multiple % V == 0); \
        if (x % (T)(D)) { if (x % V == 0) wrong++; } else if (x % V != 0) wrong++; \
    } \
} while (0)

// Remainders by powers of two that are not zero, of both signs.
#define IS(T, V, D, K) do { \
    V = (T)(D); \
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++) { \
        T x = (T)edges[i]; \
        tests += 4; \
        wrong += (x % (T)(D) == (K)) != (x % V == (K)); \
        wrong += (x % (T)(D) != -(K)) != (x % V != -(K)); \
        T y = (T)-(unsigned long)x; \
        wrong += (y % (T)(D) == -(K)) != (y % V == -(K)); \
        wrong += x % (T)(D) != x % V; \
    } \
} while (0)

#define POWER(D, K) IS(int, sd, D, K); IS(long, sld, D, K); IS(int, sd, -(D), K); IS(long, sld, -(D), K); IS(unsigned, ud, D, K)

#define ALL(D) CHECK(unsigned, ud, D); CHECK(unsigned long, uld, D); \
    if ((D) < 0x80000000u) { CHECK(int, sd, D); CHECK(int, sd, -(long)(D)); CHECK(long, sld, D); CHECK(long, sld, -(long)(D)); }

int main(void) {
    ALL(3); ALL(5); ALL(6); ALL(7); ALL(9); ALL(10); ALL(12); ALL(14); ALL(15); ALL(20); ALL(28); ALL(60); ALL(61);
    ALL(96); ALL(97); ALL(100); ALL(125); ALL(400); ALL(640); ALL(641); ALL(1000); ALL(3600); ALL(65535); ALL(65537);
    ALL(1000000007); ALL(0x7fffffff); ALL(0x7ffffffe); ALL(0x80000001); ALL(0xfffffffe); ALL(0xffffffff);
    CHECK(unsigned long, uld, 0x8000000000000001); CHECK(unsigned long, uld, 0xffffffffffffffff);
    CHECK(unsigned long, uld, 0x100000001); CHECK(long, sld, 0x7fffffffffffffff); CHECK(long, sld, 0x7ffffffffffffffe);
    ALL(2); ALL(4); ALL(64); ALL(0x40000000); ALL(0x80000000);
    POWER(2, 1); POWER(4, 1); POWER(4, 3); POWER(8, 4); POWER(1024, 1000); POWER(0x40000000, 0x3fffffff); POWER(16, 16);
    unsigned fizz = 0;
    for (unsigned i = 0; i < 300; i++) fizz = fizz * 31 + (i % 15 == 0 ? 3 : i % 5 == 0 ? 2 : i % 3 == 0 ? 1 : 0);
    printf("%u tests, %u wrong, %u\n", tests, wrong, fizz);
    return 0;
}
