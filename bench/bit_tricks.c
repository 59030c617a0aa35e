/* Measures: bit manipulation in portable C: population counts, reversal, leading and trailing zeros, Morton codes, Gray codes,
   next permutation of bits, parity, de Bruijn lookup, and a sieve over bits. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static unsigned population(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)(x * 0x0101010101010101u >> 56);
}

static uint32_t reverse(uint32_t x) {
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

static unsigned leading_zeros(uint32_t x) {
    unsigned n = 0;
    if (x == 0)
        return 32;
    if (!(x & 0xffff0000u)) n += 16, x <<= 16;
    if (!(x & 0xff000000u)) n += 8, x <<= 8;
    if (!(x & 0xf0000000u)) n += 4, x <<= 4;
    if (!(x & 0xc0000000u)) n += 2, x <<= 2;
    return n + !(x & 0x80000000u);
}

static unsigned trailing_zeros(uint32_t x) {
    static const uint8_t positions[32] = {0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
                                          31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};
    return x ? positions[(x & -x) * 0x077cb531u >> 27] : 32;
}

static uint32_t spread(uint32_t x) {
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    return (x | x << 1) & 0x55555555u;
}

static uint32_t morton(uint32_t x, uint32_t y) {
    return spread(x & 0xffff) | spread(y & 0xffff) << 1;
}

static uint32_t from_gray(uint32_t g) {
    for (int shift = 1; shift < 32; shift *= 2)
        g ^= g >> shift;
    return g;
}

/* The next larger number with as many bits set. */
static uint32_t next_combination(uint32_t x) {
    uint32_t low = x & -x, ripple = x + low;
    return ripple | (((x ^ ripple) >> 2) >> trailing_zeros(low));
}

static uint32_t round_up_power(uint32_t x) {
    x--;
    x |= x >> 1, x |= x >> 2, x |= x >> 4, x |= x >> 8, x |= x >> 16;
    return x + 1;
}

static uint32_t integer_root(uint32_t x) {
    uint32_t root = 0;
    for (uint32_t bit = 1u << 30; bit; bit >>= 2) {
        if (x >= root + bit) {
            x -= root + bit;
            root = root >> 1 | bit;
        } else {
            root >>= 1;
        }
    }
    return root;
}

static int has_zero_byte(uint64_t x) {
    return ((x - 0x0101010101010101u) & ~x & 0x8080808080808080u) != 0;
}

enum { LIMIT = 4000000 };
static uint64_t composite[LIMIT / 128 + 1]; /* bit i: 2 i + 1 */

static unsigned count_primes(void) {
    unsigned count = 1;
    memset(composite, 0, sizeof composite);
    for (uint32_t i = 3; i < LIMIT; i += 2) {
        if (composite[i / 128] >> (i / 2 % 64) & 1)
            continue;
        count++;
        for (uint64_t j = (uint64_t)i * i; j < LIMIT; j += 2 * i)
            composite[j / 128] |= (uint64_t)1 << (j / 2 % 64);
    }
    return count;
}

int main(void) {
    uint64_t state = 1, sum = 0;
    for (int i = 0; i < 5000000; i++) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        uint32_t low = (uint32_t)state, high = (uint32_t)(state >> 32);
        sum += population(state) + leading_zeros(low >> (high & 31)) + trailing_zeros(high << (low & 31));
        sum ^= (uint64_t)reverse(low) << 8;
        sum += morton(low, high) ^ from_gray(low);
        sum = (sum << 5 | sum >> 59) + (uint64_t)has_zero_byte(state) + round_up_power(low >> 1) + integer_root(high);
    }
    uint32_t combination = 0x1f;
    unsigned combinations = 0;
    for (; combination < 1u << 28; combination = next_combination(combination))
        combinations++;
    unsigned primes = 0;
    for (int round = 0; round < 5; round++)
        primes += count_primes();
    printf("bit_tricks %016llx %u %u\n", (unsigned long long)sum, combinations, primes);
    return 0;
}
