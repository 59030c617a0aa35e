#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *line = strdup("  indented"), *start = line;
    while (*start == ' ') start++;
    puts(start);
#ifdef GOOD
    free(line);
#else
    free(start); // BUG: bad-free
#endif
    return 0;
}
