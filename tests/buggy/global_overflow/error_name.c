#include <stdio.h>
enum error { NONE, MISSING, DENIED, BUSY, COUNT };
static const char *const messages[COUNT] = {"none", "missing", "denied", "busy"};
static const char *message(int error) {
#ifdef GOOD
    if (error < 0 || error >= COUNT)
#else
    if (error < 0 || error > COUNT)
#endif
        return "unknown";
    return messages[error]; // BUG: global-overflow
}
int main(void) {
    for (int e = -1; e <= COUNT; e++) puts(message(e));
    return 0;
}
