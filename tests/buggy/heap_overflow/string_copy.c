#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *copy(const char *text) {
#ifdef GOOD
    char *made = malloc(strlen(text) + 1);
#else
    char *made = malloc(strlen(text));
#endif
    if (!made) exit(1);
    strcpy(made, text); // BUG: heap-overflow
    return made;
}
int main(void) {
    char *word = copy("terminator");
    puts(word);
    free(word);
    return 0;
}
