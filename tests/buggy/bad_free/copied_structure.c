#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct person { char *name; int age; };
static struct person copy_of(const struct person *p) {
    struct person c = *p;
#ifdef GOOD
    c.name = strdup(p->name);
#endif
    return c;
}
static void clear(struct person *p) {
    free(p->name); // BUG: bad-free
    p->name = NULL;
}
int main(void) {
    struct person first = {strdup("grace"), 30};
    struct person second = copy_of(&first);
    second.age++;
    printf("%s %d\n", second.name, second.age);
    clear(&first);
    clear(&second);
    return 0;
}
