// flags: -Wall
int f(void); int a[3]; int w __attribute__((weak));
int g(void)
{
    if (f) return 1;
    if (&a) return 2;
    if (a == 0) return 3;
    if (&w) return 4;
    int x; return *&x + !f;
}
int *h(void) { int y; return &y; }
