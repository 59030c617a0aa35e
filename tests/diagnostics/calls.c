int f(int, int); int i; void (*fp)(int);
void v(void);
void g(void)
{
    f(1);
    f(1, 2, 3);
    i(2);
    fp();
    f(v(), 1);
    int x = v();
    v() + 1;
}
