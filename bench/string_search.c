/* Measures: searching text: naive, Knuth-Morris-Pratt, Boyer-Moore-Horspool, Rabin-Karp, shift-or, beside the library's strstr. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 20, MAX_PATTERN = 64 };

typedef long Search(const char *text, long n, const char *pattern, long m);

static long naive(const char *text, long n, const char *pattern, long m) {
    long found = 0;
    for (long i = 0; i + m <= n; i++) {
        long j = 0;
        while (j < m && text[i + j] == pattern[j])
            j++;
        found += j == m ? i + 1 : 0;
    }
    return found;
}

static long knuth_morris_pratt(const char *text, long n, const char *pattern, long m) {
    int border[MAX_PATTERN + 1];
    long found = 0;
    border[0] = -1;
    for (int i = 0, k = -1; i < m;) {
        while (k >= 0 && pattern[i] != pattern[k])
            k = border[k];
        border[++i] = ++k;
    }
    for (long i = 0, k = 0; i < n; i++) {
        while (k >= 0 && (k == m || text[i] != pattern[k]))
            k = border[k];
        if (++k == m)
            found += i - m + 2;
    }
    return found;
}

static long horspool(const char *text, long n, const char *pattern, long m) {
    long shift[256], found = 0;
    for (int c = 0; c < 256; c++)
        shift[c] = m;
    for (long i = 0; i < m - 1; i++)
        shift[(unsigned char)pattern[i]] = m - 1 - i;
    for (long i = 0; i + m <= n; i += shift[(unsigned char)text[i + m - 1]]) {
        long j = m - 1;
        while (j >= 0 && text[i + j] == pattern[j])
            j--;
        if (j < 0)
            found += i + 1;
    }
    return found;
}

static long rabin_karp(const char *text, long n, const char *pattern, long m) {
    const uint64_t base = 257, modulus = 1000000007;
    uint64_t wanted = 0, hash = 0, top = 1;
    long found = 0;
    for (long i = 0; i < m; i++) {
        wanted = (wanted * base + (unsigned char)pattern[i]) % modulus;
        hash = (hash * base + (unsigned char)text[i]) % modulus;
        if (i)
            top = top * base % modulus;
    }
    for (long i = 0;; i++) {
        if (hash == wanted && memcmp(text + i, pattern, (size_t)m) == 0)
            found += i + 1;
        if (i + m >= n)
            return found;
        hash = (hash + modulus - (unsigned char)text[i] * top % modulus) % modulus;
        hash = (hash * base + (unsigned char)text[i + m]) % modulus;
    }
}

static long shift_or(const char *text, long n, const char *pattern, long m) {
    uint64_t masks[256], state = ~(uint64_t)0;
    long found = 0;
    for (int c = 0; c < 256; c++)
        masks[c] = ~(uint64_t)0;
    for (long i = 0; i < m; i++)
        masks[(unsigned char)pattern[i]] &= ~((uint64_t)1 << i);
    for (long i = 0; i < n; i++) {
        state = state << 1 | masks[(unsigned char)text[i]];
        if (!(state >> (m - 1) & 1))
            found += i - m + 2;
    }
    return found;
}

static long library(const char *text, long n, const char *pattern, long m) {
    long found = 0;
    (void)n;
    (void)m;
    for (const char *at = strstr(text, pattern); at; at = strstr(at + 1, pattern))
        found += at - text + 1;
    return found;
}

int main(void) {
    static Search *const searches[] = {naive, knuth_morris_pratt, horspool, rabin_karp, shift_or, library};
    char *text = malloc(TEXT + 1), pattern[MAX_PATTERN + 1];
    if (!text)
        return 1;
    uint32_t seed = 8;
    for (int i = 0; i < TEXT; i++) {
        seed = seed * 1664525u + 1013904223u;
        text[i] = i < TEXT / 2 ? (char)('a' + (seed >> 16) % 3) : (char)('a' + (seed >> 16) % 23);
    }
    text[TEXT] = '\0';
    long sum = 0;
    for (int round = 0; round < 20; round++) {
        int m = 4 + round % 8 * 5, at = (int)(seed % (TEXT - 100));
        seed = seed * 1664525u + 1013904223u;
        memcpy(pattern, text + at, (size_t)m);
        pattern[m] = '\0';
        long expected = naive(text, TEXT, pattern, m);
        for (size_t s = 1; s < sizeof searches / sizeof *searches; s++)
            if (searches[s](text, TEXT, pattern, m) != expected) {
                printf("string_search: %d differs\n", (int)s);
                return 1;
            }
        sum = (sum * 31 + expected) % 1000000007;
    }
    printf("string_search %ld\n", sum);
    free(text);
    return 0;
}
