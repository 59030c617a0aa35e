#include <stdio.h>
#include <stdlib.h>
struct buffer { size_t length; char bytes[16]; };
static void release(char *bytes) {
    free(bytes); // BUG: bad-free
}
int main(void) {
    struct buffer *b = malloc(sizeof *b);
    b->length = 1;
    b->bytes[0] = 'x';
    printf("%zu %c\n", b->length, b->bytes[0]);
#ifdef GOOD
    release((char *)b);
#else
    release(b->bytes);
#endif
    return 0;
}
