#include <stdio.h>
typedef int handler(int);
static int twice(int x) { return 2 * x; }
static handler *const handlers[3] = {twice, [2] = twice};
static int run(int kind, int x) {
#ifdef GOOD
    if (!handlers[kind]) return 0;
#endif
    return handlers[kind](x); // BUG: pointer
}
int main(void) {
    int sum = 0;
    for (int kind = 0; kind < 3; kind++) sum += run(kind, 5);
    printf("%d\n", sum);
    return 0;
}
