#include <stdio.h>
#include <stdlib.h>
// A bit set: one word holds 64 members.
static unsigned long *new_set(int members) {
#ifdef GOOD
    return calloc((members + 63) / 64, sizeof(unsigned long));
#else
    return calloc(members / 64, sizeof(unsigned long));
#endif
}
static void add(unsigned long *set, int member) {
    set[member / 64] |= 1ul << member % 64; // BUG: heap-overflow
}
int main(void) {
    unsigned long *set = new_set(100);
    for (int i = 0; i < 100; i += 7) add(set, i);
    printf("%lx\n", set[0]);
    free(set);
    return 0;
}
