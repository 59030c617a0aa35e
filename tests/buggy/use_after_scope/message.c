#include <stdio.h>
static const char *text = "";
int main(void) {
    for (int code = 0; code < 3; code++) {
        if (code == 2) {
#ifdef GOOD
            static char buffer[16];
#else
            char buffer[16];
#endif
            snprintf(buffer, sizeof buffer, "code %d", code);
            text = buffer;
        }
    }
    puts(text); // BUG: use-after-scope
    return 0;
}
