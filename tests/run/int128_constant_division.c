/* 128-bit division and remainder by constants, against the library's division by the same values at run time. */
#include <stdint.h>
#include <stdio.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int failures;
static uint64_t hash;
static volatile uint64_t zero;

static void check(u128 got, u128 expected, const char *what) {
    if (got != expected && failures++ < 10)
        printf("%s: %016llx%016llx, not %016llx%016llx\n", what, (unsigned long long)(got >> 64), (unsigned long long)got,
               (unsigned long long)(expected >> 64), (unsigned long long)expected);
    hash = hash * 31 + (uint64_t)got + (uint64_t)(got >> 64);
}

#define UNSIGNED(d)                                                                                                                                  \
    do {                                                                                                                                             \
        u128 by = (u128)(d) + zero;                                                                                                                  \
        check(n / (u128)(d), n / by, #d " u/");                                                                                                      \
        check(n % (u128)(d), n % by, #d " u%");                                                                                                      \
    } while (0)
#define SIGNED(d)                                                                                                                                    \
    do {                                                                                                                                             \
        i128 by = (i128)(d) + (i128)zero, m = (i128)n;                                                                                               \
        check((u128)(m / (i128)(d)), (u128)(m / by), #d " s/");                                                                                      \
        check((u128)(m % (i128)(d)), (u128)(m % by), #d " s%");                                                                                      \
    } while (0)

static void all(u128 n) {
    UNSIGNED(2);
    UNSIGNED(3);
    UNSIGNED(5);
    UNSIGNED(7);
    UNSIGNED(10);
    UNSIGNED(641);
    UNSIGNED(1000000007);
    UNSIGNED(4294967295u);
    UNSIGNED(4294967296u);
    UNSIGNED(4294967297u);
    UNSIGNED(1000000000000000000u);
    UNSIGNED(10000000000000000000u);
    UNSIGNED(0x7fffffffffffffffu);
    UNSIGNED(0x8000000000000000u);
    UNSIGNED(0x8000000000000001u);
    UNSIGNED(0xfffffffffffffffeu);
    UNSIGNED(0xffffffffffffffffu);
    UNSIGNED(((u128)1 << 64));
    UNSIGNED(((u128)1 << 64) + 1);
    UNSIGNED(((u128)1 << 127) + 5);
    SIGNED(2);
    SIGNED(-2);
    SIGNED(3);
    SIGNED(-3);
    SIGNED(10);
    SIGNED(-10);
    SIGNED(1000000007);
    SIGNED(4294967296);
    SIGNED(-4294967296);
    SIGNED(0x7fffffffffffffff);
    SIGNED(-0x7fffffffffffffff);
    SIGNED(((i128)0x8000000000000000u));
    SIGNED(((i128)0xffffffffffffffffu));
    SIGNED((-(i128)0xffffffffffffffffu));
    SIGNED(((i128)1 << 100));
}

int main(void) {
    static const uint64_t ends[] = {0, 1, 2, 3, 9, 10, 0x7fffffffffffffffu, 0x8000000000000000u, 0xfffffffffffffffeu, 0xffffffffffffffffu};
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            all((u128)ends[i] << 64 | ends[j]);
    for (int i = 0; i < 20000; i++) {
        uint64_t high = next() >> (next() & 63), low = next();
        all((u128)high << 64 | low);
    }
    printf("%d failures, %016llx\n", failures, (unsigned long long)hash);
    return 0;
}
