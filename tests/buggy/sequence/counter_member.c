#include <stdio.h>
struct log { int count, lines[8]; };
static void record(struct log *l, int line) {
#ifdef GOOD
    l->lines[l->count] = line + l->count;
    l->count++;
#else
    l->lines[l->count++] = line + l->count; // BUG: sequence-point
#endif
}
int main(void) {
    struct log l = {0};
    for (int i = 0; i < 3; i++) record(&l, 10 * i);
    printf("%d %d\n", l.count, l.lines[2]);
    return 0;
}
