/* Stores that are overwritten on all ways on, on some, after reads through other pointers, and by fills and copies. */
#include <stdio.h>
#include <string.h>

typedef struct {
    int a, b, c, d;
} Four;

__attribute__((noinline)) static void both(int *p, int c) {
    *p = 1;
    if (c)
        *p = 2;
    else
        *p = 3;
}

__attribute__((noinline)) static int seen(int *p, int *q, int c) {
    int was = 0;
    *p = 1;
    if (c)
        was = *q;
    *p = 2;
    return was;
}

__attribute__((noinline)) static void chain(int *p, int n) {
    int *at = p;
    while (n) {
        *at = n;
        if (n == 3)
            return;
        at++;
        n--;
        *at = 7;
    }
}

__attribute__((noinline)) static Four fill(int x, int c) {
    Four f;
    memset(&f, 0, sizeof f);
    f.a = x;
    if (c) {
        memset(&f, 1, sizeof f);
        f.c = 5;
    }
    return f;
}

__attribute__((noinline)) static int scopes(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int local[4] = {i, 1, 2, 3};
        int *p = &local[i & 3];
        *p += 10;
        sum += local[0] + local[3];
        local[0] = 99;
    }
    return sum;
}

/* The parameter cannot point to this activation's slot, but to the caller's. */
__attribute__((noinline)) static int activations(int *outer, int depth) {
    int mine = depth;
    if (outer)
        *outer += 100;
    mine += 1;
    if (depth)
        mine += activations(&mine, depth - 1);
    return mine;
}

static int global;
__attribute__((noinline)) static int observe(void) {
    return global;
}

__attribute__((noinline)) static int calls(int c) {
    global = 5;
    int r = c ? observe() : 0;
    global = 6;
    return r + observe();
}

int main(void) {
    int x, a[8] = {0};
    both(&x, 1);
    printf("%d", x);
    both(&x, 0);
    printf(" %d", x);
    printf(" %d %d", seen(&x, &x, 1), seen(&x, a, 1));
    chain(a, 6);
    for (int i = 0; i < 8; i++)
        printf(" %d", a[i]);
    Four f = fill(4, 0), g = fill(4, 1);
    printf("\n%d %d %d %d, %x %x %d %x\n", f.a, f.b, f.c, f.d, (unsigned)g.a, (unsigned)g.b, g.c, (unsigned)g.d);
    printf("%d %d %d %d\n", scopes(9), activations(NULL, 4), calls(0), calls(1));
    return 0;
}
