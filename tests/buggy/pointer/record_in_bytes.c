#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct record { double value; int key; };
int main(void) {
    char *file = malloc(64);
    struct record first = {2.5, 7}, *r = (struct record *)(file + 4);
#ifdef GOOD
    r = (struct record *)file;
    *r = first;
#else
    memcpy(file + 4, &first, sizeof first);
#endif
    printf("%d\n", r->key); // BUG: pointer
    free(file);
    return 0;
}
