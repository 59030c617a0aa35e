/* Measures: modular exponentiation of 1024-bit numbers in 32-bit limbs (Montgomery, word by word) and schoolbook multiplication and
   division of long decimals: carries through 64-bit products. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMBS = 32, DIGITS = 4000 };

typedef struct {
    uint32_t limb[LIMBS]; /* the least significant first */
} Big;

static int compare(const Big *a, const Big *b) {
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static uint32_t subtract(Big *a, const Big *b) {
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint64_t d = (uint64_t)a->limb[i] - b->limb[i] - borrow;
        a->limb[i] = (uint32_t)d;
        borrow = d >> 63;
    }
    return (uint32_t)borrow;
}

static uint32_t double_it(Big *a) {
    uint32_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint32_t next = a->limb[i] >> 31;
        a->limb[i] = a->limb[i] << 1 | carry;
        carry = next;
    }
    return carry;
}

/* -1 / n modulo 2^32, by Newton's iteration. */
static uint32_t negative_inverse(uint32_t n) {
    uint32_t x = n;
    for (int i = 0; i < 5; i++)
        x *= 2 - n * x;
    return 0 - x;
}

/* a * b / 2^1024 modulo n (Montgomery 1985, operand scanning). */
static Big montgomery(const Big *a, const Big *b, const Big *n, uint32_t inverse) {
    uint32_t t[LIMBS + 2] = {0};
    for (int i = 0; i < LIMBS; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < LIMBS; j++) {
            carry += (uint64_t)a->limb[i] * b->limb[j] + t[j];
            t[j] = (uint32_t)carry;
            carry >>= 32;
        }
        carry += t[LIMBS];
        t[LIMBS] = (uint32_t)carry;
        t[LIMBS + 1] = (uint32_t)(carry >> 32);
        uint32_t m = t[0] * inverse;
        carry = ((uint64_t)m * n->limb[0] + t[0]) >> 32;
        for (int j = 1; j < LIMBS; j++) {
            carry += (uint64_t)m * n->limb[j] + t[j];
            t[j - 1] = (uint32_t)carry;
            carry >>= 32;
        }
        carry += t[LIMBS];
        t[LIMBS - 1] = (uint32_t)carry;
        t[LIMBS] = t[LIMBS + 1] + (uint32_t)(carry >> 32);
    }
    Big out;
    memcpy(out.limb, t, sizeof out.limb);
    if (t[LIMBS] || compare(&out, n) >= 0)
        subtract(&out, n);
    return out;
}

static Big power(const Big *base, const Big *exponent, const Big *n) {
    uint32_t inverse = negative_inverse(n->limb[0]);
    Big one = {{1}}, result = one, factor = *base;
    for (int i = 0; i < 32 * LIMBS; i++) { /* to Montgomery form: times 2^1024 */
        if (double_it(&result) || compare(&result, n) >= 0)
            subtract(&result, n);
        if (double_it(&factor) || compare(&factor, n) >= 0)
            subtract(&factor, n);
    }
    for (int bit = 0; bit < 32 * LIMBS; bit++) {
        if (exponent->limb[bit / 32] >> (bit % 32) & 1)
            result = montgomery(&result, &factor, n, inverse);
        factor = montgomery(&factor, &factor, n, inverse);
    }
    return montgomery(&result, &one, n, inverse);
}

/* Digits of 1/e from its series, in base 10000: long division by small numbers. */
static uint32_t digits_of_e(void) {
    static uint32_t sum[DIGITS], term[DIGITS];
    memset(sum, 0, sizeof sum);
    memset(term, 0, sizeof term);
    term[0] = sum[0] = 1;
    for (uint32_t k = 1, first = 0; k < 5000; k++) {
        uint32_t rest = 0;
        for (uint32_t i = first; i < DIGITS; i++) {
            uint32_t v = rest * 10000 + term[i];
            term[i] = v / k;
            rest = v % k;
            sum[i] += term[i];
        }
        while (first < DIGITS && term[first] == 0)
            first++;
        if (first == DIGITS)
            break;
        for (uint32_t i = DIGITS - 1; i > 0; i--) {
            sum[i - 1] += sum[i] / 10000;
            sum[i] %= 10000;
        }
    }
    uint32_t hash = 0;
    for (int i = 0; i < DIGITS; i++)
        hash = hash * 31 + sum[i];
    return hash;
}

int main(void) {
    Big n, base, exponent;
    uint32_t seed = 17, hash = 0;
    for (int i = 0; i < LIMBS; i++) {
        seed = seed * 1664525u + 1013904223u;
        n.limb[i] = seed | (i == 0) | (i == LIMBS - 1 ? 0x80000000u : 0);
        base.limb[i] = seed >> (i == LIMBS - 1);
        exponent.limb[i] = seed * 2654435761u;
    }
    for (int round = 0; round < 60; round++) {
        base = power(&base, &exponent, &n);
        hash = hash * 31 + base.limb[round % LIMBS];
    }
    printf("bignum_modpow %08x %08x\n", (unsigned)hash, (unsigned)digits_of_e());
    return 0;
}
