// Variables that follow a counter by one or two iterations, but start with another value.
#include <stdio.h>

#define SIZE 64
static float a[SIZE], b[SIZE];
static int c[SIZE], d[SIZE];

__attribute__((noinline)) static void one(int n) {
    int before = n - 1;
    for (int i = 0; i < n; i++) {
        a[i] = (b[i] + b[before]) * 0.5f;
        before = i;
    }
}

__attribute__((noinline)) static void two(int n) {
    int before = n - 1, earlier = n - 2;
    for (int i = 0; i < n; i++) {
        a[i] = b[i] + b[before] * 2 + b[earlier] * 3;
        earlier = before;
        before = i;
    }
}

__attribute__((noinline)) static int after_it(int n) {
    int before = n - 1, i;
    for (i = 0; i < n; i++) {
        c[i] = d[before] - d[i];
        before = i;
    }
    return before * 100 + i;
}

__attribute__((noinline)) static void wide(unsigned long n) {
    unsigned long before = n - 1;
    for (unsigned long i = 0; i < n; i++) {
        c[i] += d[before];
        before = i;
    }
}

__attribute__((noinline)) static void backwards(int n) {
    int before = 0;
    for (int i = n - 1; i >= 0; i--) {
        c[i] = d[i] + 3 * d[before];
        before = i;
    }
}

__attribute__((noinline)) static void apart(int n, int start) {
    int place = start;
    for (int i = 2; i < n; i += 2) {
        c[place] = d[i] + place;
        place = i - 1;
    }
}

__attribute__((noinline)) static void in_place(int n) {
    int before = n - 1;
    for (int i = 0; i < n; i++) {
        d[i] += d[before];
        before = i;
    }
}

__attribute__((noinline)) static void early(int n) {
    int before = n - 1;
    for (int i = 0; i < n; i++) {
        if (d[before] == 77)
            break;
        c[i] = d[before] + i;
        before = i;
    }
}

__attribute__((noinline)) static int at_the_limit(int start, int n) {
    int before = 5, sum = 0;
    for (int i = start; i < n; i++) {
        sum += d[before & 31] + (before < 0);
        before = i;
    }
    return sum;
}

static void fill(void) {
    for (int i = 0; i < SIZE; i++) {
        a[i] = 0;
        b[i] = i * 3 + 1;
        c[i] = i;
        d[i] = i * i - 40;
    }
}

static void show(const char *name, int n, int extra) {
    unsigned sum = extra;
    for (int i = 0; i < SIZE; i++)
        sum = sum * 31 + (int)(a[i] * 4) + c[i] * 7 + d[i];
    printf("%s %d: %u\n", name, n, sum);
}

int main(void) {
    for (int n = 0; n < 28; n++) {
        fill(), one(n), show("one", n, 0);
        fill(), two(n > 1 ? n : 0), show("two", n, 0);
        fill(), show("after_it", n, after_it(n));
        fill(), wide(n), show("wide", n, 0);
        fill(), backwards(n), show("backwards", n, 0);
        fill(), apart(n, n), show("apart", n, 0);
        fill(), apart(n, 1), show("apart", n, 1);
        fill(), in_place(n), show("in_place", n, 0);
        fill(), d[n / 2] = 77, early(n), show("early", n, 0);
        fill(), show("at_the_limit", n, at_the_limit(-2147483647 - 1, -2147483647 - 1 + n));
        fill(), show("at_the_limit", n, at_the_limit(2147483647 - n, 2147483647));
    }
}
