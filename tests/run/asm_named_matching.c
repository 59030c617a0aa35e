// interpreter: inline assembly
// Matching constraints by name; conditional expressions of conditions that hold commas or further conditional expressions.
#include <stdio.h>

#if 0 ? 3, 4 : 2
#else
#error "a comma between ? and :"
#endif
#if 1 ? 5 : 1 ? 1 / 0 : 1 / 0
#else
#error "nested"
#endif
#if (0 ? 1 ? 2 : 3 : 0 ? 4 : 0) == 0 && (1 ? 0 ? 2 : 3 : 4) == 3
#else
#error "nested twice"
#endif

int main(void)
{
    int x = 5, y = 7, sum, old;
    __asm__("addl %[b], %[sum]" : [sum] "=r"(sum) : "[sum]"(x), [b] "r"(y));
    __asm__("xchgl %[one], %[two]" : [one] "=&r"(x), [two] "=&r"(old) : "[two]"(x), "[one]"(y));
    printf("%d %d %d\n", sum, x, old);
    return 0;
}
