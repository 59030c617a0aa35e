#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *title;
static void set_title(const char *text) {
#ifdef GOOD
    free(title);
#endif
    title = strdup(text); // BUG: leak
}
int main(void) {
    set_title("first");
    set_title("second");
    puts(title);
    free(title);
    title = NULL;
    return 0;
}
