#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct message { char *text; int length; };
static void drop(struct message *m) {
    free(m->text);
#ifdef GOOD
    m->text = 0;
#endif
}
int main(void) {
    struct message m = {strdup("hello"), 5};
    drop(&m);
    if (m.text)
        puts(m.text); // BUG: use-after-free
    return 0;
}
