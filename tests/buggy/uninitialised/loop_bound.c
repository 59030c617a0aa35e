#include <stdio.h>
#include <stdlib.h>
struct stack { int top, room; int *items; };
static struct stack *make(int room) {
    struct stack *s = malloc(sizeof *s);
    s->room = room;
    s->items = calloc(room, sizeof *s->items);
#ifdef GOOD
    s->top = 0;
#endif
    return s;
}
int main(void) {
    struct stack *s = make(4);
    s->items[0] = 9;
    while (s->top > 0) s->top--; // BUG: uninitialised
    printf("%d\n", s->items[0]);
    free(s->items);
    free(s);
    return 0;
}
