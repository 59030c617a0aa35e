// Comparisons whose outcome is wanted as a number, by a branch and by a choice; numbers that a
// branch says; loads that only a seldom taken path needs again.
#include <stdio.h>

static int calls;
__attribute__((noinline)) static int seldom(int *p) {
    calls++;
    if (p) {
        ++*p;
    }
    return calls & 1;
}

__attribute__((noinline)) static int stored_and_chosen(int a, int b, int *p) {
    *p = a < b;
    return a < b ? 5 : a + 7;
}

__attribute__((noinline)) static int stored_and_branched(unsigned a, unsigned b, int *p) {
    *p = a <= b;
    if (a <= b) {
        seldom(p);
    }
    return *p + 4;
}

__attribute__((noinline)) static int of_floats(double a, double b, int *p) {
    *p = a < b;
    if (a < b) {
        return *p + 1;
    }
    *p += a != b;
    return a != b ? *p + 10 : *p + 20;
}

__attribute__((noinline)) static long magnitude(unsigned flags, long number, int *negative) {
    int neg = !((flags & 0x80000100u) == 0x80000100u);
    long value;
    if (!neg) {
        value = number;
    } else if (number >= 0) {
        value = number;
        neg = 0;
    } else {
        value = -number;
    }
    *negative = neg;
    return value;
}

__attribute__((noinline)) static int said_by_branch(int a, int b) {
    int less = a < b;
    if (less) {
        b += less;
    } else {
        b -= 3 * less + 2;
    }
    return b * 10 + less;
}

__attribute__((noinline)) static int again(int **sp, int special) {
    if (__builtin_expect((*sp[0] | *sp[-1]) & 8, 0) && seldom(sp[special])) {
        return -1;
    }
    int *right = sp[0], *left = sp[-1];
    int value = *left * 10 + *right;
    seldom(0);
    *--sp = right;
    return value * 10 + (*sp == right);
}

int main(void) {
    for (int i = -1; i <= 1; i++) {
        int n = 9, m;
        printf("%d", stored_and_chosen(i, 0, &n));
        printf(" %d", n);
        printf(" %d", stored_and_branched(i, 0, &n));
        printf(" %d %d", of_floats(i, 0, &m), of_floats(i, __builtin_nan(""), &n));
        printf(" %d", m);
        printf(" %ld", magnitude(0x80000100u, i, &n));
        printf(" %d", n);
        printf(" %ld", magnitude(0x100, i, &n));
        printf(" %d", n);
        printf(" %d\n", said_by_branch(i, 0));
    }
    for (int i = 0; i < 8; i++) {
        int a = i, b = 16 - 2 * i, c = 3;
        int *stack[3] = {&c, &a, &b};
        printf("%d ", again(stack + 2, -1));
        printf("%d %d %d %d\n", a, b, c, calls);
    }
    return 0;
}
