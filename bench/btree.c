/* Measures: a B-tree of order 32: insertion with splits, lookup by binary search in nodes, ordered iteration, range sums. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HALF = 16, FULL = 2 * HALF - 1, COUNT = 400000 };

typedef struct Node Node;
struct Node {
    int count;
    int leaf;
    uint32_t keys[FULL];
    uint32_t values[FULL];
    Node *children[]; /* count + 1 of them, in inner nodes */
};

static Node *node_new(int leaf) {
    Node *n = malloc(sizeof(Node) + (leaf ? 0 : (FULL + 1) * sizeof(Node *)));
    if (!n) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    n->count = 0;
    n->leaf = leaf;
    return n;
}

/* Index of the first key that is not less. */
static int lower_bound(const Node *n, uint32_t key) {
    int low = 0, high = n->count;
    while (low < high) {
        int mid = (low + high) / 2;
        if (n->keys[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void open_gap(Node *n, int at) {
    size_t moved = (size_t)(n->count - at);
    memmove(&n->keys[at + 1], &n->keys[at], moved * sizeof n->keys[0]);
    memmove(&n->values[at + 1], &n->values[at], moved * sizeof n->values[0]);
    if (!n->leaf)
        memmove(&n->children[at + 2], &n->children[at + 1], moved * sizeof n->children[0]);
    n->count++;
}

/* The full child at `at` becomes two, its middle key comes up. */
static void split_child(Node *parent, int at) {
    Node *left = parent->children[at], *right = node_new(left->leaf);
    right->count = HALF - 1;
    memcpy(right->keys, &left->keys[HALF], (HALF - 1) * sizeof right->keys[0]);
    memcpy(right->values, &left->values[HALF], (HALF - 1) * sizeof right->values[0]);
    if (!left->leaf)
        memcpy(right->children, &left->children[HALF], HALF * sizeof right->children[0]);
    left->count = HALF - 1;
    open_gap(parent, at);
    parent->keys[at] = left->keys[HALF - 1];
    parent->values[at] = left->values[HALF - 1];
    parent->children[at + 1] = right;
}

static void insert(Node **root, uint32_t key, uint32_t value) {
    if ((*root)->count == FULL) {
        Node *top = node_new(0);
        top->children[0] = *root;
        *root = top;
        split_child(top, 0);
    }
    Node *n = *root;
    for (;;) {
        int at = lower_bound(n, key);
        if (at < n->count && n->keys[at] == key) {
            n->values[at] += value;
            return;
        }
        if (n->leaf) {
            open_gap(n, at);
            n->keys[at] = key;
            n->values[at] = value;
            return;
        }
        if (n->children[at]->count == FULL) {
            split_child(n, at);
            if (n->keys[at] < key)
                at++;
            else if (n->keys[at] == key)
                continue;
        }
        n = n->children[at];
    }
}

static const uint32_t *lookup(const Node *n, uint32_t key) {
    for (;;) {
        int at = lower_bound(n, key);
        if (at < n->count && n->keys[at] == key)
            return &n->values[at];
        if (n->leaf)
            return NULL;
        n = n->children[at];
    }
}

static uint64_t range_sum(const Node *n, uint32_t low, uint32_t high) {
    uint64_t sum = 0;
    for (int i = lower_bound(n, low);; i++) {
        if (!n->leaf)
            sum += range_sum(n->children[i], low, high);
        if (i == n->count || n->keys[i] > high)
            return sum;
        sum += n->values[i];
    }
}

typedef struct {
    uint32_t previous, hash;
    int ordered;
} Walk;

static void walk(const Node *n, Walk *w) {
    for (int i = 0;; i++) {
        if (!n->leaf)
            walk(n->children[i], w);
        if (i == n->count)
            return;
        w->ordered &= n->keys[i] >= w->previous;
        w->previous = n->keys[i];
        w->hash = w->hash * 31 + n->keys[i] + n->values[i];
    }
}

static void release(Node *n) {
    if (!n->leaf)
        for (int i = 0; i <= n->count; i++)
            release(n->children[i]);
    free(n);
}

int main(void) {
    Node *root = node_new(1);
    uint32_t seed = 5, found = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        insert(&root, seed >> 10, i);
    }
    for (int i = 0; i < 2 * COUNT; i++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t *value = lookup(root, seed >> 10);
        found += value ? *value & 15 : 0;
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 2000; i++)
        sum += range_sum(root, i * 2000, i * 2000 + 20000);
    Walk w = {0, 0, 1};
    walk(root, &w);
    release(root);
    printf("btree %s %u %llu %08x\n", w.ordered ? "ordered" : "disordered", (unsigned)found, (unsigned long long)sum, (unsigned)w.hash);
    return 0;
}
