// lli: __builtin_constant_p is answered by optimisation, which lli does not do
/* __builtin_constant_p: answered at once where a constant is needed, otherwise when inlining is done. */
#include <stdio.h>

extern void not_there(void);

static inline int kind(int n)
{
    if (__builtin_constant_p(n)) {
#ifdef __OPTIMIZE__
        if (n > 1000)
            not_there();
#endif
        return 1;
    }
    return 0;
}

__attribute__((noinline)) static int choose(int x, int y)
{
    static int known = __builtin_constant_p(x), literal = __builtin_constant_p("text");
    printf("%d %d\n", known, literal);
    return __builtin_choose_expr(!__builtin_constant_p(x), 3, y++) + y;
}

static volatile int number = 7;

int main(void)
{
    int expected = 0;
#ifdef __OPTIMIZE__
    expected = 1;
#endif
    printf("%d %d\n", kind(7) == expected, kind(number));
    printf("%d\n", choose(1, 2));
    return 0;
}
