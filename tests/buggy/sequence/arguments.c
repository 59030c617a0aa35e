#include <stdio.h>
int main(void) {
    int line = 1;
    const char *text[] = {"first", "second"};
    for (int i = 0; i < 2; i++) {
#ifdef GOOD
        printf("%d %s %d\n", line, text[i], line + 1);
        line++;
#else
        printf("%d %s %d\n", line++, text[i], line); // BUG: sequence-point
#endif
    }
    return 0;
}
