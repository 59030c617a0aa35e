#include <stdio.h>
#include <stdlib.h>
static int *slots[4];
static int *get(int key) {
    int **slot = &slots[key % 4];
    if (!*slot) {
        *slot = malloc(sizeof **slot);
        **slot = key * 10;
    }
    return *slot;
}
static void drop(int key) {
    free(slots[key % 4]);
#ifdef GOOD
    slots[key % 4] = NULL;
#endif
}
int main(void) {
    printf("%d\n", *get(2));
    drop(2);
    printf("%d\n", *get(6)); // BUG: use-after-free
    drop(6);
    return 0;
}
