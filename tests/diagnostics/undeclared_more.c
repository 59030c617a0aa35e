int f(void)
{
    return x + x;
}
int g(void) { return x; }
