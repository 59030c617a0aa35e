void f(int n, int a[n][n])
{
    struct s { int x[n]; };
    int (*p)[n] = a;
    typedef int t[n];
    static int (*q)[n];
    extern int (*r)[n];
    (void)p;
}
