// checked: shift, a negative number is shifted to the left
/* Signed division by constants where ranges show the dividend's sign, and where they must not. Twice a float is its sum with itself. */
#include <stdint.h>
#include <stdio.h>

__attribute__((noinline)) static int64_t squares(int64_t a, int64_t b) {
    return a * a / (1 << 28) + b * b / 1000 + a * b / 1000 + a * b % 16;
}

__attribute__((noinline)) static int wrapping(unsigned a) {
    return (int)(a * a) / 16 + (int)(a * a) % 16;
}

__attribute__((noinline)) static unsigned counters(const unsigned *words, int rounds) {
    static const unsigned char shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    unsigned sum = 0;
    for (int i = 0; i < rounds; i++) {
        int g = 7 * i % 16;
        int by = shifts[i / 16 % 4][i % 4];
        sum += words[g];
        sum = sum << by | sum >> (32 - by);
    }
    for (int i = -rounds; i < rounds; i++)
        sum = sum * 31 + (unsigned)(3 * i / 4) + (unsigned)(5 * i % 8) + (unsigned)((i << 1) / 3);
    return sum;
}

__attribute__((noinline)) static double twice(double x, float y) {
    return 2 * x + x * 2 + (double)(y * 2.0f);
}

int main(void) {
    unsigned words[16];
    for (unsigned i = 0; i < 16; i++)
        words[i] = i * 2654435761u;
    for (int64_t a = -3; a <= 3; a++)
        printf("%lld ", (long long)squares(a * 1234567, 98765 - a * 54321));
    for (unsigned a = 65530; a < 65540; a++)
        printf("%d ", wrapping(a * 46341));
    printf("\n%u %u\n", counters(words, 64), counters(words, 5));
    printf("%g %g %g %g\n", twice(1.5, 2.5f), twice(-0.0, -0.0f), twice(1e308, 1), twice(0x1p-1074, 0x1p-149f));
    return 0;
}
