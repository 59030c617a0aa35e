#include <stdio.h>
struct scope { const char *name; struct scope *outer; };
static struct scope *current;
static void enter(const char *name, int depth) {
    struct scope s = {name, current};
    current = &s;
    if (depth > 0) enter("inner", depth - 1);
#ifdef GOOD
    current = s.outer;
#else
    if (depth > 0) current = s.outer;
#endif
}
int main(void) {
    enter("outer", 0);
    for (struct scope *s = current; s; s = s->outer)
        puts(s->name); // BUG: use-after-return
    return 0;
}
