int f(void);
void g(int a, const int c, const int *p)
{
    f() = 1;
    a + 1 = 2;
    5++;
    --f();
    c = 1;
    c++;
    *p = 3;
    p[1] = 4;
    &5;
    int arr[3], b[3];
    arr = b;
}
struct s { const int m; } s;
void h(void) { s.m = 1; struct s t; t = s; }
