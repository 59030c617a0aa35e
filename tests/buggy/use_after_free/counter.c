#include <stdio.h>
#include <stdlib.h>
struct object { int references; int value; };
static void release(struct object *o) {
    if (--o->references == 0) free(o); // BUG: use-after-free
}
int main(void) {
    struct object *o = malloc(sizeof *o);
#ifdef GOOD
    o->references = 2;
#else
    o->references = 1;
#endif
    o->value = 3;
    release(o);
    release(o);
    return 0;
}
