#include <stdio.h>
struct box { int low, high; };
static int *lower(struct box b) {
#ifdef GOOD
    static struct box kept;
    kept = b;
    return &kept.low;
#else
    int *p = &b.low;
    return p;
#endif
}
int main(void) {
    struct box b = {3, 9};
    int *p = lower(b);
    printf("%d\n", *p + b.high); // BUG: use-after-return
    return 0;
}
