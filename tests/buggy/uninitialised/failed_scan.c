#include <stdio.h>
int main(void) {
    int width, height;
#ifdef GOOD
    if (sscanf("640 by", "%d %d", &width, &height) != 2) height = 480;
#else
    sscanf("640 by", "%d %d", &width, &height);
#endif
    int area = width * height; // BUG: uninitialised
    printf("%d\n", area);
    return 0;
}
