#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { char *key, *value; };
static struct entry *new_entry(const char *key, const char *value) {
    struct entry *e = malloc(sizeof *e);
    e->key = strdup(key);
    e->value = strdup(value); // BUG: leak
    return e;
}
static void free_entry(struct entry *e) {
    free(e->key);
#ifdef GOOD
    free(e->value);
#endif
    free(e);
}
int main(void) {
    struct entry *e = new_entry("colour", "green");
    printf("%s=%s\n", e->key, e->value);
    free_entry(e);
    return 0;
}
