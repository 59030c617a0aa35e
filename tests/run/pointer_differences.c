/* Differences of pointers to objects of every size up to 64 bytes: exact divisions, whose quotients are products with an inverse. */
#include <stdint.h>
#include <stdio.h>

static char memory[64 * 2000];

#define SIZES(X) \
    X(3) X(5) X(6) X(7) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) \
    X(27) X(28) X(29) X(30) X(31) X(33) X(36) X(40) X(44) X(48) X(49) X(52) X(56) X(60) X(63) X(64)

#define DEFINE(N) \
    typedef struct { char bytes[N]; } Object##N; \
    __attribute__((noinline)) static long between##N(Object##N *a, Object##N *b) { return a - b; } \
    __attribute__((noinline)) static int narrow##N(Object##N *a, Object##N *b) { return (int)(a - b); } \
    __attribute__((noinline)) static int after##N(Object##N *a, Object##N *b) { return a - b > 3; } \
    static void test##N(void) { \
        Object##N *base = (Object##N *)memory; \
        for (long i = 0; i < 2000; i += 7) \
            for (long j = 3; j < 2000; j += 501) { \
                if (between##N(base + i, base + j) != i - j || narrow##N(base + i, base + j) != i - j) \
                    printf("%d: %ld %ld\n", N, i, j); \
                if (after##N(base + i, base + j) != (i - j > 3)) \
                    printf("%d: %ld %ld, order\n", N, i, j); \
            } \
    }
SIZES(DEFINE)

int main(void) {
#define CALL(N) test##N();
    SIZES(CALL)
    puts("done");
    return 0;
}
