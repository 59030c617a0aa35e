#include <stdio.h>
static const char *const days[] = {"mon", "tue", "wed"};
static int find(const char *text, int *at) {
    for (int i = 0; i < 3; i++)
        if (days[i][0] == text[0]) {
            *at = i;
            return 1;
        }
    return 0;
}
int main(void) {
#ifdef GOOD
    int at = 0;
#else
    int at;
#endif
    find("fri", &at);
    puts(days[at]); // BUG: uninitialised
    return 0;
}
