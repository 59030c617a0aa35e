/* Parameters that are one constant at every call, tables that are passed to functions which only read them, and others that look alike. */
#include <stdio.h>
static int table[4] = {5, 7, 9, 11};
static int sizes[3] = {4, 2, 1};
static int written[2] = {1, 2};
static int __attribute__((noinline)) at(const int *t, int i) { return t[i]; }
static int __attribute__((noinline)) scaled(int x, int by, const int *t) { return x * by + at(t, 0) + at(sizes, x & 1); }
static int __attribute__((noinline)) deep(int x, int by) { return by ? deep(x + 1, by - 1) + 1 : x; }
static int __attribute__((noinline)) through(int x, int by, int n) { return n ? through(x + by, by, n - 1) : scaled(x, by, table); }
static int __attribute__((noinline)) differs(int x) { return x + 1; }
static int __attribute__((noinline)) taken(int x) { return x * 3; }
static double __attribute__((noinline)) floats(double x, float y) { return x * y; }
static void __attribute__((noinline)) bump(int *p) { ++*p; }
static void __attribute__((noinline)) on(int *p) { bump(p); }
static int __attribute__((noinline)) many(int a, int b, int c, int d, int e, int f, int g, int *h) { *h += a + g; return a + b + c + d + e + f + g; }
struct s { long a, b, c; };
static long __attribute__((noinline)) big(struct s v, int k) { v.a += k; return v.a + v.b + v.c; }
static int __attribute__((noinline)) nul(int *p) { return p == 0; }
int (*volatile handler)(int) = taken;
int main(int c, char **v)
{
    int r = through(c, 8, 3) + through(c + 1, 8, 5);
    printf("%d\n", r);
    printf("%d %d %d\n", differs(1), differs(c + 1), taken(4) + handler(5));
    printf("%g\n", floats(c, 2.5f) + floats(c + 1, 2.5f));
    on(&written[1]); on(&written[1]);
    printf("%d %d\n", written[0], written[1]);
    int h = 0;
    printf("%d %d\n", many(1, 2, 3, c, 5, 6, 7, &h) + many(1, 2, 3, c, 5, 6, 7, &h), h);
    struct s s = {1, 2, 3};
    printf("%ld\n", big(s, 4) + big(s, 4));
    printf("%d %d\n", nul(0), deep(c, 5));
    return 0;
}
