#include <stdio.h>
struct view { const char *text; int length; };
static struct view number(int n) {
#ifdef GOOD
    static char text[16];
#else
     char text[16];
#endif
    struct view v = {text, 0};
    v.length = sprintf(text, "%d", n);
    return v;
}
int main(void) {
    struct view v = number(42);
    char c = v.text[0]; // BUG: use-after-return
    printf("%c %d\n", c, v.length);
    return 0;
}
