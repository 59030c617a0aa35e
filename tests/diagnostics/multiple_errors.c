int f(void)
{
    undefined1(;
    int a = undefined2;
    a.b.c = 1;
    return a->b;
}
int g(void) { return undefined3 + undefined3 * 2; }
