/* Chains of operations on bytes and half words that are cut back at every assignment: the cuts that matter (shifts to the right, divisions,
   comparisons, table indices, extensions of the sign) and those that do not. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

static volatile unsigned source = 0x9e3779b9u;

static uint8_t doubled(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }

static void mix(uint8_t *s)
{
    uint8_t first = s[0], all = s[0] ^ s[1] ^ s[2] ^ s[3];
    s[0] ^= all ^ doubled(s[0] ^ s[1]);
    s[1] ^= all ^ doubled(s[1] ^ s[2]);
    s[2] ^= all ^ doubled(s[2] ^ s[3]);
    s[3] ^= all ^ doubled(s[3] ^ first);
}

/* The middle cut matters for the shift, the last but one does not. */
static uint8_t shifted(unsigned a, unsigned b)
{
    uint8_t sum = a + b;
    uint8_t down = sum >> 3;
    uint8_t up = down << 2;
    return up + (uint8_t)(a * 3);
}

static int8_t signs(int a)
{
    int8_t cut = a;
    int8_t half = cut >> 1;     /* the sign of the byte matters */
    int8_t thrice = cut * 3;    /* here it does not */
    return half ^ thrice;
}

/* The sum overflows nowhere as it is written: the cut operands are small. Without the cuts it may wrap, which must not become an assumption. */
static int16_t wraps(int a, int b)
{
    int low = (a & 0xffff) + (b & 0xffff);
    int16_t r = low;
    if (low > 0x1fffe)
        r = -1;
    return r;
}

static uint16_t looped(unsigned a, int n)
{
    uint16_t x = 1;
    for (int i = 0; i < n; i++)
        x = x * 5 + a;
    return x;
}

static uint8_t rotated(unsigned a, int n)
{
    uint8_t x = a;
    for (int i = 0; i < n; i++)
        x = x << 1 | x >> 7;
    return x;
}

struct fields {
    unsigned a : 5, b : 11, c : 16;
};

static struct fields packed(struct fields f, unsigned k)
{
    f.a += k;
    f.b ^= f.a * k;
    f.c = f.c - f.b;
    return f;
}

int main(void)
{
    uint8_t state[4] = {0xdb, 0x13, 0x53, 0x45};
    unsigned x = source, total = 0;
    struct fields f = {1, 2, 3};
    for (int i = 0; i < 1000; i++) {
        x = x * 1664525u + 1013904223u;
        mix(state);
        state[i & 3] ^= x >> 24;
        total = total * 31 + shifted(x, x >> 13);
        total = total * 31 + (unsigned)signs((int)x);
        total = total * 31 + (unsigned)wraps((int)x, INT_MAX - (int)(x >> 1));
        total = total * 31 + looped(x, i & 15);
        total = total * 31 + rotated(x, i % 11);
        f = packed(f, x);
        total += f.a + f.b * 3u + f.c * 7u;
    }
    printf("%02x %02x %02x %02x %u\n", state[0], state[1], state[2], state[3], total);
    return 0;
}
