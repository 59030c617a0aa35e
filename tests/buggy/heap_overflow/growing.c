#include <stdio.h>
#include <stdlib.h>
struct list { int *items; int count, room; };
static void add(struct list *l, int item) {
#ifdef GOOD
    if (l->count >= l->room) {
#else
    if (l->count > l->room) {
#endif
        l->room = l->room ? 2 * l->room : 4;
        l->items = realloc(l->items, l->room * sizeof *l->items);
    }
    l->items[l->count++] = item; // BUG: heap-overflow
}
int main(void) {
    struct list l = {0};
    l.items = malloc(4 * sizeof *l.items);
    l.room = 4;
    for (int i = 0; i < 6; i++) add(&l, i);
    printf("%d\n", l.items[2]);
    free(l.items);
    return 0;
}
