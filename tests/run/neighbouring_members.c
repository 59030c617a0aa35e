/* Members that are read on either side of a branch, of objects that end where a page ends. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct node {
    int key;
    struct node *left, *right;
};

struct pair {
    long low, high;
};

__attribute__((noinline)) static const struct node *find(const struct node *n, int key) {
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n;
}

static struct node *insert(struct node *n, struct node *added) {
    if (!n)
        return added;
    if (added->key < n->key)
        n->left = insert(n->left, added);
    else
        n->right = insert(n->right, added);
    return n;
}

__attribute__((noinline)) static long choose(const struct pair *p, int high) {
    if (high)
        return p->high;
    return p->low;
}

/* One element of an array may be all that there is. */
__attribute__((noinline)) static long element(const long *p, int second) {
    long r;
    if (second)
        r = p[1];
    else
        r = p[0];
    return r;
}

int main(void) {
    long page = sysconf(_SC_PAGESIZE);
    char *memory = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE))
        return 1;
    struct pair *last = (struct pair *)(memory + page) - 1;
    *last = (struct pair){17, 18};
    printf("%ld %ld\n", choose(last, 0), choose(last, 1));
    printf("%ld\n", element(&last->high, 0));
    struct node *root = 0, *nodes = calloc(100, sizeof *nodes);
    for (int i = 0; i < 100; i++) {
        nodes[i].key = i * 37 % 101;
        root = insert(root, &nodes[i]);
    }
    int found = 0;
    for (int key = -5; key < 110; key++)
        found += find(root, key) != 0;
    printf("%d\n", found);
    free(nodes);
    return 0;
}
