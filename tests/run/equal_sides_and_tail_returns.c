/* Branches whose sides come to the same value, returns that are copied to calls, bits that are moved instead of tested,
   counters that cannot wrap under -fwrapv, pointers that have been accessed. */
#include <limits.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static int calls;
NOINLINE static int twice(int x) { calls++; return 2 * x; }
NOINLINE static int same(int x) { calls++; return x; }
NOINLINE static long wide(long x) { calls++; return x - 1; }
NOINLINE static void note(int x) { calls += x; }

/* 0 on the equal side, the value on the other. */
NOINLINE static int zero_or_value(int x) { int r = same(x); if (r == 0) return 0; return r; }
NOINLINE static int five_or_value(int x) { int r = same(x); if (r != 5) return r; return 5; }
/* The other way round: these are constants. */
NOINLINE static int value_or_five(int x) { int r = same(x); if (r == 5) return r; return 5; }
NOINLINE static int other_number(int x) { int r = same(x); if (r == 5) return 6; return r; }
NOINLINE static int less(int x) { int r = same(x); if (r < 5) return 5; return r; }
NOINLINE static int two_calls(int x, int y) {
    if (x) { int r = same(x - 1); if (r) return r; }
    if (y) { int r = twice(y - 1); if (r) return r; }
    return 0;
}
NOINLINE static int joined(int x) {
    int r;
    if (x > 5) r = twice(x); else if (x > 2) { note(1); r = same(x); } else r = 7;
    return r;
}
NOINLINE static long widened(int x) { long r = x > 3 ? twice(x) : wide(x); return r; }
NOINLINE static void nothing(int x) { if (x) note(x); else note(100); }
NOINLINE static int local(int x) { int a[4] = {1, 2, 3, x}; int *volatile p = a; int r; if (x > 1) r = same(p[x & 3]); else r = twice(p[1]); return r; }
static const char *text(const char *s) { if (s == 0) return 0; return s; }
NOINLINE static int is_null(const char *s) { return text(s) == 0; }
static int x0[2];
NOINLINE static int *symbol(int *p) { if (p == x0) return x0; return p; }

NOINLINE static int bit(unsigned x) { return (x & 8) != 0; }
NOINLINE static int bit_up(unsigned x) { return (x & 8) ? 64 : 0; }
NOINLINE static int bit_down(unsigned x) { return (x & 8) ? 2 : 0; }
NOINLINE static int bit_stays(unsigned x) { return (x & 8) ? 8 : 0; }
NOINLINE static int sign(int x) { return (x & INT_MIN) != 0; }
NOINLINE static unsigned sign_stays(int x) { return (x & INT_MIN) ? 0x80000000u : 0; }
NOINLINE static long long_bits(unsigned long f) { return ((f & 0x4000) != 0) * 16 + ((f & 16) != 0) * 16; }
NOINLINE static int long_bit(unsigned long f) { return (f & (1ul << 40)) != 0; }
NOINLINE static long bit_to_long(unsigned f) { return (f & 32) != 0; }
NOINLINE static int byte_bit(unsigned char f) { return (f & 128) != 0; }
NOINLINE static int too_large(unsigned long n) { return n > LONG_MAX ? 1 : n < 10 ? 2 : 3; }
NOINLINE static int too_large32(unsigned n) { return n <= INT_MAX ? 1 : 2; }

static int within(int a, int b, int c) { if (a < b) { if (c) return 1; if (a > 3) return b == 7; return 0; } return a == c; }
NOINLINE static _Bool truth(int a, int b, int c) { return within(a, b, c); }

/* The pointer that was read is not null, the other one may be. */
struct pool { int free; int **list; };
NOINLINE static int **slow(struct pool *p) { return p->free > 8 ? p->list : 0; }
static inline int **take(struct pool *p) {
    int **b;
    if (p->free & 1) { b = p->list; if ((p->list = (int **)*b) == 0) note(1); } else b = slow(p);
    return b;
}
NOINLINE static int taken(struct pool *p) { int **b = take(p); if (b != 0) return 1; return twice(3); }

__attribute__((noinline, optimize("wrapv"))) static void clear(long *a, int *n) { int k = *n; for (int i = 0; i < k; i++) a[i] = 0; }
__attribute__((noinline)) static unsigned steps(int from, int to, int by) { unsigned n = 0; for (int i = from; i < to && n < 9; i = (int)((unsigned)i + (unsigned)by)) n++; return n; }
NOINLINE static unsigned wraps(int from) { unsigned n = 0; int i = from; do { n++; i = (int)((unsigned)i + 1); } while (i <= INT_MAX - 1 && n < 6); return n; }
NOINLINE static long past(int from, int to) { long s = 0; unsigned n = 0; for (int i = from; i <= to && n < 8; i = (int)((unsigned)i + 3)) { s += i; n++; } return s; }
NOINLINE static void shift(long *a, long n, long w) { for (long i = n; --i >= w;) a[i + 1] = a[i]; }

int main(void) {
    for (int x = -1; x < 8; x++) {
        printf("%d: %d %d %d %d %d %d %d %ld", x, zero_or_value(x), five_or_value(x), value_or_five(x), other_number(x), less(x), two_calls(x, x + 1), joined(x), widened(x));
        nothing(x);
        printf(" %d %d\n", local(x), calls);
    }
    printf("%d %d %d %d\n", is_null(0), is_null(""), symbol(x0) == x0, symbol(x0 + 1) == x0 + 1);
    for (unsigned x = 0; x < 17; x += 4)
        printf("%d%d%d%d ", bit(x), bit_up(x), bit_down(x), bit_stays(x));
    printf("\n%d %d %u %u\n", sign(-3), sign(3), sign_stays(-3), sign_stays(3));
    for (int i = 0; i < 4; i++)
        printf("%ld ", long_bits((i & 1 ? 0x4000ul : 0) | (i & 2 ? 16 : 0) | 0xa00f));
    printf("%d %d %ld %ld %d %d\n", long_bit(1ul << 40), long_bit(~(1ul << 40)), bit_to_long(~0u), bit_to_long(~32u), byte_bit(200), byte_bit(100));
    printf("%d %d %d %d %d\n", too_large(LONG_MAX), too_large(LONG_MAX + 1ul), too_large(3), too_large32(INT_MAX), too_large32(1u + INT_MAX));
    for (int a = 2; a < 6; a++)
        for (int b = 4; b < 8; b++) printf("%d%d", truth(a, b, 0), truth(a, b, 5));
    int *end = 0, *chain = (int *)&end;
    struct pool pools[] = {{1, (int **)&chain}, {1, (int **)&end}, {2, (int **)&end}, {16, (int **)&end}};
    for (int i = 0; i < 4; i++) printf(" %d", taken(&pools[i]));
    long a[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    int n = 3;
    clear(a, &n);
    n = -2;
    clear(a, &n);
    shift(a, 9, 4);
    printf("\n");
    for (int i = 0; i < 10; i++) printf("%ld ", a[i]);
    printf("\n%u %u %u %u %u\n", steps(0, 5, 1), steps(INT_MAX - 2, INT_MAX, 1), steps(INT_MAX - 3, INT_MAX, 2), steps(0, INT_MAX, 1 << 30), steps(5, 5, 1));
    printf("%u %u %ld %ld %d\n", wraps(INT_MAX - 3), wraps(INT_MAX), past(INT_MAX - 4, INT_MAX), past(0, 9), calls);
}
