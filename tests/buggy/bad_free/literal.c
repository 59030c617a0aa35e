#include <stdlib.h>
#include <string.h>
struct setting { char *value; };
int main(void) {
    struct setting s;
#ifdef GOOD
    s.value = strdup("default");
#else
    s.value = "default";
#endif
    free(s.value); // BUG: bad-free
    return 0;
}
