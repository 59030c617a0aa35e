#include <stdio.h>
#include <string.h>
static char **words(const char *line, int *count) {
#ifdef GOOD
    static char copy[32], *found[8];
#else
    char copy[32];
    static char *found[8];
#endif
    strcpy(copy, line);
    *count = 0;
    for (char *p = strtok(copy, " "); p; p = strtok(NULL, " ")) found[(*count)++] = p;
    return found;
}
int main(void) {
    int count;
    char **found = words("a few words", &count);
    for (int i = 0; i < count; i++) puts(found[i]); // BUG: use-after-return
    return 0;
}
