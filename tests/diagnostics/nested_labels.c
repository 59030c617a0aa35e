int take(void **);
void f(void)
{
    __label__ out;
    void g(void)
    {
        static void *table[] = { &&out, &&in };
    in:
        if (take(table))
            goto out;
    }
    g();
out:
    ;
}
