// What functions of the unit touch is known where they are called: values stay in registers around
// calls that leave them alone, and only around those.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int key;
    struct node *left, *right;
    double weight;
};

int a, b, steps;
static int table[8];
static double scale = 1.5;
int *volatile hidden = &a;

__attribute__((noinline)) static void count(void) { steps++; }

__attribute__((noinline)) static void set_through(int *p, int v) { *p = v; }

__attribute__((noinline)) static void set_field(struct node *n, double w) { n->weight = w; }

__attribute__((noinline)) static int sum_table(void) {
    int s = 0;
    for (int i = 0; i < 8; i++)
        s += table[i];
    return s;
}

__attribute__((noinline)) static void set_hidden(int v) { *hidden = v; }

__attribute__((noinline)) static void set_entry(int i, int v) { table[i & 7] = v; }

// Writes through its argument's argument.
__attribute__((noinline)) static void insert(struct node **root, struct node *n) {
    if (!*root)
        *root = n;
    else if (n->key < (*root)->key)
        insert(&(*root)->left, n);
    else
        insert(&(*root)->right, n);
}

// A chain: what it touches is what the one that it calls touches.
__attribute__((noinline)) static void indirect(int *p) {
    count();
    set_through(p + 1, 9);
}

__attribute__((noinline)) static void copy_all(int *to, const int *from) { memcpy(to, from, 3 * sizeof *to); }

__attribute__((noinline)) static void even(int *p, int n);
__attribute__((noinline)) static void odd(int *p, int n) {
    if (n > 0)
        even(p, n - 1);
    else
        *p += 2;
}
static void even(int *p, int n) {
    if (n > 0)
        odd(p, n - 1);
    else
        *p += 1;
}

__attribute__((noinline)) static void swap_struct(struct node *x, struct node *y) {
    struct node t = *x;
    *x = *y;
    *y = t;
}

__attribute__((noinline)) static unsigned bits_of(const void *p) {
    unsigned u;
    memcpy(&u, p, sizeof u);
    return u;
}

__attribute__((noinline)) static void copy_by_value(struct node n) {
    n.key = 77;
    a = n.key;
}

int main(void) {
    a = 1;
    count();
    b = a + 1;
    count();
    printf("%d %d %d\n", a, b, steps);

    int local[4] = {1, 2, 3, 4};
    set_through(&local[2], 30);
    set_through(&a, 5);
    printf("%d %d %d\n", local[2], a, local[1]);
    indirect(local);
    printf("%d %d %d\n", local[0], local[1], steps);

    a = 7;
    set_hidden(8);
    printf("%d\n", a);

    table[3] = 4; // not dead: sum_table reads it
    int s = sum_table();
    table[3] = 5;
    for (int i = 0; i < 6; i++) {
        table[2] += i;
        set_entry(i, table[2]);
    }
    printf("%d %d %d\n", s, sum_table(), table[2]);

    struct node nodes[3] = {{5, 0, 0, 0}, {3, 0, 0, 0}, {8, 0, 0, 0}}, *root = 0;
    for (int i = 0; i < 3; i++)
        insert(&root, &nodes[i]);
    printf("%d %d %d\n", root->key, root->left->key, root->right->key);
    nodes[0].key = 6;
    set_field(&nodes[0], 2.5 * scale);
    scale = 2;
    set_field(&nodes[1], scale);
    printf("%d %g %g\n", nodes[0].key, nodes[0].weight, nodes[1].weight);
    swap_struct(&nodes[0], &nodes[1]);
    printf("%d %d\n", nodes[0].key, nodes[1].key);

    int x = 1, y[3] = {4, 5, 6}, z[3] = {0};
    copy_all(z, y);
    y[0] = 10;
    copy_all(y + 0, z);
    printf("%d %d\n", y[0], z[2]);
    even(&x, 5);
    even(&x, 4);
    printf("%d\n", x);

    float f = 1.0f;
    unsigned u = bits_of(&f);
    f = 2.0f;
    printf("%x %x\n", u, bits_of(&f));

    a = 3;
    copy_by_value(nodes[2]);
    printf("%d %d\n", a, nodes[2].key);
    return 0;
}
