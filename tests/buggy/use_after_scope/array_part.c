#include <stdio.h>
#include <string.h>
int main(void) {
    char *name = 0;
    {
#ifdef GOOD
        static char line[] = "key=value";
#else
        char line[] = "key=value";
#endif
        name = strchr(line, '=') + 1;
    }
    printf("%zu\n", strlen(name)); // BUG: use-after-scope
    return 0;
}
