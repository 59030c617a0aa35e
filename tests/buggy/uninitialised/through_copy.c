#include <stdio.h>
struct point { int x, y, z; };
static struct point projected(struct point p) {
    struct point q;
    q.x = p.x;
    q.y = p.y;
#ifdef GOOD
    q.z = 0;
#endif
    return q;
}
int main(void) {
    struct point line[2] = {{1, 2, 3}};
    line[1] = projected(line[0]);
    int length = line[1].x + line[1].y;
    length += line[1].z; // BUG: uninitialised
    printf("%d\n", length);
    return 0;
}
