/* Functions that leave early and keep what they were given in the frame otherwise. */
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static unsigned long calls;
NOINLINE unsigned long use(unsigned long x) { return ++calls + x; }
NOINLINE double half(double x) { return ++calls + x / 2; }

/* More values than callee-saved registers, all of them needed after calls. */
NOINLINE unsigned long many(unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e, unsigned long f, unsigned long g) {
    if (a < 2)
        return b;
    unsigned long s = 0;
    for (unsigned long i = 0; i < a; i++) {
        s += use(b) * c;
        s ^= use(d) + e;
        s += use(f) - g;
        b += s & 3, c ^= i, d += c, e -= d, f += e, g ^= f;
    }
    return s + a + b + c + d + e + f + g;
}

/* The early way uses the registers that wait to be stored. */
NOINLINE unsigned long reused(unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e, unsigned long f, unsigned long *p) {
    if (p == 0) {
        a = b * 3, b = c * 5, c = d * 7;
        return a + b + c + d + e + f;
    }
    unsigned long s = use(a);
    for (int i = 0; i < 4; i++)
        p[i] += s += use(a + i) * b - c + use(d) * e - f + i;
    return s + a * b * c * d * e * f;
}

/* What is stored is changed before the branch. */
NOINLINE unsigned long changed(unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e, unsigned long f, unsigned long n) {
    a += b;
    if (n == 0)
        return a;
    b -= c;
    if (n == 1)
        return b;
    unsigned long s = 0;
    while (n-- > 0)
        s += use(a) * b - use(c) * d + use(e) * f, a ^= s, b += a, d ^= b, f += d;
    return s + a + b + c + d + e + f;
}

/* Numbers in SSE registers are kept in the frame over calls, always. */
NOINLINE double numbers(double x, double y, double z, int n) {
    if (n <= 0)
        return x;
    double s = 0;
    for (int i = 0; i < n; i++)
        s += half(x) * y + half(z);
    return s + x + y + z;
}

NOINLINE unsigned long fib(unsigned long n) { return n < 2 ? 1 : fib(n - 2) + fib(n - 1); }

int main(void) {
    unsigned long list[4] = {1, 2, 3, 4}, s = 0;
    for (unsigned long a = 0; a < 5; a++) {
        s = s * 31 + many(a, 2, 3, 4, 5, 6, 7) % 1000003;
        s = s * 31 + reused(a, 2, 3, 4, 5, 6, a % 2 ? list : 0) % 1000003;
        s = s * 31 + changed(a, 7, 3, 4, 5, 6, a) % 1000003;
        s = s * 31 + (unsigned long)numbers((double)a, 2, 3, (int)a - 1);
        s %= 1000000007;
    }
    printf("%lu %lu %lu %lu\n", s, calls, list[3] % 1000003, fib(20));
    return 0;
}
