// Loops that the loop passes change: unrolled, deleted, made block operations, duplicated, with counters reduced.
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

struct item { int key, value, extra[4]; };

NOINLINE static void clear(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 0; }
NOINLINE static void fill(char *p, int n, char c) { for (int i = 0; i < n; i++) p[i] = c; }
NOINLINE static void fill_from(unsigned char *p, int from, int to) { int i = from; do p[i] = 0xff; while (i++ < to); }
NOINLINE static void copy(int *restrict d, const int *restrict s, long n) { for (long i = 0; i < n; i++) d[i] = s[i]; }
NOINLINE static void slide(char *p, int n) { for (int i = 0; i < n; i++) p[i + 1] = p[i]; }
NOINLINE static void clear_unsigned(short *p, unsigned n) { for (unsigned i = 0; i < n; i++) p[i] = 0; }
NOINLINE static void clear_until(long *p, long *end) { while (p != end) *p++ = -1; }

NOINLINE static int sum_keys(const struct item *p, int n, int want)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (want) sum += p[i].key; else sum ^= p[i].value;
    return sum;
}

NOINLINE static int find(const int *p, int x) { for (int i = 0; i < 4; i++) if (p[i] == x) return i; return -1; }

NOINLINE static long matrix(int m[5][7], int column)
{
    long sum = 0;
    for (int i = 0; i < 5; i++) sum = sum * 3 + m[i][column];
    return sum;
}

NOINLINE static long strided(const int *a, int n, int stride, int offset)
{
    long sum = 0;
    for (int i = 0; i < n; i++) sum += a[i * stride + offset];
    return sum;
}

NOINLINE static int nothing(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) { int x = j * i; (void)x; }
    return n;
}

NOINLINE static unsigned bits(unsigned x)
{
    unsigned r = 0;
    for (int i = 0; i < 8; i++) { r = r << 1 | (x & 1); x >>= 1; }
    return r;
}

NOINLINE static int local_table(int k)
{
    int t[6];
    for (int i = 0; i < 6; i++) t[i] = i * i;
    int s = 0;
    for (int i = 0; i < 6; i++) s += t[i] * k;
    return s;
}

NOINLINE static int two_flags(const int *p, int n, int a, int b)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        if (a) s += p[i];
        if (b) s ^= i;
        if (a && s > 1000) break;
    }
    return s;
}

NOINLINE static int down(const signed char *p, int n) { int s = 0; while (n-- > 0) s = s * 5 + p[n * 12]; return s; }

int main(void)
{
    int a[40];
    for (int i = 0; i < 40; i++) a[i] = i * 7 % 11;
    int z[10];
    memset(z, 1, sizeof z);
    clear(z + 1, 7); clear(z, 0); clear(z + 9, -5);
    for (int i = 0; i < 10; i++) printf("%x ", z[i]);
    char s[32] = "abcdefghijklmnopqrstuvwxyz";
    fill(s + 2, 9, '*'); fill(s, -1, '!'); puts(s);
    slide(s + 12, 6); puts(s);
    unsigned char u[8] = {0};
    fill_from(u, 2, 4); fill_from(u, 7, 3);
    for (int i = 0; i < 8; i++) printf("%d ", u[i]);
    copy(z, a + 3, 10);
    for (int i = 0; i < 10; i++) printf("%d ", z[i]);
    short h[12];
    for (int i = 0; i < 12; i++) h[i] = i;
    clear_unsigned(h + 2, 9);
    for (int i = 0; i < 12; i++) printf("%d ", h[i]);
    long l[4] = {5, 6, 7, 8};
    clear_until(l + 1, l + 3);
    printf("%ld %ld %ld %ld\n", l[0], l[1], l[2], l[3]);
    struct item items[6];
    for (int i = 0; i < 6; i++) items[i] = (struct item){i + 1, i * 3, {i, i, i, i}};
    printf("%d %d %d\n", sum_keys(items, 6, 1), sum_keys(items, 6, 0), sum_keys(items, 0, 1));
    printf("%d %d %d\n", find(a, 3), find(a, 0), find(a, 99));
    int m[5][7];
    for (int i = 0; i < 5; i++) for (int j = 0; j < 7; j++) m[i][j] = i * 10 + j;
    printf("%ld %ld\n", matrix(m, 0), matrix(m, 6));
    printf("%ld %ld %ld\n", strided(a, 5, 7, 2), strided(a, 10, -2, 30), strided(a, 0, 9, 1));
    printf("%d %u %d\n", nothing(9), bits(0xb1), local_table(3));
    printf("%d %d %d %d\n", two_flags(a, 40, 0, 0), two_flags(a, 40, 0, 1), two_flags(a, 40, 1, 0), two_flags(a, 40, 1, 1));
    printf("%d\n", down((signed char *)"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz", 4));
}
