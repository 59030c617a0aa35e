// Unsigned counters of 32 bits as indices: those that wrap, and those that cannot.
#include <stdint.h>
#include <stdio.h>

static uint8_t cells[64];
static uint64_t seen;

static void note(uint64_t index)
{
    seen = seen * 31 + index;
}

__attribute__((noinline)) static void up(uint32_t from, uint32_t to, int most)
{
    for (uint32_t i = from; i < to && most-- > 0; i++)
        note(i), note((uint64_t)(i + 1) << 1);
}

/* The test comes last, so that the start is not bounded. */
__attribute__((noinline)) static void at_least_once(uint32_t from, uint32_t to, int most)
{
    uint32_t i = from;
    do {
        note(i);
        i++;
        note(i);
    } while (i < to && most-- > 0);
}

__attribute__((noinline)) static void by_three(uint32_t from, uint32_t to, int most)
{
    for (uint32_t i = from; i < to && most-- > 0; i += 3)
        note(i), note(i + 3);
}

__attribute__((noinline)) static void up_to(uint32_t from, uint32_t last, int most)
{
    for (uint32_t i = from; i <= last && most-- > 0; i++)
        note(i), note(i + 1);
}

__attribute__((noinline)) static void down(uint32_t from, int most)
{
    for (uint32_t i = from; i > 0 && most-- > 0; i--)
        note(i), note(i - 1), note(i - 2);
}

__attribute__((noinline)) static void down_to(uint32_t from, uint32_t to, int most)
{
    for (uint32_t i = from; i >= to && most-- > 0; i--)
        note(i), note(i - 1);
}

__attribute__((noinline)) static void until_equal(uint32_t from, uint32_t to, int most)
{
    for (uint32_t i = from; i != to && most-- > 0; i++)
        note(i), note(i + 1);
}

/* Without a second counter. */
__attribute__((noinline)) static uint32_t fill(uint8_t *p, uint32_t from, uint32_t to)
{
    uint32_t i;
    for (i = from; i < to; i++)
        p[i] = (uint8_t)(p[i + 1] + i);
    return i;
}

__attribute__((noinline)) static uint32_t carry(uint32_t *p, uint32_t n)
{
    for (uint32_t i = n - 1; i > 0; i--) {
        p[i - 1] += p[i] / 10;
        p[i] %= 10;
    }
    return p[0];
}

/* Adds up to the last number below 2^32; the sum of both wraps. */
__attribute__((noinline)) static uint64_t high(uint32_t first)
{
    uint64_t sum = 0;
    for (uint32_t i = first; i < UINT32_MAX; i++)
        sum += (uint64_t)i + (uint64_t)(i + 1) + (uint64_t)(i + 2);
    return sum;
}

__attribute__((noinline)) static void quotients(uint32_t *p, uint32_t *q, uint32_t n, uint32_t k)
{
    uint32_t rest = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = rest * 10 + p[i];
        p[i] = v / k;
        rest = v % k;
        q[i] += p[i];
    }
}

int main(void)
{
    static const uint32_t numbers[] = {0, 1, 2, 5, 0x7ffffffe, 0x7fffffff, 0x80000000, 0xfffffffd, 0xfffffffe, 0xffffffff};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    for (int a = 0; a < COUNT; a++) {
        down(numbers[a], 6);
        for (int b = 0; b < COUNT; b++) {
            up(numbers[a], numbers[b], 6);
            at_least_once(numbers[a], numbers[b], 6);
            by_three(numbers[a], numbers[b], 6);
            up_to(numbers[a], numbers[b], 6);
            down_to(numbers[a], numbers[b], 6);
            until_equal(numbers[a], numbers[b], 6);
        }
        printf("%llx\n", (unsigned long long)seen);
    }
    for (uint32_t n = 0; n < 40; n++) {
        uint32_t p[40], q[40] = {0};
        for (uint32_t i = 0; i < 40; i++)
            p[i] = i * 7 + n, cells[i] = (uint8_t)(i + n);
        note(fill(cells, n / 3, n));
        if (n > 0)
            note(carry(p, n));
        quotients(p, q, n, 7);
        for (int i = 0; i < 40; i++)
            note(p[i] + q[i] + cells[i]);
    }
    printf("%llx %llx\n", (unsigned long long)seen, (unsigned long long)high(0xfffffff0));
    return 0;
}
