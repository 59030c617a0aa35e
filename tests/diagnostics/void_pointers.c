void f(void *p, void (*fp)(void))
{
    *p;
    p = fp;
    p == fp;
    int x = *(int *)p;
    (void)x;
}
