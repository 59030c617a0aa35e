// Absolute values, halves of products, narrow rotations, addresses downwards, common indices.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;

__attribute__((noipa)) unsigned magnitude(int x) { return x < 0 ? -(unsigned)x : (unsigned)x; }
__attribute__((noipa)) int magnitude_or_zero(int x) { return x > 0 ? x : (int)-(unsigned)x; }
__attribute__((noipa)) long minus_magnitude(long x) { return x < 0 ? x : (long)-(unsigned long)x; }
__attribute__((noipa)) long minus_magnitude2(long x) { return x > 0 ? (long)-(unsigned long)x : x; }
__attribute__((noipa)) uint64_t upper(const uint64_t *a, uint64_t b) { return ((u128)*a * b) >> 64; }
__attribute__((noipa)) __int128 product(const int64_t *a, const int64_t *b) { return (__int128)*a * *b; }
__attribute__((noipa)) u128 square(const uint64_t *a) { return (u128)*a * *a; }

__attribute__((noipa)) u128 dot(const uint64_t *a, const uint64_t *b, int n) {
    u128 sum = 0;
    for (int i = 0; i < n; i++) sum += (u128)*a++ * *b--;
    return sum;
}

__attribute__((noipa)) uint16_t rotate16(uint16_t x, uint16_t y) {
    x += y;
    return (x << 5) | (x >> 11);
}
__attribute__((noipa)) unsigned rotate8(uint8_t x) { return (uint8_t)((x >> 3) | (x << 5)); }
__attribute__((noipa)) unsigned no_rotation(uint8_t x) { return (uint8_t)((x >> 3) | (x << 4)); }

__attribute__((noipa)) unsigned downwards(const uint32_t *k, unsigned a) {
    for (int i = 0; i < 8; i++) {
        a = (a ^ k[39 - 4 * i]) * 3 + (a >> 5);
        a ^= k[38 - 4 * i];
        a = (a << 3) + k[36 - 4 * i];
    }
    return a;
}

__attribute__((noipa)) void together(int *d, const int *s, const int *t, unsigned n) {
    while (n--) {
        d[0] = *s++ * d[-1] + t[0];
        d++;
        t++;
    }
}

__attribute__((noipa)) int at_least_once(const char *s, int n) {
    int i = 0, sum = 0;
    do sum = sum * 3 + *s; while (++i < n);
    return sum;
}

int main(void) {
    static const int numbers[] = {0, 1, -1, 77, -77, INT_MAX, INT_MIN};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        int n = numbers[i];
        printf("%u %d %ld %ld\n", magnitude(n), magnitude_or_zero(n), minus_magnitude(n), minus_magnitude2(n));
    }
    printf("%ld %ld\n", minus_magnitude(LONG_MIN), minus_magnitude2(LONG_MIN));
    uint64_t words[9];
    for (int i = 0; i < 9; i++) words[i] = 0x9e3779b97f4a7c15u * (i + 3);
    int64_t a = -123456789012345, b = 987654321098765;
    printf("%lx %lx\n", upper(words, words[1]), (long)(product(&a, &b) >> 64));
    for (int n = -1; n < 9; n += 3) {
        u128 sum = dot(words, words + 8, n);
        printf("%lx %lx\n", (long)(sum >> 64), (long)sum);
    }
    printf("%lx\n", (long)(square(words) >> 64));
    printf("%x %x %x\n", rotate16(0x8123, 0x9001), rotate8(0x97), no_rotation(0x97));
    uint32_t keys[40];
    for (int i = 0; i < 40; i++) keys[i] = i * 2654435761u;
    printf("%x\n", downwards(keys, 5));
    int d[8] = {3}, s[8] = {1, 2, 3, 4, 5, 6, 7, 8}, t[8] = {9, 8, 7, 6, 5, 4, 3, 2};
    together(d + 1, s, t, 7);
    printf("%d %d %d\n", d[1], d[4], d[7]);
    printf("%d %d %d\n", at_least_once("a", INT_MIN), at_least_once("a", 0), at_least_once("a", 4));
    return 0;
}
