#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct user { char *name; };
static char *log_line;
static void greet(struct user *u) {
#ifdef GOOD
    log_line = strdup(u->name);
#else
    log_line = u->name;
#endif
}
int main(void) {
    struct user u = {strdup("ada")};
    greet(&u);
    free(u.name);
    printf("last: %s\n", log_line); // BUG: use-after-free
#ifdef GOOD
    free(log_line);
#endif
    return 0;
}
