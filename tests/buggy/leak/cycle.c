#include <stdio.h>
#include <stdlib.h>
struct peer { struct peer *other; int number; };
int main(void) {
    struct peer *a = malloc(sizeof *a); // BUG: leak
    struct peer *b = malloc(sizeof *b);
    *a = (struct peer){b, 1};
    *b = (struct peer){a, 2};
    printf("%d\n", a->other->number + b->other->number);
#ifdef GOOD
    free(b);
    free(a);
#endif
    a = b = NULL;
    return 0;
}
