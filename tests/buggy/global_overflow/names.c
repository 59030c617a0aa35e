#include <stdio.h>
static char name[8];
static const char *set(const char *text) {
    int i = 0;
#ifdef GOOD
    for (; text[i] && i < 7; i++)
#else
    for (; text[i]; i++)
#endif
        name[i] = text[i]; // BUG: global-overflow
    name[i] = 0;
    return name;
}
int main(void) {
    puts(set("configuration"));
    return 0;
}
