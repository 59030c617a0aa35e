#include <stdio.h>
#include <string.h>
int main(void) {
    char line[12];
#ifdef GOOD
    const char *name = "Ann";
#else
    const char *name = "Wolfgang Amadeus";
#endif
    strcpy(line, "Hi, ");
    strcat(line, name); // BUG: stack-overflow
    puts(line);
    return 0;
}
