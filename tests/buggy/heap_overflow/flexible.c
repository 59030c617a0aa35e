#include <stdlib.h>
#include <stdio.h>
#include <string.h>
struct packet { unsigned short length; char data[]; };
static struct packet *make(const char *text) {
    unsigned short n = (unsigned short)strlen(text) + 1;
#ifdef GOOD
    struct packet *p = malloc(sizeof *p + n);
#else
    struct packet *p = malloc(n);
#endif
    p->length = n;
    memcpy(p->data, text, n); // BUG: heap-overflow
    return p;
}
int main(void) {
    struct packet *p = make("status: ready");
    printf("%d %s\n", p->length, p->data);
    free(p);
    return 0;
}
