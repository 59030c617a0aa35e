// A missing semicolon is missing after the token before, whatever line follows.
int g(int);
int f(int a)
{
    a = 3
    g(a);
    int b = 4
    return g(b)
}
struct t {
    int a;
}
int h(struct t *p)
{
    if (g(p->a) {
        return 1;
    }
    return 2;
}
enum e { A, B }
int i = B;
