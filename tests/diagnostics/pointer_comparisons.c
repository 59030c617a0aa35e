// flags: -Wextra
int f(char *p, int *q)
{
    int n = p == '\0';
    n += '\0' != q;
    n += p == ('\0');
    n += p == L'\0';
    n += p == (char)0;
    n += p < '\0';
    n += p < 0;
    n += 0 > q;
    n += p > (void *)0;
    // Nothing is wrong with these.
    n += p == 0;
    n += *p == '\0';
    n += p <= (char *)0;
    return n;
}
