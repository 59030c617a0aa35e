#include <stdio.h>
static char letters[26];
static char turn(char c, int by) {
#ifdef GOOD
    return letters[(c - 'a' + by) % 26];
#else
    return letters[c - 'a' + by]; // BUG: global-overflow
#endif
}
int main(void) {
    for (int i = 0; i < 26; i++) letters[i] = (char)('a' + i);
    for (const char *p = "crazy"; *p; p++) putchar(turn(*p, 3));
    putchar('\n');
    return 0;
}
