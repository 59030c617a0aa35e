// Functions that are copied for the function or the bound that a call passes: the original stays
// for other calls, and keeps its address and its parameters' own values.
#include <stdio.h>
#include <stdlib.h>

typedef int compare(const void *, const void *);
typedef int step(int);

static int less(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int greater(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }

// Hands the comparison on, calls itself, and is called with others as well.
static void insert(int *v, int n, compare *order) {
    int x = v[n], i = n;
    for (; i > 0 && order(&x, &v[i - 1]) < 0; i--) v[i] = v[i - 1];
    v[i] = x;
}

__attribute__((noinline)) void sort(int *v, int n, compare *order) {
    if (n > 8) {
        int pivot = v[n / 2], i = 0, j = n - 1;
        while (i <= j) {
            while (order(&v[i], &pivot) < 0) i++;
            while (order(&v[j], &pivot) > 0) j--;
            if (i <= j) {
                int t = v[i];
                v[i++] = v[j];
                v[j--] = t;
            }
        }
        sort(v, j + 1, order);
        sort(v + i, n - i, order);
        return;
    }
    for (int i = 1; i < n; i++) insert(v, i, order);
}

// The parameter changes: its first value is the constant, the others are not.
static int odd(int x) { return 2 * x + 1; }
static int even(int x) { return 2 * x; }
__attribute__((noinline)) int walk(int n, step *next, step *then) {
    int x = 1;
    for (int i = 0; i < n; i++) {
        x = next(x) & 0xffff;
        step *t = next;
        next = then;
        then = t;
        if (i == n / 2) next = even;
    }
    return x;
}

// Two functions that hand the parameter to each other.
__attribute__((noinline)) int pong(int n, step *f);
__attribute__((noinline)) int ping(int n, step *f) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += f(i);
    return n ? sum + pong(n - 1, f) : sum;
}
int pong(int n, step *f) {
    int sum = 1;
    for (int i = 0; i < n; i++) sum ^= f(i);
    return n ? sum + ping(n - 1, f) : sum;
}

// A bound that is a small number in one call only.
__attribute__((noinline)) int dot(const int *a, const int *b, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

// It may be written to: the copy has a variable of its own.
__attribute__((noinline)) int countdown(int n, step *f) {
    static int calls;
    step **where = &f;
    int sum = 0;
    while (n-- > 0) {
        sum += (*where)(n);
        if (n == 3) *where = odd;
    }
    return sum + ++calls * 1000;
}

// A variable number of arguments, and a function that others may replace, are left alone.
#include <stdarg.h>
__attribute__((noinline)) int sum_of(step *f, int n, ...) {
    va_list list;
    int sum = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) sum += f(va_arg(list, int));
    va_end(list);
    return sum;
}
__attribute__((weak, noinline)) int replaceable(step *f, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += f(i);
    return sum;
}

static void show(const int *v, int n) {
    for (int i = 0; i < n; i++) printf("%d%c", v[i], i + 1 < n ? ' ' : '\n');
}

int main(int argc, char **argv) {
    (void)argv;
    int v[40], a[16], b[16];
    compare *chosen = argc > 1 ? less : greater;
    for (int way = 0; way < 3; way++) {
        for (int i = 0; i < 40; i++) v[i] = i * 37 % 41 - way;
        if (way == 0) sort(v, 40, less);
        if (way == 1) sort(v, 40, greater);
        if (way == 2) sort(v, 40, chosen);
        show(v, 40);
    }
    printf("%d %d %d\n", walk(9, odd, even), walk(9, even, odd), walk(argc + 8, odd, odd));
    printf("%d %d\n", ping(6, odd), pong(7, even));
    for (int i = 0; i < 16; i++) a[i] = i, b[i] = 3 - i;
    printf("%d %d %d %d\n", dot(a, b, 4), dot(a, b, 5), dot(a, b, argc + 9), dot(a, b, 16));
    printf("%d %d %d\n", countdown(7, even), countdown(7, odd), countdown(argc, even));
    printf("%d %d\n", sum_of(even, 3, 1, 2, 3), replaceable(odd, 5));
    printf("%d\n", (void *)sort == (void *)&sort);
    return 0;
}
