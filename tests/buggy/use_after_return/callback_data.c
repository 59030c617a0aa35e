#include <stdio.h>
struct handler { int (*call)(void *); void *data; };
static struct handler handlers[2];
static int doubled(void *data) {
    return 2 * *(int *)data; // BUG: use-after-return
}
static void install(int value) {
#ifdef GOOD
    static int kept;
    kept = value;
    handlers[0] = (struct handler){doubled, &kept};
#else
    int kept = value;
    handlers[0] = (struct handler){doubled, &kept};
#endif
}
int main(void) {
    install(21);
    printf("%d\n", handlers[0].call(handlers[0].data));
    return 0;
}
