#include <stdio.h>
#include <stdlib.h>
static int *grow(int *old, size_t count) {
    int *bigger = count > 8 ? NULL : realloc(old, count * sizeof *old);
#ifdef GOOD
    if (!bigger) free(old);
#endif
    return bigger;
}
int main(void) {
    int *a = calloc(4, sizeof *a); // BUG: leak
    a = grow(a, 16);
    puts(a ? "grown" : "no memory");
    free(a);
    return 0;
}
