// Equality of a known number of bytes, all lengths up to 20, with the difference at each place; lengths known from a comparison.
#include <stdio.h>
#include <string.h>

#define APART __attribute__((noipa))
#define SAME(n) \
    APART static int same##n(const char *a, const char *b) { return memcmp(a, b, n) == 0; } \
    APART static int order##n(const char *a, const char *b) { int r = memcmp(a, b, n); return r < 0 ? -1 : r > 0; }
SAME(1) SAME(2) SAME(3) SAME(4) SAME(5) SAME(6) SAME(7) SAME(8) SAME(9) SAME(10) SAME(11) SAME(12) SAME(13) SAME(14) SAME(15) SAME(16) SAME(17)

typedef int (*Test)(const char *, const char *);
#define BOTH(n) {same##n, order##n}
static const Test tests[][2] = {BOTH(1), BOTH(2), BOTH(3), BOTH(4), BOTH(5), BOTH(6), BOTH(7), BOTH(8), BOTH(9), BOTH(10),
                                BOTH(11), BOTH(12), BOTH(13), BOTH(14), BOTH(15), BOTH(16), BOTH(17)};

static const char *words[] = {"if", "else", "for", "while", "return", "default", "continue", "unsigned", "a"};

APART static int word(const char *s, const char *end) {
    int n = end - s;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if ((int)strlen(words[i]) == n && !memcmp(words[i], s, n)) return i;
    return -1;
}

APART static int known(const char *s, unsigned char n, signed char m) {
    int r = 0;
    if (n == 200) r += memcmp(s, "abcdef", n - 194) == 0;
    if (m == -3) r += 2 * (memcmp(s, "abc", -(long)m) == 0) + 4 * (m + 10L);
    return r;
}

int main(void) {
    for (int n = 1; n <= 17; n++) {
        int hits = 0, orders = 0;
        for (int at = 0; at < 20; at++) {
            char a[20], b[20];
            memset(a, 'x', 20);
            memset(b, 'x', 20);
            b[at] ^= 0x80 >> at % 8;
            hits = hits * 2 + tests[n - 1][0](a, b);
            orders = orders * 3 + tests[n - 1][1](a, b);
        }
        printf("%d %x %x\n", n, hits, orders);
    }
    static const char *const texts[] = {"if", "of", "else", "elsa", "for", "while", "whilf", "vhile", "return", "returm",
                                        "default", "defauld", "continue", "unsigned", "unsignet", "a", "b", ""};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) printf("%d ", word(texts[i], texts[i] + strlen(texts[i])));
    printf("\n%d %d %d %d\n", known("abcdef", 200, -3), known("abcdeg", 200, -3), known("abcdef", 199, -4), known("abd", 3, -3));
    return 0;
}
