#include <stdio.h>
#include <string.h>
static unsigned bits(float f) {
#ifdef GOOD
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
#else
    return *(unsigned *)&f; // BUG: aliasing
#endif
}
int main(void) {
    printf("%x\n", bits(1.5f));
    return 0;
}
