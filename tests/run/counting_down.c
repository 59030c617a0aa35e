/* Loops that test a counter before they change it, in every width, up to its limits. */
#include <limits.h>
#include <stdio.h>

__attribute__((noipa)) static int use(int x) {
    return x;
}

__attribute__((noipa)) static unsigned post_unsigned(unsigned n) {
    unsigned sum = 0;
    while (n--)
        sum += use(n) * 3 + 1;
    return sum * 2 + n;
}

__attribute__((noipa)) static int post_signed(int n) {
    int sum = 0;
    while (n-- > 0)
        sum ^= use(n) + 5;
    return sum + n;
}

__attribute__((noipa)) static int by_three(int n) {
    int rounds = 0;
    do
        use(rounds++);
    while ((n -= 3) + 3 >= -2);
    return rounds * 1000 + n;
}

__attribute__((noipa)) static int narrow(unsigned char c) {
    int rounds = 0;
    while (c++ != 5)
        rounds += use(1);
    return rounds * 256 + c;
}

__attribute__((noipa)) static int narrow_signed(signed char c) {
    int rounds = 0;
    while (c-- > -100)
        rounds += use(1);
    return rounds * 256 + c;
}

__attribute__((noipa)) static long wraps(unsigned long n) {
    long rounds = 0;
    while (n++ != 3)
        rounds += use(1);
    return rounds * 1000 + (long)n;
}

__attribute__((noipa)) static int wide(long long n, const char *s, char *d) {
    while (n-- > 0 && *s)
        *d++ = *s++;
    *d = 0;
    return (int)n;
}

__attribute__((noipa)) static int above(unsigned n) {
    int rounds = 0;
    while (n-- > 4000000000u)
        rounds += use(1);
    return rounds + (int)(n & 15);
}

int main(void) {
    printf("%u %u %u\n", post_unsigned(0), post_unsigned(1), post_unsigned(17));
    printf("%d %d %d %d\n", post_signed(0), post_signed(-4), post_signed(1), post_signed(20));
    printf("%d %d %d\n", by_three(-10), by_three(0), by_three(31));
    printf("%d %d %d\n", narrow(5), narrow(6), narrow(0));
    printf("%d %d %d\n", narrow_signed(-100), narrow_signed(-99), narrow_signed(127));
    printf("%ld %ld %ld\n", wraps(3), wraps(0), wraps(ULONG_MAX - 2));
    char text[32];
    for (int n = -1; n < 9; n += 3) {
        int left = wide(n, "count", text);
        printf("%d %s\n", left, text);
    }
    printf("%d %d\n", above(4000000003u), above(12));
    return 0;
}
