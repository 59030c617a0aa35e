#include <stdio.h>
#include <stdlib.h>
struct counter { long hits; };
static void finish(struct counter *c, long *total) {
    *total += c->hits;
    free(c);
}
int main(void) {
    long total = 0;
    struct counter *c = calloc(1, sizeof *c);
    c->hits = 41;
#ifdef GOOD
    c->hits++;
    finish(c, &total);
#else
    finish(c, &total);
    c->hits++; // BUG: use-after-free
#endif
    printf("%ld\n", total);
    return 0;
}
