#include <stdio.h>
#include <string.h>
struct config { int port, timeout; char host[16]; };
static void parse(struct config *c, const char *text) {
    if (strncmp(text, "port=", 5) == 0) c->port = text[5] - '0';
    strcpy(c->host, "localhost");
}
int main(void) {
#ifdef GOOD
    struct config c = {0};
#else
    struct config c;
#endif
    parse(&c, "port=8");
    if (c.timeout > 30) c.timeout = 30; // BUG: uninitialised
    printf("%d %s\n", c.port, c.host);
    return 0;
}
