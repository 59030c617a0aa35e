// flags: -Os
// Values that live across calls of functions whose registers are known: small ones, ones that call others, circles, tail calls, calls that may be
// another function's at run time, and what jumps out of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define APART __attribute__((noinline))

struct node { long key; struct node *next; };

APART static long key(struct node *n, int i) { return i > 3 ? n->key : n->next->key; }
APART static long twice(struct node *n, int i) { return key(n, i) + key(n->next, i + 1); }
APART static unsigned divide(unsigned a, unsigned b) { return a / b + a % b; }
APART static long shift(long a, int n) { return a << n; }
APART static void fill(char *p, int c, unsigned long n) { memset(p, c, n); }
APART static double half(double x) { return x / 2; }

APART static int even(unsigned n);
APART static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
APART static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
APART static long jumps(struct node *n, int i) { return i & 1 ? twice(n, i) : key(n, i); }
APART static long many(long a, long b, long c, long d, long e, long f, long g) {
    __asm__ volatile("" ::: "rcx", "rsi", "r8");
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
}
APART static int total(int n, ...) {
    va_list list;
    int sum = 0;
    va_start(list, n);
    while (n--) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
__attribute__((weak)) long weak(long x) { return x + 1; }
__attribute__((noipa)) static long closed(long x) { return x * 3; }

static jmp_buf buffer;
APART static void leave(int n) {
    if (n > 2) longjmp(buffer, n);
}

APART static long mixed(struct node *n, int i, long a, long b, long c, long d) {
    long first = key(n, i);
    long second = twice(n, (int)a);
    unsigned third = divide((unsigned)b, (unsigned)c);
    long fourth = shift(d, i);
    long fifth = jumps(n, i) + jumps(n, i + 1);
    return first + 10 * second + 100 * third + 1000 * fourth + a + b + c + d + fifth * even((unsigned)i);
}

APART static long others(long a, long b, long c, long d) {
    char text[70];
    fill(text, (int)a, 69);
    text[69] = 0;
    long length = (long)strlen(text);
    double x = half((double)b), y = half((double)c);
    long sum = many(a, b, c, d, a, b, c) + total(4, (int)a, (int)b, (int)c, (int)d);
    return length + (long)(x * 4 + y * 8) + sum + weak(d) + closed(a) + text[3] + a - b + c - d;
}

APART static int returns(int a, int b) {
    int kept = a * 3 + b;
    int again = setjmp(buffer);
    if (again) return again * 100 + kept;
    leave(a);
    return kept;
}

int main(void) {
    struct node last = {30, 0}, middle = {20, &last}, first = {10, &middle};
    last.next = &first;
    for (int i = 0; i < 7; i++) printf("%ld ", mixed(&first, i, i + 1, 100 + i, 7, 3));
    puts("");
    printf("%ld %ld\n", others(65, 9, 12, 4), others(66, 10, 13, 5));
    printf("%d %d\n", returns(1, 5), returns(4, 5));
    printf("%d %d\n", even(100), odd(100));
    return 0;
}
