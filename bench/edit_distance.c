/* Measures: Levenshtein distance over two rows with a minimum of three, a weighted form with transpositions, and banded distances
   to a list of words (a spelling checker). */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LENGTH = 2500, WORDS = 12000, WORD = 16 };

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int distance(const char *a, int n, const char *b, int m) {
    static int row[LENGTH + 1];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int above = row[j];
            row[j] = min_int(min_int(above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[m];
}

typedef struct {
    int insert, erase, substitute, transpose;
} Costs;

static int weighted(const char *a, int n, const char *b, int m, const Costs *costs) {
    static int rows[3][LENGTH + 1];
    int *before = rows[0], *previous = rows[1], *current = rows[2];
    for (int j = 0; j <= m; j++)
        previous[j] = j * costs->insert;
    for (int i = 1; i <= n; i++) {
        current[0] = i * costs->erase;
        for (int j = 1; j <= m; j++) {
            int best = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : costs->substitute);
            best = min_int(best, previous[j] + costs->erase);
            best = min_int(best, current[j - 1] + costs->insert);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = min_int(best, before[j - 2] + costs->transpose);
            current[j] = best;
        }
        int *t = before;
        before = previous;
        previous = current;
        current = t;
    }
    return previous[m];
}

/* Gives up, with limit + 1, as soon as a whole row is beyond the limit. */
static int bounded(const char *a, int n, const char *b, int m, int limit) {
    uint8_t row[WORD + 1];
    if (n - m > limit || m - n > limit)
        return limit + 1;
    for (int j = 0; j <= m; j++)
        row[j] = (uint8_t)j;
    for (int i = 1; i <= n; i++) {
        uint8_t diagonal = row[0];
        int least = row[0] = (uint8_t)i;
        for (int j = 1; j <= m; j++) {
            uint8_t above = row[j];
            int d = min_int(min_int(above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
            row[j] = (uint8_t)d;
            least = min_int(least, d);
            diagonal = above;
        }
        if (least > limit)
            return limit + 1;
    }
    return row[m];
}

static uint32_t seed = 9;

static void fill(char *s, int n, unsigned letters) {
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        s[i] = (char)('a' + (seed >> 16) % letters);
    }
    s[n] = '\0';
}

int main(void) {
    static char a[LENGTH + 1], b[LENGTH + 1], words[WORDS][WORD + 1];
    const Costs costs = {2, 3, 4, 1};
    uint32_t hash = 0;
    for (int round = 0; round < 10; round++) {
        fill(a, LENGTH, 4 + 2 * (unsigned)round);
        fill(b, LENGTH - round, 4 + 2 * (unsigned)round);
        hash = hash * 31 + (uint32_t)distance(a, LENGTH, b, LENGTH - round);
        hash = hash * 31 + (uint32_t)weighted(a, LENGTH, b, LENGTH - round, &costs);
    }
    for (int i = 0; i < WORDS; i++)
        fill(words[i], 4 + i % 10, 6);
    for (int i = 0; i < 160; i++) {
        int best = WORD, found = 0;
        for (int w = 0; w < WORDS; w++) {
            if (w == i)
                continue;
            int d = bounded(words[i], (int)strlen(words[i]), words[w], (int)strlen(words[w]), best);
            if (d < best) {
                best = d;
                found = w;
            }
        }
        hash = hash * 31 + (uint32_t)found * 16 + (uint32_t)best;
    }
    printf("edit_distance %08x\n", (unsigned)hash);
    return 0;
}
