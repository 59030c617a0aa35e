// Variables of 32 bits that index live in registers of 64: signs, wrapping, what else reads them.
#include <stdio.h>

static unsigned char window[70000];
static unsigned short prev[32768];

__attribute__((noinline)) int longest(unsigned cur, unsigned start, unsigned limit, int best, unsigned chain)
{
    unsigned char *scan = window + start, *end = scan + 258;
    unsigned char last = scan[best], before = scan[best - 1];
    do {
        unsigned char *match = window + cur;
        unsigned char *s = scan;
        if (match[best] != last || match[best - 1] != before || *match != *scan)
            continue;
        while (*++s == *++match && s < end)
            ;
        int len = 258 - (int)(end - s);
        if (len > best) {
            best = len;
            if (len >= 200)
                break;
            last = scan[best];
            before = scan[best - 1];
        }
    } while ((cur = prev[cur & 32767]) > limit && --chain != 0);
    return best;
}

__attribute__((noinline)) long steps(const int *table, int at, unsigned seed, int rounds, int *lows)
{
    long sum = 0;
    unsigned u = seed;
    const int *middle = table + 32;
    for (int i = 0; i < rounds; i++) {
        sum += middle[at];
        if (middle[at] & 1)
            at = -(middle[at] & 31);
        else if (at < 0)
            at = (int)(u % 31);
        u = u * 1103515245u + 12345u;
        sum += table[u >> 26];
        *lows += at;
    }
    return sum + at;
}

__attribute__((noinline)) int wraps(const unsigned char *bytes, unsigned from, int count)
{
    unsigned at = from;
    unsigned sum = 0;
    for (;;) {
        sum = sum * 3 + bytes[at];
        if (--count == 0)
            return sum;
        // Beyond the last number comes the first.
        at = bytes[at] & 1 ? at + 0xfffffff0u : bytes[at];
        if (at > 1000)
            at = 7;
    }
}

__attribute__((noinline)) int truth(int a, int b, int *p)
{
    if (a == 7)
        p[0]++;
    return a == 5 || *p == b;
}

__attribute__((noinline)) int fits(const char *from, const char *to, const char *limit)
{
    unsigned long length = to - from;
    return from + length <= limit;
}

int main(void)
{
    unsigned seed = 1;
    for (int i = 0; i < 70000; i++) {
        seed = seed * 1664525u + 1013904223u;
        window[i] = i % 97 < 80 ? i % 13 : seed >> 30;
    }
    for (int i = 0; i < 32768; i++)
        prev[i] = i > 13 ? i - 13 + (i % 7 == 0) : 0;
    for (unsigned at = 1000; at < 30000; at += 1777)
        printf("%d ", longest(at - 13, at, 20, 2, 300));
    printf("\n");

    int table[64], lows = 0;
    for (int i = 0; i < 64; i++)
        table[i] = i * 37 % 101;
    printf("%ld", steps(table, -5, 77, 1000, &lows));
    printf(" %d\n", lows);

    unsigned char bytes[1024];
    for (int i = 0; i < 1024; i++)
        bytes[i] = i * 7 + (i >> 3);
    printf("%d %d\n", wraps(bytes, 3, 500), wraps(bytes, 900, 77));

    int cell = 2;
    printf("%d%d%d%d\n", truth(5, 0, &cell), truth(7, 3, &cell), truth(1, 1, &cell), truth(1, 3, &cell));
    printf("%d%d\n", fits("abc", "abc", "abc") | 1, fits((char *)bytes, (char *)bytes + 9, (char *)bytes + 8));
}
