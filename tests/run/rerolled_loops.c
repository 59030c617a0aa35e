// Loops unrolled by hand: copies of one body, which may become one again, and bodies that only look
// like it.
#include <stdio.h>
#include <string.h>

#define N 96

static float a[N], b[N];
static unsigned p[N], q[N];
static unsigned char bytes[N];
volatile int away;

#define KERNEL static __attribute__((noinline))

KERNEL void five(float alpha, int n)
{
    for (int i = 0; i < n; i += 5) {
        a[i] += alpha * b[i];
        a[i + 1] += alpha * b[i + 1];
        a[i + 2] += alpha * b[i + 2];
        a[i + 3] += alpha * b[i + 3];
        a[i + 4] += alpha * b[i + 4];
    }
}

// The counter is a value, too, and the places may overlap.
KERNEL int counters(unsigned *x, unsigned *y, int n)
{
    int i;
    for (i = 0; i < n; i += 3) {
        x[i] = y[i] + i;
        x[i + 1] = y[i + 1] + i + 1;
        x[i + 2] = y[i + 2] + (i + 2);
    }
    return i;
}

// Each copy has two statements, and stands after the end of the array that it is in.
KERNEL void pointers(unsigned *x, unsigned *y, unsigned *end)
{
    for (; x != end; x += 4, y += 4) {
        x[0] = y[0] * 3, y[0] ^= 5;
        x[1] = y[1] * 3, y[1] ^= 5;
        x[2] = y[2] * 3, y[2] ^= 5;
        x[3] = y[3] * 3, y[3] ^= 5;
    }
}

KERNEL unsigned long sums(int n, unsigned long *squares)
{
    unsigned long s = 1, t = 0;
    for (int i = 0; i < n; i += 4) {
        s += bytes[i], t += bytes[i] * bytes[i];
        s += bytes[i + 1], t += bytes[i + 1] * bytes[i + 1];
        s += bytes[i + 2], t += bytes[i + 2] * bytes[i + 2];
        s += bytes[i + 3], t += bytes[i + 3] * bytes[i + 3];
    }
    *squares = t;
    return s;
}

KERNEL void down(int n)
{
    for (int i = n - 1; i >= 2; i -= 3) {
        p[i] = q[i] - 7;
        p[i - 1] = q[i - 1] - 7;
        p[i - 2] = q[i - 2] - 7;
    }
}

// What the next group has, as the first copy sees it.
KERNEL void ahead(unsigned *restrict x, const unsigned *restrict y, int n)
{
    for (int i = 0; i < n; i += 3) {
        x[i] = y[i + 3] + (i + 3);
        x[i + 1] = y[i + 4] + (i + 4);
        x[i + 2] = y[i + 5] + (i + 5);
    }
}

// Elements that both copies load.
KERNEL void windows(unsigned *restrict x, const unsigned *restrict y, int n)
{
    for (int i = 0; i < n; i += 2) {
        x[i] = y[i] + y[i + 1];
        x[i + 1] = y[i + 1] + y[i + 2];
    }
}

// Not copies: another constant, another distance, another operation, another order, a value of the
// copy before, one element for both.
KERNEL void others(int n)
{
    for (int i = 0; i < n; i += 2)
        p[i] = q[i] + 1, p[i + 1] = q[i + 1] + 2;
    for (int i = 0; i < n; i += 2)
        p[i] ^= q[i], p[i + 1] ^= q[i + 2];
    for (int i = 0; i < n; i += 2)
        p[i] += q[i] & 3, p[i + 1] += q[i + 1] | 3;
    for (int i = 0; i < n; i += 2)
        p[i + 1] += q[i + 1], p[i] += q[i];
    for (int i = 0; i < n; i += 2) {
        unsigned x = q[i] * 5;
        p[i] -= x, p[i + 1] -= q[i + 1] * 5 + x;
    }
    for (int i = 0; i < n; i += 2)
        p[i] += q[i], p[i + 1] += q[i];
    for (int i = 0; i < n; i += 2)
        p[i + 2] = p[i] + 1, p[i + 3] = p[i + 1] + 1;
    for (int i = 0; i < n; i += 2)
        p[i + 1] = p[i] + 1, p[i + 2] = p[i + 1] + 1;
}

// All loads of a group come before its stores.
KERNEL void gathered_first(unsigned *x, const unsigned *y, int n)
{
    for (int i = 0; i < n; i += 2) {
        unsigned u = y[i], v = y[i + 1];
        x[i] = u + 1;
        x[i + 1] = v + 1;
    }
}

static void fill(void)
{
    for (int i = 0; i < N; i++)
        a[i] = i * 0.5f, b[i] = 40 - i, p[i] = i * 3, q[i] = i * i, bytes[i] = i * 77;
}

static unsigned hash(void)
{
    unsigned h = 1;
    for (int i = 0; i < N; i++)
        h = h * 31 + (unsigned)(int)(a[i] * 8), h = h * 31 + p[i], h = h * 31 + q[i];
    return h;
}

int main(void)
{
    for (int n = 0; n < 60; n++) {
        unsigned long squares;
        fill();
        five(1.5f, n);
        printf("%d: %x", n, hash());
        unsigned *x = p + away;
        printf(" %d", counters(x, q, n) + counters(x + 1, p, n) + counters(x, p + 2, n));
        printf(" %x", hash());
        pointers(x, q, x + n / 4 * 4), pointers(x + 3, p, x + 3 + n / 4 * 4), pointers(x, p + 1, x + n / 4 * 4);
        printf(" %x", hash());
        unsigned long s = sums(n, &squares);
        printf(" %lu %lu", s, squares);
        down(n);
        ahead(x, q, n);
        printf(" %x", hash());
        windows(x, q, n);
        printf(" %x", hash());
        others(n);
        printf(" %x", hash());
        gathered_first(x, q, n), gathered_first(x + 1, p, n), gathered_first(x, p + 1, n);
        printf(" %x\n", hash());
    }
    return 0;
}
