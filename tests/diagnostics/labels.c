void f(void)
{
    goto nowhere;
a:
a:
    ;
}
void g(int n) { goto in; int v[n]; in: ; }
void h(int n, int x) { switch (x) { int v[n]; case 1: ; } }
