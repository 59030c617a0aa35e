/* Measures: shortest paths by Dijkstra's algorithm with a binary heap of indices and decrease-key, on a sparse random graph in
   compressed rows: irregular loads and unpredictable branches. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 60000, DEGREE = 6, EDGES = NODES * DEGREE };
static const uint32_t FAR = 0xffffffffu;

typedef struct {
    uint32_t to, weight;
} Edge;

typedef struct {
    uint32_t first[NODES + 1];
    Edge edges[EDGES];
} Graph;

typedef struct {
    uint32_t heap[NODES], position[NODES], distance[NODES];
    uint32_t count;
} Search;

static void make_graph(Graph *g, uint32_t seed) {
    for (uint32_t i = 0; i < NODES; i++) {
        g->first[i] = i * DEGREE;
        for (uint32_t k = 0; k < DEGREE; k++) {
            seed = seed * 1664525u + 1013904223u;
            uint32_t near = (i + 1 + (seed >> 8) % 50) % NODES, anywhere = (seed >> 3) % NODES;
            g->edges[i * DEGREE + k] = (Edge){k < DEGREE - 1 ? near : anywhere, 1 + (seed >> 20)};
        }
    }
    g->first[NODES] = EDGES;
}

static void set(Search *s, uint32_t slot, uint32_t node) {
    s->heap[slot] = node;
    s->position[node] = slot;
}

static void rise(Search *s, uint32_t slot, uint32_t node) {
    uint32_t distance = s->distance[node];
    while (slot > 0) {
        uint32_t parent = (slot - 1) / 2;
        if (s->distance[s->heap[parent]] <= distance)
            break;
        set(s, slot, s->heap[parent]);
        slot = parent;
    }
    set(s, slot, node);
}

static void sink(Search *s, uint32_t slot, uint32_t node) {
    uint32_t distance = s->distance[node];
    for (;;) {
        uint32_t child = 2 * slot + 1;
        if (child >= s->count)
            break;
        if (child + 1 < s->count && s->distance[s->heap[child + 1]] < s->distance[s->heap[child]])
            child++;
        if (s->distance[s->heap[child]] >= distance)
            break;
        set(s, slot, s->heap[child]);
        slot = child;
    }
    set(s, slot, node);
}

static uint32_t pop(Search *s) {
    uint32_t top = s->heap[0], last = s->heap[--s->count];
    s->position[top] = FAR;
    if (s->count > 0)
        sink(s, 0, last);
    return top;
}

static void shortest_paths(const Graph *g, Search *s, uint32_t start) {
    for (uint32_t i = 0; i < NODES; i++) {
        s->distance[i] = FAR;
        s->position[i] = FAR;
    }
    s->distance[start] = 0;
    s->count = 1;
    set(s, 0, start);
    while (s->count > 0) {
        uint32_t node = pop(s);
        for (const Edge *e = &g->edges[g->first[node]]; e < &g->edges[g->first[node + 1]]; e++) {
            uint32_t distance = s->distance[node] + e->weight;
            if (distance >= s->distance[e->to])
                continue;
            if (s->distance[e->to] == FAR)
                s->position[e->to] = s->count++;
            s->distance[e->to] = distance;
            rise(s, s->position[e->to], e->to);
        }
    }
}

int main(void) {
    Graph *g = malloc(sizeof *g);
    Search *s = malloc(sizeof *s);
    if (!g || !s)
        return 1;
    make_graph(g, 31);
    uint64_t sum = 0;
    for (uint32_t start = 0; start < 13; start++) {
        shortest_paths(g, s, start * 4999);
        for (uint32_t i = 0; i < NODES; i++)
            sum = sum * 3 + s->distance[i];
    }
    printf("dijkstra %016llx\n", (unsigned long long)sum);
    free(g);
    free(s);
    return 0;
}
