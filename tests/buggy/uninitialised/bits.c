#include <stdio.h>
struct flags { unsigned read : 1, write : 1, run : 1; };
int main(void) {
    struct flags f;
    f.read = 1;
    f.write = 0;
#ifdef GOOD
    f.run = 0;
#endif
    int allowed = f.read + f.write;
    if (f.run) allowed++; // BUG: uninitialised
    printf("%d\n", allowed);
    return 0;
}
