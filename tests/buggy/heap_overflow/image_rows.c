#include <stdio.h>
#include <stdlib.h>
struct image { int width, height; unsigned char *pixels; };
static void fill(struct image *m, unsigned char value) {
#ifdef GOOD
    for (int y = 0; y < m->height; y++)
        for (int x = 0; x < m->width; x++)
#else
    for (int y = 0; y < m->width; y++)
        for (int x = 0; x < m->height; x++)
#endif
            m->pixels[y * m->width + x] = value; // BUG: heap-overflow
}
int main(void) {
    struct image m = {6, 4, malloc(24)};
    fill(&m, 9);
    printf("%d\n", m.pixels[23]);
    free(m.pixels);
    return 0;
}
