#include <stdio.h>
#include <string.h>
int main(void) {
    char name[8];
#ifdef GOOD
    memset(name, 0, sizeof name);
#endif
    memcpy(name, "tcp", 3);
    printf("%s\n", name); // BUG: uninitialised
    return 0;
}
