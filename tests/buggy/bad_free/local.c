#include <stdlib.h>
#include <string.h>
int main(void) {
    char small[16], *text = small;
    const char *word = "word";
    if (strlen(word) >= sizeof small) text = malloc(strlen(word) + 1);
    strcpy(text, word);
#ifdef GOOD
    if (text != small)
#endif
    free(text); // BUG: bad-free
    return 0;
}
