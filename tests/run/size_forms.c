// Short forms of code, and what they must not change: tests of shifted bits, choices between
// constants, numbers of highest bits, variable arguments of one kind, pieces of literals, branches
// on several comparisons, what all cases of a switch begin with.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fields { int a; unsigned char low : 2, one : 1, two : 1, rest : 4; unsigned wide : 9, high : 3; signed char s : 3; };

__attribute__((noinline)) int bits(struct fields *f, unsigned long long w, unsigned x) {
    int r = 0;
    if (f->one) r |= 1;
    if (f->two == 0) r |= 2;
    if (f->high & 4) r |= 4;
    if (f->rest != 0) r |= 8;
    if (w >> 40 & 1) r |= 16;
    if (!(w >> 31 & 1)) r |= 32;
    if (w >> 20 & 0xff) r |= 64;
    if (x >> 30 & 3) r |= 128;
    if ((x >> 28 & 0x30) != 0) r |= 256;
    if (f->s & 4) r |= 512;
    if ((signed char)f->s >> 1) r |= 1024;
    return r;
}

__attribute__((noinline)) int choices(unsigned x, unsigned y, const char *p, long long w, signed char c) {
    int a = x < y ? 42 : -3, b = x == 0 ? 24 : 447, d = x > 10 ? 0 : 5, e = *p ? -1 : 12;
    int f = w ? 100000 : 100001, g = x <= 0xfffffffe ? 3 : 9, h = c == 0 ? -128 : 127, i = x >= y ? 7 : 8;
    long long j = w == 0 ? 5 : 1;
    unsigned char k = x ? 200 : 10;
    int l = w > 3 ? 1 : 77, m = (unsigned long long)w < 5 ? (-2147483647 - 1) : 2147483647;
    printf("%d %d %d %d %d %d %d %d %lld %d %d %d;", a, b, d, e, f, g, h, i, j, k, l, m);
    return a + b + d;
}

__attribute__((noinline)) int highest(unsigned x, unsigned long long y) {
    return (31 - __builtin_clz(x)) * 1000 + (63 - __builtin_clzll(y)) * 10 + (__builtin_clz(x) ^ 31) % 3 +
           (50 - __builtin_clz(x)) * 100000 + (__builtin_clz(x) ^ 3);
}

__attribute__((noinline)) long integers(int n, ...) {
    va_list list;
    long sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) sum = sum * 3 + (i % 2 ? va_arg(list, int) : va_arg(list, long));
    va_end(list);
    return sum;
}

__attribute__((noinline)) double both(int n, ...) {
    va_list list, copy;
    double sum = 0;
    va_start(list, n);
    va_copy(copy, list);
    for (int i = 0; i < n; i++) sum += va_arg(list, int) * va_arg(list, double);
    sum -= va_arg(copy, int);
    sum -= va_arg(copy, double);
    va_end(copy);
    va_end(list);
    return sum;
}

__attribute__((noinline)) static double next(va_list *list) { return va_arg(*list, double); }

__attribute__((noinline)) double passed(int n, ...) {
    va_list list;
    va_start(list, n);
    double sum = va_arg(list, int);
    while (n--) sum += next(&list);
    va_end(list);
    return sum;
}

__attribute__((noinline)) void literals(char *to, int which) {
    switch (which) {
    case 1: memcpy(to, "a", 1); break;
    case 2: memcpy(to, "ab", 2); break;
    case 3: memcpy(to, "abc", 3); break;
    case 5: memcpy(to, "ab\0\377e", 5); break;
    case 8: memcpy(to, "\377\377\377\377\377\377\377\377", 8); break;
    case 9: memcpy(to, "[string \"", 9); break;
    case 12: memcpy(to, "\377\1\2\200abcdwxyz", 12); break;
    case 17: memcpy(to, "0123456789abcdefg", 17); break;
    case 27: memcpy(to, "0123456789abcdefghijklmno\200\377", 27); break;
    case 30: memcpy(to, (const char[30]){"short"}, 30); break;
    }
}

__attribute__((noinline)) int several(unsigned a, unsigned b, const unsigned *p, double d) {
    int r = 0;
    if ((a > b) & (p[0] != 3)) r |= 1;
    if ((a < b) | (p[1] == 4) | (a == 7)) r |= 2;
    if (((a ^ b) < 9) & ((p[0] == 3) | (d > 1.5))) r |= 4;
    if ((d == d) & (d < 2.0)) r |= 8;
    if (!((a != b) & (d != 1.0))) r |= 16;
    while ((a > 2) & (b < 100)) a -= 2, b += 7;
    return r * 1000 + (int)(a + b);
}

static int calls, memory[4];
__attribute__((noinline)) int change(int x) { calls++; memory[1] += x; return memory[0]; }

__attribute__((noinline)) int common(int which, int x) {
    switch (which) {
    case 0: { int a = change(x), b = memory[1]; memory[2] = a; return a + b * 2; }
    case 1: { int a = change(x), b = memory[1]; memory[2] = a; return a + b * 3; }
    case 5: { int a = change(x), b = memory[1]; memory[2] = a; memory[1] = 9; return a + memory[1]; }
    default: { int a = change(x), b = memory[1]; memory[2] = a; return a - b; }
    }
}

__attribute__((noinline)) int order(int which, int x) {
    if (which) {
        int before = memory[1];
        memory[1] = x;
        return before + memory[1];
    }
    memory[1] = x;
    int after = memory[1];
    return after * 100;
}

int main(void) {
    struct fields f = {1, 1, 1, 0, 9, 300, 5, -3}, g = {0, 2, 0, 1, 0, 1, 3, 2};
    printf("%d %d %d\n", bits(&f, 1ull << 40, 1u << 31), bits(&g, 0xff00000ull | 1u << 31, 7), bits(&f, 0, 1u << 29));
    choices(1, 2, "", 0, 0);
    choices(0, 0, "x", 4, 1);
    choices(0xffffffff, 11, "", -1, -1);
    printf("\n%d %d\n", highest(1, 1), highest(0x80000000, 0x123456789abcull));
    printf("%ld %ld\n", integers(8, 1l, 2, 3l, 4, 5l, 6, 7l, -8), integers(2, -5l, 9));
    printf("%g %g\n", both(3, 2, 1.5, 3, 2.5, 4, 0.25), passed(3, 1, 0.5, 0.25, 8.0));
    const int sizes[] = {1, 2, 3, 5, 8, 9, 12, 17, 27, 30};
    for (int i = 0; i < 10; i++) {
        char to[32];
        memset(to, '.', 32);
        literals(to, sizes[i]);
        unsigned sum = 0;
        for (int k = 0; k < 32; k++) sum = sum * 31 + (unsigned char)to[k];
        printf("%u%c", sum, i < 9 ? ' ' : '\n');
    }
    unsigned p[] = {3, 4}, q[] = {1, 2};
    printf("%d %d %d %d\n", several(9, 8, q, 1.0), several(7, 8, p, 3.0), several(5, 5, q, __builtin_nan("")), several(3, 200, p, 1.75));
    memory[0] = 11;
    for (int i = 0; i < 7; i++) printf("%d ", common(i, i + 1));
    printf("%d %d %d %d\n", calls, memory[1], order(1, 5), order(0, 6));
    return 0;
}
