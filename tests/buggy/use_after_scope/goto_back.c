#include <stdio.h>
int main(void) {
    int turns = 0, *seen = 0;
#ifdef GOOD
    int local = 0;
#endif
again:
    if (seen) turns += *seen; // BUG: use-after-scope
    if (turns < 4) {
#ifndef GOOD
        int local;
#endif
        local = 2;
        seen = &local;
        goto again;
    }
    printf("%d\n", turns);
    return 0;
}
