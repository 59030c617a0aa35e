#include <stdio.h>
#include <stdlib.h>
struct point { double x, y, z; };
int main(void) {
#ifdef GOOD
    struct point *p = malloc(sizeof *p);
#else
    struct point *p = malloc(sizeof p);
#endif
    if (!p) return 1;
    p->x = 1;
    p->y = 2; // BUG: heap-overflow
    p->z = 3;
    printf("%g\n", p->x + p->y + p->z);
    free(p);
    return 0;
}
