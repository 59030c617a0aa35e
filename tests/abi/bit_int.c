/* Bit-precise integers as arguments, results, members and variable arguments. gcc has them from version 14 on: before, structures
   and integers stand for them that are passed alike (psABI 3.2.3), with something else in the unused bits. */
#include <stdarg.h>
#include <stdio.h>

#ifdef __BITINT_MAXWIDTH__
typedef _BitInt(21) small;
typedef unsigned _BitInt(101) medium;
typedef _BitInt(200) large;
#define SMALL(x) ((small)(x))
#define MEDIUM(high, low) ((medium)(high) << 64 | (low))
#define LARGE(top, low) ((large)(top) << 192 | (low))
#define VALUE(s) ((int)(s))
#define HIGH(m) ((unsigned long)((m) >> 64))
#define LOW(m) ((unsigned long)(m))
#define TOP(l) ((int)((l) >> 192))
#define LAST(l) ((unsigned long)(l))
#else
typedef int small;
typedef struct { unsigned long limb[2]; } medium;
typedef struct { unsigned long limb[4]; } large;
#define SMALL(x) ((int)((x) & 0x1fffff) | 0x2aa << 21)
#define MEDIUM(high, low) ((medium){{low, (high) | 0x5a5a5a5ul << 37}})
#define LARGE(top, low) ((large){{low, 0, 0, ((top) & 0xff) | 0x123456789abc00}})
#define VALUE(s) ((int)((unsigned)(s) << 11) >> 11)
#define HIGH(m) ((m).limb[1] & 0x1ffffffffful)
#define LOW(m) ((m).limb[0])
#define TOP(l) ((int)(signed char)(l).limb[3])
#define LAST(l) ((l).limb[0])
#endif

struct holder { char c; medium m; };
struct pair { small s; long l; };

small make_small(int x);
medium make_medium(unsigned long high, unsigned long low);
large make_large(int top, unsigned long low);
struct holder make_holder(char c, unsigned long high);
struct pair make_pair(int s, long l);
unsigned long many(small a, medium b, long c, medium d, small e, large f, medium g, long h, struct holder i, struct pair j, large k);
long variadic(int n, ...);

#ifdef CALLEE
small make_small(int x) { return SMALL(x); }
medium make_medium(unsigned long high, unsigned long low) { return MEDIUM(high, low); }
large make_large(int top, unsigned long low) { return LARGE(top, low); }
struct holder make_holder(char c, unsigned long high) { return (struct holder){c, MEDIUM(high, 5)}; }
struct pair make_pair(int s, long l) { return (struct pair){SMALL(s), l}; }
unsigned long many(small a, medium b, long c, medium d, small e, large f, medium g, long h, struct holder i, struct pair j, large k)
{
    return VALUE(a) + 2 * HIGH(b) + 3 * LOW(b) + 5 * c + 7 * HIGH(d) + 11 * LOW(d) + 13 * VALUE(e) + 17 * TOP(f)
           + 19 * LAST(f) + 23 * HIGH(g) + 29 * h + 31 * i.c + 37 * HIGH(i.m) + 41 * VALUE(j.s) + 43 * j.l + 47 * TOP(k);
}
long variadic(int n, ...)
{
    va_list list;
    long sum = 0;
    va_start(list, n);
    while (n--) {
        medium m = va_arg(list, medium);
        large l = va_arg(list, large);
        small s = va_arg(list, small);
        sum += LOW(m) + 3 * HIGH(m) + 5 * TOP(l) + 7 * LAST(l) + 11 * VALUE(s) + 13 * va_arg(list, int);
    }
    va_end(list);
    return sum;
}
#endif

#ifdef CALLER
int main(void)
{
    printf("%d %d\n", VALUE(make_small(-5)), VALUE(make_small(1000000)));
    printf("%lx %lx\n", HIGH(make_medium(0x1234567890, 1)), LOW(make_medium(0, ~0ul)));
    printf("%d %lx\n", TOP(make_large(-7, 3)), LAST(make_large(100, 0xfedcba987654321)));
    printf("%d %lx\n", make_holder('x', 77).c, HIGH(make_holder('x', 0x1fffffffff).m));
    printf("%d %ld\n", VALUE(make_pair(-9, 1l << 40).s), make_pair(-9, 1l << 40).l);
    printf("%lx\n", many(SMALL(-1), MEDIUM(2, 3), 4, MEDIUM(0x1fffffffff, 6), SMALL(-7), LARGE(-8, 9), MEDIUM(10, 11), 12,
                          (struct holder){'a', MEDIUM(13, 14)}, (struct pair){SMALL(-15), 16}, LARGE(-17, 18)));
    printf("%ld\n", variadic(3, MEDIUM(1, 2), LARGE(-3, 4), SMALL(-5), 6, MEDIUM(7, 8), LARGE(9, 10), SMALL(11), 12,
                             MEDIUM(13, 14), LARGE(-15, 16), SMALL(-17), 18));
}
#endif
