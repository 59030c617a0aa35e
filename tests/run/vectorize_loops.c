// interpreter flags: -fwrapv
// flags: -O3
// Loops that are vectorised: every type, many numbers of rounds, sums, choices, conversions, counters that go up and down.
#include <stdio.h>
#include <string.h>

typedef signed char s8;
typedef unsigned char u8;
typedef short s16;
typedef unsigned short u16;
typedef unsigned u32;
typedef long s64;
typedef unsigned long u64;

enum { N = 80 };

static u64 hash(u64 h, const void *p, int size)
{
    const u8 *b = p;
    for (int i = 0; i < size; i++)
        h = (h ^ b[i]) * 0x100000001b3;
    return h;
}

static u32 seed = 1;

static u32 next(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

#define KERNELS(T)                                                                                                     \
    __attribute__((noinline)) static void arith_##T(T *restrict d, const T *restrict a, const T *restrict b, int n)   \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            d[i] = (a[i] + b[i]) * 3 - (b[i] ^ (T)i);                                                                  \
    }                                                                                                                  \
    __attribute__((noinline)) static T sum_##T(const T *a, int n)                                                     \
    {                                                                                                                  \
        T s = 5;                                                                                                       \
        for (int i = 0; i < n; i++)                                                                                    \
            s += a[i];                                                                                                 \
        return s;                                                                                                      \
    }                                                                                                                  \
    __attribute__((noinline)) static s64 wide_sum_##T(const T *a, unsigned n)                                         \
    {                                                                                                                  \
        s64 s = 0;                                                                                                     \
        for (unsigned i = 0; i < n; i++)                                                                               \
            s += a[i];                                                                                                 \
        return s;                                                                                                      \
    }                                                                                                                  \
    __attribute__((noinline)) static T greatest_##T(const T *a, int n)                                                \
    {                                                                                                                  \
        T m = a[0];                                                                                                    \
        for (int i = 1; i < n; i++)                                                                                    \
            if (a[i] > m)                                                                                              \
                m = a[i];                                                                                              \
        return m;                                                                                                      \
    }                                                                                                                  \
    __attribute__((noinline)) static void choose_##T(T *d, const T *a, const T *b, int n, T limit)                     \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            d[i] = a[i] < limit ? b[i] : a[i] == b[i] ? (T)7 : (T)(a[i] - limit);                                      \
    }                                                                                                                  \
    __attribute__((noinline)) static int count_##T(const T *a, int n, T limit)                                        \
    {                                                                                                                  \
        int c = 0;                                                                                                     \
        for (int i = 0; i < n; i++)                                                                                    \
            if (a[i] >= limit)                                                                                         \
                c++;                                                                                                   \
        return c;                                                                                                      \
    }                                                                                                                  \
    __attribute__((noinline)) static void backwards_##T(T *d, const T *a, int n)                                      \
    {                                                                                                                  \
        for (int i = n - 1; i >= 0; i--)                                                                               \
            d[i] = a[i] + 1;                                                                                           \
    }                                                                                                                  \
    __attribute__((noinline)) static T *moving_##T(T *d, T *end, T v)                                                 \
    {                                                                                                                  \
        for (; d < end; d++)                                                                                           \
            *d += v;                                                                                                   \
        return d;                                                                                                      \
    }                                                                                                                  \
    static u64 run_##T(u64 h)                                                                                          \
    {                                                                                                                  \
        static T a[N + 8], b[N + 8], d[N + 8];                                                                         \
        for (int n = 0; n <= N; n += n < 40 ? 1 : 9) {                                                                 \
            for (int i = 0; i < N + 8; i++) {                                                                          \
                a[i] = (T)next();                                                                                      \
                b[i] = i % 5 ? (T)next() : a[i];                                                                       \
                d[i] = 0;                                                                                              \
            }                                                                                                          \
            int at = n % 7;                                                                                            \
            arith_##T(d + at, a + 1, b, n);                                                                            \
            h = hash(h, d, sizeof d);                                                                                  \
            T s = sum_##T(a + at, n);                                                                                  \
            h = hash(h, &s, sizeof s);                                                                                 \
            s64 w = wide_sum_##T(a + at, n);                                                                           \
            h = hash(h, &w, sizeof w);                                                                                 \
            T m = greatest_##T(a + at, n);                                                                             \
            h = hash(h, &m, sizeof m);                                                                                 \
            choose_##T(d, a + at, b + at, n, (T)100);                                                                  \
            h = hash(h, d, sizeof d);                                                                                  \
            int c = count_##T(a + at, n, (T)60);                                                                       \
            h = hash(h, &c, sizeof c);                                                                                 \
            backwards_##T(d + at, a, n);                                                                               \
            T *end = moving_##T(d + 1, d + 1 + n, (T)3);                                                               \
            h = hash(h, d, sizeof d) + (u64)(end - d);                                                                 \
        }                                                                                                              \
        return h;                                                                                                      \
    }

KERNELS(s8)
KERNELS(u8)
KERNELS(s16)
KERNELS(u16)
KERNELS(int)
KERNELS(u32)
KERNELS(s64)
KERNELS(u64)

// Floats: no sums, whose order matters.
#define FLOAT_KERNELS(T, FABS, SQRT)                                                                                   \
    __attribute__((noinline)) static void arith_##T(T *d, const T *a, const T *b, int n)                              \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            d[i] = FABS(a[i] - b[i]) / (T)1.5 + -a[i] * (a[i] > b[i] ? a[i] : b[i]);                                   \
    }                                                                                                                  \
    __attribute__((noinline)) static void from_##T(T *d, const int *a, const u8 *b, const s16 *c, int n)              \
    {                                                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            d[i] = (T)a[i] + (T)b[i] * (T)c[i];                                                                        \
    }                                                                                                                  \
    __attribute__((noinline)) static void to_##T(int *d, u8 *e, s16 *f, const T *a, int n)                            \
    {                                                                                                                  \
        for (int i = 0; i < n; i++) {                                                                                  \
            d[i] = (int)a[i];                                                                                          \
            e[i] = (u8)(int)(a[i] * (T)0.01);                                                                          \
            f[i] = (s16)(int)a[i];                                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
    static u64 run_##T(u64 h)                                                                                          \
    {                                                                                                                  \
        static T a[N], b[N], d[N];                                                                                     \
        static int i32s[N];                                                                                            \
        static u8 bytes[N];                                                                                            \
        static s16 words[N];                                                                                           \
        for (int n = 0; n <= N; n += n < 40 ? 1 : 8) {                                                                 \
            for (int i = 0; i < N; i++) {                                                                              \
                a[i] = (T)((int)next() % 20000) * (T)0.25;                                                             \
                b[i] = (T)((int)next() % 3000) - 1500;                                                                 \
                i32s[i] = (int)next() - (1 << 23);                                                                     \
                bytes[i] = (u8)next();                                                                                 \
                words[i] = (s16)next();                                                                                \
            }                                                                                                          \
            arith_##T(d, a, b, n);                                                                                     \
            h = hash(h, d, sizeof d);                                                                                  \
            from_##T(d, i32s, bytes, words, n);                                                                        \
            h = hash(h, d, sizeof d);                                                                                  \
            to_##T(i32s, bytes, words, b, n);                                                                          \
            h = hash(hash(hash(h, i32s, sizeof i32s), bytes, sizeof bytes), words, sizeof words);                      \
        }                                                                                                              \
        return h;                                                                                                      \
    }

FLOAT_KERNELS(float, __builtin_fabsf, )
FLOAT_KERNELS(double, __builtin_fabs, )

__attribute__((noinline)) static void between(float *f, double *d, int n)
{
    for (int i = 0; i < n; i++)
        f[i] = (float)(d[i] * 0.5) + f[i];
    for (int i = 0; i < n; i++)
        d[i] = f[i];
}

// Bytes: narrow arithmetic although C computes with int.
__attribute__((noinline)) static void blend(u8 *d, const u8 *a, const u8 *b, int n)
{
    for (int i = 0; i < n; i++) {
        int v = (a[i] * 3 + b[i] + 2) >> 2;
        d[i] = v > 200 ? 200 : v < 16 ? 16 : v;
    }
}

__attribute__((noinline)) static void saturate(u8 *d, const u8 *a, const s16 *b, int n)
{
    for (int i = 0; i < n; i++) {
        int v = a[i] + b[i];
        d[i] = v < 0 ? 0 : v > 255 ? 255 : v;
    }
}

__attribute__((noinline)) static int dot(const s16 *a, const s16 *b, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

__attribute__((noinline)) static void shifts(u32 *a, u16 *b, s8 *c, int n, int by)
{
    for (int i = 0; i < n; i++) {
        a[i] = (a[i] << by) ^ (a[i] >> 3) ^ (a[i] << 7 | a[i] >> 25);
        b[i] = b[i] << 3 | b[i] >> by;
        c[i] = c[i] >> 2;
    }
}

__attribute__((noinline)) static void quotients(int *a, u32 *b, u8 *c, u16 *d, int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = a[i] / 7 + a[i] % 10;
        b[i] = b[i] / 255;
        c[i] = c[i] / 3;
        d[i] = d[i] / 1000;
    }
}

__attribute__((noinline)) static u32 nested(const int *a, const int *b, int n)
{
    u32 s = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] > 0) {
            if (b[i] > a[i])
                s += (u32)b[i];
            else
                s += 3;
        } else if (b[i] & 1) {
            s += 0;
            s -= (u32)a[i];
        }
    }
    return s;
}

__attribute__((noinline)) static int last(const int *a, int *d, int n)
{
    int v = -1, i;
    for (i = 0; i < n; i++) {
        v = a[i] * 2 + 1;
        d[i] = v;
    }
    return v * 100 + i;
}

__attribute__((noinline)) static void row(int *restrict d, const int *restrict a, const int *factor, int n)
{
    for (int i = 0; i < n; i++)
        d[i] += a[i] * *factor;
}

int main(void)
{
    u64 h = 14695981039346656037u;
#define SHOW(T) printf(#T " %016lx\n", h = run_##T(h))
    SHOW(s8);
    SHOW(u8);
    SHOW(s16);
    SHOW(u16);
    SHOW(int);
    SHOW(u32);
    SHOW(s64);
    SHOW(u64);
    SHOW(float);
    SHOW(double);
    static float f[N];
    static double d[N];
    static u8 p[N], q[N], r[N];
    static s16 v[N], w[N];
    static u16 x[N];
    static int a[N], b[N], c[N];
    static u32 e[N];
    static s8 g[N];
    for (int n = 0; n <= N; n++) {
        for (int i = 0; i < N; i++) {
            f[i] = (float)(next() % 1000), d[i] = (double)next() / 3;
            p[i] = (u8)next(), q[i] = (u8)next(), r[i] = 0, g[i] = (s8)next();
            v[i] = (s16)next(), w[i] = (s16)next(), x[i] = (u16)next();
            a[i] = (int)(next() << 8) >> (i & 15), b[i] = (int)next() - (1 << 23), c[i] = 0, e[i] = next() << 8;
        }
        between(f, d, n);
        h = hash(hash(h, f, sizeof f), d, sizeof d);
        blend(r, p, q, n);
        h = hash(h, r, sizeof r);
        saturate(r, p, v, n);
        h = hash(h, r, sizeof r);
        h += (u32)dot(v, w, n);
        h = h * 31 + nested(a, b, n);
        h = h * 31 + (u32)last(b, c, n);
        row(c, a, &b[3], n);
        h = hash(h, c, sizeof c);
        shifts(e, x, g, n, n % 15);
        h = hash(hash(hash(h, e, sizeof e), x, sizeof x), g, sizeof g);
        quotients(a, e, p, x, n);
        h = hash(hash(hash(hash(h, a, sizeof a), e, sizeof e), p, sizeof p), x, sizeof x);
        if (n % 16 == 0)
            printf("%d %016lx\n", n, h);
    }
    return 0;
}
