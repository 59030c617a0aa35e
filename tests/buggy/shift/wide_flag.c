#include <stdio.h>
static unsigned long set;
static void add(int member) {
#ifdef GOOD
    set |= 1ul << member;
#else
    set |= 1 << member; // BUG: shift
#endif
}
int main(void) {
    add(3);
    add(40);
    printf("%lx\n", set);
    return 0;
}
