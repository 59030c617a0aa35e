/* #pragma GCC optimize changes what the code of the functions after it may assume, as the attribute does. */
#include <limits.h>
#include <stdio.h>

#pragma GCC push_options
#pragma GCC optimize("wrapv")
__attribute__((noinline)) static int greater(int a) { return a + 1 > a; }
#pragma GCC optimize("no-strict-aliasing")
/* Both are in force. */
__attribute__((noinline)) static int write_both(int *p, short *q, int a)
{
    *p = 1;
    *q = 2;
    return *p + (a + 1 > a) * 10;
}
/* An attribute has the last word. */
__attribute__((noinline, optimize("no-wrapv"), optimize("no-strict-aliasing"))) static int undefined(int a)
{
    return a < INT_MAX ? a + 1 > a : 1;
}
#pragma GCC pop_options
#pragma GCC optimize(2, "-fwrapv")
__attribute__((noinline)) static int smaller(int a) { return a - 1 < a; }
#pragma GCC optimize("O0")
static int unoptimised(int a) { return a + 1 > a; }
#pragma GCC optimize("O2")
__attribute__((noinline)) static int again(int a) { return a + 1 > a; }
#pragma GCC reset_options

int main(void)
{
    int both;
    printf("%d %d\n", greater(1), greater(INT_MAX));
    printf("%d %d\n", write_both(&both, (short *)&both, 1), write_both(&both, (short *)&both, INT_MAX));
    printf("%d %d\n", undefined(1), undefined(INT_MAX));
    printf("%d %d\n", smaller(1), smaller(INT_MIN));
    printf("%d %d\n", unoptimised(1), unoptimised(INT_MAX));
    printf("%d %d\n", again(1), again(INT_MAX));
    return 0;
}
