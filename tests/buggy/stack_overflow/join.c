#include <stdio.h>
#include <string.h>
static void path_of(char *out, const char *folder, const char *name) {
    strcpy(out, folder);
    strcat(out, "/");
    strcat(out, name); // BUG: stack-overflow
}
int main(void) {
#ifdef GOOD
    char path[32];
#else
    char path[16];
#endif
    path_of(path, "/var/lib", "settings.db");
    puts(path);
    return 0;
}
