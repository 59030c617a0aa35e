#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *upper(const char *text) {
    size_t n = strlen(text);
#ifdef GOOD
    char *out = malloc(n + 1);
#else
    char *out = malloc(n);
#endif
    for (size_t i = 0; i < n; i++) out[i] = text[i] - 'a' + 'A';
    out[n] = 0; // BUG: heap-overflow
    return out;
}
int main(void) {
    char *word = upper("shout");
    puts(word);
    free(word);
    return 0;
}
