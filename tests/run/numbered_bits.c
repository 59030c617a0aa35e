// One bit of a word, by its number, tested, set, cleared and complemented: masks of the number,
// wider and narrower numbers, words in memory, masks with several uses.
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

NOINLINE unsigned set(unsigned x, unsigned n) { return x | 1u << n; }
NOINLINE unsigned complement(unsigned x, unsigned n) { return x ^ 1u << (n & 31); }
NOINLINE unsigned clear(unsigned x, unsigned n) { return x & ~(1u << (n & 63 & 31)); }
NOINLINE unsigned long set_long(unsigned long x, unsigned n) { return x | 1ul << n % 64; }
NOINLINE unsigned long complement_long(unsigned long x, signed char n) { return x ^ 1ul << (n & 63); }
NOINLINE unsigned long clear_long(unsigned long x, unsigned long n) { return x & ~(1ul << (n & 63)); }
NOINLINE unsigned long narrow(unsigned long x, unsigned n) { return x ^ (1u << (n & 31)); }
NOINLINE unsigned long few(unsigned long x, unsigned n) { return x | 1ul << (n & 15); }
NOINLINE unsigned short short_set(unsigned short x, unsigned n) { return x | 1u << (n & 15); }
NOINLINE int is_set(const unsigned *p, unsigned n) { return (p[n / 32] & 1u << n % 32) != 0; }
NOINLINE int byte_is_set(const unsigned char *p, unsigned n) { return p[n / 8] & 1 << n % 8 ? 3 : 9; }
NOINLINE int shifted(unsigned x, unsigned n) { return x >> (n & 31) & 1 ? 5 : 2; }
NOINLINE int shifted_few(unsigned long x, unsigned n) { return x >> (n & 31) & 1 ? 5 : 2; }
NOINLINE void flip(unsigned *p, unsigned n) { p[n / 32] ^= 1u << n % 32; }
NOINLINE void drop(unsigned *p, unsigned n) { p[n / 32] &= ~(1u << n % 32); }
NOINLINE void both(unsigned *p, unsigned *q, unsigned n) {
    unsigned bit = 1u << n % 32;
    *p |= bit;
    *q = ~bit & *q;
    p[1] = bit;
}

NOINLINE int sieve(unsigned *p, unsigned limit) {
    int count = 0;
    for (unsigned i = 0; i < limit / 32 + 1; i++) p[i] = ~0u;
    for (unsigned i = 2; i <= limit; i++)
        if (p[i / 32] & 1u << i % 32) {
            count++;
            for (unsigned j = i + i; j <= limit; j += i)
                if (p[j / 32] & 1u << j % 32) p[j / 32] ^= 1u << j % 32;
        }
    return count;
}

int main(void) {
    static unsigned words[4000];
    unsigned long sum = 0;
    const unsigned long x = 0x123456789abcdef5;
    for (unsigned n = 0; n < 64; n++) {
        unsigned m = n % 32;
        unsigned two[2] = {0xf0f01234, 0x12345678}, pair[2] = {(unsigned)x, 0}, other = ~(unsigned)x;
        flip(two, n);
        sum = sum * 31 + two[0] + two[1];
        drop(two, 63 - n);
        both(pair, &other, n);
        sum = sum * 31 + two[0] * 3ul + two[1] + pair[0] + pair[1] + other;
        sum = sum * 31 + set((unsigned)x, m);
        sum = sum * 31 + complement((unsigned)x, n);
        sum = sum * 31 + clear((unsigned)x, n);
        sum = sum * 31 + set_long(x, n + 64);
        sum = sum * 31 + complement_long(x, (signed char)(n - 64));
        sum = sum * 31 + clear_long(x, n + 128);
        sum = sum * 31 + narrow(x, n);
        sum = sum * 31 + few(x, n);
        sum = sum * 31 + short_set((unsigned short)x, n);
        sum = sum * 31 + is_set(two, n) + byte_is_set((unsigned char *)two, n);
        sum = sum * 31 + shifted((unsigned)x, n) + shifted_few(x, n);
        if (n % 16 == 5) printf("%u %lx\n", n, sum);
    }
    printf("%lx\n", sum);
    printf("%d\n", sieve(words, 100000));
}
