/* The last index for which something holds, at every number of iterations: before, in and after whole vectors,
   never, always; indices that are not the greatest so far, and starts above them. */
#include <stdio.h>

#define N __attribute__((noipa))

N static int negative(const float *a, int n) {
    int last = -1;
    for (int i = 0; i < n; i++)
        if (a[i] < 0)
            last = i;
    return last;
}

N static int equal(const int *a, int n, int k) {
    int last = -5;
    for (int i = 0; i < n; i++)
        last = a[i] == k ? i : last;
    return last;
}

N static int from_three(const signed char *a, int n) {
    int last = 3;
    for (int i = 3; i < n; i++)
        if (a[i] > 100)
            last = i;
    return last;
}

N static int outside(const short *a, int n, int k) {
    int last = -1;
    for (int i = 0; i < n; i++) {
        if (a[i] > k)
            last = i;
        else if (a[i] < -k)
            last = i;
    }
    return last;
}

N static int doubles(const double *a, const double *b, int n) {
    int last = -1;
    for (int i = 0; i < n; i++)
        if (a[i] > b[i])
            last = i;
    return last;
}

N static int above_start(const int *a, int n) {
    int last = 5;
    for (int i = 0; i < n; i++)
        if (a[i] > 90)
            last = i;
    return last;
}

N static int with_maximum(const int *a, int n) {
    int last = -1, most = -2147483647;
    for (int i = 0; i < n; i++) {
        if (a[i] > 90)
            last = i;
        most = a[i] > most ? a[i] : most;
    }
    return last + most % 100000 * 3;
}

N static int of_thousand(const int *a) {
    int last = -1;
    for (int i = 0; i < 1000; i++)
        if (a[i] >= 99)
            last = i;
    return last;
}

N static int first(const int *a, int n) {
    int last = 1000000;
    for (int i = n - 1; i >= 0; i--)
        if (a[i] > 90)
            last = i;
    return last;
}

N static int either(const int *a, int n) {
    int last = -1;
    for (int i = 0; i < n; i++) {
        if (a[i] > 95)
            last = i;
        if (a[i] == 50)
            last = i;
    }
    return last;
}

N static int not_below(const int *a, int n) {
    int last = -1;
    for (int i = 0; i < n; i++) {
        if (a[i] > 95)
            last = i;
        if (a[i] == 50)
            last = last > 7 ? last : 7;
    }
    return last;
}

N static int two_counters(const int *a, int n) {
    int last = -1, other = 2;
    for (int i = 0; i < n; i++, other += 3) {
        if (a[i] > 95)
            last = other;
        if (a[i] == 50)
            last = i;
    }
    return last;
}

N static int one_after(const int *a, int n) {
    int last = -1;
    for (int i = 0; i < n; i++)
        if (a[i] > 95)
            last = i + 1;
    return last;
}

N static int every_second(const int *a, int n) {
    int last = -1;
    for (int i = 1; i < n; i += 2)
        if (a[i] > 95)
            last = i;
    return last;
}

N static unsigned wraps(const int *a, unsigned n) {
    unsigned last = 0;
    for (unsigned i = 0; i < n; i++)
        if (a[i] > 95)
            last = i;
    return last;
}

static float floats[1100];
static double some[1100], others[1100];
static int ints[1100];
static short shorts[1100];
static signed char bytes[1100];
static unsigned hash, seed = 5;

static void mix(long value) {
    hash = hash * 31 + (unsigned)value;
}

static unsigned below(unsigned n) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 12) % n;
}

static int element(int kind, int round, int i) {
    switch (kind) {
    case 0: return 0;
    case 1: return (int)below(101);
    case 2: return below(40) == 0 ? 97 : 10;
    case 3: return 97;
    default: return i == round * 3 ? 99 : 50 * (below(30) == 0);
    }
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 1100; i++) {
            int x = element(round % 5, round, i);
            floats[i] = x > 96 ? -1.f : 1.f;
            ints[i] = x;
            shorts[i] = (short)(x - 50);
            bytes[i] = (signed char)(x > 96 ? 101 : x);
            some[i] = x;
            others[i] = 96;
        }
        mix(of_thousand(ints));
        for (int n = 0; n <= 50; n++) {
            mix(negative(floats, n));
            mix(equal(ints, n, 97));
            mix(from_three(bytes, n));
            mix(outside(shorts, n, 46));
            mix(doubles(some, others, n));
            mix(above_start(ints, n));
            mix(with_maximum(ints, n));
            mix(first(ints, n));
            mix(either(ints, n));
            mix(not_below(ints, n));
            mix(two_counters(ints, n));
            mix(one_after(ints, n));
            mix(every_second(ints, n));
            mix(wraps(ints, (unsigned)n));
        }
    }
    printf("%08x\n", hash);
    return 0;
}
