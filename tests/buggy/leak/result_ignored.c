#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *quoted(const char *text) {
    char *out = malloc(strlen(text) + 3); // BUG: leak
    sprintf(out, "'%s'", text);
    return out;
}
int main(void) {
#ifdef GOOD
    char *q = quoted("word");
    printf("%zu\n", strlen(q));
    free(q);
#else
    printf("%zu\n", strlen(quoted("word")));
#endif
    return 0;
}
