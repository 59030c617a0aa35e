// A comparison with a volatile variable that is made twice, for a choice and for its value: the
// variable is read once.
#include <stdio.h>

static volatile int g, h = 3;
static struct { unsigned long bits : 2; } s;

__attribute__((noinline)) static long least(void) {
    signed char x = !g, y = s.bits > 7;
    return (x <= y ? x : y) + 0UL;
}
__attribute__((noinline)) static int chosen(int a, int b) {
    int same = h == 3;
    return same ? a + same : b - same;
}
__attribute__((noinline)) static int below(int a, int *p) {
    int less = h < a;
    *p = less;
    return less ? a : less + 7;
}

int main(void) {
    int kept;
    printf("%ld %d ", least(), chosen(5, 9));
    printf("%d ", below(4, &kept));
    printf("%d ", kept);
    h = 8;
    printf("%d %d ", chosen(5, 9), below(4, &kept));
    printf("%d\n", kept);
}
