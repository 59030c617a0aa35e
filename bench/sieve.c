/* Measures: number theory in ints: the sieve of Eratosthenes in bytes and in segments, linear sieve with totients and Moebius's
   function, perfect numbers, amicable pairs, long runs of stores with a stride. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LIMIT = 2000000, SEGMENT = 1 << 15, ROOT = 4000 };

static uint8_t composite[LIMIT + 1];
static uint32_t totient[LIMIT + 1], divisor_sum[LIMIT + 1];
static int8_t moebius[LIMIT + 1];
static uint32_t primes[200000];

static int simple_sieve(void) {
    int count = 0;
    memset(composite, 0, sizeof composite);
    for (int i = 2; i <= LIMIT; i++) {
        if (composite[i])
            continue;
        count++;
        for (int64_t j = (int64_t)i * i; j <= LIMIT; j += i)
            composite[j] = 1;
    }
    return count;
}

/* Counts the primes up to ROOT * ROOT with a window that stays in cache. */
static uint32_t segmented_sieve(void) {
    static uint8_t window[SEGMENT];
    static uint32_t multiple[ROOT];
    uint32_t small[ROOT], small_count = 0, count = 0;
    for (uint32_t i = 2; i < ROOT; i++) {
        int prime = 1;
        for (uint32_t k = 0; k < small_count && small[k] * small[k] <= i && prime; k++)
            prime = i % small[k] != 0;
        if (prime) {
            multiple[small_count] = i * i;
            small[small_count++] = i;
        }
    }
    for (uint32_t low = 0; low < ROOT * ROOT; low += SEGMENT) {
        uint32_t high = low + SEGMENT < ROOT * ROOT ? low + SEGMENT : ROOT * ROOT;
        memset(window, 1, sizeof window);
        for (uint32_t k = 0; k < small_count && small[k] * small[k] < high; k++) {
            uint32_t j = multiple[k];
            for (; j < high; j += small[k])
                window[j - low] = 0;
            multiple[k] = j;
        }
        for (uint32_t i = low < 2 ? 2 : low; i < high; i++)
            count += window[i - low];
    }
    return count;
}

/* Every composite is struck once, by its least prime factor. */
static uint64_t linear_sieve(void) {
    uint32_t count = 0;
    uint64_t sum = 0;
    memset(composite, 0, sizeof composite);
    totient[1] = 1;
    moebius[1] = 1;
    for (uint32_t i = 2; i <= LIMIT; i++) {
        if (!composite[i]) {
            primes[count++] = i;
            totient[i] = i - 1;
            moebius[i] = -1;
        }
        for (uint32_t k = 0; k < count && (uint64_t)i * primes[k] <= LIMIT; k++) {
            uint32_t p = primes[k];
            composite[i * p] = 1;
            if (i % p == 0) {
                totient[i * p] = totient[i] * p;
                moebius[i * p] = 0;
                break;
            }
            totient[i * p] = totient[i] * (p - 1);
            moebius[i * p] = (int8_t)-moebius[i];
        }
        sum += totient[i] + (uint64_t)(int64_t)moebius[i];
    }
    return sum;
}

static uint32_t amicable(uint32_t limit) {
    uint32_t sum = 0;
    for (uint32_t i = 1; i <= limit; i++)
        divisor_sum[i] = 0;
    for (uint32_t d = 1; d <= limit / 2; d++)
        for (uint32_t m = 2 * d; m <= limit; m += d)
            divisor_sum[m] += d;
    for (uint32_t i = 2; i <= limit; i++) {
        uint32_t other = divisor_sum[i];
        if (other > i && other <= limit && divisor_sum[other] == i)
            sum += i + other;
        else if (other == i)
            sum ^= i;
    }
    return sum;
}

int main(void) {
    int count = 0;
    uint64_t sum = 0;
    uint32_t pairs = 0, segmented = 0;
    for (int round = 0; round < 6; round++) {
        count += simple_sieve();
        sum += linear_sieve();
        segmented += segmented_sieve();
        pairs += amicable(500000);
    }
    printf("sieve %d %u %llu %u\n", count, (unsigned)segmented, (unsigned long long)sum, (unsigned)pairs);
    return 0;
}
