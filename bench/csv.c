/* Measures: reading CSV with quotes by a state machine over characters, converting fields, grouping by key, and writing a report. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 20000, MAX_FIELDS = 16, GROUPS = 64, FIELD = 64 };

typedef struct {
    char text[MAX_FIELDS][FIELD];
    int count;
} Row;

typedef struct {
    char key[FIELD];
    long rows, quantity;
    double amount, largest;
} Group;

/* Reads one record from `p`; gives the place behind it, NULL at the end. */
static const char *read_row(const char *p, Row *row) {
    enum { START, PLAIN, QUOTED, QUOTE } state = START;
    char *out = row->text[0];
    row->count = 0;
    if (!*p)
        return NULL;
    for (;; p++) {
        char c = *p;
        switch (state) {
        case START:
            if (c == '"') {
                state = QUOTED;
                continue;
            }
            state = PLAIN;
            break;
        case QUOTED:
            if (c == '"')
                state = QUOTE;
            else
                *out++ = c;
            continue;
        case QUOTE:
            if (c == '"') {
                *out++ = '"';
                state = QUOTED;
                continue;
            }
            state = PLAIN;
            break;
        case PLAIN:
            break;
        }
        if (c == ',' || c == '\n' || c == '\0') {
            *out = '\0';
            row->count++;
            if (c != ',')
                return c ? p + 1 : p;
            out = row->text[row->count];
            state = START;
        } else {
            *out++ = c;
        }
    }
}

static long parse_long(const char *s) {
    long value = 0;
    int negative = *s == '-';
    for (s += negative; *s >= '0' && *s <= '9'; s++)
        value = value * 10 + (*s - '0');
    return negative ? -value : value;
}

static Group *find_group(Group *groups, int *count, const char *key) {
    for (int i = 0; i < *count; i++)
        if (strcmp(groups[i].key, key) == 0)
            return &groups[i];
    Group *g = &groups[(*count)++];
    memset(g, 0, sizeof *g);
    strcpy(g->key, key);
    return g;
}

static char *make_file(void) {
    static const char *const cities[] = {"Berlin", "\"Paris, Texas\"", "Oslo", "\"the \"\"Big\"\" Apple\"", "Lima", "Kyoto"};
    char *text = malloc((size_t)ROWS * 120), *out = text;
    if (!text)
        exit(1);
    unsigned seed = 8;
    for (int i = 0; i < ROWS; i++) {
        seed = seed * 1664525u + 1013904223u;
        out += sprintf(out, "%d,%s,%d,%u.%02u,\"note %d, with \"\"quotes\"\"\",,%s\n", i, cities[(seed >> 24) % 6], (int)(seed >> 16 & 63) - 8,
                       seed >> 22, (seed >> 8) % 100, i % 17, i % 2 ? "yes" : "no");
    }
    return text;
}

int main(void) {
    static Group groups[GROUPS];
    static Row row;
    char *text = make_file();
    int count = 0;
    unsigned hash = 0;
    for (int round = 0; round < 200; round++) {
        for (const char *p = text; (p = read_row(p, &row)) != NULL;) {
            if (row.count != 7) {
                printf("csv: %d fields\n", row.count);
                return 1;
            }
            Group *g = find_group(groups, &count, row.text[1]);
            double amount = (double)parse_long(row.text[3]) + (double)parse_long(strchr(row.text[3], '.') + 1) / 100;
            g->rows++;
            g->quantity += parse_long(row.text[2]);
            g->amount += amount * (double)parse_long(row.text[2]);
            g->largest = amount > g->largest ? amount : g->largest;
            for (const char *s = row.text[4]; *s; s++)
                hash = hash * 33 + (unsigned char)*s;
        }
    }
    for (int i = 0; i < count; i++)
        printf("%-16s %7ld %9ld %14.2f %8.2f\n", groups[i].key, groups[i].rows, groups[i].quantity, groups[i].amount, groups[i].largest);
    printf("csv %08x\n", hash);
    free(text);
    return 0;
}
