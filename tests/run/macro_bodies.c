// Bodies of macros that are read when they are used first: over several lines, with comments and
// literals, with parameters, after the name was given away, taken back or poisoned.
#include <stdio.h>

enum { SELF = 40 };

#define SUM(a, b) ((a) + \
    (b)) /* of two / numbers */
#define TEXT "a /* no comment */ \"b\"" /* a comment */
#define CHARACTER '\'' /* "no string" */
#define EMPTY
#define BLANK /**/
#define NOTHING(x)  
#define CALL(f, rest...) f(rest, EMPTY 4)
#define SELF SELF_ + 1
#define SELF_ SELF
#define LATE EARLY
#define EARLY 5
#define HALF 1 / 2
#define VALUE V + _V
#define WHERE __LINE__
#define TIMES(x) x \
	* \
	WHERE

static int three(int a, int b, int c)
{
    return a * 100 + b * 10 + c;
}

#define ONCE first_text
#pragma push_macro("ONCE")
#undef ONCE
#define ONCE second_text
static const char *second_text = "second", *first_text = "first";
static const char **before = &ONCE;

int main(void)
{
    const int V = 7, _V = 8;
    printf("%d %s %c\n", SUM(SUM(1, 2), 3), TEXT, CHARACTER);
    printf("%d %d\n", CALL(three, 2, 3), SELF);
    printf("%d %d %d\n", LATE, 10 * HALF, VALUE BLANK NOTHING(nothing));
#pragma pop_macro("ONCE")
    const char *after = ONCE;
    puts(*before);
    puts(after);
#undef EARLY
#define EARLY 6
    printf("%d %d\n", LATE, TIMES(2) == 2 * __LINE__);
#define INNER hidden_name
    static int hidden_name = 9;
#pragma GCC poison hidden_name
    printf("%d\n", INNER);
    return 0;
}
