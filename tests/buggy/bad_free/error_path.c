#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *load(const char *text) {
    char *copy = strdup(text);
    if (strlen(copy) > 4) {
        free(copy);
#ifdef GOOD
        return NULL;
#endif
    }
    return copy;
}
int main(void) {
    char *a = load("four"), *b = load("longer");
    puts(a);
    free(a);
    free(b); // BUG: bad-free
    return 0;
}
