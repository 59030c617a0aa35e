#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *text = strdup("   indented");
#ifdef GOOD
    char *start = text;
    while (isspace((unsigned char)*start)) start++;
    puts(start);
#else
    while (isspace((unsigned char)*text)) text++;
    puts(text);
#endif
    free(text); // BUG: bad-free
    return 0;
}
