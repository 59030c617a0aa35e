#include <stdio.h>
#include <string.h>
static void show(const char *pair) {
    char copy[32];
    strcpy(copy, pair);
    char *equals = strchr(copy, '=');
#ifdef GOOD
    if (!equals) return;
#endif
    *equals = 0; // BUG: pointer
    printf("%s -> %s\n", copy, equals + 1);
}
int main(void) {
    show("a=1");
    show("b");
    return 0;
}
