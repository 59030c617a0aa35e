/* Measures: 128-bit integers (a GNU C extension): modular multiplication for Miller-Rabin and Pollard's rho, a 128-bit linear
   congruential generator, division and decimal conversion, fixed-point accumulation. */
#include <stdint.h>
#include <stdio.h>

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t n) {
    return (uint64_t)((u128)a * b % n);
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t n) {
    uint64_t result = 1;
    for (base %= n; exponent; exponent >>= 1, base = multiply(base, base, n))
        if (exponent & 1)
            result = multiply(result, base, n);
    return result;
}

/* Miller-Rabin; these witnesses decide all 64-bit numbers. */
static int is_prime(uint64_t n) {
    static const uint64_t witnesses[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
    if (n < 2)
        return 0;
    for (int i = 0; i < 12; i++)
        if (n % witnesses[i] == 0)
            return n == witnesses[i];
    uint64_t odd = n - 1;
    int twos = 0;
    for (; odd % 2 == 0; odd /= 2)
        twos++;
    for (int i = 0; i < 12; i++) {
        uint64_t x = power(witnesses[i], odd, n);
        if (x == 1 || x == n - 1)
            continue;
        int r = 1;
        for (; r < twos && x != n - 1; r++)
            x = multiply(x, x, n);
        if (x != n - 1)
            return 0;
    }
    return 1;
}

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static uint64_t rho(uint64_t n) {
    for (uint64_t c = 1;; c++) {
        uint64_t x = 2, y = 2, product = 1;
        for (int i = 1; i < 100000; i++) {
            x = (multiply(x, x, n) + c) % n;
            y = (multiply(y, y, n) + c) % n;
            y = (multiply(y, y, n) + c) % n;
            product = multiply(product, x > y ? x - y : y - x, n);
            if (product == 0)
                break;
            if (i % 64 == 0) {
                uint64_t d = gcd(product, n);
                if (d > 1)
                    return d < n ? d : 1;
            }
        }
    }
}

/* High half of a 128-bit generator (O'Neill 2014, the multiplier of PCG64). */
static uint64_t next_random(u128 *state) {
    *state = *state * ((u128)2549297995355413924u << 64 | 4865540595714422341u) + 1442695040888963407u;
    return (uint64_t)(*state >> 64);
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
    u128 state = 42;
    uint64_t primes = 0, factors = 0;
    for (uint64_t n = ((uint64_t)1 << 62) + 1; primes < 40; n += 2)
        if (is_prime(n))
            primes++;
    for (int i = 0; i < 40; i++) {
        uint64_t n = next_random(&state) >> 20 | 1;
        if (!is_prime(n))
            factors += rho(n);
    }
    i128 total = 0;
    uint64_t hash = 0;
    for (int i = 0; i < 20000000; i++) {
        int64_t a = (int64_t)next_random(&state), b = (int64_t)(hash ^ (uint64_t)i);
        total = total / 3 + ((i128)a * b >> 7);
        hash += (uint64_t)(total >> 40);
    }
    char text[40];
    int length = 0;
    for (int i = 0; i < 150000; i++)
        length += to_decimal(state * (unsigned)(i | 1), text);
    printf("int128 %llu %016llx %s %d\n", (unsigned long long)factors, (unsigned long long)hash, text, length);
    return 0;
}
