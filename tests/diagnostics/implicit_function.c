int f(void)
{
    return g(1);
}
void h(void) { printf("x"); }
