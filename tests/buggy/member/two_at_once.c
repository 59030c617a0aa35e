#include <stdio.h>
struct pair { int x, y; };
static int same(const struct pair *a, const struct pair *b) {
#ifdef GOOD
    return a->x == b->x && a->y == b->y;
#else
    return *(const long *)a == *(const long *)b; // BUG: aliasing
#endif
}
int main(void) {
    _Alignas(8) struct pair a = {1, 2};
    _Alignas(8) struct pair b = {1, 3};
    a.y = 3;
    printf("%d\n", same(&a, &b));
    return 0;
}
