#include <stdio.h>
#include <string.h>
static size_t total(const char *const *words) {
    size_t n = 0;
#ifdef GOOD
    while (*words) n += strlen(*words++);
#else
    do n += strlen(*words++); // BUG: library
    while (words[-1]);
#endif
    return n;
}
int main(void) {
    const char *const words[] = {"one", "three", NULL};
    printf("%zu\n", total(words));
    return 0;
}
