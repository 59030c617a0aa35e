/* Loops over every second element, backwards, with overlaps at all distances, and of all small numbers of rounds. */
#include <stdio.h>
#include <string.h>

#define N 128
static unsigned p[N], q[N];
static float f[N], g[N];
static double d[N], e[N];
static unsigned hash;

static void mix(const void *from, size_t size)
{
    const unsigned char *bytes = from;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 16777619u;
}

static void fill(void)
{
    for (int i = 0; i < N; i++) {
        p[i] = i * 7 % 31;
        q[i] = i * i % 43 - 9;
        f[i] = i * 0.5f;
        g[i] = 3 - i % 11;
        d[i] = i % 13;
        e[i] = 1 - i % 7;
    }
}

static void show(const char *what)
{
    hash = 2166136261u;
    mix(p, sizeof p);
    mix(q, sizeof q);
    mix(f, sizeof f);
    mix(g, sizeof g);
    mix(d, sizeof d);
    mix(e, sizeof e);
    printf("%s %08x\n", what, hash);
}

#define LOOP(name, body)                                                                   \
    __attribute__((noinline)) static void name##_known(void) { for (int i = 0; i < 16; i++) body } \
    __attribute__((noinline)) static void name##_some(int n) { for (int i = 0; i < n; i++) body }  \
    static void name(void)                                                                 \
    {                                                                                      \
        fill();                                                                            \
        name##_known();                                                                    \
        show(#name);                                                                       \
        for (int n = -1; n <= 20; n++) {                                                   \
            name##_some(n);                                                                \
            name##_some(n + 1);                                                            \
        }                                                                                  \
        show(#name " n");                                                                  \
    }

LOOP(gather, { f[i] = g[2 * i] * g[2 * i + 1] + g[2 * i]; })
LOOP(gather_doubles, { d[i] = e[2 * i] * e[2 * i] - e[2 * i + 1]; })
LOOP(scatter, { f[2 * i] = g[i] * g[i] + g[i] * 0.25f; })
LOOP(scatter_doubles, { d[2 * i + 1] = e[i] * e[i] + e[i] * 0.25 - e[i + 1]; })
LOOP(scatter_ints, { p[2 * i] = (q[i] ^ 5) + (q[i] >> 1) - (q[i] & 12) + (q[i] << 2); })
LOOP(both_halves, { p[2 * i] = q[2 * i] + q[2 * i + 1]; p[2 * i + 1] = q[2 * i] - q[2 * i + 1]; })
LOOP(in_place, { p[2 * i] = (p[2 * i] ^ 3) + (p[2 * i] >> 1) + (p[2 * i + 1] & 7); })
LOOP(ahead_1, { p[2 * i] = p[2 * i + 1] * 3 + (p[2 * i + 1] >> 2); })
LOOP(ahead_2, { p[2 * i] = p[2 * i + 2] * 3 + (p[2 * i + 2] >> 2); })
LOOP(behind_2, { p[2 * i + 2] = p[2 * i] * 3 + (p[2 * i] >> 2); })
LOOP(behind_4, { p[2 * i + 4] = p[2 * i] * 3 + (p[2 * i] >> 2); })
LOOP(behind_6, { p[2 * i + 6] = p[2 * i] * 3 + (p[2 * i] >> 2); })
LOOP(behind_8, { p[2 * i + 8] = p[2 * i] * 3 + (p[2 * i] >> 2); })
LOOP(behind_16, { p[2 * i + 16] = p[2 * i] * 3 + (p[2 * i] >> 2); })
LOOP(crossing, { p[2 * i] = p[i + 3] * 3 + (p[i + 3] >> 2) - (p[i + 3] & 6); })
LOOP(crossing_back, { p[i] = p[2 * i + 3] * 3 + (p[2 * i + 3] >> 2) - (p[2 * i + 3] & 6); })
LOOP(halves_swapped, { p[2 * i + 1] = q[i] * 3 - (q[i] >> 2); p[2 * i] = q[i] + 1; })
LOOP(halves_apart, { f[2 * i] = g[i] + 1; p[i] = q[i] ^ 5; f[2 * i + 1] = g[i] * 2; })
LOOP(halves_read, { p[2 * i] = q[i] + 1; p[2 * i + 1] = p[2 * i] * 3 + p[i]; })
LOOP(halves_of_doubles, { d[2 * i] = e[i] * 2; d[2 * i + 1] = e[i] - 1; })
LOOP(halves_and_more, { d[2 * i] = e[i] * 2; d[2 * i + 1] = e[i] - 1; d[2 * i + 2] = e[i + 1] + 3; })
LOOP(halves_of_a_copy, { p[2 * i + 1] = p[2 * i + 9]; p[2 * i + 2] = p[2 * i + 10]; })
LOOP(halves_and_a_write, { p[2 * i] = q[i] + 1; p[i + 3] = q[i] * 5; p[2 * i + 1] = q[i] - 1; })
LOOP(backwards, { q[40 - i] = p[40 - i] * 2 + p[2 * i]; })
LOOP(recurrence_3, { f[i + 3] = f[i] + g[i + 3]; })
LOOP(recurrence_4, { f[i + 4] = f[i] + g[i + 4]; })
LOOP(recurrence_5, { f[i + 5] = f[i] + g[i + 5]; })
LOOP(recurrence_8, { f[i + 8] = f[i] + g[i + 8]; })
LOOP(recurrence_doubles, { d[i + 2] = d[i] + e[i + 2]; })
LOOP(two_recurrences, { f[i + 4] = f[i] + g[i + 4]; g[i + 8] = g[i + 4] - f[i]; })
LOOP(arms, { if (p[i] > 9) q[i] += p[i]; else p[i] = q[i] - 1; })
LOOP(three_arms, { if (p[i] > 20) q[i] += 3; else if (p[i] > 9) q[i + 1] += p[i]; else p[i] = q[i] - 1; })

int main(void)
{
    gather(); gather_doubles(); scatter(); scatter_doubles(); scatter_ints(); both_halves(); in_place(); ahead_1(); ahead_2();
    behind_2(); behind_4(); behind_6(); behind_8(); behind_16(); crossing(); crossing_back(); halves_swapped(); halves_apart(); halves_read();
    halves_of_doubles(); halves_and_more(); halves_of_a_copy(); halves_and_a_write(); backwards(); recurrence_3();
    recurrence_4(); recurrence_5(); recurrence_8(); recurrence_doubles(); two_recurrences(); arms(); three_arms();
    return 0;
}
