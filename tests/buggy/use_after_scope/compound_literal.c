#include <stdio.h>
struct point { int x, y; };
static int area(const struct point *p) {
    return p->x * p->y; // BUG: use-after-scope
}
int main(void) {
    const struct point *p = 0;
#ifdef GOOD
    struct point size = {6, 7};
    p = &size;
#else
    {
        p = &(struct point){6, 7};
    }
#endif
    printf("%d\n", area(p));
    return 0;
}
