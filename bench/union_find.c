/* Measures: union-find with path halving and union by size, used for Kruskal's minimum spanning tree and for percolation. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 50000, EDGES = 250000, SIDE = 400 };

typedef struct {
    uint32_t *parent, *size;
    uint32_t sets;
} Sets;

static Sets sets_new(uint32_t n) {
    Sets s = {malloc(n * sizeof(uint32_t)), malloc(n * sizeof(uint32_t)), n};
    if (!s.parent || !s.size) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    for (uint32_t i = 0; i < n; i++) {
        s.parent[i] = i;
        s.size[i] = 1;
    }
    return s;
}

static void sets_free(Sets s) {
    free(s.parent);
    free(s.size);
}

static uint32_t find(Sets *s, uint32_t x) {
    while (s->parent[x] != x) {
        s->parent[x] = s->parent[s->parent[x]];
        x = s->parent[x];
    }
    return x;
}

static int unite(Sets *s, uint32_t a, uint32_t b) {
    a = find(s, a);
    b = find(s, b);
    if (a == b)
        return 0;
    if (s->size[a] < s->size[b]) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    s->parent[b] = a;
    s->size[a] += s->size[b];
    s->sets--;
    return 1;
}

typedef struct {
    uint32_t weight, a, b;
} Edge;

static int by_weight(const void *x, const void *y) {
    const Edge *a = x, *b = y;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : (a->b > b->b) - (a->b < b->b);
}

static uint64_t spanning_tree(Edge *edges) {
    uint64_t total = 0;
    Sets s = sets_new(NODES);
    qsort(edges, EDGES, sizeof *edges, by_weight);
    for (int i = 0; i < EDGES && s.sets > 1; i++)
        if (unite(&s, edges[i].a, edges[i].b))
            total += edges[i].weight;
    total = total * 10 + s.sets;
    sets_free(s);
    return total;
}

/* Opens random cells of a grid until the top is connected with the bottom; how many that took. */
static uint32_t percolate(uint32_t *seed) {
    static uint8_t open[SIDE * SIDE];
    const uint32_t top = SIDE * SIDE, bottom = top + 1;
    uint32_t opened = 0;
    Sets s = sets_new(SIDE * SIDE + 2);
    for (int i = 0; i < SIDE * SIDE; i++)
        open[i] = 0;
    while (find(&s, top) != find(&s, bottom)) {
        *seed = *seed * 1664525u + 1013904223u;
        uint32_t cell = (*seed >> 8) % (SIDE * SIDE), x = cell % SIDE, y = cell / SIDE;
        if (open[cell])
            continue;
        open[cell] = 1;
        opened++;
        unite(&s, cell, y == 0 ? top : y == SIDE - 1 ? bottom : cell);
        if (x > 0 && open[cell - 1])
            unite(&s, cell, cell - 1);
        if (x < SIDE - 1 && open[cell + 1])
            unite(&s, cell, cell + 1);
        if (y > 0 && open[cell - SIDE])
            unite(&s, cell, cell - SIDE);
        if (y < SIDE - 1 && open[cell + SIDE])
            unite(&s, cell, cell + SIDE);
    }
    sets_free(s);
    return opened;
}

int main(void) {
    Edge *edges = malloc(EDGES * sizeof *edges);
    if (!edges)
        return 1;
    uint32_t seed = 13, opened = 0;
    uint64_t sum = 0;
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < EDGES; i++) {
            seed = seed * 1664525u + 1013904223u;
            uint32_t a = (seed >> 8) % NODES;
            edges[i] = (Edge){seed >> 12, a, (a * 7919 + i) % NODES};
        }
        sum = sum * 31 + spanning_tree(edges);
    }
    for (int round = 0; round < 24; round++)
        opened += percolate(&seed);
    printf("union_find %016llx %u\n", (unsigned long long)sum, (unsigned)opened);
    free(edges);
    return 0;
}
