#include <stdio.h>
#include <string.h>
static char label[8] = "none";
static int serial;
static void rename_to(const char *name) {
#ifdef GOOD
    snprintf(label, sizeof label, "%s", name);
#else
    memcpy(label, name, strlen(name) + 1); // BUG: global-overflow
#endif
}
int main(void) {
    rename_to("short");
    rename_to("much longer");
    printf("%s %d\n", label, serial);
    return 0;
}
