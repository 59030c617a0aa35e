#include <stdio.h>
struct size { unsigned short width, height; };
static unsigned area(struct size s) {
#ifdef GOOD
    return (unsigned)s.width * s.height;
#else
    return s.width * s.height; // BUG: signed-overflow
#endif
}
int main(void) {
    printf("%u\n", area((struct size){640, 480}));
    printf("%u\n", area((struct size){60000, 50000}));
    return 0;
}
