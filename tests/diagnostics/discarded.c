// flags: -Wall
void f(int *p, int a, int b)
{
    *p++;
    a, b;
    a == b;
    p[a];
    (void)a;
    a ? b : a;
    -a;
    f;
}
