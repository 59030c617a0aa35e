// like-gcc: gcc 12 has no stdckdint.h
// flags: -std=gnu2x
// Bit-precise integers wider than 128 bits as arguments, members, labels, indices and initialisers.
#include <limits.h>
#include <stdarg.h>
#include <stdckdint.h>
#include <stdio.h>

typedef _BitInt(200) W;
typedef unsigned _BitInt(1000) B;

static long sum(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    W s = 0;
    for (int i = 0; i < n; i++) {
        s += va_arg(ap, W);
        s += va_arg(ap, int);
    }
    va_end(ap);
    return (long)s;
}

static int label(_BitInt(400) w)
{
    switch (w) {
    case 0x1ffffffffffffffffffffffffffffffffffffffffffffffffwb: return 1;
    case -0x1ffffffffffffffffffffffffffffffffffffffffffffffffwb ... -0x1fffffffffffffffffffffffffffffffffffffffffffffff0wb:
        return 2;
    case 0 ... 10: return 3;
    case 11:
    case 12: return 4;
    case -1: return 6;
    default: return 5;
    }
}

static struct packet {
    char c;
    W w[3];
} packet = {1, {5, -7, 1234567890123456789012345678901234567890wb}};
static W sparse[] = {[2] = -1, [0] = 3};
static const W known = ((W)1 << 190) / 3;
static W copied = known * 2 + sizeof(W);
static const struct { int a; W w; } table[] = {{1, 2}, {3, -4}};
static double as_double = (double)((B)1 << 600);
static _Bool nonzero = (W)1 << 199;

struct bits {
    unsigned a : 3;
    _BitInt(300) wide : 259;
    unsigned _BitInt(140) next : 140;
    int : 0;
    char z;
};

static W twice(W w) { return w * 2; }
static struct packet pass(struct packet p, W factor)
{
    for (W i = 0; i < 3; ++i)
        p.w[i] *= factor;
    return p;
}

int main(void)
{
    printf("%d %zu %zu\n", BITINT_MAXWIDTH == __BITINT_MAXWIDTH__, sizeof(_BitInt(65535)), sizeof(struct bits));
    printf("%ld\n", sum(3, (W)5, 1, (W)-100, 2, (W)1000, 3));
    _BitInt(400) b = 0x1ffffffffffffffffffffffffffffffffffffffffffffffffwb;
    printf("%d %d %d %d %d %d %d %d\n", label(b), label(-b), label(-b + 3), label(-b - 1), label(5), label(12), label(13), label(-1));
    printf("%ld %ld %ld %ld\n", (long)(packet.w[2] % 1000), (long)sparse[0], (long)sparse[1], (long)sparse[2]);
    printf("%lx %ld %g %d %d\n", (long)copied, (long)table[(W)1].w, as_double, nonzero, known > copied);

    struct bits s = {5, -3, ~(unsigned _BitInt(140))0, 'z'};
    s.wide <<= 200, s.next >>= 100, s.a++;
    printf("%d %d %lx %d %c\n", s.a, (int)(s.wide >> 200), (long)s.next, s.wide < 0, s.z);
    s.wide = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffwb;
    printf("%d %d\n", (int)s.wide, s.wide == -1);

    struct packet p = pass(packet, -3);
    printf("%ld %ld %d\n", (long)p.w[0], (long)p.w[1], p.w[2] == packet.w[2] * -3);
    W (*function)(W) = twice;
    printf("%ld\n", (long)function(function(21)));

    B big = (B)0 - 1, third = big / 3;
    printf("%lx %d %d\n", (unsigned long)(third >> 900), big > third, third * 3 == big);
    W r, c = ({ W inner = 20; inner + 1; }) * ({ (W)3 - 5; });
    printf("%ld ", (long)c);
    printf("%d ", ckd_add(&r, c, 7)), printf("%ld ", (long)r);
    printf("%d ", ckd_mul(&r, (W)1 << 150, (W)1 << 60)), printf("%d ", r == 0);
    int i;
    printf("%d ", ckd_sub(&i, (B)1, (B)5)), printf("%d\n", i);

    W pointer = (W)(long)&i;
    printf("%d %d\n", (int *)(long)pointer == &i, 1 << (W)4);
    _Complex double z = packet.w[1];
    W x = (W)3 ?: 5, old = x++;
    volatile W v = x--;
    printf("%g %d %d %d\n", __real__ z, (int)old, (int)v, (int)(x += x));
    int array[(W)3 + (int)x];
    printf("%zu %d\n", sizeof array, __builtin_constant_p((W)3));
    do
        x--;
    while (x);
    printf("%d %d\n", (int)x, x || !c);
    static _BitInt(65535) huge;
    huge = ((_BitInt(65535))1 << 65533) - 1;
    huge /= ((_BitInt(65535))1 << 65000) + 1;
    printf("%d %lx\n", huge < ((_BitInt(65535))1 << 533), (unsigned long)huge);
}
