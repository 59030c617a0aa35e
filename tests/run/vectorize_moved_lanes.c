// flags: -O3
/* Loops whose vectors have lanes that change places: reversed, every second one, two in turn, one by one, converted. */
#include <stdio.h>

enum { MOST = 27, ALL = 2 * MOST + 8 };
static unsigned long long hash;

#define MIX(array, count)            \
    for (int x = 0; x < (count); x++) \
        hash = hash * 31 + (long long)((array)[x] * 4)

#define LOOPS(T, name)                                                  \
    static T name##_a[ALL], name##_b[ALL], name##_c[ALL], name##_d[ALL]; \
    static T name##_m[MOST][MOST + 1];                                 \
    static __attribute__((noinline)) void name(int n)                   \
    {                                                                   \
        T *a = name##_a, *b = name##_b, *c = name##_c, *d = name##_d;   \
        for (int i = 0; i < n; i++)                                     \
            name##_a[i] += name##_b[n - i];                             \
        for (int i = n - 1; i >= 0; i--)                                \
            name##_c[n - 1 - i] = name##_b[i] * 3;                      \
        for (int i = 0; i < n; i++)                                     \
            name##_d[i] = name##_c[2 * i] - name##_c[2 * i + 1];        \
        for (int i = 0; i < n; i++) {                                   \
            name##_b[2 * i] = name##_a[i] + name##_d[i];                \
            name##_b[2 * i + 1] = name##_a[i] - name##_d[i];            \
        }                                                               \
        for (int i = 0; i < n; i++)                                     \
            name##_c[2 * i + 3] = name##_a[i] + 5;                      \
        for (int i = 0; i < n; i++)                                     \
            name##_m[i][i] = name##_m[i][3] + name##_d[i];              \
        for (int i = 1; i < n; i++)                                     \
            name##_m[i][2] = name##_m[i - 1][2] + name##_m[i][4];       \
        /* In place, one or two elements on. */                         \
        for (int i = 0; i < n; i++)                                     \
            a[i + 1] = a[i + 2] + b[2 * i];                             \
        for (int i = 0; i < n; i++)                                     \
            b[i + 1] = b[i] + c[n - i];                                 \
        for (int i = 0; i < n; i++)                                     \
            d[2 * i + 2] = d[2 * i] + 1;                                \
        MIX(a, ALL); MIX(b, ALL); MIX(c, ALL); MIX(d, ALL);               \
        for (int i = 0; i < n; i++) {                                   \
            MIX(name##_m[i], 4);                                        \
            hash = hash * 31 + (long long)name##_m[i][i];               \
        }                                                               \
    }                                                                   \
    static void name##_fill(void)                                       \
    {                                                                   \
        unsigned x = 5;                                                 \
        for (int i = 0; i < ALL; i++) {                                 \
            x = x * 1103515245u + 12345u;                               \
            name##_a[i] = x >> 9 & 31, name##_b[i] = x >> 14 & 63;      \
            name##_c[i] = x >> 20 & 15, name##_d[i] = i;                \
            for (int j = 0; j < MOST && i < 5; j++)                     \
                name##_m[j][i] = (x >> 7 & 31) + j;                     \
        }                                                               \
    }

LOOPS(float, floats)
LOOPS(double, doubles)
LOOPS(unsigned, words)
LOOPS(unsigned long long, longs)
LOOPS(unsigned short, shorts)

static float real[ALL];
static int whole[ALL];

/* Numbers that become others of the same width, and what counters and conditions end with. */
static __attribute__((noinline)) int others(int n, int k)
{
    int last = 0;
    for (int i = 0; i < n; i++)
        real[i] = real[i] * 2 + (float)(i + k);
    for (int i = 0; i < n; i++)
        whole[i] = (int)real[i] + whole[i + 1];
    for (int i = 0; i < n; i++) {
        k += 3;
        whole[i] += k;
        last = 7 * i + k;
    }
    for (int i = 0; i < n; i++)
        if (real[i] > 0 && real[i + 1] >= 0)
            real[i] -= 40;
    MIX(real, ALL);
    MIX(whole, ALL);
    return last - k;
}

/* A few iterations that their counters decide. */
static __attribute__((noinline)) long few(long (*m)[6])
{
    long sum = 0;
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            m[i][j] = i + 2 * j;
            if (i == j)
                m[i][j] *= 5;
            sum += m[i][j];
        }
    return sum;
}

int main(void)
{
    for (int n = 0; n <= MOST; n++) {
        hash = 1;
        floats_fill(), doubles_fill(), words_fill(), longs_fill(), shorts_fill();
        floats(n), doubles(n), words(n), longs(n), shorts(n);
        for (int i = 0; i < ALL; i++)
            real[i] = i % 5 - 2, whole[i] = 3 * i;
        int last = others(n, n % 3);
        printf("%d %d %llx\n", n, last, hash);
    }
    static long m[6][6];
    printf("%ld", few(m));
    for (int i = 0; i < 6; i++)
        printf(" %ld", m[i][i]);
    printf("\n");
    return 0;
}
