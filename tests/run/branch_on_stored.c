/* Branches on what has just been stored: the flags of one instruction that changes memory, and where it must not be one. */
#include <stdio.h>

struct counters {
    int n;
    long wide;
    unsigned char byte;
    short half;
    int *many;
    volatile int watched;
};

static unsigned calls;

__attribute__((noipa)) static void gone(struct counters *c) { calls = calls * 3 + (unsigned)c->n + (unsigned)c->wide; }

#define STEP(name, statement, condition) \
    __attribute__((noipa)) static void name(struct counters *c, int k) \
    { \
        statement; \
        if (condition) \
            gone(c); \
    }

STEP(down, (void)k; c->n--, c->n == 0)
STEP(up, c->n += k, c->n != 0)
STEP(below, c->wide -= k, c->wide < 0)
STEP(not_below, c->wide ^= k, c->wide >= 0)
STEP(byte, (void)k; c->byte++, c->byte == 0)
STEP(byte_sign, c->byte += k, (signed char)c->byte < 0)
STEP(half, c->half &= k, c->half)
STEP(element, c->many[k & 3] |= k, c->many[k & 3] < 0)
STEP(greater, c->n += k, c->n > 0)
STEP(watched, c->watched += k, c->watched == 0)
STEP(before, (void)k, c->n++ == 0)

/* The sum is wanted elsewhere, too. */
__attribute__((noipa)) static int kept(struct counters *c)
{
    int left = --c->n;
    if (left == 0)
        gone(c);
    return left * 2;
}

/* Something is written between. */
__attribute__((noipa)) static void between(struct counters *c, int *p)
{
    int left = --c->n;
    *p = 5;
    if (left == 0)
        gone(c);
}

/* `while (n--)`: the carry says when it ends. */
__attribute__((noipa)) static unsigned long backwards(const unsigned *p, unsigned long n)
{
    unsigned long h = n;
    while (n--)
        h = h * 31 ^ p[n];
    return h + n;
}

__attribute__((noipa)) static int to_minus_one(int n, int *p)
{
    do
        p[n & 3] += n;
    while (--n != -1);
    return n;
}

int main(void)
{
    int many[4] = {1, -2, 3, 1 << 30};
    struct counters c = {3, 2, 253, 7, many, -3};
    void (*steps[])(struct counters *, int) = {down, up, below, not_below, byte, byte_sign, half, element, greater, watched, before};
    for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
        for (int k = -3; k <= 3; k++)
            steps[i](&c, k);
        printf("%u: %u %d %ld %d %d %d %d\n", i, calls, c.n, c.wide, c.byte, c.half, many[1], c.watched);
    }
    c.n = 2;
    while (kept(&c) > -4)
        printf("%u ", calls);
    c.n = 2;
    between(&c, &c.n), between(&c, &many[0]);
    printf("%d %d %u\n", c.n, many[0], calls);
    unsigned words[5] = {1, 20, 300, 4000, 50000};
    for (unsigned long n = 0; n <= 5; n++)
        printf("%lu ", backwards(words, n));
    int last = to_minus_one(3, many);
    printf("%d %d %d\n", last, to_minus_one(0, many), many[0]);
    return 0;
}
