#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct text { char *data; size_t length; };
static void append(struct text *t, const char *more) {
    size_t n = strlen(more);
    char *bigger = malloc(t->length + n + 1);
    memcpy(bigger, t->data, t->length);
    memcpy(bigger + t->length, more, n + 1);
    free(t->data);
    t->data = bigger;
    t->length += n;
}
int main(void) {
    struct text t = {strdup("begin "), 6};
    char *cursor = t.data;
    append(&t, "end");
#ifdef GOOD
    cursor = t.data;
#endif
    while (*cursor) putchar(*cursor++); // BUG: use-after-free
    putchar('\n');
    free(t.data);
    return 0;
}
