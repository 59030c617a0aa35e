// flags: -std=gnu2x
// Macros that use none of their parameters, with everything in their arguments that could be mistaken for their end.
#include <stdio.h>

#define IGNORE(x) (1)
#define BOTH(a, b) +2
#define ANY(...) 4
#define SOME(a, ...) 8
#define EMPTY(x)
#define NAME() 16
#define LINE(x) __LINE__
#define TWICE(x) (x) + IGNORE((x, x)) + (x)

static int calls;
static int call(int a, int b) { return calls += a + b; }

int main(void) {
    int sum = 0;
    sum += IGNORE(call(1, 2)) BOTH((1, 2), "),(");
    sum += ANY() + ANY(a, b, (c, d)) + SOME(a) + SOME(a, b, c) + NAME();
    sum += IGNORE(')') + IGNORE("\")") + IGNORE('\'') + IGNORE(/* ) */ 1) + IGNORE(1 // )
    );
    sum += IGNORE(call(
#if 1
        1, 2
#else
        )
#endif
    ));
    sum += IGNORE(a \
) + IGNORE(a ? b : c / d % e) + IGNORE(L')') + IGNORE(u8")") + IGNORE(R"x()")x");
    sum += IGNORE(sum += 1'000) EMPTY(IGNORE() sum = 0;) ;
    printf("%d %d\n", sum, calls);
    printf("%d %d\n", LINE(a
        b), __LINE__);
    int TWICE = 3;
    printf("%d %d\n", TWICE(5), TWICE);
    EMPTY(#) EMPTY(%:) EMPTY(@ `) EMPTY(\u00e9 é "é")
    EMPTY([) EMPTY(}) EMPTY(0x) EMPTY(1.2.3)
    return IGNORE
        (0) == 0;
}
