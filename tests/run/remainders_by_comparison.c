// Remainders and quotients of values that are less than twice the divisor, in loops and under conditions.
#include <stdio.h>

__attribute__((noinline)) static unsigned ring(int n, int step) {
    unsigned sum = 0;
    int a = 0, b = 99, c = 0;
    unsigned d = 7;
    for (int i = 0; i < n; i++) {
        a = (a + 1) % 100;
        b = (b + 99) % 100;
        if (i % 3 == 0)
            c = (c + 17) % 23;
        d = (d + 3u) % 11u;
        sum = sum * 31 + (unsigned)(a * 3 + b * 5 + c * 7) + d;
        sum += (unsigned)((a + step) / 100);
    }
    return sum;
}

/* The same with divisors that the compiler does not know. */
__attribute__((noinline)) static unsigned reference(int n, int step, int hundred, int other, unsigned eleven) {
    unsigned sum = 0;
    int a = 0, b = 99, c = 0;
    unsigned d = 7;
    for (int i = 0; i < n; i++) {
        a = (a + 1) % hundred;
        b = (b + 99) % hundred;
        if (i % 3 == 0)
            c = (c + 17) % other;
        d = (d + 3u) % eleven;
        sum = sum * 31 + (unsigned)(a * 3 + b * 5 + c * 7) + d;
        sum += (unsigned)((a + step) / hundred);
    }
    return sum;
}

__attribute__((noinline)) static int turned(signed char c) {
    if (c >= 'a' && c <= 'z')
        return (c - 'a' + 13) % 26 + 'a';
    if (c >= 'A' && c <= 'Z')
        return (c - 'A' + 13) % 26 + 'A';
    if (c >= -6 && c < 5)
        return c % 4 * 1000 + (unsigned char)c % 4 + c / 5;
    return c;
}

__attribute__((noinline)) static int turned_slowly(signed char c, volatile int *d) {
    if (c >= 'a' && c <= 'z')
        return (c - 'a' + 13) % d[0] + 'a';
    if (c >= 'A' && c <= 'Z')
        return (c - 'A' + 13) % d[0] + 'A';
    if (c >= -6 && c < 5)
        return c % d[1] * 1000 + (unsigned char)c % d[1] + c / d[2];
    return c;
}

int main(void) {
    volatile int divisors[] = {26, 4, 5};
    int wrong = 0;
    for (int n = 0; n < 220; n += 19)
        for (int step = -150; step < 250; step += 83)
            wrong += ring(n, step) != reference(n, step, 100, 23, 11);
    for (int c = -128; c < 128; c++)
        wrong += turned((signed char)c) != turned_slowly((signed char)c, divisors);
    printf("%d %u\n", wrong, ring(50, 3));
    return 0;
}
