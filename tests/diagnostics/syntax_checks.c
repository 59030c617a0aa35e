int f(void)
{
    int x = 1
    return x;
}
int g(void)
{
    if (1 { }
    return 0;
}
int h(void) { return 1 +; }
int ok(void) { return 0; }
