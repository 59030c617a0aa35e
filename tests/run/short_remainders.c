// Vector loops of known length, and the few iterations after them.
#include <stdio.h>

static float a[300], b[300];
static int c[300];
static unsigned char d[300];

#define KERNELS(N)                                                    \
    static __attribute__((noinline)) void floats_##N(float by)        \
    {                                                                 \
        for (int i = 1; i < N; i++)                                   \
            a[i] = a[i + 20] + b[i] * by;                             \
    }                                                                 \
    static __attribute__((noinline)) int sums_##N(void)               \
    {                                                                 \
        int sum = 0;                                                  \
        for (int i = N; i > 2; i--)                                   \
            sum += c[i] * 3;                                          \
        return sum;                                                   \
    }                                                                 \
    static __attribute__((noinline)) int bytes_##N(void)              \
    {                                                                 \
        int i;                                                        \
        for (i = 0; i < N; i++)                                       \
            d[i] += i;                                                \
        return i;                                                     \
    }                                                                 \
    static void run_##N(void)                                         \
    {                                                                 \
        fill();                                                       \
        floats_##N(2);                                                \
        unsigned all = sums_##N() + bytes_##N();                      \
        for (int i = 0; i < 300; i++)                                 \
            all = all * 31 + (int)a[i] + d[i];                        \
        printf("%d: %u\n", N, all);                                   \
    }

static void fill(void)
{
    for (int i = 0; i < 300; i++)
        a[i] = i, b[i] = i * 2, c[i] = i * i, d[i] = i * 7;
}

KERNELS(33)
KERNELS(34)
KERNELS(37)
KERNELS(40)
KERNELS(75)
KERNELS(127)
KERNELS(191)
KERNELS(256)

int main(void)
{
    run_33(), run_34(), run_37(), run_40(), run_75(), run_127(), run_191(), run_256();
}
