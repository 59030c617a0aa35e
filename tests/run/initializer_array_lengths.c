// The length of an array of unknown length when elements are given without braces of their own.
#include <stdio.h>

struct pointer { void *p; };
struct pair { int x, y; };
union number { int i; char c; };
struct flexible { int n; struct pair f[]; };

static int object;
struct pointer pointers[] = { ((struct pointer){ &object }), &object };
struct pointer three[] = { &object, &object, &object };
struct pair unfinished[] = { 1, 2, 3 };
struct pair gone_back[] = { 1, 2, 3, [0] = 5 };
struct pair jumped[] = { 1, 2, [5] = 5, 6, 7 };
int rows[][2] = { 1, 2, 3 };
union number numbers[] = { 1, 2 };
struct flexible tail = { 1, 2, 3, 4 };

int main(void)
{
    printf("%zu %zu\n", sizeof pointers / sizeof *pointers, sizeof three / sizeof *three);
    printf("%zu %zu %zu\n", sizeof unfinished / sizeof *unfinished, sizeof gone_back / sizeof *gone_back,
           sizeof jumped / sizeof *jumped);
    printf("%zu %zu\n", sizeof rows / sizeof *rows, sizeof numbers / sizeof *numbers);
    for (int i = 0; i < 2; i++)
        printf("%d %d, %d %d, %d\n", unfinished[i].x, unfinished[i].y, gone_back[i].x, gone_back[i].y, rows[i][1]);
    for (int i = 0; i < 7; i++)
        printf("%d %d;", jumped[i].x, jumped[i].y);
    printf("\n%d %d %d\n", tail.f[0].x, tail.f[0].y, tail.f[1].x);
    struct pair local[] = { 7, 8, 9 };
    printf("%zu %d\n", sizeof local / sizeof *local, local[1].x);
    return 0;
}
