/* Measures: a left-leaning red-black tree (Sedgewick 2008) with insertion, deletion of the least and lookups: recursion that returns
   pointers, rotations, a bit field in a node. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node Node;
struct Node {
    Node *left, *right;
    uint32_t key;
    uint32_t red : 1;
    uint32_t count : 31;
};

static Node *free_list;

static Node *node_new(uint32_t key) {
    Node *n = free_list;
    if (n)
        free_list = n->left;
    else if (!(n = malloc(sizeof *n)))
        exit(1);
    *n = (Node){.key = key, .red = 1, .count = 1};
    return n;
}

static int is_red(const Node *n) {
    return n && n->red;
}

static Node *rotate_left(Node *n) {
    Node *up = n->right;
    n->right = up->left;
    up->left = n;
    up->red = n->red;
    n->red = 1;
    return up;
}

static Node *rotate_right(Node *n) {
    Node *up = n->left;
    n->left = up->right;
    up->right = n;
    up->red = n->red;
    n->red = 1;
    return up;
}

static void flip_colours(Node *n) {
    n->red = !n->red;
    n->left->red = !n->left->red;
    n->right->red = !n->right->red;
}

static Node *balance(Node *n) {
    if (is_red(n->right) && !is_red(n->left))
        n = rotate_left(n);
    if (is_red(n->left) && is_red(n->left->left))
        n = rotate_right(n);
    if (is_red(n->left) && is_red(n->right))
        flip_colours(n);
    return n;
}

static Node *insert(Node *n, uint32_t key) {
    if (!n)
        return node_new(key);
    if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    else
        n->count++;
    return balance(n);
}

static Node *move_red_left(Node *n) {
    flip_colours(n);
    if (is_red(n->right->left)) {
        n->right = rotate_right(n->right);
        n = rotate_left(n);
        flip_colours(n);
    }
    return n;
}

static Node *remove_least(Node *n, uint32_t *key) {
    if (!n->left) {
        *key = n->key;
        n->left = free_list;
        free_list = n;
        return NULL;
    }
    if (!is_red(n->left) && !is_red(n->left->left))
        n = move_red_left(n);
    n->left = remove_least(n->left, key);
    return balance(n);
}

static uint32_t lookup(const Node *n, uint32_t key) {
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n ? n->count : 0;
}

/* Black height, or -1 where the rules are broken. */
static int check(const Node *n) {
    if (!n)
        return 0;
    int left = check(n->left), right = check(n->right);
    if (left < 0 || left != right || is_red(n->right) || (n->red && is_red(n->left)))
        return -1;
    return left + !n->red;
}

static void release(Node *n) {
    if (n) {
        release(n->left);
        release(n->right);
        free(n);
    }
}

int main(void) {
    Node *root = NULL;
    uint32_t seed = 1, hash = 0, found = 0;
    for (int i = 0; i < 150000; i++) {
        seed = seed * 1664525u + 1013904223u;
        root = insert(root, seed >> 12);
        root->red = 0;
    }
    int height = check(root);
    for (int i = 0; i < 300000; i++) {
        seed = seed * 1664525u + 1013904223u;
        found += lookup(root, seed >> 12);
    }
    for (int i = 0; i < 150000; i++) { /* a queue by priority */
        uint32_t key = 0;
        if (!is_red(root->left) && !is_red(root->right))
            root->red = 1;
        root = remove_least(root, &key);
        if (root)
            root->red = 0;
        seed = seed * 1664525u + 1013904223u;
        root = insert(root, key + (seed >> 14));
        root->red = 0;
        hash = hash * 31 + key;
    }
    printf("red_black_tree %d %d %u %08x\n", height, check(root), (unsigned)found, (unsigned)hash);
    release(root);
    for (Node *n = free_list, *next; n; n = next) {
        next = n->left;
        free(n);
    }
    return 0;
}
