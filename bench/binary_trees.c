/* Measures: malloc and free of many small nodes, pointer chasing in trees that do not stay in cache, recursion without tail calls. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    Node *left, *right;
    int32_t key;
};

static Node *node_new(int32_t key, Node *left, Node *right) {
    Node *n = malloc(sizeof *n);
    if (!n) {
        fputs("out of memory\n", stderr);
        exit(1);
    }
    *n = (Node){left, right, key};
    return n;
}

static Node *full_tree(int depth, int32_t key) {
    if (depth == 0)
        return node_new(key, NULL, NULL);
    return node_new(key, full_tree(depth - 1, 2 * key), full_tree(depth - 1, 2 * key + 1));
}

static void release(Node *n) {
    if (!n)
        return;
    release(n->left);
    release(n->right);
    free(n);
}

static int count(const Node *n) {
    return n ? 1 + count(n->left) + count(n->right) : 0;
}

static uint32_t checksum(const Node *n) {
    uint32_t sum = 0;
    for (; n; n = n->right)
        sum = sum * 3 + (uint32_t)n->key + checksum(n->left);
    return sum;
}

static Node *mirror(const Node *n) {
    return n ? node_new(n->key, mirror(n->right), mirror(n->left)) : NULL;
}

/* Unbalanced search tree over scrambled keys. */
static void insert(Node **root, int32_t key) {
    while (*root)
        root = key < (*root)->key ? &(*root)->left : &(*root)->right;
    *root = node_new(key, NULL, NULL);
}

static int depth_of(const Node *n, int32_t key) {
    int depth = 0;
    for (; n; depth++) {
        if (n->key == key)
            return depth;
        n = key < n->key ? n->left : n->right;
    }
    return -1;
}

int main(void) {
    enum { KEYS = 150000 };
    uint32_t sum = 0;
    for (int depth = 6; depth <= 16; depth += 2) {
        int trees = 1 << (19 - depth);
        int nodes = 0;
        for (int i = 0; i < trees; i++) {
            Node *tree = full_tree(depth, 1 + i % 7);
            Node *other = mirror(tree);
            nodes += count(tree);
            sum = sum * 31 + checksum(other);
            release(tree);
            release(other);
        }
        printf("depth %d nodes %d\n", depth, nodes);
    }
    Node *root = NULL;
    uint32_t key = 1;
    for (int i = 0; i < KEYS; i++) {
        insert(&root, (int32_t)(key >> 8));
        key = key * 1664525u + 1013904223u;
    }
    key = 1;
    for (int i = 0; i < KEYS; i++) {
        sum += (uint32_t)depth_of(root, (int32_t)(key >> 8) ^ (i & 1));
        key = key * 1664525u + 1013904223u;
    }
    release(root);
    printf("binary_trees %08x\n", (unsigned)sum);
    return 0;
}
