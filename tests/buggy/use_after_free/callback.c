#include <stdio.h>
#include <stdlib.h>
struct task { void (*run)(struct task *); int times; };
static void tick(struct task *t) {
    printf("tick %d\n", t->times);
    if (--t->times == 0) free(t);
}
int main(void) {
    struct task *t = malloc(sizeof *t);
    t->run = tick;
    t->times = 2;
#ifdef GOOD
    for (int n = t->times; n > 0; n--)
#else
    while (t->times > 0) // BUG: use-after-free
#endif
        t->run(t);
    return 0;
}
