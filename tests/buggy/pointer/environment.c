#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    const char *home = getenv("NO_SUCH_VARIABLE_HERE");
#ifdef GOOD
    if (!home) home = "/";
#endif
    printf("%zu\n", strlen(home)); // BUG: library
    return 0;
}
