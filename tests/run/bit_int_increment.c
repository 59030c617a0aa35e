// like-gcc: gcc 12 has no _BitInt
/* The 1 that is added to a bit-precise integer is of its type: an unsigned one that is narrower
   than int wraps around, nothing overflows. */
#include <stdio.h>

static unsigned _BitInt(31) up(unsigned _BitInt(31) a)
{
    a++;
    return a;
}

static unsigned _BitInt(31) down(unsigned _BitInt(31) a)
{
    return --a;
}

static unsigned _BitInt(7) small(unsigned _BitInt(7) a)
{
    unsigned _BitInt(7) before = a++;
    return before + a;
}

struct bits {
    unsigned _BitInt(31) a : 31;
    unsigned _BitInt(9) b : 9;
};

int main(void)
{
    struct bits bits = { 0x7fffffff, 511 };
    bits.a++;
    ++bits.b;
    printf("%u %u %u\n", (unsigned)up(0x7fffffff), (unsigned)down(0), (unsigned)small(127));
    printf("%u %u\n", (unsigned)bits.a, (unsigned)bits.b);
    return 0;
}
