/* optimize("...") changes what a function's code may assume, also where it is inlined. */
#include <limits.h>
#include <stdio.h>

static int value;
static int *as_int = &value;
static float *as_float = (float *)&value;

__attribute__((optimize("-fno-strict-aliasing"))) static void pun(void) { *as_float = 0; }

__attribute__((optimize("no-strict-aliasing"), noinline)) static int write_both(int *p, short *q)
{
    *p = 1;
    *q = 2;
    return *p;
}

__attribute__((optimize("wrapv"), noinline)) static int greater(int a) { return a + 1 > a; }

int main(void)
{
    *as_int = 1;
    pun();
    printf("%d\n", *as_int);
    int both;
    printf("%d\n", write_both(&both, (short *)&both));
    printf("%d %d\n", greater(1), greater(INT_MAX));
    return 0;
}
