// Answers of comparisons joined by |, & and ^, and kept in variables, as numbers of all widths; the
// carries of long additions.
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

typedef unsigned long Limb;

NOINLINE Limb add(Limb *r, const Limb *a, const Limb *b, int n) {
    Limb carry = 0;
    do {
        Limb x = *a++, y = *b++, sum = x + y, first = sum < x, all = sum + carry, second = all < sum;
        carry = first | second;
        *r++ = all;
    } while (--n);
    return carry;
}
NOINLINE Limb either(Limb a, Limb b, Limb c, int d) { return (a < b) | (c == d); }
NOINLINE int both(double a, double b, int c) { return (a == b) & (c > 3); }
NOINLINE short one(float a, float b, int c) { return (a < b) ^ (c > 3); }
NOINLINE int neither(int a, int b) { return !((a < b) | (b == 7)); }
NOINLINE int kept(const int *p, int a) {
    _Bool x = *p;
    if (a) x = a > 5;
    return x;
}
NOINLINE unsigned char loaded(const _Bool *p, int a) { return (*p | a > 5) + 1; }
NOINLINE long passed(_Bool a, _Bool b) { return (a & b) + 2l * a; }

int main(void) {
    Limb a[4] = {~0ul, ~0ul, 5, 1ul << 63}, b[4] = {1, 0, ~0ul, 1ul << 63}, r[4];
    Limb carry = add(r, a, b, 4);
    printf("%lu %lx %lx %lx %lx\n", carry, r[0], r[1], r[2], r[3]);
    const double nan = __builtin_nan("");
    for (int i = 0; i < 12; i++) {
        _Bool flag = i & 1;
        int zero = 0;
        printf("%lu %d %d %d %d %d %d %d %ld\n", either(i, 6, i, 9), both(i & 3, 2, i), both(nan, nan, i),
               one(i, 5.5f, i), neither(i, 5 + (i > 8) * 2), kept(&i, i / 2), kept(&zero, 0), loaded(&flag, i),
               passed(flag, i > 4));
    }
}
