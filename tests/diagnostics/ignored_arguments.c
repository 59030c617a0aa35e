// Arguments that a macro has no use for are counted and read as others are.
#define ONE(x) ((void)0)
#define TWO(a, b)
#define MORE(a, ...)
void f(void)
{
    ONE();
    ONE(1, 2);
    TWO(1);
    TWO(1, (2, 3), 4);
    MORE();
    MORE(1, 2, 3);
    ONE("unterminated
    );
    ONE(__VA_ARGS__);
}
#pragma GCC poison bad
void g(void)
{
    ONE(bad);
    int x = 1 + ONE((1);
}
