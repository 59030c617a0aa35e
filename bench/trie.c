/* Measures: a trie with 26 children per node in an array, prefix counts, and the Aho-Corasick automaton built on it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LETTERS = 26, MAX_NODES = 50000, WORDS = 12000, TEXT = 1 << 20 };

typedef struct {
    int32_t child[LETTERS];
    int32_t fail;
    uint32_t passing, ending, matches;
} Node;

static Node *nodes;
static int32_t node_count = 1;

static void insert(const char *word) {
    int32_t at = 0;
    for (; *word; word++) {
        int32_t *next = &nodes[at].child[*word - 'a'];
        if (!*next) {
            if (node_count == MAX_NODES)
                exit(1);
            *next = node_count++;
        }
        at = *next;
        nodes[at].passing++;
    }
    nodes[at].ending++;
}

static uint32_t count_prefix(const char *prefix) {
    int32_t at = 0;
    for (; *prefix; prefix++) {
        at = nodes[at].child[*prefix - 'a'];
        if (!at)
            return 0;
    }
    return nodes[at].passing;
}

/* Fills in the failure links breadth first, and missing children by those of the failure (Aho and Corasick 1975). */
static void make_automaton(void) {
    int32_t *queue = malloc((size_t)node_count * sizeof *queue);
    int32_t head = 0, tail = 0;
    if (!queue)
        exit(1);
    for (int c = 0; c < LETTERS; c++)
        if (nodes[0].child[c])
            queue[tail++] = nodes[0].child[c];
    while (head < tail) {
        Node *n = &nodes[queue[head++]];
        n->matches = n->ending + nodes[n->fail].matches;
        for (int c = 0; c < LETTERS; c++) {
            int32_t child = n->child[c], fallback = nodes[n->fail].child[c];
            if (child) {
                nodes[child].fail = fallback;
                queue[tail++] = child;
            } else {
                n->child[c] = fallback;
            }
        }
    }
    free(queue);
}

static uint64_t count_matches(const char *text) {
    uint64_t total = 0;
    for (int32_t at = 0; *text; text++) {
        at = nodes[at].child[*text - 'a'];
        total += nodes[at].matches;
    }
    return total;
}

static uint32_t seed = 12;

static void make_word(char *out, int length) {
    static const char common[] = "aaaabcdeeeefghiiijklmnoooprstttu";
    for (int i = 0; i < length; i++) {
        seed = seed * 1664525u + 1013904223u;
        out[i] = common[seed >> 27];
    }
    out[length] = '\0';
}

int main(void) {
    char word[32];
    char *text = malloc(TEXT + 1);
    nodes = malloc(MAX_NODES * sizeof *nodes);
    if (!text || !nodes)
        return 1;
    make_word(text, TEXT);
    uint64_t prefixes = 0, matches = 0;
    for (int round = 0; round < 16; round++) {
        memset(nodes, 0, MAX_NODES * sizeof *nodes);
        node_count = 1;
        for (int i = 0; i < WORDS; i++) {
            make_word(word, 3 + i % 7);
            insert(word);
        }
        for (int i = 0; i < 100000; i++) {
            make_word(word, 1 + i % 5);
            prefixes += count_prefix(word);
        }
        make_automaton();
        matches += count_matches(text);
    }
    printf("trie %d %llu %llu\n", (int)node_count, (unsigned long long)prefixes, (unsigned long long)matches);
    free(text);
    free(nodes);
    return 0;
}
