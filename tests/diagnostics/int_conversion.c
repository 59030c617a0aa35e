int f(char *p)
{
    int x = p;
    p = x;
    char *q = 5;
    return q;
}
void g(int *); void h(void) { g(3); }
