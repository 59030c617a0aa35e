#include <stdio.h>
#ifdef GOOD
typedef unsigned hash;
#else
typedef int hash;
#endif
static hash hash_of(const char *text) {
    hash h = 5381;
    while (*text) h = h * 33 + *text++; // BUG: signed-overflow
    return h;
}
int main(void) {
    printf("%u\n", (unsigned)hash_of("overflow"));
    return 0;
}
