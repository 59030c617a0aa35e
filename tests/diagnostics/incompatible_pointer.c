void f(int *p, const char *c, double *d)
{
    p = d;
    char *q = c;
    d = p;
    (void)q;
}
void g(int *); void h(char *s, const int *c) { g(s); g(c); }
