#include <stdio.h>
#include <stdlib.h>
struct tree { int key; struct tree *left, *right; };
static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key) t->left = insert(t->left, key);
    else t->right = insert(t->right, key);
    return t;
}
static int destroy(struct tree *t) {
    if (!t) return 0;
#ifdef GOOD
    int freed = destroy(t->left) + destroy(t->right) + 1;
    free(t);
#else
    int freed = destroy(t->left) + 1;
    free(t);
    freed += destroy(t->right); // BUG: use-after-free
#endif
    return freed;
}
int main(void) {
    struct tree *t = NULL;
    for (int i = 0; i < 7; i++) t = insert(t, i * 5 % 7);
    printf("%d\n", destroy(t));
    return 0;
}
