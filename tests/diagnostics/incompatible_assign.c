struct s { int a; } s; struct t { int a; } t; int i; int *p;
void f(void)
{
    s = t;
    i = s;
    s = i;
    p = s;
    struct s x = 1;
}
void g(struct s); void h(void) { g(1); g(t); }
struct s k(void) { return t; }
