#include <stdio.h>
struct circle { int kind; float radius; };
struct shape { int kind, sides; };
static int sides(const void *any) {
    const struct shape *s = any;
#ifdef GOOD
    if (s->kind == 0) return 0;
#endif
    return s->sides; // BUG: aliasing
}
int main(void) {
    struct circle c;
    struct shape s = {4, 4};
    c.kind = 0;
    c.radius = 2;
    printf("%d\n", sides(&s));
    printf("%d %g\n", sides(&c), c.radius);
    return 0;
}
