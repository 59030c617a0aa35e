#include <stdio.h>
int main(int argc, char **argv) {
    int fallback = 5;
    int *p = &fallback;
#ifdef GOOD
    int chosen;
#endif
    if (argc > 0) {
#ifndef GOOD
        int chosen;
#endif
        chosen = 7;
        p = &chosen;
    }
    printf("%d\n", *p); // BUG: use-after-scope
    return 0;
}
