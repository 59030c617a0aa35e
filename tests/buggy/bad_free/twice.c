#include <stdlib.h>
struct pair { char *a, *b; };
int main(void) {
    struct pair p;
    p.a = malloc(8);
#ifdef GOOD
    p.b = malloc(8);
#else
    p.b = p.a;
#endif
    free(p.a);
    free(p.b); // BUG: bad-free
    return 0;
}
