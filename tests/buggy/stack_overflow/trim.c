#include <stdio.h>
#include <string.h>
static void trim(char *s) {
    long end = (long)strlen(s) - 1;
#ifdef GOOD
    while (end >= 0 && s[end] == ' ') end--;
#else
    while (s[end] == ' ') end--; // BUG: underflow
#endif
    s[end + 1] = 0;
}
int main(void) {
    char line[4];
    strcpy(line, "   ");
    trim(line);
    printf("[%s]\n", line);
    return 0;
}
