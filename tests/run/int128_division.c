// 128-bit division by constants: multiplications by reciprocals, signs, remainders.
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

#define DIVISORS(X)                                                                                                    \
    X(2) X(3) X(5) X(7) X(10) X(12) X(16) X(25) X(100) X(641) X(1000) X(4096) X(65537) X(1000000007) X(4294967295)     \
    X(4294967296) X(1000000000000000000) X(9223372036854775807) X(12297829382473034411u) X(18446744073709551614u)      \
    X(18446744073709551615u)

#define UNSIGNED(d) hash = hash * 31 + n / (u128)(d); hash = hash * 31 + n % (u128)(d); wrong += n / (u128)(d) * (d) + n % (u128)(d) != n || n % (u128)(d) >= (d) || n / (u128)(d) != n / (u128)(d + zero);
#define SIGNED(d) hash = hash * 31 + s / (i128)(d); hash = hash * 31 + s % -(i128)(d); wrong += s / (i128)(d) != s / (i128)(d + zero) || s % (i128)(d) != s % (i128)(d + zero) || s / -(i128)(d) != s / -(i128)(d + zero) || s % -(i128)(d) != s % -(i128)(d + zero);

static volatile unsigned zero_source;
static unsigned wrong;

__attribute__((noinline)) static u128 unsigned_all(u128 n, unsigned zero) {
    u128 hash = 0;
    DIVISORS(UNSIGNED)
    return hash;
}

__attribute__((noinline)) static u128 signed_all(i128 s, unsigned zero) {
    u128 hash = 0;
    DIVISORS(SIGNED)
    return hash;
}

static int to_decimal(u128 value, char *out) {
    char digits[40];
    int n = 0;
    do
        digits[n++] = (char)('0' + (int)(value % 10));
    while ((value /= 10) != 0);
    for (int i = 0; i < n; i++)
        out[i] = digits[n - 1 - i];
    out[n] = '\0';
    return n;
}

int main(void) {
    static const uint64_t parts[] = {0, 1, 2, 9, 10, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
                                     0xfffffffffffffff0, 0xffffffffffffffff, 0x123456789abcdef1, 1000000000000000000};
    unsigned zero = zero_source;
    u128 hash = 0;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
        for (unsigned j = 0; j < sizeof parts / sizeof *parts; j++) {
            u128 n = (u128)parts[i] << 64 | parts[j];
            hash = hash * 33 + unsigned_all(n, zero);
            hash = hash * 33 + signed_all((i128)n, zero);
        }
    char text[40];
    int length = to_decimal(-(u128)1, text);
    printf("%016llx%016llx %u wrong %s %d\n", (unsigned long long)(hash >> 64), (unsigned long long)hash, wrong, text, length);
    return 0;
}
