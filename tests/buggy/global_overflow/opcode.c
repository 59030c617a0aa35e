#include <stdio.h>
static const char *const names[] = {"add", "sub", "mul"};
static const char *name_of(unsigned op) {
#ifdef GOOD
    if (op > 2) return "?";
#else
    if (op > 3) return "?";
#endif
    return names[op]; // BUG: global-overflow
}
int main(void) {
    for (unsigned op = 0; op < 5; op++) puts(name_of(op));
    return 0;
}
