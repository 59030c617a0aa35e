void f(const int *p, volatile int *v, int *q)
{
    q = p;
    q = v;
    int **a = &p;
    const int **b = &q;
    (void)a; (void)b;
}
const int *g(void); int *h(void) { return g(); }
