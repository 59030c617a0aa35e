/* Measures: longest common subsequence of strings: the quadratic table with a walk back, and the bit-parallel form with carries
   (Hyyro 2004) on 64-bit words. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 3000, LONG = 64 * 600 };

static char first[LONG + 1], second[LONG + 1], common[LENGTH + 1];
static uint16_t table[LENGTH + 1][LENGTH + 1];

static int max_int(int a, int b) {
    return a > b ? a : b;
}

static int by_table(const char *a, int n, const char *b, int m) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            table[i][j] = a[i - 1] == b[j - 1] ? (uint16_t)(table[i - 1][j - 1] + 1) : (uint16_t)max_int(table[i - 1][j], table[i][j - 1]);
    int at = table[n][m];
    common[at] = '\0';
    for (int i = n, j = m; i > 0 && j > 0;) {
        if (a[i - 1] == b[j - 1]) {
            common[--at] = a[i - 1];
            i--, j--;
        } else if (table[i - 1][j] >= table[i][j - 1]) {
            i--;
        } else {
            j--;
        }
    }
    return table[n][m];
}

static int count_bits(uint64_t x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

static int by_bits(const char *a, int n, const char *b, int m) {
    static uint64_t occurs[256][LONG / 64], row[LONG / 64];
    int words = (n + 63) / 64;
    memset(occurs, 0, sizeof occurs);
    for (int i = 0; i < n; i++)
        occurs[(unsigned char)a[i]][i / 64] |= (uint64_t)1 << i % 64;
    for (int w = 0; w < words; w++)
        row[w] = ~(uint64_t)0;
    for (int j = 0; j < m; j++) {
        const uint64_t *match = occurs[(unsigned char)b[j]];
        uint64_t carry = 0;
        for (int w = 0; w < words; w++) {
            uint64_t v = row[w], u = v & match[w];
            uint64_t sum = v + u;
            uint64_t out = sum < v;
            sum += carry;
            out |= sum < carry;
            carry = out;
            row[w] = sum | (v & ~match[w]);
        }
    }
    int zeros = 0;
    for (int w = 0; w < words; w++)
        zeros += count_bits(~row[w]);
    return zeros;
}

static void fill(char *s, int n, uint32_t seed, unsigned letters) {
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        s[i] = (char)('a' + (seed >> 16) % letters);
    }
    s[n] = '\0';
}

int main(void) {
    uint32_t hash = 0;
    for (int round = 0; round < 20; round++) {
        fill(first, LENGTH, 1 + (uint32_t)round, 4 + (unsigned)round);
        fill(second, LENGTH, 100 + (uint32_t)round, 4 + (unsigned)round);
        int length = by_table(first, LENGTH, second, LENGTH);
        if (length != by_bits(first, LENGTH, second, LENGTH))
            return 1;
        for (const char *s = common; *s; s++)
            hash = hash * 31 + (unsigned char)*s;
    }
    fill(first, LONG, 7, 20);
    fill(second, LONG, 8, 20);
    printf("lcs %08x %d\n", (unsigned)hash, by_bits(first, LONG, second, LONG));
    return 0;
}
